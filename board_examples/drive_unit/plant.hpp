// SPDX-License-Identifier: MIT
// The motor, its bridge and its encoder, as the firmware sees them, and all that differs between the real board and the
// emulated one. plant_registers.cpp: the chip's own PWM and encoder timers. plant_simulated.cpp: a drive unit that is
// computed, with an encoder that counts.
#pragma once

#include "kinecast_port/stm32f405/clocks.hpp"

namespace plant {

// Clocks, pins, bridge and encoder; the motor stays at 0 V, and the angle begins at 0.
kinecast::port::stm32f405::Clocks start() noexcept;

// The joint's angle. Once per control period.
float read_angle_rad() noexcept;

// The motor's voltage from now on; +-24 V.
void write_volts(float volts) noexcept;

// Whether somebody reads port::put() and waits for port::exit(): the emulator does. On a board without a debugger those
// calls are faults.
bool has_console() noexcept;

}  // namespace plant
