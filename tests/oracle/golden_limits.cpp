// SPDX-License-Identifier: MIT
// Joint limits (method 1.6) against an independent implementation: a pendulum at its stop (golden/d_limit_pendulum_e0), and an
// arm whose elbow meets its stop while its tip meets the ground (golden/d_limit_arm_ground_lcp).
//
// What was found in the second file. Method 1.6 asks a joint that comes to its stop for v* = -d/dt, and for the rebound
// max(v*, -e s dq) only if e > 0. The file's run applies that maximum at e = 0 too: the approaching elbow is stopped in the
// step before it arrives, d above the stop, and falls onto it anew. A dense two-link arm with that rule, and with v_rest anywhere
// from 0.25 to 0.5 |ddq0| dt or from 0.015 to 0.03 rad/s (method 1.6 prints 2 |ddq0| dt), repeats all 2000 rows of the file to their
// last digit, below; with method 1.6 as printed it leaves the file by 1.3e-3 rad at the first stop, in 0.157 s. The library follows
// method 1.6. So: file = dense arm with the file's rule; library = dense arm with method 1.6's rule; and between library and file
// what does not depend on the rule: all before the first stop, rest, forces, depth.
#include <kinecast/kinecast.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "golden_table.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;
using oracle::GoldenTable;
using support::kNone;
using support::Maximum;

constexpr double kGravity = 9.80665;
constexpr double kDt = 1e-3;
template <class S>
constexpr bool kIsFloat = sizeof(S) == sizeof(float);

// ---- a pendulum at its stop ---------------------------------------------------------------------------------------------

constexpr double kLength_m = 0.5;
constexpr double kStop_rad = 0.2;
constexpr double kPoint = 1e-14;  // a mass point's own inertia
inline constexpr auto pendulum =
    robot("pendulum", link("rod", revolute({0, -1, 0}), body(1, com(0, 0, -kLength_m), inertia(kPoint, kPoint, kPoint)),
                           limits(kStop_rad, 3)));

// What rounding makes of a fall of so many steps: four roundings of a step's velocity, by a digit each, add up like a walk; the
// angle is off by the way of that, and by its own. The stop's first step asks for v* = -d/dt of that angle. In double the file's
// twelve digits come on top.
struct FallErrors {
  double angle_rad, velocity_radps;
};
template <class S>
FallErrors fall_errors(double steps, double speed_radps, double file_digit) {
  const double digit =
      std::ldexp(1.0, std::ilogb(speed_radps)) * static_cast<double>(std::numeric_limits<S>::epsilon());
  const double speed = 4 * std::sqrt(steps) * digit;
  const double angle = steps * kDt * speed + 4 * std::sqrt(steps) * digit / 4;
  return {angle + file_digit, angle / kDt + 5 * file_digit};
}

template <class S>
void score_pendulum(const std::string& folder, support::Report& report) {
  const GoldenTable table = oracle::read_table(folder + "/d_limit_pendulum_e0.csv");
  const char* scalar = support::scalar_name<S>();
  Predictor<pendulum, S> p;
  State<pendulum, S> start = zero_state<pendulum, S>();
  start.q[0] = S(1);
  if (p.set_row_parameters({S(100), S(1), S(1e-4)}) != Status::ok || p.reset(start) != Status::ok)
    return report.fail("the pendulum does not start");
  Maximum angle, velocity, torque, energy, late_angle, late_velocity, late_torque, violation, rebound;
  bool has_met = false;
  double falls_s = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    if (p.step(Command<pendulum, S>::Zero(), static_cast<S>(kDt)) != Status::ok)
      return report.fail("a step of the pendulum failed");
    const double q = static_cast<double>(p.state().q[0]);
    const double dq = static_cast<double>(p.state().dq[0]);
    const double Nm = static_cast<double>(p.report().limit_Nm[0]);
    angle.see(std::abs(q - row[1]));
    velocity.see(std::abs(dq - row[2]));
    torque.see(std::abs(Nm - row[3]));
    energy.see(std::abs(0.125 * dq * dq + kGravity * kLength_m * (1 - std::cos(q)) - row[4]));
    if (i > 0) {
      const auto& late = table.rows[i - 1];
      late_angle.see(std::abs(late[1] - row[1]));
      late_velocity.see(std::abs(late[2] - row[2]));
      late_torque.see(std::abs(late[3] - row[3]));
    }
    violation.see(kStop_rad - q);
    if (row[3] > 0) has_met = true;
    if (!has_met) falls_s = row[0];
    if (has_met) rebound.see(dq);
  }
  const FallErrors fall = fall_errors<S>(falls_s / kDt, 4.15, 1e-12);
  const auto add = [&](const char* what, double ours, double bound, const char* unit, double null) {
    report.add({"golden", what, "limit_pendulum", scalar, ours, bound, unit, kNone, null});
  };
  add("angle", angle.value(), fall.angle_rad, "rad", late_angle.value());
  add("velocity", velocity.value(), fall.velocity_radps, "rad/s", late_velocity.value());
  // I dv/dt of two such velocities.
  add("torque", torque.value(), 0.25 * 2 * fall.velocity_radps / kDt, "Nm", late_torque.value());
  // I dq ddq + m g l sin q dq, at most at full speed, with the file's own digits of 4 J.
  add("energy", energy.value(), 0.25 * 4.15 * fall.velocity_radps + 5 * fall.angle_rad, "J", 2.2);
  // The bound, and no rebound: what is left is the compensation of that violation, k d.
  add("violation", violation.value(), 1e-5, "rad", kNone);
  add("rebound", rebound.value(), 100 * 1e-6, "rad/s", 4.15);
  // Statics: m g l sin q, at rest to the digits of dq/dt: k d and the relaxed rest of it have died out by then.
  const double weight_Nm = kGravity * kLength_m * std::sin(kStop_rad);
  add("rest torque", std::abs(static_cast<double>(p.report().limit_Nm[0]) / weight_Nm - 1), kIsFloat<S> ? 1e-4 : 1e-5,
      "relative", 1);
}

// ---- an arm between its stop and the ground -----------------------------------------------------------------------------

constexpr double kRod_m = 0.3;
constexpr double kShoulder_m = 0.45;
constexpr double kRodInertia = kRod_m * kRod_m / 12;
constexpr double kElbowStop_rad = 1.2;
constexpr double kViscosity = 0.3;
constexpr double kRate = 100;
constexpr double kRelaxation = 1e-3;
constexpr auto rod() { return body(1, com(0, 0, -kRod_m / 2), inertia(kRodInertia, kRodInertia, 1e-6)); }
inline constexpr auto arm =
    robot("arm", link("upper", at(0, 0, kShoulder_m), revolute({0, -1, 0}), rod()),
          link("fore", on("upper"), at(0, 0, -kRod_m), revolute({0, -1, 0}), rod(), limits(kElbowStop_rad, 3)),
          contact_point("tip", on("fore"), at(0, 0, -kRod_m)));
inline constexpr auto ground =
    environment(half_space("ground", material(friction(0, 0), compensation(kRate), relaxation(kRelaxation))));

struct ArmState {
  Eigen::Vector2d q{0.3, 1.5};
  Eigen::Vector2d dq{0, 0};
  double ground_N{0};
  double stop_Nm{0};
  [[nodiscard]] double height() const { return kShoulder_m - kRod_m * (std::cos(q[0]) + std::cos(q[0] + q[1])); }
};

enum class Approach {
  as_printed,  // v* = -d/dt
  as_filed,    // max(-d/dt, 0) from v_rest on
};

// The same arm, dense: Cartesian Jacobians, Cholesky, and the complementarity problem of two rows by enumeration.
class DenseArm {
 public:
  explicit DenseArm(Approach approach, double rest_factor) : approach_(approach), rest_factor_(rest_factor) {}
  ArmState now;

  void step() {
    const double s1 = kRod_m * std::sin(now.q[0]);
    const double c1 = kRod_m * std::cos(now.q[0]);
    const double s2 = kRod_m * std::sin(now.q[0] + now.q[1]);
    const double c2 = kRod_m * std::cos(now.q[0] + now.q[1]);
    const double w1 = now.dq[0];
    const double w2 = now.dq[0] + now.dq[1];
    Eigen::Matrix2d J1;
    Eigen::Matrix2d J2;
    J1 << c1 / 2, 0, s1 / 2, 0;
    J2 << c1 + c2 / 2, c2 / 2, s1 + s2 / 2, s2 / 2;
    Eigen::Matrix2d H = J1.transpose() * J1 + J2.transpose() * J2;
    H(0, 0) += kRodInertia;
    H.array() += kRodInertia;
    const Eigen::Vector2d elbow = w1 * w1 * Eigen::Vector2d(-s1, c1);
    const Eigen::Vector2d up(0, kGravity);
    const Eigen::Vector2d b =
        J1.transpose() * (elbow / 2 + up) + J2.transpose() * (elbow + w2 * w2 * Eigen::Vector2d(-s2, c2) / 2 + up);
    const Eigen::LLT<Eigen::Matrix2d> factor(H);
    const Eigen::Vector2d ddq = factor.solve(-kViscosity * now.dq - b);
    const Eigen::Vector2d free = now.dq + kDt * ddq;

    // Rows: the stop, the ground. Velocity at the end of the step, velocity products included, less the one asked for.
    const Eigen::Vector2d J[2] = {{0, 1}, {s1 + s2, s2}};
    const double gap[2] = {now.q[1] - kElbowStop_rad, now.height()};
    const double end[2] = {free[1], J[1].dot(free) + kDt * (w1 * w1 * c1 + w2 * w2 * c2)};
    double lack[2];
    bool exists[2];
    Eigen::Matrix2d A;
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) A(i, j) = J[i].dot(factor.solve(J[j]));
      exists[i] = gap[i] + kDt * end[i] < 0;
      double target = gap[i] > 0 ? -gap[i] / kDt : -kRate * gap[i];
      const bool falls = i == 0 && now.dq[1] < -rest_factor_ * std::abs(ddq[1]) * kDt;
      if (approach_ == Approach::as_filed && falls) target = std::max(target, 0.0);
      lack[i] = target - end[i];
    }
    A(0, 0) *= 1 + kRelaxation;
    A(1, 1) *= 1 + kRelaxation;
    const Eigen::Vector2d x = solve(A, lack, exists);
    now.stop_Nm = x[0] / kDt;
    now.ground_N = x[1] / kDt;
    now.dq = free + factor.solve(x[0] * J[0] + x[1] * J[1]);
    now.q += kDt * now.dq;
  }

 private:
  // 0 <= x perp A x - lack >= 0, rows that do not exist taken as x = 0.
  static Eigen::Vector2d solve(const Eigen::Matrix2d& A, const double (&lack)[2], const bool (&exists)[2]) {
    if (exists[0] && exists[1]) {
      const Eigen::Vector2d both = A.inverse() * Eigen::Vector2d(lack[0], lack[1]);
      if (both[0] >= 0 && both[1] >= 0) return both;
    }
    for (int i = 0; i < 2; ++i) {
      const double x = lack[i] / A(i, i);
      if (!exists[i] || x < 0 || (exists[1 - i] && A(i, 1 - i) * x < lack[1 - i])) continue;
      return i == 0 ? Eigen::Vector2d(x, 0) : Eigen::Vector2d(0, x);
    }
    return {0, 0};
  }

  Approach approach_;
  double rest_factor_;
};

// The largest differences of a run's angles, velocities, force and torque.
struct Differences {
  Maximum angle, velocity, force, torque;
  void see(const ArmState& a, const ArmState& b) {
    angle.see((a.q - b.q).cwiseAbs().maxCoeff());
    velocity.see((a.dq - b.dq).cwiseAbs().maxCoeff());
    force.see(std::abs(a.ground_N - b.ground_N));
    torque.see(std::abs(a.stop_Nm - b.stop_Nm));
  }
};
ArmState in_file(const std::vector<double>& row) { return {{row[1], row[2]}, {row[3], row[4]}, row[7], row[8]}; }

// To the file's eleven digits: of 1.2 rad and 2.6 rad/s, of 207 N, which a step's 1e-3 s makes of velocities.
void score_file(const GoldenTable& table, support::Report& report) {
  Differences filed;
  Differences printed;
  DenseArm as_filed(Approach::as_filed, 0.5);
  DenseArm as_printed(Approach::as_printed, 2);
  for (const auto& row : table.rows) {
    as_filed.step(), as_filed.step();
    as_printed.step(), as_printed.step();
    filed.see(as_filed.now, in_file(row));
    printed.see(as_printed.now, in_file(row));
  }
  const auto add = [&](const char* what, const Maximum& ours, double bound, const char* unit, const Maximum& null) {
    report.add({"golden", what, "dense arm", "double", ours.value(), bound, unit, kNone, null.value()});
  };
  add("angles (file's rule)", filed.angle, 2e-10, "rad", printed.angle);
  add("velocities (file's rule)", filed.velocity, 2e-10, "rad/s", printed.velocity);
  add("ground (file's rule)", filed.force, 1e-6, "N", printed.force);
  add("stop (file's rule)", filed.torque, 1e-6, "Nm", printed.torque);
}

// When the arm moves for the last time faster than a thousandth of its first fall.
double rest_time(const std::vector<std::pair<double, double>>& speeds) {
  double last = 0;
  for (const auto& [t, speed] : speeds)
    if (speed > 3e-3) last = t;
  return last;
}

template <class S>
void score_arm(const GoldenTable& table, support::Report& report) {
  const char* scalar = support::scalar_name<S>();
  Predictor<arm, S, Contacts<ground, 1>> p;
  State<arm, S> start = zero_state<arm, S>();
  start.q[0] = S(0.3), start.q[1] = S(1.5);
  if (p.set_row_parameters({static_cast<S>(kRate), S(100), static_cast<S>(kRelaxation)}) != Status::ok ||
      p.set_contact_parameters({S(0), S(1e-3), S(100)}) != Status::ok || p.reset(start) != Status::ok)
    return report.fail("the arm does not start");
  DenseArm dense(Approach::as_printed, 2);
  DenseArm filed(Approach::as_filed, 0.5);
  Differences before, late, all, to_impact, other, way;
  Maximum sink, violation, file_sink;
  std::vector<std::pair<double, double>> ours, theirs;
  bool has_met = false;
  bool has_hit = false;
  ArmState now;
  for (std::size_t i = 0; i < 2 * table.rows.size(); ++i) {
    const Command<arm, S> command = static_cast<S>(-kViscosity) * p.state().dq;
    if (p.step(command, static_cast<S>(kDt)) != Status::ok) return report.fail("a step of the arm failed");
    now.q = p.state().q.template cast<double>();
    now.dq = p.state().dq.template cast<double>();
    now.ground_N = p.contact_report().count > 0 ? static_cast<double>(p.contact_report()[0].normal_N) : 0;
    now.stop_Nm = static_cast<double>(p.report().limit_Nm[1]);
    dense.step();
    filed.step();
    all.see(now, dense.now);
    // Until the tip has met the ground once: from there every bounce multiplies rounding.
    if (dense.now.ground_N > 0) has_hit = true;
    way.see(filed.now, dense.now);
    if (!has_hit) to_impact.see(now, dense.now), other.see(filed.now, dense.now);
    sink.see(-now.height());
    violation.see(kElbowStop_rad - now.q[1]);
    file_sink.see(-filed.now.height());
    if (i % 2 == 0) continue;
    const auto& row = table.rows[i / 2];
    if (filed.now.stop_Nm > 0 || now.stop_Nm > 0 || row[6] < 1.2e-3) has_met = true;
    if (!has_met && i > 2) {
      before.see(now, in_file(row));
      late.see(in_file(table.rows[i / 2 - 1]), in_file(row));
    }
    ours.emplace_back(row[0], now.dq.cwiseAbs().maxCoeff());
    theirs.emplace_back(row[0], in_file(row).dq.cwiseAbs().maxCoeff());
  }
  const auto add = [&](const char* what, double value, double bound, const char* unit, double null = kNone,
                       double file = kNone) {
    report.add({"golden", what, "limit_arm", scalar, value, bound, unit, file, null});
  };
  const FallErrors fall = fall_errors<S>(156, 3.3, 1e-10);
  add("angles before the stop", before.angle.value(), fall.angle_rad, "rad", late.angle.value());
  add("velocities before it", before.velocity.value(), fall.velocity_radps, "rad/s", late.velocity.value());
  // Against the dense arm with method 1.6's rule; the null is the same arm with the file's. To the ground the elbow leans on its stop
  // for 140 steps more.
  const FallErrors lean = fall_errors<S>(300, 3.3, 0);  // of each of the two
  add("angles to the ground", to_impact.angle.value(), 8 * lean.angle_rad, "rad", other.angle.value());
  add("velocities to the ground", to_impact.velocity.value(), 2 * lean.velocity_radps, "rad/s", other.velocity.value());
  // From there on every bounce multiplies a difference, some tenfold in double: 1e-9 rad, velocities 1/dt of that by -d/dt, and
  // forces 1/dt of these, for 1 kg. In float the bounces do not begin in the same steps: printed.
  add("angles (whole run)", all.angle.value(), kIsFloat<S> ? kNone : 1e-9, "rad",
      kIsFloat<S> ? kNone : way.angle.value());
  add("velocities (whole run)", all.velocity.value(), kIsFloat<S> ? kNone : 1e-6, "rad/s",
      kIsFloat<S> ? kNone : way.velocity.value());
  add("ground (whole run)", all.force.value(), kIsFloat<S> ? kNone : 1e-3, "N",
      kIsFloat<S> ? kNone : way.force.value());
  add("stop (whole run)", all.torque.value(), kIsFloat<S> ? kNone : 1e-3, "Nm",
      kIsFloat<S> ? kNone : way.torque.value());
  // The bound; the figure of method 1.6 beside it, which the ground's velocity products make: the file's own.
  add("tip below the ground", sink.value(), 5e-5, "m", 2.28e-3, file_sink.value());
  add("tip below the ground (method 1.6)", sink.value(), 1.15e-5, "m", 2.28e-3, file_sink.value());
  add("elbow beyond its stop", violation.value(), 1e-5, "rad");
  // At rest all rules are alike: angles differ by the depths, forces by rounding.
  const ArmState last = in_file(table.rows.back());
  add("angles at rest", (now.q - last.q).cwiseAbs().maxCoeff(), kIsFloat<S> ? 5e-7 : 1e-9, "rad", 1e-6);
  add("ground at rest", std::abs(now.ground_N / last.ground_N - 1), kIsFloat<S> ? 1e-4 : 1e-8, "relative", 1);
  add("stop at rest", std::abs(now.stop_Nm / last.stop_Nm - 1), kIsFloat<S> ? 1e-4 : 1e-8, "relative", 1);
  // A bounce of the tip begins where the elbow left its stop, which the rule changes: within a tenth.
  add("time to rest", std::abs(rest_time(ours) / rest_time(theirs) - 1), 0.1, "relative", 1);
}

void measure(support::Report& report) {
  const std::string folder = KINECAST_GOLDEN_DIR;
  score_pendulum<double>(folder, report);
  score_pendulum<float>(folder, report);
  const GoldenTable table = oracle::read_table(folder + "/d_limit_arm_ground_lcp.csv");
  score_file(table, report);
  score_arm<double>(table, report);
  score_arm<float>(table, report);
}

}  // namespace

const support::Program support::program{"golden_limits", measure};
