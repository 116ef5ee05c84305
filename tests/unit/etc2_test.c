// SPDX-License-Identifier: MIT
// The ETC2 references: headers decode to what they meant, transparent texels count for nothing,
// colours and planes that a mode has are kept. WEIR_SEED repeats a run, which has one header of
// five and some blocks of each kind; with --all it has each header and four times as many blocks.
#include "tests/ref/etc2.h"

#include <string.h>

#include "tests/ref/etc1.h"
#include "tests/sanitized.h"
#include "tests/unit/etc_blocks.h"

static int step = 5, repeats = 1; // with --all: 1 and 4

static const uint8_t none[16][3];
static const VkFormat rgb_format = VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK;
static const VkFormat rgb8a1_format = VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK;

// The transparent texels have any colour; `texels` has what the encoder makes of that.
static void draw_transparent(uint8_t rgb[16][3], uint8_t alpha[16], int kind,
                             struct ref_etc_texels *texels)
{
    etc_draw(rgb, kind);
    ref_etc_opaque_texels((const uint8_t(*)[3])rgb, texels);
    const int num_of_17 = seeded_below(18); // none and all are among them
    for (int t = 0; t < 16; t++) {
        alpha[t] = seeded_below(17) < num_of_17 ? (uint8_t)(128 + seeded_below(128))
                                                : (uint8_t)seeded_below(128);
        if (alpha[t] < 128) {
            texels->is_opaque[t] = texels->all_opaque = false;
            memset(texels->rgb[t], 0, sizeof(texels->rgb[t]));
        }
    }
}

static void check_paint(struct ref_etc2_paint fit)
{
    uint8_t rgb[16][3], alpha[16], block[REF_ETC_BLOCK_SIZE];
    struct ref_etc_texels texels;
    draw_transparent(rgb, alpha, seeded_below(8), &texels);
    ref_etc2_set_paint_error(&texels, &fit);
    if (fit.error >= REF_ETC_NO_FIT) {
        return; // equal bases whose order cannot be told
    }
    ref_etc2_pack_paint(&texels, &fit, block);
    if (etc_decoded_error(rgb8a1_format, (const uint8_t(*)[3])rgb, alpha, block) != fit.error) {
        etc_fail("T or H with an alpha bit decodes to what was meant", (const uint8_t(*)[3])rgb);
    }
    if (texels.all_opaque &&
        etc_decoded_error(rgb_format, (const uint8_t(*)[3])rgb, NULL, block) != fit.error) {
        etc_fail("T or H decodes to what was meant", (const uint8_t(*)[3])rgb);
    }
}

// Either base through all its values, which the filler bits and the order hang on; the other one
// any, or equal.
static void test_paint_headers(void)
{
    for (int i = seeded_below(step); i < 4096 * 8 * 2 * 4; i += step * SANITIZED_STRIDE) {
        struct ref_etc2_paint fit = {.is_h = i & 1, .distance = i / 2 % 8};
        const int all = i / 16 % 4096, kind = i / 16 / 4096;
        const int other = kind == 3 ? all : seeded_below(4096);
        for (int c = 0; c < 3; c++) {
            fit.code[kind == 0][c] = all >> (8 - 4 * c) & 15;
            fit.code[kind != 0][c] = other >> (8 - 4 * c) & 15;
        }
        check_paint(fit);
    }
}

// The origin, which the filler bits hang on, through all its values.
static void test_planar_headers(void)
{
    static const int sizes[3] = {6, 7, 6};
    uint8_t rgb[16][3], block[REF_ETC_BLOCK_SIZE];
    struct ref_etc_texels texels;
    int num_checked = 0;
    for (int i = seeded_below(step); i < 1 << 19; i += step * SANITIZED_STRIDE) {
        if (num_checked++ % 64 == 0) {
            etc_draw(rgb, seeded_below(8));
            ref_etc_opaque_texels((const uint8_t(*)[3])rgb, &texels);
        }
        struct ref_etc2_planar fit = {.code[0] = {i & 63, i >> 6 & 127, i >> 13}};
        for (int c = 0; c < 3; c++) {
            fit.code[1][c] = seeded_below(1 << sizes[c]);
            fit.code[2][c] = seeded_below(1 << sizes[c]);
            const int code[3] = {fit.code[0][c], fit.code[1][c], fit.code[2][c]};
            fit.error += ref_etc2_planar_error(&texels, c, code);
        }
        ref_etc2_pack_planar(&fit, block);
        if (etc_decoded_error(rgb_format, (const uint8_t(*)[3])rgb, NULL, block) != fit.error ||
            etc_decoded_error(rgb8a1_format, (const uint8_t(*)[3])rgb, NULL, block) != fit.error) {
            etc_fail("a plane decodes to what was meant", (const uint8_t(*)[3])rgb);
        }
    }
}

static int least_of(int a, int b, int c)
{
    const int least = a < b ? a : b;
    return least < c ? least : c;
}

// Blocks hold the best of the modes, and all of them are used.
static void test_rgb(void)
{
    const int num_blocks = 900 * repeats / SANITIZED_STRIDE;
    double sum[3] = {0};
    int num_best[3] = {0};
    for (int i = 0; i < num_blocks; i++) {
        uint8_t rgb[16][3], block[REF_ETC_BLOCK_SIZE];
        struct ref_etc_texels texels;
        etc_draw(rgb, i);
        ref_etc_opaque_texels((const uint8_t(*)[3])rgb, &texels);
        for (int k = REF_ETC_FAST; k <= REF_ETC_HIGH; k++) {
            const enum ref_etc_effort effort = (enum ref_etc_effort)k;
            const int etc1 = ref_etc1_fit_texels(&texels, true, effort).error;
            const int planar = ref_etc2_fit_planar(&texels, effort).error;
            const int paint = ref_etc2_fit_paint(&texels, effort).error;
            const int least = least_of(etc1, planar, paint);
            ref_etc2_encode_rgb((const uint8_t(*)[3])rgb, effort, block);
            if (etc_decoded_error(rgb_format, (const uint8_t(*)[3])rgb, NULL, block) != least) {
                etc_fail("a block holds the best mode", (const uint8_t(*)[3])rgb);
            }
            num_best[least == etc1 ? 0 : least == planar ? 1 : 2]++;
            sum[effort] += least;
        }
    }
    printf("mean error: fast %.1f, default %.1f, high %.1f; best: ETC1 %d, planar %d, T or H %d\n",
           sum[0] / num_blocks, sum[1] / num_blocks, sum[2] / num_blocks, num_best[0], num_best[1],
           num_best[2]);
    if (sum[1] > sum[0] || sum[2] > sum[1]) {
        etc_fail("higher efforts are better in the mean", none);
    }
    if (num_best[0] == 0 || num_best[1] == 0 || num_best[2] == 0) {
        etc_fail("all modes are used", none);
    }
}

static void test_rgb8a1(void)
{
    for (int i = 0; i < 1800 * repeats; i += SANITIZED_STRIDE) {
        uint8_t rgb[16][3], alpha[16], rgba[16][4], blocks[2][REF_ETC_BLOCK_SIZE];
        struct ref_etc_texels texels;
        const enum ref_etc_effort effort = (enum ref_etc_effort)(i % 3);
        draw_transparent(rgb, alpha, i / 3, &texels);
        for (int k = 0; k < 2; k++) {
            for (int t = 0; t < 16; t++) {
                memcpy(rgba[t], rgb[t], 3);
                rgba[t][3] = alpha[t];
                if (k && alpha[t] < 128) {
                    memset(rgba[t], seeded_below(256), 3);
                }
            }
            ref_etc2_encode_rgb8a1((const uint8_t(*)[4])rgba, effort, blocks[k]);
        }
        if (memcmp(blocks[0], blocks[1], sizeof(blocks[0])) != 0) {
            etc_fail("the colours of transparent texels count for nothing",
                     (const uint8_t(*)[3])rgb);
        }
        const int etc1 = ref_etc1_fit_texels(&texels, false, effort).error;
        const int paint = ref_etc2_fit_paint(&texels, effort).error;
        const int planar = texels.all_opaque ? ref_etc2_fit_planar(&texels, effort).error : etc1;
        if (etc_decoded_error(rgb8a1_format, (const uint8_t(*)[3])rgb, alpha, blocks[0]) !=
            least_of(etc1, planar, paint)) {
            etc_fail("a block with an alpha bit holds the best mode", (const uint8_t(*)[3])rgb);
        }
    }
}

static int encoded_error(const uint8_t rgb[16][3], enum ref_etc_effort effort)
{
    uint8_t block[REF_ETC_BLOCK_SIZE];
    ref_etc2_encode_rgb(rgb, effort, block);
    return etc_decoded_error(rgb_format, rgb, NULL, block);
}

static void test_two_colors(void)
{
    for (int i = 0; i < 900 * repeats; i++) {
        uint8_t rgb[16][3];
        const int colors[2] = {seeded_below(4096), seeded_below(4096)};
        for (int t = 0; t < 16; t++) {
            const int color = colors[seeded_below(2)];
            for (int c = 0; c < 3; c++) {
                rgb[t][c] = (uint8_t)((color >> (8 - 4 * c) & 15) * 17);
            }
        }
        if (encoded_error((const uint8_t(*)[3])rgb, (enum ref_etc_effort)(i % 3)) != 0) {
            etc_fail("two colours of 4:4:4 bits are kept", (const uint8_t(*)[3])rgb);
        }
    }
}

// Planes that stay within 0 and 255, with any slopes: an origin rounded by half of its step and
// slopes likewise leave a texel off by no more than 3.
static void test_planes(void)
{
    for (int i = 0; i < 900 * repeats; i++) {
        uint8_t rgb[16][3];
        for (int c = 0; c < 3; c++) {
            const int corner[3] = {seeded_below(256), seeded_below(256), seeded_below(256)};
            for (int t = 0; t < 16; t++) {
                const int v = (4 * corner[0] + t % 4 * (corner[1] - corner[0]) +
                               t / 4 * (corner[2] - corner[0]) + 2) >>
                              2;
                if (v < 0 || v > 255) { // draw the channel again
                    c--;
                    break;
                }
                rgb[t][c] = (uint8_t)v;
            }
        }
        if (encoded_error((const uint8_t(*)[3])rgb, (enum ref_etc_effort)(i % 3)) > 16 * 3 * 9) {
            etc_fail("planes are kept", (const uint8_t(*)[3])rgb);
        }
    }
}

static void test_rgba(void)
{
    for (int i = 0; i < 450 * repeats; i++) {
        uint8_t rgba[16][4], rgb[16][3], block[16], half[REF_ETC_BLOCK_SIZE];
        const enum ref_etc_effort effort = (enum ref_etc_effort)(i % 3);
        etc_draw(rgb, i / 3);
        const int flat = seeded_below(256);
        for (int t = 0; t < 16; t++) {
            memcpy(rgba[t], rgb[t], 3);
            rgba[t][3] = (uint8_t)(i % 2 ? 255 * seeded_below(2) : flat);
        }
        ref_etc2_encode_rgba((const uint8_t(*)[4])rgba, effort, block);
        ref_etc2_encode_rgb((const uint8_t(*)[3])rgb, effort, half);
        if (memcmp(block + 8, half, sizeof(half)) != 0) {
            etc_fail("RGB of RGBA is as without A", (const uint8_t(*)[3])rgb);
        }
        if (i % 2 == 0 && block[1] >> 4 != 0) {
            etc_fail("one alpha needs no multiplier", (const uint8_t(*)[3])rgb);
        }
        float texels[16][4];
        weir_block_get_format(VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK)->decode(block, texels);
        for (int t = 0; t < 16; t++) {
            if (lround(255.0 * (double)texels[t][3]) != rgba[t][3]) {
                etc_fail("one alpha, and 0 and 255, are exact", (const uint8_t(*)[3])rgb);
            }
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--all") == 0) {
        step = 1;
        repeats = 4;
    }
    seeded_start();
    test_paint_headers();
    test_planar_headers();
    test_rgb();
    test_rgb8a1();
    test_two_colors();
    test_planes();
    test_rgba();
    return etc_num_failures != 0;
}
