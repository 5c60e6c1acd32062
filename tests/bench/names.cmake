# SPDX-License-Identifier: MIT
# The C++ names of a row of rows.cmake, for all who include that list.

# contact_map_4 -> ContactMap4
function(kinecast_bench_type work result)
  string(REPLACE "_" ";" words ${work})
  set(type "")
  foreach(word IN LISTS words)
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND type ${first}${rest})
  endforeach()
  set(${result} ${type} PARENT_SCOPE)
endfunction()

# chain20 -> robots::chain<20>
function(kinecast_bench_robot robot result)
  if(robot MATCHES "^(none|[0-9x]+)$") # the work asks for a number, or is of that size, and needs no robot
    set(${result} "robots::chain<1>" PARENT_SCOPE)
  else()
    string(REGEX REPLACE "(chain|drive)([0-9]+)$" "\\1<\\2>" value robots::${robot})
    set(${result} ${value} PARENT_SCOPE)
  endif()
endfunction()
