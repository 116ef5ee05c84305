// SPDX-License-Identifier: MIT
// The taps of a filter that makes an axis shorter: which texels become one, and their weights.
#ifndef WEIR_CAPTURE_WEIR_GPU_TAPS_H
#define WEIR_CAPTURE_WEIR_GPU_TAPS_H

#include <stdbool.h>
#include <stdint.h>

// The result i is the sum of the texels first[i] .. first[i] + num - 1, times their weights, which
// add up to 1.
struct cli_taps {
    uint32_t size, num; // how many results there are, and taps of each
    uint32_t *first;    // [size]
    float *weights;     // [size][num]
};

// Make the taps of the cubic of Catmull and Rom for an axis of `length` texels that becomes `size`
// texels long, at most `length`. It is stretched by their ratio, so that finer detail than the
// result can hold is left out. Behind an edge texels come again in reverse order. Where both are
// the same a texel is itself, exactly. False: no memory. Finish it in every case.
bool cli_taps_init(struct cli_taps *taps, uint32_t length, uint32_t size);
void cli_taps_finish(struct cli_taps *taps);

#endif
