// SPDX-License-Identifier: MIT
// Contact points with implicit friction (method 16), every step held against the conditions that the method states, found dense and
// in double (dense_reference.hpp): with the reported forces as impulses x of the points, J their Jacobians relative to the surface,
//
//   dq+ = dq + dt ddq0 + M⁻¹ Jᵀ x,   u = J dq+ + dt (Jdot dq)          the points' velocity at the end of the step
//   0 <= x_n  perp  u_n - v* + R_n x_n >= 0,  v* = -d/dt (d > 0), -k d (d <= 0);   R_n = lambda A_nn
//   sticks   u_t + k a + R_t x_t = 0                                   R_t = lambda (A_22 + A_33)/2
//   slides   |x_t| = mu x_n against u_t + k a
//
// and with anchors a that the test itself carries on: a += dt u_t while it sticks, a = -R_t x_t/k while it slides.
#include "contact_scenes.hpp"
#include "unity_main.hpp"

namespace unit_points {
namespace {

using namespace touching;
using dense::Vec;
using kinecast::Implicit;
using kinecast::SurfaceMotion;
using kinecast::Vec3;
using robots::cube;

constexpr double kDt = 1e-3;

// ---- the truth --------------------------------------------------------------------------------------------------------------

// What the test knows of a surface: the link that carries it, its frame there (or in the world), and how it moves.
struct Ground {
  int link{-1};
  dense::Mat rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec position{};
  Vec linear{};
  Vec angular{};
  bool is_plane{true};  // a half-space: the normal is the third axis
};

// What the test remembers of a point and a surface.
struct Anchor {
  Vec strain{};  // in the surface's frame
  bool is_sliding{false};
  double approach{0};  // normal velocity of one that arrived in the last step
};

struct Misfits {
  Worst motion;     // dq+ against the reported forces, m/s or rad/s
  Worst normal;     // of the conditions, in m/s
  Worst sticking;   // likewise
  Worst direction;  // of friction, in m/s
  Worst cone;       // tangential impulse against mu times the normal one, over it
  Worst report;     // places, depths and slips
  Worst passes;     // how fast a point goes through a surface that it does not touch, m/s
  int stuck{0};     // contacts in all steps
  int slid{0};
  int strained{0};  // sticking ones with an anchor that pulls with more than 1e-6 m/s
  int let_go{0};    // sticking ones whose anchor friction could not strain so far
  int kinetic{0};   // sliding ones with kinetic friction
  int shifted{0};   // the convex law took over
};

template <const auto& R, std::size_t Surfaces>
class Truth {
 public:
  static constexpr int kDofs = kinecast::Shape<R>::kDofs;
  static constexpr std::size_t kDofSize = static_cast<std::size_t>(kDofs);
  static constexpr std::size_t kPoints = static_cast<std::size_t>(R.kPoints);

  std::array<Ground, Surfaces> ground{};
  kinecast::Material material{};
  double push_out{1};
  double slip{1e-3};
  bool moves{false};        // there are surfaces that move
  bool one_tangent{false};  // the robot moves in a plane: the tangent across it has no mobility, and does not count
  double allowed_normal{1e-3};
  int most_settled{8};  // after so many systems the normal is as good as its shift
  Misfits misfits{};

  void forget() noexcept { anchors_ = {}; }

  // A step with `tau` from `before` to `after`.
  template <class S, class Report>
  [[gnu::noinline]] void see(const State<R, S>& before, const State<R, S>& after, const Command<R, S>& tau, double dt,
                             const Report& report) {
    auto& exact = checks::truth<R>();
    double q[static_cast<std::size_t>(kinecast::Shape<R>::kPositions)];
    double dq[kDofSize];
    double torque[kDofSize];
    for (int i = 0; i < kinecast::Shape<R>::kPositions; ++i) q[i] = static_cast<double>(before.q[i]);
    for (std::size_t i = 0; i < kDofSize; ++i) {
      dq[i] = static_cast<double>(before.dq[static_cast<int>(i)]);
      torque[i] = static_cast<double>(tau[static_cast<int>(i)]);
    }
    exact.place(q);
    exact.find_acceleration(dq, torque, nullptr);
    double end[kDofSize];
    double now[kDofSize];
    for (std::size_t i = 0; i < kDofSize; ++i) end[i] = dq[i] + dt * exact.force[i];
    for (std::size_t i = 0; i < kDofSize; ++i) now[i] = static_cast<double>(after.dq[static_cast<int>(i)]);
    next_ = {};
    for (std::size_t i = 0; i < kDofSize; ++i) free_[i] = end[i];
    for (int c = 0; c < report.count; ++c) see_contact(report[c], dq, now, dt, report.passes, end);
    anchors_ = next_;
    for (std::size_t i = 0; i < kDofSize; ++i) misfits.motion.see(now[i] - end[i]);
    if (report.count > 0) see_others(report, now, dt);
    for (Ground& g : ground) g.position = g.position + dt * g.linear, turn(g, dt);
  }

 private:
  static void turn(Ground& g, double dt) {
    const double speed = std::sqrt(dot(g.angular, g.angular));
    if (speed > 0) g.rotation = dense::rotation(g.angular, dt * speed) * g.rotation;
  }
  // The frame of a surface in the world.
  static void frame_of(const Ground& g, dense::Mat& rotation, Vec& position) {
    const auto& exact = checks::truth<R>();
    rotation = g.link < 0 ? g.rotation : exact.at.rot[g.link] * g.rotation;
    position = exact.at.point(g.link, g.position);
  }
  static Vec drift_of(int link, const Vec& at) {
    const auto& exact = checks::truth<R>();
    if (link < 0) return {};
    const Vec arm = at - exact.at.pos[link];
    const Vec& w = exact.at.w[link];
    return exact.at.acc[link] + cross(exact.at.alpha[link], arm) + cross(w, cross(w, arm));
  }
  // The rows of the relative motion of a point and a surface, and what their velocity is but J dq.
  struct Motion {
    double J[3][kDofSize];
    Vec before;  // part of the velocity before the step that is the surface's, taken away
    Vec end;     // the same at the end of the step, with the velocity products
    Vec bend;    // part of it that accelerations have
  };
  static void find_motion(int link, const Ground& g, const Vec& at, const Vec& origin, double dt, Motion& out) {
    auto& exact = checks::truth<R>();
    exact.at.jacobian(link, at, exact.jacobian);
    for (int r = 0; r < 3; ++r)
      for (std::size_t i = 0; i < kDofSize; ++i) out.J[r][i] = exact.jacobian[3 + r][i];
    if (g.link >= 0) {
      exact.at.jacobian(g.link, at, exact.jacobian);
      for (int r = 0; r < 3; ++r)
        for (std::size_t i = 0; i < kDofSize; ++i) out.J[r][i] -= exact.jacobian[3 + r][i];
    }
    const Vec inward = cross(g.angular, cross(g.angular, at - origin));
    out.bend = dt * (drift_of(link, at) - drift_of(g.link, at) - inward);
    out.before = -1 * (g.linear + cross(g.angular, at - origin));
    out.end = out.before + out.bend;
  }
  static Vec times(const double (&J)[3][kDofSize], const double (&v)[kDofSize]) {
    Vec out{};
    for (int r = 0; r < 3; ++r)
      for (std::size_t i = 0; i < kDofSize; ++i) out[r] += J[r][i] * v[i];
    return out;
  }
  static double length(const Vec& v) { return std::sqrt(dot(v, v)); }

  template <class Contact>
  void see_contact(const Contact& c, const double (&dq)[kDofSize], const double (&now)[kDofSize], double dt,
                   int systems, double (&end)[kDofSize]) {
    auto& exact = checks::truth<R>();
    const auto as_vec = [](const auto& v) { return dense::vec(v.template cast<double>()); };
    const int point = c.pair.point;
    const int link = R.point(point).link;
    const Ground& g = ground[static_cast<std::size_t>(c.pair.surface)];
    dense::Mat frame;
    Vec origin;
    frame_of(g, frame, origin);
    const Vec n = g.is_plane ? dense::column(frame, 2) : as_vec(c.normal);
    const double radius = R.point(point).radius_m;
    const Vec at = exact.at.point(link, dense::vec(R.point(point).position_m)) - radius * n;
    misfits.report.see(length(at - as_vec(c.point_m)));
    misfits.report.see(length(n - as_vec(c.normal)));
    Motion m;
    find_motion(link, g, at, origin, dt, m);

    // dq+ = dq + dt ddq0 + M⁻¹ Jᵀ x
    const Vec x = dt * as_vec(c.force_N);
    double A[3][3];
    double response[kDofSize];
    for (int r = 0; r < 3; ++r) {
      for (std::size_t i = 0; i < kDofSize; ++i) response[i] = m.J[r][i];
      dense::solve(exact.L, response);
      for (std::size_t i = 0; i < kDofSize; ++i) end[i] += response[i] * x[r];
      for (int s = 0; s < 3; ++s) {
        A[r][s] = 0;
        for (std::size_t i = 0; i < kDofSize; ++i) A[r][s] += m.J[s][i] * response[i];
      }
    }
    double normal_mobility = 0;
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s) normal_mobility += n[r] * A[r][s] * n[s];
    const double across = A[0][0] + A[1][1] + A[2][2] - normal_mobility;
    const double tangential_mobility = one_tangent ? across : across / 2;
    const auto softness = [&](double mobility) {
      return material.relaxation_is_absolute ? material.relaxation / mobility : material.relaxation * mobility;
    };

    const Vec u = times(m.J, now) + m.end;
    const Vec u_before = times(m.J, dq) + m.before;
    const double x_n = dot(n, x);
    const Vec x_t = x - x_n * n;
    const double depth = g.is_plane ? dot(n, origin - at) : static_cast<double>(c.depth_m);
    misfits.report.see(depth - static_cast<double>(c.depth_m));
    misfits.report.see(dt * (length(u_before - dot(n, u_before) * n) - static_cast<double>(c.slip_mps)));
    misfits.report.see(dt * dt * (length(x_t) / dt - static_cast<double>(c.tangential_N)));
    misfits.report.see(dt * dt * (x_n / dt - static_cast<double>(c.normal_N)));

    const double k = std::fmin(material.compensation_per_s, 1 / dt);
    const double target = depth < 0 ? depth / dt : std::fmin(k * depth, push_out);
    Anchor& anchor = anchors_[static_cast<std::size_t>(point)][static_cast<std::size_t>(c.pair.surface)];
    Anchor& next = next_[static_cast<std::size_t>(point)][static_cast<std::size_t>(c.pair.surface)];
    // It arrives in one step and rebounds in the next one, with the part that the energy of the arrival allows.
    const bool arrives = depth < 0 && !(anchor.approach < 0);
    const double approach = std::fmin(anchor.approach, dot(n, u_before));
    const double rebound = -material.restitution * approach;
    const double highest = !arrives && approach < -2 * kGravity * dt ? std::fmax(target, rebound) : target;
    if (material.restitution > 0 && arrives && x_n > 0) next.approach = dot(n, u_before);
    const double w_n = dot(n, u) + softness(normal_mobility) * x_n;
    // Where the convex law took over, the normal is as good as its shift: a thousandth of mu times the slip, and 0.3 mm/s.
    const double off = w_n < target ? w_n - target : x_n > 0 ? std::fmax(w_n - highest, 0.0) : 0;
    const double shift = 1e-3 * material.static_friction * length(u) + 3e-4;
    if (std::abs(off) > allowed_normal && std::abs(off) <= 1.01 * shift)
      ++misfits.shifted;
    else if (systems <= most_settled)
      misfits.normal.see(off);
    // What is reported has a force, or the free motion would have led it through the surface.
    const double freely = -depth + dt * dot(n, times(m.J, free_) + m.end);
    TEST_ASSERT_TRUE(x_n > 0 || -depth <= 1e-5 || freely <= 1e-6 || anchor.approach < 0);

    const Vec strain = frame * anchor.strain;
    const Vec u_t = u - dot(n, u) * n;
    const double R_t = softness(tangential_mobility);
    if (!(x_n > 0)) return;
    const Vec goes = moves ? u_t - 0.5 * (m.bend - dot(n, m.bend) * n) : u_t;
    // Where the load fell, an anchor that is strained further than friction can strain it is let go, by as much as the impulse of a
    // first solution says, which no report has. The law tells what is left, and the steps to come have to fit that.
    const double turning = moves ? length(m.bend - dot(n, m.bend) * n) : 0;  // the step's own error strains it too
    const double can_strain = material.kinetic_friction * x_n * R_t + turning;
    if (!c.is_sliding && k * length(strain) > 1.9 * can_strain) {
      const Vec left = (-1 / k) * (u_t + R_t * x_t);
      TEST_ASSERT_TRUE(length(left) <= 1.01 * length(strain) + 1e-6);
      next.strain = dense::transposed(frame) * (left + dt * goes);
      ++misfits.let_go;
      return;
    }
    const Vec w_t = u_t + k * strain;
    if (!c.is_sliding) {
      misfits.sticking.see(length(w_t + R_t * x_t));
      misfits.cone.see(std::fmax(0.0, length(x_t) / (material.static_friction * x_n) - 1));
      if (k * length(strain) > 1e-6) ++misfits.strained;
      ++misfits.stuck;
      next.strain = dense::transposed(frame) * (strain + dt * goes);
      return;
    }
    // Whatever is left of the slip after the compliance is the slip that chooses between static and kinetic friction.
    const double speed = length(w_t) - R_t * length(x_t);
    const bool is_kinetic = anchor.is_sliding || speed > slip;
    const double mu = is_kinetic ? material.kinetic_friction : material.static_friction;
    misfits.cone.see(length(x_t) / (mu * x_n) - 1);
    misfits.direction.see(length(w_t + (length(w_t) / length(x_t)) * x_t));
    next.is_sliding = speed > slip;
    if (k > 0) next.strain = dense::transposed(frame) * ((-R_t / k) * x_t);
    ++misfits.slid;
    misfits.kinetic += is_kinetic ? 1 : 0;
  }

  // A point above a plane that has no force arrives at it at the earliest.
  template <class Report>
  void see_others(const Report& report, const double (&now)[kDofSize], double dt) {
    auto& exact = checks::truth<R>();
    for (int point = 0; point < R.kPoints; ++point) {
      for (std::size_t s = 0; s < Surfaces; ++s) {
        if (!ground[s].is_plane || ground[s].link >= 0) continue;
        bool is_there = false;
        for (int c = 0; c < report.count; ++c)
          is_there = is_there || (report[c].pair.point == point && report[c].pair.surface == static_cast<int>(s));
        if (is_there) continue;
        const int link = R.point(point).link;
        const Vec n = dense::column(ground[s].rotation, 2);
        const Vec at = exact.at.point(link, dense::vec(R.point(point).position_m)) - R.point(point).radius_m * n;
        Motion m;
        find_motion(link, ground[s], at, ground[s].position, dt, m);
        const double gap = dot(n, at - ground[s].position);
        if (gap > 0) misfits.passes.see(std::fmin(0.0, dot(n, times(m.J, now) + m.end) + gap / dt));
      }
    }
  }

  using Anchors = std::array<std::array<Anchor, Surfaces>, kPoints>;
  Anchors anchors_{};
  Anchors next_{};
  double free_[kDofSize];  // velocities at the end of the step without contact
};

// A board throws once: what that meets, many throws on the host tell.
constexpr bool kFewThrows = kEffort < 100;

struct Allowed {
  double motion;
  double law;     // m/s
  double normal;  // m/s
  double cone;
  double report;
};
template <class S>
void check_misfits(const Misfits& m, const Allowed& allowed, const char* name) {
  TEST_ASSERT_TRUE_MESSAGE(50 * m.shifted <= m.stuck + m.slid, "the convex law is the exception");
  assert_small<S>(allowed.motion, m.motion, name, "motion");
  assert_small<S>(allowed.normal, m.normal, name, "normal");
  assert_small<S>(allowed.law, m.sticking, name, "sticking");
  assert_small<S>(allowed.law, m.direction, name, "direction of friction");
  assert_small<S>(allowed.cone, m.cone, name, "cone");
  assert_small<S>(allowed.report, m.report, name, "report");
}

dense::Mat rotation_of(double roll, double pitch, double yaw) {
  return dense::mat(kinecast::rotation_from_rpy(roll, pitch, yaw));
}

// The conditions hold to where Newton's method ends, 1e-4 (1e-10) of the change of the velocities, 1 m/s, and in float to rounding
// of impulses, which are velocities over lambda = 1e-2. The cubes turn with up to 8 rad/s: their motion, in rad/s, twice as much.
template <class S>
constexpr Allowed kAllowed =
    measure::kIsFloat<S> ? Allowed{2e-3, 1e-3, 1e-3, 1e-3, 1e-5} : Allowed{1e-9, 1e-9, 1e-9, 1e-9, 1e-12};

// Steps a robot and holds each step against the truth. `command(i)`: the torques from outside in step i.
template <const auto& R, class S, class P, class T, class Commands>
void go(P& p, T& truth, int steps, Commands&& command) {
  const S dt = static_cast<S>(kDt);
  truth.allowed_normal = kAllowed<S>.normal;
  for (int i = 0; i < steps; ++i) {
    const State<R, S> before = p.state();
    const Command<R, S> tau = command(i);
    const Status status = p.step(nothing<R, S>(), tau, dt);
    TEST_ASSERT_TRUE(ok(status));
    truth.see(before, p.state(), tau, static_cast<double>(dt), p.contact_report());
  }
}

// ---- a cube on a slope ------------------------------------------------------------------------------------------------------

constexpr auto kRubber = kinecast::material(kinecast::friction(0.5, 0.3), kinecast::relaxation(1e-2));
inline constexpr auto slope = kinecast::environment(
    kinecast::half_space("slope", kinecast::rpy(0.1, 0.2, 0.3), kinecast::at(0.1, 0, -0.2), kRubber));
using SlopeTruth = Truth<cube, 1>;

template <class S>
[[nodiscard]] auto& cube_on_slope(const kinecast::Material& material, SlopeTruth& truth) {
  auto& p = fresh<Predictor<cube, S, Contacts<slope, 8, Implicit>>>();
  static kinecast::Scene<cube, slope, S> scene;
  Values<slope> values = slope;
  std::get<0>(values.surfaces).materials.fill(material);
  scene = built_scene<cube, slope, S>(values);
  p.set_scene(scene);
  truth = {};
  truth.material = material;
  truth.ground[0].rotation = rotation_of(0.1, 0.2, 0.3);
  truth.ground[0].position = {{0.1, 0, -0.2}};
  return p;
}

// Thrown in any way, it lands, tips over, slides and comes to rest; then it is pushed about.
template <class S>
void check_cube(const kinecast::Material& material, int throws) {
  static SlopeTruth truth;
  auto& p = cube_on_slope<S>(material, truth);
  measure::Random random(11);
  for (int n = 0; n < throws; ++n) {
    truth.forget();
    State<cube, S> start = placed<cube, S>({0.1, 0, -0.05}, {random.within(3), random.within(3), random.within(3)});
    for (int i = 0; i < 3; ++i)
      start.dq[i] = static_cast<S>(random.within(0.5)), start.dq[3 + i] = static_cast<S>(random.within(8));
    assert_ok(p.reset(start));
    go<cube, S>(p, truth, 350, [](int i) {
      Command<cube, S> push = nothing<cube, S>();
      if (i > 250) push[0] = S(0.5), push[1] = S(i < 300 ? 0.8 : -0.3);
      return push;
    });
  }
  const Misfits& m = truth.misfits;
  TEST_ASSERT_TRUE(kFewThrows || (m.stuck > 10 * throws && m.slid > 2 * throws && m.strained > 0));
  check_misfits<S>(m, kAllowed<S>, "cube");
  assert_small<S>(1e-5, m.passes, "cube", "points that go through");
}
constexpr int kThrows = kEffort < 100 ? 1 : 10;
void test_cube() {
  check_cube<float>(kRubber, kThrows);
  if constexpr (measure::kInDouble) check_cube<double>(kRubber, kThrows);
}
// A relaxation in 1/kg²; and a depth that is worked off within a step, for 5000/s are more than 1/dt.
void test_absolute_relaxation() {
  check_cube<float>(kinecast::material(kinecast::friction(0.4), kinecast::absolute_relaxation(0.1)), kThrows);
}
void test_fast_compensation() {
  check_cube<float>(
      kinecast::material(kinecast::friction(0.5, 0.3), kinecast::relaxation(1e-2), kinecast::compensation(5000)),
      kThrows);
}

// Half of it starts inside of the slope: it comes out with 0.2 m/s and no faster.
void test_deep_inside() {
  static SlopeTruth truth;
  // A rebound of 0.05 m/s is slower than that, and does not count.
  auto& p = cube_on_slope<float>(
      kinecast::material(kinecast::friction(0.5, 0.3), kinecast::relaxation(1e-2), kinecast::restitution(0.5)), truth);
  assert_ok(p.set_contact_parameters({0, 2e-3F, 0.2F}));
  truth.push_out = 0.2, truth.slip = 2e-3;
  const Vec n = dense::column(truth.ground[0].rotation, 2);
  State<cube, float> start =
      placed<cube, float>({0.1 + 0.01 * n[0], 0.01 * n[1], -0.2 + 0.01 * n[2]}, {0.05, 0.15, 0.3});
  for (int i = 0; i < 3; ++i) start.dq[i] = static_cast<float>(-0.1 * n[i]);
  assert_ok(p.reset(start));
  go<cube, float>(p, truth, 100, [](int) { return nothing<cube, float>(); });
  check_misfits<float>(truth.misfits, kAllowed<float>, "deep");
}

// Thrown with much restitution it bounces about, one corner after the other. A step brings no more energy than the last one took,
// but for what works off a depth of up to a step's way, 2 mm: m g 2 mm = 10 mJ.
template <class S>
void check_bouncing() {
  static SlopeTruth truth;
  const auto rubber =
      kinecast::material(kinecast::friction(0.3), kinecast::relaxation(1e-2), kinecast::restitution(0.9));
  auto& p = cube_on_slope<S>(rubber, truth);
  measure::Random random(13);
  Worst gained;
  for (int n = 0; n < kThrows; ++n) {
    truth.forget();
    State<cube, S> start = placed<cube, S>({0.1, 0, -0.05}, {random.within(3), random.within(3), random.within(3)});
    for (int i = 0; i < 3; ++i)
      start.dq[i] = static_cast<S>(random.within(0.5)), start.dq[3 + i] = static_cast<S>(random.within(15));
    assert_ok(p.reset(start));
    double last = 1e9;
    double before_last = 1e9;
    for (int i = 0; i < 400; ++i) {
      go<cube, S>(p, truth, 1, [](int) { return nothing<cube, S>(); });
      const State<cube, S>& s = p.state();
      double energy = 0.5 * kGravity * static_cast<double>(s.q[2]);
      for (int k = 0; k < 3; ++k)
        energy += 0.25 * static_cast<double>(s.dq[k]) * static_cast<double>(s.dq[k]) +
                  0.5 * (0.5 * 0.02 / 12) * static_cast<double>(s.dq[3 + k]) * static_cast<double>(s.dq[3 + k]);
      gained.see(std::fmax(0.0, energy - std::fmax(last, before_last)));
      before_last = last;
      last = energy;
    }
  }
  check_misfits<S>(truth.misfits, kAllowed<S>, "bouncing");
  assert_small<S>(2e-3, gained, "bouncing", "energy gained, J");
}
void test_bouncing() {
  check_bouncing<float>();
  if constexpr (measure::kInDouble) check_bouncing<double>();
}

// What is forgotten is forgotten: a scene that is set again knows no anchors, and the cube creeps a little until it has new ones.
template <class S>
void check_new_scene() {
  static SlopeTruth truth;
  auto& p = cube_on_slope<S>(kRubber, truth);
  const Vec n = dense::column(truth.ground[0].rotation, 2);
  assert_ok(p.reset(placed<cube, S>({0.1 + 0.065 * n[0], 0.065 * n[1], -0.2 + 0.065 * n[2]}, {0, 0, 0})));
  for (int i = 0; i < 2; ++i) {
    go<cube, S>(p, truth, 300, [](int) { return nothing<cube, S>(); });
    static kinecast::Scene<cube, slope, S> again;
    again = built_scene<cube, slope, S>(slope);
    p.set_scene(again);
    truth.forget();
  }
  TEST_ASSERT_TRUE(kFewThrows || truth.misfits.strained > 100);
  check_misfits<S>(truth.misfits, kAllowed<S>, "new scene");
}
void test_new_scene() {
  check_new_scene<float>();
  if constexpr (measure::kInDouble) check_new_scene<double>();
}

// ---- bodies with joints -----------------------------------------------------------------------------------------------------

// A hull that flies, with a leg of a hinge and a ball joint, and one of a slide: spheres and points at their feet.
constexpr auto make_walker() {
  using namespace kinecast;
  constexpr auto kLump = body(0.4, com(0.01, 0.02, -0.05), inertia(8e-4, 9e-4, 5e-4, 1e-4, 5e-5, -5e-5));
  return robot("walker",
               link("hull", floating(), body(2, com(0.01, -0.02, 0.01), inertia(0.01, 0.012, 0.015, 1e-3, 0, 0))),
               link("hip", on("hull"), revolute({0, 0.8, 0.6}), at(0.1, 0.1, 0), kLump),
               link("foot", on("hip"), spherical(), at(0, 0, -0.1), kLump),
               link("pole", on("hull"), prismatic({0.6, 0, 0.8}), at(-0.1, -0.05, 0), kLump),
               contact_point("toe", on("foot"), at(0.05, 0, -0.1)),
               contact_sphere("heel", on("foot"), at(-0.04, 0.01, -0.09), radius(0.015)),
               contact_sphere("tip", on("pole"), at(0, 0, -0.12), radius(0.01)),
               contact_point("belly", on("hull"), at(0, -0.1, -0.05)));
}
inline constexpr auto walker = make_walker();

template <class S>
void check_walker() {
  auto& p = fresh<Predictor<walker, S, Contacts<slope, 4, Implicit>>>();
  static Truth<walker, 1> truth;
  truth = {};
  truth.material = kRubber;
  truth.ground[0].rotation = rotation_of(0.1, 0.2, 0.3);
  truth.ground[0].position = {{0.1, 0, -0.2}};
  measure::Random random(5);
  for (int n = 0; n < kThrows; ++n) {
    truth.forget();
    State<walker, S> start =
        placed<walker, S>({0.1, 0, 0.1}, {random.within(0.6), random.within(0.6), random.within(3)});
    start.q[7] = static_cast<S>(random.within(0.5));
    start.q[8] = S(1);
    for (int i = 0; i < 11; ++i) start.dq[i] = static_cast<S>(random.within(1));
    assert_ok(p.reset(start));
    go<walker, S>(p, truth, 250, [&](int) {  // legs like springs
      Command<walker, S> tau = nothing<walker, S>();
      const State<walker, S>& s = p.state();
      tau[6] = S(-8) * s.q[7] - S(0.1) * s.dq[6];
      for (int i = 0; i < 3; ++i) tau[7 + i] = S(-6) * s.q[9 + i] - S(0.02) * s.dq[7 + i];
      tau[10] = S(-400) * s.q[12] - S(2) * s.dq[10];
      return tau;
    });
  }
  const Misfits& m = truth.misfits;
  TEST_ASSERT_TRUE(kFewThrows || (m.stuck > 10 * kThrows && m.slid > 5 * kThrows));
  check_misfits<S>(m, kAllowed<S>, "walker");
  assert_small<S>(1e-5, m.passes, "walker", "points that go through");
}
void test_walker() {
  check_walker<float>();
  if constexpr (measure::kInDouble) check_walker<double>();
}

// An arm whose hinges are parallel: nothing can move its points across.
constexpr auto make_planar() {
  using namespace kinecast;
  constexpr auto kRod = body(0.5, com(0, 0, 0.15), inertia(4e-3, 4e-3, 1e-4));
  return robot("planar", link("upper", revolute(kAxisY), at(0, 0, 0.1), kRod),
               link("fore", on("upper"), revolute(kAxisY), at(0, 0, 0.3), kRod),
               contact_point("elbow", on("upper"), at(0, 0.02, 0.3)), contact_point("tip", on("fore"), at(0, 0, 0.3)),
               contact_point("wrist", on("fore"), at(0, -0.03, 0.25)));
}
inline constexpr auto planar = make_planar();
constexpr auto kRough = kinecast::material(kinecast::friction(1.2, 0.9), kinecast::relaxation(1e-2));
inline constexpr auto floor_plan = kinecast::environment(kinecast::half_space("floor", kRough));

template <class S>
void check_planar() {
  auto& p = fresh<Predictor<planar, S, Contacts<floor_plan, 4, Implicit>>>();
  static Truth<planar, 1> truth;
  truth = {};
  truth.material = kRough;
  truth.one_tangent = true;
  State<planar, S> start = zero_state<planar, S>();
  start.q << S(0.9), S(0.7);
  assert_ok(p.reset(start));
  go<planar, S>(p, truth, 600, [&](int i) {
    Command<planar, S> tau = nothing<planar, S>();
    for (int k = 0; k < 2; ++k) tau[k] = S(-0.3) * p.state().dq[k];  // it comes to rest
    if (i > 400) tau[0] += S(-3), tau[1] += S(1);
    return tau;
  });
  TEST_ASSERT_TRUE(kFewThrows || (truth.misfits.stuck > 50 && truth.misfits.slid > 5));
  check_misfits<S>(truth.misfits, kAllowed<S>, "planar");
}
void test_planar_arm() {
  check_planar<float>();
  if constexpr (measure::kInDouble) check_planar<double>();
}

// A material that asks for less than the least relaxation, 1e-4 in float, gets that: of a fall of 2 m/s the compliance leaves
// R_n x_n, with A_nn = (1 + 6/4 + 6/4)/m of a cube's corner and a quarter of m v on each: 1e-4 v.
void test_least_relaxation() {
  auto& p = fresh<Predictor<cube, float, Contacts<floor_plan, 8, Implicit>>>();
  static kinecast::Scene<cube, floor_plan, float> scene;
  Values<floor_plan> values = floor_plan;
  std::get<0>(values.surfaces).materials.fill(kinecast::material(kinecast::friction(0.5), kinecast::relaxation(1e-8)));
  scene = built_scene<cube, floor_plan, float>(values);
  p.set_scene(scene);
  State<cube, float> start = placed<cube, float>({0, 0, 0.05});
  start.dq[2] = -2;
  assert_ok(p.reset(start));
  assert_ok(p.step(nothing<cube, float>(), static_cast<float>(kDt)));
  const double left = -static_cast<double>(p.state().dq[2]);
  TEST_ASSERT_DOUBLE_WITHIN(0.05 * 2e-4, 2e-4, left);
}

// Falls flat from 20 heights, so that it arrives at every moment of a step: it comes down to the floor, rebounds as the restitution
// says, and lies still in the end. A step of 1 ms of gravity is 10 mm/s of 1 m/s.
void check_falls(double restitution) {
  auto& p = fresh<Predictor<cube, float, Contacts<floor_plan, 8, Implicit>>>();
  static kinecast::Scene<cube, floor_plan, float> scene;
  Values<floor_plan> values = floor_plan;
  std::get<0>(values.surfaces)
      .materials.fill(kinecast::material(kinecast::friction(0.5), kinecast::restitution(restitution)));
  scene = built_scene<cube, floor_plan, float>(values);
  p.set_scene(scene);
  for (int n = 0; n < 20; n += kEffort < 100 ? 7 : 1) {
    assert_ok(p.reset(placed<cube, float>({0, 0, 0.1 + 0.005 * n / 20})));
    double impact = 0;
    double rebound = 0;
    double lowest = 1;
    for (int i = 0; i < 130; ++i) {
      assert_ok(p.step(nothing<cube, float>(), static_cast<float>(kDt)));
      impact = std::fmin(impact, static_cast<double>(p.state().dq[2]));
      rebound = std::fmax(rebound, static_cast<double>(p.state().dq[2]));
      lowest = std::fmin(lowest, static_cast<double>(p.state().q[2]));
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.02, restitution, rebound / -impact);
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0.05, lowest);  // the relaxation's share of a step's way
    for (int i = 0; i < 500; ++i) assert_ok(p.step(nothing<cube, float>(), static_cast<float>(kDt)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, static_cast<double>(p.state().dq[2]));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.05, static_cast<double>(p.state().q[2]));
  }
}
void test_falls() {
  check_falls(0);
  check_falls(0.5);
}

// Falls a little tilted, so that two corners rebound while the other two arrive: what the step brings is no more than the last one
// took. Each corner has its full rebound only where nobody else does.
void test_tilted_falls() {
  auto& p = fresh<Predictor<cube, float, Contacts<floor_plan, 8, Implicit>>>();
  static kinecast::Scene<cube, floor_plan, float> scene;
  Values<floor_plan> values = floor_plan;
  std::get<0>(values.surfaces).materials.fill(kinecast::material(kinecast::friction(0.2), kinecast::restitution(0.9)));
  scene = built_scene<cube, floor_plan, float>(values);
  p.set_scene(scene);
  Worst gained;
  for (int n = 1; n < 30; n += kEffort < 100 ? 7 : 1) {
    State<cube, float> start = placed<cube, float>({0, 0, 0.06}, {1e-3 * n, 2e-4 * n, 0});
    start.dq[2] = -1;
    assert_ok(p.reset(start));
    double last = 1e9;
    double before_last = 1e9;
    for (int i = 0; i < 60; ++i) {
      assert_ok(p.step(nothing<cube, float>(), static_cast<float>(kDt)));
      const State<cube, float>& s = p.state();
      double energy = 0.5 * kGravity * static_cast<double>(s.q[2]);
      for (int k = 0; k < 3; ++k)
        energy += 0.25 * static_cast<double>(s.dq[k]) * static_cast<double>(s.dq[k]) +
                  0.5 * (0.5 * 0.02 / 12) * static_cast<double>(s.dq[3 + k]) * static_cast<double>(s.dq[3 + k]);
      gained.see(std::fmax(0.0, energy - std::fmax(last, before_last)));
      before_last = last;
      last = energy;
    }
  }
  assert_below<float>(1e-4, gained, "tilted", "energy gained, J");
}

// A small cube that is fast: all of its corners are so near that an impact could bring them to the floor, but the lower four press,
// and no others, and four are what there is room for. Without friction it is stopped as it flew, upright.
inline constexpr auto die = robots::make_box(1e-3, 2e-3, 2e-3, 2e-3);
void test_room() {
  auto& p = fresh<Predictor<die, float, Contacts<floor_plan, 4, Implicit>>>();
  static kinecast::Scene<die, floor_plan, float> scene;
  Values<floor_plan> values = floor_plan;
  std::get<0>(values.surfaces).materials.fill(kinecast::material(kinecast::friction(0)));
  scene = built_scene<die, floor_plan, float>(values);
  p.set_scene(scene);
  State<die, float> start = placed<die, float>({0, 0, 4e-3});  // corners at 3 and 5 mm
  start.dq[0] = 4, start.dq[2] = -4.5F;
  assert_ok(p.reset(start));
  assert_ok(p.step(nothing<die, float>(), static_cast<float>(kDt)));
  TEST_ASSERT_EQUAL_INT(4, p.contact_report().count);
  TEST_ASSERT_DOUBLE_WITHIN(0.05, -3, static_cast<double>(p.state().dq[2]));  // 3 mm within the step, relaxed by 1e-2
  for (int i = 0; i < 3; ++i)
    TEST_ASSERT_DOUBLE_WITHIN(1, 0, static_cast<double>(p.state().dq[3 + i]));  // of 1500 rad/s

  // Past the floor, as near, nothing presses: there is nothing to solve.
  start.dq[2] = 0;
  assert_ok(p.reset(start));
  assert_ok(p.step(nothing<die, float>(), static_cast<float>(kDt)));
  TEST_ASSERT_EQUAL_INT(0, p.contact_report().count);
  TEST_ASSERT_EQUAL_INT(0, p.contact_report().passes);

  // All eight are below the floor: four are too many, and the step says so.
  assert_ok(p.reset(placed<die, float>({0, 0, -5e-3})));
  assert_status(Status::contacts_dropped, p.step(nothing<die, float>(), static_cast<float>(kDt)), "eight for four");
}

// ---- surfaces on links ------------------------------------------------------------------------------------------------------

// A hull that flies with two flaps, each of them a surface, and a tongue between them that both of them strike.
constexpr auto make_jaws() {
  using namespace kinecast;
  constexpr auto kFlap = body(0.5, com(0.1, 0.01, 0), inertia(5e-4, 2e-3, 2e-3));
  return robot(
      "jaws", gravity(0, 0, 0), link("hull", floating(), body(2, com(0.02, -0.01, 0.03), inertia(0.02, 0.03, 0.04))),
      link("upper", on("hull"), revolute({0, 0.8, 0.6}), at(0, 0, 0.1), kFlap),
      link("lower", on("hull"), revolute({0.28, 0.96, 0}), at(0, 0, -0.1), kFlap),
      link("tongue", on("hull"), revolute(kAxisY), at(0.02, 0, 0), kFlap),
      contact_point("left", on("tongue"), at(0.2, 0.05, 0)), contact_point("right", on("tongue"), at(0.2, -0.05, 0)),
      contact_point("tip", on("tongue"), at(0.25, 0, 0.01)));
}
inline constexpr auto jaws = make_jaws();
inline constexpr auto on_jaws = kinecast::environment(
    kinecast::half_space("roof", kinecast::on("upper"), kinecast::rpy(3.14159265358979, 0, 0),
                         kinecast::at(0, 0, -0.05), kRubber),
    kinecast::half_space("deck", kinecast::on("lower"), kinecast::rpy(0, 0.05, 0), kinecast::at(0, 0, 0.05), kRubber));

template <class S>
void check_jaws() {
  auto& p = fresh<Predictor<jaws, S, Contacts<on_jaws, 6, Implicit>>>();
  static Truth<jaws, 2> truth;
  truth = {};
  truth.material = kRubber;
  truth.ground[0] = {1, rotation_of(3.14159265358979, 0, 0), {{0, 0, -0.05}}, {}, {}, true};
  truth.ground[1] = {2, rotation_of(0, 0.05, 0), {{0, 0, 0.05}}, {}, {}, true};
  State<jaws, S> start = placed<jaws, S>({0, 0, 0}, {0.3, 0.2, -1});
  start.q[7] = S(-0.1), start.q[8] = S(0.1);
  start.dq << S(0.3), S(-0.2), S(0.1), S(0.5), S(0.4), S(-0.6), S(3), S(-2), S(0.5);
  assert_ok(p.reset(start));
  int both = 0;
  go<jaws, S>(p, truth, 400, [&](int) {
    Command<jaws, S> closing = nothing<jaws, S>();
    closing[6] = S(1), closing[7] = S(-0.9);
    bool touched[2] = {false, false};
    for (int c = 0; c < p.contact_report().count; ++c) touched[p.contact_report()[c].pair.surface] = true;
    both += touched[0] && touched[1] ? 1 : 0;
    return closing;
  });
  TEST_ASSERT_TRUE(both > 50 && truth.misfits.stuck > 50 && truth.misfits.slid > 5);
  check_misfits<S>(truth.misfits, kAllowed<S>, "jaws");
}
void test_surfaces_on_links() {
  check_jaws<float>();
  if constexpr (measure::kInDouble) check_jaws<double>();
}

// ---- solids -----------------------------------------------------------------------------------------------------------------

inline constexpr auto grain =
    kinecast::robot("grain",
                    kinecast::link("grain", kinecast::floating(),
                                   kinecast::body(0.1, kinecast::com(0, 0, 0), kinecast::inertia(1e-4, 1e-4, 1e-4))),
                    kinecast::contact_point("grain", kinecast::on("grain"), kinecast::at(0, 0, 0)));
inline constexpr auto block =
    kinecast::environment(kinecast::box("block", kinecast::at(0, 0, -0.05), kinecast::size(0.2, 0.2, 0.1), kRubber));

// The way of the last step says through which face a point came, not the nearest face: it is 1 mm from a side and 2 mm below the
// top, and flies downwards with 5 m/s. And a measurement that puts it beside the block, or below it, takes it off the top: there it
// falls freely.
void test_faces() {
  auto& p = fresh<Predictor<grain, float, Contacts<block, 2, Implicit>>>();
  const float dt = static_cast<float>(kDt);
  assert_ok(p.reset(placed<grain, float>({0, 0, 1})));
  assert_ok(p.step(nothing<grain, float>(), dt));
  State<grain, float> inside = placed<grain, float>({0.099, 0, -0.002});
  inside.dq[2] = -5;
  assert_ok(p.correct(inside));
  assert_ok(p.step(nothing<grain, float>(), dt));
  TEST_ASSERT_EQUAL_INT(1, p.contact_report().count);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1, static_cast<double>(p.contact_report()[0].normal.z));
  TEST_ASSERT_TRUE(p.state().dq[2] > 0);
  for (int i = 0; i < 100; ++i) assert_ok(p.step(nothing<grain, float>(), dt));  // it lies on the top
  TEST_ASSERT_EQUAL_INT(1, p.contact_report().count);
  const auto on_top = p.snapshot();
  State<grain, float> below = placed<grain, float>({0, 0, -0.1005});
  below.dq[2] = -1;
  assert_ok(p.correct(below));
  assert_ok(p.step(nothing<grain, float>(), dt));
  TEST_ASSERT_EQUAL_INT(0, p.contact_report().count);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, -1 - kGravity * kDt, static_cast<double>(p.state().dq[2]));
  p.restore(on_top);
  assert_ok(p.correct(placed<grain, float>({0.11, 0, -0.02})));
  assert_ok(p.step(nothing<grain, float>(), dt));
  TEST_ASSERT_EQUAL_INT(0, p.contact_report().count);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, -kGravity * kDt, static_cast<double>(p.state().dq[2]));
}

// ---- surfaces that move -----------------------------------------------------------------------------------------------------

inline constexpr auto fair =
    kinecast::environment(kinecast::half_space("table", kinecast::at(0, 0, -3), kRubber, kinecast::moves()));

// A turntable that goes away and upwards as well. The cube lies on it and is carried along; then it is pushed and slides.
template <class S>
void check_table() {
  auto& p = fresh<Predictor<cube, S, Contacts<fair, 8, Implicit>>>();
  static Truth<cube, 1> truth;
  truth = {};
  truth.material = kRubber;
  truth.moves = true;
  Ground& g = truth.ground[0];
  g.position = {{0.1, 0.2, 0.3}};
  g.linear = {{0.3, -0.1, 0.2}};
  g.angular = {{0, 0, 2}};
  assert_ok(p.reset(placed<cube, S>({0.3, 0.2, 0.352})));
  const SurfaceMotion<S> motion{{1, 0, 0, 0}, {S(0.1), S(0.2), S(0.3)}, {S(0.3), S(-0.1), S(0.2)}, {0, 0, 2}};
  assert_ok(p.move_surface(0, motion));
  go<cube, S>(p, truth, 500, [](int i) {
    Command<cube, S> push = nothing<cube, S>();
    if (i > 300 && i < 350) push[0] = S(3);
    return push;
  });
  TEST_ASSERT_TRUE(truth.misfits.stuck > 200 && truth.misfits.slid > 50 &&
                   truth.misfits.strained + truth.misfits.let_go > 0);
  Allowed allowed = kAllowed<S>;
  if constexpr (measure::kIsFloat<S>)
    allowed.normal = 5e-3;  // 500 roundings of the table's height, 1e-6 m, within a step
  check_misfits<S>(truth.misfits, allowed, "table");
}
// Nobody moved it: it stands where it was written.
void test_standing_table() {
  auto& p = fresh<Predictor<cube, float, Contacts<fair, 8, Implicit>>>();
  assert_ok(p.reset(placed<cube, float>({0.3, 0.2, -2.949})));
  for (int i = 0; i < 100; ++i) assert_ok(p.step(nothing<cube, float>(), static_cast<float>(kDt)));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, -2.95, static_cast<double>(p.state().q[2]));
  static const kinecast::Scene<cube, fair, float> scene = built_scene<cube, fair, float>(fair);
  p.set_scene(scene);
  for (int i = 0; i < 100; ++i) assert_ok(p.step(nothing<cube, float>(), static_cast<float>(kDt)));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, -2.95, static_cast<double>(p.state().q[2]));
}
void test_turntable() {
  check_table<float>();
  if constexpr (measure::kInDouble) check_table<double>();
}

}  // namespace

KINECAST_SUITE(points, test_cube, test_absolute_relaxation, test_fast_compensation, test_deep_inside, test_bouncing,
               test_new_scene, test_falls, test_tilted_falls, test_room, test_least_relaxation, test_walker,
               test_planar_arm, test_surfaces_on_links, test_faces, test_standing_table, test_turntable)

}  // namespace unit_points
