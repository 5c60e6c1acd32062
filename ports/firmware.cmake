# SPDX-License-Identifier: MIT
# kinecast_port: the port interface for the machine of this build, with start-up code and linker script when the machine is a board.
# kinecast_firmware(): a complete program on it. Works where it lies in a checkout and where it is installed, beside toolchains/;
# needs kinecast::kinecast, and a toolchain file of kinecast's for a board.
if(TARGET kinecast_port)
  return()
endif()
set(KINECAST_PORTS ${CMAKE_CURRENT_LIST_DIR})

# Of kinecast's own build this is all of its flags (toolchains/flags.cmake). A user gets what a firmware needs and no warnings.
if(NOT TARGET kinecast_build)
  include(${KINECAST_PORTS}/../toolchains/numerics.cmake)
  add_library(kinecast_build INTERFACE)
  target_link_libraries(kinecast_build INTERFACE kinecast_numerics)
  # -O2: -Os makes Eigen's code several times slower. File names relative to the project: same bytes wherever it is built.
  target_compile_options(kinecast_build INTERFACE -O2 -g "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")
endif()

add_library(kinecast_port OBJECT)
target_compile_features(kinecast_port PUBLIC cxx_std_17)
target_include_directories(kinecast_port PUBLIC ${KINECAST_PORTS}/include)
target_link_libraries(kinecast_port PRIVATE kinecast_build)

if(CMAKE_CROSSCOMPILING)
  set(shared_code ${KINECAST_PORTS}/cortex_m)
  set(board_folder ${KINECAST_PORTS}/${KINECAST_BOARD})
  set(board_script ${board_folder}/board.ld)
  if(KINECAST_LINKER_SCRIPT) # a user's own memory map
    set(board_script ${KINECAST_LINKER_SCRIPT})
  endif()
  target_sources(kinecast_port PRIVATE
    ${shared_code}/startup.cpp ${shared_code}/fault.cpp ${shared_code}/runtime.cpp ${shared_code}/semihosting.cpp
    ${shared_code}/memory.cpp ${shared_code}/counter.cpp)
  if(KINECAST_BOARD STREQUAL "stm32f405")
    target_sources(kinecast_port PRIVATE
      ${board_folder}/clocks.cpp ${board_folder}/control_timer.cpp ${board_folder}/serial.cpp)
  endif()
  target_link_options(kinecast_port INTERFACE -T${board_script} -L${shared_code})
  set_target_properties(kinecast_port PROPERTIES INTERFACE_LINK_DEPENDS "${board_script};${shared_code}/sections.ld")
else()
  target_sources(kinecast_port PRIVATE ${KINECAST_PORTS}/host/port.cpp)
endif()

# kinecast_firmware(name SOURCES file... [STACK bytes]): a program for the machine of this build, a board or the
# host. STACK overrides the board's default.
function(kinecast_firmware name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "STACK" "SOURCES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE kinecast::kinecast kinecast_port kinecast_build)
  if(CMAKE_CROSSCOMPILING AND arg_STACK)
    target_link_options(${name} PRIVATE -Wl,--defsym=kinecast_stack_size=${arg_STACK})
  endif()
endfunction()
