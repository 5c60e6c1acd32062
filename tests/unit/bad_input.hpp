// SPDX-License-Identifier: MIT
// Bad input: every call answers with a Status and leaves every bit of its outputs as it was. Each entry of each argument is
// spoilt in turn, with NaN, infinities and absurdly large numbers.
#pragma once

#include <kinecast/kinecast.hpp>

#include <cstring>
#include <type_traits>

#include "measure.hpp"
#include "robot_checks.hpp"

namespace bad_input {

using kinecast::State;
using kinecast::Status;

template <class T>
[[nodiscard]] inline bool same_bits(const T& a, const T& b) {
  return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof a) == 0;
}

// Whether two lists of constraints without contacts remember the same: the members that every list has.
template <class Memory>
[[nodiscard]] inline bool same_holders(const Memory& a, const Memory& b) {
  if constexpr (std::is_empty_v<Memory>)
    return true;
  else
    return a.holds == b.holds && same_bits(a.arrived, b.arrived);
}

// Whether two snapshots of a predictor without contacts have the same bits. Between its members a snapshot has padding, which
// some compilers do not copy.
template <class Snapshot>
[[nodiscard]] inline bool same_snapshot(const Snapshot& a, const Snapshot& b) {
  static_assert(std::is_empty_v<decltype(a.rigidity)>);
  const bool same_memory = std::is_empty_v<decltype(a.memory)> || same_bits(a.memory, b.memory);
  return same_bits(a.q, b.q) && same_bits(a.dq, b.dq) && same_memory && same_holders(a.contacts, b.contacts);
}

// Bytes that no result has.
template <class T>
inline void fill(T& out) {
  std::memset(static_cast<void*>(&out), 0xA5, sizeof out);
}
template <class T>
[[nodiscard]] inline bool is_filled(const T& out) {
  T untouched;
  fill(untouched);
  return same_bits(out, untouched);
}

using checks::assert_status;

// All arguments of all calls.
template <const auto& R, class S>
struct Arguments {
  checks::Pos<R, S> q;
  checks::Vel<R, S> dq;
  checks::Vel<R, S> ddq;
  checks::Vel<R, S> tau;
  kinecast::LinkWrenches<R, S> wrenches;
  S dt;
};
template <const auto& R, class S>
[[nodiscard]] inline Arguments<R, S> good_arguments() noexcept {
  measure::Random random(81);
  checks::Sample<R, S> s;
  checks::draw(random, {}, s);
  Arguments<R, S> a;
  a.q = s.q, a.dq = s.dq, a.ddq = s.ddq, a.tau = s.tau;
  a.wrenches.setConstant(S(0.5));
  a.dt = S(1e-3);
  return a;
}

// Which arguments a call has; it must refuse the bad one, and only calls that have it may.
enum Argument : unsigned { q = 1, dq = 2, ddq = 4, tau = 8, wrenches = 16, dt = 32 };

template <const auto& R, class S>
class Calls {
 public:
  // Every call that takes the spoilt argument returns `expected` and touches nothing; the others succeed.
  [[gnu::noinline]] void expect(Status expected, Argument spoilt, const Arguments<R, S>& a, const char* what) {
    const auto& model = kinecast::model<R, S>;
    kinecast::Workspace<R, S>& work = checks::workspace<R, S>();
    const auto judge = [&](unsigned takes, Status status, bool untouched) {
      const bool refuses = expected != Status::ok && (takes & spoilt) != 0;
      assert_status(refuses ? expected : Status::ok, status, what);
      TEST_ASSERT_TRUE_MESSAGE(untouched == refuses, what);
    };
    fill(vector_);
    Status status = kinecast::forward_dynamics(model, a.q, a.dq, a.tau, work, vector_);
    judge(q | dq | tau, status, is_filled(vector_));
    fill(vector_);
    status = kinecast::forward_dynamics(model, a.q, a.dq, a.tau, a.wrenches, work, vector_);
    judge(q | dq | tau | wrenches, status, is_filled(vector_));
    fill(vector_);
    status = kinecast::inverse_dynamics(model, a.q, a.dq, a.ddq, work, vector_);
    judge(q | dq | ddq, status, is_filled(vector_));
    fill(vector_);
    status = kinecast::inverse_dynamics(model, a.q, a.dq, a.ddq, a.wrenches, work, vector_);
    judge(q | dq | ddq | wrenches, status, is_filled(vector_));
    fill(vector_);
    status = kinecast::gravity_torque(model, a.q, work, vector_);
    judge(q, status, is_filled(vector_));
    fill(vector_);
    status = kinecast::bias_torque(model, a.q, a.dq, work, vector_);
    judge(q | dq, status, is_filled(vector_));
    fill(matrix_);
    status = kinecast::mass_matrix(model, a.q, work, matrix_);
    judge(q, status, is_filled(matrix_));

    const State<R, S> before{a.q, a.dq};
    State<R, S> state = before;
    const auto same = [&] { return same_bits(before, state); };
    status = kinecast::step_symplectic(model, a.tau, a.dt, work, state);
    judge(q | dq | tau | dt, status, same());
    state = before;
    status = kinecast::step_gill(model, a.tau, a.dt, work, state);
    judge(q | dq | tau | dt, status, same());
    static kinecast::Kinematics<R, S> k;
    judge(q | dq, kinecast::update_kinematics(model, a.q, a.dq, k), (spoilt & (q | dq)) != 0 && expected != Status::ok);
  }

 private:
  checks::Vel<R, S> vector_;
  kinecast::JointMatrix<R, S> matrix_;
};

template <const auto& R, class S>
[[gnu::noinline]] void check_every_entry(const char* name) {
  static Calls<R, S> calls;
  const Arguments<R, S> good = good_arguments<R, S>();
  calls.expect(Status::ok, Argument::q, good, name);
  using Limits = std::numeric_limits<S>;
  struct Case {
    S value;
    Status status;
  };
  const Case cases[] = {{Limits::quiet_NaN(), Status::non_finite_input}, {Limits::infinity(), Status::non_finite_input},
                        {-Limits::infinity(), Status::non_finite_input}, {Limits::max(), Status::input_out_of_range},
                        {-Limits::max(), Status::input_out_of_range},    {S(1e30), Status::input_out_of_range}};
  for (const Case& bad : cases) {
    for (int i = 0; i < good.q.size(); ++i) {
      Arguments<R, S> a = good;
      a.q[i] = bad.value;
      calls.expect(bad.status, Argument::q, a, name);
    }
    for (int i = 0; i < good.dq.size(); ++i) {
      Arguments<R, S> a = good;
      a.dq[i] = bad.value;
      calls.expect(bad.status, Argument::dq, a, name);
      a = good;
      a.ddq[i] = bad.value;
      calls.expect(bad.status, Argument::ddq, a, name);
      a = good;
      a.tau[i] = bad.value;
      calls.expect(bad.status, Argument::tau, a, name);
    }
    // Also on a link that is welded to the world.
    for (int i = 0; i < R.kLinks; ++i) {
      for (int k = 0; k < 6; ++k) {
        Arguments<R, S> a = good;
        a.wrenches(k, i) = bad.value;
        calls.expect(bad.status, Argument::wrenches, a, name);
      }
    }
  }
  // Two infinities of opposite sign, or two huge numbers, must not cancel.
  Arguments<R, S> a = good;
  a.dq[0] = Limits::infinity(), a.dq[a.dq.size() - 1] = -Limits::infinity();
  calls.expect(Status::non_finite_input, Argument::dq, a, name);
  a = good;
  a.tau[0] = Limits::max(), a.tau[a.tau.size() - 1] = -Limits::max();
  calls.expect(Status::input_out_of_range, Argument::tau, a, name);
  for (const S step : {S(0), -S(0), S(-1e-3), Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    a = good;
    a.dt = step;
    calls.expect(Status::bad_time_step, Argument::dt, a, name);
  }
}
}  // namespace bad_input
