// SPDX-License-Identifier: MIT
// Rate-distortion optimisation keeps its promises on drawn pictures, judged in float64 and by the
// blocks alone: halves are copies from the window, errors stay within the bound, what is smooth
// stays smooth, and bytes fall with quality. WEIR_SEED repeats a run.
#include "tests/ref/ycocg_bc3_rdo.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "capture/format/snappy.h"
#include "tests/ref/ycocg_bc3.h"
#include "tests/seeded.h"

enum {
    WIDTH = 148, // a tile of 32 blocks, and one of 5
    HEIGHT = 140,
    COLUMNS = WIDTH / 4,
    ROWS = HEIGHT / 4,
    NUM_BLOCKS = COLUMNS * ROWS,
    TILE = 32,
    WINDOW = 128,
    BLOCK_SIZE = 16,
};

typedef uint8_t picture[HEIGHT][WIDTH][3];
typedef uint8_t blocks[NUM_BLOCKS][BLOCK_SIZE];

static int num_failures;

static void expect(bool condition, const char *what, double value, double bound)
{
    if (!condition) {
        printf("%s: %.3f, not %.3f\n", what, value, bound);
        num_failures++;
    }
}

static uint8_t clamp8(double v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : lrint(v));
}

static double uniform(void)
{
    return (seeded_below(1 << 24) + 0.5) / (1 << 24);
}

// About Gaussian, of a deviation of 1.
static double noise(void)
{
    return (uniform() + uniform() + uniform() + uniform() - 2) * sqrt(3);
}

// Slopes, grain and edges.
static void draw(picture out)
{
    double base[3], slope[3][2], grain[5];
    for (int c = 0; c < 3; c++) {
        base[c] = 40 + seeded_below(120);
        slope[c][0] = uniform() - 0.5;
        slope[c][1] = uniform() - 0.5;
    }
    for (int i = 0; i < 5; i++) {
        grain[i] = seeded_below(3) * uniform() * 15;
    }
    const int side = 5 + seeded_below(40);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const int cell = (x / side + 2 * (y / side)) % 5;
            const double bright = noise() * grain[cell] + 20 * cell;
            for (int c = 0; c < 3; c++) {
                out[y][x][c] = clamp8(base[c] + slope[c][0] * x + slope[c][1] * y + bright);
            }
        }
    }
}

static void encode(picture from, int quality, blocks out)
{
    ref_ycocg_bc3_encode(&from[0][0][0], sizeof(from[0]), WIDTH, HEIGHT, false,
                         REF_YCOCG_BC3_DEFAULT, &out[0][0]);
    ref_ycocg_bc3_rdo(&from[0][0][0], sizeof(from[0]), WIDTH, HEIGHT, quality, NULL, &out[0][0]);
}

// Get the root of a block's squared error in float64.
static double error_of(picture from, int block, const uint8_t bytes[BLOCK_SIZE])
{
    double decoded[16][3], sum = 0;
    ref_ycocg_bc3_decode_block_exact(bytes, decoded);
    for (int t = 0; t < 16; t++) {
        const uint8_t *want = from[4 * (block / COLUMNS) + t / 4][4 * (block % COLUMNS) + t % 4];
        for (int c = 0; c < 3; c++) {
            sum += (decoded[t][c] - want[c]) * (decoded[t][c] - want[c]);
        }
    }
    return sqrt(sum);
}

static double deviation_of(picture from, int block)
{
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        double all = 0, squares = 0;
        for (int t = 0; t < 16; t++) {
            const int v = from[4 * (block / COLUMNS) + t / 4][4 * (block % COLUMNS) + t % 4][c];
            all += v;
            squares += (double)v * v;
        }
        sum += squares - all * all / 16;
    }
    return sum;
}

static double psnr(picture from, blocks encoded)
{
    double sum = 0;
    for (int b = 0; b < NUM_BLOCKS; b++) {
        sum += pow(error_of(from, b, encoded[b]), 2);
    }
    return 10 * log10(65025.0 * WIDTH * HEIGHT * 3 / fmax(sum, 1e-9));
}

static size_t size_of(blocks encoded)
{
    static uint8_t room[2 * sizeof(blocks)];
    return weir_snappy_compress(&encoded[0][0], sizeof(blocks), true, room);
}

// True if a half of a block stands in one of the blocks before it in its tile.
static bool is_in_window(blocks encoded, int block, int half)
{
    const int x = block % COLUMNS, y = block / COLUMNS;
    const int left = x - x % TILE, top = y - y % TILE;
    const int width = COLUMNS - left < TILE ? COLUMNS - left : TILE;
    const int place = (y - top) * width + x - left;
    for (int p = place - 1; p >= 0 && p >= place - WINDOW; p--) {
        const int other = (top + p / width) * COLUMNS + left + p % width;
        if (memcmp(encoded[other] + half, encoded[block] + half, 8) == 0) {
            return true;
        }
    }
    return false;
}

// The rounding to 1/4 code moves Y, Co and Cg by 1/8 at most, R, G and B by 3/8.
static const double ROUNDING = 2.6; // 3/8 * sqrt(48)

static void test_blocks(void)
{
    static picture drawn;
    static blocks before, after;
    const int quality = 1 + seeded_below(80); // near 100 nothing may change
    draw(drawn);
    encode(drawn, 100, before);
    encode(drawn, quality, after);
    int num_changed = 0;
    for (int b = 0; b < NUM_BLOCKS; b++) {
        for (int half = 0; half < BLOCK_SIZE; half += 8) {
            if (memcmp(before[b] + half, after[b] + half, 8) != 0) {
                num_changed++;
                expect(is_in_window(after, b, half), "a half is not in the window", b, half);
            }
        }
        const double most = pow(error_of(drawn, b, before[b]) + ROUNDING, 2) +
                            REF_RDO_MAX_ADDED * deviation_of(drawn, b);
        const double got = error_of(drawn, b, after[b]);
        expect(got <= sqrt(most) + ROUNDING, "the error of a block grew", got, sqrt(most));
    }
    expect(num_changed > 0, "nothing changed at quality", quality, 100);
}

// At 100 blocks stay. Below, bytes fall, and so does quality.
static void test_qualities(void)
{
    static picture drawn;
    static blocks alone, encoded;
    draw(drawn);
    ref_ycocg_bc3_encode(&drawn[0][0][0], sizeof(drawn[0]), WIDTH, HEIGHT, false,
                         REF_YCOCG_BC3_DEFAULT, &alone[0][0]);
    double last_size = (double)size_of(alone), last_psnr = psnr(drawn, alone);
    for (int quality = 100; quality >= 20; quality -= 20) {
        encode(drawn, quality, encoded);
        if (quality == 100) {
            expect(memcmp(alone, encoded, sizeof(blocks)) == 0, "100 changes blocks", 0, 0);
            continue;
        }
        const double size = (double)size_of(encoded), quality_db = psnr(drawn, encoded);
        // A choice changes what later ones find, so a step may be a little the wrong way.
        expect(size < 1.02 * last_size, "bytes grow", size, last_size);
        expect(quality_db < last_psnr + 0.05, "PSNR grows", quality_db, last_psnr);
        last_size = size;
        last_psnr = quality_db;
    }
    expect(last_size < 0.9 * (double)size_of(alone), "bytes at 20", last_size,
           0.9 * (double)size_of(alone));
}

static void draw_sky(picture out)
{
    const double steps[3] = {18 + seeded_below(30), 18 + seeded_below(30), 18 + seeded_below(30)};
    const int lean = seeded_below(16);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            for (int c = 0; c < 3; c++) {
                out[y][x][c] = clamp8(floor(60 + 50 * c + (y + lean * x / 16.0) / steps[c]));
            }
        }
    }
}

static void draw_ramp(picture out)
{
    const int step = 1 + seeded_below(4);
    const bool is_upright = seeded_below(2) == 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            memset(out[y][x], (is_upright ? y : x) / step, 3);
        }
    }
}

// A sky of steps of one code keeps 51 dB, if it has so much without; a grey ramp of up to a code a
// texel keeps every code.
static void test_smooth(void)
{
    static picture drawn;
    static blocks alone, encoded;
    const int quality = 1 + seeded_below(99);
    draw_sky(drawn);
    encode(drawn, quality, encoded);
    encode(drawn, 100, alone);
    const double least = fmin(51, psnr(drawn, alone) - 0.1);
    expect(psnr(drawn, encoded) >= least, "the sky's PSNR", psnr(drawn, encoded), least);
    draw_ramp(drawn);
    encode(drawn, quality, encoded);
    for (int b = 0; b < NUM_BLOCKS; b++) {
        uint8_t decoded[16][3];
        ref_ycocg_bc3_decode_block(encoded[b], false, decoded);
        for (int t = 0; t < 16; t++) {
            const uint8_t *want = drawn[4 * (b / COLUMNS) + t / 4][4 * (b % COLUMNS) + t % 4];
            expect(memcmp(decoded[t], want, 3) == 0, "a ramp's code", decoded[t][0], want[0]);
        }
    }
}

// Add noise of one code to a picture, and encode it. `history` as the reference takes it.
static void encode_noisy(picture from, int quality, uint8_t *history, blocks out)
{
    static picture noisy;
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++) {
        const int x = i / 3 % WIDTH, y = i / 3 / WIDTH;
        noisy[y][x][i % 3] = clamp8(from[y][x][i % 3] + noise());
    }
    ref_ycocg_bc3_encode(&noisy[0][0][0], sizeof(noisy[0]), WIDTH, HEIGHT, false,
                         REF_YCOCG_BC3_FAST, &out[0][0]);
    ref_ycocg_bc3_rdo(&noisy[0][0][0], sizeof(noisy[0]), WIDTH, HEIGHT, quality, history,
                      &out[0][0]);
}

static int count_different(blocks a, blocks b)
{
    int num = 0;
    for (int i = 0; i < NUM_BLOCKS; i++) {
        num += memcmp(a[i], b[i], BLOCK_SIZE) != 0;
    }
    return num;
}

// With a history, what stands still keeps its bytes; another picture has the bytes that it has
// without one.
static void test_steady(void)
{
    static picture drawn;
    static blocks first, second, alone, history;
    const int quality = 30 + seeded_below(40);
    draw(drawn);
    memset(history, 0, sizeof(blocks));
    encode_noisy(drawn, quality, &history[0][0], first);
    expect(memcmp(first, history, sizeof(blocks)) == 0, "the history is not the frame", 0, 0);
    encode_noisy(drawn, quality, &history[0][0], second);
    encode_noisy(drawn, quality, NULL, alone);
    const int changed = count_different(first, second);
    expect(changed < 0.5 * count_different(first, alone), "blocks that change", changed,
           count_different(first, alone));

    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        uint8_t *green = &drawn[i / WIDTH][i % WIDTH][1];
        *green = (uint8_t)(*green < 128 ? *green + 40 : *green - 40);
    }
    encode(drawn, quality, alone);
    ref_ycocg_bc3_encode(&drawn[0][0][0], sizeof(drawn[0]), WIDTH, HEIGHT, false,
                         REF_YCOCG_BC3_DEFAULT, &second[0][0]);
    ref_ycocg_bc3_rdo(&drawn[0][0][0], sizeof(drawn[0]), WIDTH, HEIGHT, quality, &history[0][0],
                      &second[0][0]);
    const int different = count_different(alone, second);
    expect(different < NUM_BLOCKS / 20, "blocks of another picture", different, NUM_BLOCKS / 20);
}

int main(void)
{
    seeded_start();
    for (int i = 0; i < 6; i++) {
        test_blocks();
    }
    test_qualities();
    for (int i = 0; i < 3; i++) {
        test_smooth();
    }
    test_steady();
    return num_failures > 0;
}
