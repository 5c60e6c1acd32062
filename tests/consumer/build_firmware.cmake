# SPDX-License-Identifier: MIT
# Installs kinecast, builds firmware/ for the STM32F405 against what was installed, and runs it in the emulator; also that the
# package says what to do when there is no toolchain file.
#   cmake -D KINECAST_SOURCE=checkout -D KINECAST_BUILD=its build -D WORK=folder -D GENERATOR=name -P build_firmware.cmake
set(CONSUME_BY firmware)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${WORK})
set(prefix "${WORK}/a prefix")
set(data "${prefix}/share/kinecast")
set(project -S ${CMAKE_CURRENT_LIST_DIR}/firmware -G ${GENERATOR} -D "kinecast_DIR=${data}/cmake")
run(${CMAKE_COMMAND} --install ${KINECAST_BUILD} --component kinecast --prefix "${prefix}")

run(${CMAKE_COMMAND} ${project} -B ${WORK}/build -D "CMAKE_TOOLCHAIN_FILE=${data}/toolchains/stm32f405.cmake"
  -D CMAKE_EXPORT_COMPILE_COMMANDS=ON)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(sh "${data}/ports/cortex_m/qemu_run.sh" stm32f405 ${WORK}/build/consumer_firmware.elf)
if(NOT output STREQUAL "speed 9.81 mrad/s\n")
  message(FATAL_ERROR "firmware: it ran, but said: ${output}")
endif()

file(READ ${WORK}/build/compile_commands.json commands)
string(REGEX MATCHALL " -W[^ \"]*" forced "${commands}")
if(forced)
  message(FATAL_ERROR "firmware: warnings forced on the consumer:${forced}")
endif()
if(commands MATCHES "${KINECAST_SOURCE}/(lib|ports|toolchains)/")
  message(FATAL_ERROR "firmware: the consumer sees the checkout, not the installed copy:\n${commands}")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} ${project} -B ${WORK}/no_toolchain
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " output "${output}")
if(result EQUAL 0 OR NOT output MATCHES "a firmware needs its board's toolchain file, e.g. -DCMAKE_TOOLCHAIN_FILE=")
  message(FATAL_ERROR "firmware: without a toolchain file (${result}): ${output}")
endif()
message("firmware: installed, cross-built and run; no warning flag of ours")
