// SPDX-License-Identifier: MIT
// The controls of a frame's optimisers, one behind the other in the memory of its slot: what these
// are told of the frame, and what they say of it.
#include "capture/stream/controls.h"

#include <string.h>

uint64_t weir_controls_offset(const struct weir_controls *controls, uint32_t index)
{
    return index * weir_rdo_control_size(controls->width, controls->height);
}

// The least lambda: copies that lose nothing are found by it, and so what Snappy makes of them is
// counted.
#define LEAST_LAMBDA 1

void weir_controls_set_quality(const struct weir_controls *controls, void *memory, double quality)
{
    const uint32_t lambda = weir_rdo_lambda(quality);
    const struct weir_rdo_control head = {.lambda = lambda < LEAST_LAMBDA ? LEAST_LAMBDA : lambda};
    for (uint32_t i = 0; i < controls->num; i++) {
        memcpy((uint8_t *)memory + weir_controls_offset(controls, i), &head, sizeof(head));
    }
}

struct weir_rdo_result weir_controls_get_result(const struct weir_controls *controls,
                                                const void *memory)
{
    struct weir_rdo_result sum = {0, 0};
    for (uint32_t i = 0; memory && i < controls->num; i++) {
        const struct weir_rdo_result one = weir_rdo_get_result(
            (const uint8_t *)memory + weir_controls_offset(controls, i), controls->width,
            controls->height);
        sum.squared_error += one.squared_error;
        sum.num_bytes += one.num_bytes;
    }
    return sum;
}

double weir_controls_psnr(const struct weir_controls *controls,
                          const struct weir_rdo_result *result)
{
    return weir_rdo_psnr(result,
                         (uint64_t)controls->width * controls->height * controls->num_channels);
}
