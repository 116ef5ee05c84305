// SPDX-License-Identifier: MIT
// Formats of texels, compressed in blocks of 4x4 or each by itself, and their decoders on the CPU.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

enum weir_block_values {
    WEIR_BLOCK_UNORM, // 0 .. 1
    WEIR_BLOCK_SRGB,  // 0 .. 1; the codes of colours, which are not decoded to light
    WEIR_BLOCK_SNORM, // -1 .. 1
    WEIR_BLOCK_FLOAT, // floats of 10 to 32 bits, in blocks of 16
};

// The colour models of Khronos' data format, KHR_DF_MODEL_*.
enum weir_block_model {
    WEIR_BLOCK_MODEL_RGBSDA = 1, // not compressed
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
    uint32_t block_size;   // 8 or 16, or that of a texel [bytes]
    uint32_t num_channels; // R, RG, RGB or RGBA
    enum weir_block_values values;

    // Its numbers in files.
    uint32_t gl;                 // of OpenGL's registry, COMPRESSED_*
    uint32_t dxgi;               // DXGI_FORMAT; 0: it has none
    enum weir_block_model model; // of Khronos' data format
    uint8_t channels[4];         // of the model's samples: each 64-bit word, or the whole block
    uint32_t num_samples;

    uint32_t side;   // of a block: 4, or 1 for what is not compressed [texels]
    uint8_t bits[4]; // of the samples then, from the lowest bit of the texel on
};

enum { WEIR_BLOCK_ALPHA = 15 }; // among the channels of samples

// Get the first bit of a sample of a format that is not compressed.
uint32_t weir_block_bit_offset(const struct weir_block_format *format, uint32_t sample);

// Get the table of all formats, and find a format in it; NULL if it is not in the table.
const struct weir_block_format *weir_block_formats(size_t *num_formats);
const struct weir_block_format *weir_block_get_format(VkFormat format);

// Decode the texels of one block of a format, side * side of them, in rows from the top. Every
// pattern of bits is decoded; reserved ones as the specification says. A channel that the format
// lacks is 0, a missing alpha 1. Fractions are exact but for the rounding to float.
void weir_block_decode(const struct weir_block_format *format, const uint8_t *block,
                       float (*texels)[4]);

// bc1.c: Khronos Data Format Specification 1.3, chapters "S3TC" and "RGTC".

// Colours, by four entries of a palette, or three and black. With `has_alpha` that is transparent.
void weir_decode_bc1(const uint8_t *word, bool may_have_three, bool has_alpha, float (*texels)[4]);
void weir_decode_bc2_alpha(const uint8_t *word, float (*texels)[4]);
// One channel of BC3, BC4 or BC5.
void weir_decode_bc4(const uint8_t *word, bool is_signed, unsigned channel, float (*texels)[4]);

// bptc.c: the same, chapter "BPTC".
void weir_decode_bc6h(const uint8_t *block, bool is_signed, float (*texels)[4]);
void weir_decode_bc7(const uint8_t *block, float (*texels)[4]);

// etc.c: the same, chapter "ETC2 and EAC". Blocks of ETC1 are blocks of ETC2 RGB in the modes that
// ETC1 has.
void weir_decode_etc2(const uint8_t *word, bool has_alpha_bit, float (*texels)[4]);
void weir_decode_etc2_alpha(const uint8_t *word, float (*texels)[4]);
void weir_decode_eac(const uint8_t *word, bool is_signed, unsigned channel, float (*texels)[4]);

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
