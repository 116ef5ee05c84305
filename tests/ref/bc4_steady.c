// SPDX-License-Identifier: MIT
// Scalar reference of BC4: what a block keeps of the one in the frame before.
//
// The rule of steady.h with other numbers: endpoints are kept up to one and a half times the
// squared error, and indices up to half a squared step, which is a quarter of a step off the middle
// of two values. A channel by itself flickers as much by these, for half of the decibels.
#include "tests/ref/bc4_steady.h"

#include "tests/ref/bc4_values.h"
#include "tests/ref/steady.h"

enum { MAX = 255 };

static uint64_t read_word(const uint8_t block[REF_BC4_BLOCK_SIZE])
{
    uint64_t word = 0;
    for (int i = 0; i < REF_BC4_BLOCK_SIZE; i++) {
        word |= (uint64_t)block[i] << (8 * i);
    }
    return word;
}

// Get a block's endpoints, with the error of the indices that the values of this frame keep or get,
// which `word` has then.
static struct ref_bc4_fit keep_indices(const uint8_t values[16], uint64_t *word)
{
    struct ref_bc4_fit f = {.a0 = *word & 255, .a1 = *word >> 8 & 255};
    f.steps = f.a0 > f.a1 ? 7 : 5;
    const uint32_t slack = (uint32_t)((f.a0 - f.a1) * (f.a0 - f.a1)) / 2;
    uint64_t kept = *word & 0xffff;
    for (int t = 0; t < 16; t++) {
        const int nearest = ref_bc4_choose(&f, MAX, values[t]);
        const int least = ref_bc4_error(&f, MAX, nearest, values[t]);
        int index = ref_bc4_index(f.steps, *word >> (16 + 3 * t) & 7);
        int error = ref_bc4_error(&f, MAX, index, values[t]);
        if ((uint32_t)error > (uint32_t)least + slack) {
            index = nearest;
            error = least;
        }
        f.error += error;
        kept |= (uint64_t)ref_bc4_code(f.steps, index) << (16 + 3 * t);
    }
    *word = kept;
    return f;
}

// Errors of six and of eight values have other units: each is multiplied by that of the other.
static uint32_t scaled_error(const struct ref_bc4_fit *f, const struct ref_bc4_fit *other)
{
    return (uint32_t)(f->error * other->steps * other->steps);
}

void ref_bc4_keep(const uint8_t values[16], const uint8_t previous[REF_BC4_BLOCK_SIZE],
                  uint8_t block[REF_BC4_BLOCK_SIZE])
{
    if (ref_steady_is_none(previous, REF_BC4_BLOCK_SIZE)) {
        return;
    }
    uint64_t word = read_word(block), word_before = read_word(previous);
    const struct ref_bc4_fit fit = keep_indices(values, &word);
    const struct ref_bc4_fit before = keep_indices(values, &word_before);
    if (2 * scaled_error(&before, &fit) <= 3 * scaled_error(&fit, &before)) {
        for (int i = 0; i < REF_BC4_BLOCK_SIZE; i++) {
            block[i] = (uint8_t)(word_before >> (8 * i));
        }
    }
}
