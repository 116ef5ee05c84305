// SPDX-License-Identifier: MIT
// A reader of HAP packets that is written from the specification, and shares nothing with Weir's.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct section {
    const uint8_t *payload;
    size_t size, header_size;
    uint8_t type;
};

// HapVideoDRAFT.md, "Section Headers". False: the bytes do not hold the section.
bool section_read(const uint8_t *bytes, size_t num_bytes, struct section *section);

// Read the sections of the textures of a packet, which fill it and have the shortest headers.
bool section_read_textures(const uint8_t *packet, size_t size, struct section *textures,
                           uint32_t num_textures);

// Unpack a texture of `size` bytes, in chunks of whole blocks that are equally large. Returns how
// many chunks there are: 1 where it is not cut, 0 for nonsense.
uint32_t section_unpack(const struct section *texture, uint32_t block_size, uint8_t *blocks,
                        size_t size);
