// SPDX-License-Identifier: MIT
// Random numbers of a test that WEIR_SEED repeats.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// The seed that a state begins with: WEIR_SEED, else the clock's. Prints it, also where the test
// crashes later.
static inline uint64_t seeded_seed(void)
{
    const char *text = getenv("WEIR_SEED");
    const uint64_t seed = text ? strtoull(text, NULL, 0) : (uint64_t)time(NULL);
    printf("seed: WEIR_SEED=%llu\n", (unsigned long long)seed);
    fflush(stdout);
    return seed;
}

// 32 random bits, of a state that the caller keeps.
static inline uint32_t seeded_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
    return (uint32_t)(*state >> 32);
}

// The state of a test of one source file.
static uint64_t seeded_state;

// Starts it, and prints the seed.
static inline void seeded_start(void)
{
    seeded_state = seeded_seed();
}

// 64 random bits
static inline uint64_t seeded_bits(void)
{
    const uint64_t high = seeded_next(&seeded_state);
    return high << 32 | seeded_next(&seeded_state);
}

// 0 .. n - 1
static inline int seeded_below(int n)
{
    return (int)((seeded_next(&seeded_state) >> 1) % (uint32_t)n);
}
