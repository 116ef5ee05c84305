// SPDX-License-Identifier: MIT
// Blocks of each codec that keep what they can of the frame before: a slow fade goes on, and
// whatever the block before was, the error stays bounded. bench_steady_quality holds how much less
// still noise flickers. WEIR_SEED repeats a run.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/ref/block.h"
#include "tests/ref/flicker.h"
#include "tests/sanitized.h"
#include "tests/seeded.h"
#include "tests/steady_codecs.h"

enum { SIDE = 64, COLUMNS = SIDE / 4, NUM_BLOCKS = COLUMNS * COLUMNS };
#define CONST(texels) ((const uint8_t(*)[4])(texels)) // C11 does not add it to an array by itself

static const struct steady_codec *codec; // whose turn it is

// Of each codec: how late a fade may be [codes], and the squared error over that of a block alone.
static const struct bars {
    double late, error;
} all_bars[STEADY_NUM_CODECS] = {{0.25, 2.5}, {1.3, 2.2}, {0.25, 1.6}};
static const struct bars *bars;

#define EXPECT(is_so, what, value, bound)                                                          \
    test_expect(is_so, "%s: %s: %.3f, not %.3f", codec->name, what, (double)(value),               \
                (double)(bound))

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
    double last_offset; // of the encoded means in the last frame, on average [codes]
};

static void fetch(double picture[SIDE * SIDE][3], const struct movie *movie, int frame, int block,
                  uint8_t texels[16][4])
{
    for (int t = 0; t < 16; t++) {
        const int x = block % COLUMNS * 4 + t % 4, y = block / COLUMNS * 4 + t / 4;
        for (int c = 0; c < 3; c++) {
            const double v = picture[y * SIDE + x][c] + frame * movie->codes_a_frame +
                             movie->noise * ref_flicker_noise(&seeded_state);
            texels[t][c] = (uint8_t)fmin(fmax(floor(v + 0.5), 0), 255);
        }
        texels[t][3] = 255;
    }
}

static struct outcome play(double picture[SIDE * SIDE][3], const struct movie *movie)
{
    static uint8_t blocks[NUM_BLOCKS][STEADY_MAX_BLOCK_SIZE];
    const struct weir_encoder_params params = {.codec = codec->codec, .steady = movie->steady};
    memset(blocks, 0, sizeof(blocks));
    struct ref_flicker flicker;
    ref_flicker_init(&flicker, NUM_BLOCKS, codec->num_channels);
    for (int frame = 0; frame < movie->num_frames; frame++) {
        ref_flicker_begin(&flicker);
        for (int b = 0; b < NUM_BLOCKS; b++) {
            uint8_t texels[16][4], *block = blocks[b];
            double decoded[16][4];
            fetch(picture, movie, frame, b, texels);
            (movie->steady ? kernel_encode_steady : kernel_encode)(&params, CONST(texels), block);
            ref_block_decode(codec->codec, block, decoded);
            ref_flicker_add(&flicker, (size_t)b, CONST(texels), (const double(*)[4])decoded);
        }
    }
    const struct outcome outcome = {
        .ratio = ref_flicker_of_blocks(&flicker) / ref_flicker_of_source(&flicker),
        .last_offset = ref_flicker_offset(&flicker),
    };
    ref_flicker_finish(&flicker);
    return outcome;
}

// A fade of a code in 60 frames, by three codes: it is followed, and not more and more late.
static void test_fade(void)
{
    static double picture[SIDE * SIDE][3];
    draw(picture);
    for (int i = 0; i < 2; i++) {
        struct movie movie = {
            .noise = i, .codes_a_frame = 1 / 60.0, .num_frames = 181 / SANITIZED_STRIDE};
        const struct outcome alone = play(picture, &movie);
        movie.steady = true;
        const struct outcome steady = play(picture, &movie);
        const double lag = alone.last_offset - steady.last_offset;
        printf("%s: a fade with noise of %d: %.3f codes late, %.2f of its deviation\n", codec->name,
               i, lag, steady.ratio);
        EXPECT(SANITIZED_STRIDE > 1 || lag < bars->late, "codes late", lag, bars->late);
    }
}

// ---- Any block before ----

static double error_of(uint8_t texels[16][4], const uint8_t *block)
{
    double decoded[16][4];
    ref_block_decode(codec->codec, block, decoded);
    return ref_block_error(CONST(texels), (const double(*)[4])decoded, codec->num_channels);
}

static void draw_block(int base, int spread, uint8_t texels[16][4])
{
    for (int i = 0; i < 64; i++) {
        const int v = base + seeded_below(spread) - spread / 2;
        texels[i / 4][i % 4] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}

static void test_bound(void)
{
    double worst = -1;
    for (int n = 0; n < 8000; n += SANITIZED_STRIDE) {
        uint8_t texels[16][4], alone[STEADY_MAX_BLOCK_SIZE], block[STEADY_MAX_BLOCK_SIZE];
        const struct weir_encoder_params params = {
            .codec = codec->codec,
            .effort = n % 40 == 0 ? WEIR_EFFORT_HIGH
                      : n % 2     ? WEIR_EFFORT_DEFAULT
                                  : WEIR_EFFORT_FAST,
            .steady = true,
        };
        draw_block(seeded_below(256), 1 + seeded_below(seeded_below(2) ? 256 : 6), texels);
        kernel_encode(&params, CONST(texels), alone);
        memcpy(block, alone, sizeof(block));
        for (int i = 0; i < codec->block_size; i++) { // a neighbour of the block, or any bytes
            block[i] = (uint8_t)(n % 3 == 0 ? seeded_below(256)
                                            : block[i] + (i % 8 < 2 ? seeded_below(5) : 0));
        }
        kernel_encode_steady(&params, CONST(texels), block);
        const double error = error_of(texels, block), error_alone = error_of(texels, alone);
        worst = fmax(worst, (error - 16 * codec->num_channels) / fmax(error_alone, 1));
    }
    printf("%s: squared error, less 1 a channel, over that of the block alone: %.2f at most\n",
           codec->name, worst);
    EXPECT(worst < bars->error, "squared error over that of the block alone", worst, bars->error);
}

// What did not change gives the same bytes.
static void test_still(void)
{
    const size_t size = (size_t)codec->block_size;
    for (int n = 0; n < 1000; n += SANITIZED_STRIDE) {
        uint8_t texels[16][4], alone[STEADY_MAX_BLOCK_SIZE], block[STEADY_MAX_BLOCK_SIZE];
        const struct weir_encoder_params params = {
            .codec = codec->codec,
            .effort = n % 8 ? WEIR_EFFORT_DEFAULT : WEIR_EFFORT_HIGH,
            .decoder = n % 2 ? WEIR_DECODER_FFMPEG : WEIR_DECODER_GPU,
            .steady = true,
        };
        const int spread = 1 + seeded_below(256);
        draw_block(spread / 2, spread, texels);
        kernel_encode(&params, CONST(texels), alone);
        memcpy(block, alone, size);
        kernel_encode_steady(&params, CONST(texels), block);
        EXPECT(memcmp(block, alone, size) == 0, "still blocks that changed", n, 0);
    }
}

int main(void)
{
    seeded_start();
    for (int i = 0; i < STEADY_NUM_CODECS; i++) {
        codec = &steady_codecs[i];
        bars = &all_bars[i];
        test_still();
        test_bound();
        test_fade();
    }
    return test_finish();
}
