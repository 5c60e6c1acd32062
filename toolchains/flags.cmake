# SPDX-License-Identifier: MIT
# All compiler flags that are not the target's architecture (that is in arm-none-eabi.cmake), as INTERFACE
# targets. CMAKE_BUILD_TYPE stays empty, so what is written here is all there is.
#   kinecast_warnings  what we do not tolerate in our own code
#   kinecast_numerics  what makes host and target agree bit for bit (numerics.cmake)
#   kinecast_codegen   optimisation, debug information, sanitizers
#   kinecast_build     the three together: what every test and firmware links
#   kinecast_bench     the same with -O3, for host benches

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_library(kinecast_warnings INTERFACE)
target_compile_options(kinecast_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:
    -Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wfloat-equal
    -Wold-style-cast -Wcast-align -Wcast-qual -Wundef -Wvla -Wformat=2 -Wimplicit-fallthrough -Wnon-virtual-dtor
    -Woverloaded-virtual -Wextra-semi>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op>)

include(${CMAKE_CURRENT_LIST_DIR}/numerics.cmake)

# Assertions and test reports name files relative to the repository: same bytes wherever it was built.
set(relative_file_names -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)

# -O2 is what firmwares are compiled with, and so is all that is measured or shipped. A target's property KINECAST_OPTIMISATION
# gives other flags to tests: -Og takes 58 % of -O2's time (-O1 two thirds, and it warns of variables that are set), -g0 89 %.
# With sanitizers -O0: their checks in inlined sweeps take minutes per file to optimise. Their preset takes clang, which needs 208 s
# of a core for the unit tests where g++ needs 480 s, and is a second compiler that runs them.
# -g1: functions and lines, for backtraces and sanitizers' reports; full debug information costs a quarter of the compile time.
set(optimisation $<TARGET_PROPERTY:KINECAST_OPTIMISATION>)
set(optimisation $<IF:$<BOOL:${optimisation}>,${optimisation},-O2>)
if(KINECAST_SANITIZE)
  set(optimisation -O0)
endif()
add_library(kinecast_codegen INTERFACE)
target_compile_options(kinecast_codegen INTERFACE -g1 ${optimisation} ${relative_file_names})

add_library(kinecast_sanitizers INTERFACE)
if(KINECAST_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_compile_options(kinecast_sanitizers INTERFACE ${sanitizers} -fno-omit-frame-pointer)
  target_link_options(kinecast_sanitizers INTERFACE ${sanitizers})
  # At -O0 the library's attribute always_inline only copies code, with each copy's checks: test_loops took 76 s, and 39 s without.
  target_compile_definitions(kinecast_sanitizers INTERFACE always_inline=unused)
endif()

add_library(kinecast_build INTERFACE)
target_link_libraries(kinecast_build INTERFACE
  kinecast_warnings kinecast_numerics kinecast_codegen kinecast_sanitizers)

add_library(kinecast_bench INTERFACE)
target_compile_options(kinecast_bench INTERFACE -O3 -g ${relative_file_names})
target_link_libraries(kinecast_bench INTERFACE kinecast_warnings kinecast_numerics)
