# SPDX-License-Identifier: MIT
# kinecast_recorded_instructions(result work robot): what the last bench counted on the Cortex-M4F in float (recorded.csv),
# for tests that weigh one count against another.
set(KINECAST_RECORDED ${CMAKE_CURRENT_LIST_DIR}/recorded.csv)
function(kinecast_recorded_instructions result work robot)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${KINECAST_RECORDED})
  set(row "${work},${robot},float,m4,instructions,")
  file(STRINGS ${KINECAST_RECORDED} line REGEX "^${row}[0-9]+$")
  if(NOT line)
    message(FATAL_ERROR "recorded.csv has no row ${row}")
  endif()
  string(REPLACE "${row}" "" count ${line})
  set(${result} ${count} PARENT_SCOPE)
endfunction()
