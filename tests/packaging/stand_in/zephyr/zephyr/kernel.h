/* SPDX-License-Identifier: MIT */
/* Stands in for Zephyr's kernel: the calls of the sample. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t k_cycle_get_32(void);
uint32_t k_cyc_to_us_floor32(uint32_t cycles);
int32_t k_msleep(int32_t ms);

#ifdef __cplusplus
}
#endif
