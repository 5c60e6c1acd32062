// SPDX-License-Identifier: MIT
// Orientations: unit quaternions (w, x, y, z), rotation matrices, and the exponential map that integrates them.
#pragma once

#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/core/elementary.hpp>
#include <kinecast/core/scalar.hpp>
#include <kinecast/math/vec3.hpp>

#include <cmath>

namespace kinecast {

template <class S>
struct Quaternion {
  S w{1};
  S x{};
  S y{};
  S z{};
};

template <class S>
[[nodiscard]] constexpr Quaternion<S> operator*(const Quaternion<S>& a, const Quaternion<S>& b) noexcept {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

template <class S>
[[nodiscard, gnu::always_inline]] constexpr S squared_norm(const Quaternion<S>& q) noexcept {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

template <class S>
[[nodiscard]] constexpr bool is_unit(const Quaternion<S>& q) noexcept {
  const S excess = squared_norm(q) - S(1);
  return excess <= Tolerance<S>::kUnitQuaternion && excess >= -Tolerance<S>::kUnitQuaternion;
}

// Gives the rotation that takes body coordinates to parent coordinates.
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Mat3<S> to_matrix(const Quaternion<S>& q) noexcept {
  const S x2 = q.x + q.x;
  const S y2 = q.y + q.y;
  const S z2 = q.z + q.z;
  const S xx = q.x * x2;
  const S yy = q.y * y2;
  const S zz = q.z * z2;
  return {{S(1) - (yy + zz), q.x * y2 - q.w * z2, q.x * z2 + q.w * y2},
          {q.x * y2 + q.w * z2, S(1) - (xx + zz), q.y * z2 - q.w * x2},
          {q.x * z2 - q.w * y2, q.y * z2 + q.w * x2, S(1) - (xx + yy)}};
}

// Gives the quaternion of a rotation, of the four ways by the one without cancellation (Shepperd).
template <class S>
[[nodiscard]] inline Quaternion<S> to_quaternion(const Mat3<S>& r) noexcept {
  const S xx = r.row_x.x;
  const S yy = r.row_y.y;
  const S zz = r.row_z.z;
  const S trace = xx + yy + zz;
  Quaternion<S> q;
  if (trace >= xx && trace >= yy && trace >= zz)
    q = {S(1) + trace, r.row_z.y - r.row_y.z, r.row_x.z - r.row_z.x, r.row_y.x - r.row_x.y};
  else if (xx >= yy && xx >= zz)
    q = {r.row_z.y - r.row_y.z, S(1) + xx - yy - zz, r.row_x.y + r.row_y.x, r.row_x.z + r.row_z.x};
  else if (yy >= zz)
    q = {r.row_x.z - r.row_z.x, r.row_x.y + r.row_y.x, S(1) + yy - xx - zz, r.row_y.z + r.row_z.y};
  else
    q = {r.row_y.x - r.row_x.y, r.row_x.z + r.row_z.x, r.row_y.z + r.row_z.y, S(1) + zz - xx - yy};
  const S k = S(1) / std::sqrt(squared_norm(q));
  return {k * q.w, k * q.x, k * q.y, k * q.z};
}

// Gives exp of a rotation vector (axis times angle) as a unit quaternion.
template <class S>
[[nodiscard]] inline Quaternion<S> quaternion_exp(const Vec3<S>& rotation) noexcept {
  const S half = S(0.5) * std::sqrt(dot(rotation, rotation));
  const SinCos<S> trig = sincos(half);
  // sin(h)/h comes from its series where the quotient has no digits left.
  const S square = half * half;
  const S series = S(1) - square * (S(1.0 / 6.0) - square * S(1.0 / 120.0));
  const S ratio = half > Tolerance<S>::kSincSeries ? trig.sin / half : series;
  const S k = S(0.5) * ratio;
  return {trig.cos, k * rotation.x, k * rotation.y, k * rotation.z};
}

template <class S>
[[nodiscard]] inline Quaternion<S> normalized(const Quaternion<S>& q) noexcept {
  const S k = S(1) / std::sqrt(squared_norm(q));
  return {k * q.w, k * q.x, k * q.y, k * q.z};
}

// Roll, pitch, yaw about the fixed x, y, z axes, as URDF has them, give Rz(yaw) Ry(pitch) Rx(roll). For the compiler.
[[nodiscard, gnu::always_inline]] constexpr Mat3<double> rotation_from_rpy(double roll, double pitch,
                                                                           double yaw) noexcept {
  const double sr = constant::sin(roll);
  const double cr = constant::cos(roll);
  const double sp = constant::sin(pitch);
  const double cp = constant::cos(pitch);
  const double sy = constant::sin(yaw);
  const double cy = constant::cos(yaw);
  return {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
          {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
          {-sp, cp * sr, cp * cr}};
}

}  // namespace kinecast
