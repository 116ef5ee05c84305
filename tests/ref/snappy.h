// SPDX-License-Identifier: MIT
// Scalar reference of Snappy as the GPU packs it: many parts of a texture at once.
#ifndef WEIR_TESTS_REF_SNAPPY_H
#define WEIR_TESTS_REF_SNAPPY_H

#include <stdint.h>

// Get how many bytes ref_snappy_pack() writes at most.
uint32_t ref_snappy_room(uint32_t size);

// Pack `size` bytes, a multiple of 8, as one stream. Returns the size of the stream.
uint32_t ref_snappy_pack(const uint8_t *in, uint32_t size, uint8_t *out);

#endif
