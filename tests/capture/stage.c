// SPDX-License-Identifier: MIT
// A capture without a device: writer, sound and sink are the real ones, frames are black or white.
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#include "capture/stream/clock/ticks.h"
#include "testing.h"

static enum weir_result wait_slot(void *user, uint32_t slot, uint64_t timeout_ns,
                                  struct weir_readback_data *data)
{
    struct stage *stage = user;
    (void)timeout_ns;
    *data = (struct weir_readback_data){.data = stage->blocks[stage->is_white[slot]] + 8,
                                        .size = STAGE_SIZE};
    return WEIR_OK;
}

static void release_slot(void *user, uint32_t slot)
{
    (void)user;
    (void)slot;
}

static void wake(void *user)
{
    weir_ring_wake(user);
}

// Blocks of one colour: Y in both endpoints of BC4, Co and Cg in the middle.
static void make_blocks(struct stage *stage)
{
    for (int white = 0; white < 2; white++) {
        for (int i = 0; i < STAGE_SIZE; i += 16) {
            const uint8_t y = white ? 255 : 0;
            const uint8_t block[16] = {y, y, 0, 0, 0, 0, 0, 0, 0x00, 0x84, 0x00, 0x84, 0, 0, 0, 0};
            memcpy(stage->blocks[white] + 8 + i, block, sizeof(block));
        }
    }
}

static void make_writer(struct stage *stage, bool has_sound)
{
    const struct weir_packer_params packer = {
        .codec = WEIR_MOVIE_CODEC_HAP_Q, .width = STAGE_SIDE, .height = STAGE_SIDE};
    stage->drops = (struct weir_drop_log){.stats = &stage->stats, .log = &test_log};
    stage->writer = (struct weir_writer){
        .ring = &stage->ring,
        .stats = &stage->stats,
        .drops = &stage->drops,
        .sound = has_sound ? &stage->sound : NULL,
        .log = test_log,
        .ticks_per_second = 90000,
    };
    stage->kind.source = (struct weir_writer_source){
        .wait = wait_slot, .release = release_slot, .user = stage};
    if (weir_packer_create(&packer, &test_log, &stage->kind.packer) != WEIR_OK) {
        exit(1);
    }
    weir_ring_init(&stage->ring, STAGE_NUM_SLOTS);
}

void stage_open(struct stage *stage, const struct stage_params *params)
{
    *stage = (struct stage){.num_frames = 0};
    make_blocks(stage);
    make_writer(stage, params->num_tracks > 0);
    const struct weir_sound_params sound = {
        .tracks = params->tracks,
        .num_tracks = params->num_tracks,
        .buffer_ms = params->buffer_ms > 0 ? params->buffer_ms : 4000,
        .max_gap_ns = weir_ticks_max_gap_ns(stage->writer.ticks_per_second),
        .waits = params->waits,
        .stats = &stage->stats,
        .log = &test_log,
        .wake = wake,
        .user = &stage->ring,
    };
    struct weir_mux_params mux = test_movie(params->path, STAGE_SIDE, STAGE_SIDE);
    mux.audio_tracks = params->tracks;
    mux.num_audio_tracks = params->num_tracks;
    mux.callbacks = params->callbacks;
    mux.segment_ns = params->segment_ns;
    mux.segment_bytes = params->segment_bytes;
    mux.audio_buffer_ns = sound.buffer_ms * UINT64_C(1000000);
    mux.counts = &stage->stats.writer;
    if (!test_expect(weir_sound_init(&stage->sound, &sound) == WEIR_OK &&
                         params->ops->open(&mux, &stage->writer.mux) == WEIR_OK &&
                         weir_writer_start(&stage->writer) == WEIR_OK,
                     "open: %s", test_log_text())) {
        exit(1);
    }
}

void stage_frame(struct stage *stage, int64_t time_ns, bool is_white)
{
    weir_ring_wait_room(&stage->ring);
    if (stage->num_frames == 0) {
        stage->first_ns = stage->writer.first_ns = time_ns;
    }
    const uint32_t slot = (uint32_t)(stage->num_frames % STAGE_NUM_SLOTS);
    stage->is_white[slot] = is_white;
    weir_counts_begin(&stage->stats.render);
    weir_counts_add(&stage->stats.render, WEIR_COUNT_RECEIVED, 1);
    weir_counts_end(&stage->stats.render);
    atomic_fetch_add(&stage->kind.num_in_flight, 1);
    const struct weir_ring_item item = {
        .kind = &stage->kind,
        .slot = slot,
        .is_submitted = true,
        .is_encoded = true,
        .number = stage->num_frames++,
        .time_ns = (uint64_t)(time_ns - stage->first_ns),
    };
    weir_ring_push(&stage->ring, &item);
}

enum weir_result stage_audio(struct stage *stage, uint32_t track, const void *samples,
                             uint32_t num_samples, int64_t time_ns)
{
    return weir_sound_push(&stage->sound, track, samples, num_samples, time_ns);
}

enum weir_result stage_close(struct stage *stage, struct weir_capture_stats *stats)
{
    const enum weir_result result = weir_writer_finish(&stage->writer);
    weir_sound_finish(&stage->sound);
    *stats = weir_stats_snapshot(&stage->stats);
    const struct weir_audio_stats *audio = &stats->audio;
    test_expect(audio->in_flight == 0 &&
                    audio->received + audio->silence == audio->written + audio->dropped,
                "samples: received %llu + silence %llu = written %llu + dropped %llu",
                (unsigned long long)audio->received, (unsigned long long)audio->silence,
                (unsigned long long)audio->written, (unsigned long long)audio->dropped);
    test_expect(atomic_load(&stage->kind.num_in_flight) == 0, "no frame is in flight");
    weir_packer_destroy(&stage->kind.packer);
    weir_ring_finish(&stage->ring);
    return result;
}
