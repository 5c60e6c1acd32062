# SPDX-License-Identifier: MIT
# The tests of the ports, run on every board: <name>.cpp here, the exit code that it must end with, and what
# it must say.
set(KINECAST_PORT_TESTS "")

function(kinecast_port_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXIT;SAYS" "OPTIONS")
  set(KINECAST_PORT_TESTS ${KINECAST_PORT_TESTS} ${name} PARENT_SCOPE)
  set(KINECAST_PORT_TEST_${name}_EXIT "${arg_EXIT}" PARENT_SCOPE)
  set(KINECAST_PORT_TEST_${name}_SAYS "${arg_SAYS}" PARENT_SCOPE)
  set(KINECAST_PORT_TEST_${name}_OPTIONS "${arg_OPTIONS}" PARENT_SCOPE)
endfunction()

# Each way to go wrong, provoked.
kinecast_port_test(bad_access EXIT 100 SAYS "fault: (data access to a bad address|hard fault)")
kinecast_port_test(undefined_instruction EXIT 100 SAYS "fault: (undefined instruction|hard fault)")
kinecast_port_test(stack_overflow EXIT 101 SAYS "fault: stack overflow")
kinecast_port_test(abort EXIT 102 SAYS "abort.. was called")
kinecast_port_test(assertion EXIT 103 SAYS "assertion failed: 1 . 1 == 3 at tests/ports/assertion.cpp:[0-9]+")
kinecast_port_test(unexpected_interrupt EXIT 104 SAYS "unexpected interrupt: exception 19")
kinecast_port_test(pure_virtual EXIT 105 SAYS "pure virtual function called")
kinecast_port_test(hang EXIT 124 SAYS "hang, killed after 2 s" OPTIONS --timeout 2)
kinecast_port_test(main_returns_256 EXIT 99 SAYS "99 or more failures")

# A firmware's own interrupt.
kinecast_port_test(interrupt_float EXIT 0 SAYS "interrupt and main both right")

# The measuring instruments.
kinecast_port_test(counter_exact EXIT 0 SAYS "counter exact" OPTIONS --icount)
kinecast_port_test(counter_refuses EXIT 0 SAYS "counter refused")
kinecast_port_test(stack_paint EXIT 0 SAYS "stack paint exact")
