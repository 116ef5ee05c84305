// SPDX-License-Identifier: MIT
// The kernel of ETC1: one colour as near as there is, never worse than means of halves, and every
// mode is used. WEIR_SEED repeats a run.
#include "tests/sanitized.h"
#include "tests/unit/etc_blocks.h"

enum { BLOCK_SIZE = 8 };

static int encode(rgb_block rgb, int effort, uint8_t *block)
{
    encode_rgb(
        &(struct weir_encoder_params){.codec = WEIR_CODEC_ETC1, .effort = kernel_efforts[effort]},
        rgb, block);
    return etc_decoded_error(VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, rgb, NULL, block);
}

// The least error of a texel of that colour, by any base, table and modifier.
static int least_error(const uint8_t color[3])
{
    int least = 1 << 30;
    for (int i = 0; i < 64; i++) {
        const int max = i & 32 ? 31 : 15;
        const int m = etc_modifiers[i / 4 % 8][i & 1] * (i & 2 ? -1 : 1);
        int error = 0;
        for (int c = 0; c < 3; c++) {
            int nearest = 256;
            for (int code = 0; code <= max; code++) {
                const int value = max == 15 ? 17 * code : code << 3 | code >> 2;
                const int distance = abs(clamp8(value + m) - color[c]);
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
    for (int i = 0; i < 1000; i += SANITIZED_STRIDE) {
        uint8_t rgb[16][3];
        for (int c = 0; c < 3; c++) {
            const int v = i < 256 ? i : seeded_below(256);
            for (int t = 0; t < 16; t++) {
                rgb[t][c] = (uint8_t)v;
            }
        }
        uint8_t block[BLOCK_SIZE];
        const int least = 16 * least_error(rgb[0]);
        for (int effort = FAST; effort <= HIGH; effort++) {
            EXPECT_BLOCK(encode(rgb, effort, block) == least, "one colour is as near as there is",
                         rgb);
        }
    }
}

// The differences d that occurred in the differential mode, as bit 4 + d of each channel.
static unsigned differences[3];

static void note_differences(const uint8_t *block)
{
    for (int c = 0; c < 3; c++) {
        const int difference = block[c] & 7; // of two's complement
        differences[c] |= 1u << (difference < 4 ? 4 + difference : difference - 4);
    }
}

static void test_blocks(void)
{
    double sum[3] = {0};
    bool has_individual[2] = {false};
    const int num_blocks = 6000 / SANITIZED_STRIDE;
    for (int i = 0; i < num_blocks; i++) {
        uint8_t rgb[16][3], block[BLOCK_SIZE];
        etc_draw(rgb, i);
        const int a = etc_error_of_means(rgb, false);
        const int b = etc_error_of_means(rgb, true);
        for (int effort = FAST; effort <= HIGH; effort++) {
            const int error = encode(rgb, effort, block);
            const bool is_individual = (block[3] & 2) == 0;
            EXPECT_BLOCK(error <= a && error <= b, "no worse than the means of halves", rgb);
            if (!is_individual) {
                note_differences(block);
            }
            has_individual[is_individual] = true;
            sum[effort] += error;
        }
    }
    expect_better_efforts(sum, num_blocks);
    test_expect(differences[0] == 0xff && differences[1] == 0xff && differences[2] == 0xff,
                "every difference from -4 to 3 is used");
    test_expect(has_individual[0] && has_individual[1], "both modes are used");
}

int main(void)
{
    seeded_start();
    test_one_color();
    test_blocks();
    return test_finish();
}
