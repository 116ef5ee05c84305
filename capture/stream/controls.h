// SPDX-License-Identifier: MIT
// The controls of a frame's optimisers, one behind the other in the memory of its slot: what these
// are told of the frame, and what they say of it.
#ifndef WEIR_CAPTURE_STREAM_CONTROLS_H
#define WEIR_CAPTURE_STREAM_CONTROLS_H

#include <stdint.h>

#include <weir/rdo.h>

struct weir_controls {
    uint32_t width, height; // of the frame [texels]
    uint32_t num;           // 0: nothing is optimised
    uint32_t num_channels;  // that the blocks hold, of all optimisers together
};

// Get where the control of an optimiser begins; of the one behind the last, the size of all
// [bytes, a multiple of 16].
uint64_t weir_controls_offset(const struct weir_controls *controls, uint32_t index);

// Tell all of them a quality. `memory`: of the slot.
void weir_controls_set_quality(const struct weir_controls *controls, void *memory, double quality);

// Get what they have come to together. All zero where `memory` is NULL.
struct weir_rdo_result weir_controls_get_result(const struct weir_controls *controls,
                                                const void *memory);

// Get the PSNR of a frame that has come to that, over all channels [dB].
double weir_controls_psnr(const struct weir_controls *controls,
                          const struct weir_rdo_result *result);

#endif
