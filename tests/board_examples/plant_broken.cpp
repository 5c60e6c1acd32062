// SPDX-License-Identifier: MIT
// A drive unit that breaks, for board_examples/drive_unit: its joint is blocked, and after one second its encoder says
// KINECAST_BROKEN_ENCODER (rad). From then on any voltage is a failure of the test.
#include <cmath>

#include "kinecast_port/port.hpp"
#include "plant.hpp"

namespace plant {
namespace {

constexpr int kGoodReadings = 1000;
int readings = 0;
bool was_driven = false;

bool is_broken() { return readings > kGoodReadings; }

}  // namespace

bool has_console() noexcept { return true; }

kinecast::port::stm32f405::Clocks start() noexcept { return kinecast::port::stm32f405::kEmulatedClocks; }

float read_angle_rad() noexcept {
  ++readings;
  return is_broken() ? KINECAST_BROKEN_ENCODER : 0.0F;
}

void write_volts(float volts) noexcept {
  const bool drives = std::abs(volts) > 0;
  if (drives) was_driven = true;
  if (is_broken() && (drives || !was_driven)) kinecast::port::exit(1);
}

}  // namespace plant
