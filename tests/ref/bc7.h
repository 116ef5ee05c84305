// SPDX-License-Identifier: MIT
// Scalar reference of the BC7 encoder.
#ifndef WEIR_TESTS_REF_BC7_H
#define WEIR_TESTS_REF_BC7_H

#include <stdbool.h>
#include <stdint.h>

// A block of 16 bytes, the lowest bit first. Its mode, 0 to 7, says into how many subsets the
// texels are divided, by which bits two endpoints of each subset are held, and how many values
// between the two there are: 4, 8 or 16. Modes 4 and 5 have one subset, and indices of their own
// for alpha, or for a channel that has changed places with alpha.
enum { REF_BC7_BLOCK_SIZE = 16 };

enum ref_bc7_effort {
    REF_BC7_LIVE = -1, // one subset, and two of them, divided in a likely way
    REF_BC7_FAST,      // one subset, and two of them, divided in the three likeliest ways
    REF_BC7_DEFAULT,   // more ways, and endpoints that are polished
    REF_BC7_HIGH,      // and three; more ways, rounded in more ways, and longer searches
};

struct ref_bc7_params {
    enum ref_bc7_effort effort;
    bool alpha_unread; // alpha counts for nothing, in the texels and in what a decoder has
};

// Encode 4x4 RGBA texels, row-major. Integers, and floats that every device
// rounds alike, decide every bit. Returns the sum of
// squared differences that a decoder has; high has no more than default.
int ref_bc7_encode_block(const uint8_t texels[16][4], const struct ref_bc7_params *params,
                         uint8_t out[REF_BC7_BLOCK_SIZE]);

#endif
