// SPDX-License-Identifier: MIT
// From reset to main: vector table, stack, FPU, stack guard, variables, constructors. Needs no C
// start files. The reset handler is naked assembly because gcc may use an FPU register anywhere,
// and the FPU is off until CPACR says otherwise.
#include <cstdint>

#include "kinecast_port/interrupts.hpp"
#include "kinecast_port/port.hpp"
#include "linker_symbols.hpp"
#include "registers.hpp"

namespace kinecast::port {

// ISO C++ forbids calling main by its name.
int application() asm("main");

extern "C" [[noreturn]] void kinecast_start();

}  // namespace kinecast::port

// A firmware with interrupts of its own has its own table, and the linker drops this one.
extern "C" [[gnu::weak]] const kinecast::port::VectorTable kinecast_vectors;
constexpr kinecast::port::VectorTable kinecast_vectors = kinecast::port::vectors({});

namespace kinecast::port {

extern "C" {

[[gnu::naked, gnu::used]] void kinecast_reset() {
  asm volatile(
      ".syntax unified \n"
      "ldr r0, =kinecast_stack_top \n"
      "mov sp, r0 \n"
#if defined(__ARM_ARCH_8M_MAIN__)  // gcc defines it for the M55 (Armv8.1-M) too
      "ldr r0, =kinecast_stack_limit \n"
      "msr msplim, r0 \n"
#endif
#if defined(__ARM_FP)
      "ldr r0, =0xE000ED88 \n"  // CPACR: full access to the FPU
      "ldr r1, [r0] \n"
      "orr r1, r1, #0x00F00000 \n"
      "str r1, [r0] \n"
      "dsb \n"
      "isb \n"
      "ldr r0, =0xE000EF34 \n"  // FPCCR: ASPEN and LSPEN, interrupts may use the FPU; the core leaves room for its
      "ldr r1, [r0] \n"         // registers on the stack (72 bytes) and fills it only if the handler does
      "orr r1, r1, #0xC0000000 \n"
      "str r1, [r0] \n"
      "dsb \n"
      "isb \n"
#if defined(__ARM_FEATURE_MVE)
      "mov r1, #0x00040000 \n"  // LTPSIZE 4: with any other value every `le` loop is a fault
#else
      "mov r1, #0 \n"
#endif
      "vmsr fpscr, r1 \n"  // round to nearest, subnormals kept: the host's arithmetic
#endif
      "bl kinecast_start \n"
      ".ltorg \n");
}

void kinecast_start() {
#if __ARM_ARCH == 7
  // Region 0: no access, never executed, 2^(11+1) bytes; the default map everywhere else; off
  // inside HardFault, where the report needs a stack.
  static_assert(kStackGuardBytes == 1U << 12U, "the region size below says 4 KB");
  reg::kMpuRegionBase.write((address_of(kinecast_stack_limit) - kStackGuardBytes) | 0x10U);
  reg::kMpuRegionAttributes.write(0x10000000U | (11U << 1U) | 1U);
  reg::kMpuControl.write(0x5U);
  asm volatile("dsb \n isb" ::: "memory");
#endif
  const std::uint32_t* load = &kinecast_data_load;
  for (std::uint32_t* word = &kinecast_data_start; word < &kinecast_data_end; ++word) *word = *load++;
  for (std::uint32_t* word = &kinecast_bss_start; word < &kinecast_bss_end; ++word) *word = 0;
  paint_stack();
  for (auto constructor = kinecast_init_start; constructor < kinecast_init_end; ++constructor) (*constructor)();
  exit(failure_code(application()));
}

}  // extern "C"

}  // namespace kinecast::port
