# SPDX-License-Identifier: MIT
# run(WORDS...): the command must succeed; its output is left in `output`. Flags from the environment are the person's who runs the
# tests, not ours.
macro(run)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=CXXFLAGS --unset=CPPFLAGS ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${CONSUME_BY}: this failed (${result}): ${command}\n${output}")
  endif()
endmacro()
