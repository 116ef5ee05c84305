// SPDX-License-Identifier: MIT
// Bytes to pack: what compresses in every way, and what does not.
#pragma once

#include <stdint.h>

enum ref_snappy_content {
    REF_SNAPPY_NOISE,
    REF_SNAPPY_ONE_VALUE,
    REF_SNAPPY_FEW_VALUES, // one to four
    REF_SNAPPY_PERIODS,    // of 1 to 70,000 bytes, now and then another, with damage
    REF_SNAPPY_FIELDS,     // of blocks: some again from anywhere before, from 1 to 32 bytes long
    REF_SNAPPY_HALVES,     // of blocks: half of them again from a few kilobytes before
    REF_SNAPPY_MIXED,      // pieces of all of these
    REF_SNAPPY_NUM_CONTENTS,
};

// Draw `size` bytes, with random numbers of that state (tests/seeded.h).
void ref_snappy_draw(enum ref_snappy_content content, uint64_t *random, uint8_t *bytes,
                     uint32_t size);
