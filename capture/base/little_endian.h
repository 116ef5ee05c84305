// SPDX-License-Identifier: MIT
// Reads and writes numbers of a file, the least significant byte first.
#pragma once

#include <stdint.h>

static inline void weir_put_u32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static inline void weir_put_u64(uint8_t *bytes, uint64_t value)
{
    weir_put_u32(bytes, (uint32_t)value);
    weir_put_u32(bytes + 4, (uint32_t)(value >> 32));
}

static inline uint32_t weir_get_u32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t weir_get_u64(const uint8_t *bytes)
{
    return weir_get_u32(bytes) | (uint64_t)weir_get_u32(bytes + 4) << 32;
}
