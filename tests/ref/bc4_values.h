// SPDX-License-Identifier: MIT
// Scalar reference of BC4: the values between two endpoints, by their index. Values go from 0 to
// `max`: 255, or 254 of a signed block, all of which is moved up by 127.
#ifndef WEIR_TESTS_REF_BC4_VALUES_H
#define WEIR_TESTS_REF_BC4_VALUES_H

#include <stdbool.h>

// Endpoints, and what they leave of the values: (steps * difference)^2 over the 16 texels.
struct ref_bc4_fit {
    int a0, a1;
    int steps; // 7: eight values. 5: six, and 0 and the greatest
    int error;
};

// Indices count from a0, 0, to a1, 7, or 5 of six values.
enum { REF_BC4_LEAST = 6, REF_BC4_GREATEST = 7 }; // of six values: 0 and `max`

static inline int ref_bc4_clamp(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

// Which of the values from a0 to a1 is nearest, of two the farther from a0.
static inline int ref_bc4_nearest(const struct ref_bc4_fit *f, int v)
{
    const int way = f->a1 - f->a0, range = way < 0 ? -way : way;
    const int distance = ref_bc4_clamp(way < 0 ? f->a0 - v : v - f->a0, 0, range);
    return range == 0 ? 0 : (2 * f->steps * distance + range) / (2 * range);
}

// Of a difference. More than 1023 is as much, so that 16 of them add up to less than 2^24: floats
// count so far.
static inline int ref_bc4_square(int x)
{
    x = ref_bc4_clamp(x, -1023, 1023);
    return x * x;
}

// The squared error of v against the value of an index.
static inline int ref_bc4_error(const struct ref_bc4_fit *f, int max, int index, int v)
{
    const int difference = index <= f->steps ? f->steps * (v - f->a0) - index * (f->a1 - f->a0)
                           : index == REF_BC4_LEAST ? f->steps * v
                                                    : f->steps * (max - v);
    return ref_bc4_square(difference);
}

// The index of the nearest value, of two that between the endpoints.
static inline int ref_bc4_choose(const struct ref_bc4_fit *f, int max, int v)
{
    const int between = ref_bc4_nearest(f, v);
    const int extreme = 2 * v < max ? REF_BC4_LEAST : REF_BC4_GREATEST;
    const bool is_extreme = f->steps == 5 &&
                            ref_bc4_error(f, max, between, v) > ref_bc4_error(f, max, extreme, v);
    return is_extreme ? extreme : between;
}

// The 3 bits that store an index, and back.
static inline unsigned ref_bc4_code(int steps, int index)
{
    return index == 0       ? 0
           : index == steps ? 1
           : index < steps  ? (unsigned)index + 1
                            : (unsigned)index;
}

static inline int ref_bc4_index(int steps, unsigned code)
{
    return code == 0 ? 0 : code == 1 ? steps : (int)code <= steps ? (int)code - 1 : (int)code;
}

#endif
