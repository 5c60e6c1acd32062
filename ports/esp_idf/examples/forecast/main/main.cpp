// SPDX-License-Identifier: MIT
// Once a second: where will the arm be in 100 ms, and how long did it take to know? `idf.py monitor` shows it.
#include <esp_timer.h>
#include <freertos/FreeRTOS.h>
#include <freertos/task.h>

#include <cstdio>

#include "forecast.hpp"

namespace {

void report() {
  example::ArmState measured = kinecast::zero_state<example::arm, float>();  // here your encoders speak
  measured.q << 0.3F, 0.6F;

  example::ArmState in_100ms = measured;
  const int64_t before_us = esp_timer_get_time();
  const kinecast::Status status = example::forecast_100ms(measured, 12.0F, 0.2F, in_100ms);
  const int64_t took_us = esp_timer_get_time() - before_us;

  if (!kinecast::ok(status))
    std::printf("%s\n", kinecast::sentence(status));
  else
    std::printf("in 100 ms: %.4f rad and %.4f rad; took %d us and %u B of RAM\n", static_cast<double>(in_100ms.q[0]),
                static_cast<double>(in_100ms.q[1]), static_cast<int>(took_us),
                static_cast<unsigned>(sizeof example::predictor));
}

}  // namespace

extern "C" void app_main() {
  while (true) {
    report();
    vTaskDelay(pdMS_TO_TICKS(1000));
  }
}
