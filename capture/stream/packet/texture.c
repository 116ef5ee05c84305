// SPDX-License-Identifier: MIT
// A texture of a frame becomes a section of its packet: stored, or compressed by Snappy in one
// piece or in chunks.
#include "capture/stream/packet/packet.h"

#include <string.h>

#include <weir/snappy.h>

#include "capture/base/little_endian.h"
#include "capture/movie/snappy.h"

// Snappy is worth its time if it saves this share of the textures in a window of frames. If it does
// not, it is left out for some frames and then tried again on one. Not so where quality was given
// for bytes: every one of them counts there, and a rate counts on them.
#define MIN_SAVED_PERCENT 8
#define WINDOW_FRAMES 8
#define REST_FRAMES 60

// The size of the decode instructions: a section with a byte for each chunk, a section with four
// bytes for each chunk, and a section around them. All have short headers, as 64 chunks are far
// below the 16 MiB that these allow.
static uint32_t instructions_size(uint32_t num_chunks)
{
    return num_chunks > 1 ? 4 + (4 + num_chunks) + (4 + 4 * num_chunks) : 0;
}

void weir_packed_texture_init(struct weir_packed_texture *texture, enum weir_hap_texture type,
                              uint32_t size, uint32_t block_size, uint32_t wish)
{
    const uint32_t num_chunks = weir_hap_num_chunks(size / block_size, wish);
    *texture = (struct weir_packed_texture){
        .type = type,
        .size = size,
        .num_chunks = num_chunks,
        .chunk_size = size / num_chunks,
        .chunk_room = (uint32_t)weir_snappy_room(size / num_chunks),
        .instructions = instructions_size(num_chunks),
    };
}

size_t weir_packed_texture_room(const struct weir_packed_texture *texture)
{
    return WEIR_HAP_MAX_HEADER + texture->instructions +
           (size_t)texture->num_chunks * texture->chunk_room;
}

static uint8_t *chunk_area(const struct weir_packed_texture *texture)
{
    return texture->room + WEIR_HAP_MAX_HEADER + texture->instructions;
}

void weir_packed_texture_begin(struct weir_packed_texture *texture, uint8_t *source, bool snappy)
{
    texture->source = source;
    texture->tries_snappy = snappy && texture->rest_frames == 0;
    if (texture->rest_frames > 0) {
        texture->rest_frames--;
    }
}

void weir_packed_texture_compress(struct weir_packed_texture *texture, uint32_t index)
{
    const size_t size = weir_snappy_compress(
        texture->source + (size_t)index * texture->chunk_size, texture->chunk_size,
        texture->content, chunk_area(texture) + (size_t)index * texture->chunk_room);
    // What does not get smaller is stored as it is.
    texture->sizes[index] = size < texture->chunk_size ? size : texture->chunk_size;
}

// Move the chunks together, behind the instructions.
static void join_chunks(struct weir_packed_texture *texture)
{
    uint8_t *end = chunk_area(texture);
    for (uint32_t i = 0; i < texture->num_chunks; i++) {
        if (texture->sizes[i] == texture->chunk_size) {
            memcpy(end, texture->source + (size_t)i * texture->chunk_size, texture->chunk_size);
        } else {
            memmove(end, chunk_area(texture) + (size_t)i * texture->chunk_room, texture->sizes[i]);
        }
        end += texture->sizes[i];
    }
}

// Write the instructions right before the chunks.
static void write_instructions(struct weir_packed_texture *texture, uint8_t *chunks)
{
    const uint32_t n = texture->num_chunks;
    uint8_t *compressors = chunks - texture->instructions + 8;
    uint8_t *sizes = compressors + n + 4;
    weir_hap_write_header(compressors - 4, texture->instructions - 4, WEIR_HAP_DECODE_INSTRUCTIONS);
    weir_hap_write_header(compressors, n, WEIR_HAP_CHUNK_COMPRESSORS);
    weir_hap_write_header(sizes, 4 * n, WEIR_HAP_CHUNK_SIZES);
    for (uint32_t i = 0; i < n; i++) {
        compressors[i] = texture->sizes[i] == texture->chunk_size ? WEIR_HAP_CHUNK_NONE
                                                                  : WEIR_HAP_CHUNK_SNAPPY;
        weir_put_u32(sizes + 4 * i, (uint32_t)texture->sizes[i]);
    }
}

static void learn(struct weir_packed_texture *texture, size_t size_after)
{
    texture->window_in += texture->size;
    texture->window_out += size_after < texture->size ? size_after : texture->size;
    texture->window_frames++;
    const bool pays = texture->window_out * 100 <= texture->window_in * (100 - MIN_SAVED_PERCENT);
    if (texture->window_frames >= WINDOW_FRAMES && !pays && texture->content == WEIR_SNAPPY_ANY) {
        texture->rest_frames = REST_FRAMES;
        texture->window_frames = WINDOW_FRAMES - 1; // the next trial alone decides
        texture->window_in = texture->window_out = 0;
    } else if (texture->window_frames >= WINDOW_FRAMES) {
        texture->window_frames = 0;
        texture->window_in = texture->window_out = 0;
    }
}

static struct weir_packet section_of(uint8_t *payload, uint32_t size, enum weir_hap_compressor how,
                                     enum weir_hap_texture type)
{
    uint8_t *header = weir_hap_write_header(payload, size, (uint8_t)((int)how | (int)type));
    return (struct weir_packet){.data = header, .size = size + (uint32_t)(payload - header)};
}

// Make the section of chunks that are one behind the other. `size` is theirs and the instructions'.
static struct weir_packet section_of_chunks(struct weir_packed_texture *texture, uint8_t *chunks,
                                            uint32_t size)
{
    if (texture->num_chunks > 1) {
        write_instructions(texture, chunks);
    }
    return section_of(chunks - texture->instructions, size,
                      texture->num_chunks > 1 ? WEIR_HAP_COMPLEX : WEIR_HAP_SNAPPY, texture->type);
}

struct weir_packet weir_packed_texture_end(struct weir_packed_texture *texture)
{
    size_t size = texture->instructions;
    for (uint32_t i = 0; texture->tries_snappy && i < texture->num_chunks; i++) {
        size += texture->sizes[i];
    }
    if (texture->tries_snappy) {
        learn(texture, size);
    }
    if (!texture->tries_snappy || size >= texture->size) {
        return section_of(texture->source, texture->size, WEIR_HAP_NONE, texture->type);
    }
    join_chunks(texture);
    return section_of_chunks(texture, chunk_area(texture), (uint32_t)size);
}

struct weir_packet weir_packed_texture_wrap(struct weir_packed_texture *texture, uint8_t *packed)
{
    uint8_t *chunks = packed + weir_snappy_data_offset(texture->num_chunks);
    uint32_t size = texture->instructions;
    for (uint32_t i = 0; i < texture->num_chunks; i++) {
        uint32_t chunk; // in the byte order of the device
        memcpy(&chunk, packed + sizeof(chunk) * i, sizeof(chunk));
        texture->sizes[i] = chunk;
        size += chunk;
    }
    // The GPU stores all chunks where they do not save what their instructions take.
    return size >= texture->size ? section_of(chunks, texture->size, WEIR_HAP_NONE, texture->type)
                                 : section_of_chunks(texture, chunks, size);
}
