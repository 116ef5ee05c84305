// SPDX-License-Identifier: MIT
// Pictures of every format that encoders read, drawn so that blocks are encoded in different ways,
// on a device and on the processor.
#include "tests/gpu/encode_draw.h"

#include <stdlib.h>
#include <string.h>

#include "shaders/color/constants.h"
#include "tests/gpu/encode_run.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/source.h"

// By what their channels are drawn and read.
enum storage { BITS_8, BITS_8_SIGNED, BITS_10, BITS_16, HALF };

struct format {
    VkFormat format;
    enum storage storage;
    uint32_t num_channels;
    bool is_bgra;
    uint32_t codes, linear; // WEIR_SOURCE_*
};

// clang-format off
#define BYTES(format, num, is_bgra)                                                                \
    {VK_FORMAT_##format, BITS_8, num, is_bgra, WEIR_SOURCE_CODES8, WEIR_SOURCE_LINEAR8}
#define SRGB(format, is_bgra)                                                                      \
    {VK_FORMAT_##format, BITS_8, 4, is_bgra, WEIR_SOURCE_CODES8, WEIR_SOURCE_CODES8}
#define WORDS(format, num)                                                                         \
    {VK_FORMAT_##format, BITS_16, num, false, WEIR_SOURCE_CODES16, WEIR_SOURCE_LINEAR16}
// clang-format on
static const struct format formats[] = {
    BYTES(R8_UNORM, 1, false),
    BYTES(R8G8_UNORM, 2, false),
    BYTES(R8G8B8A8_UNORM, 4, false),
    BYTES(A8B8G8R8_UNORM_PACK32, 4, false),
    BYTES(B8G8R8A8_UNORM, 4, true),
    SRGB(R8G8B8A8_SRGB, false),
    SRGB(A8B8G8R8_SRGB_PACK32, false),
    SRGB(B8G8R8A8_SRGB, true),
    {VK_FORMAT_R8G8B8A8_SNORM, BITS_8_SIGNED, 4, false, WEIR_SOURCE_SNORM8, WEIR_SOURCE_SNORM8},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, BITS_10, 4, false, WEIR_SOURCE_CODES10,
     WEIR_SOURCE_LINEAR10},
    WORDS(R16_UNORM, 1),
    WORDS(R16G16_UNORM, 2),
    WORDS(R16G16B16A16_UNORM, 4),
    {VK_FORMAT_R16G16B16A16_SFLOAT, HALF, 4, false, WEIR_SOURCE_FLOAT, WEIR_SOURCE_LINEAR},
};

static const struct format *format_of(VkFormat format)
{
    const struct format *found = formats;
    while (found->format != format) {
        found++;
    }
    return found;
}

uint32_t encode_texel_size(VkFormat format)
{
    const struct format *found = format_of(format);
    return found->storage == BITS_10 ? 4 : found->num_channels * (found->storage < BITS_10 ? 1 : 2);
}

// What the kernel takes the texels for: WEIR_SOURCE_*. Images in sRGB are as if their codes were
// read.
static uint32_t source_kind(const struct weir_encoder_params *params)
{
    const struct weir_image_params like = weir_image_get_params(params->like);
    const struct format *format = format_of(like.format);
    if (format->storage == HALF && weir_codec_get_info(params->codec)->is_signed) {
        return WEIR_SOURCE_SIGNED_FLOAT;
    }
    const enum weir_transfer none = format->storage == HALF ? WEIR_TRANSFER_LINEAR
                                                            : WEIR_TRANSFER_CODES;
    const enum weir_transfer transfer = like.transfer ? like.transfer : none;
    return transfer == WEIR_TRANSFER_LINEAR ? format->linear : format->codes;
}

// A channel in 8 bits, and in fractions of their steps.
static uint32_t draw_code(struct harness *h, int kind, uint32_t x, uint32_t y, uint32_t base)
{
    switch (kind) {
    case 0:
        return harness_random(h);
    case 1:
        return base + x / 5 + y / 3;
    case 2: // one value, or with noise of one code
        return base + harness_random_below(h, 1 + (base & 1));
    case 3: // with 0 and 255 here and there
        return harness_random_below(h, 4) ? base + harness_random_below(h, 20)
                                          : harness_random_below(h, 2) * 255;
    case 4: // two colours, and one here and there
        return (x / 3 + y / 3) & 1 || harness_random_below(h, 30) == 0 ? base : 255 - base;
    case 5: // stripes that are dark in every channel
        return (x + y) & 2 ? base + x : harness_random_below(h, 24);
    case 6: // slopes with noise, as photographs are in most blocks
        return base + 2 * x - y + harness_random_below(h, 6);
    case 7: // black and white
        return harness_random_below(h, 2) * 255;
    default: // outliers
        return harness_random_below(h, 12) ? base + x : harness_random(h);
    }
}

// Zeros, denormals, the largest ones, infinities, NaN, those near 1, 1e-4 beside 6e4.
static const uint16_t hard[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400,
                                0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00,
                                0x068e, 0x7b53, 0x3c00, 0xbc00, 0x3bff, 0x3c01};
enum { NUM_HARD = sizeof(hard) / sizeof(hard[0]) };

// A half for BC6H, which keeps all of it.
static uint32_t draw_half(struct harness *h, int kind, uint32_t x, uint32_t y, uint32_t base)
{
    switch (kind) {
    case 0: // every half there is
        return harness_random(h);
    case 1: // slopes
        return base % 0x6000 + 3 * x + 5 * y;
    case 2: // one colour
        return base;
    case 3: // slopes with noise
        return base % 0x6000 + 20 * x + 31 * y + harness_random_below(h, 300);
    case 4:
        return hard[harness_random_below(h, NUM_HARD)];
    case 5: // two colours and noise, of both signs
        return (((x + 2 * y) / 3 & 1 ? base : base >> 1) & 0x7bff) + harness_random_below(h, 30) +
               ((x ^ y) & 4 ? 0x8000 : 0);
    default: // one texel apart
        return harness_random_below(h, 12) ? (base & 0x3fff) + x : harness_random(h);
    }
}

// The bits of a channel that is about a code.
static uint32_t bits_of(struct harness *h, const struct weir_codec_info *info,
                        const struct format *format, uint32_t code)
{
    const uint32_t deep = (code & 255) << 8 | harness_random_below(h, 256);
    if (format->storage != HALF) {
        return format->storage == BITS_16 ? deep : format->storage == BITS_10 ? deep >> 6 : code;
    }
    if (harness_random_below(h, 40) == 0) {
        return hard[harness_random_below(h, NUM_HARD)];
    }
    return info->is_signed ? (deep & 0x8000) + 0x1c00 + (deep & 0x7fff) / 4 : 0x1c00 + deep / 8;
}

static float value_of(enum storage storage, uint32_t bits)
{
    switch (storage) {
    case BITS_8:
        return (float)(bits & 255) / 255;
    case BITS_8_SIGNED:
        return (bits & 255) == 128 ? -1 : (float)(int8_t)bits / 127;
    case BITS_10:
        return (float)bits / 1023;
    case BITS_16:
        return (float)bits / 65535;
    default:
        return ref_half_to_float((uint16_t)bits);
    }
}

void encode_draw(struct harness *h, const struct weir_encoder_params *params, int kind,
                 uint32_t width, uint32_t height, uint8_t *texels, float (*values)[4])
{
    const struct format *format = format_of(weir_image_get_params(params->like).format);
    const struct weir_codec_info *info = weir_codec_get_info(params->codec);
    const bool is_bc6h = strncmp(info->name, "bc6h", 4) == 0;
    const uint32_t base = harness_random_below(h, 0x10000), greys = harness_random_below(h, 6);
    const bool is_opaque = harness_random_below(h, 2);
    for (uint32_t i = 0; i < width * height; i++) {
        const uint32_t x = i % width, y = i / width;
        const bool is_grey = greys == 0 || (greys < 3 && harness_random_below(h, 3) == 0);
        uint32_t bits[4] = {0}, packed = 0;
        memcpy(values[i], (const float[4]){0, 0, 0, 1}, sizeof(values[i]));
        for (uint32_t c = 0; c < format->num_channels; c++) {
            const uint32_t own = base + (is_bc6h ? 1234 : 31) * c;
            bits[c] = is_grey && c % 3 > 0 ? bits[0]
                      : is_bc6h            ? draw_half(h, kind, x, y, own)
                                : bits_of(h, info, format, draw_code(h, kind, x, y, own));
            bits[c] = is_opaque && c == 3 && format->storage == BITS_8 ? 255 : bits[c] & 0xffff;
            values[i][c] = value_of(format->storage, bits[c]);
            const uint32_t place = format->is_bgra && c < 3 ? 2 - c : c;
            packed |= c < 3 ? bits[c] << 10 * c : 0;
            if (format->storage >= BITS_16) {
                memcpy(texels + 2 * place, &bits[c], 2); // the least significant byte is first
            } else if (format->storage != BITS_10) {
                texels[place] = (uint8_t)bits[c];
            }
        }
        if (format->storage == BITS_10) {
            packed |= (bits[3] >> 8) << 30;
            values[i][3] = (float)(bits[3] >> 8) / 3;
            memcpy(texels, &packed, 4);
        }
        texels += encode_texel_size(format->format);
    }
}

static void run_size(struct harness *h, const weir_encoder *encoder,
                     const struct weir_encoder_params *params, VkImageUsageFlags usage, int kind,
                     uint32_t width, uint32_t height)
{
    uint8_t *texels = malloc((size_t)width * height * 8);
    float(*values)[4] = malloc((size_t)width * height * sizeof(*values));
    uint8_t *want = malloc(
        weir_codec_image_size(weir_codec_get_info(params->codec)->codec, width, height));
    encode_draw(h, params, kind, width, height, texels, values);
    kernel_encode_source(params, source_kind(params), (const float(*)[4])values, width, height,
                         want);
    encode_check(h, encoder, params, usage,
                 encode_texel_size(weir_image_get_params(params->like).format), width, height,
                 texels, want);
    free(want);
    free(values);
    free(texels);
}

static void run_sizes(struct harness *h, const weir_encoder *encoder,
                      const struct weir_encoder_params *params, VkImageUsageFlags usage,
                      const uint32_t (*sizes)[2], uint32_t num_sizes)
{
    for (uint32_t i = 0; i < num_sizes; i++) {
        run_size(h, encoder, params, usage, (int)harness_random_below(h, ENCODE_NUM_PICTURES),
                 sizes[i][0], sizes[i][1]);
    }
}

void encode_pictures(struct harness *h, const struct weir_encoder_params *params,
                     VkImageUsageFlags usage, enum encode_powers powers)
{
    static const uint32_t sizes[][2] = {{3, 3},   {5, 7},     {3, 7},    {12, 12}, {30, 18},
                                        {60, 68}, {257, 129}, {1023, 9}, {4095, 3}};
    static const uint32_t both[][2] = {{1, 1}, {4, 4}, {2, 2}, {64, 64}};
    static const uint32_t one[][2] = {{2, 3}, {1, 9}, {64, 3}, {30, 16}, {3, 1}, {5, 64}};
    weir_encoder *encoder = params->like ? encode_create(h, params) : NULL;
    if (!encoder) {
        return;
    }
    // The software device takes a second for 20,000 texels at effort high.
    const enum weir_effort effort = params->effort;
    const bool is_slow = effort == WEIR_EFFORT_HIGH || effort == WEIR_EFFORT_EXHAUSTIVE;
    const bool is_fast = effort == WEIR_EFFORT_FAST || effort == WEIR_EFFORT_LIVE ||
                         (!is_slow &&
                          weir_codec_get_info(params->codec)->codec == WEIR_CODEC_YCOCG_BC3);
    run_sizes(h, encoder, params, usage, sizes,
              effort == WEIR_EFFORT_EXHAUSTIVE ? 2
              : is_fast                        ? 9
                                               : 6);
    for (int kind = 0; kind < ENCODE_NUM_PICTURES && effort != WEIR_EFFORT_EXHAUSTIVE; kind++) {
        const uint32_t limit = is_slow ? 50 : 90;
        run_size(h, encoder, params, usage, kind, harness_random_side(h, limit),
                 harness_random_side(h, limit));
    }
    run_sizes(h, encoder, params, usage, both, powers >= ENCODE_BOTH_POWERS ? 4 : 0);
    run_sizes(h, encoder, params, usage, one, powers == ENCODE_ALL_POWERS ? 6 : 0);
    weir_encoder_destroy(&encoder);
}
