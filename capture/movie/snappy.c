// SPDX-License-Identifier: MIT
// Snappy: compresses bytes, and reads compressed ones without decompressing. It has no memory of
// its own, so that nothing can fail while frames are recorded.
//
// Source: Snappy compressed format description (github.com/google/snappy, format_description.txt).
#include "capture/movie/snappy.h"

#include <stdbool.h>
#include <string.h>

// Matches do not leave a block, so that their offsets have 16 bits.
#define BLOCK_SIZE 65536u
#define HASH_BITS 14
#define HALF_HASH_BITS 13
#define HALF_SIZE 8u // of a block of HAP Q [bytes], and all of one of BC1 or BC4

// Within this distance of a block's end no match begins, so that reads of 8 bytes stay in it.
#define MARGIN 15u

// The longer nothing matches, the larger are the steps: one byte more after every 32 tries.
#define STEP_SHIFT 5

// Compiled for each of the two kinds of bytes, which takes two thirds of the time.
#define INLINED static inline __attribute__((always_inline))

enum { LITERAL = 0, COPY_1 = 1, COPY_2 = 2 }; // the low two bits of a tag

static uint32_t load32(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof(value));
    return value;
}

static uint64_t load64(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof(value));
    return value;
}

static uint32_t hash(uint32_t value)
{
    return (value * 0x9e3779b1u) >> (32 - HASH_BITS); // 2^32 divided by the golden ratio
}

static uint32_t hash_half(uint64_t value)
{
    return (uint32_t)((value * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - HALF_HASH_BITS));
}

size_t weir_snappy_room(uint32_t size)
{
    // Incompressible bytes grow by a tag of 3 bytes a block and the head. A copy of 4 bytes takes 3
    // at most, and a literal between two of them a tag of one byte.
    return 32 + (size_t)size + size / 6;
}

static uint8_t *write_literal_tag(uint8_t *out, size_t size)
{
    const size_t n = size - 1;
    if (n < 60) {
        *out++ = (uint8_t)(LITERAL | n << 2);
    } else if (n < 256) {
        *out++ = LITERAL | 60 << 2;
        *out++ = (uint8_t)n;
    } else {
        *out++ = LITERAL | 61 << 2;
        *out++ = (uint8_t)n;
        *out++ = (uint8_t)(n >> 8);
    }
    return out;
}

// A literal before a match. Up to 15 bytes more are copied, which is faster than the right number:
// the margin behind it is in the block, and what comes next is written over them.
static uint8_t *write_literal(uint8_t *out, const uint8_t *from, size_t size)
{
    out = write_literal_tag(out, size);
    for (size_t i = 0; i < size; i += 16) {
        memcpy(out + i, from + i, 16);
    }
    return out + size;
}

static uint8_t *write_last_literal(uint8_t *out, const uint8_t *from, size_t size)
{
    out = write_literal_tag(out, size);
    memcpy(out, from, size);
    return out + size;
}

static uint8_t *write_copy_2(uint8_t *out, uint32_t offset, uint32_t size)
{
    *out++ = (uint8_t)(COPY_2 | (size - 1) << 2);
    *out++ = (uint8_t)offset;
    *out++ = (uint8_t)(offset >> 8);
    return out;
}

// A copy has 4 .. 64 bytes, the short form with an offset below 2048 4 .. 11.
static uint8_t *write_copy(uint8_t *out, uint32_t offset, uint32_t size)
{
    while (size >= 68) {
        out = write_copy_2(out, offset, 64);
        size -= 64;
    }
    if (size > 64) {
        out = write_copy_2(out, offset, 60); // so that at least 4 are left
        size -= 60;
    }
    if (size >= 12 || offset >= 2048) {
        return write_copy_2(out, offset, size);
    }
    *out++ = (uint8_t)(COPY_1 | (size - 4) << 2 | (offset >> 8) << 5);
    *out++ = (uint8_t)offset;
    return out;
}

// Get how many bytes of two words are the same, from the first in memory on. They are not equal.
static uint32_t same_bytes(uint64_t a, uint64_t b)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (uint32_t)__builtin_ctzll(a ^ b) / 8;
#else
    return (uint32_t)__builtin_clzll(a ^ b) / 8;
#endif
}

// Get how many bytes are the same at two places, up to the end of the later one.
static uint32_t match_size(const uint8_t *early, const uint8_t *late, const uint8_t *end)
{
    const uint8_t *const begin = late;
    while (end - late >= 8) {
        const uint64_t a = load64(early), b = load64(late);
        if (a != b) {
            return (uint32_t)(late - begin) + same_bytes(a, b);
        }
        early += 8;
        late += 8;
    }
    while (late < end && *early == *late) {
        early++;
        late++;
    }
    return (uint32_t)(late - begin);
}

// Where values were last met in a block of the input, by their hash.
struct places {
    uint16_t of_four[1u << HASH_BITS];      // bytes, anywhere
    uint16_t of_half[1u << HALF_HASH_BITS]; // eight bytes, at multiples of eight
};

static void remember_half(struct places *places, const uint8_t *in, uint32_t at)
{
    places->of_half[hash_half(load64(in + at))] = (uint16_t)at;
}

// Find a place before `at` with the same bytes: the eight of a half that begins there, or four. The
// last byte of a half only begins a match that goes on over the next half.
INLINED bool find(struct places *places, const uint8_t *in, uint32_t at,
                  enum weir_snappy_content content, uint32_t *place)
{
    const bool has_halves = content != WEIR_SNAPPY_ANY;
    const uint32_t value = load32(in + at);
    uint16_t *const four = &places->of_four[hash(value)];
    *place = *four;
    *four = (uint16_t)at;
    if (has_halves && at % HALF_SIZE == 0) {
        const uint64_t half = load64(in + at);
        const uint32_t before = places->of_half[hash_half(half)];
        remember_half(places, in, at);
        if (load64(in + before) == half) {
            *place = before;
            return true;
        }
    }
    if (content == WEIR_SNAPPY_SAME_HALVES && at % HALF_SIZE == HALF_SIZE - 1 &&
        load64(in + *place + 1) != load64(in + at + 1)) {
        return false;
    }
    return load32(in + *place) == value;
}

// Write a match and the ones that follow it at once. Returns the place behind them.
INLINED uint32_t write_matches(struct places *places, const uint8_t *in, uint32_t at,
                               uint32_t place, uint32_t size, enum weir_snappy_content content,
                               uint8_t **out)
{
    const bool has_halves = content != WEIR_SNAPPY_ANY;
    const uint32_t limit = size - MARGIN;
    do {
        const uint32_t end = at + 4 + match_size(in + place + 4, in + at + 4, in + size);
        *out = write_copy(*out, at - place, end - at);
        for (uint32_t h = at - at % HALF_SIZE + HALF_SIZE; has_halves && h < end && h < limit;
             h += HALF_SIZE) {
            remember_half(places, in, h);
        }
        at = end;
        if (at >= limit) {
            break;
        }
        places->of_four[hash(load32(in + at - 1))] = (uint16_t)(at - 1);
    } while (find(places, in, at, content, &place));
    return at;
}

// Get where to look behind `at` in halves: at multiples of four, and at the last byte of a half
// where `content` wants that.
INLINED uint32_t next_in_halves(uint32_t at, enum weir_snappy_content content)
{
    const uint32_t next = at - at % 4 + 4, last = at - at % HALF_SIZE + HALF_SIZE - 1;
    const bool is_before = content == WEIR_SNAPPY_SAME_HALVES && at < last && next > last;
    return is_before ? last : next;
}

// Compress a block.
INLINED uint8_t *compress_block(const uint8_t *in, uint32_t size, enum weir_snappy_content content,
                                uint8_t *out, struct places *places)
{
    const uint32_t limit = size > MARGIN ? size - MARGIN : 0;
    uint32_t begin = 0; // of what is not written yet
    uint32_t at = 1;
    while (at < limit) {
        uint32_t tries = 1u << STEP_SHIFT, place;
        while (at < limit && !find(places, in, at, content, &place)) {
            at = content == WEIR_SNAPPY_ANY ? at + (tries++ >> STEP_SHIFT)
                                            : next_in_halves(at, content);
        }
        if (at >= limit) {
            break;
        }
        out = write_literal(out, in + begin, at - begin);
        begin = write_matches(places, in, at, place, size, content, &out);
        at = begin + 1;
    }
    return begin < size ? write_last_literal(out, in + begin, size - begin) : out;
}

// A constant for each content, so that the compiler folds all that depends on it.
static uint8_t *compress_content(const uint8_t *in, uint32_t size, enum weir_snappy_content content,
                                 uint8_t *out, struct places *places)
{
    switch (content) {
    case WEIR_SNAPPY_HALVES:
        return compress_block(in, size, WEIR_SNAPPY_HALVES, out, places);
    case WEIR_SNAPPY_SAME_HALVES:
        return compress_block(in, size, WEIR_SNAPPY_SAME_HALVES, out, places);
    default:
        return compress_block(in, size, WEIR_SNAPPY_ANY, out, places);
    }
}

size_t weir_snappy_compress(const uint8_t *in, uint32_t size, enum weir_snappy_content content,
                            uint8_t *out)
{
    struct places places;
    const uint8_t *const begin = out;
    uint32_t rest = size;
    for (; rest >= 128; rest >>= 7) {
        *out++ = (uint8_t)(rest | 128);
    }
    *out++ = (uint8_t)rest;
    for (uint32_t at = 0; at < size; at += BLOCK_SIZE) {
        const uint32_t part = size - at < BLOCK_SIZE ? size - at : BLOCK_SIZE;
        memset(&places, 0, sizeof(places));
        out = compress_content(in + at, part, content, out, &places);
    }
    return (size_t)(out - begin);
}

uint32_t weir_snappy_read_length(struct weir_view *view, uint64_t at, uint64_t size,
                                 uint32_t *length)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < 5 && i < size; i++) {
        const uint8_t *byte = weir_view_at(view, at + i, 1);
        if (!byte) {
            return 0;
        }
        value |= (uint64_t)(*byte & 0x7f) << (7 * i);
        if (*byte < 0x80) {
            *length = (uint32_t)value;
            return value <= UINT32_MAX ? i + 1 : 0;
        }
    }
    return 0;
}

// An element: a literal, whose bytes follow, or a copy of what came before.
struct element {
    bool is_literal;
    uint32_t size; // of its tag [bytes]
    uint64_t length;
    uint32_t offset; // of a copy: how far back it begins
};

static uint32_t read_le(const uint8_t *bytes, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; i++) {
        value |= (uint32_t)bytes[i] << (8 * i);
    }
    return value;
}

static uint32_t tag_size(uint8_t tag)
{
    static const uint8_t copy_sizes[] = {0, 2, 3, 5};
    const uint32_t literal = tag >> 2;
    if ((tag & 3) != 0) {
        return copy_sizes[tag & 3];
    }
    return literal < 60 ? 1 : literal - 58;
}

static struct element read_element(const uint8_t *tag)
{
    struct element element = {.is_literal = (tag[0] & 3) == 0, .size = tag_size(tag[0])};
    if (element.is_literal) {
        element.length = 1 + (uint64_t)(element.size > 1 ? read_le(tag + 1, element.size - 1)
                                                         : tag[0] >> 2);
    } else if ((tag[0] & 3) == 1) {
        element.length = 4 + (tag[0] >> 2 & 7);
        element.offset = (uint32_t)(tag[0] >> 5) << 8 | tag[1];
    } else {
        element.length = 1 + (tag[0] >> 2);
        element.offset = read_le(tag + 1, element.size - 1);
    }
    return element;
}

// True if its bytes are among the `left` behind its tag or the `written` ones, and have room.
static bool is_sound(const struct element *element, uint64_t left, uint64_t written,
                     uint64_t length)
{
    return element->length <= length - written &&
           (element->is_literal ? element->length <= left
                                : element->offset > 0 && element->offset <= written);
}

// Copy what came before, eight bytes at a time where they do not overlap and there is room behind.
static void copy_back(uint8_t *out, const struct element *element, uint64_t room)
{
    const uint8_t *from = out - element->offset;
    if (element->offset >= 8 && element->length + 8 <= room) {
        for (uint64_t i = 0; i < element->length; i += 8) {
            memcpy(out + i, from + i, 8);
        }
        return;
    }
    for (uint64_t i = 0; i < element->length; i++) {
        out[i] = from[i];
    }
}

bool weir_snappy_unpack(const uint8_t *in, size_t size, uint8_t *out, uint64_t length)
{
    const uint8_t *const end = in + size;
    uint64_t announced = 0, written = 0;
    uint32_t shift = 0;
    do {
        if (in == end || shift > 28) {
            return false;
        }
        announced |= (uint64_t)(*in & 0x7f) << shift;
        shift += 7;
    } while (*in++ >= 0x80);
    if (announced != length) {
        return false;
    }
    while (in < end) {
        if (tag_size(in[0]) > (size_t)(end - in)) {
            return false;
        }
        const struct element element = read_element(in);
        in += element.size;
        if (!is_sound(&element, (uint64_t)(end - in), written, length)) {
            return false;
        }
        if (element.is_literal) {
            memcpy(out + written, in, (size_t)element.length);
            in += element.length;
        } else {
            copy_back(out + written, &element, length - written);
        }
        written += element.length;
    }
    return written == length;
}

bool weir_snappy_is_whole(struct weir_view *view, uint64_t at, uint64_t size)
{
    uint32_t length;
    const uint64_t end = at + size;
    const uint32_t prefix = weir_snappy_read_length(view, at, size, &length);
    if (prefix == 0) {
        return false;
    }
    uint64_t written = 0;
    at += prefix;
    while (at < end) {
        const uint8_t *tag = weir_view_at(view, at, 1);
        const uint32_t wanted = tag ? tag_size(tag[0]) : 0;
        if (!tag || wanted > end - at || !(tag = weir_view_at(view, at, wanted))) {
            return false;
        }
        const struct element element = read_element(tag);
        at += element.size;
        if (!is_sound(&element, end - at, written, length)) {
            return false;
        }
        at += element.is_literal ? element.length : 0;
        written += element.length;
    }
    return written == length;
}
