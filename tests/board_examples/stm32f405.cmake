# SPDX-License-Identifier: MIT
# Examples of the STM32F405. `dir`: the folder with its firmwares.
if(KINECAST_BOARD STREQUAL "stm32f405")
  # What board_examples/drive_unit does when its encoder breaks.
  foreach(case nan jump)
    kinecast_firmware(drive_unit_${case} SOURCES $<TARGET_OBJECTS:drive_unit_main> plant_broken.cpp)
    target_include_directories(drive_unit_${case} PRIVATE ${examples}/drive_unit)
  endforeach()
  target_compile_definitions(drive_unit_nan PRIVATE KINECAST_BROKEN_ENCODER=NAN)
  target_compile_definitions(drive_unit_jump PRIVATE KINECAST_BROKEN_ENCODER=1.0F)
  # A ground that is 20 mm higher than the predictor believes.
  add_changed_example(arm_on_ground_raised arm_on_ground plant.hpp
    "half_space(\"ground\", " "half_space(\"ground\", at(0, 0, 0.02), ")
  # A push that is stronger than the robot can bear.
  add_changed_example(quadruped_stance_shoved quadruped_stance plant.hpp "external[0] = push_N" "external[0] = 8 * push_N")
  target_include_directories(quadruped_stance_shoved PRIVATE ${CMAKE_SOURCE_DIR}/lib/docs/examples)
endif()

set(run ${KINECAST_QEMU_RUN} stm32f405 --icount)
# The main README's example: what it prints there, up to the RAM of a machine with 64-bit pointers.
file(READ ${CMAKE_SOURCE_DIR}/README.md readme)
string(REGEX MATCH "\nthe tip touches in [0-9]+ ms" said "${readme}")
string(STRIP "${said}" said)
add_example_test(stm32f405 predict_arm ${run_example} --says "${said}" ${examples}/predict_arm/README.md ${run}
  ${dir}/board_examples/predict_arm.elf)

add_example_test(stm32f405 arm_on_ground ${run_example} ${examples}/arm_on_ground/README.md ${run} --timeout 150
  ${dir}/board_examples/arm_on_ground.elf)
add_example_test(stm32f405 arm_on_ground_raised ${expect} 1 "not as expected: the touchdown is foreseen for another time"
  sh ${run} --timeout 150 ${dir}/tests/board_examples/arm_on_ground_raised.elf)

add_example_test(stm32f405 quadruped_stance ${run_example} ${examples}/quadruped_stance/README.md ${run} --timeout 150
  ${dir}/board_examples/quadruped_stance.elf)
add_example_test(stm32f405 quadruped_stance_shoved ${expect} 1 "not as expected: it fell" sh ${run} --timeout 150
  ${dir}/tests/board_examples/quadruped_stance_shoved.elf)

# 16 ns per instruction: a millisecond has room for the control period and for the simulated motor.
set(run_drive_unit ${KINECAST_QEMU_RUN} stm32f405 --icount --shift 4)
set(log ${CMAKE_CURRENT_BINARY_DIR}/drive_unit.csv)
add_example_test(stm32f405 drive_unit ${run_example} ${examples}/drive_unit/README.md ${run_drive_unit}
  --timeout 150 --serial ${log} ${dir}/board_examples/drive_unit.elf)

set(check_log ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/drive_unit_log.py ${log})
add_example_test(stm32f405 drive_unit_log ${check_log})
set_tests_properties(stm32f405.example.drive_unit_log PROPERTIES DEPENDS stm32f405.example.drive_unit)
if(TARGET kinecast_tool)
  add_example_test(stm32f405 drive_unit_compare ${check_log} $<TARGET_FILE:kinecast_tool>
    ${examples}/drive_unit/drive_unit.json ${CMAKE_CURRENT_BINARY_DIR}/drive_unit.html)
  set_tests_properties(stm32f405.example.drive_unit_compare PROPERTIES DEPENDS stm32f405.example.drive_unit)
endif()

foreach(case nan jump)
  if(case STREQUAL nan)
    set(says "stopped after 1001 ms, motor at 0 V: an input is NaN or infinite")
  else()
    set(says "stopped after 1001 ms, motor at 0 V: the encoder jumps further than the joint can")
  endif()
  add_example_test(stm32f405 drive_unit_${case} ${expect} 106 ${says} sh ${run_drive_unit}
    ${dir}/tests/board_examples/drive_unit_${case}.elf)
endforeach()
