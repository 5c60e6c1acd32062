// SPDX-License-Identifier: MIT
// What the tests of volume contact share: the cube of method 10 without contact points, scenes with other values than the compiled
// ones, and what holds in every step of every robot: M ddq + b = tau + Jᵀ W with the wrenches that were reported, on both bodies
// of each contact, found with dense_reference.hpp; wrenches that push, at a centre of pressure that the step can see.
#pragma once

#include "contact_scenes.hpp"

namespace touching {

using kinecast::at;
using kinecast::body;
using kinecast::box;
using kinecast::com;
using kinecast::corners;
using kinecast::environment;
using kinecast::floating;
using kinecast::friction;
using kinecast::half_space;
using kinecast::inertia;
using kinecast::kAxisX;
using kinecast::kAxisY;
using kinecast::kAxisZ;
using kinecast::link;
using kinecast::material;
using kinecast::moves;
using kinecast::of_kind;
using kinecast::on;
using kinecast::prismatic;
using kinecast::relaxation;
using kinecast::revolute;
using kinecast::robot;
using kinecast::rpy;
using kinecast::size;
using kinecast::Vec3;
using kinecast::Volume;
using kinecast::WrenchPrograms;

// 0.1 m, 0.5 kg: a free link of this name.
[[nodiscard]] constexpr auto cube_link(std::string_view name) {
  return link(name, floating(), body(0.5, com(0, 0, 0), inertia(1 / 1200.0, 1 / 1200.0, 1 / 1200.0)));
}
constexpr double kWeight = 0.5 * kGravity;
inline constexpr auto brick = robot("brick", cube_link("brick"));

template <const auto& R, const auto& World, class S>
[[nodiscard]] kinecast::VolumeScene<R, World, S> built_volumes(const Values<World>& world) {
  kinecast::VolumeScene<R, World, S> scene{};
  assert_ok(kinecast::build_scene<R, World, S>(R, world, scene));
  return scene;
}

// see_balance() for wrenches: surface_links tells the link of each surface, -1 is the world. Moments count over a tenth of a metre.
// `unknown`: bits of the entries whose torque nobody reports.
template <const auto& R, class S, class Report, std::size_t Surfaces>
[[gnu::noinline]] void see_wrench_balance(const State<R, S>& before, const State<R, S>& after, const Command<R, S>& tau,
                                          double dt, const Report& report, const int (&surface_links)[Surfaces],
                                          Worst& worst, unsigned unknown = 0) {
  constexpr std::size_t kDofs = static_cast<std::size_t>(kinecast::Shape<R>::kDofs);
  auto& exact = checks::truth<R>();
  double scale = checks::begin_balance<R, S>(before, after, dt);
  for (int c = 0; c < report.count; ++c) {
    const auto point = dense::vec(report[c].point_m.template cast<double>());
    const auto force = dense::vec(report[c].force_N.template cast<double>());
    const auto moment = dense::vec(report[c].moment_Nm.template cast<double>());
    scale += std::sqrt(dense::dot(force, force)) + 10 * std::sqrt(dense::dot(moment, moment));
    const int a = surface_links[report[c].pair.point];
    const int b = surface_links[report[c].pair.surface];
    exact.at.add_force(a, point, -1.0 * force, -1.0 * moment, exact.force);
    exact.at.add_force(b, point, force, moment, exact.force);
  }
  for (std::size_t i = 0; i < kDofs; ++i)
    if ((unknown >> i & 1U) == 0) worst.see((exact.force[i] - static_cast<double>(tau[static_cast<int>(i)])) / scale);
}

// Velocities are stored with eps, and the wrenches that are reported are those that were applied: some sums of such numbers.
template <class S>
constexpr double kWrenchBalance = 16 * kEps<S>;

// The report agrees with itself, pushes, and where it does not push there is nothing at all (method 6.4, FIX 27). The centre of pressure is
// within `reach` of p0: nothing larger touches. `impact_N`: forces that would stop the bodies at once, which the solver weighs.
template <class Report>
void check_wrenches(const Report& report, double eps, double reach, double impact_N) {
  check_report(report, eps);
  for (int i = 0; i < report.count; ++i) {
    const auto& c = report[i];
    const auto n = c.normal.template cast<double>();
    const auto m = c.moment_Nm.template cast<double>();
    const auto across = m - dot(m, n) * n;
    const double normal = static_cast<double>(c.normal_N);
    // The solver may leave the centre of pressure outside of the polygon's edge by kSatisfied of it, and m is turned twice.
    TEST_ASSERT_TRUE(std::sqrt(dot(across, across)) <= reach * ((1 + 100 * eps) * normal + 4 * eps * impact_N));
    if (normal > 0) continue;
    const auto f = c.force_N.template cast<double>();
    TEST_ASSERT_TRUE_MESSAGE(!(dot(f, f) > 0) && !(dot(m, m) > 0), "a wrench without pressure");
  }
}

}  // namespace touching
