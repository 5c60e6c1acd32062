// SPDX-License-Identifier: MIT
// The end of a firmware that went wrong: says which fault, where, and whether the stack was the
// cause, then exits with a code of its own. The configurable faults stay disabled, so all of
// them arrive as HardFault, where the MPU's stack guard is off.
#include <cstdint>

#include "kinecast_port/text.hpp"
#include "linker_symbols.hpp"
#include "registers.hpp"

namespace kinecast::port {
namespace {

// What the core pushes on exception entry.
struct ExceptionFrame {
  std::uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

bool holds_frame(std::uint32_t stack_pointer) noexcept {
  return stack_pointer >= address_of(kinecast_stack_limit) &&
         stack_pointer + sizeof(ExceptionFrame) <= address_of(kinecast_stack_top);
}

void put_register(const char* name, std::uint32_t value) noexcept {
  put(name);
  put(hexadecimal(value));
}

#if __ARM_ARCH >= 7
constexpr std::uint32_t bit(unsigned n) { return std::uint32_t{1} << n; }
constexpr std::uint32_t kMemManageStacking = bit(4);
constexpr std::uint32_t kMemManageAddressValid = bit(7);
constexpr std::uint32_t kBusFaultStacking = bit(12);
constexpr std::uint32_t kBusFaultAddressValid = bit(15);
constexpr std::uint32_t kStackLimit = bit(20);

struct FaultName {
  std::uint32_t status_bits;
  const char* sentence;
};

constexpr FaultName kFaultNames[] = {
    {bit(0), "instruction fetch from a forbidden address"},
    {bit(1), "data access to a forbidden address"},
    {bit(3) | bit(4) | bit(5), "memory fault while stacking registers"},
    {bit(8), "instruction fetch from a bad address"},
    {bit(9), "data access to a bad address"},
    {bit(10), "data access to a bad address (imprecise: pc is later)"},
    {bit(11) | bit(12) | bit(13), "bus fault while stacking registers"},
    {bit(16), "undefined instruction"},
    {bit(17), "invalid execution state"},
    {bit(18), "invalid exception return"},
    {bit(19), "coprocessor or FPU not enabled"},
    {bit(24), "unaligned access"},
    {bit(25), "division by zero"},
};

const char* fault_sentence() noexcept {
  const std::uint32_t status = reg::kConfigurableFaultStatus.read();
  for (const FaultName& name : kFaultNames)
    if ((status & name.status_bits) != 0) return name.sentence;
  return "hard fault";
}

bool is_stack_overflow(std::uint32_t stack_pointer) noexcept {
  const std::uint32_t status = reg::kConfigurableFaultStatus.read();
  if ((status & (kMemManageStacking | kStackLimit)) != 0) return true;
  const bool in_guard = address_of(kinecast_stack_limit) - 1U - reg::kMemManageAddress.read() < kStackGuardBytes;
  if ((status & kMemManageAddressValid) != 0 && in_guard) return true;
  return !holds_frame(stack_pointer);
}

// Registers that were to be stacked on entry may have found no room.
bool frame_is_lost(std::uint32_t stack_pointer) noexcept {
  const std::uint32_t status = reg::kConfigurableFaultStatus.read();
  return (status & (kMemManageStacking | kBusFaultStacking | kStackLimit)) != 0 || !holds_frame(stack_pointer);
}

void put_status() noexcept {
  const std::uint32_t status = reg::kConfigurableFaultStatus.read();
  put_register("  cfsr ", status);
  put_register("  hfsr ", reg::kHardFaultStatus.read());
  if ((status & kBusFaultAddressValid) != 0) put_register("  bfar ", reg::kBusFaultAddress.read());
  if ((status & kMemManageAddressValid) != 0) put_register("  mmfar ", reg::kMemManageAddress.read());
}
#else
// Armv6-M tells nothing but "HardFault": no status registers, no MPU on our part. A stack that
// has left RAM is known by its pointer.
const char* fault_sentence() noexcept { return "hard fault"; }
bool is_stack_overflow(std::uint32_t stack_pointer) noexcept { return !holds_frame(stack_pointer); }
bool frame_is_lost(std::uint32_t stack_pointer) noexcept { return !holds_frame(stack_pointer); }
void put_status() noexcept {}
#endif

}  // namespace

extern "C" {

[[noreturn, gnu::used]] void kinecast_fault_report(std::uint32_t stack_pointer) {
  const bool overflow = is_stack_overflow(stack_pointer);
  put("\nfault: ");
  put(overflow ? "stack overflow" : fault_sentence());
  put("\n ");
  if (frame_is_lost(stack_pointer)) {
    put(" pc and lr lost with the stack");
  } else {
    const auto& frame = *reinterpret_cast<const ExceptionFrame*>(static_cast<std::uintptr_t>(stack_pointer));
    put_register(" pc ", frame.pc);
    put_register("  lr ", frame.lr);
  }
  put_register("  sp ", stack_pointer);
  put_status();
  put("\n");
  exit(overflow ? kStackOverflow : kFault);
}

// Naked: the old stack may be the fault's cause, so nothing may be pushed before sp is known to be
// good: 512 bytes for the report, else it starts again at the top.
[[gnu::naked, gnu::used]] void kinecast_fault() {
  asm volatile(
      ".syntax unified \n"
      "mrs r0, msp \n"
      "ldr r1, =kinecast_stack_limit + 512 \n"
      "ldr r2, =kinecast_stack_top \n"
      "cmp r0, r1 \n"
      "blo 1f \n"
      "cmp r0, r2 \n"
      "bls 2f \n"
      "1: mov sp, r2 \n"
      "2: bl kinecast_fault_report \n"
      ".ltorg \n");
}

[[noreturn, gnu::used]] void kinecast_unexpected_interrupt() {
  std::uint32_t exception = 0;
  asm volatile("mrs %0, ipsr" : "=r"(exception));
  put("\nunexpected interrupt: exception ");
  put(integer(exception));
  put("\n");
  exit(kUnexpectedInterrupt);
}

}  // extern "C"

}  // namespace kinecast::port
