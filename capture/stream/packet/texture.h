// SPDX-License-Identifier: MIT
// A texture of a frame becomes a section of its packet: stored, or compressed by Snappy in one
// piece or in chunks.
#ifndef WEIR_CAPTURE_STREAM_PACKET_TEXTURE_H
#define WEIR_CAPTURE_STREAM_PACKET_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/movie/hap.h"
#include "capture/movie/snappy.h"

#define WEIR_PACKET_MAX_CHUNKS 64

// A part of a packet, or all of it.
struct weir_packet {
    uint8_t *data;
    uint32_t size; // [bytes]
};

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

#endif
