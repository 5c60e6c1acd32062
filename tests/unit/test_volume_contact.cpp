// SPDX-License-Identifier: MIT
// The laws of volume contact: rows and free motion against the dense reference, for every kind of joint and both bodies; wrenches
// in balance with the motion; momentum that two bodies exchange and nobody gains; the same motion in every frame.
#include "unity_main.hpp"
#include "volume_scenes.hpp"

namespace unit_volume_contact {
namespace {

using namespace touching;
using kinecast::conveyor;
using kinecast::SurfaceMotion;

constexpr double kDt = 1e-3;

template <class P, class V>
void step(P& p, const V& command) {
  using S = std::decay_t<decltype(p.state().q[0])>;
  assert_ok(p.step(command, static_cast<S>(kDt)));
}

// ---- rows and free motion against the dense reference ----------------------------------------------------------------------

// An arm of a hinge, a ball and a slide with a hand, beside a tray on a slide and a hinge of its own.
inline constexpr auto crane = robot(
    "crane", link("column", revolute(kAxisZ), at(0.1, 0, 0), body(2, com(0, 0.02, 0.1), inertia(0.02, 0.03, 0.02))),
    link("boom", on("column"), kinecast::spherical(), at(0, 0.05, 0.3), rpy(0.1, 0.2, 0.3),
         body(1, com(0.15, 0, 0.01), inertia(0.002, 0.01, 0.011))),
    link("jib", on("boom"), prismatic({0.8, 0, 0.6}), at(0.2, 0, 0),
         body(0.6, com(0.05, 0, 0), inertia(1e-3, 2e-3, 2e-3))),
    link("hand", on("jib"), revolute({0, 0.6, 0.8}), at(0.1, 0.02, 0), rpy(0.5, 0, 0),
         body(0.4, com(0, 0, 0.03), inertia(6e-4, 7e-4, 5e-4))),
    link("post", prismatic(kAxisZ), at(0.4, 0, 0), body(1.5, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
    link("tray", on("post"), revolute({1, 0, 0}), at(0, 0.1, 0.1), rpy(0, 0.3, 0),
         body(0.8, com(0, 0.1, 0), inertia(4e-3, 5e-3, 8e-3))));
// The tray is the first of the two that are on links: the hand is cut by it. The table moves.
inline constexpr auto workshop =
    environment(box("table", at(0.2, 0, 0), size(0.9, 0.9, 0.5), moves()),
                box("tray", on("tray"), at(0, 0.05, 0), rpy(0.2, 0, 0.4), size(0.7, 0.6, 0.2), conveyor(0.2, -0.1, 0)),
                box("hand", on("hand"), at(0.02, 0, 0.03), rpy(0, 0.7, 0), size(0.3, 0.25, 0.2)),
                kinecast::wedge("hook", on("hand"), at(-0.1, 0, 0), size(0.2, 0.2, 0.1)));

struct RowErrors {
  Worst map;       // A = Y Yᵀ against J M⁻¹ Jᵀ, relative to the largest mobilities of a force and of a moment
  Worst velocity;  // before the step, relative to the largest
  Worst free;      // at the end of the free step
  Worst sides;     // p0 and axes as the two bodies have them
  int contacts{0};
};

// Six rows per contact on two bodies, dense: v_n, w_1, w_2, v_1, v_2, w_n of A less those of B at p0.
struct DenseRows {
  dense::Vec p0;
  dense::Vec axes[3];  // n, t2, t3
  [[nodiscard]] static bool is_turn(int row) { return row == 1 || row == 2 || row == 5; }
  [[nodiscard]] const dense::Vec& axis(int row) const {
    return axes[row == 0 || row == 5 ? 0 : row == 1 || row == 3 ? 1 : 2];
  }
};

template <class S>
[[gnu::noinline]] RowErrors row_errors(int states) {
  constexpr int kMost = 4;
  constexpr int kDofs = kinecast::Shape<crane>::kDofs;
  constexpr std::size_t kRows = 6 * kMost;
  using Option = Contacts<workshop, kMost, WrenchPrograms<>>;
  using Work = typename Option::template Workspace<crane, S, 0>;
  static Work work;
  static typename Option::template Memory<crane, S> memory;
  static double J[kRows][static_cast<std::size_t>(kDofs)];
  static double solved[kRows][static_cast<std::size_t>(kDofs)];
  const auto& model = kinecast::model<crane, S>;
  const auto& scene = *Option::template scene<crane, S>();
  const S dt = static_cast<S>(kDt);
  auto& exact = checks::truth<crane>();
  auto& dynamics = checks::workspace<crane, S>();
  measure::Random random(11);
  checks::Sample<crane, S> s;
  RowErrors errors;
  for (int n = 0; n < states; ++n) {
    checks::draw(random, {}, s);
    memory = {};
    kinecast::place_moving_surfaces(scene, memory);
    SurfaceMotion<S>& table = memory.moving[0];
    checks::draw_quaternion(random, &table.turn.w);
    table.linear = {static_cast<S>(random.within(1)), static_cast<S>(random.within(1)),
                    static_cast<S>(random.within(1))};
    table.angular = {static_cast<S>(random.within(2)), static_cast<S>(random.within(2)),
                     static_cast<S>(random.within(2))};
    checks::Vel<crane, S> ddq = checks::unset<crane, S>();
    assert_ok((checks::forward<crane, S>(s.q, s.dq, s.tau, ddq)));
    kinecast::Effort<crane, S> effort;
    effort.torque = s.tau;
    const kinecast::DrivenInput<crane, S> in{model, s.q, s.dq, effort, dt, kinecast::Damping::implicit};
    const checks::Vel<crane, S> free_dq = s.dq + dt * ddq;
    kinecast::sweep_step_motion(model, dynamics, s.dq, free_dq, dt, work.motion);
    const kinecast::FreeStep<crane, S> step{in, ddq, free_dq, dynamics, &work.motion};
    const Status found = Option::template find<crane, S>(step, scene, memory, work);
    TEST_ASSERT_TRUE(kinecast::ok(found));
    auto& p = work.problem;
    const int count = p.count = work.list.count;
    if (count == 0) continue;
    kinecast::find_contact_columns(model, dynamics, work.motion, work.list, false, work.columns, p.bodies, p.g);
    p.rank = work.columns.rank;

    exact.place(s.q64);
    exact.find_acceleration(s.dq64, s.tau64, nullptr);
    exact.at.move(s.dq64, exact.force);
    double largest[2] = {0, 0};  // mobility of a force, of a moment
    for (int c = 0; c < count; ++c) {
      const auto& contact = work.list.contacts[static_cast<std::size_t>(c)];
      const kinecast::OwnerSide<S>* owner =
          contact.owner >= 0 ? &work.list.owners[static_cast<std::size_t>(c)] : nullptr;
      find_wrench_rows(contact, owner, work.columns, p.bodies, &p.Y[6 * c], &p.mobility[6 * c]);
      const auto world = [&](int link, const kinecast::ContactAxes<S>& a, const Vec3<S>& place) -> DenseRows {
        // From the body's frame through its link's: no link is fixed, so that each is a body.
        const auto& frame = kinecast::model<crane, double>.link_frames[static_cast<std::size_t>(link)];
        const dense::Mat turn = exact.at.rot[link] * transposed(dense::mat(frame.rotation));
        return {exact.at.pos[link] + turn * dense::vec(place.template cast<double>() - frame.position),
                {turn * dense::vec(a.n.template cast<double>()), turn * dense::vec(a.t2.template cast<double>()),
                 turn * dense::vec(a.t3.template cast<double>())}};
      };
      const DenseRows rows = world(contact.body, contact.axes, contact.place);
      if (owner != nullptr) {
        const DenseRows other = world(contact.owner, owner->axes, owner->place);
        for (int k = 0; k < 3; ++k) {
          errors.sides.see(rows.p0[k] - other.p0[k]);
          for (int a = 0; a < 3; ++a) errors.sides.see(rows.axes[a][k] - other.axes[a][k]);
        }
      }
      // Motions at p0, before the step and at the end of the free one.
      dense::Vec now[2]{};
      dense::Vec then[2]{};
      const auto add = [&](int link, double sign) {
        const dense::Vec r = rows.p0 - exact.at.pos[link];
        const dense::Vec& w = exact.at.w[link];
        const dense::Vec v = exact.at.v[link] + cross(w, r);
        const dense::Vec a = exact.at.acc[link] + cross(exact.at.alpha[link], r) + cross(w, cross(w, r));
        now[0] = now[0] + sign * v, now[1] = now[1] + sign * w;
        then[0] = then[0] + sign * (v + kDt * a), then[1] = then[1] + sign * (w + kDt * exact.at.alpha[link]);
      };
      add(contact.body, 1);
      // The belt on the tray runs, whichever side of the contact it is on.
      const auto& tray = std::get<1>(workshop.surfaces);
      const dense::Vec belt = exact.at.rot[5] * (dense::mat(tray.rotation) * dense::vec(tray.conveyor_mps));
      dense::Vec skin{};
      if (contact.pair.point == 1) skin = skin - belt;
      if (contact.pair.surface == 1) skin = skin + belt;
      if (contact.owner >= 0) {
        add(contact.owner, -1);
      } else {  // the table: its points go round their centre without being pushed
        const dense::Vec w = dense::vec(table.angular.template cast<double>());
        const dense::Vec r = rows.p0 - dense::vec(table.position.template cast<double>());
        skin = skin + dense::vec(table.linear.template cast<double>()) + cross(w, r);
        now[1] = now[1] - w;
        then[0] = then[0] - kDt * cross(w, cross(w, r)), then[1] = then[1] - w;
      }
      now[0] = now[0] - skin, then[0] = then[0] - skin;

      for (int row = 0; row < 6; ++row) {
        const bool is_turn = DenseRows::is_turn(row);
        const std::size_t at_row = static_cast<std::size_t>(6 * c + row);
        for (int i = 0; i < kDofs; ++i) J[at_row][i] = 0;
        const auto add_rows = [&](int link, double sign) {
          exact.at.jacobian(link, rows.p0, exact.jacobian);
          for (int i = 0; i < kDofs; ++i)
            for (int k = 0; k < 3; ++k)
              J[at_row][i] += sign * rows.axis(row)[k] * exact.jacobian[is_turn ? k : 3 + k][i];
        };
        add_rows(contact.body, 1);
        if (contact.owner >= 0) add_rows(contact.owner, -1);
        double mobility = 0;
        for (int i = 0; i < kDofs; ++i) solved[at_row][i] = J[at_row][i];
        dense::solve(exact.L, solved[at_row]);
        for (int i = 0; i < kDofs; ++i) mobility += J[at_row][i] * solved[at_row][i];
        largest[is_turn ? 1 : 0] = std::fmax(largest[is_turn ? 1 : 0], mobility);
        // Speeds of some m/s and rad/s on arms below a metre.
        const double speed = 3 + std::sqrt(dot(then[is_turn ? 1 : 0], then[is_turn ? 1 : 0]));
        errors.velocity.see(dot(rows.axis(row), now[is_turn ? 1 : 0]), static_cast<double>(contact.velocity[row]),
                            speed);
        double free = static_cast<double>(contact.drift[row]);
        for (int k = 0; k < p.rank; ++k) free += static_cast<double>(p.Y[at_row][k]) * static_cast<double>(p.g[k]);
        errors.free.see(dot(rows.axis(row), then[is_turn ? 1 : 0]), free, speed);
      }
      ++errors.contacts;
    }
    for (int r = 0; r < 6 * count; ++r) {
      for (int k = 0; k < 6 * count; ++k) {
        double expected = 0;
        double got = 0;
        for (int i = 0; i < kDofs; ++i) expected += J[r][i] * solved[k][i];
        for (int i = 0; i < p.rank; ++i) got += static_cast<double>(p.Y[r][i]) * static_cast<double>(p.Y[k][i]);
        errors.map.see(
            expected, got,
            std::sqrt(largest[DenseRows::is_turn(r % 6) ? 1 : 0] * largest[DenseRows::is_turn(k % 6) ? 1 : 0]));
      }
    }
  }
  return errors;
}
template <class S>
void check_rows() {
  const RowErrors errors = row_errors<S>(kEffort == 100 ? 1000 : 20);
  TEST_ASSERT_TRUE(errors.contacts > (kEffort == 100 ? 500 : 5));
  // Sums of some products of numbers that were turned from joint to joint, four of them to the hand: eps each, and tens of them
  // where A's factor divides by light links.
  assert_below<S>(64 * kEps<S>, errors.map, "rows", "A");
  assert_below<S>(16 * kEps<S>, errors.velocity, "rows", "velocity");
  assert_below<S>(64 * kEps<S>, errors.free, "rows", "free velocity");
  assert_below<S>(16 * kEps<S>, errors.sides, "rows", "p0 and axes on both bodies");
}
void test_rows_are_those_of_both_bodies() {
  check_rows<float>();
  if constexpr (kEffort == 100) check_rows<double>();
}

// The crane falls over tray and table, against some damping: M ddq + b = tau + Jᵀ W in every step.
inline constexpr auto yard =
    environment(box("table", at(0.35, 0, -0.45), size(2, 2, 0.5), material(friction(0.5, 0.3))),
                box("tray", on("tray"), at(0, 0.05, 0), rpy(0.2, 0, 0.4), size(0.7, 0.6, 0.2), conveyor(0.2, -0.1, 0)),
                box("hand", on("hand"), at(0.02, 0, 0.03), rpy(0, 0.7, 0), size(0.15, 0.12, 0.1)),
                kinecast::wedge("hook", on("hand"), at(-0.1, 0, 0), size(0.1, 0.1, 0.05)));
constexpr int kYardLinks[] = {-1, 5, 3, 3};
template <class S>
void check_crane() {
  auto& p = fresh<Predictor<crane, S, Contacts<yard, 3, Volume<>>>>();
  State<crane, S> start = zero_state<crane, S>();
  start.q[1] = S(1);      // of the ball's quaternion
  start.q[7] = S(-0.05);  // the post
  assert_ok(p.reset(start));
  Worst balance;
  int touched[4] = {};
  for (int i = 0; i < (kEffort == 100 ? 1500 : 200); ++i) {
    const State<crane, S> before = p.state();
    Command<crane, S> tau;
    for (int k = 0; k < tau.size(); ++k) tau[k] = S(-0.05) * before.dq[k];
    TEST_ASSERT_TRUE(kinecast::ok(p.step(tau, static_cast<S>(kDt))));
    const auto& report = p.contact_report();
    see_wrench_balance<crane, S>(before, p.state(), tau, static_cast<double>(static_cast<S>(kDt)), report, kYardLinks,
                                 balance);
    check_wrenches(report, kEps<S>, 1, 1e3);
    for (int c = 0; c < report.count; ++c)
      if (report[c].normal_N > S(0)) ++touched[report[c].pair.point];
  }
  TEST_ASSERT_TRUE_MESSAGE(touched[1] > 10 && touched[2] + touched[3] > (kEffort == 100 ? 10 : 0),
                           "tray and hand touch");
  assert_below<S>(kWrenchBalance<S>, balance, "crane", "M ddq + b - tau - Jt W");
}
void test_crane_in_balance() {
  check_crane<float>();
  if constexpr (kEffort == 100) check_crane<double>();
}

// ---- two bodies in space ------------------------------------------------------------------------------------------------------

// Cubes of 0.5 kg and 1 kg, whose angular momentum is kept by the integrator too, for their inertia is that of a ball.
inline constexpr auto dice = robot("dice", kinecast::gravity(0, 0, 0), cube_link("small"),
                                   link("large", floating(), body(1, com(0, 0, 0), inertia(0.0064, 0.0064, 0.0064))));
inline constexpr auto space = environment(box("small", on("small"), size(0.1, 0.1, 0.1), material(friction(0.4, 0.3))),
                                          box("large", on("large"), size(0.2, 0.2, 0.2), material(friction(0.4, 0.3))));

struct Momenta {
  dense::Vec linear;
  dense::Vec angular;  // about the world's origin
  double energy;
};
template <class S>
[[nodiscard]] Momenta momenta(const State<dice, S>& state) {
  constexpr double kMass[2] = {0.5, 1};
  constexpr double kInertia[2] = {1 / 1200.0, 0.0064};
  Momenta m{};
  for (int b = 0; b < 2; ++b) {
    const auto vector = [&](const auto& from, int first) -> dense::Vec {
      return {{static_cast<double>(from[first]), static_cast<double>(from[first + 1]),
               static_cast<double>(from[first + 2])}};
    };
    const dense::Vec x = vector(state.q, 7 * b);
    const dense::Vec v = vector(state.dq, 6 * b);
    const dense::Vec w = vector(state.dq, 6 * b + 3);
    m.linear = m.linear + kMass[b] * v;
    m.angular = m.angular + kMass[b] * cross(x, v) + kInertia[b] * w;
    m.energy += 0.5 * (kMass[b] * dot(v, v) + kInertia[b] * dot(w, w));
  }
  return m;
}

template <class S>
void check_collisions(int count) {
  auto& p = fresh<Predictor<dice, S, Contacts<space, 1, Volume<>>>>();
  measure::Random random(21);
  Worst linear;
  Worst angular;
  Worst gained;
  int touched = 0;
  for (int n = 0; n < count; ++n) {
    State<dice, S> start = zero_state<dice, S>();
    const auto draw = [&](double limit) -> Vec3<double> {
      return {random.within(limit), random.within(limit), random.within(limit)};
    };
    place(start, 0, Vec3<double>{-0.3, 0, 0} + draw(0.03), draw(1.5));
    place(start, 7, draw(0.02), draw(1.5));
    for (int i = 0; i < 12; ++i) start.dq[i] = static_cast<S>(random.within(i % 6 < 3 ? 0.2 : 3));
    start.dq[0] = S(1);
    assert_ok(p.reset(start));
    const Momenta before = momenta<S>(p.state());
    double energy = before.energy;
    for (int i = 0; i < 300; ++i) {
      TEST_ASSERT_TRUE(kinecast::ok(p.step(nothing<dice, S>(), static_cast<S>(kDt))));
      const auto& report = p.contact_report();
      check_wrenches(report, kEps<S>, 0.3, 1e3);
      touched += report.touching() ? 1 : 0;
      const Momenta now = momenta<S>(p.state());
      for (int k = 0; k < 3; ++k) {
        linear.see(now.linear[k] - before.linear[k]);
        angular.see(now.angular[k] - before.angular[k]);
      }
      gained.see(std::fmax(0.0, now.energy - energy));
      energy = now.energy;
    }
  }
  TEST_ASSERT_TRUE(touched > 10 * count);
  // 300 steps that round two velocities of 1 m/s, and of 10 rad/s of 0.0064 kg m².
  assert_below<S>(300 * 2 * kEps<S>, linear, "dice", "momentum, N s");
  assert_below<S>(300 * 2 * 0.1 * kEps<S>, angular, "dice", "angular momentum, N m s");
  // Depth is worked off by pushing: at most at k depth, some cm/s of the 10 N that such a contact carries, for a step.
  assert_small<S>(1e-4, gained, "dice", "energy gained, J");
}
void test_two_bodies_exchange_momentum() {
  check_collisions<float>(kEffort == 100 ? 100 : 3);
  if constexpr (kEffort == 100) check_collisions<double>(100);
}

// ---- the same in every frame --------------------------------------------------------------------------------------------------

// A cube tumbles over a table's edge; and all of it turned and elsewhere, gravity too.
constexpr double kRoll = 0.4;
constexpr double kPitch = -0.3;
constexpr double kYaw = 1.1;
constexpr kinecast::Mat3<double> kTurn = rpy(kRoll, kPitch, kYaw).rotation;
constexpr Vec3<double> kShift{3, -2, 1};
constexpr Vec3<double> kDown = kTurn * Vec3<double>{0, 0, -kGravity};
constexpr Vec3<double> kTable = kTurn * Vec3<double>{0.2, 0, -0.1} + kShift;
inline constexpr auto turned_brick = robot("brick", kinecast::gravity(kDown.x, kDown.y, kDown.z), cube_link("brick"));
inline constexpr auto table_edge =
    environment(box("table", at(0.2, 0, -0.1), size(1, 0.6, 0.2), material(friction(0.5, 0.3))),
                box("brick", on("brick"), size(0.1, 0.1, 0.1)));
inline constexpr auto turned_edge = environment(box("table", at(kTable.x, kTable.y, kTable.z), rpy(kRoll, kPitch, kYaw),
                                                    size(1, 0.6, 0.2), material(friction(0.5, 0.3))),
                                                box("brick", on("brick"), size(0.1, 0.1, 0.1)));

void test_every_frame_is_as_good() {
  auto& p = fresh<Predictor<brick, double, Contacts<table_edge, 1, Volume<>>>, 0>();
  auto& other = fresh<Predictor<turned_brick, double, Contacts<turned_edge, 1, Volume<>>>, 1>();
  State<brick, double> start = placed<brick, double>({0.1, 0.05, 0.1}, {0.3, 0.4, 0.1});
  start.dq << 1, 0.2, -0.5, 2, 5, -3;
  State<turned_brick, double> moved = zero_state<turned_brick, double>();
  const auto rotate = [](const auto& from, int first) {
    return kTurn * Vec3<double>{from[first], from[first + 1], from[first + 2]};
  };
  const kinecast::Quaternion<double> turn = kinecast::to_quaternion(kTurn);
  const auto times = [&](const auto& q) -> kinecast::Quaternion<double> {  // turn * q
    const Vec3<double> a{turn.x, turn.y, turn.z};
    const Vec3<double> b{q[4], q[5], q[6]};
    const Vec3<double> v = turn.w * b + q[3] * a + cross(a, b);
    return {turn.w * q[3] - dot(a, b), v.x, v.y, v.z};
  };
  const auto store = [](const Vec3<double>& v, auto& to, int first) {
    to[first] = v.x, to[first + 1] = v.y, to[first + 2] = v.z;
  };
  store(rotate(start.q, 0) + kShift, moved.q, 0);
  const auto q0 = times(start.q);
  moved.q[3] = q0.w, moved.q[4] = q0.x, moved.q[5] = q0.y, moved.q[6] = q0.z;
  store(rotate(start.dq, 0), moved.dq, 0), store(rotate(start.dq, 3), moved.dq, 3);
  assert_ok(p.reset(start));
  assert_ok(other.reset(moved));
  Worst position;
  Worst force;
  int touched = 0;
  for (int i = 0; i < (kEffort == 100 ? 250 : 40); ++i) {
    step(p, nothing<brick, double>());
    step(other, nothing<turned_brick, double>());
    const Vec3<double> x = rotate(p.state().q, 0) + kShift;
    position.see(x.x - other.state().q[0]), position.see(x.y - other.state().q[1]),
        position.see(x.z - other.state().q[2]);
    TEST_ASSERT_EQUAL_INT(p.contact_report().count, other.contact_report().count);
    if (p.contact_report().count == 0) continue;
    ++touched;
    const Vec3<double> difference = kTurn * p.contact_report()[0].force_N - other.contact_report()[0].force_N;
    force.see(std::sqrt(dot(difference, difference)));
  }
  TEST_ASSERT_TRUE(touched > (kEffort == 100 ? 60 : 1));
  // Coordinates of 4 m carry 4e-16; a landing corner makes 1e4 of it in its volume, and a tumbling cube loses a digit per bounce.
  assert_small<double>(1e-9, position, "frames", "position, m");
  assert_small<double>(1e-4, force, "frames", "force, N");
}

}  // namespace

KINECAST_SUITE(volume_contact, test_rows_are_those_of_both_bodies, test_crane_in_balance,
               test_two_bodies_exchange_momentum, test_every_frame_is_as_good)

}  // namespace unit_volume_contact
