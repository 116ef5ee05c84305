// SPDX-License-Identifier: MIT
// Tables of BC6H and BC7: Khronos Data Format Specification 1.3, chapter "BPTC".
#ifndef WEIR_CAPTURE_FILES_BLOCK_BPTC_TABLES_H
#define WEIR_CAPTURE_FILES_BLOCK_BPTC_TABLES_H

#include <stdbool.h>
#include <stdint.h>

// The subset of each texel, a digit, by partition.
extern const char weir_bptc_subsets_of_2[64][17], weir_bptc_subsets_of_3[64][17];
// The anchor of the second subset of two, and of the second and the third of three.
extern const uint8_t weir_bptc_anchor_2[64], weir_bptc_anchor_3_2[64], weir_bptc_anchor_3_3[64];

// A run of bits of an endpoint's channel. Its lowest bit in the block is bit `low`, its highest bit
// `high`; high is below low where a run is reversed.
struct weir_bc6h_run {
    uint8_t channel, endpoint, high, low;
};

enum { WEIR_BC6H_MAX_RUNS = 28 };

struct weir_bc6h_mode {
    bool is_transformed; // all endpoints but the first are differences to the first
    uint8_t num_subsets;
    uint8_t endpoint_bits, delta_bits[3]; // delta_bits: of all endpoints but the first
    uint8_t num_runs;
    struct weir_bc6h_run runs[WEIR_BC6H_MAX_RUNS]; // in their order after the mode's bits
};

// Get a mode by the five lowest bits of a block; NULL for a reserved mode. `*num_bits` becomes the
// number of bits that the mode has.
const struct weir_bc6h_mode *weir_bc6h_get_mode(unsigned low_bits, unsigned *num_bits);

#endif
