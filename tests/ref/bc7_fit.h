// SPDX-License-Identifier: MIT
// The two endpoints of one subset of a BC7 block.
#ifndef WEIR_TESTS_REF_BC7_FIT_H
#define WEIR_TESTS_REF_BC7_FIT_H

#include <stdbool.h>
#include <stdint.h>

// The lowest bit of all of an endpoint's channels, which some modes have.
enum ref_bc7_p_bits {
    REF_BC7_P_NONE,
    REF_BC7_P_EACH,   // one an endpoint
    REF_BC7_P_SHARED, // one for both
    REF_BC7_P_ONE,    // one an endpoint, which must be 1: else alpha is not 255
};

// The task of fitting a line to a subset of the texels.
struct ref_bc7_task {
    const uint8_t (*texels)[4];
    uint32_t subset; // of the texels, a bit each
    int bits[4];     // of a code of each channel, with the p-bit; 0: the channel counts for nothing
    enum ref_bc7_p_bits p_bits;
    int max_index; // 3, 7 or 15
};

struct ref_bc7_fit {
    int code[2][4]; // with p-bits
    int error;      // sum of squares, of the indices found by projection
};

// How far to look for better endpoints.
struct ref_bc7_reach {
    bool all_p_bits; // for a fit from scratch, not only those nearest to what is to be rounded
    int num_rounds;  // of polishing
    int stretch;     // in polishing, indices by which either end may go out or in
};

// The endpoints of a subset from scratch.
struct ref_bc7_fit ref_bc7_fit_subset(const struct ref_bc7_task *task,
                                      const struct ref_bc7_reach *reach);

// Endpoints near to those given: rounds over all neighbours, while they help. Their error is found
// anew. A part without channels to fit has none.
void ref_bc7_polish_subset(const struct ref_bc7_task *task, const struct ref_bc7_reach *reach,
                           struct ref_bc7_fit *fit);

// A code in 0 .. 255.
int ref_bc7_expand(int code, int num_bits);

// The index whose value is nearest on the line between two ends, but for the rounding of weights
// and values; of the channels first to last.
int ref_bc7_nearest(const int ends[2][4], int first, int last, int max_index, const uint8_t v[4]);

// Between two values in 0 .. 255.
int ref_bc7_interpolate(int first, int second, int max_index, int index);

#endif
