/* SPDX-License-Identifier: MIT */
/* Stands in for ESP-IDF's timer. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int64_t esp_timer_get_time(void);

#ifdef __cplusplus
}
#endif
