# SPDX-License-Identifier: MIT
# The unit tests: test_<name>.cpp beside this file, the same source on the host and on every board.
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
  dynamics_trees
  dynamics_arm
  dynamics_zoo
  dynamics_humanoid)
