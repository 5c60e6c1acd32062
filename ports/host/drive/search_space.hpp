// SPDX-License-Identifier: MIT
// The unknowns of a drive unit as the optimiser sees them: coordinates of like size, within bounds.
#pragma once

#include "drive_file.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

// A positive parameter is searched by its logarithm: 1 is a factor e, whatever its unit. One that may change sign (an offset)
// is searched by itself, in units of its guess or of its bounds' distance.
// Ceres takes differences relative to the coordinate, so coordinates start at kCentre instead of 0: a difference is then
// kCentre * kRelativeStep = 0.01, a hundredth of the parameter. Friction is not smooth: whether and when a window's motion
// stops or starts changes from step to step, and smaller differences would see only that grain.
inline constexpr double kCentre = 10;
inline constexpr double kRelativeStep = 1e-3;

class Coordinate {
 public:
  // Throws Failure if the guess gives no size to search around.
  Coordinate(const std::string& file, const Unknown& unknown);

  [[nodiscard]] double of(double value) const;
  [[nodiscard]] double value(double x) const;
  [[nodiscard]] double slope(double x) const;  // how the value moves with the coordinate
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

 private:
  double guess_;
  double scale_{1};
  double low_{0};
  double high_{0};
  bool is_logarithm_{true};
};

// The search may try a static friction below the Coulomb one. Then it means one as far above it: cut off at the Coulomb
// friction instead, the errors would no longer depend on it, and the search could not come back.
void mirror_stiction(const DriveFile& drive, std::vector<double>& values);

// The document with these numbers in the unknowns' places.
[[nodiscard]] Json with_values(const DriveFile& drive, const std::vector<double>& values);

// The unit with these numbers, mirrored. A static friction that is known gives way to a larger Coulomb friction.
[[nodiscard]] DriveUnit tentative_unit(const DriveFile& drive, std::vector<double> values);

}  // namespace kinecast::host
