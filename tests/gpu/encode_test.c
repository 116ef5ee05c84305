// SPDX-License-Identifier: MIT
// The encoder's kernel gives the reference's bytes: every source, both decoder models, every
// effort, many sizes. All efforts read texels by the same code: every source has effort fast, and
// one besides the first, which the seed draws, effort default too (with --all each). Effort high,
// whose kernel takes longest to make, has one decoder model, as the seed says (with --all both).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "tests/gpu/encode_run.h"
#include "tests/gpu/harness.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/source.h"

enum texel_layout { RGBA8, BGRA8, A2B10G10R10, RGBA16F };

struct source_case {
    const char *name;
    VkFormat format;
    VkImageCreateFlags flags;
    VkImageUsageFlags usage;
    enum weir_transfer transfer;
    enum texel_layout layout;
    bool no_dither;
};

// clang-format off
#define CASE(fmt, ...)                                                                             \
    {.name = #fmt, .format = VK_FORMAT_##fmt, .usage = VK_IMAGE_USAGE_SAMPLED_BIT, __VA_ARGS__}
// clang-format on
static const struct source_case cases[] = {
    CASE(R8G8B8A8_UNORM, .layout = RGBA8),
    CASE(B8G8R8A8_UNORM, .layout = BGRA8),
    CASE(A8B8G8R8_UNORM_PACK32, .layout = RGBA8),
    CASE(R8G8B8A8_SRGB, .layout = RGBA8),
    CASE(B8G8R8A8_SRGB, .layout = BGRA8),
    CASE(B8G8R8A8_SRGB, .layout = BGRA8, .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT),
    CASE(A8B8G8R8_SRGB_PACK32, .layout = RGBA8, .transfer = WEIR_TRANSFER_LINEAR),
    CASE(R8G8B8A8_UNORM, .layout = RGBA8, .transfer = WEIR_TRANSFER_LINEAR),
    CASE(A2B10G10R10_UNORM_PACK32, .layout = A2B10G10R10),
    CASE(A2B10G10R10_UNORM_PACK32, .layout = A2B10G10R10, .no_dither = true),
    CASE(A2B10G10R10_UNORM_PACK32, .layout = A2B10G10R10, .transfer = WEIR_TRANSFER_LINEAR),
    CASE(R16G16B16A16_SFLOAT, .layout = RGBA16F),
    CASE(R16G16B16A16_SFLOAT, .layout = RGBA16F, .no_dither = true),
    CASE(R16G16B16A16_SFLOAT, .layout = RGBA16F, .transfer = WEIR_TRANSFER_CODES),
    {.name = "B8G8R8A8_SRGB without SAMPLED",
     .format = VK_FORMAT_B8G8R8A8_SRGB,
     .layout = BGRA8,
     .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT},
    {.name = "B8G8R8A8_UNORM without SAMPLED",
     .format = VK_FORMAT_B8G8R8A8_UNORM,
     .layout = BGRA8,
     .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT},
};
enum { NUM_CASES = sizeof(cases) / sizeof(cases[0]) };

// Pictures with the statistics that decide which path a block takes.
static uint16_t draw_channel(struct harness *h, int kind, uint32_t x, uint32_t y, uint32_t base)
{
    switch (kind) {
    case 0: // noise of all codes
        return (uint16_t)harness_random_below(h, 256);
    case 1: // soft gradient
        return (uint16_t)((base + x / 7 + y / 3) & 255);
    case 2: // flat with one-code noise
        return (uint16_t)((base + harness_random_below(h, 2)) & 255);
    case 3: // two colours
        return (uint16_t)(((x / 3 + y / 5) & 1) ? base : 255 - base);
    default: // a gradient with an outlier now and then
        return (uint16_t)(harness_random_below(h, 16) ? (base + x) & 255
                                                      : harness_random_below(h, 256));
    }
}

static uint16_t half_of(struct harness *h, uint32_t code)
{
    static const uint16_t extremes[] = {0x0000, 0x8000, 0x0001, 0x03ff, 0x3c00, 0x3bff,
                                        0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xbc00};
    if (harness_random_below(h, 40) == 0) {
        return extremes[harness_random_below(h, 11)];
    }
    // binary16 of about code / 255, spread by random low bits
    return (uint16_t)(0x1800 + (code << 5) + harness_random_below(h, 64));
}

// One texel: its bytes, and the codes that the reference encodes.
static void draw_texel(struct harness *h, const struct source_case *test, const uint16_t codes[3],
                       uint32_t x, uint32_t y, uint8_t *texel, uint8_t rgb[3])
{
    const bool linear = test->transfer == WEIR_TRANSFER_LINEAR ||
                        (test->transfer == WEIR_TRANSFER_DEFAULT && test->layout == RGBA16F);
    const uint32_t threshold = test->no_dither ? 512 : ref_source_dither(x, y);
    uint32_t packed = 3u << 30;
    for (int c = 0; c < 3; c++) {
        uint32_t fine = 0;
        if (test->layout == RGBA16F) {
            const uint16_t half = half_of(h, codes[c]);
            memcpy(texel + 2 * c, &half, 2);
            const float value = ref_half_to_float(half);
            fine = linear ? ref_source_linear(value) : ref_source_float(value);
        } else if (test->layout == A2B10G10R10) {
            const uint32_t code10 = codes[c] * 4u + harness_random_below(h, 4);
            packed |= code10 << (10 * c);
            fine = linear ? ref_source_linear((float)code10 * (1 / 1023.0f))
                          : ref_source_codes10(code10);
        } else {
            texel[test->layout == BGRA8 ? 2 - c : c] = (uint8_t)codes[c];
            rgb[c] = (uint8_t)codes[c];
            if (!linear || test->format != VK_FORMAT_R8G8B8A8_UNORM) {
                continue;
            }
            fine = ref_source_linear((float)codes[c] * (1 / 255.0f));
        }
        rgb[c] = ref_source_round(fine, threshold);
    }
    if (test->layout == A2B10G10R10) {
        memcpy(texel, &packed, 4);
    } else if (test->layout == RGBA16F) {
        memset(texel + 6, 0, 2);
    } else {
        texel[3] = (uint8_t)harness_random(h);
    }
}

static void draw_picture(struct harness *h, const struct source_case *test, uint32_t width,
                         uint32_t height, uint8_t *texels, uint8_t *rgb)
{
    const uint32_t texel_size = test->layout == RGBA16F ? 8 : 4;
    const int kind = (int)harness_random_below(h, 5);
    const uint32_t greys = harness_random_below(h, 6); // 0: all texels, 1 and 2: some
    const uint32_t base[3] = {harness_random_below(h, 256), harness_random_below(h, 256),
                              harness_random_below(h, 256)};
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint16_t codes[3];
            const bool grey = greys == 0 || (greys < 3 && harness_random_below(h, 3) == 0);
            for (int c = 0; c < 3; c++) {
                codes[c] = grey && c > 0 ? codes[0] : draw_channel(h, kind, x, y, base[c]);
            }
            const size_t i = (size_t)y * width + x;
            draw_texel(h, test, codes, x, y, texels + i * texel_size, rgb + i * 3);
        }
    }
}

static void run_size(struct harness *h, const struct source_case *test, const weir_encoder *encoder,
                     uint32_t width, uint32_t height)
{
    const uint64_t size = weir_codec_image_size(WEIR_CODEC_YCOCG_BC3, width, height);
    const size_t num_texels = (size_t)width * height;
    uint8_t *texels = malloc(num_texels * 8);
    uint8_t *rgb = malloc(num_texels * 3);
    uint8_t *want = malloc(size);
    uint8_t *got = malloc(size);
    draw_picture(h, test, width, height, texels, rgb);
    const struct weir_encoder_params params = weir_encoder_get_params(encoder);
    kernel_encode_image(&params, rgb, 3, (size_t)width * 3, width, height, want);

    struct weir_gpu_image image;
    const VkImageLayout layout = harness_random_below(h, 2) ? VK_IMAGE_LAYOUT_GENERAL
                                                            : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    harness_image_init(h, test->format, width, height, test->usage, test->flags, texels,
                       test->layout == RGBA16F ? 8 : 4, layout, &image);
    weir_image *source = harness_wrap(h, &image, test->transfer);
    memset(got, 0xa5, size);
    if (encode_run(h, encoder, source, layout, got, size)) {
        encode_compare(test->name, width, height, 16, got, want, size);
    }
    weir_image_destroy(&source);
    harness_image_finish(h, &image);
    free(texels);
    free(rgb);
    free(want);
    free(got);
}

static void run_case(struct harness *h, const struct source_case *test,
                     enum weir_decoder_model decoder, enum weir_effort effort)
{
    static const uint32_t sizes[][2] = {{3, 3},   {3, 5},     {5, 7},    {12, 12}, {30, 18},
                                        {33, 17}, {257, 129}, {1023, 9}, {4095, 3}};
    // of the other kinds of images, see harness_random_side()
    static const uint32_t powers[][2] = {{1, 1}, {4, 4}, {64, 64}, {2, 3}, {1, 9}, {30, 16}};
    weir_encoder *encoder = encode_create(
        h, weir_encoder_params(.decoder = decoder, .effort = effort,
                               .like = harness_like(h, test->format, test->flags, test->transfer),
                               .no_dither = test->no_dither));
    if (!encoder) {
        return;
    }
    // The software device takes a second for 20,000 texels at effort high.
    const uint32_t max_side = effort == WEIR_EFFORT_HIGH ? 60 : 300;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (sizes[i][0] * sizes[i][1] <= 150 * max_side) {
            run_size(h, test, encoder, sizes[i][0], sizes[i][1]);
        }
    }
    for (int i = 0; i < 3; i++) {
        run_size(h, test, encoder, harness_random_side(h, max_side),
                 harness_random_side(h, max_side));
    }
    const bool has_powers = effort == WEIR_EFFORT_FAST &&
                            (test == &cases[0] || !(test->usage & VK_IMAGE_USAGE_SAMPLED_BIT));
    for (size_t i = 0; has_powers && i < sizeof(powers) / sizeof(powers[0]); i++) {
        run_size(h, test, encoder, powers[i][0], powers[i][1]);
    }
    weir_encoder_destroy(&encoder);
}

// usage: encode_test [--all]
int main(int argc, char **argv)
{
    const bool has_all = argc > 1 && strcmp(argv[1], "--all") == 0;
    struct harness h;
    harness_init(&h, false);
    const int drawn = 1 + (int)harness_random_below(&h, NUM_CASES - 1);
    for (int i = 0; i < NUM_CASES; i++) {
        if (has_all || i == 0 || i == drawn) {
            run_case(&h, &cases[i], (enum weir_decoder_model)(i % 2), WEIR_EFFORT_DEFAULT);
        }
        run_case(&h, &cases[i], (enum weir_decoder_model)(i / 2 % 2), WEIR_EFFORT_FAST);
    }
    run_case(&h, &cases[0], WEIR_DECODER_FFMPEG, WEIR_EFFORT_DEFAULT);
    const uint32_t drawn_decoder = harness_random_below(&h, 2);
    for (uint32_t i = 0; i < 2; i++) {
        if (has_all || i == drawn_decoder) {
            run_case(&h, &cases[0], (enum weir_decoder_model)i, WEIR_EFFORT_HIGH);
        }
    }
    return harness_finish(&h);
}
