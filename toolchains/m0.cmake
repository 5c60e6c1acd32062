# SPDX-License-Identifier: MIT
# Cortex-M0: no floating-point hardware, 16 KB of RAM.
set(KINECAST_BOARD microbit)
set(KINECAST_CORE_FLAGS -mcpu=cortex-m0 -mfloat-abi=soft)
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake)
