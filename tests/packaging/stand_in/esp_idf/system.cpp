// SPDX-License-Identifier: MIT
// The stand-in of ESP-IDF's system, on the host. A delay ends the program: one round is enough.
#include <esp_timer.h>
#include <freertos/FreeRTOS.h>
#include <freertos/task.h>

#include <cstdlib>

extern "C" void app_main();

int64_t esp_timer_get_time() { return 0; }
void vTaskDelay(TickType_t) { std::exit(0); }

int main() { app_main(); }
