// SPDX-License-Identifier: MIT
// Bytes to pack: what compresses in every way, and what does not.
#include "tests/ref/snappy_content.h"

#include <stdbool.h>

#include "tests/seeded.h"

static uint32_t below(uint64_t *random, uint32_t limit)
{
    return seeded_next(random) % limit;
}

static void draw_values(uint64_t *random, uint32_t num, uint8_t *bytes, uint32_t size)
{
    const uint8_t first = (uint8_t)seeded_next(random);
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(first + below(random, num));
    }
}

static void draw_periods(uint64_t *random, uint8_t *bytes, uint32_t size)
{
    static const uint32_t longest[] = {9, 70, 5000, 70000};
    for (uint32_t i = 0; i < size;) {
        const uint32_t period = 1 + below(random, longest[below(random, 4)]);
        const uint32_t end = i + 1 + below(random, 4 * period + 300);
        const uint32_t damage = 20 + below(random, 4000);
        for (; i < end && i < size; i++) {
            const bool is_new = i < period || below(random, damage) == 0;
            bytes[i] = is_new ? (uint8_t)seeded_next(random) : bytes[i - period];
        }
    }
}

static void draw_fields(uint64_t *random, uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size;) {
        const uint32_t back = (1 + below(random, 5000)) * (below(random, 4) > 0 ? 4 : 1);
        const uint32_t end = i + 1 + below(random, 32);
        const bool is_again = back <= i && below(random, 3) > 0;
        for (; i < end && i < size; i++) {
            bytes[i] = is_again ? bytes[i - back] : (uint8_t)seeded_next(random);
        }
    }
}

static void draw_halves(uint64_t *random, uint8_t *bytes, uint32_t size)
{
    const uint32_t row = 16 * (1 + below(random, 1000));
    for (uint32_t i = 0; i < size; i += 8) {
        const uint32_t back = 16 * (1 + below(random, 32)) + row * below(random, 4);
        const bool is_again = back <= i && below(random, 2) > 0;
        for (uint32_t k = i; k < i + 8 && k < size; k++) {
            bytes[k] = is_again ? bytes[k - back] : (uint8_t)seeded_next(random);
        }
    }
}

void ref_snappy_draw(enum ref_snappy_content content, uint64_t *random, uint8_t *bytes,
                     uint32_t size)
{
    switch (content) {
    case REF_SNAPPY_ONE_VALUE:
        draw_values(random, 1, bytes, size);
        break;
    case REF_SNAPPY_FEW_VALUES:
        draw_values(random, 1 + below(random, 4), bytes, size);
        break;
    case REF_SNAPPY_PERIODS:
        draw_periods(random, bytes, size);
        break;
    case REF_SNAPPY_FIELDS:
        draw_fields(random, bytes, size);
        break;
    case REF_SNAPPY_HALVES:
        draw_halves(random, bytes, size);
        break;
    case REF_SNAPPY_MIXED:
        for (uint32_t i = 0; i < size;) {
            const uint32_t wish = 1 + below(random, 30000);
            const uint32_t piece = wish < size - i ? wish : size - i;
            ref_snappy_draw((enum ref_snappy_content)below(random, REF_SNAPPY_MIXED), random,
                            bytes + i, piece);
            i += piece;
        }
        break;
    default:
        draw_values(random, 256, bytes, size);
    }
}
