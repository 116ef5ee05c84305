// SPDX-License-Identifier: MIT
// How kernels that are compiled for the processor are called: between C and their C++.
#pragma once

#include <stdint.h>

#include "shaders/encode/constants.h"
#include "shaders/palette/constants.h"
#include "shaders/rdo/constants.h"
#include "shaders/snappy/constants.h"

enum { KERNEL_MAX_NUM_CONSTANTS = WEIR_ENCODE_NUM_CONSTANTS };

// An image whose blocks are encoded, to the first byte of the buffer.
struct encode_call {
    uint32_t constants[KERNEL_MAX_NUM_CONSTANTS]; // for specialization
    const float (*texels)[4];                     // row-major, as a kernel fetches them
    uint32_t width, height;
    uint32_t num_parts; // workgroups in z
    void *history;      // of kernels that are steady: the blocks before
    void *out;
};

// In the order of enum weir_effort. NULL: the codec does not have it.
struct kernel_by_effort {
    void (*run[5])(const struct encode_call *call);
};

// An image whose blocks are optimised, beginning at the first byte of each buffer.
struct rdo_call {
    uint32_t constants[KERNEL_MAX_NUM_CONSTANTS];
    const float (*texels)[4]; // as a kernel fetches them
    uint32_t width, height;
    void *blocks, *history, *control;
};

// A texture that is packed, beginning at the first byte of each buffer.
struct snappy_call {
    uint32_t num_chunks, chunk_words, chunk_fragments, least_saved;
    uint32_t num_groups;
    uint32_t *source, *memory, *destination;
};

// The buffers of kernels, by set and binding.
typedef void *(*kernel_memory)[WEIR_PALETTE_NUM_BINDINGS];

// A dispatch of a kernel of palettes.
struct palette_call {
    uint32_t constants[KERNEL_MAX_NUM_CONSTANTS];
    uint32_t groups[2], group_size[2];
    kernel_memory memory;
    uint32_t num_means, max_kept, spacing;
    const float (*texels)[4]; // of the source, as a kernel fetches them
    uint32_t width, height;   // of the source
    uint8_t *out;             // RGBA of 8 bits
};
