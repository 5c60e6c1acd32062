# SPDX-License-Identifier: MIT
# The reference of every header by Doxygen, in the build folder's reference/. Its warnings are errors, in `docs` and in docs.doxygen.
find_program(KINECAST_DOXYGEN doxygen)
if(NOT KINECAST_DOXYGEN)
  add_test(NAME docs.doxygen COMMAND ${CMAKE_COMMAND} -E echo "skipped: doxygen is missing")
  set_tests_properties(docs.doxygen PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
  return()
endif()

set(reference ${CMAKE_BINARY_DIR}/reference)
configure_file(${PROJECT_SOURCE_DIR}/lib/docs/Doxyfile.in ${reference}/Doxyfile @ONLY)
set(doxygen ${CMAKE_COMMAND} -E chdir ${PROJECT_SOURCE_DIR} ${KINECAST_DOXYGEN} ${reference}/Doxyfile)
add_custom_target(docs COMMAND ${doxygen} COMMAND ${CMAKE_COMMAND} -E echo "The reference: ${reference}/html/index.html" VERBATIM)
add_test(NAME docs.doxygen COMMAND ${doxygen})
set_tests_properties(docs.doxygen PROPERTIES LABELS guide TIMEOUT 120)
