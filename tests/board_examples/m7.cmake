# SPDX-License-Identifier: MIT
# Examples of the Cortex-M7. `dir`: the folder with its firmwares.
if(KINECAST_BOARD STREQUAL "mps2_an500")
  # Servos too weak to hold the trunk above the ankles.
  add_changed_example(humanoid_stance_weak humanoid_stance humanoid.hpp "kProportional = 60" "kProportional = 6")
endif()

set(run ${KINECAST_QEMU_RUN} mps2_an500 --icount --timeout 150)
add_example_test(m7 humanoid_stance ${run_example} ${examples}/humanoid_stance/README.md ${run}
  ${dir}/board_examples/humanoid_stance.elf)
add_example_test(m7 humanoid_stance_weak ${expect} 1 "not as expected: it fell" sh ${run}
  ${dir}/tests/board_examples/humanoid_stance_weak.elf)
