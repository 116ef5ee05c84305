// SPDX-License-Identifier: MIT
// Scalar reference of Snappy as the GPU packs it: many parts of a texture at once.
#ifndef WEIR_TESTS_REF_SNAPPY_H
#define WEIR_TESTS_REF_SNAPPY_H

#include <stdint.h>

// Get how many bytes ref_snappy_pack() writes at most.
uint32_t ref_snappy_room(uint32_t size);

// Pack `size` bytes, a multiple of 8, as one stream. Returns the size of the stream.
uint32_t ref_snappy_pack(const uint8_t *in, uint32_t size, uint8_t *out);

// Pack `size` bytes as chunks of equal sizes, as weir_cmd_snappy() does: their sizes, and from the
// next multiple of 16 on the chunks; those stored that do not get smaller, and all where they save
// less than `least_saved` bytes. Takes what weir_snappy_destination_size() says. Returns how many
// bytes there are.
uint32_t ref_snappy_pack_chunks(const uint8_t *in, uint32_t size, uint32_t num_chunks,
                                uint32_t least_saved, uint8_t *out);

#endif
