# SPDX-License-Identifier: MIT
# Bare-metal Arm with gcc; included by one file per target, which sets first
#   KINECAST_BOARD       folder under ports/ with the linker script
#   KINECAST_CORE_FLAGS  -mcpu and floating-point flags
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # nothing links before ports/ gives start-up code
set(CMAKE_EXECUTABLE_SUFFIX_C .elf)
set(CMAKE_EXECUTABLE_SUFFIX_CXX .elf)

# Header-only packages (Eigen) are the host's; its libraries and programs are not for us.
list(APPEND CMAKE_PREFIX_PATH /usr/local /usr)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)

# Without exceptions and unwinding there are no tables for them; one section per function lets the linker
# drop what is not used. -fcallgraph-info writes <source>.ci beside each object file, for the stack bound
# (tests/static/stack_bound.py).
string(JOIN " " kinecast_target_flags
  ${KINECAST_CORE_FLAGS} -mthumb -ffunction-sections -fdata-sections
  -fno-exceptions -fno-unwind-tables -fno-asynchronous-unwind-tables -fcallgraph-info=su)
set(CMAKE_C_FLAGS_INIT "${kinecast_target_flags}")
set(CMAKE_CXX_FLAGS_INIT "${kinecast_target_flags} -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit")
# No nosys.specs: without _sbrk any use of the heap is a link error.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostartfiles -specs=nano.specs -Wl,--gc-sections -Wl,--fatal-warnings")
