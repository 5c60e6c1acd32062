# SPDX-License-Identifier: MIT
# Examples of the Cortex-M7. `dir`: the folder with its firmwares.
if(KINECAST_BOARD STREQUAL "mps2_an500")
  # Servos too weak to hold the trunk above the ankles.
  add_changed_example(humanoid_stance_weak humanoid_stance humanoid.hpp "kProportional = 60" "kProportional = 6")
  # A box that is 60 % heavier than the predictor believes.
  add_changed_example(grip_heavy grip plant.hpp "1.04 * example::kBoxMass_kg" "1.6 * example::kBoxMass_kg")
  target_include_directories(grip_heavy PRIVATE ${PROJECT_SOURCE_DIR}/lib/docs/examples)
endif()

set(run ${KINECAST_QEMU_RUN} mps2_an500 --icount --timeout 150)
add_example_test(m7 humanoid_stance ${run_example} ${examples}/humanoid_stance/README.md ${run}
  ${dir}/board_examples/humanoid_stance.elf)
add_example_test(m7 humanoid_stance_weak ${expect} 1 "not as expected: it fell" sh ${run}
  ${dir}/tests/board_examples/humanoid_stance_weak.elf)

add_example_test(m7 grip ${run_example} ${examples}/grip/README.md ${run} ${dir}/board_examples/grip.elf)
add_example_test(m7 grip_heavy ${expect} 1 "not as expected: the grip slips" sh ${run}
  ${dir}/tests/board_examples/grip_heavy.elf)
