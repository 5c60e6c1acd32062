# SPDX-License-Identifier: MIT
# kinecast_numerics: what makes host and target agree bit for bit. The library's own builds have it by flags.cmake, a user's
# firmware by ports/firmware.cmake.
add_library(kinecast_numerics INTERFACE)
target_compile_options(kinecast_numerics INTERFACE
  -ffp-contract=off   # g++ fuses multiply and add by default, even with -std=c++17
  -fno-math-errno)    # else sqrtf is a call that sets errno
target_compile_definitions(kinecast_numerics INTERFACE
  EIGEN_DONT_VECTORIZE                                    # the host's SIMD sums in another order
  $<$<BOOL:${CMAKE_CROSSCOMPILING}>:EIGEN_NO_DEBUG>)      # Eigen's assertions cost flash; the host tests have them
