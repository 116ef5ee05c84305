// SPDX-License-Identifier: MIT
// Files that are made to keep a search for frames busy: almost each word of them begins something
// that is wrong only far behind.
#include "tests/fuzz/hostile_movie.h"

#include <stdbool.h>
#include <string.h>

#include "capture/base/little_endian.h"
#include "capture/movie/fragment.h"
#include "capture/movie/hap.h"

// A file consists of blocks, each of units up to TAIL, and of what all of them share behind.
enum {
    TEXTURE = HOSTILE_MOVIE_WIDTH * HOSTILE_MOVIE_HEIGHT,
    BLOCK = TEXTURE - 100,
    TAIL = 200000,
};

static size_t put_u32(uint8_t *bytes, uint32_t value)
{
    weir_put_u32(bytes, value);
    return 4;
}

static size_t put_box(uint8_t *bytes, uint32_t size, const char *type)
{
    struct weir_boxes boxes = {.bytes = bytes, .room = 8};
    weir_boxes_u32(&boxes, size);
    weir_boxes_u32(&boxes, WEIR_BOX(type));
    return 8;
}

// Stored frames, which contain the head of a fragment, or a hole.
static size_t put_stored(uint8_t *bytes)
{
    return put_u32(bytes, TEXTURE | (uint32_t)(WEIR_HAP_NONE | WEIR_HAP_YCOCG_BC3) << 24);
}

// Compressed frames up to the end of the block: a literal up to the tail, which has short copies.
static size_t put_snappy(uint8_t *bytes, uint32_t left)
{
    enum { UNIT = 12, LITERAL_OF_4_BYTES = 63 << 2 };
    put_u32(bytes, (left - 4) | (uint32_t)(WEIR_HAP_SNAPPY | WEIR_HAP_YCOCG_BC3) << 24);
    bytes[4] = (uint8_t)(TEXTURE & 0x7f) | 0x80;
    bytes[5] = (uint8_t)(TEXTURE >> 7 & 0x7f) | 0x80;
    bytes[6] = (uint8_t)(TEXTURE >> 14);
    bytes[7] = LITERAL_OF_4_BYTES;
    put_u32(bytes + 8, left - (BLOCK - TAIL) - UNIT - 1);
    return UNIT;
}

static void put_copies(uint8_t *bytes)
{
    for (size_t i = 0; i + 2 <= BLOCK - TAIL; i += 2) {
        bytes[i] = 1; // of 4 bytes, one byte back
        bytes[i + 1] = 1;
    }
}

// Frames in chunks, whose tables lie in the tail.
static size_t put_chunks(uint8_t *bytes, uint32_t left)
{
    enum { UNIT = 12, A_TABLE = 0x7f };
    const uint32_t to_tail = left - (BLOCK - TAIL);
    put_u32(bytes, (left - 4) | (uint32_t)(WEIR_HAP_COMPLEX | WEIR_HAP_YCOCG_BC3) << 24);
    put_u32(bytes + 4, (left - 8) | WEIR_HAP_DECODE_INSTRUCTIONS << 24);
    put_u32(bytes + 8, (to_tail - UNIT) | (uint32_t)A_TABLE << 24);
    return UNIT;
}

static void put_tables(uint8_t *bytes)
{
    enum { NUM = (BLOCK - TAIL - 8) / 5 };
    put_u32(bytes, NUM | WEIR_HAP_CHUNK_COMPRESSORS << 24);
    memset(bytes + 4, WEIR_HAP_CHUNK_NONE, NUM);
    bytes[3 + NUM] = 0; // none
    put_u32(bytes + 4 + NUM, (4 * NUM) | WEIR_HAP_CHUNK_SIZES << 24);
    memset(bytes + 8 + NUM, 0, (size_t)4 * NUM);
}

// Fragments of such frames.
static size_t put_fragment(uint8_t *bytes, uint32_t left)
{
    static const struct weir_movie movie = {.pictures = {.ticks_per_frame = 1500}};
    const uint32_t size = left - WEIR_FRAGMENT_HEADER_SIZE;
    weir_fragment_write(&movie, &(const struct weir_piece){.size = size}, 1, bytes);
    return WEIR_FRAGMENT_HEADER_SIZE + put_chunks(bytes + WEIR_FRAGMENT_HEADER_SIZE, size);
}

// A row of boxes in which others begin that reach to its end.
static size_t put_boxes(uint8_t *bytes, uint32_t left)
{
    put_box(bytes, 16, "free");
    put_box(bytes + 8, left - 8, "moov");
    return 16;
}

static size_t put_unit(uint32_t kind, uint8_t *bytes, uint32_t left)
{
    switch (kind) {
    case 0:
    case 1:
        return put_stored(bytes);
    case 2:
        return put_snappy(bytes, left);
    case 3:
        return put_chunks(bytes, left);
    case 4:
        return put_fragment(bytes, left);
    default:
        return put_boxes(bytes, left);
    }
}

static void fill_block(uint32_t kind, uint8_t bytes[BLOCK])
{
    enum { LONGEST_UNIT = 128 };
    const bool has_tail = kind >= 2 && kind <= 4;
    for (size_t at = 0; at + LONGEST_UNIT <= (has_tail ? TAIL : BLOCK);) {
        at += put_unit(kind, bytes + at, (uint32_t)(BLOCK - at));
    }
    if (kind == 0) {
        put_box(bytes + BLOCK - 64, WEIR_FRAGMENT_HEADER_SIZE - 8, "moof");
    } else if (kind == 2) {
        put_copies(bytes + TAIL);
    } else if (has_tail) {
        put_tables(bytes + TAIL);
    }
}

void hostile_movie_fill(uint32_t kind, uint8_t *bytes, size_t size)
{
    memset(bytes, 0, size); // what no unit fills is a hole
    for (size_t at = 0; size - at >= BLOCK; at += BLOCK) {
        fill_block(kind, bytes + at);
    }
}
