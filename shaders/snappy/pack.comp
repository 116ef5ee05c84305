// SPDX-License-Identifier: MIT
// Packs fragments of chunks as Snappy, side by side; integer arithmetic.
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
//
// A workgroup packs a fragment of 16 KiB. It puts the 64 KiB before it into its tables, then words
// of the fragment, an invocation a word and 256 at a time: they are looked up, put in, and looked
// up again. Then shared memory, which held the tables, takes how far before each word it occurs to
// the invocation that parses its part of 64 bytes, and then the fragment itself, where matches are
// measured. Sums say where the bytes of a part go; it puts them into shared memory by an atomic
// or, from where they go to the fragment's room in the memory. Shared memory: 27,648 bytes.
// Requires nothing beyond Vulkan 1.2 but that.

#extension GL_EXT_control_flow_attributes : require

#include "snappy/constants.h"

layout(local_size_x = WEIR_SNAPPY_GROUP) in;

layout(set = WEIR_SNAPPY_SET_SOURCE, binding = 0, std430) readonly buffer Source {
    uint words[];
} source;

#define MEMORY_ACCESS writeonly
#include "snappy/memory.glsl"

#include "snappy/format.glsl"
#include "snappy/scan.glsl"
#include "snappy/tables.glsl"

const uint PART = 64u;       // [bytes]
const uint PART_WORDS = 16u; // [words]

uint chunk_first; // word of the source

// Words that are in the pool: the first, in the chunk, and how many.
uint pooled_first = 0u, num_pooled = 0u;

// Get where a word of the fragment is in the pool, when it holds one for each: invocations that
// read 16 of them each, at once, find them in different banks.
uint place_in_pool(uint word)
{
    return word + word / PART_WORDS;
}

// Get a word of the chunk.
uint word_at(uint word)
{
    const uint place = word - pooled_first;
    return place < num_pooled ? pool[place_in_pool(place)] : source.words[chunk_first + word];
}

#include "snappy/match.glsl"

const uint HALF_HISTORY = 16384u; // how far before a fragment halves are known [words]
const uint WORD_HISTORY = 2048u;  // and words
const uint NUM_TURNS = FRAGMENT / WEIR_SNAPPY_GROUP;

// Of each part: the copy that ends with it, or 0, and how many bytes of it the one before takes.
shared uint lasts[WEIR_SNAPPY_GROUP];
shared uint takens[WEIR_SNAPPY_GROUP];

// What a part becomes, in bytes of it. A copy: begin, size << 6, back << 13.
struct Part {
    uint size;
    uint num;
    uint copies[PART_WORDS];
    uint taken; // the first bytes, which the copy at the end of the part before has
    bool is_open; // begins in a literal of the part before
    uint next; // the first byte of a copy in the parts behind
};

uint begin_of(uint copy)
{
    return copy & 63u;
}
uint size_of(uint copy)
{
    return copy >> 6 & 127u;
}
uint back_of(uint copy)
{
    return copy >> 13;
}

void put_history(uint lane, uint first, uint begin)
{
    for (uint i = lane; i < (begin - first) / 2u; i += WEIR_SNAPPY_GROUP) {
        const uint word = begin - 2u - 2u * i; // from the latest on, which then stays
        put_key(entry_of_half(word_at(word), word_at(word + 1u)), word - first);
    }
    for (uint i = lane; i < min(begin, WORD_HISTORY); i += WEIR_SNAPPY_GROUP) {
        const uint word = begin - 1u - i;
        put_key(entry_of_word(word_at(word)), word - first);
    }
}

// A word of the group whose turn it is. Words are those of the chunk.
struct Turn {
    uint word;
    bool is_word, is_half; // in the fragment; and eight bytes begin there
    uint word_entry, half_entry;
    uint value;
    uint first; // that the tables know
};

// Where the tables have a half and a word like those of the turn: so many words before, or 0.
uvec2 look_up(Turn turn)
{
    return uvec2(turn.is_half ? distance_of(turn.half_entry, turn.word, turn.first) : 0u,
                 turn.is_word ? distance_of(turn.word_entry, turn.word, turn.first) : 0u);
}

// Take the nearest of those places where the word is the same. Both are fetched at once.
void take_nearest(Turn turn, uvec2 distances, inout uint back)
{
    const uvec2 others = uvec2(distances.x > 0u ? word_at(turn.word - distances.x) : ~turn.value,
                               distances.y > 0u ? word_at(turn.word - distances.y) : ~turn.value);
    for (uint i = 0u; i < 2u; i++)
        if (others[i] == turn.value && distances[i] <= MAX_BACK)
            back = back == 0u ? distances[i] : min(back, distances[i]);
}

// Find how far before each word it occurs, of every 256th word in each invocation; 0 for none.
void find_matches(uint lane, uint begin, uint end, out uint backs[NUM_TURNS])
{
    Turn turn;
    turn.first = begin > HALF_HISTORY ? begin - HALF_HISTORY : 0u;
    for (uint i = lane; i < NUM_ENTRIES / 2u; i += WEIR_SNAPPY_GROUP)
        pool[i] = 0u;
    barrier();
    put_history(lane, turn.first, begin);
    barrier();
    for (uint i = 0u; i < NUM_TURNS; i++) {
        turn.word = begin + i * WEIR_SNAPPY_GROUP + lane;
        turn.is_word = turn.word < end;
        turn.is_half = turn.is_word && (turn.word & 1u) == 0u;
        turn.value = turn.is_word ? word_at(turn.word) : 0u;
        turn.word_entry = entry_of_word(turn.value);
        turn.half_entry = turn.is_half ? entry_of_half(turn.value, word_at(turn.word + 1u)) : 0u;
        uint back = 0u;
        const uvec2 before = look_up(turn);
        take_nearest(turn, before, back);
        barrier();
        if (turn.is_half)
            put_key(turn.half_entry, turn.word - turn.first);
        if (turn.is_word)
            put_key(turn.word_entry, turn.word - turn.first);
        barrier();
        const uvec2 after = look_up(turn);
        take_nearest(turn, mix(after, uvec2(0u), equal(before, after)), back);
        backs[i] = back;
    }
    barrier();
}

// Take distances, or words, from where every 256th is in an invocation to the pool.
void put_into_pool(uint lane, uint values[NUM_TURNS])
{
    for (uint i = 0u; i < NUM_TURNS; i++)
        pool[place_in_pool(i * WEIR_SNAPPY_GROUP + lane)] = values[i];
    barrier();
}

// Get those of an invocation's part.
void get_part(uint lane, out uint values[PART_WORDS])
{
    for (uint i = 0u; i < PART_WORDS; i++)
        values[i] = pool[place_in_pool(PART_WORDS * lane + i)];
    barrier();
}

// Parse the part that begins at that word.
void parse(uint first, uint end, uint backs[PART_WORDS], inout Part part)
{
    const uint part_begin = WORD_SIZE * first;
    uint low = part_begin, last_back = 0u;
    for (uint word = first; word < end;) {
        const uint own = word - first;
        Match match = NO_MATCH;
        const uvec4 places = uvec4(backs[own], last_back, word + 1u < end ? backs[own + 1u] : 0u,
                                   word + 2u < end ? backs[own + 2u] : 0u);
        if (places != uvec4(0u))
            consider(word, places, low, end, match);
        if (match.back == 0u) {
            word++;
            continue;
        }
        const uint begin = WORD_SIZE * word - match.before, size = match.before + match.after;
        part.copies[part.num++] = begin - part_begin | size << 6 | match.back << 13;
        low = begin + size;
        last_back = match.back;
        word = (low + WORD_SIZE - 1u) / WORD_SIZE;
    }
}

// Let the copy at the end of the part before go on in this one.
void join(uint lane, uint first, uint end, inout Part part)
{
    const uint before = lane > 0u ? lasts[lane - 1u] : 0u;
    part.is_open = lane > 0u && before == 0u;
    part.taken = 0u;
    if (before == 0u || part.size == 0u)
        return;
    const uint room = MAX_COPY - size_of(before), back = back_of(before);
    if (part.num > 0u && begin_of(part.copies[0]) == 0u) {
        if (back_of(part.copies[0]) != back || size_of(part.copies[0]) > room)
            return;
        part.taken = size_of(part.copies[0]);
        part.num--;
        for (uint i = 0u; i < part.num; i++)
            part.copies[i] = part.copies[i + 1u];
        return;
    }
    const uint limit = part.num > 0u ? begin_of(part.copies[0]) : part.size;
    part.taken = min(count_equal(first, back, end), min(limit, room));
}

// Put up to four bytes at that byte of the packed ones.
void put_bytes(uint at, uint bytes, uint num)
{
    const uint word = at >> 2, shift = 8u * (at & 3u);
    atomicOr(pool[place_in_pool(word)], bytes << shift);
    if (shift + 8u * num > 32u)
        atomicOr(pool[place_in_pool(word + 1u)], bytes >> 32u - shift);
}

uint own_words[PART_WORDS]; // of the part

// Get four bytes of the part from that one on; those behind its end are any.
uint four_at(uint byte)
{
    const uint word = byte / WORD_SIZE, shift = 8u * (byte & 3u);
    const uint low = own_words[word] >> shift;
    return shift == 0u ? low : low | own_words[min(word + 1u, PART_WORDS - 1u)] << 32u - shift;
}

// Put bytes of the part, of which those that fill a word are nobody else's.
void put_literal(uint at, uint begin, uint end)
{
    while (begin < end) {
        const uint num = min(WORD_SIZE - (at & 3u), end - begin);
        if (num == WORD_SIZE)
            pool[place_in_pool(at >> 2)] = four_at(begin);
        else
            put_bytes(at, bitfieldExtract(four_at(begin), 0, int(8u * num)), num);
        at += num;
        begin += num;
    }
}

// Write a part's bytes from `at` on, or only count them. Returns where they end. `byte` is where
// the part begins in the fragment.
uint write(bool counts, uint at, uint byte, Part part)
{
    uint begin = part.taken;
    bool is_open = part.is_open;
    for (uint i = 0u; i <= part.num && begin < part.size; i++) {
        const uint copy = i < part.num ? part.copies[i] : part.size;
        const uint end = i < part.num ? begin_of(copy) : part.size;
        if (begin < end) {
            const Tag tag = literal_tag((i < part.num ? end : part.next - byte) - begin);
            if (!counts && !is_open)
                put_bytes(at, tag.bytes, tag.size);
            at += is_open ? 0u : tag.size;
            if (!counts)
                put_literal(at, begin, end);
            at += end - begin;
        }
        if (i < part.num) {
            const Tag tag = copy_tag(size_of(copy), back_of(copy));
            if (!counts)
                put_bytes(at, tag.bytes, tag.size);
            at += tag.size;
            begin = end + size_of(copy);
            is_open = false;
        }
    }
    return at;
}

// Put the length of a chunk, seven bits a byte. Returns the number of bytes.
uint put_length(bool counts, uint length)
{
    uint at = 0u;
    for (; length >= 128u; length >>= 7) {
        if (!counts)
            put_bytes(at, length & 127u | 128u, 1u);
        at++;
    }
    if (!counts)
        put_bytes(at, length, 1u);
    return at + 1u;
}

void main()
{
    const uint lane = gl_LocalInvocationIndex, fragment = gl_WorkGroupID.x;
    const uint chunk = fragment / push.chunk_fragments;
    const uint begin = (fragment - chunk * push.chunk_fragments) * FRAGMENT;
    const uint end = min(begin + FRAGMENT, push.chunk_words);
    const uint room = room_of(fragment);
    chunk_first = push.source + chunk * push.chunk_words;
    uint found[NUM_TURNS], backs[PART_WORDS];
    find_matches(lane, begin, end, found);
    put_into_pool(lane, found);
    get_part(lane, backs);
    for (uint i = 0u; i < NUM_TURNS; i++) {
        const uint word = begin + i * WEIR_SNAPPY_GROUP + lane;
        found[i] = word < end ? word_at(word) : 0u;
    }
    put_into_pool(lane, found);
    get_part(lane, own_words);
    pooled_first = begin;
    num_pooled = end - begin;

    const uint first = min(begin + PART_WORDS * lane, end);
    const uint part_end = min(first + PART_WORDS, end);
    Part part;
    part.size = WORD_SIZE * (part_end - first);
    part.num = 0u;
    parse(first, part_end, backs, part);
    const uint last = part.num > 0u ? part.copies[part.num - 1u] : 0u;
    const bool ends_in_copy = part.num > 0u && begin_of(last) + size_of(last) == part.size;
    lasts[lane] = ends_in_copy ? last : 0u;
    barrier();
    join(lane, first, part_end, part);
    takens[lane] = part.taken;
    barrier();
    for (uint i = lane; i < NUM_ENTRIES / 2u; i += WEIR_SNAPPY_GROUP)
        pool[i] = 0u; // least_behind() waits
    const uint byte = WORD_SIZE * (first - begin), end_byte = WORD_SIZE * (end - begin);
    const uint first_copy = part.num > 0u ? byte + begin_of(part.copies[0]) : end_byte;
    part.next = least_behind(lane, first_copy, end_byte);
    if (ends_in_copy && part.num > 0u && lane + 1u < WEIR_SNAPPY_GROUP)
        part.copies[part.num - 1u] += takens[lane + 1u] << 6;

    const uint preamble = begin == 0u ? put_length(true, WORD_SIZE * push.chunk_words) : 0u;
    uint total;
    const uint at = sum_before(lane, write(true, 0u, byte, part), total);
    if (preamble > 0u && lane == 0u)
        put_length(false, WORD_SIZE * push.chunk_words);
    write(false, preamble + at, byte, part);
    barrier();
    total += preamble;
    for (uint i = lane; i < (total + WORD_SIZE - 1u) / WORD_SIZE; i += WEIR_SNAPPY_GROUP)
        memory.words[room + i] = pool[place_in_pool(i)];
    if (lane == 0u)
        memory.words[fragment] = total;
}
