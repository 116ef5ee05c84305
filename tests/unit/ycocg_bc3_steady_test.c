// SPDX-License-Identifier: MIT
// Blocks that keep what they can of the frame before: still noise flickers less, a slow fade goes
// on, and whatever the block before was, the error stays bounded. WEIR_SEED repeats a run.
#include "tests/ref/ycocg_bc3_steady.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/ref/flicker.h"
#include "tests/ref/ycocg_bc3.h"
#include "tests/seeded.h"

enum { SIDE = 64, COLUMNS = SIDE / 4, NUM_BLOCKS = COLUMNS * COLUMNS };
#define CONST(texels) ((const uint8_t(*)[3])(texels)) // C11 does not add it to an array by itself

static int num_failures;

static void expect(bool condition, const char *what, double value, double bound)
{
    if (!condition) {
        printf("%s: %.3f, not %.3f\n", what, value, bound);
        num_failures++;
    }
}

static double uniform(void)
{
    return (seeded_below(1 << 24) + 0.5) / (1 << 24);
}

// ---- A movie of one picture ----

// Soft slopes, with blocks of texture and colour.
static void draw(double picture[SIDE * SIDE][3])
{
    double base[3], slope[3][2];
    for (int c = 0; c < 3; c++) {
        base[c] = 60 + seeded_below(100);
        slope[c][0] = uniform() - 0.5;
        slope[c][1] = uniform() - 0.5;
    }
    double offset[COLUMNS][COLUMNS][3] = {{{0}}}, grain[COLUMNS][COLUMNS] = {{0}};
    for (int i = 0; i < NUM_BLOCKS / 2; i++) {
        const int x = seeded_below(COLUMNS), y = seeded_below(COLUMNS);
        grain[y][x] = uniform() * 12;
        for (int c = 0; c < 3; c++) {
            offset[y][x][c] = uniform() * 50 - 25;
        }
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE;
        for (int c = 0; c < 3; c++) {
            picture[i][c] = base[c] + slope[c][0] * x + slope[c][1] * y + offset[y / 4][x / 4][c] +
                            grain[y / 4][x / 4] * ref_flicker_noise(&seeded_state);
        }
    }
}

struct movie {
    double noise;         // its standard deviation [codes]
    double codes_a_frame; // by which all texels rise
    int num_frames;
    bool steady;
};

// What became of a movie.
struct outcome {
    double ratio;       // its temporal deviation over that of its source
    double psnr;        // [dB]
    double last_offset; // of the encoded means in the last frame, on average [codes]
};

static struct outcome play(double picture[SIDE * SIDE][3], const struct movie *movie)
{
    static uint8_t blocks[NUM_BLOCKS][REF_YCOCG_BC3_BLOCK_SIZE];
    memset(blocks, 0, sizeof(blocks));
    struct ref_flicker flicker;
    ref_flicker_init(&flicker, NUM_BLOCKS);
    for (int frame = 0; frame < movie->num_frames; frame++) {
        ref_flicker_begin(&flicker);
        for (int b = 0; b < NUM_BLOCKS; b++) {
            uint8_t rgb[16][3], alone[REF_YCOCG_BC3_BLOCK_SIZE];
            for (int i = 0; i < 48; i++) {
                const int x = b % COLUMNS * 4 + i / 3 % 4, y = b / COLUMNS * 4 + i / 12;
                const double v = picture[y * SIDE + x][i % 3] + frame * movie->codes_a_frame +
                                 movie->noise * ref_flicker_noise(&seeded_state);
                rgb[i / 3][i % 3] = (uint8_t)fmin(fmax(floor(v + 0.5), 0), 255);
            }
            ref_ycocg_bc3_encode_block(CONST(rgb), false, REF_YCOCG_BC3_DEFAULT, alone);
            if (movie->steady) {
                ref_ycocg_bc3_keep(CONST(rgb), false, blocks[b], alone);
            }
            memcpy(blocks[b], alone, sizeof(alone));
            ref_flicker_add(&flicker, (size_t)b, CONST(rgb), alone);
        }
    }
    const struct outcome outcome = {
        .ratio = ref_flicker_of_blocks(&flicker) / ref_flicker_of_source(&flicker),
        .psnr = ref_flicker_psnr(&flicker),
        .last_offset = ref_flicker_offset(&flicker),
    };
    ref_flicker_finish(&flicker);
    return outcome;
}

// Noise of one code: less flicker, and hardly less quality.
static void test_noise(void)
{
    static double picture[SIDE * SIDE][3];
    draw(picture);
    struct movie movie = {.noise = 1, .num_frames = 10};
    const struct outcome alone = play(picture, &movie);
    movie.steady = true;
    const struct outcome steady = play(picture, &movie);
    printf("deviation of 4x4 means over the source's: %.2f alone, %.2f steady; %.2f, %.2f dB\n",
           alone.ratio, steady.ratio, alone.psnr, steady.psnr);
    expect(steady.ratio < 1.25, "flicker", steady.ratio, 1.25);
    expect(steady.ratio < 0.7 * alone.ratio, "flicker beside that of blocks alone", steady.ratio,
           0.7 * alone.ratio);
    expect(steady.psnr > alone.psnr - 0.4, "dB", steady.psnr, alone.psnr - 0.4);
}

// A fade of a code in 60 frames, by three codes: it is followed, and not more and more late.
static void test_fade(void)
{
    static double picture[SIDE * SIDE][3];
    draw(picture);
    for (int i = 0; i < 2; i++) {
        struct movie movie = {.noise = i, .codes_a_frame = 1 / 60.0, .num_frames = 181};
        const struct outcome alone = play(picture, &movie);
        movie.steady = true;
        const struct outcome steady = play(picture, &movie);
        const double lag = alone.last_offset - steady.last_offset;
        printf("a fade with noise of %d: %.3f codes late, %.2f of its deviation\n", i, lag,
               steady.ratio);
        expect(lag < 0.25, "codes late", lag, 0.25);
    }
}

// ---- Any block before ----

static double error_of(uint8_t rgb[16][3], const uint8_t block[REF_YCOCG_BC3_BLOCK_SIZE])
{
    double decoded[16][3], error = 0;
    ref_ycocg_bc3_decode_block_exact(block, decoded);
    for (int i = 0; i < 48; i++) {
        const double e = decoded[i / 3][i % 3] - rgb[i / 3][i % 3];
        error += e * e;
    }
    return error;
}

static void test_bound(void)
{
    double worst = -1;
    for (int n = 0; n < 20000; n++) {
        uint8_t rgb[16][3], alone[REF_YCOCG_BC3_BLOCK_SIZE], block[REF_YCOCG_BC3_BLOCK_SIZE];
        uint8_t previous[REF_YCOCG_BC3_BLOCK_SIZE];
        const int base = seeded_below(256), spread = 1 + seeded_below(seeded_below(2) ? 256 : 6);
        for (int i = 0; i < 48; i++) {
            const int v = base + seeded_below(spread) - spread / 2;
            rgb[i / 3][i % 3] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
        }
        ref_ycocg_bc3_encode_block(CONST(rgb), false,
                                   (enum ref_ycocg_bc3_effort)(n % 40 ? n % 2 : 2), alone);
        memcpy(previous, alone, sizeof(previous));
        for (int i = 0; i < 16; i++) { // a neighbour of the block, or any bytes
            previous[i] = (uint8_t)(n % 3 == 0 ? seeded_below(256)
                                               : previous[i] + (i % 8 < 2 ? seeded_below(5) : 0));
        }
        memcpy(block, alone, sizeof(block));
        ref_ycocg_bc3_keep(CONST(rgb), false, previous, block);
        const double error = error_of(rgb, block), error_alone = error_of(rgb, alone);
        worst = fmax(worst, (error - 48) / fmax(error_alone, 1));
    }
    printf("squared error, less 1 a channel, over that of the block alone: %.2f at most\n", worst);
    expect(worst < 2.5, "squared error over that of the block alone", worst, 2.5);
}

// What did not change gives the same bytes, and so does what has nothing before it.
static void test_still(void)
{
    static const uint8_t none[REF_YCOCG_BC3_BLOCK_SIZE] = {0};
    for (int n = 0; n < 1000; n++) {
        uint8_t rgb[16][3], alone[REF_YCOCG_BC3_BLOCK_SIZE], block[REF_YCOCG_BC3_BLOCK_SIZE];
        const int spread = 1 + seeded_below(256);
        for (int i = 0; i < 48; i++) {
            rgb[i / 3][i % 3] = (uint8_t)seeded_below(spread);
        }
        ref_ycocg_bc3_encode_block(CONST(rgb), n % 2, (enum ref_ycocg_bc3_effort)(n % 8 ? 1 : 2),
                                   alone);
        memcpy(block, alone, sizeof(block));
        ref_ycocg_bc3_keep(CONST(rgb), n % 2, alone, block);
        expect(memcmp(block, alone, sizeof(block)) == 0, "still blocks that changed", n, 0);
        ref_ycocg_bc3_keep(CONST(rgb), n % 2, none, block);
        expect(memcmp(block, alone, sizeof(block)) == 0, "first blocks that changed", n, 0);
    }
}

int main(void)
{
    seeded_start();
    test_still();
    test_bound();
    test_noise();
    test_fade();
    return num_failures > 0;
}
