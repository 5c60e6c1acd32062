// SPDX-License-Identifier: MIT
// Once a second: where will the arm be in 100 ms, and how long did it take to know?
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include "forecast.hpp"

namespace {

// printk knows no floating-point numbers.
int in_10000ths(float value) { return static_cast<int>(1e4F * value + (value < 0 ? -0.5F : 0.5F)); }

void report() {
  example::ArmState measured = kinecast::zero_state<example::arm, float>();  // here your encoders speak
  measured.q << 0.3F, 0.6F;

  example::ArmState in_100ms = measured;
  const uint32_t before = k_cycle_get_32();
  const kinecast::Status status = example::forecast_100ms(measured, 12.0F, 0.2F, in_100ms);
  const uint32_t took = k_cycle_get_32() - before;

  if (!kinecast::ok(status))
    printk("%s\n", kinecast::sentence(status));
  else
    printk("in 100 ms: %d and %d (1e-4 rad); took %u us and %u B of RAM\n", in_10000ths(in_100ms.q[0]),
           in_10000ths(in_100ms.q[1]), static_cast<unsigned>(k_cyc_to_us_floor32(took)),
           static_cast<unsigned>(sizeof example::predictor));
}

}  // namespace

int main() {
  while (true) {
    report();
    k_msleep(1000);
  }
}
