// SPDX-License-Identifier: MIT
// The smaller and the larger of two sizes, divisions, greatest common divisors, and arrays that
// grow.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline uint64_t weir_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t weir_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// a / b, rounded up.
static inline uint64_t weir_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b > 0);
}

// Get the least multiple of `unit` that is not below `size`.
static inline uint64_t weir_round_up(uint64_t size, uint64_t unit)
{
    return weir_divide_up(size, unit) * unit;
}

// a * b / c, rounded down or to the nearest, without overflow where b * c has none.
static inline uint64_t weir_scale(uint64_t a, uint64_t b, uint64_t c)
{
    return a / c * b + a % c * b / c;
}

static inline uint64_t weir_scale_round(uint64_t a, uint64_t b, uint64_t c)
{
    return a / c * b + (a % c * b + c / 2) / c;
}

// Get the greatest common divisor. With 0 it is the other number.
static inline uint64_t weir_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Make room for one more item behind `num` items of `item_size` bytes, by doubling `room`. Returns
// the items, wherever they lie now; NULL: out of memory, and they are where they were.
static inline void *weir_grow(void *items, size_t num, size_t *room, size_t item_size)
{
    if (num < *room) {
        return items;
    }
    const size_t more = *room > 0 ? 2 * *room : 64;
    void *grown = more <= SIZE_MAX / 2 / item_size ? realloc(items, more * item_size) : NULL;
    *room = grown ? more : *room;
    return grown;
}
