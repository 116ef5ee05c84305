// SPDX-License-Identifier: MIT
// The taps of a filter that makes an axis shorter: which texels become one, and their weights.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// All but the box are sampled at the middles of texels, and stretched by the ratio of the lengths,
// so that finer detail than the result can hold is left out.
enum cli_filter {
    CLI_FILTER_BOX,         // each texel by its exact share of the result
    CLI_FILTER_KAISER,      // sinc of three lobes by a window of Kaiser's, alpha 4
    CLI_FILTER_MITCHELL,    // the cubic with B = C = 1/3
    CLI_FILTER_CATMULL_ROM, // the cubic with B = 0, C = 1/2
};

// Which texels follow behind an edge.
enum cli_edge {
    CLI_EDGE_CLAMP,  // the last one again
    CLI_EDGE_WRAP,   // those of the other end
    CLI_EDGE_MIRROR, // the same in reverse order
};

// The result i is the sum of `num` texels from first[i] on, times their weights, which add up to 1.
// Behind the last texel of the axis comes the first one, with CLI_EDGE_WRAP only.
struct cli_taps {
    uint32_t size, num; // how many results there are, and taps of each
    uint32_t *first;    // [size]
    float *weights;     // [size][num]
};

// Make the taps for an axis of `length` texels that becomes `size` texels long, at most `length`.
// Where both are the same a texel is itself, exactly. False: no memory. Finish it in every case.
bool cli_taps_init(struct cli_taps *taps, uint32_t length, uint32_t size, enum cli_filter filter,
                   enum cli_edge edge);
void cli_taps_finish(struct cli_taps *taps);
