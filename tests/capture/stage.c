// SPDX-License-Identifier: MIT
// A capture without a device: writer, sound and sink are the real ones, frames are black or white.
#include "stage.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/stream/clock/ticks.h"
#include "capture/stream/mux/replay.h"
#include "testing.h"

static enum weir_result wait_slot(void *user, uint32_t slot, uint64_t timeout_ns,
                                  struct weir_readback_data *data)
{
    struct stage *stage = user;
    (void)timeout_ns;
    *data = (struct weir_readback_data){.data = stage->slots[slot].bytes + 8, .size = STAGE_SIZE};
    return WEIR_OK;
}

static void release_slot(void *user, uint32_t slot)
{
    struct stage *stage = user;
    memset(stage->slots[slot].bytes, 0xee, sizeof(stage->slots[slot].bytes));
    test_expect(atomic_exchange(&stage->slots[slot].is_taken, false), "slot %u is given back twice",
                slot);
}

// Blocks of one colour: Y in both endpoints of BC4, Co and Cg in the middle.
static void fill_slot(struct stage_slot *slot, bool is_white)
{
    const uint8_t y = is_white ? 255 : 0;
    const uint8_t block[16] = {y, y, 0, 0, 0, 0, 0, 0, 0x00, 0x84, 0x00, 0x84, 0, 0, 0, 0};
    for (int i = 0; i < STAGE_SIZE; i += 16) {
        memcpy(slot->bytes + 8 + i, block, sizeof(block));
    }
}

// Take the first slot that is free.
static uint32_t take_slot(struct stage *stage, bool is_white)
{
    uint32_t slot = 0;
    while (slot < STAGE_NUM_SLOTS && atomic_load(&stage->slots[slot].is_taken)) {
        slot++;
    }
    test_expect(!atomic_exchange(&stage->slots[slot].is_taken, true), "no slot is free");
    fill_slot(&stage->slots[slot], is_white);
    return slot;
}

static void make_writer(struct stage *stage, const struct stage_params *params,
                        const struct weir_mux_params *mux)
{
    const struct weir_packer_params packer = {.codec = WEIR_MOVIE_CODEC_HAP_Q,
                                              .width = STAGE_SIDE,
                                              .height = STAGE_SIDE,
                                              .snappy = params->snappy};
    stage->drops = (struct weir_drop_log){.stats = &stage->stats, .log = &test_log};
    stage->writer = (struct weir_writer){
        .ring = &stage->ring,
        .stats = &stage->stats,
        .drops = &stage->drops,
        .audio = params->num_tracks > 0 ? &stage->sound : NULL,
        .chapters = &stage->chapters,
        .log = test_log,
        .ticks_per_second = mux->ticks_per_second,
        .ticks_per_frame = params->constant_rate ? mux->ticks_per_frame : 0,
        .max_gap_ns = mux->max_gap_ns,
    };
    stage->encoding.source = (struct weir_slot_source){
        .wait = wait_slot, .release = release_slot, .user = stage};
    if (weir_packer_create(&packer, &test_log, &stage->encoding.packer) != WEIR_OK) {
        exit(1);
    }
    weir_ring_init(&stage->ring, STAGE_NUM_SLOTS);
}

static enum weir_result open_mux(struct stage *stage, const struct stage_params *params,
                                 const struct weir_mux_params *mux)
{
    // Tests save when all is written: no more sound will come.
    const struct weir_replay_params replay = {.window_ns = params->replay_ns,
                                              .size = STAGE_REPLAY_SIZE,
                                              .patience_ns = 1,
                                              .stats = &stage->stats};
    return params->replay_ns > 0 ? weir_replay_open(&replay, params->ops, mux, &stage->writer.mux)
                                 : params->ops->open(mux, &stage->writer.mux);
}

void stage_open(struct stage *stage, const struct stage_params *params)
{
    *stage = (struct stage){.num_frames = 0};
    struct weir_audio_params sound = {
        .tracks = params->tracks,
        .num_tracks = params->num_tracks,
        .buffer_ms = params->buffer_ms > 0 ? params->buffer_ms : 4000,
        .waits = params->waits,
        .stats = &stage->stats,
        .log = &test_log,
        .pauses = &stage->pauses,
        .ring = &stage->ring,
    };
    struct weir_mux_params mux = test_movie(params->path, STAGE_SIDE, STAGE_SIDE);
    mux.audio_tracks = params->tracks;
    mux.num_audio_tracks = params->num_tracks;
    mux.callbacks = params->callbacks;
    if (params->rate_num > 0) {
        mux.rate_num = params->rate_num;
        mux.rate_den = params->rate_den;
        mux.ticks_per_second = weir_ticks_per_second(mux.rate_num, mux.rate_den);
        mux.ticks_per_frame = weir_ticks_per_frame(mux.rate_num, mux.rate_den,
                                                   mux.ticks_per_second);
    }
    const struct weir_times_params times = {
        .rate_num = mux.rate_num,
        .rate_den = mux.rate_den,
        .constant_rate = params->constant_rate,
        .has_segments = true,
        .pauses = &stage->pauses,
    };
    weir_times_init(&stage->times, &times);
    mux.segment_ns = params->segment_ns;
    mux.segment_bytes = params->segment_bytes;
    mux.max_gap_ns = stage->times.max_gap_ns;
    mux.audio_buffer_ns = sound.buffer_ms * UINT64_C(1000000);
    mux.counts = &stage->stats.writer;
    mux.timecode = params->timecode;
    sound.max_gap_ns = weir_ticks_max_gap_ns(mux.ticks_per_second);
    sound.max_frame_gap_ns = mux.max_gap_ns;
    make_writer(stage, params, &mux);
    if (!test_expect(weir_pauses_init(&stage->pauses) &&
                         weir_pending_chapters_init(&stage->chapters, &stage->pauses) &&
                         weir_audio_init(&stage->sound, &sound) == WEIR_OK &&
                         open_mux(stage, params, &mux) == WEIR_OK &&
                         weir_writer_start(&stage->writer) == WEIR_OK,
                     "open: %s", test_log_text())) {
        exit(1);
    }
}

static void count_received(struct stage *stage, bool is_skipped)
{
    weir_counts_begin(&stage->stats.render);
    weir_counts_add(&stage->stats.render, WEIR_COUNT_RECEIVED, 1);
    weir_counts_add(&stage->stats.render, WEIR_COUNT_SKIPPED, is_skipped);
    weir_counts_end(&stage->stats.render);
}

bool stage_frame(struct stage *stage, int64_t time_ns, bool is_white)
{
    const struct weir_times_place place = weir_times_place(&stage->times, time_ns);
    if (place.verdict == WEIR_TIMES_SKIP) {
        count_received(stage, true);
        return false;
    }
    test_expect(place.verdict == WEIR_TIMES_RECORD, "frame %d follows", (int)stage->num_frames);
    weir_ring_reserve(&stage->ring);
    if (weir_times_record(&stage->times, &place)) {
        stage->writer.first_ns = stage->times.first_ns;
    }
    count_received(stage, false);
    atomic_fetch_add(&stage->encoding.num_in_flight, 1);
    const struct weir_ring_item item = {
        .encoding = &stage->encoding,
        .slot = take_slot(stage, is_white),
        .is_submitted = true,
        .is_encoded = true,
        .number = stage->num_frames++,
        .time_ns = place.movie_ns,
    };
    weir_ring_push(&stage->ring, &item);
    return true;
}

enum weir_result stage_audio(struct stage *stage, uint32_t track, const void *samples,
                             uint32_t num_samples, int64_t time_ns)
{
    return weir_audio_push(&stage->sound, track, samples, num_samples, time_ns);
}

void stage_wait_written(const struct stage *stage, uint64_t num_frames)
{
    while (weir_stats_snapshot(&stage->stats).written < num_frames) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

enum weir_result stage_close(struct stage *stage, struct weir_capture_stats *stats)
{
    const enum weir_result result = weir_writer_finish(&stage->writer);
    weir_audio_finish(&stage->sound);
    weir_pending_chapters_finish(&stage->chapters);
    weir_pauses_finish(&stage->pauses);
    *stats = weir_stats_snapshot(&stage->stats);
    const struct weir_audio_stats *audio = &stats->audio;
    test_expect(audio->in_flight == 0 &&
                    audio->received + audio->silence == audio->written + audio->dropped,
                "samples: received %llu + silence %llu = written %llu + dropped %llu",
                (unsigned long long)audio->received, (unsigned long long)audio->silence,
                (unsigned long long)audio->written, (unsigned long long)audio->dropped);
    for (int i = 0; i <= STAGE_NUM_SLOTS; i++) {
        test_expect(!stage->slots[i].is_taken, "slot %d is given back", i);
    }
    test_expect(atomic_load(&stage->encoding.num_in_flight) == 0, "no frame is in flight");
    weir_packer_destroy(&stage->encoding.packer);
    weir_ring_finish(&stage->ring);
    return result;
}
