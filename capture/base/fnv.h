// SPDX-License-Identifier: MIT
// FNV-1a 64 (Fowler, Noll, Vo; RFC 9923): a number for bytes that nobody chose to collide.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define WEIR_FNV_START 0xcbf29ce484222325u

// Get the number of the bytes behind others, whose number is `hash`.
static inline uint64_t weir_fnv(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * 0x100000001b3u;
    }
    return hash;
}
