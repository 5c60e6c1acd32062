# SPDX-License-Identifier: MIT
# The unit tests: test_<name>.cpp beside this file, the same source on the host and on every board.
set(KINECAST_UNIT_TESTS
  port)

# Too large for the board's 16 KB of RAM or 256 KB of flash.
set(KINECAST_UNIT_TESTS_NOT_ON_m0)
