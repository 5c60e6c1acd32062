// SPDX-License-Identifier: MIT
#include "json_values.hpp"

#include "../text/text.hpp"

#include <kinecast/math/rotation.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

namespace kinecast::host {

std::vector<double> numbers(const JsonTable& table, const std::string& key, std::size_t count) {
  const Json& list = table.raw(key);
  bool good = list.is_array() && list.size() == count;
  std::vector<double> out;
  for (std::size_t i = 0; good && i < count; ++i) {
    good = list[i].is_number() && std::isfinite(list[i].get<double>());
    if (good) out.push_back(list[i].get<double>());
  }
  if (!good) table.refuse(key, "must be a list of " + std::to_string(count) + " finite numbers");
  return out;
}

Triple triple(const JsonTable& table, const std::string& key, const Triple& otherwise) {
  if (!table.has(key)) return otherwise;
  const std::vector<double> found = numbers(table, key, 3);
  return {found[0], found[1], found[2]};
}

double at_least(const JsonTable& table, const std::string& key, double least, double otherwise) {
  const double value = table.number(key, otherwise);
  if (value < least) table.refuse(key, "is " + rounded(value, 6) + "; it must be at least " + rounded(least, 6));
  return value;
}

Rows rows_from_rpy(const Triple& rpy) {
  const Mat3<double> m = rotation_from_rpy(rpy[0], rpy[1], rpy[2]);
  const auto row = [](const Vec3<double>& v) { return Triple{v.x, v.y, v.z}; };
  return {row(m.row_x), row(m.row_y), row(m.row_z)};
}

std::array<double, 4> quaternion_of(const Rows& r) {
  const auto vec3 = [](const Triple& t) { return Vec3<double>{t[0], t[1], t[2]}; };
  const Quaternion<double> turn = to_quaternion(Mat3<double>{vec3(r[0]), vec3(r[1]), vec3(r[2])});
  return {turn.w, turn.x, turn.y, turn.z};
}

}  // namespace kinecast::host
