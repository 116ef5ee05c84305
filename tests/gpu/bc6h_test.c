// SPDX-License-Identifier: MIT
// The kernels of BC6H give the reference's bytes: every effort, unsigned and signed, texels of
// every kind of half. All find texels by the same code: one of those with effort fast, which the
// seed draws, has sides that are powers of two. Of the other efforts one is unsigned and one
// signed, and one of two is by logarithms, as the seed says; with --all all are.
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "shaders/color/constants.h"
#include "tests/gpu/encode_run.h"
#include "tests/gpu/harness.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/source.h"

// RGBA halves, by the kernel on the processor. Texels past an edge repeat it.
static void encode_by_reference(const struct weir_encoder_params *params, const uint16_t *texels,
                                uint32_t width, uint32_t height, uint8_t *out)
{
    for (uint32_t y = 0; y < height; y += 4) {
        for (uint32_t x = 0; x < width; x += 4, out += KERNEL_MAX_BLOCK_SIZE) {
            float values[16][4];
            for (uint32_t t = 0; t < 16; t++) {
                const uint32_t column = x + t % 4 < width ? x + t % 4 : width - 1;
                const uint32_t row = y + t / 4 < height ? y + t / 4 : height - 1;
                const uint16_t *texel = texels + ((size_t)row * width + column) * 4;
                for (int c = 0; c < 4; c++) {
                    values[t][c] = ref_half_to_float(texel[c]);
                }
            }
            kernel_encode_source(params, WEIR_SOURCE_FLOAT, (const float(*)[4])values, out);
        }
    }
}

enum { NUM_KINDS = 7 };

// Zeros, denormals, the largest ones, infinities, NaN, 1e-4 beside 6e4.
static const uint16_t hard[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff,
                                0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x068e, 0x7b53, 0x3c00, 0xbc00};

static uint16_t draw(struct harness *h, int kind, uint32_t x, uint32_t y, uint32_t base)
{
    switch (kind) {
    case 0: // every half there is
        return (uint16_t)harness_random(h);
    case 1: // slopes
        return (uint16_t)(base % 0x6000 + 3 * x + 5 * y);
    case 2: // one colour
        return (uint16_t)base;
    case 3: // slopes with noise
        return (uint16_t)(base % 0x6000 + 20 * x + 31 * y + harness_random_below(h, 300));
    case 4:
        return hard[harness_random_below(h, 16)];
    case 5: // two colours and noise, of both signs
        return (uint16_t)((((x + 2 * y) / 3 & 1 ? base : base >> 1) & 0x7bff) +
                          harness_random_below(h, 30) + ((x ^ y) & 4 ? 0x8000 : 0));
    default: // one texel apart
        return harness_random_below(h, 12) ? (uint16_t)((base & 0x3fff) + x)
                                           : (uint16_t)harness_random(h);
    }
}

static void run(struct harness *h, const weir_encoder *encoder,
                const struct weir_encoder_params *params, uint32_t width, uint32_t height, int kind)
{
    const uint64_t size = weir_codec_image_size(params->codec, width, height);
    const size_t num_texels = (size_t)width * height;
    uint16_t *texels = malloc(num_texels * 8);
    uint8_t *want = malloc(size);
    const uint32_t base = harness_random_below(h, 0x10000);
    for (size_t i = 0; i < num_texels * 4; i++) {
        texels[i] = draw(h, kind, (uint32_t)(i / 4 % width), (uint32_t)(i / 4 / width),
                         base + 1234 * (uint32_t)(i % 4));
    }
    encode_by_reference(params, texels, width, height, want);
    encode_check(h, encoder, params, 8, width, height, texels, want);
    free(texels);
    free(want);
}

static void run_encoder(struct harness *h, enum weir_codec codec, enum weir_effort effort,
                        enum weir_transfer transfer, bool by_log, bool has_powers)
{
    static const uint32_t sizes[][2] = {{3, 3}, {3, 7}, {5, 7}, {30, 18}, {131, 33}};
    enum { NUM_SIZES = 5, NUM_SMALL = 4 };
    // of another kind of images, see harness_random_side(); for a kernel that compiles soon
    static const uint32_t powers[][2] = {{1, 1}, {2, 4}};
    const struct weir_encoder_params params = {
        .codec = codec,
        .effort = effort,
        .like = harness_like(h, VK_FORMAT_R16G16B16A16_SFLOAT, 0, transfer),
        .bc6h_log = by_log,
    };
    weir_encoder *encoder = encode_create(h, &params);
    if (!encoder) {
        return;
    }
    const bool is_fast = effort == WEIR_EFFORT_FAST || effort == WEIR_EFFORT_LIVE;
    for (size_t i = 0; i < (is_fast ? NUM_SIZES : NUM_SMALL); i++) {
        run(h, encoder, &params, sizes[i][0], sizes[i][1], (int)harness_random_below(h, NUM_KINDS));
    }
    for (int kind = 0; kind < NUM_KINDS; kind++) {
        run(h, encoder, &params, harness_random_side(h, is_fast ? 90 : 50),
            harness_random_side(h, is_fast ? 90 : 50), kind);
    }
    for (int i = 0; i < 2 && has_powers; i++) {
        run(h, encoder, &params, powers[i][0], powers[i][1],
            (int)harness_random_below(h, NUM_KINDS));
    }
    weir_encoder_destroy(&encoder);
}

// usage: gpu_bc6h [--all]
int main(int argc, char **argv)
{
    struct harness h;
    harness_init(&h, false);
    const bool has_all = argc == 2 && strcmp(argv[1], "--all") == 0;
    const bool is_drawn = harness_random_below(&h, 2) != 0;
    const bool by_log = harness_random_below(&h, 2) != 0;
    for (int e = WEIR_EFFORT_DEFAULT; e <= WEIR_EFFORT_HIGH; e++) {
        const enum weir_effort effort = (enum weir_effort)e;
        const bool is_fast = effort == WEIR_EFFORT_FAST, is_high = effort == WEIR_EFFORT_HIGH;
        if (has_all || is_fast || is_high == is_drawn) {
            run_encoder(&h, WEIR_CODEC_BC6H_UF16, effort, WEIR_TRANSFER_LINEAR, false,
                        is_fast && is_drawn);
        }
        if (has_all || is_fast || is_high != is_drawn) {
            run_encoder(&h, WEIR_CODEC_BC6H_SF16, effort, WEIR_TRANSFER_CODES, false,
                        is_fast && !is_drawn);
        }
    }
    run_encoder(&h, WEIR_CODEC_BC6H_UF16, WEIR_EFFORT_LIVE, WEIR_TRANSFER_LINEAR, false, false);
    run_encoder(&h, WEIR_CODEC_BC6H_SF16, WEIR_EFFORT_LIVE, WEIR_TRANSFER_CODES, false, false);
    if (has_all || by_log) {
        run_encoder(&h, WEIR_CODEC_BC6H_UF16, WEIR_EFFORT_DEFAULT, WEIR_TRANSFER_LINEAR, true,
                    false);
    }
    if (has_all || !by_log) {
        run_encoder(&h, WEIR_CODEC_BC6H_SF16, WEIR_EFFORT_FAST, WEIR_TRANSFER_CODES, true, false);
    }
    return harness_finish(&h);
}
