# SPDX-License-Identifier: MIT
# Registers with ctest the tests of one build, this one or one that it carries along.
include(${CMAKE_CURRENT_LIST_DIR}/unit/list.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ports/list.cmake)

set(KINECAST_QEMU_RUN ${CMAKE_SOURCE_DIR}/ports/cortex_m/qemu_run.sh)

# Unit tests that a machine runs: all but those in KINECAST_UNIT_TESTS_NOT_ON_<machine>.
function(kinecast_unit_tests_of machine result)
  set(tests ${KINECAST_UNIT_TESTS})
  if(KINECAST_UNIT_TESTS_NOT_ON_${machine})
    list(REMOVE_ITEM tests ${KINECAST_UNIT_TESTS_NOT_ON_${machine}})
  endif()
  set(${result} "${tests}" PARENT_SCOPE)
endfunction()

# machine: first part of the tests' names; dir: the build's folder; board: folder under ports/, empty for the host.
function(kinecast_register_tests machine dir board)
  kinecast_unit_tests_of(${machine} tests)
  foreach(test IN LISTS tests)
    if(board)
      add_test(NAME ${machine}.unit.${test}
        COMMAND sh ${KINECAST_QEMU_RUN} ${board} --timeout 240 ${dir}/tests/unit/test_${test}.elf)
    else()
      add_test(NAME ${machine}.unit.${test} COMMAND ${dir}/tests/unit/unit_tests ${test})
    endif()
    set_tests_properties(${machine}.unit.${test} PROPERTIES TIMEOUT 300 LABELS "${machine};unit")
  endforeach()
  if(NOT board)
    return()
  endif()
  foreach(test IN LISTS KINECAST_PORT_TESTS)
    add_test(NAME ${machine}.port.${test}
      COMMAND sh ${CMAKE_SOURCE_DIR}/tests/ports/expect.sh ${KINECAST_PORT_TEST_${test}_EXIT}
        ${KINECAST_PORT_TEST_${test}_SAYS}
        sh ${KINECAST_QEMU_RUN} ${board} ${KINECAST_PORT_TEST_${test}_OPTIONS} ${dir}/tests/ports/port_${test}.elf)
    set_tests_properties(${machine}.port.${test} PROPERTIES TIMEOUT 100 LABELS "${machine};port")
  endforeach()
endfunction()
