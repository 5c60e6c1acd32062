# SPDX-License-Identifier: MIT
# Cortex-M7: single and double precision in hardware.
set(KINECAST_BOARD mps2_an500)
set(KINECAST_CORE_FLAGS -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard)
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake)
