// SPDX-License-Identifier: MIT
// Volume contact (method 6) against an independent implementation: the cube of S004 resting, sliding, pushed, half over a
// table's edge, dropped on an edge (golden/f_cube_*), and the six-axis problem (f_qp6_*); and against what is known of
// a cube without anybody's program (volume_truths.hpp).
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden_table.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "volume_cube.hpp"
#include "volume_qp6.hpp"
#include "volume_truths.hpp"

namespace {

using oracle::GoldenTable;
using support::kNone;
using support::Maximum;
using namespace volume;

// Columns: t, x y z, qw qx qy qz, vx vy vz, wx wy wz, Fx Fy Fz, Tx Ty Tz, state (0 sticks, 1 slides, -1 no contact),
// corners.
struct Row {
  Eigen::Vector3d position, linear, angular, force, moment;
  Eigen::Quaterniond turn;
  int state;

  explicit Row(const std::vector<double>& r)
      : position(r[1], r[2], r[3]),
        linear(r[8], r[9], r[10]),
        angular(r[11], r[12], r[13]),
        force(r[14], r[15], r[16]),
        moment(r[17], r[18], r[19]),
        turn(r[4], r[5], r[6], r[7]),
        state(static_cast<int>(r[20])) {}
};

// The largest differences of two runs, each of a quantity's whole vector.
struct Differences {
  Maximum position_m, turn_rad, linear_mps, angular_radps, force_N, moment_Nm;
  int states{0};

  void see(const Row& ours, const Row& truth) {
    position_m.see((ours.position - truth.position).norm());
    turn_rad.see(ours.turn.angularDistance(truth.turn));
    linear_mps.see((ours.linear - truth.linear).norm());
    angular_radps.see((ours.angular - truth.angular).norm());
    force_N.see((ours.force - truth.force).norm());
    moment_Nm.see((ours.moment - truth.moment).norm());
    // A contact that carries nothing neither sticks nor slides.
    if (truth.force.z() > 0 && ours.state != truth.state) ++states;
  }
};

// What a run may differ by.
struct Bounds {
  double position_m, turn_rad, linear_mps, angular_radps, force_N;
  double moment_Nm;  // none: not compared
};

// The last digit of a number.
template <class S>
[[nodiscard]] double digit_of(double x) {
  return std::ldexp(1.0, std::ilogb(x) + 1 - std::numeric_limits<S>::digits);
}

// Depth is a difference of coordinates, good to one digit d of them. A step makes velocities k d and k d/(w/2) of it
// across a contact of width w, and the force m k d/dt of a body that follows. Way and speed are sums of steps, each of
// which rounds by half a digit.
struct Conditions {
  double coordinate_m;      // whose digit it is: ours; in double the other implementation's, which is larger
  double width_m;           // of the contact
  int steps;                // in motion
  double way_m, speed_mps;  // the largest, or 0
};
template <class S>
[[nodiscard]] Bounds bounds_of(const Conditions& c) {
  constexpr double kRate = 1000;
  const double digit = digit_of<S>(c.coordinate_m);
  const double way = c.way_m > 0 ? 0.5 * c.steps * digit_of<S>(c.way_m) : 0;
  const double speed = c.speed_mps > 0 ? 0.5 * c.steps * digit_of<S>(c.speed_mps) : 0;
  const double lever = std::max(1.0, kSide_m / c.width_m);
  Bounds b{digit + way + speed * c.steps * kStep_s,
           digit / (c.width_m / 2),
           kRate * digit * lever + speed,
           kRate * digit / (c.width_m / 2),
           kMass_kg * kRate * digit / kStep_s * lever,
           kNone};
  if (sizeof(S) == sizeof(double)) {
    // The file has eleven digits: of 0.28 m, of radians that are printed as a quaternion, of 1.1 m/s, 4.8 rad/s, 5 N.
    // Moments belong to the volume's centroid, which moves by w d/12 over the depth of 4e-8 m; in float by millimetres,
    // and the file does not say where it is.
    b.position_m += 1e-11, b.turn_rad += 1e-12, b.linear_mps += 1e-10, b.angular_radps += 1e-10, b.force_N += 1e-10;
    b.force_N *= 4;  // the other one's digits and ours, in depth and slope
    b.moment_Nm = b.force_N + 4 * kWeight_N * c.width_m * digit / 4e-8;
  }
  return b;
}

template <class S, const auto& World>
Row now(const Rig<S, World, Golden>& rig) {
  Row row(std::vector<double>(22));
  row.position = rig.position(), row.turn = rig.turn(), row.linear = rig.linear(), row.angular = rig.angular();
  row.force = rig.force(), row.moment = rig.moment();
  row.state = !rig.touches() ? -1 : rig.slides() ? 1 : 0;
  return row;
}

// Where the golden runs start: 1e-8 m deep.
Start golden_start(double x_m) {
  Start start;
  start.position = {x_m, 0, kSide_m / 2 - 1e-8};
  return start;
}

// A golden run with a push at the centre of the bottom face from 0.1 s on. The null is the golden run itself, a step
// late.
template <class S, const auto& World>
void score_run(const std::string& folder, const std::string& name, const Start& start, double push_N, int steps,
               const Bounds& bounds, support::Report& report) {
  const GoldenTable table = oracle::read_table(folder + "/f_cube_" + name + ".csv");
  if (table.columns.size() != 22) throw std::runtime_error(table.file + ": other columns");
  Rig<S, World, Golden> rig(kGoldenMaterial, golden_parameters<S>());
  rig.start(start);
  Differences ours;
  Differences late;
  const int last = steps > 0 ? steps : static_cast<int>(table.rows.size());
  for (int i = 0; i < last; ++i) {
    const bool is_pushed = push_N > 0 && i >= 100;
    rig.step({is_pushed ? push_N : 0, 0, 0}, {0, 0, -kSide_m / 2});
    const Row truth(table.rows[static_cast<std::size_t>(i)]);
    ours.see(now(rig), truth);
    if (i > 0) late.see(Row(table.rows[static_cast<std::size_t>(i - 1)]), truth);
  }
  const char* scalar = support::scalar_name<S>();
  const auto add = [&](const char* what, const Maximum& a, const Maximum& null, double bound, const char* unit) {
    // Where nothing of the kind happens, or not enough for float, being late is no null.
    const bool fails = null.value() > bound;
    report.add({"golden", std::string("cube ") + what, name, scalar, a.value(), bound, unit, kNone,
                fails ? null.value() : kNone},
               fails ? "" : "no null: a step late is within it");
  };
  add("position", ours.position_m, late.position_m, bounds.position_m, "m");
  add("turn", ours.turn_rad, late.turn_rad, bounds.turn_rad, "rad");
  add("velocity", ours.linear_mps, late.linear_mps, bounds.linear_mps, "m/s");
  add("turning", ours.angular_radps, late.angular_radps, bounds.angular_radps, "rad/s");
  add("force", ours.force_N, late.force_N, bounds.force_N, "N");
  if (!std::isnan(bounds.moment_Nm)) add("moment", ours.moment_Nm, late.moment_Nm, bounds.moment_Nm, "Nm");
  report.add({"golden", "cube sticks or slides", name, scalar, double(ours.states), 0, "steps that differ"});
  if (rig.warnings() > 0) report.fail(name + ' ' + scalar + ": the solver warned");
}

template <class S>
void score_runs(const std::string& folder, support::Report& report) {
  // Ours are in the frame of what is touched: 0.05 m above the floor, 0.2 m above the middle of the table. Theirs:
  // metres.
  constexpr bool kIsDouble = sizeof(S) == sizeof(double);
  const double over_floor = kIsDouble ? 1 : kSide_m / 2;
  const double over_table = kIsDouble ? 10 : 0.2;
  const auto resting = bounds_of<S>({over_floor, kSide_m, 0, 0, 0});
  Start start = golden_start(0);
  score_run<S, kFloor>(folder, "rest", start, 0, 0, resting, report);
  score_run<S, kFloor>(folder, "push_2p2", start, 2.2, 0, resting, report);
  score_run<S, kFloor>(folder, "push_2p6", start, 2.6, 0, bounds_of<S>({over_floor, kSide_m, 500, 0.29, 1.14}), report);
  start.linear.x() = 1;
  score_run<S, kFloor>(folder, "slide", start, 0, 0, bounds_of<S>({over_floor, kSide_m, 340, 0.17, 1}), report);
  score_run<S, kTable>(folder, "table_m1", golden_start(-1e-3), 0, 0,
                       bounds_of<S>({over_table, kSide_m / 2, 350, 1e-3, 0}), report);
}

// ---- tipping over a table's edge ------------------------------------------------------------------------------------

// A rigid cube that turns about the edge without slipping, its centre `beyond` it, by the same integrator: I_edge w' =
// m g r sin.
double tip_rad(double beyond_m, int steps) {
  const double h = kSide_m / 2;
  const double r = std::hypot(beyond_m, h);
  const double inertia = kInertia_kgm2 + kMass_kg * r * r;
  double angle = 0;
  double rate = 0;
  for (int i = 0; i < steps; ++i) {
    rate += kStep_s * kWeight_N * r * std::sin(std::atan2(beyond_m, h) + angle) / inertia;
    angle += kStep_s * rate;
  }
  return angle;
}

// The contact shrinks to a strip, whose slope the pseudo-inverse of method 6.3b cuts off below a width; golden and
// library cut at different ones. In double they agree to their digits until then, 40 ms, when the strip is 16 um wide.
// Behind it the pressure is within the strip, so that the lever of the weight, from 1 mm on, is known but for half a
// width of the cut (Tolerance::kPatchWidth: 16 um, in float 160 um), and the angle with it. The rigid cube's angle has
// the golden cube's own difference beside ours.
template <class S>
void score_tip(const std::string& folder, support::Report& report) {
  const char* scalar = support::scalar_name<S>();
  const GoldenTable table = oracle::read_table(folder + "/f_cube_table_p1.csv");
  constexpr int kSteps = 100;
  constexpr int kWide = 40;
  if constexpr (sizeof(S) == sizeof(double))
    score_run<S, kTable>(folder, "table_p1", golden_start(1e-3), 0, kWide, bounds_of<S>({10, 16e-6, kWide, 1e-3, 0}),
                         report);
  Rig<S, kTable, Golden> rig(kGoldenMaterial, golden_parameters<S>());
  rig.start(golden_start(1e-3));
  const double bound = sizeof(S) == sizeof(double) ? 8e-3 : 8e-2;
  const auto add = [&](const char* what, double truth, double theirs) {
    report.add(
        {"golden", what, "table_p1", scalar, std::abs(rig.tilt_rad() / truth - 1), bound, "relative", theirs, 1});
  };
  const auto turned = [&](std::size_t row) {
    return Row(table.rows[row]).turn.angularDistance(Eigen::Quaterniond::Identity());
  };
  for (int i = 0; i < kSteps; ++i) rig.step();
  add("tip after 0.1 s", turned(kSteps - 1), kNone);
  add("tip after 0.1 s, rigid", tip_rad(1e-3, kSteps), std::abs(turned(kSteps - 1) / tip_rad(1e-3, kSteps) - 1));
  const int all = static_cast<int>(table.rows.size());
  for (int i = kSteps; i < all; ++i) rig.step();
  const double rigid = tip_rad(1e-3, all);
  report.add({"golden", "it tips: after 0.35 s", "table_p1", scalar, std::abs(rig.tilt_rad() / rigid - 1), 5e-2,
              "relative", std::abs(turned(table.rows.size() - 1) / rigid - 1), 1});
}

// ---- dropped on an edge ---------------------------------------------------------------------------------------------

// To the first impact, and its impulse, to the digits printed (in float: the depth of the impact, 0.4 mm, is known to
// 3.7e-9 m, a hundred-thousandth). From there to rest the cube rolls over an edge and bounces, which multiplies every
// difference: it lies flat where the golden cube lies, to a hundredth of the way that it went.
template <class S>
void score_drop(const std::string& folder, support::Report& report) {
  constexpr bool kIsFloat = sizeof(S) == sizeof(float);
  const char* scalar = support::scalar_name<S>();
  const GoldenTable table = oracle::read_table(folder + "/f_cube_drop_edge_10.csv");
  const double angle = 10 * kinecast::constant::kPi / 180;
  Start start;
  start.position.z() = kSide_m / 2 * (std::cos(angle) + std::sin(angle)) + 0.01;
  start.turn = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitY());
  Rig<S, kFloor, Golden> rig(kGoldenMaterial, golden_parameters<S>());
  rig.start(start);
  bool has_hit = false;
  for (const auto& line : table.rows) {
    const Row truth(line);
    const double falling_mps = rig.linear().z();
    rig.step();
    if (has_hit) continue;
    if ((truth.state >= 0) != rig.touches()) {
      report.fail(std::string("the dropped cube arrives in another step, ") + scalar);
      return;
    }
    if (truth.state < 0) continue;
    has_hit = true;
    Six ours;
    Six theirs;
    ours << rig.force(), rig.moment();
    theirs << truth.force, truth.moment;
    Six plastic = Six::Zero();  // a point that stops
    plastic(2) = -kMass_kg * falling_mps / kStep_s;
    report.add({"golden", "impulse of the impact", "drop_edge", scalar, wrench_error(ours, theirs),
                kIsFloat ? 1e-4 : 1e-9, "relative", kNone, wrench_error(plastic, theirs)});
    report.add({"golden", "turning after it", "drop_edge", scalar, (rig.angular() - truth.angular).norm(),
                kIsFloat ? 3e-4 : 1e-9, "rad/s", kNone, truth.angular.norm()});
  }
  const Row last(table.rows.back());
  report.add({"golden", "where it comes to rest", "drop_edge", scalar,
              (rig.position() - last.position).norm() / std::abs(last.position.x()), 1e-2, "of the way", kNone, 1});
  report.add(
      {"golden", "tilt at rest", "drop_edge", scalar, rig.tilt_rad(), kIsFloat ? 1e-6 : 1e-9, "rad", kNone, angle});
  report.add({"golden", "warnings", "drop_edge", scalar, double(rig.warnings()), 0, "steps"});
}

void measure(support::Report& report) {
  const std::string folder = KINECAST_GOLDEN_DIR;
  report.attempt([&] {
    const auto cases = read_qp_cases(folder + "/f_qp6_cases_first30.csv");
    score_qp_solver<double>(cases, report);
    score_qp_solver<float>(cases, report);
    score_qp_from_pose<double, Golden>(cases, 1, kGoldenMaterial, report);
    score_qp_from_pose<float, Golden>(cases, 1, kGoldenMaterial, report);
    score_qp_from_pose<double, Paper>(cases, 0, kPaperMaterial, report);
    score_qp_from_pose<float, Paper>(cases, 0, kPaperMaterial, report);
  });
  report.attempt([&] { score_runs<double>(folder, report); });
  report.attempt([&] { score_runs<float>(folder, report); });
  report.attempt([&] { score_tip<double>(folder, report); });
  report.attempt([&] { score_tip<float>(folder, report); });
  report.attempt([&] { score_drop<double>(folder, report); });
  report.attempt([&] { score_drop<float>(folder, report); });
  report.attempt([&] { score_truths<double>(report); });
  report.attempt([&] { score_truths<float>(report); });
}

}  // namespace

const support::Program support::program{"golden_volume", measure};
