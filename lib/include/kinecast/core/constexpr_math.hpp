// SPDX-License-Identifier: MIT
// Square root, sine, cosine and arc tangent in double for the compiler: a robot is a value that it computes.
// They are not for run time (there: <cmath>, core/elementary.hpp). Their error is a few units in the last place.
#pragma once

namespace kinecast::constant {

inline constexpr double kPi = 3.14159265358979323846;

[[nodiscard]] constexpr double abs(double x) noexcept { return x < 0 ? -x : x; }

// Newton's method starts from above; the sequence falls until rounding stops it.
[[nodiscard]] constexpr double sqrt(double x) noexcept {
  if (!(x > 0)) return 0;
  double scale = 1;
  for (int i = 0; i < 600 && x > 4; ++i) x /= 4, scale *= 2;
  for (int i = 0; i < 600 && x < 1; ++i) x *= 4, scale /= 2;
  double root = 2;
  for (int i = 0; i < 8; ++i) root = 0.5 * (root + x / root);
  return root * scale;
}

namespace detail {
[[nodiscard]] constexpr double sin_series(double x) noexcept {
  double term = x;
  double sum = x;
  for (int k = 1; k < 14; ++k) term *= -x * x / ((2.0 * k) * (2.0 * k + 1.0)), sum += term;
  return sum;
}
}  // namespace detail

[[nodiscard]] constexpr double sin(double x) noexcept {
  for (int i = 0; i < 100000 && x > kPi; ++i) x -= 2 * kPi;
  for (int i = 0; i < 100000 && x < -kPi; ++i) x += 2 * kPi;
  if (x > kPi / 2) x = kPi - x;
  if (x < -kPi / 2) x = -kPi - x;
  return detail::sin_series(x);
}

[[nodiscard]] constexpr double cos(double x) noexcept { return sin(x + kPi / 2); }

// Newton's method finds the angle: each step turns (x, y) back by the angle found so far.
[[nodiscard]] constexpr double atan2(double y, double x) noexcept {
  const double length = sqrt(x * x + y * y);
  if (!(length > 0)) return 0;
  const double s = y / length;
  const double c = x / length;
  double angle = c >= 0 ? s : (s >= 0 ? kPi - s : -kPi - s);
  for (int i = 0; i < 6; ++i) angle += s * cos(angle) - c * sin(angle);
  return angle;
}

}  // namespace kinecast::constant
