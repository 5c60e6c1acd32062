# SPDX-License-Identifier: MIT
# The unit tests: test_<name>.cpp beside this file, the same source on the host and on every board.
set(contact_tests
  contact_conventions
  adaptive
  convex
  contact_geometry
  contact_laws
  contact_sliding
  contact_robots
  solids
  contact_predictor
  contact_bad_input
  event_driven
  points
  dry_joints
  constraints
  volume_contact
  volume_motion
  volume_predictor)

# The tests, in groups that are compiled as one file each (CMakeLists.txt): those that use the same robots and scenes stand
# together, and no group takes much longer than another.
set(KINECAST_UNIT_GROUP_words port conventions elementary exponential spatial reference robot contact_input drive_words limit_words
  rigidify_input)
set(KINECAST_UNIT_GROUP_motion frames parallel_axes model motion integrators conservation bad_input bad_orientation singular
  predictor)
set(KINECAST_UNIT_GROUP_dynamics dynamics_hinges dynamics_free dynamics_trees dynamics_arm dynamics_zoo dynamics_humanoid invariance)
set(KINECAST_UNIT_GROUP_impulses supports impulse_response impulse_trees impact impacts)
set(KINECAST_UNIT_GROUP_rigid rigidify adaptive event_driven)
set(KINECAST_UNIT_GROUP_drives friction_sticks friction_energy friction_methods implicit_friction stuck_elbow free_friction
  transmission drive_limits bad_commands)
set(KINECAST_UNIT_GROUP_limits joint_limits limit_rows)
set(KINECAST_UNIT_GROUP_rows loops couplings constraints)
set(KINECAST_UNIT_GROUP_solve newton limbs rebound qp_forms qp_inequalities simplex lcp intersection convex volume_friction)
set(KINECAST_UNIT_GROUP_contact contact_conventions contact_geometry contact_laws contact_sliding contact_bad_input)
set(KINECAST_UNIT_GROUP_contact_robots contact_robots contact_predictor)
set(KINECAST_UNIT_GROUP_solids solids points dry_joints)
set(KINECAST_UNIT_GROUP_volume volume_contact volume_motion volume_predictor)
set(KINECAST_UNIT_GROUPS rows contact contact_robots solids volume drives limits motion dynamics impulses rigid solve words)

# Compiled for the m33 itself even where it runs the m4's object files: contacts of whole robots and limits. With bit_equality's
# program, which includes every header, it is what the compiler's own choices for this core could break.
set(KINECAST_UNIT_GROUPS_NATIVE_ON_m33 contact_robots limits)

set(KINECAST_UNIT_TESTS "")
foreach(group IN LISTS KINECAST_UNIT_GROUPS)
  list(APPEND KINECAST_UNIT_TESTS ${KINECAST_UNIT_GROUP_${group}})
endforeach()

# Too large for the board's 16 KB of RAM (8 of them stack) or 256 KB of flash.
set(KINECAST_UNIT_TESTS_NOT_ON_m0
  reference
  model
  frames
  parallel_axes
  invariance
  conservation
  drive_words
  transmission
  limit_rows
  loops
  couplings
  qp_inequalities
  newton
  limbs
  rebound
  ${contact_tests}
  rigidify
  dynamics_trees
  dynamics_arm
  dynamics_zoo
  dynamics_humanoid
  supports
  impulse_response
  impulse_trees
  impacts)
