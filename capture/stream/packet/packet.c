// SPDX-License-Identifier: MIT
// Packets: makes a HAP frame of a texture, stored, or compressed by Snappy in one piece or in
// chunks.
#include "capture/stream/packet/packet.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/format/snappy.h"
#include "capture/stream/packet/pool.h"

// Snappy is worth its time if it saves this share of the textures in a window of frames. If it does
// not, it is left out for some frames and then tried again on one.
#define MIN_SAVED_PERCENT 8
#define WINDOW_FRAMES 8
#define REST_FRAMES 60

struct weir_packer {
    struct weir_packer_params params;
    uint32_t num_chunks;
    uint32_t chunk_size;   // size of a chunk of the texture [bytes]
    uint32_t chunk_room;   // largest size of a chunk after snappy [bytes]
    uint32_t instructions; // size of the decode instructions section, header included [bytes]
    struct weir_pool *pool;

    uint8_t *buffer; // room for the headers, then `chunk_room` bytes a chunk
    const uint8_t *source;
    size_t sizes[WEIR_PACKET_MAX_CHUNKS]; // sizes of the chunks after snappy [bytes]

    uint64_t window_in, window_out; // bytes before and after snappy
    uint32_t window_frames;
    uint32_t rest_frames; // number of frames that are still packed without snappy
};

// The size of the decode instructions: a section with a byte for each chunk, a section with four
// bytes for each chunk, and a section around them. All have short headers, as 64 chunks are far
// below the 16 MiB that these allow.
static uint32_t instructions_size(uint32_t num_chunks)
{
    return num_chunks > 1 ? 4 + (4 + num_chunks) + (4 + 4 * num_chunks) : 0;
}

static uint8_t *chunk_area(const struct weir_packer *packer)
{
    return packer->buffer + WEIR_HAP_MAX_HEADER + packer->instructions;
}

static enum weir_result create_snappy(struct weir_packer *packer)
{
    packer->num_chunks = weir_hap_num_chunks(packer->params.size / packer->params.block_size,
                                             packer->params.num_chunks);
    packer->chunk_size = packer->params.size / packer->num_chunks;
    packer->chunk_room = (uint32_t)weir_snappy_room(packer->chunk_size);
    packer->instructions = instructions_size(packer->num_chunks);
    const size_t size = WEIR_HAP_MAX_HEADER + packer->instructions +
                        (size_t)packer->num_chunks * packer->chunk_room;
    packer->buffer = malloc(size);
    if (!packer->buffer) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    memset(packer->buffer, 1, size); // first touch is slow; not on the first frame
    const long num_cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t num_threads = num_cores > 0 ? (uint32_t)num_cores : 1;
    if (num_threads > packer->num_chunks) {
        num_threads = packer->num_chunks;
    }
    packer->pool = weir_pool_create(num_threads - 1);
    return packer->pool ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

enum weir_result weir_packer_create(const struct weir_packer_params *params,
                                    const struct weir_log *log, struct weir_packer **out)
{
    *out = NULL;
    struct weir_packer *packer = calloc(1, sizeof(*packer));
    enum weir_result result = packer ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
    if (packer) {
        packer->params = *params;
        packer->num_chunks = 1;
        if (params->snappy) {
            result = create_snappy(packer);
        }
    }
    if (result != WEIR_OK) {
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                        "no memory or threads for compressing frames of %u bytes; capture without "
                        "compression, or with fewer chunks",
                        params->size);
        weir_packer_destroy(&packer);
    }
    *out = packer;
    return result;
}

void weir_packer_destroy(struct weir_packer **packer)
{
    if (packer && *packer) {
        weir_pool_destroy((*packer)->pool);
        free((*packer)->buffer);
        free(*packer);
        *packer = NULL;
    }
}

uint32_t weir_packer_num_chunks(const struct weir_packer *packer)
{
    return packer->num_chunks;
}

static struct weir_packet packet_from(uint8_t *payload, uint32_t size, uint8_t type)
{
    const uint8_t *header = weir_hap_write_header(payload, size, type);
    return (struct weir_packet){.data = header, .size = size + (uint32_t)(payload - header)};
}

static void compress_chunk(void *user, uint32_t index)
{
    struct weir_packer *packer = user;
    const size_t size = weir_snappy_compress(
        packer->source + (size_t)index * packer->chunk_size, packer->chunk_size,
        chunk_area(packer) + (size_t)index * packer->chunk_room);
    // What does not get smaller is stored as it is.
    packer->sizes[index] = size < packer->chunk_size ? size : packer->chunk_size;
}

// Move the chunks together, behind the instructions.
static void join_chunks(struct weir_packer *packer)
{
    uint8_t *end = chunk_area(packer);
    for (uint32_t i = 0; i < packer->num_chunks; i++) {
        if (packer->sizes[i] == packer->chunk_size) {
            memcpy(end, packer->source + (size_t)i * packer->chunk_size, packer->chunk_size);
        } else {
            memmove(end, chunk_area(packer) + (size_t)i * packer->chunk_room, packer->sizes[i]);
        }
        end += packer->sizes[i];
    }
}

static void write_instructions(struct weir_packer *packer)
{
    const uint32_t n = packer->num_chunks;
    uint8_t *compressors = chunk_area(packer) - packer->instructions + 8;
    uint8_t *sizes = compressors + n + 4;
    weir_hap_write_header(compressors - 4, packer->instructions - 4, WEIR_HAP_DECODE_INSTRUCTIONS);
    weir_hap_write_header(compressors, n, WEIR_HAP_CHUNK_COMPRESSORS);
    weir_hap_write_header(sizes, 4 * n, WEIR_HAP_CHUNK_SIZES);
    for (uint32_t i = 0; i < n; i++) {
        compressors[i] = packer->sizes[i] == packer->chunk_size ? WEIR_HAP_CHUNK_NONE
                                                                : WEIR_HAP_CHUNK_SNAPPY;
        weir_hap_write_le32(sizes + 4 * i, (uint32_t)packer->sizes[i]);
    }
}

// True if Snappy is to be tried on this frame.
static bool wants_snappy(struct weir_packer *packer)
{
    if (!packer->params.snappy) {
        return false;
    }
    if (packer->rest_frames > 0) {
        packer->rest_frames--;
        return false;
    }
    return true;
}

static void learn(struct weir_packer *packer, size_t size_after)
{
    packer->window_in += packer->params.size;
    packer->window_out += size_after;
    packer->window_frames++;
    const bool pays = packer->window_out * 100 <= packer->window_in * (100 - MIN_SAVED_PERCENT);
    if (packer->window_frames >= WINDOW_FRAMES && !pays) {
        packer->rest_frames = REST_FRAMES;
        packer->window_frames = WINDOW_FRAMES - 1; // the next trial alone decides
        packer->window_in = packer->window_out = 0;
    } else if (packer->window_frames >= WINDOW_FRAMES) {
        packer->window_frames = 0;
        packer->window_in = packer->window_out = 0;
    }
}

struct weir_packet weir_packer_pack(struct weir_packer *packer, uint8_t *data)
{
    const uint8_t texture = (uint8_t)packer->params.texture;
    if (wants_snappy(packer)) {
        packer->source = data;
        weir_pool_run(packer->pool, compress_chunk, packer, packer->num_chunks);
        size_t size = packer->instructions;
        for (uint32_t i = 0; i < packer->num_chunks; i++) {
            size += packer->sizes[i];
        }
        learn(packer, size < packer->params.size ? size : packer->params.size);
        if (size < packer->params.size) {
            join_chunks(packer);
            uint8_t *payload = chunk_area(packer) - packer->instructions;
            uint8_t compressor = WEIR_HAP_SNAPPY;
            if (packer->num_chunks > 1) {
                compressor = WEIR_HAP_COMPLEX;
                write_instructions(packer);
            }
            return packet_from(payload, (uint32_t)size, (uint8_t)(compressor | texture));
        }
    }
    return packet_from(data, packer->params.size, (uint8_t)(WEIR_HAP_NONE | texture));
}
