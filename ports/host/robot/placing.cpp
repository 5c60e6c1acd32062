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

Rows turned(const Rows& rotation, const Rows& inertia) {
  Rows out{};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a; b < 3; ++b) {
      double sum = 0;
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t d = 0; d < 3; ++d) sum += rotation[a][c] * inertia[c][d] * rotation[b][d];
      out[a][b] = out[b][a] = sum;
    }
  return out;
}

std::vector<Weld> welds_of(const Description& robot) {
  std::vector<Weld> out;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const LinkDescription& l = robot.links[i];
    if (l.joint != LinkDescription::Joint::fixed) {
      out.push_back({static_cast<int>(i), {}});
      continue;
    }
    const Placing here{l.rotation, l.position_m};
    const Weld parent = l.parent < 0 ? Weld{} : out[static_cast<std::size_t>(l.parent)];
    out.push_back({parent.body, parent.in_body * here});
  }
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
