// SPDX-License-Identifier: MIT
// The answer to impulses against the dense J M⁻¹ Jᵀ, and against what no formula is needed for: a robot that floats takes up the
// impulse as momentum, and the energy changes by p.u + p.Kp / 2. For any robot; the tests that call this know the limits.
#pragma once

#include <kinecast/dynamics/impulse_response.hpp>

#include "../robots/arm6.hpp"
#include "bad_input.hpp"

namespace impulses {

using checks::assert_ok;
using checks::Place;
using kinecast::Force;
using kinecast::Mat3;
using kinecast::PointImpulse;
using kinecast::PointOnBody;
using kinecast::Shape;
using kinecast::Status;
using kinecast::Sym3;
using kinecast::Vec3;
using measure::kEps;
using measure::Random;
using measure::Worst;

constexpr int kStates = measure::kEffort;

// Two points that meet.
struct Pair {
  Place a;
  Place b;
};

// A joint that is held, by body; -1: none.
constexpr int kNone = -1;

template <class S>
[[nodiscard]] Vec3<S> draw(Random& random, double size) noexcept {
  const double x = random.within(size);
  const double y = random.within(size);
  return {static_cast<S>(x), static_cast<S>(y), static_cast<S>(random.within(size))};
}
template <class S>
[[nodiscard]] dense::Vec to_dense(const Vec3<S>& v) noexcept {
  return dense::vec(v.template cast<double>());
}
template <class S>
[[nodiscard]] Vec3<double> column(const Mat3<S>& m, int j) noexcept {
  const Mat3<double> t = transpose(m.template cast<double>());
  return j == 0 ? t.row_x : j == 1 ? t.row_y : t.row_z;
}
template <class S>
[[nodiscard]] Mat3<double> full(const Sym3<S>& m) noexcept {
  const Sym3<double> k = m.template cast<double>();
  return {{k.xx, k.xy, k.xz}, {k.xy, k.yy, k.yz}, {k.xz, k.yz, k.zz}};
}

// The rows of a point's velocity, and M⁻¹ of them.
template <const auto& R>
struct Rows {
  static constexpr std::size_t kDofSize = checks::Truth<R>::kDofSize;
  static constexpr int kDofs = checks::Truth<R>::kDofs;
  dense::Vec point;
  double J[3][kDofSize];
  double solved[3][kDofSize];

  // Without the degree of freedom `held`.
  void find(checks::Truth<R>& exact, const Place& place, int held) noexcept {
    point = exact.at.point(place.link, place.in_link);
    exact.at.jacobian(place.link, point, exact.jacobian);
    for (int r = 0; r < 3; ++r) {
      for (int i = 0; i < kDofs; ++i) J[r][i] = solved[r][i] = i == held ? 0 : exact.jacobian[3 + r][i];
      dense::solve(exact.L, solved[r]);
    }
  }
};
template <const auto& R, int Number>
[[nodiscard]] Rows<R>& rows() noexcept {
  static Rows<R> one;
  return one;
}
// J M⁻¹ Jᵀ of two points.
template <const auto& R>
[[nodiscard]] dense::Mat product(const Rows<R>& left, const Rows<R>& right) noexcept {
  dense::Mat out{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < Rows<R>::kDofs; ++k) out[i][j] += left.J[i][k] * right.solved[j][k];
  return out;
}
[[nodiscard]] inline double largest(const dense::Mat& m) noexcept {
  double size = 0;
  for (int i = 0; i < 3; ++i) size = std::fmax(size, m[i][i]);
  return size;
}
inline void compare(const dense::Mat& expected, const Mat3<double>& got, double scale, Worst& worst) noexcept {
  const dense::Mat m = dense::mat(got);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) worst.see(expected[i][j], m[i][j], scale);
}

// Inward sweep with one joint held still: as a drive that sticks does it, here on any robot.
template <const auto& R, class S>
struct HoldOne {
  static constexpr bool kIsPlain = false;
  int held;
  [[nodiscard]] static S torque(int /*v*/) noexcept { return S(0); }
  [[nodiscard]] kinecast::JointAction<S> act(int body, int /*v*/, S /*inertia*/, S /*load*/) const noexcept {
    kinecast::JointAction<S> action{};
    action.held = body == held;
    return action;
  }
  static void carry(int /*body*/, S /*torque*/) noexcept {}
};

template <const auto& R, class S>
struct Robot {
  checks::Sample<R, S> s;
  kinecast::Kinematics<R, S> poses;
  kinecast::Workspace<R, S>& work = checks::workspace<R, S>();
  checks::Truth<R>& exact = checks::truth<R>();

  // A random state: the library's factors, and the dense ones.
  [[gnu::noinline]] void draw(Random& random, int held) noexcept {
    checks::draw(random, {}, s);
    assert_ok((checks::kinematics<R, S>(s.q, s.dq, poses)));
    exact.place(s.q64);
    checks::Vel<R, S> ddq;
    assert_ok((checks::forward<R, S>(s.q, s.dq, s.tau, ddq)));
    exact.factor_mass_matrix();
    if (held == kNone) return;
    const HoldOne<R, S> source{held};
    TEST_ASSERT_TRUE(
        kinecast::detail::sweep_inward(kinecast::detail::WholeTree<R, S>{kinecast::model<R, S>}, source, work));
    const int v = Shape<R>::v_of(held);
    for (int i = 0; i < exact.kDofs; ++i)
      for (int j = 0; j < exact.kDofs; ++j) exact.L[i][j] = i == v || j == v ? (i == j ? 1 : 0) : exact.at.M[i][j];
    TEST_ASSERT_TRUE(dense::factor(exact.L));
  }
};
template <const auto& R, class S>
[[nodiscard]] Robot<R, S>& robot() noexcept {
  static Robot<R, S> one;
  return one;
}
template <const auto& R, class S>
[[nodiscard]] PointOnBody<S> library_point(const Place& place) noexcept {
  const dense::Vec& p = place.in_link;
  return kinecast::point_on_link(
      kinecast::model<R, S>, place.link,
      kinecast::Vector<S, 3>(static_cast<S>(p[0]), static_cast<S>(p[1]), static_cast<S>(p[2])));
}

struct Errors {
  Worst matrix;    // K of a point in world, body and given axes, and of a pair; relative to the largest diagonal entry
  Worst coupling;  // J_a M⁻¹ J_bᵀ, relative to that of K
  Worst response;  // M⁻¹ Jᵀ p, relative to what its components do
  Worst negative;  // how far x.Kx lies below zero for unit x
};

template <const auto& R, class S>
[[gnu::noinline]] void compare_matrices(Random& random, const Pair& pair, const Rows<R>& a, const Rows<R>& b,
                                        Errors& worst) noexcept {
  const auto& model = kinecast::model<R, S>;
  Robot<R, S>& one = robot<R, S>();
  const PointOnBody<S> at_a = library_point<R, S>(pair.a);
  const PointOnBody<S> at_b = library_point<R, S>(pair.b);
  const dense::Mat of_a = product(a, a);
  const double size_a = largest(of_a) > 0 ? largest(of_a) : 1;  // what cannot move has none

  Sym3<S> K{};
  assert_ok(collision_matrix(model, one.work, one.poses, at_a, K));
  compare(of_a, full(K), size_a, worst.matrix);
  const Mat3<S> to_world = one.poses.pose(at_a.body).rotation;
  assert_ok(collision_matrix(model, one.work, at_a, K));
  compare(of_a, to_world.template cast<double>() * full(K) * transpose(to_world.template cast<double>()), size_a,
          worst.matrix);
  const Mat3<S> axes{draw<S>(random, 0.5), draw<S>(random, 0.5), draw<S>(random, 0.5)};
  assert_ok(collision_matrix(model, one.work, at_a, axes, K));
  const Mat3<double> seen = axes.template cast<double>() * transpose(to_world.template cast<double>());
  compare(dense::mat(seen) * of_a * dense::transposed(dense::mat(seen)), full(K), size_a, worst.matrix);

  const dense::Mat of_b = product(b, b);
  const dense::Mat across = product(b, a);
  const double size = largest(of_a) + largest(of_b);
  dense::Mat of_both{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) of_both[i][j] = of_a[i][j] + of_b[i][j] - across[i][j] - across[j][i];
  assert_ok(collision_matrix(model, one.work, one.poses, at_a, at_b, K));
  compare(of_both, full(K), size, worst.matrix);
  for (int trial = 0; trial < 3; ++trial) {
    const Vec3<double> x = draw<double>(random, 1);
    const double power = dot(x, full(K) * x);
    if (power < 0) worst.negative.see(power / (size * dot(x, x)));
  }
  // The other way round both forces change sign, and nothing else does.
  Sym3<S> mirrored{};
  assert_ok(collision_matrix(model, one.work, one.poses, at_b, at_a, mirrored));
  compare(dense::mat(full(K)), full(mirrored), size, worst.matrix);

  Mat3<S> block{};
  assert_ok(impulse_coupling(model, one.work, one.poses, at_b, at_a, block));
  compare(across, block.template cast<double>(), size, worst.coupling);
  assert_ok(impulse_coupling(model, one.work, one.poses, at_a, at_b, block));
  compare(dense::transposed(across), block.template cast<double>(), size, worst.coupling);
}

// A velocity change as a sum of those by single components, and how large these are: they may cancel.
template <const auto& R>
struct Sum {
  double value[Rows<R>::kDofSize];
  double size[Rows<R>::kDofSize];

  void add(const double (&column)[Rows<R>::kDofSize], double along) noexcept {
    for (int i = 0; i < Rows<R>::kDofs; ++i) {
      value[i] += column[i] * along;
      size[i] += std::abs(column[i] * along);
    }
  }
  void add(const Rows<R>& point, const dense::Vec& along) noexcept {
    for (int k = 0; k < 3; ++k) add(point.solved[k], along[k]);
  }
  template <class V>
  void compare(const V& got, Worst& worst) const noexcept {
    const double scale = measure::largest(size, Rows<R>::kDofs);
    for (int i = 0; i < Rows<R>::kDofs; ++i) worst.see(value[i], static_cast<double>(got[i]), scale > 0 ? scale : 1);
  }
};

template <const auto& R, class S>
[[gnu::noinline]] void compare_responses(Random& random, const Pair& pair, const Rows<R>& a, const Rows<R>& b, int held,
                                         Errors& worst) noexcept {
  const auto& model = kinecast::model<R, S>;
  Robot<R, S>& one = robot<R, S>();
  const PointOnBody<S> at_a = library_point<R, S>(pair.a);
  const PointOnBody<S> at_b = library_point<R, S>(pair.b);
  const Vec3<S> p = draw<S>(random, 2);
  const Vec3<S> r = draw<S>(random, 2);
  checks::Vel<R, S> change = checks::unset<R, S>();

  Sum<R> expected{};
  expected.add(a, to_dense(p));
  assert_ok(impulse_response(model, one.work, one.poses, at_a, p, change));
  expected.compare(change, worst.response);

  // Both, and one on the world; a fourth does not count.
  expected.add(b, to_dense(r));
  const std::array<PointImpulse<S>, 4> all{{{at_a, p}, {{kinecast::kWorld, {}}, p}, {at_b, r}, {at_a, r}}};
  change = checks::unset<R, S>();
  assert_ok(impulse_response(model, one.work, one.poses, all, 3, change));
  expected.compare(change, worst.response);

  // Moment and force at the origin of a body's frame, body axes.
  const int link = pair.a.link < 0 ? 0 : pair.a.link;
  const int body = Shape<R>::body_of_link(link);
  const kinecast::Placement<S> pose = one.poses.pose(body);
  expected = {};
  for (int k = 0; k < 6; ++k) {
    const dense::Vec axis = dense::vec(column(pose.rotation, k % 3));
    double unit[Rows<R>::kDofSize] = {};
    one.exact.at.add_force(link, to_dense(pose.position), k < 3 ? dense::Vec{} : axis, k < 3 ? axis : dense::Vec{},
                           unit);
    if (held != kNone) unit[Shape<R>::v_of(held)] = 0;
    dense::solve(one.exact.L, unit);
    expected.add(unit, to_dense(k < 3 ? r : p)[k % 3]);
  }
  change = checks::unset<R, S>();
  assert_ok(impulse_response(model, one.work, body, Force<S>{r, p}, change));
  expected.compare(change, worst.response);
}

struct Limits {
  double matrix;
  double response;
};

template <const auto& R, class S, std::size_t Count>
[[gnu::noinline]] void check(const char* name, int states, const std::array<Pair, Count>& pairs, const Limits& limits,
                             int held = kNone) noexcept {
  Rows<R>& a = rows<R, 0>();
  Rows<R>& b = rows<R, 1>();
  Random random(61);
  Errors worst;
  for (int n = 0; n < states; ++n) {
    robot<R, S>().draw(random, held);
    const Pair& pair = pairs[static_cast<std::size_t>(n) % Count];
    const int v = held == kNone ? kNone : Shape<R>::v_of(held);
    a.find(robot<R, S>().exact, pair.a, v);
    b.find(robot<R, S>().exact, pair.b, v);
    compare_matrices<R, S>(random, pair, a, b, worst);
    compare_responses<R, S>(random, pair, a, b, held, worst);
  }
  using measure::assert_below;
  assert_below<S>(limits.matrix, worst.matrix, name, "collision matrix");
  assert_below<S>(limits.matrix, worst.coupling, name, "coupling of two points");
  assert_below<S>(limits.response, worst.response, name, "velocity change");
  assert_below<S>(4 * kEps<S>, worst.negative, name, "negative part of K");  // squares, added up
}

// What the robot takes up, by masses and velocities of its links alone, about the world's origin.
template <const auto& R>
void find_momentum(checks::Truth<R>& exact, const double* dq, dense::Vec& linear, dense::Vec& angular) noexcept {
  exact.at.move(dq, nullptr);
  linear = angular = dense::Vec{};
  for (int i = 0; i < R.kLinks; ++i) {
    const dense::Vec com = exact.at.com(i);
    const dense::Vec own = R.link(i).mass_kg * (exact.at.v[i] + cross(exact.at.w[i], com - exact.at.pos[i]));
    linear = linear + own;
    angular = angular + cross(com, own) + exact.at.inertia(i) * exact.at.w[i];
  }
}

// Floating robots: the impulse, and its moment, become momentum. Errors relative to the impulse, per metre for the moment.
template <const auto& R, class S, std::size_t Count>
[[gnu::noinline]] void check_momentum(const char* name, const std::array<Pair, Count>& pairs, double limit) noexcept {
  Random random(62);
  Worst worst;
  Robot<R, S>& one = robot<R, S>();
  for (int n = 0; n < kStates; ++n) {
    one.draw(random, kNone);
    const Place& place = pairs[static_cast<std::size_t>(n) % Count].a;
    const PointOnBody<S> point = library_point<R, S>(place);
    if (point.body == kinecast::kWorld) continue;
    const Vec3<S> p = draw<S>(random, 2);
    checks::Vel<R, S> change = checks::unset<R, S>();
    assert_ok(impulse_response(kinecast::model<R, S>, one.work, one.poses, point, p, change));
    for (int i = 0; i < one.s.kDofs; ++i) one.s.dq64[i] = static_cast<double>(change[i]);
    dense::Vec linear{};
    dense::Vec angular{};
    find_momentum(one.exact, one.s.dq64, linear, angular);
    const dense::Vec given = to_dense(p);
    const dense::Vec moment = cross(one.exact.at.point(place.link, place.in_link), given);
    const double size = std::sqrt(dot(given, given));
    for (int k = 0; k < 3; ++k) {
      worst.see(given[k], linear[k], size);
      worst.see(moment[k], angular[k], size);
    }
  }
  measure::assert_below<S>(limit, worst, name, "momentum");
}
// A collision of two of the robot's own points: +p on a, -p on b. The energy of all masses changes by p.u + p.Kp / 2, u being the
// relative velocity before. Relative to the sums that the change of energy is made of.
template <const auto& R, class S, std::size_t Count>
[[gnu::noinline]] void check_energy(const char* name, const std::array<Pair, Count>& pairs, double limit) noexcept {
  constexpr int kDofs = Rows<R>::kDofs;
  Random random(63);
  Worst worst;
  Robot<R, S>& one = robot<R, S>();
  const auto& model = kinecast::model<R, S>;
  for (int n = 0; n < kStates; ++n) {
    one.draw(random, kNone);
    const Pair& pair = pairs[static_cast<std::size_t>(n) % Count];
    const PointOnBody<S> a = library_point<R, S>(pair.a);
    const PointOnBody<S> b = library_point<R, S>(pair.b);
    const Vec3<S> p = draw<S>(random, 2);
    checks::Vel<R, S> change = checks::unset<R, S>();
    const std::array<PointImpulse<S>, 2> both{{{a, p}, {b, -p}}};
    assert_ok(impulse_response(model, one.work, one.poses, both, 2, change));
    Sym3<S> K{};
    assert_ok(collision_matrix(model, one.work, one.poses, a, b, K));
    const kinecast::Vector<S, 3> u = point_velocity(one.poses, a) - point_velocity(one.poses, b);
    const Vec3<double> along = p.template cast<double>();
    const double expected =
        dot(along, kinecast::to_vec3(u).template cast<double>()) + 0.5 * dot(along, full(K) * along);
    double gained = 0;
    double size = 0;
    for (int i = 0; i < kDofs; ++i) {
      for (int j = 0; j < kDofs; ++j) {
        const double mean = one.s.dq64[j] + 0.5 * static_cast<double>(change[j]);
        const double term = static_cast<double>(change[i]) * one.exact.at.M[i][j] * mean;
        gained += term;
        size += std::abs(term);
      }
    }
    worst.see(expected, gained, size);
  }
  measure::assert_below<S>(limit, worst, name, "energy");
}
// A point against itself does not move, the world does not yield; both to the bit.
template <const auto& R, class S>
[[gnu::noinline]] void check_nothing(const Place& place) noexcept {
  Random random(65);
  const auto& model = kinecast::model<R, S>;
  Robot<R, S>& one = robot<R, S>();
  one.draw(random, kNone);
  const PointOnBody<S> point = library_point<R, S>(place);
  const PointOnBody<S> wall{kinecast::kWorld, {S(1), S(2), S(3)}};
  const auto is_zero = [](const Sym3<S>& K) {
    const Mat3<double> m = full(K);
    const Vec3<double> sum = m.row_x + m.row_y + m.row_z;
    return dot(sum, sum) <= 0 && K.xx <= 0 && K.yy <= 0 && K.zz <= 0;
  };
  Sym3<S> K{S(1), S(1), S(1), S(1), S(1), S(1)};
  assert_ok(collision_matrix(model, one.work, one.poses, point, point, K));
  TEST_ASSERT_TRUE(is_zero(K));
  K.xx = S(1);
  assert_ok(collision_matrix(model, one.work, wall, K));
  TEST_ASSERT_TRUE(is_zero(K));
  K.xx = S(1);
  assert_ok(collision_matrix(model, one.work, one.poses, wall, K));
  TEST_ASSERT_TRUE(is_zero(K));
  K.xx = S(1);
  assert_ok(collision_matrix(model, one.work, one.poses, wall, wall, K));
  TEST_ASSERT_TRUE(is_zero(K));
  Mat3<S> block = kinecast::kIdentity3<S>;
  assert_ok(impulse_coupling(model, one.work, one.poses, point, wall, block));
  TEST_ASSERT_TRUE(dot(block.row_x + block.row_y + block.row_z, {S(1), S(1), S(1)}) <= S(0) && block.row_x.x <= S(0));
  checks::Vel<R, S> change = checks::unset<R, S>();
  assert_ok(
      impulse_response(model, one.work, kinecast::kWorld, Force<S>{{S(1), S(2), S(3)}, {S(4), S(5), S(6)}}, change));
  TEST_ASSERT_TRUE(change.squaredNorm() <= S(0));
  change = checks::unset<R, S>();
  assert_ok(impulse_response(model, one.work, one.poses, std::array<PointImpulse<S>, 1>{}, 0, change));
  TEST_ASSERT_TRUE(change.squaredNorm() <= S(0));
}
// ---- bad input --------------------------------------------------------------------------------------------------------

using bad_input::assert_status;

// All calls with these arguments; those that have the spoilt one answer `expected` and touch nothing.
template <class S>
struct Arguments {
  PointOnBody<S> a;
  PointOnBody<S> b;
  Vec3<S> impulse;
  Mat3<S> axes;
};
enum Spoilt : unsigned { point_a = 1, point_b = 2, push = 4, directions = 8, everything = 15 };

template <const auto& R, class S>
[[gnu::noinline]] void expect(Status expected, Spoilt spoilt, const Arguments<S>& in, const char* what) noexcept {
  const auto& model = kinecast::model<R, S>;
  Robot<R, S>& one = robot<R, S>();
  Sym3<S> K;
  Mat3<S> block;
  checks::Vel<R, S> change;
  const auto judge = [&](unsigned takes, Status status, bool untouched) {
    const bool refuses = (takes & spoilt) != 0;
    assert_status(refuses ? expected : Status::ok, status, what);
    TEST_ASSERT_TRUE_MESSAGE(untouched == refuses, what);
  };
  bad_input::fill(K);
  Status status = collision_matrix(model, one.work, in.a, K);
  judge(point_a, status, bad_input::is_filled(K));
  bad_input::fill(K);
  status = collision_matrix(model, one.work, in.a, in.axes, K);
  judge(point_a | directions, status, bad_input::is_filled(K));
  bad_input::fill(K);
  status = collision_matrix(model, one.work, one.poses, in.a, K);
  judge(point_a, status, bad_input::is_filled(K));
  bad_input::fill(K);
  status = collision_matrix(model, one.work, one.poses, in.a, in.b, K);
  judge(point_a | point_b, status, bad_input::is_filled(K));
  bad_input::fill(K);
  status = collision_matrix(model, one.work, one.poses, in.a, model, one.work, one.poses, in.b, K);
  judge(point_a | point_b, status, bad_input::is_filled(K));
  bad_input::fill(block);
  status = impulse_coupling(model, one.work, one.poses, in.a, in.b, block);
  judge(point_a | point_b, status, bad_input::is_filled(block));
  bad_input::fill(change);
  status = impulse_response(model, one.work, one.poses, in.a, in.impulse, change);
  judge(point_a | push, status, bad_input::is_filled(change));
  bad_input::fill(change);
  const std::array<PointImpulse<S>, 2> two{{{in.b, {S(1), S(1), S(1)}}, {in.a, in.impulse}}};
  status = impulse_response(model, one.work, one.poses, two, 2, change);
  judge(point_a | point_b | push, status, bad_input::is_filled(change));
  bad_input::fill(change);
  status = impulse_response(model, one.work, in.a.body, Force<S>{{S(1), S(1), S(1)}, in.impulse}, change);
  const bool bad_body = expected == Status::index_out_of_range || expected == Status::not_ready;
  judge((bad_body ? point_a : 0U) | push, status, bad_input::is_filled(change));
  bad_input::fill(change);
  status = impulse_response(model, one.work, in.a.body, Force<S>{in.impulse, {S(1), S(1), S(1)}}, change);
  judge((bad_body ? point_a : 0U) | push, status, bad_input::is_filled(change));
}

template <const auto& R, class S>
[[gnu::noinline]] void check_bad_input() noexcept {
  Random random(66);
  Robot<R, S>& one = robot<R, S>();
  one.draw(random, kNone);
  const int last = Shape<R>::kBodies - 1;
  const Arguments<S> good{
      {last, {S(0.1), S(0.2), S(0.3)}}, {0, {S(0.1), S(0), S(0)}}, {S(1), S(2), S(3)}, kinecast::kIdentity3<S>};
  const auto spoil = [&](S bad, Status expected, const char* what) {
    Arguments<S> in = good;
    for (S* entry : {&in.a.position.x, &in.a.position.y, &in.a.position.z}) {
      const S kept = *entry;
      *entry = bad, expect<R, S>(expected, point_a, in, what), *entry = kept;
    }
    for (S* entry : {&in.b.position.x, &in.b.position.y, &in.b.position.z}) {
      const S kept = *entry;
      *entry = bad, expect<R, S>(expected, point_b, in, what), *entry = kept;
    }
    for (S* entry : {&in.impulse.x, &in.impulse.y, &in.impulse.z}) {
      const S kept = *entry;
      *entry = bad, expect<R, S>(expected, push, in, what), *entry = kept;
    }
    for (S* entry : {&in.axes.row_x.x, &in.axes.row_x.y, &in.axes.row_y.z, &in.axes.row_z.y}) {
      const S kept = *entry;
      *entry = bad, expect<R, S>(expected, directions, in, what), *entry = kept;
    }
  };
  using Numbers = std::numeric_limits<S>;
  spoil(Numbers::quiet_NaN(), Status::non_finite_input, "NaN");
  spoil(Numbers::infinity(), Status::non_finite_input, "infinity");
  spoil(-Numbers::infinity(), Status::non_finite_input, "-infinity");
  spoil(S(1e12), Status::input_out_of_range, "1e12");
  for (const int body : {-2, last + 1, 30000, -30000}) {
    Arguments<S> in = good;
    in.a.body = body;
    expect<R, S>(Status::index_out_of_range, point_a, in, "no such body");
    in = good;
    in.b.body = body;
    expect<R, S>(Status::index_out_of_range, point_b, in, "no such body");
  }
  checks::Vel<R, S> change;
  bad_input::fill(change);
  const std::array<PointImpulse<S>, 2> two{};
  for (const int count : {-1, 3})
    assert_status(Status::index_out_of_range,
                  impulse_response(kinecast::model<R, S>, one.work, one.poses, two, count, change), "count");
  TEST_ASSERT_TRUE(bad_input::is_filled(change));
  one.work.swept = false;
  expect<R, S>(Status::not_ready, everything, good, "no sweep");
}
// Limits of arms as in the test of the contact map, which has the same factors (test_dynamics_arm). There all is relative to
// the most mobile point; here K of a point at the shoulder stands alone, and its 1/D is what freeing five joints leaves of the
// whole arm's inertia: some tens of eps.
template <class S>
constexpr double kArm = measure::bound<S>(2e-6, 1e-12);
template <class S>
constexpr double kShoulder = measure::bound<S>(40 * kEps<float>, 1e-12);
template <class S>
constexpr Limits kArmLimits{kShoulder<S>, kShoulder<S>};

// The flange and the upper arm, the forearm, the shoulder, the world; and two points of one link.
constexpr std::array<Pair, 5> kArmPairs{{{{5, {{0.04, 0.0823, 0.04}}}, {1, {{0, 0.1, 0.2}}}},
                                         {{5, {{-0.04, 0.0823, 0.04}}}, {2, {{0.05, 0, 0.3}}}},
                                         {{0, {{0.1, 0, 0.1}}}, {5, {{0, 0.1, 0}}}},
                                         {{5, {{0, 0.0823, 0}}}, {-1, {{0.3, 0.2, 0.1}}}},
                                         {{4, {{0.1, 0, 0}}}, {4, {{0, 0.1, 0.1}}}}}};

}  // namespace impulses
