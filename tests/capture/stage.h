// SPDX-License-Identifier: MIT
// A capture without a device: writer, sound and sink are the real ones, frames are black or white.
#ifndef WEIR_TESTS_CAPTURE_STAGE_H
#define WEIR_TESTS_CAPTURE_STAGE_H

#include "capture/stream/clock/times.h"
#include "capture/stream/writer/writer.h"

enum { STAGE_SIDE = 16, STAGE_NUM_SLOTS = 4, STAGE_SIZE = STAGE_SIDE * STAGE_SIDE };

#define STAGE_REPLAY_SIZE (4u << 20) // of its memory [bytes]

struct stage {
    struct weir_ring ring;
    struct weir_stats stats;
    struct weir_drop_log drops;
    struct weir_audio sound;
    struct weir_pauses pauses;
    struct weir_pending_chapters chapters; // weir_pending_chapters_add() begins one
    struct weir_writer writer;
    struct weir_encoding encoding;
    uint64_t num_frames;
    struct weir_times times;
    // One more than are in flight. A slot that is given back is overwritten.
    struct stage_slot {
        atomic_bool is_taken;
        uint8_t bytes[8 + STAGE_SIZE]; // behind room for a header
    } slots[STAGE_NUM_SLOTS + 1];
};

struct stage_params {
    const struct weir_mux_ops *ops;
    const char *path;
    struct weir_sink_callbacks callbacks;
    const struct weir_audio_track *tracks;
    uint32_t num_tracks;
    uint32_t buffer_ms; // 0 = 4000
    bool waits;
    uint32_t rate_num, rate_den; // 0 = 60/1
    bool constant_rate;
    bool snappy;
    uint64_t segment_ns, segment_bytes; // for weir_mux_segments
    struct weir_timecode timecode;
    uint64_t replay_ns; // the sink is inside a replay of that length
};

// Ends the program where it fails.
void stage_open(struct stage *stage, const struct stage_params *params);

// Hand over a frame, or samples, as weir_capture_frame() and weir_capture_audio() do. Pauses are
// made by weir_pauses_begin() and weir_pauses_end() on stage->pauses. False: the frame is skipped.
bool stage_frame(struct stage *stage, int64_t time_ns, bool is_white);
enum weir_result stage_audio(struct stage *stage, uint32_t track, const void *samples,
                             uint32_t num_samples, int64_t time_ns);

// Wait until so many frames are written.
void stage_wait_written(const struct stage *stage, uint64_t num_frames);

// Close it, check that the counts add up, and get the result and them.
enum weir_result stage_close(struct stage *stage, struct weir_capture_stats *stats);

#endif
