// SPDX-License-Identifier: MIT
// The kernel of BC7: one colour is exact, two are where they can be, opaque blocks stay opaque,
// blocks of every mode are found again, no block is worse at default than at fast or at high than
// at default, or where alpha is unread. WEIR_SEED repeats a run.
#include "capture/files/block/block.h"
#include "tests/unit/blocks.h"

enum { NUM_MODES = 8 };

static void decode(const uint8_t block[16], uint8_t texels[16][4])
{
    float values[16][4];
    weir_block_decode(weir_block_get_format(VK_FORMAT_BC7_UNORM_BLOCK), block, values);
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 4; c++) {
            texels[t][c] = (uint8_t)lround(255.0 * (double)values[t][c]);
        }
    }
}

static int mode_of(const uint8_t block[16])
{
    int mode = 0;
    while (mode < NUM_MODES && !(block[0] >> mode & 1)) {
        mode++;
    }
    return mode;
}

static bool is_opaque(rgba_block texels)
{
    for (int t = 0; t < 16; t++) {
        if (texels[t][3] != 255) {
            return false;
        }
    }
    return true;
}

// The error of a block of the mean colour with each channel a code off. Mode 6, which all efforts
// try, has such a colour: a p-bit makes its channels all even or all odd, and odd where alpha is
// 255.
static double error_of_mean(rgba_block texels)
{
    double error = is_opaque(texels) ? 16 * 3 : 16 * 4;
    for (int c = 0; c < 4; c++) {
        double sum = 0, squares = 0;
        for (int t = 0; t < 16; t++) {
            sum += texels[t][c];
            squares += texels[t][c] * texels[t][c];
        }
        error += squares - sum * sum / 16;
    }
    return error;
}

// Encodes, holds the block against what must be so of all, and returns its error.
static int encode(rgba_block texels, enum weir_effort effort, uint8_t block[16])
{
    encode_rgba(&(struct weir_encoder_params){.codec = WEIR_CODEC_BC7, .effort = effort}, texels,
                block);
    uint8_t decoded[16][4];
    decode(block, decoded);
    int error = 0, alpha = 0;
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 4; c++) {
            const int e = texels[t][c] - decoded[t][c];
            error += e * e;
            alpha += c == 3 ? e * e : 0;
        }
    }
    EXPECT_BLOCK(!is_opaque(texels) || alpha == 0, "an opaque block is opaque", texels);
    EXPECT_BLOCK(error <= error_of_mean(texels), "no worse than one colour", texels);
    return error;
}

static void test_one_color(void)
{
    for (int i = 0; i < 1024; i++) {
        uint8_t texels[16][4], block[16];
        for (int c = 0; c < 4; c++) {
            texels[0][c] = (uint8_t)(i < 256 ? i : seeded_below(256));
        }
        for (int t = 1; t < 16; t++) {
            memcpy(texels[t], texels[0], 4);
        }
        EXPECT_BLOCK(encode(texels, kernel_efforts[i % NUM_EFFORTS], block) == 0,
                     "one colour is exact", texels);
    }
}

// Opaque colours of mode 6 have odd channels only, which p-bits of 1 are. Others have all even or
// all odd ones.
static void test_two_colors(void)
{
    for (int i = 0; i < 1500; i += SANITIZED_STRIDE) {
        const bool exact = i & 1, opaque = i & 2;
        uint8_t colors[2][4], texels[16][4], block[16];
        for (int k = 0; k < 2; k++) {
            const int parity = opaque ? 1 : seeded_below(2);
            for (int c = 0; c < 4; c++) {
                colors[k][c] = (uint8_t)(exact ? 2 * seeded_below(128) + parity
                                               : seeded_below(256));
            }
            colors[k][3] = opaque ? 255 : i & 4 ? (uint8_t)(255 * k) : colors[k][3];
        }
        for (int t = 0; t < 16; t++) {
            memcpy(texels[t], colors[t < 2 ? t : seeded_below(2)], 4);
        }
        const int error = encode(texels, kernel_efforts[i % NUM_EFFORTS], block);
        EXPECT_BLOCK(!exact || (!opaque && i & 4) || error == 0,
                     "two colours of 7 bits and a p-bit are exact", texels);
        // Channels of the other parity are a code off.
        EXPECT_BLOCK(error <= 16 * 4, "two colours are kept", texels);
    }
}

// The error of the channels that are read.
static int error_of(rgba_block texels, const struct weir_encoder_params *params)
{
    uint8_t block[16], decoded[16][4];
    int error = 0;
    encode_rgba(params, texels, block);
    decode(block, decoded);
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < (params->bc7_alpha_unread ? 3 : 4); c++) {
            error += (texels[t][c] - decoded[t][c]) * (texels[t][c] - decoded[t][c]);
        }
    }
    return error;
}

// Each texel is one of two colours at random.
static void scatter(uint8_t texels[16][4], uint8_t colors[2][4])
{
    for (int t = 0; t < 16; t++) {
        memcpy(texels[t], colors[t < 2 ? t : seeded_below(2)], 4);
    }
}

// Two colours that mode 5 has: 8 bits in one channel, and in the others two of the four values
// between two of 7 bits.
static void draw_mode5_colors(uint8_t colors[2][4], bool is_opaque)
{
    static const int weights[4] = {0, 21, 43, 64};
    const int alone = seeded_below(4), first = seeded_below(4);
    const int second = (first + 1 + seeded_below(3)) % 4;
    for (int c = 0; c < 4; c++) {
        const int from = seeded_below(128), to = seeded_below(128);
        const int start = from << 1 | from >> 6, way = (to << 1 | to >> 6) - start;
        for (int k = 0; k < 2; k++) {
            const int value = start + ((weights[k == 0 ? first : second] * way + 32) >> 6);
            colors[k][c] = (uint8_t)(c == alone ? seeded_below(256) : value);
            colors[k][3] = is_opaque ? 255 : colors[k][3];
        }
    }
}

// All efforts have the colours of mode 5, whether alpha is read or not; nine of ten pairs that are
// a code apart are such: 402 of 450 with live and fast, 6.6 more or less (a standard deviation).
static void test_two_colors_exact(void)
{
    enum { NUM_BLOCKS = 1800 };
    static const enum weir_effort efforts[] = {WEIR_EFFORT_LIVE, WEIR_EFFORT_FAST,
                                               WEIR_EFFORT_DEFAULT, WEIR_EFFORT_HIGH};
    int num_exact[4] = {0};
    for (int i = 0; i < NUM_BLOCKS; i++) {
        const struct weir_encoder_params params = {
            .codec = WEIR_CODEC_BC7, .effort = efforts[i % 4], .bc7_alpha_unread = i & 4};
        uint8_t texels[16][4], colors[2][4];
        draw_mode5_colors(colors, i & 8);
        scatter(texels, colors);
        EXPECT_BLOCK(error_of(texels, &params) == 0, "two colours of mode 5 are exact", texels);
        for (int c = 0; c < 4; c++) {
            colors[0][c] = (uint8_t)(c == 3 ? 255 : 1 + seeded_below(254));
            colors[1][c] = (uint8_t)(colors[0][c] + (c == 3 ? 0 : seeded_below(3) - 1));
        }
        scatter(texels, colors);
        num_exact[i % 4] += error_of(texels, &params) == 0;
    }
    printf("two colours a code apart, exact of %d: live %d, fast %d, default %d, high %d\n",
           NUM_BLOCKS / 4, num_exact[0], num_exact[1], num_exact[2], num_exact[3]);
    for (int e = 0; e < 4; e++) {
        test_expect(100 * num_exact[e] >= (e < 2 ? 80 : 90) * NUM_BLOCKS / 4,
                    "most pairs of colours a code apart are exact");
    }
}

// Few colours, and texels of one of them are transparent.
static void test_live_alpha(void)
{
    double live = 0, fast = 0;
    for (int i = 0; i < 1000; i++) {
        uint8_t texels[16][4], colors[4][4];
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < 4; c++) {
                colors[k][c] = (uint8_t)(c == 3 ? k == 0 ? 0 : 255 : seeded_below(256));
            }
        }
        for (int t = 0; t < 16; t++) {
            memcpy(texels[t], colors[t < 2 ? t : seeded_below(2 + i % 3)], 4);
        }
        struct weir_encoder_params params = {.codec = WEIR_CODEC_BC7, .effort = WEIR_EFFORT_LIVE};
        live += error_of(texels, &params);
        params.effort = WEIR_EFFORT_FAST;
        fast += error_of(texels, &params);
    }
    const double behind = 10 * log10(live / fast);
    printf("pixel art with alpha: live is %.2f dB behind fast\n", behind);
    test_expect(behind <= 3, "live is near fast where alpha has edges");
}

static void draw(uint8_t texels[16][4], int kind)
{
    const bool opaque = kind & 1;
    int base[3][4], way[3][4];
    for (int s = 0; s < 3; s++) {
        for (int c = 0; c < 4; c++) {
            base[s][c] = seeded_below(256);
            way[s][c] = seeded_below(121) - 60;
        }
    }
    const int num_lines = 1 + kind / 2 % 3, side = seeded_below(4), noise = 1 + seeded_below(8);
    for (int t = 0; t < 16; t++) {
        const int along = seeded_below(17), line = (t / 4 + (t % 4 > side)) % num_lines;
        for (int c = 0; c < 4; c++) {
            texels[t][c] = clamp8(base[line][c] + way[line][c] * along / 16 + seeded_below(noise));
            if (kind / 6 == 0) { // anything
                texels[t][c] = (uint8_t)seeded_below(256);
            }
            if (kind / 6 == 1 && c == 3) { // a mask
                texels[t][c] = (uint8_t)(255 * seeded_below(2));
            }
            if (kind / 6 == 2 && t > 0) { // an outlier and a ramp
                texels[t][c] = clamp8(base[0][c] + t / 4 + t % 4);
            }
            if (kind / 6 == 3 && c == 3) { // alpha of its own
                texels[t][c] = (uint8_t)(base[0][3] + t);
            }
        }
        if (opaque) {
            texels[t][3] = 255;
        }
    }
}

// Nearly one colour, where the rounding of endpoints is most of an error.
static void test_narrow(void)
{
    for (int i = 0; i < 1500; i += SANITIZED_STRIDE) {
        uint8_t texels[16][4], block[16];
        int base[4], range[4];
        for (int c = 0; c < 4; c++) {
            range[c] = 1 + seeded_below(3);
            base[c] = seeded_below(4) == 0 ? 0 : seeded_below(257 - range[c]);
        }
        for (int t = 0; t < 16; t++) {
            for (int c = 0; c < 4; c++) {
                texels[t][c] = (uint8_t)(base[c] + seeded_below(range[c]));
            }
            texels[t][3] = i & 1 ? 255 : texels[t][3];
        }
        encode(texels, kernel_efforts[i % NUM_EFFORTS], block);
    }
}

// What pictures have: soft gradients, whose steps are of a code; text, which is two colours and
// what is between; edges of two gradients; noise of a few codes; all of them on gradients of
// alpha too.
static void draw_picture(uint8_t texels[16][4], int kind)
{
    int base[4], right[4], down[4], ink[4];
    for (int c = 0; c < 4; c++) {
        base[c] = seeded_below(256);
        ink[c] = seeded_below(256);
        right[c] = seeded_below(17) - 8;
        down[c] = seeded_below(17) - 8;
    }
    const int side = seeded_below(5), noise = 1 + seeded_below(kind / 2 % 4 == 3 ? 24 : 2);
    for (int t = 0; t < 16; t++) {
        const int x = t % 4, y = t / 4;
        const int coverage = seeded_below(3) == 0   ? 0
                             : seeded_below(3) == 0 ? seeded_below(17)
                                                    : 16;
        for (int c = 0; c < 4; c++) {
            int v = base[c] + (x * right[c] + y * down[c]) / 4 + seeded_below(noise);
            v = kind / 2 % 4 == 1 ? base[c] + (ink[c] - base[c]) * coverage / 16 : v;
            v = kind / 2 % 4 == 2 && x + y > side ? ink[c] + y * right[c] / 4 : v;
            texels[t][c] = clamp8(v);
        }
        texels[t][3] = kind & 1 ? 255 : texels[t][3];
    }
}

enum { NUM_KINDS = 30, NUM_PICTURE_KINDS = 8 };

static void draw_any(uint8_t texels[16][4], int i)
{
    const int kind = i % (NUM_KINDS + NUM_PICTURE_KINDS);
    if (kind < NUM_KINDS) {
        draw(texels, kind);
    } else {
        draw_picture(texels, kind - NUM_KINDS);
    }
}

static void test_efforts(void)
{
    enum { NUM_BLOCKS = 1900 };
    double sum[NUM_EFFORTS] = {0}, live = 0;
    for (int i = 0; i < NUM_BLOCKS; i += SANITIZED_STRIDE) {
        uint8_t texels[16][4], block[16];
        int before = 0;
        draw_any(texels, i);
        live += encode(texels, WEIR_EFFORT_LIVE, block);
        for (int effort = 0; effort < NUM_EFFORTS; effort++) {
            const int error = encode(texels, kernel_efforts[effort], block);
            EXPECT_BLOCK(effort == 0 || error <= before, "no worse than a lower effort", texels);
            before = error;
            sum[effort] += error;
        }
    }
    printf("mean error: live %.1f, fast %.1f, default %.1f, high %.1f\n", live / NUM_BLOCKS,
           sum[0] / NUM_BLOCKS, sum[1] / NUM_BLOCKS, sum[2] / NUM_BLOCKS);
    test_expect(SANITIZED_STRIDE > 1 ||
                    (sum[0] <= live && sum[1] <= 0.88 * sum[0] && sum[2] <= 0.995 * sum[1]),
                "higher efforts are better in the mean");
}

// The error of RGB that a decoder has.
static int error_of_rgb(rgba_block texels, const uint8_t block[16])
{
    uint8_t decoded[16][4];
    int sum = 0;
    decode(block, decoded);
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            sum += (texels[t][c] - decoded[t][c]) * (texels[t][c] - decoded[t][c]);
        }
        EXPECT_BLOCK(decoded[t][3] >= 254, "an alpha that is not read is 254 or 255", texels);
    }
    return sum;
}

// Alpha that is not read changes no block, and RGB has less of an error without it.
static void test_alpha_unread(void)
{
    enum { NUM_BLOCKS = 1900 };
    int num_better = 0;
    for (int i = 0; i < NUM_BLOCKS; i += SANITIZED_STRIDE) {
        uint8_t texels[16][4], opaque[16][4], blocks[3][16];
        const struct weir_encoder_params params = {.codec = WEIR_CODEC_BC7,
                                                   .effort = kernel_efforts[i % NUM_EFFORTS],
                                                   .bc7_alpha_unread = true};
        draw_any(texels, i);
        memcpy(opaque, texels, sizeof(opaque));
        for (int t = 0; t < 16; t++) {
            opaque[t][3] = 255;
        }
        encode_rgba(&params, texels, blocks[0]);
        encode_rgba(&params, opaque, blocks[1]);
        EXPECT_BLOCK(memcmp(blocks[0], blocks[1], 16) == 0, "alpha is not read", texels);
        const int error = error_of_rgb(texels, blocks[0]);
        const int read = encode(opaque, kernel_efforts[i % NUM_EFFORTS], blocks[2]);
        num_better += error < read;
        EXPECT_BLOCK(error <= read, "no worse than where alpha is read", texels);
    }
    printf("with alpha unread %d blocks better\n", num_better);
    test_expect(SANITIZED_STRIDE > 1 || num_better >= NUM_BLOCKS / 12,
                "RGB gains by an alpha that is not read");
}

// Blocks whose bits are random, but for the mode: what they decode to could be encoded without an
// error.
static void test_modes(void)
{
    enum { NUM_BLOCKS = 120 };
    int num_found[NUM_MODES] = {0};
    for (int mode = 0; mode < NUM_MODES; mode++) {
        double error = 0, least = 0;
        for (int i = 0; i < NUM_BLOCKS; i++) {
            uint8_t block[16], texels[16][4];
            for (int b = 0; b < 16; b++) {
                block[b] = (uint8_t)seeded_below(256);
            }
            block[0] = (uint8_t)((block[0] | 1) << mode);
            decode(block, texels);
            error += encode(texels, WEIR_EFFORT_HIGH, block);
            least += error_of_mean(texels);
            num_found[mode] += mode_of(block) == mode;
        }
        printf("mode %d: found in %d %%, error %.1f, %.4f of the mean's\n", mode,
               100 * num_found[mode] / NUM_BLOCKS, error / NUM_BLOCKS, error / least);
        test_expect(2 * num_found[mode] >= NUM_BLOCKS && error <= 0.01 * least,
                    "blocks of every mode are found");
    }
}

int main(void)
{
    seeded_start();
    test_one_color();
    test_two_colors();
    test_two_colors_exact();
    test_live_alpha();
    test_narrow();
    test_efforts();
    test_alpha_unread();
    test_modes();
    return test_finish();
}
