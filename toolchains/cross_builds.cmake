# SPDX-License-Identifier: MIT
# Builds of other presets from inside this one. A workflow preset has exactly one configure preset, so the host
# configuration carries the boards' builds along. Each is configured and built by its own preset, in its own
# folder (build/<preset>), every time: the inner ninja knows what is out of date.
include(ProcessorCount)
ProcessorCount(processors)
set(KINECAST_CROSS_JOBS ${processors} CACHE STRING "Compiler processes of each inner build")

# Folder that a preset builds in.
function(kinecast_preset_dir preset result)
  set(${result} ${CMAKE_SOURCE_DIR}/build/${preset} PARENT_SCOPE)
endfunction()

# First part of the names of a preset's tests: the machine, whatever else the preset says of how it is built.
function(kinecast_preset_machine preset result)
  string(REGEX REPLACE "^host-|-quick$" "" machine ${preset}) # host-sanitize: sanitize.unit.port
  set(${result} ${machine} PARENT_SCOPE)
endfunction()

# Folder under ports/ of a preset's board, as its toolchain file names it; empty for a host preset.
function(kinecast_preset_board preset result)
  set(board "")
  kinecast_preset_machine(${preset} preset)
  if(EXISTS ${CMAKE_SOURCE_DIR}/toolchains/${preset}.cmake)
    file(STRINGS ${CMAKE_SOURCE_DIR}/toolchains/${preset}.cmake line REGEX "^set\\(KINECAST_BOARD ")
    string(REGEX REPLACE "^set\\(KINECAST_BOARD ([a-z0-9_]+)\\)$" "\\1" board "${line}")
  endif()
  set(${result} "${board}" PARENT_SCOPE)
endfunction()

# The STM32F405 has the m4's core and flags, and the Cortex-M33 has all of the m4's instructions: they link the object files of the
# m4's unit tests, if that is built too; the M33 compiles some by itself (tests/unit/list.cmake). A build of one of them alone
# compiles all: its preset empties KINECAST_UNIT_OBJECTS_OF.
set(KINECAST_UNIT_OBJECTS_OF_stm32f405 m4)
set(KINECAST_UNIT_OBJECTS_OF_m33 m4)

add_custom_target(cross_builds)
foreach(preset IN LISTS KINECAST_CROSS_PRESETS)
  kinecast_preset_dir(${preset} dir)
  set(lender ${KINECAST_UNIT_OBJECTS_OF_${preset}})
  if(NOT lender IN_LIST KINECAST_CROSS_PRESETS OR NOT KINECAST_CROSS_TARGETS STREQUAL all)
    set(lender "")
  endif()
  # USES_TERMINAL: the inner builds run one after the other and show their progress.
  add_custom_target(cross_${preset} ALL
    COMMAND ${CMAKE_COMMAND} --log-level=NOTICE -S ${CMAKE_SOURCE_DIR} --preset ${preset} -DUNITY_ROOT=${UNITY_ROOT}
      -DEigen3_DIR=${Eigen3_DIR} -DKINECAST_UNIT_OBJECTS_OF=${lender}
    COMMAND ${CMAKE_COMMAND} --build ${dir} --parallel ${KINECAST_CROSS_JOBS} --target ${KINECAST_CROSS_TARGETS}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    COMMENT "Building preset ${preset}"
    USES_TERMINAL VERBATIM)
  add_dependencies(cross_builds cross_${preset})
  if(lender)
    add_dependencies(cross_${preset} cross_${lender})
  endif()
endforeach()
