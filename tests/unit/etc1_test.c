// SPDX-License-Identifier: MIT
// The ETC1 reference: blocks hold what it meant, one colour as near as there is, never worse than
// means of halves. WEIR_SEED repeats a run.
#include "tests/ref/etc1.h"

#include <stdlib.h>

#include "tests/unit/etc_blocks.h"

static const int modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                    {18, 60}, {24, 80}, {33, 106}, {47, 183}};

static int clamp255(int v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

static int encoded_error(const uint8_t rgb[16][3], enum ref_etc_effort effort)
{
    uint8_t block[REF_ETC_BLOCK_SIZE];
    ref_etc1_encode_block(rgb, effort, block);
    return etc_decoded_error(VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, rgb, NULL, block);
}

// The least error of a texel of that colour, by any base, table and modifier.
static int least_error(const uint8_t color[3])
{
    int least = 1 << 30;
    for (int i = 0; i < 64; i++) {
        const int max = i & 32 ? 31 : 15;
        const int m = modifiers[i / 4 % 8][i & 1] * (i & 2 ? -1 : 1);
        int error = 0;
        for (int c = 0; c < 3; c++) {
            int nearest = 256;
            for (int code = 0; code <= max; code++) {
                const int value = max == 15 ? 17 * code : code << 3 | code >> 2;
                const int distance = abs(clamp255(value + m) - color[c]);
                nearest = distance < nearest ? distance : nearest;
            }
            error += nearest * nearest;
        }
        least = error < least ? error : least;
    }
    return least;
}

static void test_one_color(void)
{
    for (int i = 0; i < 1000; i++) {
        uint8_t rgb[16][3];
        for (int c = 0; c < 3; c++) {
            const int v = i < 256 ? i : seeded_below(256);
            for (int t = 0; t < 16; t++) {
                rgb[t][c] = (uint8_t)v;
            }
        }
        const int least = 16 * least_error(rgb[0]);
        for (int effort = REF_ETC_FAST; effort <= REF_ETC_HIGH; effort++) {
            if (encoded_error((const uint8_t(*)[3])rgb, (enum ref_etc_effort)effort) != least) {
                etc_fail("one colour is as near as there is", (const uint8_t(*)[3])rgb);
            }
        }
    }
}

// Of halves that are the mean of their texels in 4:4:4 bits, and the first table.
static int error_of_means(const uint8_t rgb[16][3], bool is_flipped)
{
    int base[2][3], error = 0;
    for (int c = 0; c < 3; c++) {
        int sum[2] = {0};
        for (int t = 0; t < 16; t++) {
            sum[is_flipped ? t / 8 : t % 4 / 2] += rgb[t][c];
        }
        for (int s = 0; s < 2; s++) {
            base[s][c] = (2 * sum[s] + 8 * 17) / (16 * 17) * 17;
        }
    }
    for (int t = 0; t < 16; t++) {
        int least = 1 << 30;
        for (int k = 0; k < 4; k++) {
            int square = 0;
            for (int c = 0; c < 3; c++) {
                const int m = modifiers[0][k & 1] * (k & 2 ? -1 : 1);
                const int e = clamp255(base[is_flipped ? t / 8 : t % 4 / 2][c] + m) - rgb[t][c];
                square += e * e;
            }
            least = square < least ? square : least;
        }
        error += least;
    }
    return error;
}

// The differences d that occurred in the differential mode, as bit 4 + d of each channel.
static unsigned differences[3];

static void note_differences(const struct ref_etc1_fit *fit)
{
    for (int c = 0; c < 3 && !fit->is_individual; c++) {
        differences[c] |= 1u << (4 + fit->code[1][c] - fit->code[0][c]);
    }
}

static void test_blocks(void)
{
    double sum[3] = {0};
    bool has_individual[2] = {false};
    static const uint8_t none[16][3];
    for (int i = 0; i < 6000; i++) {
        uint8_t rgb[16][3], block[REF_ETC_BLOCK_SIZE];
        etc_draw(rgb, i);
        const int a = error_of_means((const uint8_t(*)[3])rgb, false);
        const int b = error_of_means((const uint8_t(*)[3])rgb, true);
        for (int effort = REF_ETC_FAST; effort <= REF_ETC_HIGH; effort++) {
            struct ref_etc_texels texels;
            ref_etc_opaque_texels((const uint8_t(*)[3])rgb, &texels);
            const struct ref_etc1_fit fit = ref_etc1_fit_texels(&texels, true,
                                                                (enum ref_etc_effort)effort);
            ref_etc1_pack(&texels, &fit, block);
            if (etc_decoded_error(VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, (const uint8_t(*)[3])rgb, NULL,
                                  block) != fit.error) {
                etc_fail("a block holds what was meant", (const uint8_t(*)[3])rgb);
            }
            if (fit.error > a || fit.error > b) {
                etc_fail("no worse than the means of halves", (const uint8_t(*)[3])rgb);
            }
            note_differences(&fit);
            has_individual[fit.is_individual] = true;
            sum[effort] += fit.error;
        }
    }
    printf("mean error: fast %.1f, default %.1f, high %.1f\n", sum[0] / 6000, sum[1] / 6000,
           sum[2] / 6000);
    if (sum[1] > sum[0] || sum[2] > sum[1]) {
        etc_fail("higher efforts are better in the mean", none);
    }
    if (differences[0] != 0xff || differences[1] != 0xff || differences[2] != 0xff) {
        etc_fail("every difference from -4 to 3 is used", none);
    }
    if (!has_individual[0] || !has_individual[1]) {
        etc_fail("both modes are used", none);
    }
}

int main(void)
{
    seeded_start();
    test_one_color();
    test_blocks();
    return etc_num_failures != 0;
}
