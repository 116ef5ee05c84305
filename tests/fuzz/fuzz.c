// SPDX-License-Identifier: MIT
// Code that all fuzzers share: random numbers, changes of bytes, expectations, a log.
// WEIR_FUZZ_LOG=1 prints the log.
#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fuzz_random fuzz_random(uint64_t seed)
{
    return (struct fuzz_random){(seed + 1) * 0x9e3779b97f4a7c15u | 1};
}

static uint64_t draw(struct fuzz_random *random)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return random->state * 0x2545f4914f6cdd1du;
}

uint32_t fuzz_below(struct fuzz_random *random, uint32_t limit)
{
    return (uint32_t)((draw(random) >> 32) * limit >> 32);
}

void fuzz_fill(struct fuzz_random *random, uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        data[i] = (uint8_t)(draw(random) >> 56);
    }
}

static size_t insert(struct fuzz_random *random, uint8_t *data, size_t size, size_t room)
{
    const size_t at = fuzz_below(random, (uint32_t)size + 1);
    const size_t length = 1 + fuzz_below(random, 16);
    if (size + length > room) {
        return size;
    }
    memmove(data + at + length, data + at, size - at);
    fuzz_fill(random, data + at, length);
    return size + length;
}

static size_t erase(struct fuzz_random *random, uint8_t *data, size_t size)
{
    const size_t at = fuzz_below(random, (uint32_t)size);
    const size_t length = 1 + fuzz_below(random, (uint32_t)(size - at));
    memmove(data + at, data + at + length, size - at - length);
    return size - length;
}

// Numbers at which sums, products and signs turn over.
static void put_extreme(struct fuzz_random *random, uint8_t *data, size_t size)
{
    static const uint32_t extremes[] = {0,      1,      2,          0x7f,       0x80,      0xff,
                                        0x7fff, 0x8000, 0xffff,     0x10000,    0x100000,  0x100001,
                                        15,     16,     0x7fffffff, 0x80000000, 0xffffffff};
    const uint32_t value = extremes[fuzz_below(random, sizeof(extremes) / sizeof(extremes[0]))];
    const size_t num_bytes = (size_t)1 << fuzz_below(random, 3);
    const bool swap = fuzz_below(random, 2) != 0;
    if (size < num_bytes) {
        return;
    }
    uint8_t *at = data + fuzz_below(random, (uint32_t)(size - num_bytes + 1));
    for (size_t i = 0; i < num_bytes; i++) {
        at[swap ? num_bytes - 1 - i : i] = (uint8_t)(value >> (8 * i));
    }
}

size_t fuzz_mutate_bytes(struct fuzz_random *random, uint8_t *data, size_t size, size_t room)
{
    if (size == 0) {
        return insert(random, data, size, room);
    }
    uint8_t *at = data + fuzz_below(random, (uint32_t)size);
    switch (fuzz_below(random, 6)) {
    case 0:
        *at ^= (uint8_t)(1u << fuzz_below(random, 8));
        return size;
    case 1:
        *at = (uint8_t)draw(random);
        return size;
    case 2:
        *at = (uint8_t)(*at + fuzz_below(random, 9) - 4);
        return size;
    case 3:
        put_extreme(random, data, size);
        return size;
    case 4:
        return insert(random, data, size, room);
    default:
        return erase(random, data, size);
    }
}

static uint32_t count_texts(const char *const *texts)
{
    uint32_t num = 0;
    while (texts[num]) {
        num++;
    }
    return num;
}

size_t fuzz_insert(struct fuzz_random *random, uint8_t *data, size_t size, size_t room,
                   const char *const *pieces)
{
    const char *text = pieces[fuzz_below(random, count_texts(pieces))];
    const size_t length = strlen(text), at = fuzz_below(random, (uint32_t)size + 1);
    if (size + length > room) {
        return fuzz_mutate_bytes(random, data, size, room);
    }
    memmove(data + at + length, data + at, size - at);
    memcpy(data + at, text, length);
    return size + length;
}

size_t fuzz_put_text(const char *text, uint8_t *data)
{
    memcpy(data, text, strlen(text));
    return strlen(text);
}

size_t fuzz_seed(unsigned index, uint8_t *data)
{
    if (fuzz_target.seed) {
        return fuzz_target.seed(index, data);
    }
    return index < count_texts(fuzz_target.texts) ? fuzz_put_text(fuzz_target.texts[index], data)
                                                  : 0;
}

bool fuzz_has_mutate(void)
{
    return fuzz_target.mutate || fuzz_target.pieces;
}

size_t fuzz_mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room)
{
    if (fuzz_target.mutate) {
        return fuzz_target.mutate(random, data, size, room);
    }
    return fuzz_insert(random, data, size, room, fuzz_target.pieces);
}

void fuzz_expect(bool condition, const char *format, ...)
{
    if (!condition) {
        // The descriptor: the streams may lead nowhere.
        va_list args;
        va_start(args, format);
        dprintf(STDERR_FILENO, "%s: not so: ", fuzz_target.name);
        vdprintf(STDERR_FILENO, format, args);
        dprintf(STDERR_FILENO, "\n");
        va_end(args);
        abort();
    }
}

static atomic_uint num_errors; // sources decode on several threads

static void count(void *user, const struct weir_log_message *message)
{
    (void)user;
    fuzz_expect(message->text[0] != 0, "a message has a text");
    if (getenv("WEIR_FUZZ_LOG")) {
        dprintf(STDERR_FILENO, "%s\n", message->text);
    }
    if (message->severity == WEIR_LOG_ERROR) {
        atomic_fetch_add(&num_errors, 1);
    }
}

const struct weir_log fuzz_log = {.print = count, .least_severity = WEIR_LOG_INFO};

unsigned fuzz_num_errors(void)
{
    return atomic_load(&num_errors);
}

void fuzz_silence_stderr(void)
{
    FILE *nowhere = fopen("/dev/null", "w");
    fuzz_expect(nowhere, "/dev/null");
    stderr = nowhere; // the descriptor stays, for sanitizers
}

char *fuzz_split_words(const uint8_t *data, size_t size, char **argv, int *argc, int max)
{
    char *words = malloc(size + 1);
    fuzz_expect(words, "memory");
    memcpy(words, data, size);
    words[size] = 0;
    for (char *at = words; at && *argc < max; (*argc)++) {
        argv[*argc] = at;
        at = strchr(at, '\n');
        if (at) {
            *at++ = 0;
        }
    }
    return words;
}

uint8_t fuzz_take_u8(struct fuzz_bytes *bytes)
{
    if (bytes->size == 0) {
        return 0;
    }
    bytes->size--;
    return *bytes->data++;
}

uint32_t fuzz_take_u32(struct fuzz_bytes *bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        value |= (uint32_t)fuzz_take_u8(bytes) << (8 * i);
    }
    return value;
}
