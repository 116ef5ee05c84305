// SPDX-License-Identifier: MIT
// Random numbers of a test that WEIR_SEED repeats.
#ifndef WEIR_TESTS_SEEDED_H
#define WEIR_TESTS_SEEDED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t seeded_state;

// Starts them, and prints the seed.
static inline void seeded_start(void)
{
    const char *seed = getenv("WEIR_SEED");
    seeded_state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed: WEIR_SEED=%llu\n", (unsigned long long)seeded_state);
}

// 0 .. n - 1
static inline int seeded_below(int n)
{
    seeded_state = seeded_state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
    return (int)((seeded_state >> 33) % (uint64_t)n);
}

#endif
