// SPDX-License-Identifier: MIT
// Packets: makes a HAP frame of a texture, stored, or compressed by Snappy in one piece or in
// chunks.
#ifndef WEIR_CAPTURE_STREAM_PACKET_PACKET_H
#define WEIR_CAPTURE_STREAM_PACKET_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/result.h>

#include "capture/format/section.h"

#define WEIR_PACKET_MAX_CHUNKS 64

struct weir_packer_params {
    enum weir_hap_texture texture;
    uint32_t size;       // of a texture [bytes]. Required, a multiple of block_size
    uint32_t block_size; // [bytes]. Required
    bool snappy;
    uint32_t num_chunks; // the most chunks, with snappy. 0 = 1, at most WEIR_PACKET_MAX_CHUNKS
};

// Builds one packet at a time: its buffers and threads are made once. Not thread-safe.
struct weir_packer;

// Errors: WEIR_ERROR_OUT_OF_MEMORY (also for threads).
enum weir_result weir_packer_create(const struct weir_packer_params *params,
                                    const struct weir_log *log, struct weir_packer **out);
void weir_packer_destroy(struct weir_packer **packer);

// Get the number of chunks that a compressed frame has.
uint32_t weir_packer_num_chunks(const struct weir_packer *packer);

struct weir_packet {
    const uint8_t *data;
    uint32_t size; // [bytes]
};

// Make the packet of a texture of params.size bytes at `data`. The WEIR_HAP_MAX_HEADER bytes before
// `data` must be writable: a frame that is stored uncompressed gets its header there and is not
// copied. The packet is valid until the next call, and as long as `data` is. Allocates nothing.
struct weir_packet weir_packer_pack(struct weir_packer *packer, uint8_t *data);

#endif
