// SPDX-License-Identifier: MIT
// The kernels of texture formats give the bytes that they give on the processor: every effort, many
// sizes.
//
// Every run has every codec with every effort, on small images; those whose blocks are two of other
// codecs, or another codec's without the texels that are transparent, have an effort that the seed
// draws. Large images have effort fast, and sides that are powers of two three codecs, one of which
// the seed draws: all kernels find texels by the same code. Of each option of BC1, of the formats
// whose alpha BC4 encodes and of those whose texels BC3 does, the seed draws one kernel. With --all
// every codec has such sides, and every kernel is run.
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "tests/gpu/encode_run.h"
#include "tests/gpu/harness.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/source.h"

static void dither(uint32_t x, uint32_t y, uint8_t texel[4])
{
    const uint32_t fine[3] = {texel[0] * 1024u, texel[1] * 1024u, texel[2] * 1024u};
    ref_source_dither_bc1(fine, ref_source_dither(x, y), texel);
}

// RGBA of 8 bits, by the kernel on the processor, whose texels the reference has dithered.
static void encode_by_reference(const struct weir_encoder_params *params, uint8_t *texels,
                                uint32_t width, uint32_t height, uint8_t *out)
{
    struct weir_encoder_params dithered = *params;
    dithered.bc1_dither = false;
    for (uint32_t i = 0; params->bc1_dither && i < width * height; i++) {
        dither(i % width, i / width, texels + 4 * (size_t)i);
    }
    kernel_encode_image(&dithered, texels, 4, 4 * (size_t)width, width, height, out);
}

// Draw texels whose blocks are encoded in different ways: by their range, values near 0 and 255,
// outliers, or a single value.
static uint8_t draw(struct harness *h, int kind, uint32_t x, uint32_t y, uint32_t base)
{
    switch (kind) {
    case 0:
        return (uint8_t)harness_random(h);
    case 1:
        return (uint8_t)(base + x / 5 + y / 3);
    case 2:
        return (uint8_t)base;
    case 3: // with 0 and 255 here and there
        return harness_random_below(h, 4) ? (uint8_t)(base + harness_random_below(h, 20))
                                          : (uint8_t)(harness_random_below(h, 2) * 255);
    case 4: // two colours, and one here and there
        return (uint8_t)((x / 3 + y / 3) & 1 || harness_random_below(h, 30) == 0 ? base
                                                                                 : 255 - base);
    case 5: // stripes that are dark in every channel
        return (uint8_t)((x + y) & 2 ? base + x : harness_random_below(h, 24));
    case 6: // slopes with noise, as photographs are in most blocks
        return (uint8_t)(base + 2 * x - y + harness_random_below(h, 6));
    default:
        return harness_random_below(h, 12) ? (uint8_t)((base + x) & 255)
                                           : (uint8_t)harness_random(h);
    }
}

// Black texels of another format whose alpha is any: their bytes, and what they are with 8 bits.
static void draw_alpha(struct harness *h, VkFormat format, size_t num_texels, uint8_t *bytes,
                       uint8_t *codes)
{
    static const uint16_t extremes[] = {0x0000, 0x8000, 0x0001, 0x3c00, 0x3bff, 0x3c01,
                                        0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xbc00};
    memset(bytes, 0, num_texels * 8);
    memset(codes, 0, num_texels * 4);
    for (size_t i = 0; i < num_texels; i++) {
        if (format == VK_FORMAT_R16G16B16A16_SFLOAT) {
            const uint16_t half = harness_random_below(h, 8)
                                      ? (uint16_t)(0x3000 + harness_random_below(h, 0x0c00))
                                      : extremes[harness_random_below(h, 11)];
            memcpy(bytes + 8 * i + 6, &half, 2);
            codes[4 * i + 3] = ref_source_alpha(ref_half_to_float(half));
        } else { // VK_FORMAT_A2B10G10R10_UNORM_PACK32
            const uint32_t alpha = harness_random_below(h, 4);
            const uint32_t texel = alpha << 30;
            memcpy(bytes + 4 * i, &texel, 4);
            codes[4 * i + 3] = (uint8_t)(85 * alpha);
        }
    }
}

static void draw_picture(struct harness *h, uint32_t width, size_t num_texels, uint8_t *codes)
{
    const int kind = (int)harness_random_below(h, 8);
    const uint32_t base = harness_random_below(h, 256);
    const bool is_opaque = harness_random_below(h, 2);
    for (size_t i = 0; i < num_texels * 4; i++) {
        const size_t texel = i / 4;
        codes[i] = draw(h, kind, (uint32_t)(texel % width), (uint32_t)(texel / width),
                        base + 31 * (i % 4));
        if (is_opaque && i % 4 == 3) {
            codes[i] = 255;
        }
    }
}

static void run(struct harness *h, const weir_encoder *encoder,
                const struct weir_encoder_params *params, uint32_t width, uint32_t height)
{
    const VkFormat format = encode_kind(params).format;
    const uint64_t size = weir_codec_image_size(params->codec, width, height);
    const size_t num_texels = (size_t)width * height;
    uint8_t *codes = malloc(num_texels * 4), *texels = malloc(num_texels * 8);
    uint8_t *want = malloc(size);
    if (format == VK_FORMAT_R8G8B8A8_UNORM) {
        draw_picture(h, width, num_texels, codes);
        memcpy(texels, codes, num_texels * 4);
    } else {
        draw_alpha(h, format, num_texels, texels, codes);
    }
    encode_by_reference(params, codes, width, height, want);
    encode_check(h, encoder, params, format == VK_FORMAT_R16G16B16A16_SFLOAT ? 8 : 4, width, height,
                 texels, want);
    free(codes);
    free(texels);
    free(want);
}

static void run_params(struct harness *h, const struct weir_encoder_params *params)
{
    static const uint32_t sizes[][2] = {{3, 3},   {3, 7},   {5, 7},    {12, 12},
                                        {30, 18}, {60, 68}, {257, 65}, {4095, 3}};
    enum { NUM_SMALL = 6, NUM_SIZES = sizeof(sizes) / sizeof(sizes[0]) };
    const uint32_t max_side = params->effort == WEIR_EFFORT_HIGH ? 50 : 90;
    weir_encoder *encoder = encode_create(h, params);
    for (int i = 0; encoder && i < (params->effort == WEIR_EFFORT_FAST ? NUM_SIZES : NUM_SMALL);
         i++) {
        run(h, encoder, params, sizes[i][0], sizes[i][1]);
    }
    for (int i = 0; encoder && i < 4; i++) {
        run(h, encoder, params, harness_random_side(h, max_side), harness_random_side(h, max_side));
    }
    weir_encoder_destroy(&encoder);
}

static bool compiles_soon(enum weir_codec codec)
{
    return codec == WEIR_CODEC_BC1 || codec == WEIR_CODEC_BC4;
}

// The other kinds of images, see harness_random_side(): both sides are powers of two, and one side
// if `has_one`.
static void run_powers_of_two(struct harness *h, enum weir_codec codec, bool has_one)
{
    static const uint32_t sizes[][2] = {{1, 1}, {4, 4},  {2, 2},   {64, 64}, {2, 3},
                                        {1, 9}, {64, 3}, {30, 16}, {3, 1},   {5, 64}};
    enum { NUM_BOTH = 4, NUM_SIZES = sizeof(sizes) / sizeof(sizes[0]) };
    const struct weir_encoder_params params = {
        .codec = codec,
        .effort = WEIR_EFFORT_FAST,
        .like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0),
    };
    weir_encoder *encoder = encode_create(h, &params);
    for (int i = 0; encoder && i < (has_one ? NUM_SIZES : NUM_BOTH); i++) {
        run(h, encoder, &params, sizes[i][0], sizes[i][1]);
    }
    weir_encoder_destroy(&encoder);
}

static void run_encoder(struct harness *h, enum weir_codec codec, enum weir_effort effort,
                        VkFormat format)
{
    run_params(h, weir_encoder_params(.codec = codec, .effort = effort,
                                      .like = harness_like(h, format, 0, 0)));
}

// Run those encoders, or the one of them that the seed draws.
static void run_some(struct harness *h, bool has_all, const struct weir_encoder_params *params,
                     uint32_t num)
{
    const uint32_t drawn = harness_random_below(h, num);
    for (uint32_t i = 0; i < KERNEL_NUM_CODECS; i++) {
        if (has_all || i == drawn) {
            run_params(h, &params[i]);
        }
    }
}
#define RUN_SOME(h, has_all, params)                                                               \
    run_some(h, has_all, params, (uint32_t)(sizeof(params) / sizeof((params)[0])))

// An option or an effort that a codec does not have.
static void expect_refused(struct harness *h, const struct weir_encoder_params *params)
{
    encode_expect_none(h, h->context, params, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE);
}

static void run_bc1_options(struct harness *h, bool has_all)
{
    const weir_image *like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    const struct weir_encoder_params black[] = {
        {.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_DEFAULT, .like = like, .bc1_black = true},
        {.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_FAST, .like = like, .bc1_black = true},
        {.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_HIGH, .like = like, .bc1_black = true},
    };
    const struct weir_encoder_params dither[] = {
        {.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_FAST, .like = like, .bc1_dither = true},
        {.codec = WEIR_CODEC_BC1A, .effort = WEIR_EFFORT_FAST, .like = like, .bc1_dither = true},
        {.codec = WEIR_CODEC_BC3, .effort = WEIR_EFFORT_FAST, .like = like, .bc1_dither = true},
    };
    // Every effort has a path of its own, and high of BC1A has lines of three colours.
    const enum weir_decoder_model ffmpeg = WEIR_DECODER_FFMPEG;
    const struct weir_encoder_params model[] = {
        {.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_DEFAULT, .like = like, .decoder = ffmpeg},
        {.codec = WEIR_CODEC_BC1A, .effort = WEIR_EFFORT_HIGH, .like = like, .decoder = ffmpeg},
        {.codec = WEIR_CODEC_BC3, .effort = WEIR_EFFORT_FAST, .like = like, .decoder = ffmpeg},
    };
    RUN_SOME(h, has_all, black);
    RUN_SOME(h, has_all, dither);
    RUN_SOME(h, has_all, model);
    expect_refused(h,
                   weir_encoder_params(.codec = WEIR_CODEC_BC4, .like = like, .bc1_dither = true));
    expect_refused(h,
                   weir_encoder_params(.codec = WEIR_CODEC_BC1A, .like = like, .bc1_black = true));
    expect_refused(h, weir_encoder_params(.codec = WEIR_CODEC_BC1, .like = like, .bc6h_log = true));
    expect_refused(h, weir_encoder_params(.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_EXHAUSTIVE,
                                          .like = like));
}

static void run_bc4_alpha(struct harness *h, bool has_all)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT,
                                       VK_FORMAT_A2B10G10R10_UNORM_PACK32};
    struct weir_encoder_params params[3];
    for (int i = 0; i < 3; i++) {
        params[i] = (struct weir_encoder_params){
            .codec = WEIR_CODEC_BC4,
            .effort = i > 0 ? WEIR_EFFORT_FAST : WEIR_EFFORT_DEFAULT,
            .like = harness_like(h, formats[i], 0, 0),
            .bc4_alpha = true,
        };
    }
    RUN_SOME(h, has_all, params);
    static const enum weir_codec others[] = {WEIR_CODEC_BC3, WEIR_CODEC_BC5, WEIR_CODEC_BC4_SNORM};
    for (int i = 0; i < 3; i++) {
        expect_refused(h,
                       weir_encoder_params(.codec = others[i],
                                           .like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0),
                                           .bc4_alpha = true));
    }
}

// Of BC7, which has it, and of a codec that has not.
static void run_live(struct harness *h)
{
    const weir_image *like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    const struct weir_encoder_params params[] = {
        {.codec = WEIR_CODEC_BC7, .effort = WEIR_EFFORT_LIVE, .like = like},
        {.codec = WEIR_CODEC_BC7,
         .effort = WEIR_EFFORT_LIVE,
         .like = like,
         .bc7_alpha_unread = true},
        {.codec = WEIR_CODEC_BC4, .effort = WEIR_EFFORT_LIVE, .like = like},
    };
    for (int i = 0; i < 3; i++) {
        run_params(h, &params[i]);
    }
}

static void run_bc7_alpha_unread(struct harness *h)
{
    const weir_image *like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    run_params(
        h, weir_encoder_params(.codec = WEIR_CODEC_BC7, .like = like, .bc7_alpha_unread = true));
    expect_refused(
        h, weir_encoder_params(.codec = WEIR_CODEC_BC3, .like = like, .bc7_alpha_unread = true));
}

static void run_bc3_sources(struct harness *h, bool has_all)
{
    static const VkFormat formats[] = {VK_FORMAT_R16G16B16A16_SFLOAT,
                                       VK_FORMAT_A2B10G10R10_UNORM_PACK32};
    struct weir_encoder_params params[2];
    for (int i = 0; i < 2; i++) {
        params[i] = (struct weir_encoder_params){.codec = WEIR_CODEC_BC3,
                                                 .effort = WEIR_EFFORT_FAST,
                                                 .like = harness_like(h, formats[i], 0, 0)};
    }
    RUN_SOME(h, has_all, params);
}

static bool is_of_others(enum weir_codec codec)
{
    return codec == WEIR_CODEC_BC3 || codec == WEIR_CODEC_BC5 || codec == WEIR_CODEC_EAC_RG11 ||
           codec == WEIR_CODEC_ETC2_RGB8A1;
}

static bool is_etc(enum weir_codec codec)
{
    const char *name = weir_codec_get_info(codec)->name;
    return strncmp(name, "etc", 3) == 0 || strncmp(name, "eac", 3) == 0;
}

// Those that are named, or of ETC or not, else all but YCOCG_BC3, which encode_test has.
static bool is_asked(int argc, char **argv, enum weir_codec codec)
{
    bool is_named = false, has_names = false;
    for (int i = 1; i < argc; i++) {
        const bool is_other = strcmp(argv[i], "--but-etc") == 0 && !is_etc(codec) &&
                              codec != WEIR_CODEC_YCOCG_BC3;
        is_named = is_named || is_other || (strcmp(argv[i], "--etc") == 0 && is_etc(codec)) ||
                   strcmp(argv[i], weir_codec_get_info(codec)->name) == 0;
        has_names = has_names || strcmp(argv[i], "--all") != 0;
    }
    return has_names ? is_named : codec != WEIR_CODEC_YCOCG_BC3;
}

// usage: texture_test [--all] [--etc | --but-etc | CODEC ...]
int main(int argc, char **argv)
{
    struct harness h;
    harness_init(&h, false);
    const bool has_all = argc > 1 && strcmp(argv[1], "--all") == 0;
    const size_t drawn = harness_random_below(&h, KERNEL_NUM_CODECS);
    const int drawn_effort = (int)harness_random_below(&h, WEIR_EFFORT_HIGH + 1);
    for (int effort = WEIR_EFFORT_DEFAULT; effort <= WEIR_EFFORT_HIGH; effort++) {
        for (size_t i = 0; i < KERNEL_NUM_CODECS; i++) {
            if (kernel_codecs[i] == WEIR_CODEC_ETC2_RGBA && effort != WEIR_EFFORT_FAST) {
                continue; // slow, and its parts are other codecs' at every effort
            }
            // a codec after the other has the next effort
            const bool is_drawn = effort == (drawn_effort + (int)i) % (WEIR_EFFORT_HIGH + 1);
            if (is_asked(argc, argv, kernel_codecs[i]) &&
                (has_all || is_drawn || !is_of_others(kernel_codecs[i]))) {
                run_encoder(&h, kernel_codecs[i], (enum weir_effort)effort,
                            VK_FORMAT_R8G8B8A8_UNORM);
            }
        }
    }
    const enum weir_codec one = harness_random_below(&h, 2) ? WEIR_CODEC_BC1 : WEIR_CODEC_BC4;
    for (size_t i = 0; i < KERNEL_NUM_CODECS; i++) {
        const enum weir_codec codec = kernel_codecs[i];
        if (is_asked(argc, argv, codec) && (has_all || compiles_soon(codec) || i == drawn)) {
            run_powers_of_two(&h, codec, has_all ? compiles_soon(codec) : codec == one);
        }
    }
    if (is_asked(argc, argv, WEIR_CODEC_BC1)) {
        run_bc1_options(&h, has_all);
    }
    if (is_asked(argc, argv, WEIR_CODEC_BC4)) {
        run_bc4_alpha(&h, has_all);
    }
    if (is_asked(argc, argv, WEIR_CODEC_BC7)) {
        run_bc7_alpha_unread(&h);
        run_live(&h);
    }
    if (is_asked(argc, argv, WEIR_CODEC_BC3)) {
        run_bc3_sources(&h, has_all);
    }
    return harness_finish(&h);
}
