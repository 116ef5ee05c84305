// SPDX-License-Identifier: MIT
// What blocks keep of those in the frame before: the rule that all codecs share.
//
// Noise moves the endpoints of a block from frame to frame, and with them all its texels at once.
// So blocks keep the endpoints that they had, unless those have more than twice the squared error
// of the new ones. Texels keep their indices too, where another value is nearer by no more than an
// eighth of a step. All errors are those against the texels of this frame, so they do not add up
// from frame to frame. A channel alone has other numbers: bc4_steady.c.
#ifndef WEIR_TESTS_REF_STEADY_H
#define WEIR_TESTS_REF_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether endpoints are kept that leave `error`, where new ones leave `new_error`.
static inline bool ref_steady_keeps(uint32_t error, uint32_t new_error)
{
    return error / 2 <= new_error;
}

// By how much the squared error of a texel may be above the least for it to keep its index: by a
// quarter of a squared step, which is where it is off the middle of two values by an eighth of one.
static inline uint32_t ref_steady_slack(uint32_t squared_step)
{
    return squared_step / 4;
}

// Before the first frame there are zeros, of which nothing is kept.
static inline bool ref_steady_is_none(const uint8_t *previous, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (previous[i] != 0) {
            return false;
        }
    }
    return true;
}

#endif
