// SPDX-License-Identifier: MIT
// Packets: makes a HAP frame of its textures, each stored or compressed by Snappy.
#ifndef WEIR_CAPTURE_STREAM_PACKET_PACKET_H
#define WEIR_CAPTURE_STREAM_PACKET_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/movie.h>
#include <weir/result.h>
#include <weir/snappy.h>

#include "capture/stream/packet/texture.h"

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

#endif
