// SPDX-License-Identifier: MIT
// Reference of the blue noise by which palette reduction dithers.
#pragma once

#include <stdint.h>

enum { REF_BLUE_NOISE_SIDE = 64, REF_BLUE_NOISE_SIZE = REF_BLUE_NOISE_SIDE * REF_BLUE_NOISE_SIDE };

// Fill a pattern that repeats without seams: each of 0 .. 4095 once, so that those below any number
// are spread evenly and without order.
void ref_blue_noise(uint16_t ranks[REF_BLUE_NOISE_SIZE]);
