# SPDX-License-Identifier: MIT
# Cortex-M4F: single precision in hardware.
set(KINECAST_BOARD mps2_an386)
set(KINECAST_CORE_FLAGS -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard)
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake)
