// SPDX-License-Identifier: MIT
// Prints how much still pictures with noise flicker, over the noise itself, with blocks that are
// encoded alone and with blocks that keep what they can of the frame before.
//
// Codecs are those of steady_codecs.h. Each picture is a movie of ten frames, or of --frames, with
// noise of deviation 1 in each channel (WEIR_SEED). With --quality the steady blocks are optimised
// for Snappy, and so are blocks alone, in columns of their own. With --every one block of so many
// is encoded, with --quality one tile of 32x32.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/quality/quality.h"
#include "tests/kernels/rdo.h"
#include "tests/ref/block.h"
#include "tests/ref/flicker.h"
#include "tests/seeded.h"
#include "tests/steady_codecs.h"

enum { TILE_SIDE = 32, TILE_BLOCKS = TILE_SIDE * TILE_SIDE };
// Of each codec, at effort default: most flicker over that of the source, and over that of blocks
// alone; most dB that are lost.
static const struct bars {
    double ratio, share, loss;
} all_bars[STEADY_NUM_CODECS] = {
    {1.3, 0.7, 0.5},
    {1.0, 0.4, 0.3},
    {1.2, 0.98, 0.35},
};

struct outcome {
    double ratio, psnr; // of the blocks' temporal deviation to the source's; [dB]
};

// How a picture is encoded, and which of its blocks are.
struct way {
    const struct steady_codec *codec;
    int effort;
    bool steady;
    int quality; // 100: without optimisation
    bool tiles;  // one tile of `every`, not one block
    uint32_t every;
    int num_frames;
    uint64_t seed; // of the noise
};

// A frame of a part of the picture: its blocks are 32 a row with `tiles`.
struct frame {
    uint32_t num_blocks;
    uint8_t (*texels)[16][4];
    uint8_t (*encoded)[STEADY_MAX_BLOCK_SIZE]; // which the next frame keeps
    uint8_t *blocks;                           // without gaps
    uint8_t *history; // with steady: the optimised blocks of the frame before
};

static uint32_t count_blocks(const struct weir_picture *picture, const struct way *way)
{
    const uint32_t columns = picture->width / 4, rows = picture->height / 4;
    return way->tiles ? columns / TILE_SIDE * (rows / TILE_SIDE) / way->every * TILE_BLOCKS
                      : columns * rows / way->every;
}

static void fetch(const struct weir_picture *picture, const struct way *way, uint32_t block,
                  uint64_t *random, uint8_t texels[16][4])
{
    const uint32_t unit = way->tiles ? TILE_SIDE : 1, in_unit = unit * unit;
    const uint32_t columns = picture->width / 4 / unit, place = block / in_unit * way->every;
    const uint32_t column = place % columns * unit + block % in_unit % unit;
    const uint32_t row = place / columns * unit + block % in_unit / unit;
    for (uint32_t i = 0; i < 48; i++) {
        const size_t x = 4 * column + i / 3 % 4, y = 4 * row + i / 12;
        const double code = picture->texels[y * picture->pitch + 4 * x + i % 3];
        texels[i / 3][i % 3] = (uint8_t)fmin(fmax(floor(code + ref_flicker_noise(random) + 0.5), 0),
                                             255);
        texels[i / 3][3] = 255;
    }
}

static void optimise(const struct frame *frame, const struct way *way)
{
    const uint32_t width = 4 * TILE_SIDE, height = frame->num_blocks / TILE_SIDE * 4;
    uint8_t *texels = need(malloc((size_t)4 * width * height));
    for (uint32_t b = 0; b < frame->num_blocks; b++) {
        for (uint32_t t = 0; t < 16; t++) {
            const size_t x = b % TILE_SIDE * 4 + t % 4, y = b / TILE_SIDE * 4 + t / 4;
            memcpy(texels + 4 * (y * width + x), frame->texels[b][t], 4);
        }
    }
    const struct kernel_picture picture = {texels, (size_t)4 * width, 4, width, height};
    kernel_rdo(&(struct weir_rdo_params){.codec = way->codec->codec}, &picture,
               weir_rdo_lambda(way->quality), frame->history, frame->blocks);
    free(texels);
}

static void make_frame(const struct weir_picture *picture, const struct way *way, uint64_t *random,
                       const struct frame *frame)
{
    const struct weir_encoder_params params = {
        .codec = way->codec->codec, .effort = kernel_efforts[way->effort], .steady = way->steady};
    const size_t block_size = (size_t)way->codec->block_size;
    for (uint32_t b = 0; b < frame->num_blocks; b++) {
        const uint8_t(*texels)[4] = (const uint8_t(*)[4])frame->texels[b];
        fetch(picture, way, b, random, frame->texels[b]);
        (way->steady ? kernel_encode_steady : kernel_encode)(&params, texels, frame->encoded[b]);
        memcpy(frame->blocks + b * block_size, frame->encoded[b], block_size);
    }
    if (way->quality < 100) {
        optimise(frame, way);
    }
}

static struct outcome measure(const struct weir_picture *picture, const struct way *way)
{
    const uint32_t n = count_blocks(picture, way);
    const size_t block_size = (size_t)way->codec->block_size;
    const struct frame frame = {
        n, need(calloc(n, sizeof(*frame.texels))), need(calloc(n, sizeof(*frame.encoded))),
        need(calloc(n, block_size)), way->steady ? need(calloc(n, block_size)) : NULL};
    struct ref_flicker flicker;
    ref_flicker_init(&flicker, n, way->codec->num_channels);
    uint64_t random = way->seed; // the same noise for every way
    for (int i = 0; i < way->num_frames; i++) {
        make_frame(picture, way, &random, &frame);
        ref_flicker_begin(&flicker);
        for (uint32_t b = 0; b < n; b++) {
            double decoded[16][4];
            ref_block_decode(way->codec->codec, frame.blocks + b * block_size, decoded);
            ref_flicker_add(&flicker, b, (const uint8_t(*)[4])frame.texels[b],
                            (const double(*)[4])decoded);
        }
    }
    const struct outcome outcome = {ref_flicker_of_blocks(&flicker) /
                                        ref_flicker_of_source(&flicker),
                                    ref_flicker_psnr(&flicker)};
    ref_flicker_finish(&flicker);
    free(frame.history);
    free(frame.blocks);
    free(frame.encoded);
    free(frame.texels);
    return outcome;
}

static struct outcome measure_as(const struct weir_picture *picture, struct way way, bool steady,
                                 int quality)
{
    way.steady = steady;
    way.quality = quality;
    return measure(picture, &way);
}

// Print a picture's row. Steady blocks are to meet the bars above, optimised ones to flicker no
// more than blocks alone.
static void print_row(const struct quality_picture *picture, struct way way,
                      const struct bars *bars)
{
    const struct weir_picture *texels = &picture->texels;
    const struct outcome alone = measure_as(texels, way, false, 100);
    const struct outcome steady = measure_as(texels, way, true, 100);
    printf("| %s | %s | %s | %.2f | %.2f | %.2f | %.2f |", picture->name, way.codec->name,
           quality_effort_names[way.effort], alone.ratio, steady.ratio, alone.psnr, steady.psnr);
    if (way.quality == 100) {
        puts("");
        test_expect(steady.ratio <= bars->ratio && steady.ratio <= bars->share * alone.ratio &&
                        steady.psnr >= alone.psnr - bars->loss,
                    "steady %s of %s", way.codec->name, picture->name);
        return;
    }
    const struct outcome optimised = measure_as(texels, way, false, way.quality);
    const struct outcome both = measure_as(texels, way, true, way.quality);
    printf(" %.2f | %.2f | %.2f | %.2f |\n", optimised.ratio, both.ratio, optimised.psnr,
           both.psnr);
    test_expect(both.ratio <= alone.ratio, "optimised %s of %s", way.codec->name, picture->name);
}

static void print_head(int quality)
{
    printf("| picture | codec | effort | alone | steady | alone [dB] | steady [dB] |");
    if (quality < 100) {
        printf(" quality %d | both | quality %d [dB] | both [dB] |", quality, quality);
    }
    printf("\n| --- | --- | --- | --- | --- | --- | --- |%s\n",
           quality < 100 ? " --- | --- | --- | --- |" : "");
}

void quality_steady(const struct quality *quality)
{
    struct way way = {
        .effort = quality->effort,
        .quality = (int)quality->quality,
        .tiles = quality->quality < 100,
        .every = (uint32_t)quality->every,
        .num_frames = (int)quality->frames,
        .seed = seeded_seed(),
    };
    print_head(way.quality);
    for (int codec = 0; codec < STEADY_NUM_CODECS; codec++) {
        way.codec = &steady_codecs[codec];
        for (int i = 0; i < quality->num_pictures; i++) {
            print_row(&quality->pictures[i], way, &all_bars[codec]);
        }
    }
}
