// SPDX-License-Identifier: MIT
// Scalar reference of Snappy as the GPU packs it: many parts of a texture at once.
//
// Source: Snappy compressed format description (github.com/google/snappy, format_description.txt).
// Any parse that decompresses to the input is a valid stream. This one is made so that its parts
// need not wait for each other:
//
// - A stream is cut into fragments of 16 KiB. A fragment may copy from the 64 KiB before it, whose
//   bytes are known, so fragments are packed side by side.
// - Copies begin near multiples of four bytes, where the fields of blocks lie. They are looked for
//   by two hash tables: of four bytes, and, from further away, of the eight of half a block.
// - Words are put into the tables in groups of 256. For an entry the latest group counts, and in it
//   the first word. That is an atomic maximum, so the order in which words come does not matter. A
//   word is looked up before its group is put in, and after.
// - Where the tables know several places of a word, the nearest counts.
// - Parts of 64 bytes, as many as a copy may have, are parsed by themselves. Then the last copy of
//   a part goes on in the next one, where that does not begin with a copy of its own.
#include "tests/ref/snappy.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD = 4,             // [bytes]
    GROUP = 256,          // [words]
    FRAGMENT = 4096,      // [words]
    PART = 64,            // [bytes]
    HALVES_LOG2 = 13,     // entries of the table of eight bytes
    WORDS_LOG2 = 12,      // and of that of four
    HALF_HISTORY = 16384, // how far before the fragment the first looks [words]
    WORD_HISTORY = 2048,  // and the second
    MAX_BACK = 16383,     // the largest distance of a copy, below 2^16 bytes [words]
    MAX_BEFORE = 3,       // bytes of a copy before the word where it was found
    MAX_COPY = 64,        // [bytes]
    MAX_SHORT = 11,       // the longest copy of two bytes [bytes]
    SHORT_BACK = 512,     // its distance is less: 2^11 bytes [words]
};

enum { LITERAL = 0, COPY_1 = 1, COPY_2 = 2 }; // the low two bits of a tag

// What a word has in common with one `back` words before: bytes from it on, and bytes before it.
struct match {
    uint32_t back; // 0: nothing was found
    uint32_t after, before;
};

struct copy {
    uint32_t begin, size; // [bytes]; a size of 0: the copy of the part before goes on here
    uint32_t back;        // [words]
};

// Parts have no more copies than words.
struct part {
    uint32_t begin, end; // [bytes]
    uint32_t num;
    struct copy copies[PART / WORD];
};

struct fragment {
    const uint8_t *in;   // the stream's first byte
    uint32_t begin, end; // [words]
    // By hash: the number of a group, from 1 on, times GROUP, and of its words how many are behind.
    uint32_t halves[1 << HALVES_LOG2], words[1 << WORDS_LOG2];
    uint32_t backs[FRAGMENT]; // how far before each word it was found [words]; 0: nowhere
    struct part parts[FRAGMENT * WORD / PART];
    uint32_t num_parts;
};

uint32_t ref_snappy_room(uint32_t size)
{
    // The length before the stream, and of each fragment without copies a tag.
    return 5 + size + 3 * (size / (FRAGMENT * WORD) + 1);
}

static uint32_t word_at(const struct fragment *f, uint32_t word)
{
    uint32_t value;
    memcpy(&value, f->in + (size_t)WORD * word, WORD);
    return value;
}

static uint32_t hash_of_word(const struct fragment *f, uint32_t word)
{
    return word_at(f, word) * 0x9e3779b1u >> (32 - WORDS_LOG2);
}

static uint32_t hash_of_half(const struct fragment *f, uint32_t word)
{
    uint32_t h = word_at(f, word) * 0x9e3779b1u ^ word_at(f, word + 1) * 0x85ebca6bu;
    h = (h ^ h >> 15) * 0xc2b2ae35u;
    return h >> (32 - HALVES_LOG2);
}

// Get the first word that the tables know.
static uint32_t first_known(const struct fragment *f)
{
    return f->begin > HALF_HISTORY ? f->begin - HALF_HISTORY : 0;
}

static void raise(uint32_t *entry, uint32_t value)
{
    *entry = value > *entry ? value : *entry;
}

static void put(struct fragment *f, uint32_t word, bool in_words)
{
    const uint32_t place = word - first_known(f);
    const uint32_t key = (place / GROUP + 1) * GROUP + GROUP - 1 - place % GROUP;
    if (word % 2 == 0) {
        raise(&f->halves[hash_of_half(f, word)], key);
    }
    if (in_words) {
        raise(&f->words[hash_of_word(f, word)], key);
    }
}

// Get how far before a word the one is that an entry names; 0 for none, or itself, or one behind.
static uint32_t distance_of(const struct fragment *f, uint32_t word, uint32_t entry)
{
    const uint32_t found = first_known(f) + (entry / GROUP - 1) * GROUP + GROUP - 1 - entry % GROUP;
    return entry > 0 && found < word ? word - found : 0;
}

static uint32_t tag_size(uint32_t size, uint32_t back)
{
    return size <= MAX_SHORT && back < SHORT_BACK ? 2 : 3;
}

static uint32_t bytes_saved(const struct match *m)
{
    return m->back == 0 ? 0 : m->after + m->before - tag_size(m->after + m->before, m->back);
}

// Take a match from `back` words before if it saves more bytes, or as many from nearer. A match
// ends at `end`, and lies behind `low` [bytes].
static void consider(const struct fragment *f, uint32_t word, uint32_t back, uint32_t low,
                     uint32_t end, struct match *best)
{
    if (back == 0 || back > word || back > MAX_BACK) {
        return;
    }
    const uint8_t *const late = f->in + (size_t)WORD * word, *const early = late - WORD * back;
    struct match m = {.back = back};
    while (WORD * word + m.after < end && early[m.after] == late[m.after]) {
        m.after++;
    }
    while (m.before < MAX_BEFORE && WORD * word - m.before > low && word > back &&
           early[-1 - (int)m.before] == late[-1 - (int)m.before]) {
        m.before++;
    }
    const uint32_t saved = bytes_saved(&m), least = bytes_saved(best);
    if (m.after >= WORD && (saved > least || (saved == least && back < best->back))) {
        *best = m;
    }
}

// Take a place so many words before if the word is the same there, and none is nearer.
static void take_nearer(const struct fragment *f, uint32_t word, uint32_t distance, uint32_t *back)
{
    if (distance > 0 && distance <= MAX_BACK && (*back == 0 || distance < *back) &&
        word_at(f, word) == word_at(f, word - distance)) {
        *back = distance;
    }
}

// Look a word up in both tables.
static void look_up(const struct fragment *f, uint32_t word, uint32_t *back)
{
    if (word % 2 == 0) {
        take_nearer(f, word, distance_of(f, word, f->halves[hash_of_half(f, word)]), back);
    }
    take_nearer(f, word, distance_of(f, word, f->words[hash_of_word(f, word)]), back);
}

static void find_matches(struct fragment *f)
{
    memset(f->halves, 0, sizeof(f->halves));
    memset(f->words, 0, sizeof(f->words));
    memset(f->backs, 0, sizeof(f->backs));
    for (uint32_t w = first_known(f); w < f->begin; w++) {
        put(f, w, w + WORD_HISTORY >= f->begin);
    }
    for (uint32_t group = f->begin; group < f->end; group += GROUP) {
        const uint32_t end = group + GROUP < f->end ? group + GROUP : f->end;
        for (uint32_t w = group; w < end; w++) {
            look_up(f, w, &f->backs[w - f->begin]);
        }
        for (uint32_t w = group; w < end; w++) {
            put(f, w, true);
        }
        for (uint32_t w = group; w < end; w++) {
            look_up(f, w, &f->backs[w - f->begin]);
        }
    }
}

// Get the match to take at a word: from where its own is, or from as far as those behind it, which
// then begin here, or the copy before, which then goes on. `low`: the end of that copy [bytes].
static struct match choose(const struct fragment *f, const struct part *part, uint32_t word,
                           uint32_t low)
{
    const uint32_t *own = &f->backs[word - f->begin];
    struct match m = {0};
    consider(f, word, own[0], low, part->end, &m);
    if (part->num > 0) {
        consider(f, word, part->copies[part->num - 1].back, low, part->end, &m);
    }
    for (uint32_t i = 1; i <= 2 && WORD * (word + i) < part->end; i++) {
        consider(f, word, own[i], low, part->end, &m);
    }
    return m;
}

static void parse(const struct fragment *f, struct part *part)
{
    uint32_t low = part->begin;
    for (uint32_t word = part->begin / WORD; WORD * word < part->end;) {
        const struct match m = choose(f, part, word, low);
        if (m.back == 0) {
            word++;
            continue;
        }
        const struct copy copy = {WORD * word - m.before, m.before + m.after, m.back};
        part->copies[part->num++] = copy;
        low = copy.begin + copy.size;
        word = (low + WORD - 1) / WORD;
    }
}

// Let the copy at the end of a part go on in the next one.
static void join(const struct fragment *f, struct part *part, struct part *next)
{
    struct copy *last = &part->copies[part->num - 1], *first = &next->copies[0];
    if (part->num == 0 || last->begin + last->size != part->end) {
        return;
    }
    if (next->num > 0 && first->begin == next->begin) {
        if (first->back == last->back && last->size + first->size <= MAX_COPY) {
            last->size += first->size;
            first->size = 0;
        }
        return;
    }
    const uint32_t limit = next->num > 0 ? first->begin : next->end;
    for (uint32_t at = next->begin;
         at < limit && last->size < MAX_COPY && f->in[at] == f->in[at - WORD * last->back]; at++) {
        last->size++;
    }
}

static uint8_t *write_literal(const struct fragment *f, uint32_t begin, uint32_t end, uint8_t *out)
{
    const uint32_t n = end - begin - 1;
    if (begin == end) {
        return out;
    }
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
    memcpy(out, f->in + begin, end - begin);
    return out + (end - begin);
}

static uint8_t *write_copy(const struct copy *copy, uint8_t *out)
{
    const uint32_t offset = WORD * copy->back;
    if (tag_size(copy->size, copy->back) == 2) {
        *out++ = (uint8_t)(COPY_1 | (copy->size - 4) << 2 | offset >> 8 << 5);
        *out++ = (uint8_t)offset;
        return out;
    }
    *out++ = (uint8_t)(COPY_2 | (copy->size - 1) << 2);
    *out++ = (uint8_t)offset;
    *out++ = (uint8_t)(offset >> 8);
    return out;
}

static uint8_t *write_fragment(const struct fragment *f, uint8_t *out)
{
    uint32_t written = WORD * f->begin; // up to here
    for (uint32_t i = 0; i < f->num_parts; i++) {
        for (uint32_t c = 0; c < f->parts[i].num; c++) {
            const struct copy *copy = &f->parts[i].copies[c];
            if (copy->size > 0) {
                out = write_literal(f, written, copy->begin, out);
                out = write_copy(copy, out);
                written = copy->begin + copy->size;
            }
        }
    }
    return write_literal(f, written, WORD * f->end, out);
}

static uint8_t *pack_fragment(struct fragment *f, uint8_t *out)
{
    find_matches(f);
    f->num_parts = 0;
    for (uint32_t begin = WORD * f->begin; begin < WORD * f->end; begin += PART) {
        const uint32_t end = begin + PART < WORD * f->end ? begin + PART : WORD * f->end;
        struct part *part = &f->parts[f->num_parts++];
        *part = (struct part){.begin = begin, .end = end};
        parse(f, part);
    }
    for (uint32_t i = 0; i + 1 < f->num_parts; i++) {
        join(f, &f->parts[i], &f->parts[i + 1]);
    }
    return write_fragment(f, out);
}

uint32_t ref_snappy_pack(const uint8_t *in, uint32_t size, uint8_t *out)
{
    static _Thread_local struct fragment f;
    uint8_t *const begin = out;
    uint32_t rest = size;
    for (; rest >= 128; rest >>= 7) {
        *out++ = (uint8_t)(rest | 128);
    }
    *out++ = (uint8_t)rest;
    f.in = in;
    for (f.begin = 0; f.begin < size / WORD; f.begin = f.end) {
        f.end = f.begin + FRAGMENT < size / WORD ? f.begin + FRAGMENT : size / WORD;
        out = pack_fragment(&f, out);
    }
    return (uint32_t)(out - begin);
}

uint32_t ref_snappy_pack_chunks(const uint8_t *in, uint32_t size, uint32_t num_chunks,
                                uint32_t least_saved, uint8_t *out)
{
    const uint32_t chunk = size / num_chunks;
    const uint32_t data = (num_chunks * (uint32_t)sizeof(chunk) + 15) / 16 * 16;
    uint32_t end = data;
    uint8_t *packed = malloc(ref_snappy_room(chunk));
    for (uint32_t i = 0; packed && i < num_chunks; i++) {
        const uint32_t got = ref_snappy_pack(in + (size_t)i * chunk, chunk, packed);
        const uint32_t part = got < chunk ? got : chunk;
        memcpy(out + sizeof(part) * i, &part, sizeof(part));
        memcpy(out + end, got < chunk ? packed : in + (size_t)i * chunk, part);
        end += part;
    }
    free(packed);
    if (size - (end - data) < least_saved) {
        for (uint32_t i = 0; i < num_chunks; i++) {
            memcpy(out + sizeof(chunk) * i, &chunk, sizeof(chunk));
        }
        memcpy(out + data, in, size);
        end = data + size;
    }
    return end;
}
