// SPDX-License-Identifier: MIT
// A recording without a device: a host that hands over frames of blocks by the public calls, each
// in memory of its own that is gone when it is given back, and knows what they hold.
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/stream/packet/packet.h"
#include "testing.h"

struct owner {
    struct recording *recording;
    uint32_t number;
    uint8_t *data, *textures;
    size_t size, textures_size;
};

static void *allocate(size_t size)
{
    void *memory = aligned_alloc(16, (size + 15) / 16 * 16);
    test_must(memory, "memory");
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
    struct recording *recording = user;
    struct owner *owner = memory;
    if (owner->recording != recording ||
        owner->number != atomic_fetch_add(&recording->num_released, 1)) {
        atomic_store(&recording->is_out_of_order, true);
    }
    free_owner(owner);
}

struct weir_blocks_params recording_blocks(struct recording *recording, uint32_t width,
                                           uint32_t height)
{
    return (struct weir_blocks_params){
        .width = width, .height = height, .release = release, .user = recording, .log = test_log};
}

void recording_open_size(struct recording *recording, uint32_t width, uint32_t height,
                         const struct weir_capture_params *params)
{
    const struct weir_blocks_params blocks = recording_blocks(recording, width, height);
    *recording = (struct recording){.codec = params->codec};
    test_must(test_expect(weir_capture_open_blocks(&blocks, params, &recording->capture) == WEIR_OK,
                          "open: %s", test_log_text()),
              "that");
}

void recording_open(struct recording *recording, const struct weir_capture_params *params)
{
    struct weir_capture_params own = *params;
    own.codec = WEIR_MOVIE_CODEC_HAP_Q;
    own.policy = WEIR_POLICY_WAIT;
    own.num_slots = RECORDING_NUM_SLOTS;
    own.movie.sync_ms = WEIR_SYNC_NEVER;
    recording_open_size(recording, RECORDING_SIDE, RECORDING_SIDE, &own);
}

static struct owner *make_frame(struct recording *recording, uint32_t width, uint32_t height)
{
    const struct weir_blocks_layout layout = weir_blocks_get_layout(recording->codec, width,
                                                                    height);
    const uint32_t last = layout.num_textures - 1;
    struct owner *owner = allocate(sizeof(*owner));
    *owner = (struct owner){
        .recording = recording,
        .number = recording->num_accepted,
        .data = allocate(layout.size),
        .size = layout.size,
        .textures_size = layout.offsets[last] + layout.sizes[last] - layout.offsets[0],
    };
    owner->textures = owner->data + layout.offsets[0];
    return owner;
}

// Hand over a frame. `copy`: what it holds, or NULL; one that is refused is unchanged.
static enum weir_result hand_over(struct owner *owner, uint32_t width, uint32_t height,
                                  int64_t time_ns, const uint8_t *copy)
{
    struct recording *recording = owner->recording;
    const struct weir_blocks blocks = {
        .width = width, .height = height, .data = owner->data, .time_ns = time_ns, .owner = owner};
    const enum weir_result result = weir_capture_blocks(recording->capture, &blocks);
    if (result == WEIR_OK) {
        recording->num_accepted++;
    } else {
        test_expect(!copy || memcmp(copy, owner->textures, owner->textures_size) == 0,
                    "%s: the memory is unchanged", weir_result_name(result));
        free_owner(owner);
    }
    return result;
}

static void fill_blocks(struct owner *owner, const uint8_t *block, size_t block_size)
{
    for (size_t i = 0; i < owner->textures_size; i += block_size) {
        memcpy(owner->textures + i, block, block_size);
    }
}

enum weir_result recording_present(struct recording *recording, int64_t time_ns, bool is_white)
{
    // Y in both endpoints of BC4, Co and Cg in the middle.
    const uint8_t y = is_white ? 255 : 0;
    const uint8_t block[16] = {y, y, 0, 0, 0, 0, 0, 0, 0x00, 0x84, 0x00, 0x84, 0, 0, 0, 0};
    struct owner *owner = make_frame(recording, RECORDING_SIDE, RECORDING_SIDE);
    fill_blocks(owner, block, sizeof(block));
    return hand_over(owner, RECORDING_SIDE, RECORDING_SIDE, time_ns, NULL);
}

// Of 6 bits.
static uint32_t green_code(uint32_t number)
{
    return number * 7 % 64;
}

uint8_t recording_green(uint32_t number)
{
    return (uint8_t)((green_code(number) * 255 + 31) / 63);
}

enum weir_result recording_present_green(struct recording *recording, uint32_t width,
                                         uint32_t height, int64_t time_ns)
{
    const uint32_t color = green_code(recording->num_accepted) << 5; // in both endpoints of BC1
    const uint8_t block[8] = {(uint8_t)color, (uint8_t)(color >> 8), (uint8_t)color,
                              (uint8_t)(color >> 8)};
    struct owner *owner = make_frame(recording, width, height);
    fill_blocks(owner, block, sizeof(block));
    return hand_over(owner, width, height, time_ns, NULL);
}

enum weir_result recording_present_random(struct recording *recording, uint32_t width,
                                          uint32_t height, int64_t time_ns)
{
    struct owner *owner = make_frame(recording, width, height);
    const size_t size = owner->textures_size;
    test_random_bytes(owner->textures, size);
    for (size_t i = 16; i + 16 <= size; i += 16) {
        if (test_random() % 2) {
            memcpy(owner->textures + i, owner->textures + i - 16, 16);
        }
    }
    uint8_t *copy = allocate(size);
    memcpy(copy, owner->textures, size);
    const uint32_t number = recording->num_accepted;
    const enum weir_result result = hand_over(owner, width, height, time_ns, copy);
    if (result == WEIR_OK) {
        recording->frames[number] = (struct recording_frame){width, height, copy, size};
    } else {
        free(copy);
    }
    return result;
}

enum weir_result recording_lose(struct recording *recording, uint32_t width, uint32_t height,
                                int64_t time_ns)
{
    const struct weir_blocks blocks = {.width = width, .height = height, .time_ns = time_ns};
    return weir_capture_blocks(recording->capture, &blocks);
}

void recording_wait_written(const struct recording *recording, uint64_t num_frames)
{
    while (weir_capture_get_stats(recording->capture).written < num_frames) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void check_end(const struct recording *recording, const struct weir_capture_stats *stats)
{
    const struct weir_audio_stats *audio = &stats->audio;
    test_expect(atomic_load(&recording->num_released) == recording->num_accepted &&
                    !atomic_load(&recording->is_out_of_order),
                "%u of %u frames came back in order", atomic_load(&recording->num_released),
                recording->num_accepted);
    test_expect(stats->in_flight == 0 &&
                    stats->received == stats->written + stats->dropped + stats->skipped,
                "received %llu = written %llu + dropped %llu + skipped %llu",
                (unsigned long long)stats->received, (unsigned long long)stats->written,
                (unsigned long long)stats->dropped, (unsigned long long)stats->skipped);
    test_expect(audio->in_flight == 0 &&
                    audio->received + audio->silence == audio->written + audio->dropped,
                "samples: received %llu + silence %llu = written %llu + dropped %llu",
                (unsigned long long)audio->received, (unsigned long long)audio->silence,
                (unsigned long long)audio->written, (unsigned long long)audio->dropped);
}

struct weir_capture_stats recording_end(struct recording *recording, enum weir_result want)
{
    struct weir_capture_stats stats;
    const enum weir_result result = weir_capture_close(&recording->capture, &stats);
    check_end(recording, &stats);
    test_expect(result == want, "close: %s: %s", weir_result_name(result), test_log_text());
    return stats;
}

struct weir_capture_stats recording_end_at(struct recording *recording, int64_t time_ns,
                                           enum weir_result want)
{
    struct weir_capture_stats stats;
    const enum weir_result result = weir_capture_close_at(&recording->capture, time_ns, &stats);
    check_end(recording, &stats);
    test_expect(result == want, "close: %s: %s", weir_result_name(result), test_log_text());
    return stats;
}

void recording_finish(struct recording *recording)
{
    for (uint32_t i = 0; i < recording->num_accepted && i < RECORDING_MAX_FRAMES; i++) {
        free(recording->frames[i].textures);
    }
    *recording = (struct recording){.num_accepted = 0};
}

void packet_model_init(struct packet_model *model, const struct recording *recording,
                       const struct weir_capture_params *params, uint32_t width, uint32_t height)
{
    const struct weir_packer_params packer = {
        .codec = params->codec,
        .width = width,
        .height = height,
        .snappy = params->rate.compression == WEIR_COMPRESSION_SNAPPY,
        .num_chunks = params->rate.num_chunks,
    };
    *model = (struct packet_model){
        .recording = recording,
        .memory = allocate(weir_blocks_get_layout(params->codec, width, height).size),
    };
    TEST_MUST(weir_packer_create(&packer, &test_log, &model->packer));
}

void packet_model_finish(struct packet_model *model)
{
    weir_packer_destroy(&model->packer);
    free(model->memory);
}

bool packet_model_check(struct packet_model *model, uint32_t frame, const uint8_t *packet,
                        size_t size)
{
    const struct recording_frame *given = &model->recording->frames[frame];
    uint8_t *textures = model->memory + WEIR_PACKET_HEADROOM;
    memcpy(textures, given->textures, given->size);
    const struct weir_packet want = weir_packer_pack(model->packer, textures);
    return test_expect(want.size == size && memcmp(want.data, packet, size) == 0,
                       "frame %u, %ux%u: its packet of %zu bytes", frame, given->width,
                       given->height, size);
}
