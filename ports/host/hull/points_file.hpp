// SPDX-License-Identifier: MIT
// Points in space from a text file: CSV with three numbers per row, or with columns x, y and z among others; vertices of an OBJ
// file; vertices of an ASCII STL file.
#pragma once

#include <kinecast/math/vec3.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kinecast::host {

struct PointsFile {
  std::vector<Vec3<double>> points;  // times the scale, rounded to kPointDigits
  std::uint64_t hash{0};             // of the file's bytes: FNV-1a
};

// Beyond what any drawing means; a number that was scaled then reads as it was meant, 0.0127 and not 0.012699999999999999.
inline constexpr int kPointDigits = 12;

// Refuses, with file and line, what is not a number, not finite, or beyond a million metres.
[[nodiscard]] PointsFile read_points(const std::string& file, double scale);

}  // namespace kinecast::host
