// SPDX-License-Identifier: MIT
// A host that hands over frames of blocks, each in memory of its own that is gone when it is given
// back, and knows what they hold.
#include "blocks_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/stream/packet/packet.h"
#include "testing.h"

struct owner {
    struct blocks_host *host;
    uint32_t number;
    uint8_t *data;
    size_t size;
};

static void *allocate(size_t size)
{
    void *memory = aligned_alloc(16, (size + 15) / 16 * 16);
    if (!memory) {
        perror("memory");
        exit(1);
    }
    return memory;
}

static void free_owner(struct owner *owner)
{
    memset(owner->data, 0xee, owner->size);
    free(owner->data);
    free(owner);
}

static void release(void *user, void *memory)
{
    struct blocks_host *host = user;
    struct owner *owner = memory;
    if (owner->host != host || owner->number != atomic_fetch_add(&host->num_released, 1)) {
        atomic_store(&host->is_out_of_order, true);
    }
    free_owner(owner);
}

struct weir_blocks_params blocks_params(struct blocks_host *host, uint32_t width, uint32_t height)
{
    return (struct weir_blocks_params){
        .width = width, .height = height, .release = release, .user = host, .log = test_log};
}

weir_capture *blocks_open(struct blocks_host *host, uint32_t width, uint32_t height,
                          const struct weir_capture_params *params)
{
    const struct weir_blocks_params blocks = blocks_params(host, width, height);
    weir_capture *capture = NULL;
    host->codec = params->codec;
    if (!test_expect(weir_capture_open_blocks(&blocks, params, &capture) == WEIR_OK, "open: %s",
                     test_log_text())) {
        exit(1);
    }
    return capture;
}

// Of 6 bits.
static uint32_t green_code(uint32_t frame)
{
    return frame * 7 % 64;
}

uint8_t blocks_green(uint32_t frame)
{
    return (uint8_t)((green_code(frame) * 255 + 31) / 63);
}

static void fill(const struct blocks_host *host, uint8_t *textures, size_t size)
{
    if (host->is_solid) {
        const uint32_t color = green_code(host->num_taken) << 5; // in both endpoints of BC1
        const uint8_t block[8] = {(uint8_t)color, (uint8_t)(color >> 8), (uint8_t)color,
                                  (uint8_t)(color >> 8)};
        for (size_t i = 0; i < size; i += sizeof(block)) {
            memcpy(textures + i, block, sizeof(block));
        }
        return;
    }
    test_random_bytes(textures, size);
    for (size_t i = 16; i + 16 <= size; i += 16) {
        if (test_random() % 2) {
            memcpy(textures + i, textures + i - 16, 16);
        }
    }
}

enum weir_result blocks_give(struct blocks_host *host, weir_capture *capture, uint32_t width,
                             uint32_t height, int64_t time_ns)
{
    const struct weir_blocks_layout layout = weir_blocks_get_layout(host->codec, width, height);
    const uint32_t last = layout.num_textures - 1;
    const size_t size = layout.offsets[last] + layout.sizes[last] - layout.offsets[0];
    struct owner *owner = allocate(sizeof(*owner));
    *owner = (struct owner){.host = host,
                            .number = host->num_taken,
                            .data = allocate(layout.size),
                            .size = layout.size};
    uint8_t *textures = owner->data + layout.offsets[0];
    uint8_t *copy = allocate(size);
    fill(host, textures, size);
    memcpy(copy, textures, size);
    const struct weir_blocks blocks = {
        .width = width, .height = height, .data = owner->data, .time_ns = time_ns, .owner = owner};
    const enum weir_result result = weir_capture_blocks(capture, &blocks);
    if (result == WEIR_OK) {
        host->frames[host->num_taken++] = (struct blocks_frame){width, height, copy, size};
    } else {
        test_expect(memcmp(copy, textures, size) == 0, "%s: the memory is unchanged",
                    weir_result_name(result));
        free_owner(owner);
        free(copy);
    }
    return result;
}

enum weir_result blocks_lose(weir_capture *capture, uint32_t width, uint32_t height,
                             int64_t time_ns)
{
    const struct weir_blocks blocks = {.width = width, .height = height, .time_ns = time_ns};
    return weir_capture_blocks(capture, &blocks);
}

struct weir_capture_stats blocks_close(struct blocks_host *host, weir_capture **capture,
                                       enum weir_result want)
{
    struct weir_capture_stats stats;
    const enum weir_result result = weir_capture_close(capture, &stats);
    test_expect(result == want, "close: %s", weir_result_name(result));
    test_expect(
        atomic_load(&host->num_released) == host->num_taken && !atomic_load(&host->is_out_of_order),
        "%u of %u frames came back in order", atomic_load(&host->num_released), host->num_taken);
    test_expect(stats.in_flight == 0 &&
                    stats.received == stats.written + stats.dropped + stats.skipped,
                "received %llu = written %llu + dropped %llu + skipped %llu",
                (unsigned long long)stats.received, (unsigned long long)stats.written,
                (unsigned long long)stats.dropped, (unsigned long long)stats.skipped);
    return stats;
}

void blocks_finish(struct blocks_host *host)
{
    for (uint32_t i = 0; i < host->num_taken; i++) {
        free(host->frames[i].textures);
    }
    *host = (struct blocks_host){.num_taken = 0};
}

void blocks_reference_init(struct blocks_reference *reference, const struct blocks_host *host,
                           const struct weir_capture_params *params, uint32_t width,
                           uint32_t height)
{
    const struct weir_packer_params packer = {
        .codec = params->codec,
        .width = width,
        .height = height,
        .snappy = params->rate.compression == WEIR_COMPRESSION_SNAPPY,
        .num_chunks = params->rate.num_chunks,
    };
    *reference = (struct blocks_reference){
        .host = host,
        .memory = allocate(weir_blocks_get_layout(params->codec, width, height).size),
    };
    if (weir_packer_create(&packer, &test_log, &reference->packer) != WEIR_OK) {
        exit(1);
    }
}

void blocks_reference_finish(struct blocks_reference *reference)
{
    weir_packer_destroy(&reference->packer);
    free(reference->memory);
}

bool blocks_reference_check(struct blocks_reference *reference, uint32_t frame,
                            const uint8_t *packet, size_t size)
{
    const struct blocks_frame *given = &reference->host->frames[frame];
    uint8_t *textures = reference->memory + WEIR_PACKET_HEADROOM;
    memcpy(textures, given->textures, given->size);
    const struct weir_packet want = weir_packer_pack(reference->packer, textures);
    return test_expect(want.size == size && memcmp(want.data, packet, size) == 0,
                       "frame %u, %ux%u: its packet of %zu bytes", frame, given->width,
                       given->height, size);
}
