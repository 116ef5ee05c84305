// SPDX-License-Identifier: MIT
// A reader of HAP packets that is written from the specification.
#include "sections.h"

#include <string.h>

#include <snappy-c.h>

bool section_read(const uint8_t *bytes, size_t num_bytes, struct section *section)
{
    if (num_bytes < 4) {
        return false;
    }
    section->size = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
    section->type = bytes[3];
    section->header_size = 4;
    if (section->size == 0) {
        if (num_bytes < 8) {
            return false;
        }
        section->header_size = 8;
        section->size = bytes[4] | bytes[5] << 8 | bytes[6] << 16 | (size_t)bytes[7] << 24;
    }
    section->payload = bytes + section->header_size;
    return section->size <= num_bytes - section->header_size;
}

static uint32_t read_le32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool unsnap(const uint8_t *bytes, size_t size, uint8_t *out, size_t room, size_t *out_size)
{
    *out_size = room;
    return snappy_uncompress((const char *)bytes, size, (char *)out, out_size) == SNAPPY_OK;
}

// The chunks of a complex section. Returns their number, 0 for nonsense.
static uint32_t read_chunks(const struct section *top, uint32_t block_size, uint8_t *out,
                            size_t want)
{
    struct section instructions, part, compressors = {0}, sizes = {0};
    if (!section_read(top->payload, top->size, &instructions) || instructions.type != 0x01) {
        return 0;
    }
    const uint8_t *end = instructions.payload + instructions.size;
    for (const uint8_t *at = instructions.payload; at < end; at = part.payload + part.size) {
        if (!section_read(at, (size_t)(end - at), &part)) {
            return 0;
        }
        compressors = part.type == 0x02 ? part : compressors;
        sizes = part.type == 0x03 ? part : sizes;
    }
    if (compressors.size == 0 || sizes.size != 4 * compressors.size) {
        return 0;
    }
    const uint8_t *chunk = end;
    size_t filled = 0;
    for (size_t i = 0; i < compressors.size; i++) {
        const size_t size = read_le32(sizes.payload + 4 * i);
        size_t got = size;
        if (size > (size_t)(top->payload + top->size - chunk) || size > want - filled) {
            return 0;
        }
        if (compressors.payload[i] == 0x0a) {
            memcpy(out + filled, chunk, size);
        } else if (compressors.payload[i] != 0x0b ||
                   !unsnap(chunk, size, out + filled, want - filled, &got)) {
            return 0;
        }
        // Equal chunks of whole blocks.
        if (got != want / compressors.size || got % block_size != 0) {
            return 0;
        }
        filled += got;
        chunk += size;
    }
    return filled == want && chunk == top->payload + top->size ? (uint32_t)compressors.size : 0;
}

// Headers are of four bytes where the size has room in them.
static bool is_short(const struct section *section)
{
    return section->header_size == (section->size < 1u << 24 ? 4u : 8u);
}

bool section_read_textures(const uint8_t *packet, size_t size, struct section *textures,
                           uint32_t num_textures)
{
    const uint8_t *at = packet, *end = packet + size;
    struct section whole;
    if (num_textures > 1) {
        if (!section_read(at, size, &whole) || whole.type != 0x0d || !is_short(&whole) ||
            whole.payload + whole.size != end) {
            return false;
        }
        at = whole.payload;
    }
    for (uint32_t i = 0; i < num_textures; i++) {
        if (!section_read(at, (size_t)(end - at), &textures[i]) || !is_short(&textures[i])) {
            return false;
        }
        at = textures[i].payload + textures[i].size;
    }
    return at == end;
}

uint32_t section_unpack(const struct section *texture, uint32_t block_size, uint8_t *blocks,
                        size_t size)
{
    size_t got;
    switch (texture->type & 0xf0) {
    case 0xa0:
        memcpy(blocks, texture->payload, texture->size < size ? texture->size : size);
        return texture->size == size;
    case 0xb0:
        return unsnap(texture->payload, texture->size, blocks, size, &got) && got == size;
    case 0xc0:
        return read_chunks(texture, block_size, blocks, size);
    default:
        return 0;
    }
}
