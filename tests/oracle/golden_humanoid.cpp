// SPDX-License-Identifier: MIT
// A humanoid of 26 degrees of freedom on the eight corners of its soles, held by PD control, against an independent implementation:
// relaxed and fused contact while it stands (golden/b_humanoid_*), and the spring-damper under it when it is dropped
// (golden/e_drop_prop_1ms; method 3). For relaxation from 0.01 to 7: how deep it sinks, and how its forces are spread.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden_robots.hpp"
#include "golden_table.hpp"
#include "memoryless.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/require.hpp"

namespace {

using kinecast::Contacts;
using kinecast::DamperLimit;
using kinecast::Functional;
using kinecast::Fused;
using kinecast::material;
using kinecast::Material;
using kinecast::Penalty;
using kinecast::PenaltyDamper;
using oracle::GoldenTable;
using support::kNone;
using support::require;

constexpr double kDegree = kinecast::constant::kPi / 180;
constexpr double kMembraneSlip = 0.4 * 9.80665 * 1e-3;  // eps = mu_K g dt

// The golden robot with the headers' reflected inertias, and the lower corners of its soles. The soles are boxes about their link
// frames; their inertias say of which size: 0.1 x 0.06 x 0.006 m.
constexpr auto make_standing() {
  constexpr int kLinks = golden::humanoid20.kLinks;
  kinecast::Robot<kLinks, 8> robot{};
  robot.name = "humanoid20";
  robot.gravity_mps2 = golden::humanoid20.gravity_mps2;
  robot.links = golden::humanoid20.links;
  for (kinecast::Link& l : robot.links) {
    if (l.joint == kinecast::JointKind::revolute) l.drive.at_joint.rotor_inertia_kgm2 = 0.005;
    if (l.joint == kinecast::JointKind::prismatic) l.drive.at_joint.rotor_inertia_kgm2 = 0.2;
  }
  for (int i = 0; i < 8; ++i) {
    kinecast::ContactPoint& p = robot.points[static_cast<std::size_t>(i)];
    p.link_name = i < 4 ? "soleL" : "soleR";
    for (int l = 0; l < kLinks; ++l)
      if (robot.link(l).name == p.link_name) p.link = l;
    p.position_m = {(i & 2) != 0 ? 0.05 : -0.05, (i & 1) != 0 ? 0.03 : -0.03, -0.003};
  }
  return robot;
}
inline constexpr auto kStanding = make_standing();
using Shape = kinecast::Shape<kStanding>;

inline constexpr auto kGround = kinecast::environment(kinecast::half_space("ground"));

// A link's joint among the degrees of freedom; -1: fixed.
int dof_of(int link) {
  const int body = Shape::body_of_link(link);
  return kStanding.link(link).joint == kinecast::JointKind::fixed ? -1 : Shape::v_of(body);
}

// The posture of the headers, the lowest corner at `height`.
template <class S>
kinecast::State<kStanding, S> stand(double pitch, double height) {
  auto state = kinecast::zero_state<kStanding, double>();
  state.q[3] = std::cos(pitch / 2);
  state.q[5] = std::sin(pitch / 2);
  for (int l = 0; l < kStanding.kLinks; ++l) {
    const std::string name(kStanding.link(l).name.substr(0, kStanding.link(l).name.size() - 1));
    const double angle = name == "hip_p" || name == "ank_p" ? -25 : name == "knee" ? 50 : name == "elb" ? -30 : 0;
    const double q = name == "tel" ? 0.01 : angle * kDegree;
    if (dof_of(l) >= 6) state.q[dof_of(l) + 1] = q;
  }
  kinecast::Kinematics<kStanding, double> k;
  require(update_kinematics(kinecast::model<kStanding, double>, state.q, k), "update_kinematics");
  double lowest = 1;
  for (const auto& p : kinecast::model<kStanding, double>.points) lowest = std::min(lowest, point_position(k, p)[2]);
  state.q[2] = height - lowest;
  auto out = kinecast::zero_state<kStanding, S>();
  out.q = state.q.cast<S>();
  return out;
}

template <class S>
kinecast::Command<kStanding, S> hold(const kinecast::State<kStanding, S>& now,
                                     const kinecast::State<kStanding, S>& desired) {
  auto torque = kinecast::Command<kStanding, S>::Zero().eval();
  for (int l = 0; l < kStanding.kLinks; ++l) {
    const int v = dof_of(l);
    if (v < 6) continue;
    const bool slides = kStanding.link(l).joint == kinecast::JointKind::prismatic;
    torque[v] = -(slides ? S(2000) : S(30)) * (now.q[v + 1] - desired.q[v + 1]) - (slides ? S(20) : S(0.5)) * now.dq[v];
  }
  return torque;
}

// One step.
struct Sample {
  std::array<double, 7> base{};  // position and quaternion at its end
  std::array<double, 8> force_N{};
  std::array<double, 8> depth_m{};  // when it begins
  int contacts{};
};

template <class S, class Model>
std::vector<Sample> run(const Material& m, const kinecast::ContactParameters<S>& parameters,
                        const kinecast::State<kStanding, S>& start, std::size_t steps, bool is_memoryless) {
  using Predictor = kinecast::Predictor<kStanding, S, Contacts<kGround, 8, Model>>;
  const auto scene = std::make_unique<kinecast::Scene<kStanding, kGround, S>>();
  require(build_scene(kStanding, kinecast::environment(kinecast::half_space("ground", m)), *scene), "build_scene");
  const auto predictor = std::make_unique<Predictor>();
  predictor->set_scene(*scene);
  require(predictor->set_contact_parameters(parameters), "set_contact_parameters");
  require(predictor->reset(start), "reset");
  std::vector<Sample> samples(steps);
  for (Sample& s : samples) {
    if (is_memoryless) require(oracle::forget<kStanding>(*predictor, static_cast<S>(kMembraneSlip)), "forget");
    require(predictor->step(hold(predictor->state(), start), S(1e-3)), "the humanoid's step");
    for (std::size_t i = 0; i < 7; ++i) s.base[i] = static_cast<double>(predictor->state().q[static_cast<int>(i)]);
    const auto& report = predictor->contact_report();
    s.contacts = report.count;
    for (int i = 0; i < report.count; ++i) {
      s.force_N[static_cast<std::size_t>(report[i].pair.point)] = static_cast<double>(report[i].normal_N);
      s.depth_m[static_cast<std::size_t>(report[i].pair.point)] = static_cast<double>(report[i].depth_m);
    }
  }
  return samples;
}

// ---- standing -----------------------------------------------------------------------------------------------------------------

using Papers =
    kinecast::Relaxed<Functional::velocity, kinecast::ContactRows::touching, kinecast::FrictionRule::resolved_by_state>;

constexpr std::size_t kStandingSteps = 3000;
// Of corners at z = 0 it is rounding's choice whether they touch. In the golden run none did in the first step: so they hover, by
// less than its digits, or by what float can tell at the height of the base.
template <class S>
constexpr double kHover = sizeof(S) == sizeof(double) ? 1e-13 : 1e-7;
// The spacing of float at the height of the base, 0.25 m.
constexpr double kFloatSpacing_mm = 3e-5;

template <class S, class Model = Papers>
std::vector<Sample> run_relaxed(double lambda) {
  return run<S, Model>(
      material(kinecast::friction(1, 0.4), kinecast::compensation(100), kinecast::absolute_relaxation(lambda)),
      {S(100), S(1e-3), S(100)}, stand<S>(0, kHover<S>), kStandingSteps, false);
}
std::vector<Sample> run_fused(double lambda) {
  return run<double, Fused<Functional::velocity, DamperLimit::none>>(
      material(kinecast::friction(1, 0.4), kinecast::compensation(100), kinecast::absolute_relaxation(lambda),
               kinecast::spring(5512), kinecast::damper(158), kinecast::membrane(0.5e-3)),
      {0, kMembraneSlip, 100}, stand<double>(0, kHover<double>), kStandingSteps, true);
}

// Every tenth step is in the file.
void score_standing(const std::string& path, const char* name, const char* scalar, const std::vector<Sample>& ours,
                    double bound_m, double bound_N, support::Report& report) {
  const GoldenTable truth = oracle::read_table(path);
  const std::size_t base = truth.block("bx", "qz", 7);
  const std::size_t f = truth.block("f0", "f7", 8);
  const std::size_t d = truth.block("d0", "d7", 8);
  if (truth.rows.size() != kStandingSteps / 10) throw std::runtime_error(path + ": not 3 s");
  support::Maximum position;
  support::Maximum depth;
  support::Maximum force;
  for (std::size_t n = 0; n < truth.rows.size(); ++n) {
    const Sample& s = ours[10 * n + 9];
    for (std::size_t i = 0; i < 7; ++i) position.see(std::abs(s.base[i] - truth.rows[n][base + i]));
    for (std::size_t i = 0; i < 8; ++i) {
      force.see(std::abs(s.force_N[i] - truth.rows[n][f + i]));
      depth.see(std::abs(s.depth_m[i] - truth.rows[n][d + i]));
    }
  }
  report.add({"golden", "humanoid_base", name, scalar, position.value(), bound_m, "m, quaternion"});
  report.add({"golden", "humanoid_depth", name, scalar, depth.value(), bound_m, "m"});
  report.add({"golden", "humanoid_force", name, scalar, force.value(), bound_N, "N"});
}

// How the load is spread over the eight corners, and how it changes.
struct Spread {
  double depth_mm;  // the deepest corner at the end
  double in_space;  // standard deviation of the eight forces over their mean, at the end
  double in_time;   // mean |change of f_n per ms| over mean f_n, all corners, all steps
  double peak;      // the largest force of a corner over the mean load, over all steps
};
Spread find_spread(const std::vector<Sample>& samples) {
  double changes = 0;
  double sum = 0;
  double peak = 0;
  for (std::size_t n = 1; n < samples.size(); ++n)
    for (std::size_t i = 0; i < 8; ++i) {
      changes += std::abs(samples[n].force_N[i] - samples[n - 1].force_N[i]);
      sum += samples[n].force_N[i];
      peak = std::max(peak, samples[n].force_N[i]);
    }
  const Sample& last = samples.back();
  double mean = 0;
  for (const double f : last.force_N) mean += f / 8;
  double square = 0;
  for (const double f : last.force_N) square += (f - mean) * (f - mean) / 8;
  return {1e3 * *std::max_element(last.depth_m.begin(), last.depth_m.end()), std::sqrt(square) / mean, changes / sum,
          peak / mean};
}

void score_standing(const std::string& folder, support::Report& report) {
  // The same method in the same precision: what the files print (ten digits), and k/dt of it on a tenth of a kilogram.
  constexpr double kLength = 1e-8;
  constexpr double kForce = 1e-3;
  score_standing(folder + "/b_humanoid_relaxed_k100_lam0p1.csv", "relaxed_0.1", "double", run_relaxed<double>(0.1),
                 kLength, kForce, report);
  score_standing(folder + "/b_humanoid_relaxed_k100_lam4.csv", "relaxed_4", "double", run_relaxed<double>(4), kLength,
                 kForce, report);
  score_standing(folder + "/b_humanoid_fused_fix_k100_lam1.csv", "fused_1", "double", run_fused(1), kLength, kForce,
                 report);
  score_standing(folder + "/b_humanoid_relaxed_k100_lam4.csv", "relaxed_4", "float", run_relaxed<float>(4), kNone,
                 kNone, report);

  // The depths of golden/README.md, half of their last digit.
  struct Known {
    double lambda;
    double depth_mm;
    double half_digit_mm;
  };
  constexpr std::array<Known, 5> kDepths{
      {{0.01, 0.0004, 0.00005}, {0.1, 0.004, 0.0005}, {1, 0.037, 0.0005}, {4, 0.15, 0.005}, {7, 0.26, 0.005}}};
  for (const bool is_float : {false, true}) {
    const char* const scalar = is_float ? "float" : "double";
    std::vector<Spread> spreads;
    for (const Known& known : kDepths) {
      const auto samples = is_float ? run_relaxed<float>(known.lambda) : run_relaxed<double>(known.lambda);
      const Spread s = find_spread(samples);
      spreads.push_back(s);
      char name[32];
      std::snprintf(name, sizeof name, "relaxed_%g", known.lambda);
      report.add({"golden", "humanoid_sinks", name, scalar, std::abs(s.depth_mm - known.depth_mm),
                  known.half_digit_mm + (is_float ? kFloatSpacing_mm : 0), "mm", known.depth_mm});
      report.add({"golden", "humanoid_unevenness", name, scalar, s.in_space, kNone, "deviation / mean"});
      report.add({"golden", "humanoid_restlessness", name, scalar, s.in_time, kNone, "index"});
      report.add({"golden", "humanoid_peak", name, scalar, s.peak, kNone, "force / mean"});
    }
    // From 0.01 to 4 the forces become smoother in space and time. One per cent is left for the posture, which is another one.
    support::Maximum in_space;
    support::Maximum in_time;
    for (std::size_t i = 1; i < 4; ++i) {
      in_space.see(spreads[i].in_space / spreads[i - 1].in_space - 1);
      in_time.see(spreads[i].in_time / spreads[i - 1].in_time - 1);
    }
    report.add({"golden", "humanoid_rougher_in_space", "relaxed", scalar, in_space.value(), 0.01, "growth"});
    report.add({"golden", "humanoid_rougher_in_time", "relaxed", scalar, in_time.value(), 0.01, "growth"});
  }
}

// ---- dropped on springs and dampers -------------------------------------------------------------------------------------------

void score_drop(const std::string& path, support::Report& report) {
  const GoldenTable truth = oracle::read_table(path);
  const std::size_t base = truth.block("base_x", "base_z", 3);
  const std::size_t load = truth.block("sum_fn", "sum_fn", 1);
  const std::size_t contacts = truth.block("ncontact", "ncontact", 1);
  // The file has twenty points; only the soles' eight ever touch.
  for (const auto& row : truth.rows)
    if (row[contacts] > 8) throw std::runtime_error(path + ": other points than the soles' touch");
  const auto ours = run<double, Penalty<PenaltyDamper::time_step, DamperLimit::none>>(
      material(kinecast::friction(0.4), kinecast::spring(4410), kinecast::damper(282)), {0, 1e-6, 100},
      stand<double>(2 * kDegree, 0.05), truth.rows.size(), false);
  support::Maximum early;
  support::Maximum position;
  double peak = 0;
  double true_peak = 0;
  double mean = 0;
  double true_mean = 0;
  for (std::size_t n = 0; n < truth.rows.size(); ++n) {
    double sum = 0;
    for (const double f : ours[n].force_N) sum += f;
    for (std::size_t i = 0; i < 3; ++i) {
      const double error = std::abs(ours[n].base[i] - truth.rows[n][base + i]);
      if (n < 300) early.see(error);
      position.see(error);
    }
    peak = std::max(peak, sum);
    true_peak = std::max(true_peak, truth.rows[n][load]);
    if (n >= 1000) mean += sum, true_mean += truth.rows[n][load];
  }
  // Fall, impact and the first rocking, to the file's ten digits. Later points come to rest, where this friction knows only the
  // sign of a slip of 1e-6 m/s: rounding decides it, and the runs part.
  report.add({"golden", "humanoid_drop_0.3s", "penalty", "double", early.value(), 1e-9, "m"});
  report.add({"golden", "humanoid_drop_peak", "penalty", "double", std::abs(peak / true_peak - 1), 1e-8});
  report.add({"golden", "humanoid_drop_1.5s", "penalty", "double", position.value(), kNone, "m"});
  report.add({"golden", "humanoid_drop_load", "penalty", "double", std::abs(mean / true_mean - 1), kNone});
}

void measure(support::Report& report) {
  const std::string folder = KINECAST_GOLDEN_DIR;
  report.attempt([&] { score_standing(folder, report); });
  report.attempt([&] { score_drop(folder + "/e_drop_prop_1ms.csv", report); });
}

}  // namespace

const support::Program support::program{"golden_humanoid", measure};
