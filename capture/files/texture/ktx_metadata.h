// SPDX-License-Identifier: MIT
// Keys and values of KTX files of both versions. Source: Khronos, "KTX File Format Specification"
// 1 and 2.0, "Key/Value Data".
#ifndef WEIR_CAPTURE_FILES_TEXTURE_KTX_METADATA_H
#define WEIR_CAPTURE_FILES_TEXTURE_KTX_METADATA_H

#include <stdint.h>

// The largest size of the pairs that are written: an orientation, and a writer of 63 characters.
enum { WEIR_KTX_MAX_METADATA_SIZE = 128 };

// Write a pair, of which the value is text, padded to 4 bytes. Returns its size [bytes].
uint32_t weir_ktx_metadata_put(uint8_t *at, const char *key, const char *value);

// Find the value of a key, which is text, among pairs of any origin. NULL: there is none.
const char *weir_ktx_metadata_find(const uint8_t *pairs, uint64_t size, const char *key);

#endif
