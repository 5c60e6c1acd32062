# SPDX-License-Identifier: MIT
# run(WORDS...): the command must succeed; its output is left in `output`.
macro(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${CONSUME_BY}: this failed (${result}): ${command}\n${output}")
  endif()
endmacro()
