/* SPDX-License-Identifier: MIT */
/* Stands in for FreeRTOS as ESP-IDF carries it. */
#pragma once

#include <stdint.h>

typedef uint32_t TickType_t;
#define pdMS_TO_TICKS(ms) ((TickType_t)((ms) / 10))
