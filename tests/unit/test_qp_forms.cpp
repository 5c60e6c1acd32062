// SPDX-License-Identifier: MIT
// The relaxed contact problem in both forms: optimality of random problems, the worked examples of method 2.7, warm starts, the
// cap, bad input.
#include <kinecast/solve/energy_form.hpp>
#include <kinecast/solve/velocity_form.hpp>

#include "qp_checks.hpp"
#include "unity_main.hpp"

namespace unit_qp_forms {
namespace {

using kinecast::ok;
using kinecast::Status;
using qp::Form;
using qp::Problem;
using qp::Solution;

template <class S>
Status solve(Form form, const Problem<S>& p, Solution<S>& s) {
  return form == Form::energy ? solve_energy_form(p, s) : solve_velocity_form(p, s);
}

template <class S>
void check_random() {
  for (const Form form : {Form::energy, Form::velocity}) {
    measure::Random random(1);
    measure::Worst optimality;
    measure::Worst velocity;
    for (int k = 0; k < 10 * measure::kEffort; ++k) {
      const bool slides = k % 3 == 2;
      const Problem<S> p = qp::random_problem<S>(random, k % (qp::kRank + 1), k % (qp::kUnknowns + 1), slides);
      Solution<S> s{};
      const Status status = solve(form, p, s);
      // Leaning columns need not have a solution in the energy form; what is given is feasible all the same.
      TEST_ASSERT_TRUE(status == Status::ok || (slides && form == Form::energy && is_warning(status)));
      TEST_ASSERT_TRUE(s.iterations >= 1 && s.iterations <= kinecast::detail::kMostFactorisations<qp::kUnknowns>);
      if (status == Status::ok) optimality.see(qp::violation(form, p, s));
      for (int i = 0; i < p.unknowns; ++i) TEST_ASSERT_TRUE(!p.is_bounded[i] || s.x[i] >= S(0));
      velocity.see(qp::velocity_error(p, s));

      // The solution as a warm start: the same again, at once.
      if (status != Status::ok) continue;
      Solution<S> again = s;
      TEST_ASSERT_TRUE(solve(form, p, again) == Status::ok);
      TEST_ASSERT_EQUAL_INT(1, again.iterations);
      for (int i = 0; i < p.unknowns; ++i) TEST_ASSERT_TRUE(again.x[i] >= s.x[i] && again.x[i] <= s.x[i]);
    }
    // Float: rounding over lambda_rel = 0.02, times the condition of the rows.
    measure::assert_below<S>(measure::bound<S>(2e-4, 1e-11), optimality, "optimality",
                             form == Form::energy ? "energy" : "velocity");
    measure::assert_below<S>(measure::bound<S>(2e-4, 1e-12), velocity, "t",
                             form == Form::energy ? "energy" : "velocity");
  }
}
void test_random() {
  check_random<float>();
  if constexpr (measure::kInDouble) check_random<double>();
}

// A wrong warm start costs iterations, not accuracy.
void test_wrong_start() {
  measure::Random random(2);
  for (int k = 0; k < 5 * measure::kEffort; ++k) {
    const Problem<double> p = qp::random_problem<double>(random, 4, 8, false);
    for (const Form form : {Form::energy, Form::velocity}) {
      Solution<double> cold{};
      Solution<double> wrong{};
      TEST_ASSERT_TRUE(solve(form, p, cold) == Status::ok);
      for (int i = 0; i < 8; ++i) wrong.at_bound[i] = !cold.at_bound[i];
      TEST_ASSERT_TRUE(solve(form, p, wrong) == Status::ok);
      for (int i = 0; i < 8; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-8, cold.x[i], wrong.x[i]);
    }
  }
}

// Two unknowns with bounds, A = [a b; b a], no velocity but c.
template <class S>
Problem<S> two_points(double a, double b, double c0, double c1, double lambda) {
  Problem<S> p{};
  p.rank = 2;
  p.unknowns = 2;
  p.is_symmetric = true;
  p.row[0][0] = static_cast<S>(std::sqrt(a));
  p.row[1][0] = static_cast<S>(b / std::sqrt(a));
  p.row[1][1] = static_cast<S>(std::sqrt(a - b * b / a));
  p.offset[0] = static_cast<S>(c0);
  p.offset[1] = static_cast<S>(c1);
  for (int i = 0; i < 2; ++i) p.lambda[i] = static_cast<S>(lambda), p.is_bounded[i] = true;
  return p;
}

// Method 2.7: a rod whose one end lifts, and a tall box that one end hits. The energy form lets the supporting end rest, where
// the papers' form throws it up, and stops the hitting end, where theirs leaves it 36 % of its speed.
template <class S>
void check_examples() {
  Problem<S> rod = two_points<S>(4, -2, 0.1, -0.01, 1e-4);
  Solution<S> s{};
  const auto velocity_of = [](const Problem<S>& p, const Solution<S>& of, int i) {
    return static_cast<double>(p.row[i][0] * of.t[0] + p.row[i][1] * of.t[1] + p.offset[i]);
  };
  TEST_ASSERT_TRUE(solve_energy_form(rod, s) == Status::ok);
  TEST_ASSERT_TRUE(s.at_bound[0] && !s.at_bound[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0025, static_cast<double>(s.x[1]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.095, velocity_of(rod, s, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, velocity_of(rod, s, 1));
  s = {};
  TEST_ASSERT_TRUE(solve_velocity_form(rod, s) == Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.012, static_cast<double>(s.x[1]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.076, velocity_of(rod, s, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.038, velocity_of(rod, s, 1));

  Problem<S> box = two_points<S>(4, 3, 0, -1, 1e-4);
  s = {};
  TEST_ASSERT_TRUE(solve_energy_form(box, s) == Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.25, static_cast<double>(s.x[1]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, velocity_of(box, s, 1));
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.75, velocity_of(box, s, 0));
  s = {};
  TEST_ASSERT_TRUE(solve_velocity_form(box, s) == Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, -0.36, velocity_of(box, s, 1));
}
void test_examples() {
  check_examples<float>();
  if constexpr (measure::kInDouble) check_examples<double>();
}

// One unknown: x = -c/(a + lambda), and x = -a c/(a² + lambda); nothing moves and nothing touches; a row without mobility.
void test_smallest() {
  Problem<double> p{};
  Solution<double> s{};
  TEST_ASSERT_TRUE(solve_energy_form(p, s) == Status::ok && solve_velocity_form(p, s) == Status::ok);
  p = two_points<double>(4, 0, -1, 0, 0.5);
  p.unknowns = 1;
  TEST_ASSERT_TRUE(solve_energy_form(p, s) == Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1 / 4.5, s.x[0]);
  TEST_ASSERT_TRUE(solve_velocity_form(p, s) == Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 4 / 16.5, s.x[0]);
  p.row[0][0] = 0;
  TEST_ASSERT_TRUE(solve_energy_form(p, s) == Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2, s.x[0]);  // -e/lambda
  TEST_ASSERT_TRUE(solve_velocity_form(p, s) == Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0, s.x[0]);
  p.rank = 0;
  TEST_ASSERT_TRUE(solve_energy_form(p, s) == Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2, s.x[0]);
}

// Two sliding contacts that wedge each other: A + Lambda has a negative minor, and c is such that no set is consistent. The
// solver must come to an end, say so, and give feasible impulses.
void test_no_solution() {
  Problem<float> p{};
  p.rank = 2;
  p.unknowns = 2;
  for (int i = 0; i < 2; ++i) {
    p.row[i][i] = 1;
    p.column[i][i] = 1;
    p.column[i][1 - i] = -3;  // A = [1 -3; -3 1]
    p.offset[i] = -1;
    p.lambda[i] = 0.01F;
    p.is_bounded[i] = true;
  }
  Solution<float> s{};
  TEST_ASSERT_TRUE(solve_energy_form(p, s) == Status::iterations_exhausted);
  TEST_ASSERT_TRUE(ok(Status::iterations_exhausted) && is_warning(Status::iterations_exhausted));
  TEST_ASSERT_TRUE(s.x[0] >= 0 && s.x[1] >= 0);
  TEST_ASSERT_EQUAL_INT(kinecast::detail::kMostFactorisations<qp::kUnknowns>, s.iterations);
  TEST_ASSERT_TRUE(qp::velocity_error(p, s) < 1e-6);
}

void test_bad_input() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  measure::Random random(3);
  for (const Form form : {Form::energy, Form::velocity}) {
    for (const bool slides : {false, true}) {
      const Problem<float> good = qp::random_problem<float>(random, 5, 7, slides);
      Solution<float> s;
      const auto refuse = [&](Status expected, const Problem<float>& p, bool at_bound) {
        qp::fill(s);
        for (int i = 0; i < p.unknowns && at_bound; ++i) s.at_bound[i] = true;
        TEST_ASSERT_EQUAL_STRING(sentence(expected), sentence(solve(form, p, s)));
        for (int i = 0; i < qp::kUnknowns; ++i) s.at_bound[i] = false;
        TEST_ASSERT_TRUE(qp::is_filled(s));
      };
      for (const float bad : {nan, infinity, -infinity})
        for (const bool at_bound : {false, true})
          for (int i = 0; i < 7; ++i) {
            Problem<float> p = good;
            p.row[i][i % 5] = bad;
            refuse(Status::non_finite_input, p, at_bound);
            p = good;
            p.offset[i] = bad;
            refuse(Status::non_finite_input, p, at_bound);
            p = good;
            p.lambda[i] = bad;
            refuse(Status::non_finite_input, p, at_bound);
            p = good;
            p.g[i % 5] = bad;
            refuse(Status::non_finite_input, p, at_bound);
            if (!slides) continue;
            p = good;
            p.column[i][i % 5] = bad;
            refuse(Status::non_finite_input, p, at_bound);
          }
      for (const float bad : {0.0F, -1.0F}) {
        Problem<float> p = good;
        p.lambda[3] = bad;
        refuse(Status::input_out_of_range, p, false);
      }
      for (const int bad : {-1, 1000}) {
        Problem<float> p = good;
        p.rank = bad;
        refuse(Status::index_out_of_range, p, false);
        p = good;
        p.unknowns = bad;
        refuse(Status::index_out_of_range, p, false);
      }
      // What lies beyond the counts is not read.
      Problem<float> p = good;
      p.row[7][0] = p.column[7][0] = p.offset[7] = p.lambda[7] = p.g[5] = p.row[0][5] = p.column[0][5] = nan;
      qp::fill(s);
      TEST_ASSERT_TRUE(ok(solve(form, p, s)));
    }
  }
}

}  // namespace

KINECAST_SUITE(qp_forms, test_random, test_wrong_start, test_examples, test_smallest, test_no_solution, test_bad_input)

}  // namespace unit_qp_forms
