// SPDX-License-Identifier: MIT
// Scalar reference of rate-distortion optimisation for scaled YCoCg in BC3 (HapY).
//
// Each block keeps its bytes, or takes its half of Y, its half of Co and Cg, or both from one of
// the blocks before it, whichever has the least D + lambda * R. D is the squared error of R, G and
// B; R is what Snappy needs for the block [bytes]. As in the rate-distortion optimisation of video
// encoders (G. Sullivan and T. Wiegand, "Rate-distortion optimization for video compression",
// 1998), and for block compression first in R. Geldreich's bc7enc_rdo.
//
// Units: Y, Co and Cg in 1/4 code, squared errors in 1/16 of a squared code.

#include "ycocg_bc3_rdo.h"

#include <stdbool.h>
#include <string.h>

enum {
    BLOCK_SIZE = 16,
    HALF_SIZE = 8,
    TILE_SIDE = 32,      // [blocks]: tiles do not know each other
    WINDOW = 128,        // blocks of the tile before one that it may copy from
    MAX_OFFSET = 65535,  // of a copy with two bytes of offset
    NEAR_OFFSET = 2047,  // of a copy with a byte and three bits
    MAX_RUN = 64,        // of a copy [bytes]
    MAX_COST = 0x7fffff, // larger ones count as this
    ACTIVITY_UNIT = 96,  // 1/8 of a squared code in each channel of each texel
    MAX_ACTIVITY = 2047, // in that unit
    MIDDLE_ACTIVITY = 4, // at which a byte has half its weight
    HOLD_BYTES = 12,     // a block of the frame before stays if it costs no more than these
    CHANGE_BYTES = 8,    // that others cost then
};

// What a block becomes, in the order in which equal costs decide.
enum choice { KEEP, COPY_BLOCK, COPY_CHROMA, COPY_LUMA };

struct vector {
    int y, co, cg;
};
struct texels {
    struct vector of[16];
};

// A block of a tile: what it was, and what it has become.
struct tile_block {
    uint32_t place; // its index in the picture
    struct texels decoded;
    uint8_t bytes[BLOCK_SIZE];
};

// How the bytes up to now are written: a literal goes on, or a copy from `offset`, of `run` bytes.
struct stream {
    bool is_literal;
    uint32_t offset, run;
};

// What a block loses, and what it takes.
struct block_cost {
    int64_t error; // pure
    int64_t cost;
};

int ref_rdo_lambda(int quality)
{
    return (100 - quality) * (100 - quality) * 2 / 5;
}

static int64_t square(struct vector v)
{
    // R = Y - Cg + Co, G = Y + Cg, B = Y - Cg - Co
    return 2 * (int64_t)v.co * v.co + 3 * (int64_t)v.cg * v.cg - 2 * (int64_t)v.cg * v.y +
           3 * (int64_t)v.y * v.y;
}

static struct vector sum(struct vector a, struct vector b)
{
    return (struct vector){a.y + b.y, a.co + b.co, a.cg + b.cg};
}

// Divide, and round to the nearest, halves up.
static int divide_rounded(int num, int den)
{
    const int shift = 512; // makes it positive
    return (2 * (num + shift * den) + den) / (2 * den) - shift;
}

static void decode(const uint8_t block[BLOCK_SIZE], struct texels *out)
{
    const int a0 = block[0], a1 = block[1];
    const unsigned c0 = block[8] | (unsigned)block[9] << 8;
    const unsigned c1 = block[10] | (unsigned)block[11] << 8;
    const int scale = 255 * (int)(c0 & 31) + 248; // times 248
    uint64_t indices = 0;
    for (int i = 0; i < 6; i++) {
        indices |= (uint64_t)block[2 + i] << (8 * i);
    }
    for (int t = 0; t < 16; t++) {
        const int i = (int)(indices >> (3 * t)) & 7;
        const int steps = a0 > a1 ? 7 : 5;
        const int weight = i == 0 ? steps : i == 1 ? 0 : steps + 1 - i; // of a0
        const int y = i > steps ? (i == 6 ? 0 : 255 * steps) : weight * a0 + (steps - weight) * a1;
        static const int thirds[4] = {3, 0, 2, 1}; // of c0
        const int w = thirds[block[12 + t / 4] >> (2 * (t % 4)) & 3];
        const int red = w * (int)(c0 >> 11) + (3 - w) * (int)(c1 >> 11);
        const int green = w * (int)(c0 >> 5 & 63) + (3 - w) * (int)(c1 >> 5 & 63);
        out->of[t] = (struct vector){
            .y = divide_rounded(4 * y, steps),
            .co = divide_rounded(32 * (255 * red - 128 * 93), 3 * scale),
            .cg = divide_rounded(992 * (255 * green - 128 * 189), 189 * scale),
        };
    }
}

// Get the error of Y of one block with Co and Cg of another, and what it costs without its bytes:
// the error of the mean counts twice, since it shows more and flickers.
static struct block_cost cost_of(const struct texels *source, const struct texels *luma,
                                 const struct texels *chroma)
{
    struct block_cost result = {0};
    struct vector all = {0};
    for (int t = 0; t < 16; t++) {
        const struct vector s = source->of[t];
        const struct vector e = {luma->of[t].y - s.y, chroma->of[t].co - s.co,
                                 chroma->of[t].cg - s.cg};
        result.error += square(e);
        all = sum(all, e);
    }
    result.cost = result.error + square(all) / 16;
    return result;
}

// Get the squared deviation of texels from their mean.
static int64_t activity_of(const struct texels *source)
{
    int64_t squares = 0;
    struct vector all = {0};
    for (int t = 0; t < 16; t++) {
        squares += square(source->of[t]);
        all = sum(all, source->of[t]);
    }
    return squares - square(all) / 16;
}

// Get the weight of a byte in a block: little where it is smooth, since there it shows.
static int lambda_at(int64_t activity, int lambda)
{
    const int64_t units = activity / ACTIVITY_UNIT;
    const int a = units < MAX_ACTIVITY ? (int)units : MAX_ACTIVITY;
    const int share = 256 * a * a / (a * a + MIDDLE_ACTIVITY * MIDDLE_ACTIVITY);
    return lambda * share / 256;
}

// Write a half as a literal or, with an offset, as a copy. Returns the bytes that it takes.
static int write_half(struct stream *stream, uint32_t offset)
{
    if (offset == 0) {
        const int tag = stream->is_literal ? 0 : 1;
        *stream = (struct stream){.is_literal = true};
        return HALF_SIZE + tag;
    }
    const bool is_near = offset <= NEAR_OFFSET;
    if (!stream->is_literal && stream->offset == offset && stream->run < MAX_RUN) {
        const bool grows = is_near && stream->run == HALF_SIZE; // to the form that has any length
        stream->run += HALF_SIZE;
        return grows ? 1 : 0;
    }
    *stream = (struct stream){.offset = offset, .run = HALF_SIZE};
    return is_near ? 2 : 3;
}

static int write_block(struct stream *stream, enum choice choice, uint32_t offset)
{
    const bool copies_luma = choice == COPY_BLOCK || choice == COPY_LUMA;
    const bool copies_chroma = choice == COPY_BLOCK || choice == COPY_CHROMA;
    const int luma = write_half(stream, copies_luma ? offset : 0);
    return luma + write_half(stream, copies_chroma ? offset : 0);
}

// What there is to know about a block before it chooses.
struct candidate {
    struct block_cost kept; // of its bytes: those that were encoded, or of the frame before
    bool is_held;           // of the frame before
    int64_t limit;          // of a copy's error
    int lambda;
};

// Let a block keep the bytes of the frame before where that costs little.
static void hold(struct candidate *candidate, struct tile_block *own, const struct texels *source,
                 int64_t limit, const uint8_t before[BLOCK_SIZE])
{
    static const uint8_t none[BLOCK_SIZE] = {0};
    struct texels decoded;
    decode(before, &decoded);
    const struct block_cost cost = cost_of(source, &decoded, &decoded);
    const int64_t most = candidate->kept.cost + (int64_t)candidate->lambda * HOLD_BYTES;
    if (memcmp(before, none, BLOCK_SIZE) != 0 && cost.cost <= most && cost.error <= limit) {
        candidate->kept = cost;
        candidate->is_held = true;
        memcpy(own->bytes, before, BLOCK_SIZE);
        own->decoded = decoded;
    }
}

// Prepare block `own`. `before`: NULL, or its bytes in the frame before.
static struct candidate prepare(struct tile_block *own, const struct texels *source,
                                int lambda_at_all, const uint8_t *before)
{
    const int64_t activity = activity_of(source);
    struct candidate result = {.kept = cost_of(source, &own->decoded, &own->decoded),
                               .lambda = lambda_at(activity, lambda_at_all)};
    result.limit = result.kept.error + REF_RDO_MAX_ADDED * activity;
    if (before) {
        hold(&result, own, source, result.kept.error + REF_RDO_MAX_HELD * activity, before);
    }
    return result;
}

// True if a copy gives a block the bytes that it has.
static bool is_same(const struct tile_block *own, const struct tile_block *other,
                    enum choice choice)
{
    return (choice == COPY_CHROMA || memcmp(own->bytes, other->bytes, HALF_SIZE) == 0) &&
           (choice == COPY_LUMA ||
            memcmp(own->bytes + HALF_SIZE, other->bytes + HALF_SIZE, HALF_SIZE) == 0);
}

// The least cost of a block up to now.
struct best {
    int64_t cost;
    enum choice choice;
    int distance; // in the tile
};

static void try_choice(struct best *best, int64_t cost, int bytes, int lambda, enum choice choice,
                       int distance)
{
    const int64_t total = cost + (int64_t)lambda * bytes;
    const int64_t cut = total < MAX_COST ? total : MAX_COST;
    if (cut < best->cost ||
        (cut == best->cost &&
         (choice < best->choice || (choice == best->choice && distance < best->distance)))) {
        *best = (struct best){cut, choice, distance};
    }
}

// Decide about block `b` of a tile, of which the earlier ones have been decided.
static struct best choose(const struct tile_block *blocks, int b, const struct texels *source,
                          const struct stream *stream, const struct candidate *candidate)
{
    const struct tile_block *own = &blocks[b];
    const int lambda = candidate->lambda;
    struct best best = {INT64_MAX, KEEP, 0};
    struct stream next = *stream;
    try_choice(&best, candidate->kept.cost, write_block(&next, KEEP, 0), lambda, KEEP, 0);
    for (int distance = 1; distance <= WINDOW && distance <= b && lambda > 0; distance++) {
        const struct tile_block *other = &blocks[b - distance];
        const uint32_t offset = (own->place - other->place) * BLOCK_SIZE;
        if (offset > MAX_OFFSET) {
            break;
        }
        for (int choice = COPY_BLOCK; choice <= COPY_LUMA; choice++) {
            const struct block_cost cost = cost_of(
                source, choice == COPY_CHROMA ? &own->decoded : &other->decoded,
                choice == COPY_LUMA ? &own->decoded : &other->decoded);
            const bool is_held = candidate->is_held && is_same(own, other, choice);
            next = *stream;
            int bytes = write_block(&next, choice, offset);
            bytes += candidate->is_held && !is_held ? CHANGE_BYTES : 0;
            if (is_held || cost.error <= candidate->limit) {
                try_choice(&best, cost.cost, bytes, lambda, choice, distance);
            }
        }
    }
    return best;
}

static void copy_luma(struct tile_block *to, const struct tile_block *from)
{
    memcpy(to->bytes, from->bytes, HALF_SIZE);
    for (int t = 0; t < 16; t++) {
        to->decoded.of[t].y = from->decoded.of[t].y;
    }
}

static void copy_chroma(struct tile_block *to, const struct tile_block *from)
{
    memcpy(to->bytes + HALF_SIZE, from->bytes + HALF_SIZE, HALF_SIZE);
    for (int t = 0; t < 16; t++) {
        to->decoded.of[t].co = from->decoded.of[t].co;
        to->decoded.of[t].cg = from->decoded.of[t].cg;
    }
}

struct picture {
    const uint8_t *rgb;
    size_t stride;
    uint32_t width, height;
};

static void read_texels(const struct picture *picture, uint32_t column, uint32_t row,
                        struct texels *out)
{
    for (uint32_t t = 0; t < 16; t++) {
        const uint32_t x = 4 * column + t % 4, y = 4 * row + t / 4;
        const uint32_t tx = x < picture->width ? x : picture->width - 1;
        const uint32_t ty = y < picture->height ? y : picture->height - 1;
        const uint8_t *p = picture->rgb + ty * picture->stride + (size_t)tx * 3;
        out->of[t] = (struct vector){p[0] + 2 * p[1] + p[2], 2 * (p[0] - p[2]),
                                     2 * p[1] - p[0] - p[2]};
    }
}

// Find the nearest block before block `b` of a tile that is equal to it. Returns how far it is, 0
// for none.
static int find_equal(const struct tile_block *blocks, int b)
{
    for (int distance = 1; distance <= WINDOW && distance <= b; distance++) {
        const struct tile_block *other = &blocks[b - distance];
        if ((blocks[b].place - other->place) * BLOCK_SIZE <= MAX_OFFSET &&
            memcmp(blocks[b].bytes, other->bytes, BLOCK_SIZE) == 0) {
            return distance;
        }
    }
    return 0;
}

// Count the bytes of block `b`, which has become what it is. One that may copy nothing, because a
// byte weighs nothing there, may be equal to one before it all the same, and Snappy finds that.
static int count_bytes(const struct tile_block *blocks, int b, const struct best *best, int lambda,
                       struct stream *stream)
{
    const int equal = best->choice == KEEP && lambda == 0 ? find_equal(blocks, b) : 0;
    const enum choice choice = equal > 0 ? COPY_BLOCK : best->choice;
    const int distance = equal > 0 ? equal : best->distance;
    return write_block(stream, choice, (blocks[b].place - blocks[b - distance].place) * BLOCK_SIZE);
}

// Get the squared error of a block within the picture.
static int64_t error_within(const struct picture *picture, uint32_t column, uint32_t row,
                            const struct texels *source, const struct texels *decoded)
{
    int64_t error = 0;
    for (uint32_t t = 0; t < 16; t++) {
        const struct vector s = source->of[t], d = decoded->of[t];
        if (4 * column + t % 4 < picture->width && 4 * row + t / 4 < picture->height) {
            error += square((struct vector){d.y - s.y, d.co - s.co, d.cg - s.cg});
        }
    }
    return error;
}

static void optimise_tile(const struct picture *picture, uint32_t left, uint32_t top, int lambda,
                          uint8_t *history, uint8_t *out, struct ref_rdo_sums *sums)
{
    const uint32_t columns = (picture->width + 3) / 4, rows = (picture->height + 3) / 4;
    const uint32_t width = columns - left < TILE_SIDE ? columns - left : TILE_SIDE;
    const uint32_t height = rows - top < TILE_SIDE ? rows - top : TILE_SIDE;
    struct tile_block blocks[TILE_SIDE * TILE_SIDE];
    struct stream stream = {0}, counted = {0};
    for (int b = 0; b < (int)(width * height); b++) {
        const uint32_t column = left + (uint32_t)b % width, row = top + (uint32_t)b / width;
        struct tile_block *block = &blocks[b];
        block->place = row * columns + column;
        memcpy(block->bytes, out + (size_t)block->place * BLOCK_SIZE, BLOCK_SIZE);
        decode(block->bytes, &block->decoded);
        if (column == left) {
            counted = stream = (struct stream){0}; // what the tile beside it ends with is unknown
        }
        struct texels source;
        read_texels(picture, column, row, &source);
        uint8_t *before = history ? history + (size_t)block->place * BLOCK_SIZE : NULL;
        const struct candidate candidate = prepare(block, &source, lambda, before);
        const struct best best = choose(blocks, b, &source, &stream, &candidate);
        const struct tile_block *from = &blocks[b - best.distance];
        if (best.choice == COPY_BLOCK || best.choice == COPY_LUMA) {
            copy_luma(block, from);
        }
        if (best.choice == COPY_BLOCK || best.choice == COPY_CHROMA) {
            copy_chroma(block, from);
        }
        write_block(&stream, best.choice, (block->place - from->place) * BLOCK_SIZE);
        sums->bytes += (uint64_t)count_bytes(blocks, b, &best, candidate.lambda, &counted);
        sums->error += (uint64_t)error_within(picture, column, row, &source, &block->decoded);
        memcpy(out + (size_t)block->place * BLOCK_SIZE, block->bytes, BLOCK_SIZE);
        if (before) {
            memcpy(before, block->bytes, BLOCK_SIZE);
        }
    }
}

struct ref_rdo_sums ref_ycocg_bc3_rdo_at(const uint8_t *rgb, size_t stride, uint32_t width,
                                         uint32_t height, int lambda, uint8_t *history,
                                         uint8_t *blocks)
{
    const struct picture picture = {rgb, stride, width, height};
    const uint32_t columns = (width + 3) / 4, rows = (height + 3) / 4;
    struct ref_rdo_sums sums = {0};
    for (uint32_t top = 0; top < rows; top += TILE_SIDE) {
        for (uint32_t left = 0; left < columns; left += TILE_SIDE) {
            optimise_tile(&picture, left, top, lambda, history, blocks, &sums);
        }
    }
    return sums;
}

void ref_ycocg_bc3_rdo(const uint8_t *rgb, size_t stride, uint32_t width, uint32_t height,
                       int quality, uint8_t *history, uint8_t *blocks)
{
    ref_ycocg_bc3_rdo_at(rgb, stride, width, height, ref_rdo_lambda(quality), history, blocks);
}
