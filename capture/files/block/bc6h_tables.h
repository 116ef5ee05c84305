// SPDX-License-Identifier: MIT
// The places of the endpoints' bits in a block, for each mode of BC6H.
#ifndef WEIR_CAPTURE_FILES_BLOCK_BC6H_TABLES_H
#define WEIR_CAPTURE_FILES_BLOCK_BC6H_TABLES_H

#include <stdbool.h>
#include <stdint.h>

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
