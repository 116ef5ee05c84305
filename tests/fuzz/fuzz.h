// SPDX-License-Identifier: MIT
// The interface of a fuzzer: the source of its inputs, and the call that runs one.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/log.h>

#include "tests/expect.h"

enum { FUZZ_MAX_SIZE = 12288 }; // of an input [bytes]

// xorshift64*.
struct fuzz_random {
    uint64_t state; // not 0
};
struct fuzz_random fuzz_random(uint64_t seed);
uint32_t fuzz_below(struct fuzz_random *random, uint32_t limit); // 0 .. limit - 1
void fuzz_fill(struct fuzz_random *random, uint8_t *data, size_t size);

// Every fuzzer defines one of them.
struct fuzz_target {
    const char *name;

    // How many inputs the regression test draws.
    unsigned num_runs;

    // Once, before everything else. NULL: nothing.
    void (*init)(void);

    // Write the valid input of that index to `data`, which has room for FUZZ_MAX_SIZE, and answer
    // its size; 0 after the last. An input that once failed is kept as one of them.
    size_t (*seed)(unsigned index, uint8_t *data);
    // Instead of that, texts; the last is NULL.
    const char *const *texts;

    // Change an input where it matters, within `room`, and return its size. NULL: bytes only.
    size_t (*mutate)(struct fuzz_random *random, uint8_t *data, size_t size, size_t room);
    // Instead of that, insert one of these; the last is NULL.
    const char *const *pieces;

    // Run an input, which ends where the memory ends, and check the results with fuzz_expect().
    void (*run)(const uint8_t *data, size_t size);
};
extern const struct fuzz_target fuzz_target;

// Change any bytes.
size_t fuzz_mutate_bytes(struct fuzz_random *random, uint8_t *data, size_t size, size_t room);

// The target's seed of that index, and its change of an input.
size_t fuzz_seed(unsigned index, uint8_t *data);
bool fuzz_has_mutate(void);
size_t fuzz_mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room);

// Insert one of `pieces`, which end with NULL; any bytes change where there is no room for it.
size_t fuzz_insert(struct fuzz_random *random, uint8_t *data, size_t size, size_t room,
                   const char *const *pieces);

// Write a text as a seed, without the zero at its end. Returns its size.
size_t fuzz_put_text(const char *text, uint8_t *data);

// Abort with a message when `condition` is false.
void fuzz_expect(bool condition, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A log that counts errors, and prints where WEIR_FUZZ_LOG is set.
extern const struct weir_log fuzz_log;
unsigned fuzz_num_errors(void);

// Throw away the messages that programs print about wrong command lines.
void fuzz_silence_stderr(void);

// A command line of `size` bytes, a word a line: fills `argv` from `*argc` on, up to `max` words.
// Free what it returns, which holds the words.
char *fuzz_split_words(const uint8_t *data, size_t size, char **argv, int *argc, int max);

// An input that is read field by field, and is 0 after its end.
struct fuzz_bytes {
    const uint8_t *data;
    size_t size;
};
uint8_t fuzz_take_u8(struct fuzz_bytes *bytes);
uint32_t fuzz_take_u32(struct fuzz_bytes *bytes);
