# SPDX-License-Identifier: MIT
# The unit tests: test_<name>.cpp beside this file, the same source on the host and on every board.
set(contact_tests
  convex
  contact_geometry
  contact_laws
  contact_sliding
  contact_robots
  contact_predictor
  contact_bad_input)

set(KINECAST_UNIT_TESTS
  port
  elementary
  spatial
  reference
  robot
  model
  frames
  parallel_axes
  invariance
  motion
  integrators
  conservation
  bad_input
  bad_orientation
  singular
  contact_input
  exponential
  drive_words
  friction_sticks
  friction_energy
  friction_methods
  implicit_friction
  stuck_elbow
  free_friction
  transmission
  drive_limits
  predictor
  bad_commands
  qp_forms
  qp_inequalities
  ${contact_tests}
  dynamics_hinges
  dynamics_free
  dynamics_trees
  dynamics_arm
  dynamics_zoo
  dynamics_humanoid)

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
  qp_inequalities
  ${contact_tests}
  dynamics_trees
  dynamics_arm
  dynamics_zoo
  dynamics_humanoid)

# The core and the compiler of the m4, which runs them; here the examples do.
set(KINECAST_UNIT_TESTS_NOT_ON_stm32f405
  qp_forms
  qp_inequalities
  ${contact_tests})
