/* SPDX-License-Identifier: MIT */
/* Stands in for the tasks of FreeRTOS. */
#pragma once

#include <freertos/FreeRTOS.h>

#ifdef __cplusplus
extern "C" {
#endif

void vTaskDelay(TickType_t ticks);

#ifdef __cplusplus
}
#endif
