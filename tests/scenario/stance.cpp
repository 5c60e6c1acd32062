// SPDX-License-Identifier: MIT
// A humanoid of 20 joints on the eight corners of its soles (S001; method 2.3): what the relaxation does to the forces of a robot
// that stands on more points than it needs, ten seconds of crouching by PD control, and a minute of standing still.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "contact_models.hpp"
#include "golden_robots.hpp"
#include "resting.hpp"
#include "support/program.hpp"
#include "support/require.hpp"

namespace {

using namespace kinecast;
using support::require;

// The golden robot with the reflected inertias of golden/b_humanoid_*, and the lower corners of its soles, whose inertias are
// those of boxes of 0.1 x 0.06 x 0.006 m. Order: left, right; (x, y) = (-,-) (-,+) (+,-) (+,+).
constexpr auto make_standing() {
  constexpr int kLinks = golden::humanoid20.kLinks;
  Robot<kLinks, 8> robot{};
  robot.name = golden::humanoid20.name;
  robot.gravity_mps2 = golden::humanoid20.gravity_mps2;
  robot.links = golden::humanoid20.links;
  for (Link& l : robot.links) {
    if (l.joint == JointKind::revolute) l.drive.at_joint.rotor_inertia_kgm2 = 0.005;
    if (l.joint == JointKind::prismatic) l.drive.at_joint.rotor_inertia_kgm2 = 0.2;
  }
  for (int i = 0; i < 8; ++i) {
    ContactPoint& p = robot.points[static_cast<std::size_t>(i)];
    p.link_name = i < 4 ? "soleL" : "soleR";
    p.link = find_link(robot, p.link_name);
    p.position_m = {(i & 2) != 0 ? 0.05 : -0.05, (i & 1) != 0 ? 0.03 : -0.03, -0.003};
  }
  return robot;
}
inline constexpr auto standing = make_standing();
using Shape = kinecast::Shape<standing>;

inline constexpr auto ground =
    environment(half_space("ground", material(friction(1.0, 0.4), compensation(200), relaxation(1e-2))));
using Papers = Relaxed<Functional::velocity, ContactRows::touching, FrictionRule::resolved>;

constexpr double kDegree = constant::kPi / 180;
constexpr double kMass_kg = [] {
  double sum = 0;
  for (const Link& l : standing.links) sum += l.mass_kg;
  return sum;
}();
constexpr double kShown_N = 40;  // the figure cuts the impacts off

template <class S>
Scene<standing, ground, S> with(const Material& material) {
  auto world = ground;
  std::get<0>(world.surfaces).materials.fill(material);
  Scene<standing, ground, S> out{};
  require(build_scene<standing, ground, S>(standing, world, out), "build_scene");
  return out;
}

// ---- posture and control --------------------------------------------------------------------------------------------

// Joint angles with the knees bent by this much and the soles level.
Position<standing, double> posture(double knee_deg) {
  Position<standing, double> q = zero_state<standing, double>().q;
  for (int l = 0; l < standing.kLinks; ++l) {
    if (standing.link(l).joint == JointKind::fixed || standing.link(l).joint == JointKind::floating) continue;
    const std::string name(standing.link(l).name.substr(0, standing.link(l).name.size() - 1));
    double value = 0;
    if (name == "hip_p" || name == "ank_p") value = -0.5 * knee_deg * kDegree;
    if (name == "knee") value = knee_deg * kDegree;
    if (name == "elb") value = -30 * kDegree;
    if (name == "tel") value = 0.01;
    q[Shape::q_of(Shape::body_of_link(l))] = value;
  }
  return q;
}

// PD at every joint: 30 Nm/rad and 0.5 Nms/rad (slides: 2000 N/m, 20 Ns/m).
template <class S>
Command<standing, S> hold(const State<standing, S>& now, const Position<standing, double>& desired) {
  Command<standing, S> torque = Command<standing, S>::Zero();
  for (int b = 0; b < Shape::kBodies; ++b) {
    const bool slides = Shape::is_prismatic(b);
    if (!slides && !Shape::is_revolute(b)) continue;
    const S error = now.q[Shape::q_of(b)] - static_cast<S>(desired[Shape::q_of(b)]);
    torque[Shape::v_of(b)] = -(slides ? S(2000) : S(30)) * error - (slides ? S(20) : S(0.5)) * now.dq[Shape::v_of(b)];
  }
  return torque;
}

// Where the robot is: its soles' corners and its centre of mass, in double from whatever state.
struct Place {
  std::array<Eigen::Vector3d, 8> corner;
  Eigen::Vector3d com{0, 0, 0};
};
template <class S>
Place place_of(const State<standing, S>& state) {
  Kinematics<standing, double> k;
  Position<standing, double> q = state.q.template cast<double>();
  q.template segment<4>(3).normalize();
  const auto& exact = model<standing, double>;
  require(update_kinematics(exact, q, k), "update_kinematics");
  Place out;
  for (std::size_t i = 0; i < 8; ++i) out.corner[i] = point_position(k, exact.points[i]);
  double mass = 0;
  for (int l = 0; l < standing.kLinks; ++l) {
    const Link& link = standing.link(l);
    const Vec3<double>& c = link.com_m;
    out.com += link.mass_kg * point_position(k, point_on_link(exact, l, Vector<double, 3>{c.x, c.y, c.z}));
    mass += link.mass_kg;
  }
  out.com /= mass;
  return out;
}

template <class S>
State<standing, S> start_at(double knee_deg) {
  State<standing, double> state = zero_state<standing, double>();
  state.q = posture(knee_deg);
  state.q[2] = -place_of(state).corner[0][2];
  State<standing, S> out = zero_state<standing, S>();
  out.q = state.q.cast<S>();
  return out;
}

template <class Report>
std::array<double, 8> forces_of(const Report& report) {
  std::array<double, 8> out{};
  for (int i = 0; i < report.count; ++i)
    out[static_cast<std::size_t>(report[i].pair.point)] = static_cast<double>(report[i].normal_N);
  return out;
}

// ---- what lambda does -----------------------------------------------------------------------------------------------

// Of the first second after a landing 3 mm deep on one corner of a foot: the body is tilted by 1.2 degrees about both axes.
struct Distribution {
  double diagonals{
      0};  // mean difference of the sums over a foot's diagonals over its mean load: what equilibrium leaves free
  double change{0};   // mean change of a corner's force per ms over its mean
  double peak_N{0};   // of a corner
  double depth_m{0};  // mean at the end
  double sum_N{0};    // of all corners at the end
};

template <class S, class Model>
Distribution land(double lambda, support::Report& report, support::Figure& figure) {
  static Predictor<standing, S, Contacts<ground, 8, Model>> predictor;
  const auto scene = with<S>(material(friction(1.0, 0.4), compensation(100), absolute_relaxation(lambda)));
  predictor.set_scene(scene);
  State<standing, S> start = start_at<S>(50);
  start.q[2] += S(0.003);
  const double tilt = 0.85 * kDegree / 2;  // about x and about y
  start.q[3] = static_cast<S>(std::sqrt(1 - 2 * tilt * tilt));
  start.q[4] = start.q[5] = static_cast<S>(tilt);
  require(predictor.reset(start), "reset");
  const Position<standing, double> desired = posture(50);
  Distribution out;
  std::array<double, 8> last{};
  double sum = 0;
  double diagonals = 0;
  constexpr int kSteps = 1000;
  for (int ms = 1; ms <= kSteps; ++ms) {
    const Status status = predictor.step(hold<S>(predictor.state(), desired), S(1e-3));
    if (!ok(status)) report.fail(sentence(status));
    const std::array<double, 8> now = forces_of(predictor.contact_report());
    for (std::size_t foot = 0; foot < 8; foot += 4)
      diagonals += std::abs(now[foot] + now[foot + 3] - now[foot + 1] - now[foot + 2]);
    out.sum_N = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      out.change += std::abs(now[i] - last[i]);
      out.peak_N = std::max(out.peak_N, now[i]);
      out.sum_N += now[i];
      figure.curve("lambda " + std::to_string(lambda).substr(0, 4) + ", N", "corner " + std::to_string(i))
          .add(1e-3 * ms, std::min(now[i], kShown_N));
    }
    sum += out.sum_N;
    last = now;
  }
  for (int i = 0; i < predictor.contact_report().count; ++i)
    out.depth_m += static_cast<double>(predictor.contact_report()[i].depth_m) / 8;
  out.change /= sum;
  out.diagonals = diagonals / sum;
  return out;
}

template <class S, class Model>
void score_lambda(const char* name, support::Report& report, support::Figure& figure) {
  constexpr bool is_ours = !std::is_same_v<Model, Papers>;
  const char* scalar = support::scalar_name<S>();
  Distribution before{};
  Distribution first{};
  for (const double lambda : {0.01, 0.1, 1.0, 4.0}) {
    const Distribution d = land<S, Model>(lambda, report, figure);
    const std::string which = std::string(name) + "_lambda" + std::to_string(lambda).substr(0, 4);
    report.add({"scenario", "stance_change_per_ms", which, scalar, d.change, support::kNone, "of the mean"});
    report.add({"scenario", "stance_diagonals", which, scalar, d.diagonals, support::kNone, "of the load"});
    report.add({"scenario", "stance_peak", which, scalar, d.peak_N, support::kNone, "N"});
    report.add({"scenario", "stance_depth", which, scalar, d.depth_m, support::kNone, "m"});
    // What the springs of the joints still swing after a second is a few tenths of a percent of the weight.
    report.expect(std::abs(d.sum_N / (kMass_kg * 9.80665) - 1) < 0.02, which + ": the ground carries the weight");
    report.expect(d.depth_m > before.depth_m, which + ": a larger lambda is softer, it stands deeper");
    if (!(before.depth_m > 0)) first = d;
    before = d;
  }
  report.expect(before.change < first.change && before.peak_N < first.peak_N,
                std::string(name) + ": lambda smooths the forces in time");
  const double ratio = before.diagonals / first.diagonals;
  report.add({"scenario", "stance_diagonals_ratio", name, scalar, ratio, support::kNone, "last lambda over first"});
  // The papers' form misses this here (it holds on quiet standing, oracle.golden_humanoid): said below the table, not gated.
  const std::string claim = std::string(name) + ": lambda smooths the forces over a foot";
  if (is_ours)
    report.expect(ratio < 1, claim);
  else if (!(ratio < 1))
    support::Report::remark("scenario stance, " + claim + ": NOT MET");
}

// ---- ten seconds of crouching ---------------------------------------------------------------------------------------

// Stands for two seconds, then bends its knees from 50 to 80 degrees and back every four seconds.
template <class S>
void crouch(support::Report& report, support::Figure& figure) {
  static Predictor<standing, S, Contacts<ground, 8>> predictor;
  predictor.set_scene(scene<standing, ground, S>);
  require(predictor.reset(start_at<S>(50)), "reset");
  const char* scalar = support::scalar_name<S>();
  Place settled{};
  double slid_m = 0;
  double margin_m = 1;  // of the centre of mass to the soles' edges
  double lowest_m = 1;  // of the centre of mass
  double highest_m = 0;
  double tilt = 0;
  for (int ms = 1; ms <= 10000; ++ms) {
    const double t = 1e-3 * ms;
    const double knee = t < 2 ? 50 : 65 - 15 * std::cos(2 * constant::kPi * (t - 2) / 4);
    const Status status = predictor.step(hold<S>(predictor.state(), posture(knee)), S(1e-3));
    if (!ok(status)) return report.fail(sentence(status));
    const Place now = place_of(predictor.state());
    if (ms == 500) settled = now;
    double left = 1, right = -1, back = 1, front = -1;
    for (std::size_t i = 0; i < 8; ++i) {
      if (ms >= 500) slid_m = std::max(slid_m, (now.corner[i] - settled.corner[i]).template head<2>().norm());
      back = std::min(back, now.corner[i][0]), front = std::max(front, now.corner[i][0]);
      left = std::min(left, now.corner[i][1]), right = std::max(right, now.corner[i][1]);
    }
    margin_m = std::min({margin_m, now.com[0] - back, front - now.com[0], now.com[1] - left, right - now.com[1]});
    if (t > 2) lowest_m = std::min(lowest_m, now.com[2]), highest_m = std::max(highest_m, now.com[2]);
    const auto& q = predictor.state().q;
    tilt = std::max(tilt, 2 * std::hypot(static_cast<double>(q[4]), static_cast<double>(q[5])) / kDegree);
    const std::array<double, 8> f = forces_of(predictor.contact_report());
    if constexpr (sizeof(S) == sizeof(float)) {
      for (std::size_t i = 0; i < 4; ++i)
        figure.curve("crouching: force, N", "left corner " + std::to_string(i)).add(t, f[i]);
      figure.curve("centre of mass, mm", "height").add(t, 1e3 * now.com[2]);
      figure.curve("centre of mass, mm", "forward").add(t, 1e3 * now.com[0]);
    }
  }
  // Bounds of the task: feet within 1 mm, the centre of mass over the soles; 15 degrees would be a fall.
  report.add({"scenario", "crouch_slide", "relaxed", scalar, slid_m, 1e-3, "m"});
  report.add({"scenario", "crouch_tilt", "relaxed", scalar, tilt, 15, "deg"});
  report.add({"scenario", "crouch_com_margin", "relaxed", scalar, margin_m, support::kNone, "m"});
  report.expect(margin_m > 0, "the centre of mass stays over the soles");
  report.expect(highest_m - lowest_m > 0.015, "it does crouch");
}

// ---- a minute of standing -------------------------------------------------------------------------------------------

// The robot and its posture are symmetric, so that both feet carry the same; what is at rest neither drifts nor chatters.
template <class S>
void stand(support::Report& report) {
  static Predictor<standing, S, scenario::PointContacts<ground, 8>> predictor;
  require(predictor.reset(start_at<S>(50)), "reset");
  const char* scalar = support::scalar_name<S>();
  const Position<standing, double> desired = posture(50);
  constexpr double kFrom_s = 5;
  scenario::Resting resting(0, 8, kFrom_s);
  double left = 0;
  double right = 0;
  for (int ms = 1; ms <= 60000; ++ms) {
    require(predictor.step(hold<S>(predictor.state(), desired), S(1e-3)), "step");
    resting.see(1e-3 * ms, predictor.contact_report());
    if (1e-3 * ms <= kFrom_s) continue;
    const std::array<double, 8> f = forces_of(predictor.contact_report());
    for (std::size_t i = 0; i < 4; ++i) left += f[i], right += f[4 + i];
  }
  report.add({"scenario", "stand_drift", "humanoid", scalar, resting.drift_mps(), 1e-6, "m/s"});
  report.add({"scenario", "stand_uneven", "humanoid", scalar, std::abs(left / right - 1), 1e-3, "relative"});
  report.add({"scenario", "stand_chatter", "humanoid", scalar, resting.chatter(), 2e-3, "per ms"});
}

void measure(support::Report& report, support::Figure& figure) {
  support::Figure unseen("");
  score_lambda<float, Relaxed<>>("relaxed", report, figure);
  score_lambda<double, Papers>("paper", report, unseen);
  crouch<float>(report, figure.another("crouch"));
  crouch<double>(report, unseen);
  stand<float>(report);
}

}  // namespace

const support::Program support::program{"stance", measure};
