// SPDX-License-Identifier: MIT
// Three numbers, and the small 3x3 matrices built on them, as plain constexpr aggregates: the compiler evaluates robots
// with them, and the sweeps keep them in registers. (Eigen's types are neither constexpr nor free of temporaries.)
#pragma once

namespace kinecast {

// The members have no default values: an array of vectors costs nothing until it is filled. Vec3<S>{} is zero.
template <class S>
struct Vec3 {
  S x;
  S y;
  S z;

  template <class T>
  [[nodiscard, gnu::always_inline]] constexpr Vec3<T> cast() const noexcept {
    return {static_cast<T>(x), static_cast<T>(y), static_cast<T>(z)};
  }
};

template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> operator+(const Vec3<S>& a, const Vec3<S>& b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> operator-(const Vec3<S>& a, const Vec3<S>& b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> operator-(const Vec3<S>& a) noexcept {
  return {-a.x, -a.y, -a.z};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> operator*(S k, const Vec3<S>& a) noexcept {
  return {k * a.x, k * a.y, k * a.z};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr S dot(const Vec3<S>& a, const Vec3<S>& b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// A full 3x3 matrix is kept by rows.
template <class S>
struct Mat3 {
  Vec3<S> row_x{};
  Vec3<S> row_y{};
  Vec3<S> row_z{};

  template <class T>
  [[nodiscard, gnu::always_inline]] constexpr Mat3<T> cast() const noexcept {
    return {row_x.template cast<T>(), row_y.template cast<T>(), row_z.template cast<T>()};
  }
};

template <class S>
inline constexpr Mat3<S> kIdentity3{{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}};

template <class S>
[[nodiscard, gnu::always_inline]] constexpr Mat3<S> transpose(const Mat3<S>& m) noexcept {
  return {{m.row_x.x, m.row_y.x, m.row_z.x}, {m.row_x.y, m.row_y.y, m.row_z.y}, {m.row_x.z, m.row_y.z, m.row_z.z}};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> operator*(const Mat3<S>& m, const Vec3<S>& v) noexcept {
  return {dot(m.row_x, v), dot(m.row_y, v), dot(m.row_z, v)};
}
// Gives mᵀ v without forming the transpose.
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> transpose_times(const Mat3<S>& m, const Vec3<S>& v) noexcept {
  return v.x * m.row_x + v.y * m.row_y + v.z * m.row_z;
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Mat3<S> operator*(const Mat3<S>& a, const Mat3<S>& b) noexcept {
  return {transpose_times(b, a.row_x), transpose_times(b, a.row_y), transpose_times(b, a.row_z)};
}

// A symmetric 3x3 matrix is six numbers.
template <class S>
struct Sym3 {
  S xx{};
  S xy{};
  S xz{};
  S yy{};
  S yz{};
  S zz{};

  template <class T>
  [[nodiscard, gnu::always_inline]] constexpr Sym3<T> cast() const noexcept {
    return {static_cast<T>(xx), static_cast<T>(xy), static_cast<T>(xz),
            static_cast<T>(yy), static_cast<T>(yz), static_cast<T>(zz)};
  }
};

template <class S>
[[nodiscard, gnu::always_inline]] constexpr Sym3<S> operator+(const Sym3<S>& a, const Sym3<S>& b) noexcept {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> operator*(const Sym3<S>& m, const Vec3<S>& v) noexcept {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
// Gives R m Rᵀ.
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Sym3<S> rotated(const Mat3<S>& r, const Sym3<S>& m) noexcept {
  const Vec3<S> x = m * r.row_x;
  const Vec3<S> y = m * r.row_y;
  const Vec3<S> z = m * r.row_z;
  return {dot(r.row_x, x), dot(r.row_x, y), dot(r.row_x, z), dot(r.row_y, y), dot(r.row_y, z), dot(r.row_z, z)};
}

}  // namespace kinecast
