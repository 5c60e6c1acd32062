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

# Folder under ports/ of a preset's board, as its toolchain file names it; empty for a host preset.
function(kinecast_preset_board preset result)
  set(board "")
  if(EXISTS ${CMAKE_SOURCE_DIR}/toolchains/${preset}.cmake)
    file(STRINGS ${CMAKE_SOURCE_DIR}/toolchains/${preset}.cmake line REGEX "^set\\(KINECAST_BOARD ")
    string(REGEX REPLACE "^set\\(KINECAST_BOARD ([a-z0-9_]+)\\)$" "\\1" board "${line}")
  endif()
  set(${result} "${board}" PARENT_SCOPE)
endfunction()

add_custom_target(cross_builds)
foreach(preset IN LISTS KINECAST_CROSS_PRESETS)
  kinecast_preset_dir(${preset} dir)
  # USES_TERMINAL: the inner builds run one after the other and show their progress.
  add_custom_target(cross_${preset} ALL
    COMMAND ${CMAKE_COMMAND} --log-level=NOTICE -S ${CMAKE_SOURCE_DIR} --preset ${preset} -DUNITY_ROOT=${UNITY_ROOT}
      -DEigen3_DIR=${Eigen3_DIR}
    COMMAND ${CMAKE_COMMAND} --build ${dir} --parallel ${KINECAST_CROSS_JOBS} --target ${KINECAST_CROSS_TARGETS}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    COMMENT "Building preset ${preset}"
    USES_TERMINAL VERBATIM)
  add_dependencies(cross_builds cross_${preset})
endforeach()
