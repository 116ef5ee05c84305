// SPDX-License-Identifier: MIT
// Formats of compressed texels in blocks of 4x4, and their decoders on the CPU.
#ifndef WEIR_CAPTURE_FILES_BLOCK_BLOCK_H
#define WEIR_CAPTURE_FILES_BLOCK_BLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

enum weir_block_values {
    WEIR_BLOCK_UNORM, // 0 .. 1
    WEIR_BLOCK_SRGB,  // 0 .. 1; the codes of colours, which are not decoded to light
    WEIR_BLOCK_SNORM, // -1 .. 1
    WEIR_BLOCK_FLOAT, // half floats
};

// The colour models of Khronos' data format, KHR_DF_MODEL_*.
enum weir_block_model {
    WEIR_BLOCK_MODEL_BC1A = 128,
    WEIR_BLOCK_MODEL_BC2,
    WEIR_BLOCK_MODEL_BC3,
    WEIR_BLOCK_MODEL_BC4,
    WEIR_BLOCK_MODEL_BC5,
    WEIR_BLOCK_MODEL_BC6H,
    WEIR_BLOCK_MODEL_BC7,
    WEIR_BLOCK_MODEL_ETC2 = 161,
};

struct weir_block_format {
    VkFormat format;
    const char *name;      // "bc7_srgb"
    uint32_t block_size;   // 8 or 16 [bytes]
    uint32_t num_channels; // R, RG, RGB or RGBA
    enum weir_block_values values;

    // Its numbers in files.
    uint32_t gl;                 // of OpenGL's registry, COMPRESSED_*
    uint32_t dxgi;               // DXGI_FORMAT; 0: it has none
    enum weir_block_model model; // of Khronos' data format
    uint8_t channels[2];         // of the model's samples: each 64-bit word, or the whole block
    uint32_t num_samples;
};

// Get the table of all formats, and find a format in it; NULL if it is not in the table.
const struct weir_block_format *weir_block_formats(size_t *num_formats);
const struct weir_block_format *weir_block_get_format(VkFormat format);

// Decode the texels of one block of a format, in rows from the top. Every pattern of bits is
// decoded; reserved ones as the specification says. A channel that the format lacks is 0, a missing
// alpha 1. Fractions are exact but for the rounding to float.
void weir_block_decode(const struct weir_block_format *format, const uint8_t *block,
                       float (*texels)[4]);

#endif
