// SPDX-License-Identifier: MIT
// Scalar reference of rate-distortion optimisation: the walk over the blocks of a picture.
//
// Each block keeps its bytes, or takes one of its halves or all of it from one of the blocks before
// it, whichever has the least D + lambda * R; of BC7 the other half is made anew then. D is the
// squared error of its channels; R is what Snappy needs for the block [bytes]. As in the
// rate-distortion optimisation of video encoders (G. Sullivan and T. Wiegand, "Rate-distortion
// optimization for video compression", 1998), and for block compression first in R. Geldreich's
// bc7enc_rdo.
#include "tests/ref/rdo.h"

#include <string.h>

#include "tests/ref/rdo_choice.h"

enum {
    HALF_SIZE = REF_RDO_HALF_SIZE,
    TILE_SIDE = 32, // [blocks]: tiles do not know each other
};

int ref_rdo_lambda(int quality)
{
    return (100 - quality) * (100 - quality) * 2 / 5;
}

// Let a block become what it has chosen.
static void become(const struct ref_rdo_codec *codec, struct ref_rdo_block *to,
                   const struct ref_rdo_block *from, enum ref_rdo_choice choice,
                   const struct ref_rdo_texels *source)
{
    const bool is_half = choice == REF_RDO_COPY_FIRST || choice == REF_RDO_COPY_SECOND;
    for (int half = 0; half < codec->num_halves; half++) {
        if (ref_rdo_copies(choice, half) && is_half && codec->refit) {
            codec->refit(source, from->bytes, half, to->bytes);
        } else if (ref_rdo_copies(choice, half)) {
            memcpy(to->bytes + half * HALF_SIZE, from->bytes + half * HALF_SIZE, HALF_SIZE);
        }
    }
    if (choice != REF_RDO_KEEP) {
        codec->decode(to->bytes, &to->decoded);
    }
}

static void read_texels(const struct ref_rdo_codec *codec, const struct ref_rdo_picture *picture,
                        uint32_t column, uint32_t row, struct ref_rdo_texels *out)
{
    for (uint32_t t = 0; t < 16; t++) {
        const uint32_t x = 4 * column + t % 4, y = 4 * row + t / 4;
        const uint32_t tx = x < picture->width ? x : picture->width - 1;
        const uint32_t ty = y < picture->height ? y : picture->height - 1;
        codec->read(picture->texels + ty * picture->stride + tx * (size_t)picture->texel_size,
                    (int)t, out);
    }
}

// Find the nearest block before block `b` of a tile that is equal to it. Returns how far it is, 0
// for none.
static int find_equal(const struct ref_rdo_codec *codec, const struct ref_rdo_block *blocks, int b)
{
    const uint32_t size = (uint32_t)ref_rdo_block_size(codec);
    for (int distance = 1; distance <= REF_RDO_WINDOW && distance <= b; distance++) {
        const struct ref_rdo_block *other = &blocks[b - distance];
        if ((blocks[b].place - other->place) * size <= REF_RDO_MAX_OFFSET &&
            memcmp(blocks[b].bytes, other->bytes, size) == 0) {
            return distance;
        }
    }
    return 0;
}

// Count the bytes of block `b`, which has become what it is. One that may copy nothing, because a
// byte weighs nothing there, may be equal to one before it all the same, and Snappy finds that.
static int count_bytes(const struct ref_rdo_codec *codec, const struct ref_rdo_block *blocks, int b,
                       const struct ref_rdo_best *best, int lambda, struct ref_rdo_stream *stream)
{
    const bool looks = best->choice == REF_RDO_KEEP && lambda == 0;
    const int equal = looks ? find_equal(codec, blocks, b) : 0;
    const enum ref_rdo_choice choice = equal > 0 ? REF_RDO_COPY_BLOCK : best->choice;
    const int distance = equal > 0 ? equal : best->distance;
    const uint32_t apart = blocks[b].place - blocks[b - distance].place;
    return ref_rdo_write(codec, stream, choice, apart * (uint32_t)ref_rdo_block_size(codec));
}

// Get the squared error of a block within the picture.
static int64_t error_within(const struct ref_rdo_codec *codec,
                            const struct ref_rdo_picture *picture, uint32_t column, uint32_t row,
                            const struct ref_rdo_texels *source,
                            const struct ref_rdo_texels *decoded)
{
    struct ref_rdo_texels within = *decoded;
    for (uint32_t i = 0; i < 16 * REF_RDO_CHANNELS; i++) {
        const uint32_t c = i / 16, t = i % 16;
        if (4 * column + t % 4 >= picture->width || 4 * row + t / 4 >= picture->height) {
            within.of[c][t] = source->of[c][t];
        }
    }
    const struct ref_rdo_texels *const halves[2] = {&within, &within};
    int64_t error = 0;
    for (int m = 0; m < codec->num_measures; m++) {
        error += codec->measure(m, source, halves).sum;
    }
    return error;
}

static void optimise_tile(const struct ref_rdo_codec *codec, const struct ref_rdo_picture *picture,
                          uint32_t left, uint32_t top, int lambda, uint8_t *history, uint8_t *out,
                          struct ref_rdo_sums *sums)
{
    const size_t size = (size_t)ref_rdo_block_size(codec);
    const uint32_t columns = (picture->width + 3) / 4, rows = (picture->height + 3) / 4;
    const uint32_t width = columns - left < TILE_SIDE ? columns - left : TILE_SIDE;
    const uint32_t height = rows - top < TILE_SIDE ? rows - top : TILE_SIDE;
    struct ref_rdo_block blocks[TILE_SIDE * TILE_SIDE];
    struct ref_rdo_stream stream = {0}, counted = {0};
    for (int b = 0; b < (int)(width * height); b++) {
        const uint32_t column = left + (uint32_t)b % width, row = top + (uint32_t)b / width;
        struct ref_rdo_block *block = &blocks[b];
        block->place = row * columns + column;
        memcpy(block->bytes, out + block->place * size, size);
        codec->decode(block->bytes, &block->decoded);
        if (column == left) { // what the tile beside it ends with is unknown
            counted = stream = (struct ref_rdo_stream){0};
        }
        struct ref_rdo_texels source;
        read_texels(codec, picture, column, row, &source);
        uint8_t *before = history ? history + block->place * size : NULL;
        const struct ref_rdo_candidate candidate = ref_rdo_prepare(codec, block, &source, lambda,
                                                                   before);
        const struct ref_rdo_best best = ref_rdo_choose(codec, blocks, b, &source, &stream,
                                                        &candidate);
        const struct ref_rdo_block *from = &blocks[b - best.distance];
        become(codec, block, from, best.choice, &source);
        ref_rdo_write(codec, &stream, best.choice, (block->place - from->place) * (uint32_t)size);
        sums->bytes += (uint64_t)count_bytes(codec, blocks, b, &best, candidate.lambda, &counted);
        sums->error += (uint64_t)error_within(codec, picture, column, row, &source,
                                              &block->decoded);
        memcpy(out + block->place * size, block->bytes, size);
        if (before) {
            memcpy(before, block->bytes, size);
        }
    }
}

struct ref_rdo_sums ref_rdo(const struct ref_rdo_codec *codec,
                            const struct ref_rdo_picture *picture, int lambda, uint8_t *history,
                            uint8_t *blocks)
{
    const uint32_t columns = (picture->width + 3) / 4, rows = (picture->height + 3) / 4;
    struct ref_rdo_sums sums = {0};
    for (uint32_t top = 0; top < rows; top += TILE_SIDE) {
        for (uint32_t left = 0; left < columns; left += TILE_SIDE) {
            optimise_tile(codec, picture, left, top, lambda, history, blocks, &sums);
        }
    }
    return sums;
}
