# SPDX-License-Identifier: MIT
# Cortex-M55: single and double precision in hardware, vector extension.
set(KINECAST_BOARD mps3_an547)
set(KINECAST_CORE_FLAGS -mcpu=cortex-m55 -mfloat-abi=hard)
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake)
