# SPDX-License-Identifier: MIT
# Configures, builds and runs project/ in a fresh folder, and asserts that nothing of ours but the library reaches it:
# no test, no flag. With CONSUME_BY=find_package the library is installed first, from the finished build, into a folder whose name
# has a space.
#   cmake -D CONSUME_BY=way -D KINECAST_SOURCE=checkout -D KINECAST_BUILD=its build -D KINECAST_RELEASE=staged archives
#         -D VERSION=x.y.z -D WORK=folder -D GENERATOR=name -D CXX=compiler -P build_and_run.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${WORK})
set(build ${WORK}/build)
set(where -D KINECAST_SOURCE=${KINECAST_SOURCE})
if(CONSUME_BY STREQUAL "find_package")
  run(${CMAKE_COMMAND} --install ${KINECAST_BUILD} --component kinecast --prefix "${WORK}/a prefix")
  set(where -D "CMAKE_PREFIX_PATH=${WORK}/a prefix")
elseif(CONSUME_BY STREQUAL "FetchContent_archive")
  set(archive ${KINECAST_RELEASE}/kinecast-${VERSION}.tar.gz)
  file(STRINGS ${KINECAST_RELEASE}/SHA256SUMS sum REGEX "  kinecast-${VERSION}.tar.gz$")
  string(REGEX REPLACE " .*" "" sum "${sum}")
  set(where -D KINECAST_URL=file://${archive} -D KINECAST_SHA256=${sum})
endif()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/project -B ${build} -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX}
  -D CMAKE_EXPORT_COMPILE_COMMANDS=ON -D CONSUME_BY=${CONSUME_BY} ${where})
run(${CMAKE_COMMAND} --build ${build})
run(${build}/consumer)
if(NOT output STREQUAL "kinecast ${VERSION}\n")
  message(FATAL_ERROR "${CONSUME_BY}: kinecast is ${VERSION}, but the consumer prints ${output}")
endif()

run(${CMAKE_CTEST_COMMAND} -N --test-dir ${build})
if(NOT output MATCHES "Total Tests: 0")
  message(FATAL_ERROR "${CONSUME_BY}: our tests leaked into the consumer:\n${output}")
endif()

file(READ ${build}/compile_commands.json commands)
string(JSON sources LENGTH "${commands}")
if(NOT sources EQUAL 1)
  message(FATAL_ERROR "${CONSUME_BY}: the consumer compiles ${sources} sources, and has one:\n${commands}")
endif()
string(REGEX MATCHALL " -(W|f|O|march|D)[^ \"]*" forced "${commands}")
if(forced)
  message(FATAL_ERROR "${CONSUME_BY}: flags forced on the consumer:${forced}")
endif()
if(CONSUME_BY MATCHES "find_package|archive" AND commands MATCHES "${KINECAST_SOURCE}/lib")
  message(FATAL_ERROR "${CONSUME_BY}: the consumer sees the checkout, not its own copy:\n${commands}")
endif()
message("${CONSUME_BY}: builds, runs, no test and no flag of ours")
