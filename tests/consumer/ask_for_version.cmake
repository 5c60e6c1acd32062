# SPDX-License-Identifier: MIT
# find_package(kinecast <version>) accepts what is compatible, the same major and minor number and a patch not beyond ours, and
# refuses the rest with a sentence.
#   cmake -D KINECAST_BUILD=build -D VERSION=x.y.z -D WORK=folder -D GENERATOR=name -P ask_for_version.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${KINECAST_BUILD} --component kinecast --prefix ${WORK}/prefix)

string(REPLACE "." ";" numbers ${VERSION})
list(GET numbers 0 major)
list(GET numbers 1 minor)
list(GET numbers 2 patch)
math(EXPR next_major "${major} + 1")
math(EXPR next_minor "${minor} + 1")
math(EXPR next_patch "${patch} + 1")

foreach(asked ${major}.${minor} ${VERSION} ${VERSION}=EXACT
    ${major}.${minor}.${next_patch} ${major}.${next_minor} ${next_major} ${next_major}.0.0)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/ask -B ${WORK}/${asked} -G ${GENERATOR}
    -D ASKED=${asked} -D CMAKE_PREFIX_PATH=${WORK}/prefix
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(asked MATCHES "^${major}\\.${minor}$|^${VERSION}(=|$)")
    if(NOT result EQUAL 0 OR NOT output MATCHES "found kinecast ${VERSION}")
      message(FATAL_ERROR "version ${asked} was asked for and refused, although ${VERSION} is there:\n${output}")
    endif()
  elseif(result EQUAL 0 OR NOT output MATCHES "version: ${VERSION}")
    message(FATAL_ERROR "version ${asked} was asked for, ${VERSION} is there, and that was not refused:\n${output}")
  endif()
endforeach()
message("find_package: compatible versions accepted, others refused")
