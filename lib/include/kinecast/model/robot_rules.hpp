// SPDX-License-Identifier: MIT
// The rules that a robot must keep, each written once: its name, and the sentence that validate() and the compiler say
// of a robot that breaks it. model/validate.hpp checks them.
#pragma once

#include <kinecast/core/rules.hpp>

#include <cstdint>

namespace kinecast {

#define KINECAST_ROBOT_RULES(RULE)                                                                                    \
  RULE(no_moving_link, "the robot has no moving joint")                                                               \
  RULE(parent_listed_first, "a link's parent is unknown or listed after it: list parents first")                      \
  RULE(name_unique, "two links or two contact points have the same name")                                             \
  RULE(values_sane, "a value of the robot is NaN, infinite or beyond a million")                                      \
  RULE(axis_unit, "a joint axis does not have length one")                                                            \
  RULE(rotation_orthonormal, "a link's rotation is not a right-handed rotation matrix")                               \
  RULE(mass_positive, "a mass is not positive; say massless() if the link has none")                                  \
  RULE(inertia_positive_definite, "an inertia about the centre of mass is not positive definite")                     \
  RULE(inertia_triangle,                                                                                              \
       "an inertia breaks the triangle inequality: no body has one principal moment above the sum of the others")     \
  RULE(floating_on_world,                                                                                             \
       "a floating joint must hang on the world, without a placement: its position and quaternion place it")          \
  RULE(rotor_on_single_axis, "a rotor inertia needs a revolute or prismatic joint")                                   \
  RULE(rotor_not_negative, "a rotor inertia is negative")                                                             \
  RULE(point_on_known_link, "a contact point sits on an unknown link")                                                \
  RULE(drive_on_single_axis,                                                                                          \
       "friction and drives need a revolute or prismatic joint: on any other they could not be honoured")             \
  RULE(motor_constant_positive, "a motor's torque constant is not positive")                                          \
  RULE(motor_resistance_positive, "a motor's resistance is not positive")                                             \
  RULE(motor_voltage_limit_positive, "a motor's voltage limit is not positive")                                       \
  RULE(torque_limit_not_negative, "a torque limit is negative")                                                       \
  RULE(gear_ratio_not_zero, "a gear ratio is zero")                                                                   \
  RULE(motor_side_needs_motor, "at_motor() on a joint that has neither a motor nor a gear: say at_joint()")           \
  RULE(friction_not_negative, "a friction, damping, Stribeck or load-loss value is negative (an offset may be)")      \
  RULE(stiction_not_below_coulomb, "a static friction is below the Coulomb friction")                                 \
  RULE(stribeck_on_one_side,                                                                                          \
       "a Stribeck value is given on both sides of the gear, or on a side where friction does not fall")              \
  RULE(torque_limit_on_torque_drive, "a torque limit needs a torque-driven joint; a motor is limited by its voltage") \
  RULE(value_is_said_to_be_given,                                                                                     \
       "a static friction or Stribeck value is set, but has_stiction or has_stribeck denies it")                      \
  RULE(point_radius_and_kind, "a contact point's radius is negative, or its kind is not one of 0 to 7")               \
  RULE(limits_on_single_axis, "limits need a revolute or prismatic joint")                                            \
  RULE(limits_in_order, "a lower limit lies above the upper one")                                                     \
  RULE(limit_values,                                                                                                  \
       "a rebound is not within 0 and 1, a stop's spring or damper is negative, a soft stop has a rebound, or a "     \
       "speed limit is not positive")                                                                                 \
  RULE(loop_between_links, "a loop's point sits on an unknown link, or both move with the same one")                  \
  RULE(coupling_of_known_joints,                                                                                      \
       "a coupling names an unknown joint (a joint has the name of its link), or no leader or more than two")         \
  RULE(coupling_on_single_axis,                                                                                       \
       "a coupling needs revolute or prismatic joints: a fixed one is merged away, others have several axes")         \
  RULE(coupling_ratio_not_zero, "a coupling's ratio is zero")                                                         \
  RULE(coupling_of_different_joints,                                                                                  \
       "a joint follows itself, directly or through others, or one coupling names the same leader twice")             \
  RULE(follower_in_one_coupling, "a joint follows in two couplings: name both leaders in one")

enum class Rule : std::uint8_t { none, KINECAST_ROBOT_RULES(KINECAST_RULE_NAME) };

[[nodiscard]] constexpr const char* sentence(Rule rule) noexcept {
  using Listed = Rule;
  switch (rule) {
    case Rule::none:
      return "the robot keeps all rules";
      KINECAST_ROBOT_RULES(KINECAST_RULE_CASE)
  }
  return "unknown rule";
}

// Names the rule that is broken first, and the link that breaks it (or contact point, loop or coupling, for rules
// about them).
struct Verdict {
  Rule rule{Rule::none};
  int index{-1};
  [[nodiscard]] constexpr bool ok() const noexcept { return rule == Rule::none; }
};

// Instantiated with the verdict on a constexpr robot: the compiler's message then shows the sentence, and the offending
// link's index in "RobotKeepsItsRules<robot, index, …>".
template <const auto& R, int IndexOfLinkOrPoint, Rule Broken>
struct RobotKeepsItsRules {
  using Listed = Rule;
  KINECAST_ROBOT_RULES(KINECAST_RULE_ASSERTION)
  static constexpr bool kValue = Broken == Rule::none;
};

#undef KINECAST_ROBOT_RULES

}  // namespace kinecast
