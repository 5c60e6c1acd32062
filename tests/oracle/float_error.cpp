// SPDX-License-Identifier: MIT
// Float against double for the arm and for our own humanoid. The bounds are the project's promise; what has none is printed.
#include "float_error.hpp"

#include "robots/arm6.hpp"
#include "robots/humanoid.hpp"
#include "support/program.hpp"

namespace {

// One drive in the neck changes next to nothing, so it must not cost digits either.
constexpr auto with_one_rotor() {
  auto robot = robots::humanoid;
  robot.links[4].drive.at_joint.rotor_inertia_kgm2 = 0.001;
  return robot;
}
constexpr auto humanoid_one_rotor = with_one_rotor();
static_assert(humanoid_one_rotor.link(4).name == "head");

void measure(support::Report& report) {
  const oracle::Ranges ranges{};
  oracle::measure_float<robots::arm6>("arm6", ranges, 2e-6, robots::arm6.points, report);
  oracle::measure_float<robots::arm6_geared>("arm6_geared", ranges, support::kNone, robots::arm6_geared.points, report);
  oracle::measure_float<robots::humanoid>("humanoid", ranges, 2e-5, robots::humanoid.points, report);
  oracle::measure_float<humanoid_one_rotor>("humanoid_rotor", ranges, 2e-5, humanoid_one_rotor.points, report);
}

}  // namespace

const support::Program support::program{"oracle.float_error", measure};
