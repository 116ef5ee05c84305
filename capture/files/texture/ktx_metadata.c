// SPDX-License-Identifier: MIT
// Keys and values of KTX files of both versions.
#include "capture/files/texture/ktx_metadata.h"

#include <string.h>

#include "capture/base/little_endian.h"
#include "capture/base/size.h"

// A pair: its size, the key, a zero byte, the value, padding to 4 bytes.
uint32_t weir_ktx_metadata_put(uint8_t *at, const char *key, const char *value)
{
    const uint32_t key_size = (uint32_t)strlen(key) + 1, value_size = (uint32_t)strlen(value) + 1;
    const uint32_t size = key_size + value_size;
    weir_put_u32(at, size);
    memcpy(at + 4, key, key_size);
    memcpy(at + 4 + key_size, value, value_size);
    return 4 + (uint32_t)weir_round_up(size, 4);
}

const char *weir_ktx_metadata_find(const uint8_t *pairs, uint64_t size, const char *key)
{
    const uint64_t key_size = strlen(key) + 1;
    uint64_t at = 0;
    while (at < size && size - at >= 4) {
        const uint64_t pair_size = weir_get_u32(pairs + at);
        if (pair_size > size - at - 4) {
            return NULL;
        }
        const char *pair = (const char *)pairs + at + 4;
        if (pair_size > key_size && memcmp(pair, key, (size_t)key_size) == 0 &&
            memchr(pair + key_size, 0, (size_t)(pair_size - key_size))) {
            return pair + key_size;
        }
        at += 4 + weir_round_up(pair_size, 4);
    }
    return NULL;
}
