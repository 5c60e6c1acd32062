// SPDX-License-Identifier: MIT
// A hanging chain of N equal links, 0.3 kg boxes of 4 x 4 x 10 cm, hinged about x, y, z, x, … (method 8).
#pragma once

#include <kinecast/model/robot.hpp>

namespace robots {

template <int N>
constexpr auto make_chain() {
  using namespace kinecast;
  Robot<N, 1> chain{};
  chain.name = "chain";
  constexpr Vec3<double> kAxes[] = {kAxisX, kAxisY, kAxisZ};
  for (int i = 0; i < N; ++i) {
    // Solid box: m (b² + c²) / 12.
    Link l = link("", revolute(kAxes[i % 3]), at(0, 0, i == 0 ? 0.0 : -0.1),
                  body(0.3, com(0, 0, -0.05), inertia(2.9e-4, 2.9e-4, 0.8e-4)));
    l.parent = i - 1;
    chain.links[static_cast<std::size_t>(i)] = l;
  }
  chain.points[0].link = N - 1;
  chain.points[0].position_m = {0, 0, -0.1};
  return chain;
}

template <int N>
inline constexpr auto chain = make_chain<N>();

}  // namespace robots
