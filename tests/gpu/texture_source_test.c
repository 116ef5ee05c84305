// SPDX-License-Identifier: MIT
// Codecs of textures with sources that are not RGBA of 8 bits: signed ones, those with one or two
// channels, and those with more bits. The kernels give the bytes that they give on the processor
// for what the reference makes of the source.
//
// Every run has every format and every transfer, signed codecs of one block with every effort, and
// half of the codecs that read a format, as the seed says. With --all all of them.
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "shaders/color/constants.h"
#include "tests/gpu/encode_run.h"
#include "tests/gpu/harness.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/source.h"

struct source_format {
    VkFormat format;
    uint32_t num_channels, channel_size; // [bytes]
};
static const struct source_format formats[] = {
    {VK_FORMAT_R8_UNORM, 1, 1},
    {VK_FORMAT_R8G8_UNORM, 2, 1},
    {VK_FORMAT_R8G8B8A8_UNORM, 4, 1},
    {VK_FORMAT_R8G8B8A8_SRGB, 4, 1},
    {VK_FORMAT_R8G8B8A8_SNORM, 4, 1},
    {VK_FORMAT_R16_UNORM, 1, 2},
    {VK_FORMAT_R16G16_UNORM, 2, 2},
    {VK_FORMAT_R16G16B16A16_UNORM, 4, 2},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 4, 2},
};

static const struct source_format *find_format(VkFormat format)
{
    const struct source_format *found = formats;
    while (found->format != format) {
        found++;
    }
    return found;
}

// The bits of one channel, in the low channel_size bytes. Floats are 0 to 1 and signed mostly.
static uint32_t draw_bits(struct harness *h, const struct source_format *format, int kind,
                          uint32_t position, uint32_t base)
{
    static const uint16_t halves[] = {0x0000, 0x8000, 0x0001, 0x3c00, 0x3bff, 0x3c01,
                                      0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xbc00, 0xfe00};
    static const uint16_t codes[] = {0x0000, 0xffff, 0x8080, 0x7f7f, 0x8181};
    const bool is_float = format->format == VK_FORMAT_R16G16B16A16_SFLOAT;
    if (kind == 3 && harness_random_below(h, 4) == 0) {
        return is_float ? halves[harness_random_below(h, 12)] : codes[harness_random_below(h, 5)];
    }
    const uint32_t value = kind == 0   ? harness_random_below(h, 65536)
                           : kind == 1 ? base + 37 * position + harness_random_below(h, 200)
                                       : base + harness_random_below(h, 1 << 2 * kind) * 64;
    return is_float ? (value & 0x8000) + (value & 0x7fff) * 0x3c00 / 0x8000 : value & 0xffff;
}

// The same as the kernels take it, in 1/1024 of a code.
static uint32_t fine_of(const struct weir_encoder_params *params, uint32_t bits)
{
    const bool is_linear = encode_kind(params).transfer == WEIR_TRANSFER_LINEAR;
    switch (encode_kind(params).format) {
    case VK_FORMAT_R8G8B8A8_SRGB:
        return bits * 1024;
    case VK_FORMAT_R8G8B8A8_SNORM:
        return (bits < 128 ? bits + 127 : bits == 128 ? 0 : bits - 129) * 1024;
    case VK_FORMAT_R16_UNORM:
    case VK_FORMAT_R16G16_UNORM:
    case VK_FORMAT_R16G16B16A16_UNORM:
        return is_linear ? ref_source_linear((float)bits * (1 / 65535.0f))
                         : ref_source_codes16(bits);
    case VK_FORMAT_R16G16B16A16_SFLOAT: {
        const float value = ref_half_to_float((uint16_t)bits);
        return weir_codec_get_info(params->codec)->is_signed ? ref_source_signed_float(value)
               : is_linear                                   ? ref_source_linear(value)
                                                             : ref_source_float(value);
    }
    default:
        return is_linear ? ref_source_linear((float)bits * (1 / 255.0f)) : bits * 1024;
    }
}

static uint8_t alpha_of(const struct weir_encoder_params *params, uint32_t bits)
{
    return encode_kind(params).format == VK_FORMAT_R16G16B16A16_UNORM
               ? (uint8_t)((bits + 128) / 257)
           : encode_kind(params).format == VK_FORMAT_R16G16B16A16_SFLOAT
               ? ref_source_alpha(ref_half_to_float((uint16_t)bits))
               : (uint8_t)bits;
}

// A picture's texels, as the kernels take them.
struct texel {
    uint32_t fine[4], threshold;
    uint8_t alpha;
};

// As the kernel takes it from a source of floats: a value that it converts to the same codes, or,
// of EAC, to the same 11 bits.
static float value_of(const struct weir_encoder_params *params, const struct texel *texel, int c)
{
    const struct weir_codec_info *info = weir_codec_get_info(params->codec);
    const bool is_eac = strncmp(info->name, "eac", 3) == 0;
    const bool dithers = params->codec == WEIR_CODEC_BC1 || params->codec == WEIR_CODEC_BC3;
    const uint32_t threshold = dithers ? texel->threshold : 512;
    if (c == 3) {
        return (float)texel->alpha / 255;
    }
    if (is_eac && info->is_signed) {
        return (float)ref_source_round11_signed(texel->fine[c]) / 1023;
    }
    if (is_eac) {
        return (float)ref_source_round11(texel->fine[c]) / 2047;
    }
    if (params->bc1_dither) {
        uint8_t rgb[3];
        ref_source_dither_bc1(texel->fine, texel->threshold, rgb);
        return (float)rgb[c] / 255;
    }
    const uint8_t code = ref_source_round(texel->fine[c], threshold);
    return info->is_signed ? (float)(code - 127) / 127 : (float)code / 255;
}

static void encode_block(const struct weir_encoder_params *params, const struct texel block[16],
                         uint8_t *out)
{
    const struct weir_codec_info *info = weir_codec_get_info(params->codec);
    const bool is_eac = strncmp(info->name, "eac", 3) == 0;
    struct weir_encoder_params converted = *params;
    converted.bc1_dither = false;
    float values[16][4];
    for (int i = 0; i < 64; i++) {
        values[i / 4][i % 4] = value_of(params, &block[i / 4], i % 4);
    }
    const uint32_t kind = !is_eac ? info->is_signed ? WEIR_SOURCE_SNORM8 : WEIR_SOURCE_CODES8
                          : info->is_signed ? WEIR_SOURCE_SIGNED_FLOAT
                                            : WEIR_SOURCE_FLOAT;
    kernel_encode_source(&converted, kind, (const float(*)[4])values, out);
}

static void encode_by_reference(const struct weir_encoder_params *params,
                                const struct texel *texels, uint32_t width, uint32_t height,
                                uint8_t *out)
{
    for (uint32_t y = 0; y < height; y += 4) {
        for (uint32_t x = 0; x < width; x += 4) {
            struct texel block[16];
            for (uint32_t t = 0; t < 16; t++) {
                const uint32_t column = x + t % 4 < width ? x + t % 4 : width - 1;
                const uint32_t row = y + t / 4 < height ? y + t / 4 : height - 1;
                block[t] = texels[row * width + column];
            }
            encode_block(params, block, out);
            out += weir_codec_get_info(params->codec)->block_size;
        }
    }
}

static void draw_picture(struct harness *h, const struct weir_encoder_params *params,
                         uint32_t width, uint32_t height, uint8_t *bytes, struct texel *texels)
{
    const struct source_format *format = find_format(encode_kind(params).format);
    const int kind = (int)harness_random_below(h, 6);
    const uint32_t base = harness_random_below(h, 65536);
    for (uint32_t i = 0; i < width * height; i++) {
        texels[i] = (struct texel){
            .threshold = params->no_dither ? 512 : ref_source_dither(i % width, i / width),
            .alpha = 255,
        };
        for (uint32_t c = 0; c < format->num_channels; c++) {
            const uint32_t drawn = draw_bits(h, format, kind, i % width + i / width,
                                             base + 9000 * c);
            const uint32_t bits = format->channel_size == 1 ? drawn >> 8 : drawn;
            memcpy(bytes, &bits, format->channel_size); // the least significant byte is first
            bytes += format->channel_size;
            if (c == 3) {
                texels[i].alpha = alpha_of(params, bits);
            } else {
                texels[i].fine[c] = fine_of(params, bits);
            }
        }
    }
}

static void run_size(struct harness *h, const weir_encoder *encoder,
                     const struct weir_encoder_params *params, uint32_t width, uint32_t height)
{
    const struct source_format *format = find_format(encode_kind(params).format);
    const uint64_t size = weir_codec_image_size(params->codec, width, height);
    uint8_t *bytes = malloc((size_t)width * height * 8), *want = malloc(size);
    struct texel *texels = malloc((size_t)width * height * sizeof(*texels));
    draw_picture(h, params, width, height, bytes, texels);
    encode_by_reference(params, texels, width, height, want);
    encode_check(h, encoder, params, format->num_channels * format->channel_size, width, height,
                 bytes, want);
    free(texels);
    free(bytes);
    free(want);
}

static void run(struct harness *h, const struct weir_encoder_params *params)
{
    static const uint32_t sizes[][2] = {{3, 3}, {5, 7}, {30, 18}, {257, 9}, {60, 68}};
    if (!params->like) {
        return; // a device may lack some of the formats
    }
    weir_encoder *encoder = encode_create(h, params);
    if (!encoder) {
        return;
    }
    const uint32_t num_sizes = params->effort == WEIR_EFFORT_EXHAUSTIVE ? 2 : 5;
    for (uint32_t i = 0; i < num_sizes; i++) {
        run_size(h, encoder, params, sizes[i][0], sizes[i][1]);
    }
    weir_encoder_destroy(&encoder);
}

#define RUN_AS(h, codec_, format_, transfer_, ...)                                                 \
    run(h, weir_encoder_params(.codec = WEIR_CODEC_##codec_,                                       \
                               .like = harness_like(h, VK_FORMAT_##format_, 0, transfer_),         \
                               __VA_ARGS__))
#define RUN(h, codec, format, ...) RUN_AS(h, codec, format, WEIR_TRANSFER_DEFAULT, __VA_ARGS__)

// The halves of a run's kernels: both are true with --all.
struct halves {
    bool first, second;
};

static void run_signed(struct harness *h, struct halves has)
{
    const enum weir_effort fast = WEIR_EFFORT_FAST;
    for (int effort = WEIR_EFFORT_DEFAULT; effort <= WEIR_EFFORT_EXHAUSTIVE; effort++) {
        const enum weir_effort each = (enum weir_effort)effort;
        RUN(h, BC4_SNORM, R8G8B8A8_SNORM, .effort = each);
        RUN(h, EAC_R11_SNORM, R16G16B16A16_SFLOAT, .effort = each);
    }
    if (has.first) {
        RUN(h, BC5_SNORM, R8G8B8A8_SNORM, .effort = fast);
        RUN_AS(h, BC5_SNORM, R16G16B16A16_SFLOAT, WEIR_TRANSFER_CODES, .effort = fast);
    }
    if (has.second) {
        RUN(h, BC5_SNORM, R16G16B16A16_SFLOAT, .effort = fast);
        RUN(h, EAC_RG11_SNORM, R8G8B8A8_SNORM, .effort = fast);
    }
}

static void run_unsigned(struct harness *h, struct halves has)
{
    const enum weir_effort fast = WEIR_EFFORT_FAST;
    RUN(h, BC4, R8_UNORM, .effort = WEIR_EFFORT_EXHAUSTIVE);
    RUN(h, EAC_R11, R16_UNORM, .effort = WEIR_EFFORT_EXHAUSTIVE);
    RUN(h, EAC_R11, R8G8B8A8_SRGB, .effort = fast);
    RUN(h, BC1, R16G16B16A16_UNORM, .effort = fast, .bc1_dither = true);
    RUN(h, BC1, R16G16B16A16_UNORM, .effort = fast, .no_dither = true);
    RUN_AS(h, BC1, R16G16B16A16_UNORM, WEIR_TRANSFER_LINEAR, .effort = fast);
    if (has.first) {
        RUN(h, BC5, R8_UNORM, .effort = fast); // of which G is missing
        RUN(h, BC5, R16G16_UNORM, .effort = fast);
        RUN(h, EAC_RG11, R8G8_UNORM, .effort = fast);
        RUN_AS(h, EAC_RG11, R16G16B16A16_UNORM, WEIR_TRANSFER_LINEAR, .effort = fast);
        RUN_AS(h, EAC_R11, R16G16B16A16_SFLOAT, WEIR_TRANSFER_CODES, .effort = fast);
    }
    if (has.second) {
        RUN(h, BC3, R8G8_UNORM, .effort = fast); // B and A
        RUN(h, BC3, R16G16B16A16_UNORM, .effort = fast);
        RUN(h, BC4, R16_UNORM, .effort = fast);
        RUN(h, EAC_RG11, R16G16_UNORM, .effort = fast);
        RUN_AS(h, EAC_RG11, R16G16B16A16_SFLOAT, WEIR_TRANSFER_LINEAR, .effort = fast);
    }
}

static void expect_refused(struct harness *h, enum weir_codec codec, VkFormat format)
{
    encode_expect_none(h, h->context,
                       weir_encoder_params(.codec = codec, .like = harness_like(h, format, 0, 0)),
                       WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT);
}

// usage: texture_source_test [--all]
int main(int argc, char **argv)
{
    struct harness h;
    harness_init(&h, false);
    const bool has_all = argc == 2 && strcmp(argv[1], "--all") == 0;
    const bool is_first = harness_random_below(&h, 2) == 0;
    const struct halves has = {has_all || is_first, has_all || !is_first};
    run_signed(&h, has);
    run_unsigned(&h, has);
    expect_refused(&h, WEIR_CODEC_BC4_SNORM, VK_FORMAT_R8G8B8A8_UNORM);
    expect_refused(&h, WEIR_CODEC_EAC_RG11_SNORM, VK_FORMAT_R16G16_UNORM);
    expect_refused(&h, WEIR_CODEC_BC4, VK_FORMAT_R8G8B8A8_SNORM);
    expect_refused(&h, WEIR_CODEC_YCOCG_BC3, VK_FORMAT_R8G8B8A8_SNORM);
    return harness_finish(&h);
}
