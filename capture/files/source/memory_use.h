// SPDX-License-Identifier: MIT
// What work on a picture takes of the memory, beside the decoded picture itself, and the limit of
// both.
#ifndef WEIR_CAPTURE_FILES_SOURCE_MEMORY_USE_H
#define WEIR_CAPTURE_FILES_SOURCE_MEMORY_USE_H

#include <stdint.h>

// A zeroed one has no limit.
struct weir_memory_use {
    uint64_t limit;           // [bytes]; 0 = none
    uint32_t num_copies;      // of the texels, four values each, at the precision of the file
    uint32_t texel_size;      // what else a texel takes [bytes]
    uint32_t deep_texel_size; // and what is added to that where its values have more than 8 bits
};

#endif
