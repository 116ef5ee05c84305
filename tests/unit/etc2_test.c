// SPDX-License-Identifier: MIT
// The kernels of ETC2: each mode is used, with every value of the bits that decide how it is
// hidden, and no block is worse than ETC1's; transparent texels count for nothing; colours and
// planes that a mode has are kept. WEIR_SEED repeats a run; with --all it has four times as many
// blocks.
#include "tests/sanitized.h"
#include "tests/unit/etc_blocks.h"

enum { BLOCK_SIZE = 8 };

static int repeats = 1; // with --all: 4

static const VkFormat rgb_format = VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK;
static const VkFormat rgb8a1_format = VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK;

static void encode(enum weir_codec codec, int effort, rgb_block rgb, uint8_t *block)
{
    encode_rgb(&(struct weir_encoder_params){.codec = codec, .effort = kernel_efforts[effort]}, rgb,
               block);
}

// How a block of RGB is coded: in the order in which decoders look for overflows.
enum mode { MODE_ETC1, MODE_T, MODE_H, MODE_PLANAR, NUM_MODES };

static bool overflows(uint8_t byte)
{
    const int difference = (byte & 7) ^ 4; // plus 4
    const int sum = (byte >> 3) + difference - 4;
    return sum < 0 || sum > 31;
}

static enum mode mode_of(const uint8_t *block)
{
    return (block[3] & 2) == 0   ? MODE_ETC1
           : overflows(block[0]) ? MODE_T
           : overflows(block[1]) ? MODE_H
           : overflows(block[2]) ? MODE_PLANAR
                                 : MODE_ETC1;
}

// The bits that decide how a mode is hidden, which blocks have had: of T those of R of the first
// base, of H the lower ones of G and the upper ones of B, and of planar the upper ones of R and G
// and those of B that are apart.
static unsigned seen[NUM_MODES][2];

static void note_bits(const uint8_t *block)
{
    const int r = block[0], g = block[1], b = block[2];
    switch (mode_of(block)) {
    case MODE_T:
        seen[MODE_T][0] |= 1u << ((r >> 1 & 12) | (r & 3));
        break;
    case MODE_H:
        seen[MODE_H][0] |= 1u << (r & 7);
        seen[MODE_H][1] |= 1u << ((g >> 2 & 4) | (g >> 2 & 2) | (g & 1));
        break;
    case MODE_PLANAR:
        seen[MODE_PLANAR][0] |= 1u << (r >> 4 & 7);
        seen[MODE_PLANAR][1] |= 1u << ((b >> 1 & 12) | (b & 3));
        break;
    default:
        break;
    }
}

static void expect_seen(void)
{
    static const unsigned all[NUM_MODES][2] = {{0, 0}, {0xffff, 0}, {0xff, 0xff}, {0xff, 0xffff}};
    test_expect(memcmp(seen, all, sizeof(all)) == 0,
                "modes are hidden in every way: T %x, H %x %x, planar %x %x", seen[MODE_T][0],
                seen[MODE_H][0], seen[MODE_H][1], seen[MODE_PLANAR][0], seen[MODE_PLANAR][1]);
}

// Encode a block, which is no worse than the means of its halves. Returns its error.
static int check_rgb(rgb_block rgb, int effort)
{
    uint8_t block[BLOCK_SIZE];
    encode(WEIR_CODEC_ETC2_RGB, effort, rgb, block);
    const int error = etc_decoded_error(rgb_format, rgb, NULL, block);
    EXPECT_BLOCK(error <= etc_error_of_means(rgb, false) && error <= etc_error_of_means(rgb, true),
                 "no worse than the means of halves", rgb);
    note_bits(block);
    return error;
}

// The colours of T or H, scattered: of any bases, or of equal ones.
static void draw_paint(uint8_t rgb[16][3], int kind)
{
    static const int distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
    const int distance = distances[seeded_below(8)];
    int base[2][3], colors[4][3];
    for (int c = 0; c < 3; c++) {
        base[0][c] = 17 * seeded_below(16);
        base[1][c] = kind % 4 == 0 ? base[0][c] : 17 * seeded_below(16);
    }
    for (int k = 0; k < 4; k++) {
        const bool is_h = kind & 1;
        const int by = is_h ? (k & 1 ? -distance : distance) : k == 0 ? 0 : (k - 2) * distance;
        for (int c = 0; c < 3; c++) {
            colors[k][c] = clamp8(base[is_h ? k / 2 : k > 0][c] + by);
        }
    }
    for (int t = 0; t < 16; t++) {
        const int k = seeded_below(4);
        for (int c = 0; c < 3; c++) {
            rgb[t][c] = (uint8_t)colors[k][c];
        }
    }
}

// Blocks of their colours are mostly exact.
static void test_paint(void)
{
    const int num_blocks = 6000 * repeats / SANITIZED_STRIDE;
    int num_exact = 0;
    for (int i = 0; i < num_blocks; i++) {
        uint8_t rgb[16][3];
        draw_paint(rgb, i);
        num_exact += check_rgb(rgb, i / 4 % 3) == 0;
    }
    printf("of the colours of T and H %d %% are exact\n", 100 * num_exact / num_blocks);
    test_expect(2 * num_exact >= num_blocks, "blocks of the colours of T and H are exact");
}

// All modes are used.
static void test_rgb(void)
{
    const int num_blocks = 900 * repeats / SANITIZED_STRIDE;
    double sum[3] = {0};
    int num_of_mode[NUM_MODES] = {0};
    for (int i = 0; i < num_blocks; i++) {
        uint8_t rgb[16][3], etc1[BLOCK_SIZE], block[BLOCK_SIZE];
        etc_draw(rgb, i);
        for (int effort = 0; effort < 3; effort++) {
            const int error = check_rgb(rgb, effort);
            encode(WEIR_CODEC_ETC1, effort, rgb, etc1);
            encode(WEIR_CODEC_ETC2_RGB, effort, rgb, block);
            EXPECT_BLOCK(error <= etc_decoded_error(rgb_format, rgb, NULL, etc1),
                         "no worse than ETC1", rgb);
            num_of_mode[mode_of(block)]++;
            sum[effort] += error;
        }
    }
    expect_better_efforts(sum, num_blocks);
    printf("ETC1 %d, T %d, H %d, planar %d\n", num_of_mode[MODE_ETC1], num_of_mode[MODE_T],
           num_of_mode[MODE_H], num_of_mode[MODE_PLANAR]);
    for (int m = 0; m < NUM_MODES; m++) {
        test_expect(num_of_mode[m] != 0, "all modes are used");
    }
}

// The error of one base of 5:5:5 bits, the mean of the opaque texels, with the modifiers -8 to 8.
static int error_of_mean(rgb_block rgb, const uint8_t alpha[16])
{
    int base[3] = {0}, num = 0, error = 0;
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3 && alpha[t] >= 128; c++) {
            base[c] += rgb[t][c];
        }
        num += alpha[t] >= 128;
    }
    for (int c = 0; c < 3 && num > 0; c++) {
        const int code = (2 * 31 * base[c] + 255 * num) / (2 * 255 * num);
        base[c] = code << 3 | code >> 2;
    }
    for (int t = 0; t < 16; t++) {
        int least = 1 << 30;
        for (int m = -8; m <= 8 && alpha[t] >= 128; m += 8) {
            int square = 0;
            for (int c = 0; c < 3; c++) {
                const int e = clamp8(base[c] + m) - rgb[t][c];
                square += e * e;
            }
            least = square < least ? square : least;
        }
        error += alpha[t] >= 128 ? least : 0;
    }
    return error;
}

static void test_rgb8a1(void)
{
    double sum = 0, sum_of_means = 0;
    for (int i = 0; i < 1800 * repeats; i += SANITIZED_STRIDE) {
        uint8_t rgb[16][3], alpha[16], rgba[16][4], blocks[2][BLOCK_SIZE];
        const struct weir_encoder_params params = {.codec = WEIR_CODEC_ETC2_RGB8A1,
                                                   .effort = kernel_efforts[i % 3]};
        const int num_of_17 = seeded_below(18); // none and all are among them
        bool all_opaque = true;
        if (i / 3 % 3 == 0) {
            draw_paint(rgb, i);
        } else {
            etc_draw(rgb, i / 3);
        }
        for (int t = 0; t < 16; t++) {
            alpha[t] = seeded_below(17) < num_of_17 ? (uint8_t)(128 + seeded_below(128))
                                                    : (uint8_t)seeded_below(128);
            all_opaque = all_opaque && alpha[t] >= 128;
        }
        for (int k = 0; k < 2; k++) {
            for (int t = 0; t < 16; t++) {
                memcpy(rgba[t], rgb[t], 3);
                rgba[t][3] = alpha[t];
                if (k && alpha[t] < 128) {
                    memset(rgba[t], seeded_below(256), 3);
                }
            }
            encode_rgba(&params, rgba, blocks[k]);
        }
        EXPECT_BLOCK(memcmp(blocks[0], blocks[1], sizeof(blocks[0])) == 0,
                     "the colours of transparent texels count for nothing", rgb);
        const int error = etc_decoded_error(rgb8a1_format, rgb, alpha, blocks[0]);
        const int mean = error_of_mean(rgb, alpha);
        // Where all are opaque, the modifiers are -8, -2, 2 and 8: each is 2 off in each channel.
        // An outlier may cost more than the mean does.
        EXPECT_BLOCK(error >= 0 && sqrt(error) <= 3 * sqrt(mean) + (all_opaque ? 2 * sqrt(48) : 0),
                     "a block with an alpha bit is not far off its mean", rgb);
        sum += error;
        sum_of_means += mean;
    }
    printf("with an alpha bit, error over that of means: %.3f\n", sum / sum_of_means);
    // 0.137, with so many blocks 0.007 more or less (a standard deviation).
    test_expect(SANITIZED_STRIDE > 1 || sum <= 0.2 * sum_of_means,
                "blocks with an alpha bit are better than their means");
}

static void test_two_colors(void)
{
    for (int i = 0; i < 9000 * repeats; i += SANITIZED_STRIDE) {
        uint8_t rgb[16][3];
        const int colors[2] = {seeded_below(4096), seeded_below(4096)};
        for (int t = 0; t < 16; t++) {
            const int color = colors[seeded_below(2)];
            for (int c = 0; c < 3; c++) {
                rgb[t][c] = (uint8_t)((color >> (8 - 4 * c) & 15) * 17);
            }
        }
        EXPECT_BLOCK(check_rgb(rgb, i % 3) == 0, "two colours of 4:4:4 bits are kept", rgb);
    }
}

// Planes that stay within 0 and 255, with any slopes: an origin rounded by half of its step and
// slopes likewise leave a texel off by no more than 3.
static void test_planes(void)
{
    for (int i = 0; i < 4500 * repeats; i += SANITIZED_STRIDE) {
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
        EXPECT_BLOCK(check_rgb(rgb, i % 3) <= 16 * 3 * 9, "planes are kept", rgb);
    }
}

static void test_rgba(void)
{
    for (int i = 0; i < 450 * repeats; i++) {
        uint8_t rgba[16][4], rgb[16][3], block[KERNEL_MAX_BLOCK_SIZE], half[BLOCK_SIZE];
        const struct weir_encoder_params params = {.codec = WEIR_CODEC_ETC2_RGBA,
                                                   .effort = kernel_efforts[i % 3]};
        etc_draw(rgb, i / 3);
        const int flat = seeded_below(256);
        for (int t = 0; t < 16; t++) {
            memcpy(rgba[t], rgb[t], 3);
            rgba[t][3] = (uint8_t)(i % 2 ? 255 * seeded_below(2) : flat);
        }
        encode_rgba(&params, rgba, block);
        encode(WEIR_CODEC_ETC2_RGB, i % 3, rgb, half);
        EXPECT_BLOCK(memcmp(block + 8, half, sizeof(half)) == 0, "RGB of RGBA is as without A",
                     rgb);
        EXPECT_BLOCK(i % 2 != 0 || block[1] >> 4 == 0, "one alpha needs no multiplier", rgb);
        float texels[16][4];
        weir_block_decode(weir_block_get_format(VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK), block,
                          texels);
        for (int t = 0; t < 16; t++) {
            EXPECT_BLOCK(lround(255.0 * (double)texels[t][3]) == rgba[t][3],
                         "one alpha, and 0 and 255, are exact", rgb);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--all") == 0) {
        repeats = 4;
    }
    seeded_start();
    test_paint();
    test_rgb();
    test_rgb8a1();
    test_two_colors();
    test_planes();
    test_rgba();
    expect_seen();
    return test_finish();
}
