// SPDX-License-Identifier: MIT
// Packets: makes a HAP frame of its textures, each stored or compressed by Snappy, by a pool of
// threads.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/movie.h>
#include <weir/result.h>
#include <weir/snappy.h>

#include "capture/movie/hap.h"
#include "capture/movie/snappy.h"

#define WEIR_PACKET_MAX_CHUNKS 64

// A part of a packet, or all of it.
struct weir_packet {
    uint8_t *data;
    uint32_t size; // [bytes]
};

struct weir_packer_params {
    enum weir_movie_codec codec;
    uint32_t width, height; // of a frame [texels]. Required
    bool snappy;
    bool is_rdo;    // the blocks were optimised for Snappy
    bool is_packed; // frames come packed by the GPU; snappy is not read then
    // The most chunks of a texture, with snappy. 0 = 1, at most WEIR_PACKET_MAX_CHUNKS, or
    // WEIR_CHUNKS_AUTO.
    uint32_t num_chunks;
};

// Builds one packet at a time: its buffers and threads are made once. Not thread-safe.
struct weir_packer;

// Errors: WEIR_ERROR_OUT_OF_MEMORY (also for threads).
enum weir_result weir_packer_create(const struct weir_packer_params *params,
                                    const struct weir_log *log, struct weir_packer **out);
void weir_packer_destroy(struct weir_packer **packer);

// Get the number of chunks that a compressed texture has.
uint32_t weir_packer_num_chunks(const struct weir_packer *packer);

// How the GPU packs the textures of a frame, each by a weir_snappy of its own.
struct weir_packet_plan {
    uint32_t num_textures;
    struct weir_snappy_params textures[WEIR_MOVIE_MAX_TEXTURES];
    uint64_t offsets[WEIR_MOVIE_MAX_TEXTURES]; // where each goes in the result [bytes]
    uint64_t size;                             // of the result [bytes]
};
struct weir_packet_plan weir_packet_plan(const struct weir_packer_params *params);

// The free space before a frame's first texture for the headers of a packet [bytes].
#define WEIR_PACKET_HEADROOM (2 * WEIR_HAP_MAX_HEADER)
// The same with is_packed: decode instructions take more than the sizes that the GPU writes.
#define WEIR_PACKET_PACKED_HEADROOM (WEIR_PACKET_HEADROOM + 12 + WEIR_PACKET_MAX_CHUNKS)

// The free space between the textures of a frame that has two, where they are not packed [bytes].
uint32_t weir_packet_gap(enum weir_movie_codec codec, uint32_t width, uint32_t height);

// Make the packet of a frame whose first texture is at `data`, and whose second one begins
// weir_packet_gap() bytes behind that. All of it must be writable, and so must the
// WEIR_PACKET_HEADROOM bytes before it: textures that are stored uncompressed get their headers
// there and are not copied. With is_packed `data` is what the GPU wrote by weir_packet_plan(), the
// WEIR_PACKET_PACKED_HEADROOM bytes before it are writable, and the packet is made there. It is
// valid until the next call, and as long as `data` is. Allocates nothing.
struct weir_packet weir_packer_pack(struct weir_packer *packer, uint8_t *data);

// A texture of a frame becomes a section of its packet: stored, or compressed by Snappy in one
// piece or in chunks.
struct weir_packed_texture {
    enum weir_hap_texture type;
    uint32_t size; // [bytes]
    enum weir_snappy_content content;
    uint32_t num_chunks;
    uint32_t chunk_size;   // size of a chunk of the texture [bytes]
    uint32_t chunk_room;   // largest size of a chunk after snappy [bytes]
    uint32_t instructions; // size of the decode instructions section, header included [bytes]
    uint8_t *room;         // of the compressed section

    // Of the frame that is packed.
    uint8_t *source;
    bool tries_snappy;
    size_t sizes[WEIR_PACKET_MAX_CHUNKS]; // sizes of the chunks after snappy [bytes]

    uint64_t window_in, window_out; // bytes before and after snappy
    uint32_t window_frames;
    uint32_t rest_frames; // number of frames that are still packed without snappy
};

// Plan the chunks of a texture of `size` bytes, a multiple of `block_size`: at most `wish`.
void weir_packed_texture_init(struct weir_packed_texture *texture, enum weir_hap_texture type,
                              uint32_t size, uint32_t block_size, uint32_t wish);

// Get how much room a compressed section takes [bytes]. `texture->room` is set to it by the caller.
size_t weir_packed_texture_room(const struct weir_packed_texture *texture);

// Begin with the texture of a frame at `source`. The WEIR_HAP_MAX_HEADER bytes before it must be
// writable. Sets `tries_snappy`, for which weir_packed_texture_compress() is then called for each
// chunk, on any threads, before end().
void weir_packed_texture_begin(struct weir_packed_texture *texture, uint8_t *source, bool snappy);
void weir_packed_texture_compress(struct weir_packed_texture *texture, uint32_t index);

// Make the section: in its room, or with the header right before the source if it is stored.
struct weir_packet weir_packed_texture_end(struct weir_packed_texture *texture);

// Make the section of a texture that the GPU has packed: the sizes of its chunks are at `packed`,
// and the chunks behind them, as weir_cmd_snappy() writes them. The header and the instructions
// stand before the chunks, up to WEIR_PACKET_PACKED_HEADROOM bytes before `packed`.
struct weir_packet weir_packed_texture_wrap(struct weir_packed_texture *texture, uint8_t *packed);
