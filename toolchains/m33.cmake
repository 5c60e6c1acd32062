# SPDX-License-Identifier: MIT
# Cortex-M33: single precision in hardware.
set(KINECAST_BOARD mps2_an505)
set(KINECAST_CORE_FLAGS -mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard)
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake)
