// SPDX-License-Identifier: MIT
// A memory-mapped register as a constant: its address, read and written as one 32-bit word.
#pragma once

#include <cstdint>

namespace kinecast::port::reg {

struct Register {
  std::uint32_t address;

  std::uint32_t read() const noexcept { return *pointer(); }
  void write(std::uint32_t value) const noexcept { *pointer() = value; }
  void set(std::uint32_t bits) const noexcept { write(read() | bits); }

  // Replaces the bits of `mask`, keeps the others.
  void update(std::uint32_t mask, std::uint32_t bits) const noexcept { write((read() & ~mask) | bits); }

  // Returns when any of the bits is set.
  void wait_for(std::uint32_t bits) const noexcept {
    while ((read() & bits) == 0) {
    }
  }

 private:
  volatile std::uint32_t* pointer() const noexcept {
    return reinterpret_cast<volatile std::uint32_t*>(static_cast<std::uintptr_t>(address));
  }
};

}  // namespace kinecast::port::reg
