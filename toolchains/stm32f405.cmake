# SPDX-License-Identifier: MIT
# STM32F405, a Cortex-M4F with 1 MB of flash and 128 KB of RAM.
set(KINECAST_BOARD stm32f405)
set(KINECAST_CORE_FLAGS -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard)
include(${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake)
