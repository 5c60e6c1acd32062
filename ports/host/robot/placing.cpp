// SPDX-License-Identifier: MIT
#include "placing.hpp"

namespace kinecast::host {

Triple operator*(const Placing& placing, const Triple& point) {
  Triple out = placing.position_m;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) out[i] += placing.rotation[i][j] * point[j];
  return out;
}

Placing operator*(const Placing& outer, const Placing& inner) {
  Placing out{{}, outer * inner.position_m};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) out.rotation[i][j] += outer.rotation[i][k] * inner.rotation[k][j];
  return out;
}

std::vector<Placing> placings_at_zero(const Description& robot) {
  std::vector<Placing> out;
  for (const LinkDescription& l : robot.links) {
    const Placing here{l.rotation, l.position_m};
    out.push_back(l.parent < 0 ? here : out[static_cast<std::size_t>(l.parent)] * here);
  }
  return out;
}

std::vector<bool> moving_links(const Description& robot) {
  std::vector<bool> out;
  for (const LinkDescription& l : robot.links)
    out.push_back(l.joint != LinkDescription::Joint::fixed ||
                  (l.parent >= 0 && out[static_cast<std::size_t>(l.parent)]));
  return out;
}

std::vector<Triple> corners_of_box(const Triple& size_m) {
  std::vector<Triple> out;
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5})
      for (const double z : {-0.5, 0.5}) out.push_back({x * size_m[0], y * size_m[1], z * size_m[2]});
  return out;
}

}  // namespace kinecast::host
