// SPDX-License-Identifier: MIT
// Each structured transform of the spatial algebra against the dense 6x6 formula of the textbook: V_child = X V,
// F = Xᵀ F_child, I = Xᵀ I_child X, and the projections against I - U Uᵀ / D.
#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/math/spatial.hpp>

#include "../support/dense_reference.hpp"
#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_spatial {
namespace {

using measure::assert_below;
using measure::kEps;
using measure::Random;
using measure::Worst;

constexpr int kTrials = 5 * measure::kEffort;
// Numbers of order one, at most a few dozen operations each.
template <class S>
constexpr double kRounding = 30 * kEps<S>;

struct Matrix6 {
  double at[6][6];
};
struct Vector6 {
  double at[6];
};
Matrix6 operator*(const Matrix6& a, const Matrix6& b) {
  Matrix6 out{};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) out.at[i][j] += a.at[i][k] * b.at[k][j];
  return out;
}
Matrix6 transposed(const Matrix6& a) {
  Matrix6 out{};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) out.at[i][j] = a.at[j][i];
  return out;
}
Vector6 operator*(const Matrix6& a, const Vector6& x) {
  Vector6 out{};
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) out.at[i] += a.at[i][k] * x.at[k];
  return out;
}

// [ E 0; -E [r x] E ]: E turns parent axes into child axes, r is the child's origin in the parent (method 1.1).
Matrix6 motion_transform(const dense::Mat& child_to_parent, const dense::Vec& r) {
  const dense::Mat E = dense::transposed(child_to_parent);
  const dense::Mat rx{{{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}}};
  const dense::Mat Erx = E * rx;
  Matrix6 X{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      X.at[i][j] = X.at[i + 3][j + 3] = E[i][j];
      X.at[i + 3][j] = -Erx[i][j];
    }
  }
  return X;
}

template <class S>
S number(Random& random) {
  return static_cast<S>(random.within(1));
}
template <class S>
kinecast::Vec3<S> vector(Random& random) {
  const S x = number<S>(random);
  const S y = number<S>(random);
  return {x, y, number<S>(random)};
}
template <class S>
kinecast::Sym3<S> symmetric(Random& random) {
  const kinecast::Vec3<S> a = vector<S>(random);
  const kinecast::Vec3<S> b = vector<S>(random);
  return {a.x, a.y, a.z, b.x, b.y, b.z};
}
template <class S>
kinecast::Mat3<S> full(Random& random) {
  const kinecast::Vec3<S> a = vector<S>(random);
  const kinecast::Vec3<S> b = vector<S>(random);
  return {a, b, vector<S>(random)};
}
template <class S>
kinecast::Screw<S> screw(Random& random) {
  const double angle = random.within(3.2);
  return {static_cast<S>(std::cos(angle)), static_cast<S>(std::sin(angle)), number<S>(random)};
}

template <class S>
dense::Vec dense_vec(const kinecast::Vec3<S>& v) {
  return {{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)}};
}
template <class S>
Vector6 dense6(const kinecast::Force<S>& f) {
  const dense::Vec a = dense_vec(f.moment);
  const dense::Vec b = dense_vec(f.force);
  return {{a[0], a[1], a[2], b[0], b[1], b[2]}};
}
template <class S>
Vector6 dense6(const kinecast::Motion<S>& v) {
  const dense::Vec a = dense_vec(v.angular);
  const dense::Vec b = dense_vec(v.linear);
  return {{a[0], a[1], a[2], b[0], b[1], b[2]}};
}
template <class S>
Matrix6 dense6(const kinecast::SpatialInertia<S>& m) {
  const dense::Mat r = dense::mat(m.rotational.template cast<double>());
  const dense::Mat h = dense::mat(m.coupling.template cast<double>());
  const dense::Mat t = dense::mat(m.translational.template cast<double>());
  Matrix6 out{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      out.at[i][j] = r[i][j];
      out.at[i][j + 3] = out.at[j + 3][i] = h[i][j];
      out.at[i + 3][j + 3] = t[i][j];
    }
  }
  return out;
}
// A rigid body, from its definition: [ I_o, m [c x]; -m [c x], m 1 ].
template <class S>
Matrix6 dense6(const kinecast::RigidInertia<S>& m) {
  const dense::Vec h = dense_vec(m.first_moment);
  const dense::Mat r = dense::mat(m.rotational.template cast<double>());
  const dense::Mat hx{{{0, -h[2], h[1]}, {h[2], 0, -h[0]}, {-h[1], h[0], 0}}};
  Matrix6 out{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      out.at[i][j] = r[i][j];
      out.at[i][j + 3] = hx[i][j];
      out.at[i + 3][j] = -hx[i][j];
    }
    out.at[i + 3][i + 3] = static_cast<double>(m.mass);
  }
  return out;
}
template <class S>
Matrix6 dense6(const kinecast::HingedInertia<S>& m) {
  const kinecast::Vec3<S> none{};
  return dense6(kinecast::SpatialInertia<S>{
      {m.xx, m.xy, S(0), m.yy, S(0), S(0)}, {m.coupling_x, m.coupling_y, none}, m.translational});
}

void compare6(const Matrix6& expected, const Matrix6& got, Worst& worst) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) worst.see(expected.at[i][j], got.at[i][j], 1);
}
void compare6(const Vector6& expected, const Vector6& got, Worst& worst) {
  for (int i = 0; i < 6; ++i) worst.see(expected.at[i], got.at[i], 1);
}

template <class S>
kinecast::SpatialInertia<S> any_inertia(Random& random) {
  const kinecast::Sym3<S> r = symmetric<S>(random);
  const kinecast::Mat3<S> h = full<S>(random);
  return {r, h, symmetric<S>(random)};
}
template <class S>
kinecast::RigidInertia<S> any_rigid(Random& random) {
  const S m = number<S>(random);
  const kinecast::Vec3<S> h = vector<S>(random);
  return {m, h, symmetric<S>(random)};
}
template <class S>
kinecast::HingedInertia<S> any_hinged(Random& random) {
  const kinecast::Vec3<S> r = vector<S>(random);
  const kinecast::Vec3<S> a = vector<S>(random);
  const kinecast::Vec3<S> b = vector<S>(random);
  return {r.x, r.y, r.z, a, b, symmetric<S>(random)};
}
template <class S>
kinecast::Force<S> any_force(Random& random) {
  const kinecast::Vec3<S> a = vector<S>(random);
  return {a, vector<S>(random)};
}
template <class S>
kinecast::Motion<S> any_motion(Random& random) {
  const kinecast::Vec3<S> a = vector<S>(random);
  return {a, vector<S>(random)};
}

// The screw's cosine and sine as they are, rounded to S.
template <class S>
Matrix6 along_z(const kinecast::Screw<S>& k) {
  const double c = static_cast<double>(k.cos);
  const double s = static_cast<double>(k.sin);
  return motion_transform({{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}, {{0, 0, static_cast<double>(k.slide)}});
}
template <class S>
Matrix6 along_x(const kinecast::Screw<S>& k) {
  const double c = static_cast<double>(k.cos);
  const double s = static_cast<double>(k.sin);
  return motion_transform({{{1, 0, 0}, {0, c, -s}, {0, s, c}}}, {{static_cast<double>(k.slide), 0, 0}});
}
Matrix6 shifted(const dense::Vec& r) { return motion_transform({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, r); }

template <class S>
void check_screws() {
  Random random(21);
  Worst vectors;
  Worst spatial;
  Worst hinged;
  Worst rigid;
  for (int n = 0; n < kTrials; ++n) {
    const kinecast::Screw<S> k = screw<S>(random);
    kinecast::Screw<S> turn = k;
    turn.slide = S(0);
    const Matrix6 Xz = along_z(k);
    const Matrix6 Xx = along_x(k);
    const kinecast::Force<S> f = any_force<S>(random);
    const kinecast::Motion<S> v = any_motion<S>(random);
    compare6(transposed(Xz) * dense6(f), dense6(kinecast::force_z(k, f)), vectors);
    compare6(transposed(Xx) * dense6(f), dense6(kinecast::force_x(k, f)), vectors);
    compare6(Xz * dense6(v), dense6(kinecast::motion_back_z(k, v)), vectors);
    compare6(Xx * dense6(v), dense6(kinecast::motion_back_x(k, v)), vectors);

    const kinecast::SpatialInertia<S> I = any_inertia<S>(random);
    compare6(transposed(Xz) * dense6(I) * Xz, dense6(kinecast::inertia_z(k, I)), spatial);
    compare6(transposed(Xx) * dense6(I) * Xx, dense6(kinecast::inertia_x(k, I)), spatial);
    compare6(transposed(along_z(turn)) * dense6(I) * along_z(turn), dense6(kinecast::turn_z(k, I)), spatial);
    compare6(transposed(along_x(turn)) * dense6(I) * along_x(turn), dense6(kinecast::turn_x(k, I)), spatial);

    const kinecast::HingedInertia<S> h = any_hinged<S>(random);
    compare6(transposed(Xz) * dense6(h) * Xz, dense6(kinecast::inertia_z(k, h)), hinged);
    compare6(transposed(Xx) * dense6(h) * Xx, dense6(kinecast::inertia_x(k, h)), hinged);

    const kinecast::RigidInertia<S> b = any_rigid<S>(random);
    compare6(transposed(Xz) * dense6(b) * Xz, dense6(kinecast::inertia_z(k, b)), rigid);
    compare6(transposed(Xx) * dense6(b) * Xx, dense6(kinecast::inertia_x(k, b)), rigid);
    compare6(transposed(along_z(turn)) * dense6(b) * along_z(turn), dense6(kinecast::turn_z(k, b)), rigid);
  }
  assert_below<S>(kRounding<S>, vectors, "screws on forces and motions");
  assert_below<S>(kRounding<S>, spatial, "screws on spatial inertias");
  assert_below<S>(kRounding<S>, hinged, "screws on hinged inertias");
  assert_below<S>(kRounding<S>, rigid, "screws on rigid bodies");
}
void test_screws() {
  check_screws<float>();
  if constexpr (measure::kInDouble) check_screws<double>();
}

template <class S>
void check_shifts() {
  Random random(22);
  Worst worst;
  for (int n = 0; n < kTrials; ++n) {
    const kinecast::Vec3<S> r = vector<S>(random);
    const Matrix6 X = shifted(dense_vec(r));
    const kinecast::Force<S> f = any_force<S>(random);
    const kinecast::Motion<S> v = any_motion<S>(random);
    const kinecast::SpatialInertia<S> I = any_inertia<S>(random);
    const kinecast::RigidInertia<S> b = any_rigid<S>(random);
    compare6(transposed(X) * dense6(f), dense6(kinecast::shift(r, f)), worst);
    compare6(X * dense6(v), dense6(kinecast::shift_back(r, v)), worst);
    compare6(transposed(X) * dense6(I) * X, dense6(kinecast::shift(r, I)), worst);
    compare6(transposed(X) * dense6(b) * X, dense6(kinecast::shift(r, b)), worst);
    const Matrix6 Xy = shifted({{0, static_cast<double>(r.y), 0}});
    compare6(transposed(Xy) * dense6(I) * Xy, dense6(kinecast::slide_y(r.y, I)), worst);
  }
  assert_below<S>(kRounding<S>, worst, "shifts");
}
void test_shifts() {
  check_shifts<float>();
  if constexpr (measure::kInDouble) check_shifts<double>();
}

template <class S>
void check_products() {
  Random random(23);
  Worst worst;
  for (int n = 0; n < kTrials; ++n) {
    const kinecast::Force<S> f = any_force<S>(random);
    const kinecast::Motion<S> v = any_motion<S>(random);
    const kinecast::SpatialInertia<S> I = any_inertia<S>(random);
    const kinecast::RigidInertia<S> b = any_rigid<S>(random);
    compare6(dense6(I) * dense6(v), dense6(I * v), worst);
    compare6(dense6(b) * dense6(v), dense6(b * v), worst);
    compare6(dense6(b), dense6(kinecast::to_spatial(b)), worst);
    Matrix6 sum = dense6(I);
    const Matrix6 other = dense6(b);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) sum.at[i][j] += other.at[i][j];
    compare6(sum, dense6(I + b), worst);
    compare6(sum, dense6(I + kinecast::to_spatial(b)), worst);
    const Vector6 a = dense6(f);
    const Vector6 c = dense6(v);
    double power = 0;
    for (int i = 0; i < 6; ++i) power += a.at[i] * c.at[i];
    worst.see(power, static_cast<double>(kinecast::power(f, v)), 1);
  }
  assert_below<S>(kRounding<S>, worst, "products and sums");
}
void test_products_and_sums() {
  check_products<float>();
  if constexpr (measure::kInDouble) check_products<double>();
}

// A joint projected out: I - U Uᵀ / D, for a hinge without rotor (its row vanishes), with one, and for a ball.
template <class S>
void check_projections() {
  Random random(24);
  Worst worst;
  for (int n = 0; n < kTrials; ++n) {
    // A positive definite inertia: 3 on the diagonal outweighs the rest.
    kinecast::SpatialInertia<S> I = any_inertia<S>(random);
    for (kinecast::Sym3<S>* block : {&I.rotational, &I.translational})
      block->xx += S(5), block->yy += S(5), block->zz += S(5);
    const Matrix6 full_inertia = dense6(I);
    const auto project = [&](int row, double rotor) {
      const double D = full_inertia.at[row][row] + rotor;
      Matrix6 out{};
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
          out.at[i][j] = full_inertia.at[i][j] - full_inertia.at[i][row] * full_inertia.at[row][j] / D;
      return out;
    };
    const kinecast::Force<S> U_turn{{I.rotational.xz, I.rotational.yz, I.rotational.zz}, I.coupling.row_z};
    const kinecast::Force<S> U_slide{{I.coupling.row_x.z, I.coupling.row_y.z, I.coupling.row_z.z},
                                     {I.translational.xz, I.translational.yz, I.translational.zz}};
    const S rotor = S(0.75);
    compare6(project(2, 0), dense6(kinecast::detail::free_hinge(I, S(1) / I.rotational.zz)), worst);
    const S turn = S(1) / (I.rotational.zz + rotor);
    const S slide = S(1) / (I.translational.zz + rotor);
    compare6(project(2, 0.75), dense6(kinecast::detail::free_joint(I, U_turn, turn, rotor * turn, true)), worst);
    compare6(project(5, 0.75), dense6(kinecast::detail::free_joint(I, U_slide, slide, rotor * slide, false)), worst);
    kinecast::Ball<S> ball;
    kinecast::Sym3<S> left{};
    TEST_ASSERT_TRUE(ball.factor(I, left));
    // Three hinges, one after the other.
    double a[6][6];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) a[i][j] = full_inertia.at[i][j];
    for (int p = 0; p < 3; ++p) {
      double pivot[6];
      for (int i = 0; i < 6; ++i) pivot[i] = a[p][i];
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) a[i][j] -= pivot[i] * pivot[j] / pivot[p];
    }
    const dense::Mat got = dense::mat(left.template cast<double>());
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) worst.see(a[i + 3][j + 3], got[i][j], 1);
  }
  assert_below<S>(2 * kRounding<S>, worst, "projections");
}
void test_projections() {
  check_projections<float>();
  if constexpr (measure::kInDouble) check_projections<double>();
}

// Newton and Euler about the body's origin: f = m a + alpha x h + omega x (omega x h), n = h x a + I alpha + omega x I omega.
template <class S>
void check_inertial_force() {
  Random random(25);
  Worst worst;
  for (int n = 0; n < kTrials; ++n) {
    const kinecast::LinkMotion<S> m{vector<S>(random), vector<S>(random), vector<S>(random)};
    kinecast::JointConstants<S> body;
    body.inertia = any_rigid<S>(random);
    body.second_moment =
        kinecast::detail::second_moment(body.inertia.rotational.template cast<double>()).template cast<S>();
    const kinecast::Force<S> f = kinecast::detail::inertial_force(body, m.acceleration, kinecast::detail::spin(m));
    const dense::Vec w = dense_vec(m.omega);
    const dense::Vec alpha = dense_vec(m.alpha);
    const dense::Vec a = dense_vec(m.acceleration);
    const dense::Vec h = dense_vec(body.inertia.first_moment);
    const dense::Mat I = dense::mat(body.inertia.rotational.template cast<double>());
    const dense::Vec force =
        static_cast<double>(body.inertia.mass) * a + dense::cross(alpha, h) + dense::cross(w, dense::cross(w, h));
    const dense::Vec moment = dense::cross(h, a) + I * alpha + dense::cross(w, I * w);
    compare6({{moment[0], moment[1], moment[2], force[0], force[1], force[2]}}, dense6(f), worst);
  }
  assert_below<S>(kRounding<S>, worst, "Newton-Euler");
}
void test_newton_euler() {
  check_inertial_force<float>();
  if constexpr (measure::kInDouble) check_inertial_force<double>();
}

}  // namespace

KINECAST_SUITE(spatial, test_screws, test_shifts, test_products_and_sums, test_projections, test_newton_euler)

}  // namespace unit_spatial
