// SPDX-License-Identifier: MIT
// The writer: a thread that waits for the GPU, builds packets and gives them to a sink, and audio.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/chapter.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/stream/audio/audio.h"
#include "capture/stream/clock/clock.h"
#include "capture/stream/encoding.h"
#include "capture/stream/mux/mux.h"
#include "capture/stream/previews.h"
#include "capture/stream/rate/control.h"
#include "capture/stream/ring/ring.h"
#include "capture/stream/sidecar.h"
#include "capture/stream/stats.h"

struct weir_pending_chapter {
    int64_t time_ns; // by the host's clock
    char title[WEIR_MAX_CHAPTER_TITLE + 1];
};

struct weir_pending_chapters {
    struct weir_pauses *pauses;         // borrowed
    pthread_mutex_t lock;               // protects the members from here on
    struct weir_pending_chapter *items; // by their times; room for WEIR_MAX_CHAPTERS
    uint32_t num;
    bool has_left_out;
};

// False: out of memory.
bool weir_pending_chapters_init(struct weir_pending_chapters *chapters, struct weir_pauses *pauses);
void weir_pending_chapters_finish(struct weir_pending_chapters *chapters);

// Get and remove the first chapter that begins before `until_ns`, a time since `first_ns` by the
// movie clock. `time_ns` gets its own time since then, 0 for one before. False: there is none.
bool weir_pending_chapters_next(struct weir_pending_chapters *chapters, int64_t first_ns,
                                uint64_t until_ns, struct weir_pending_chapter *chapter,
                                uint64_t *time_ns);

// Everything is borrowed until the writer has finished; `mux` is closed by it.
struct weir_writer {
    struct weir_ring *ring;
    struct weir_stats *stats; // the writer's half of it
    struct weir_drop_log *drops;
    struct weir_mux *mux;                   // set before the first push
    struct weir_audio *audio;               // NULL: there is none
    struct weir_pending_chapters *chapters; // NULL: there are none
    struct weir_previews *previews;
    struct weir_sidecar *sidecar; // NULL: there is none; set before the first push
    struct weir_rate_loop *rate;  // NULL: there is none; set before the first push
    int64_t first_ns; // of the first frame, by the movie clock; set before the first push
    struct weir_log log;
    uint32_t ticks_per_second;
    // Constant rate: times are multiples of it, and there is a frame at each of them. 0: variable.
    uint32_t ticks_per_frame;
    uint64_t max_gap_ns; // constant rate: behind a longer one begins another movie
    // Of the movie, since its first frame; set before the ring is closed. 0: its last frame has the
    // nominal duration.
    uint64_t end_ns;

    pthread_t thread;
    atomic_int failure;         // enum weir_result: the first failure, for every thread to read
    uint64_t next_ticks;        // the first free tick
    uint64_t pack_ns, write_ns; // what the last packet took
    uint64_t repeated_size;     // of packets that were written again since the last frame [bytes]
    // Constant rate: the packet that was written last, its slot and its encoding, kept until the
    // next one comes. No encoding: nothing is kept.
    struct weir_mux_packet kept;
    struct weir_encoding *kept_encoding;
    uint32_t kept_slot;
    uint64_t audio_ns; // time of the frame at which audio begins, since the first frame
};

// Start the thread on a writer whose fields above `thread` are set. Errors:
// WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_writer_start(struct weir_writer *writer);

// Get the first failure, of the sink (WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL,
// WEIR_ERROR_OUT_OF_MEMORY) or of the device (WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN), or
// WEIR_OK. After a failure every item is dropped and its room given back. Thread safety: any
// thread.
enum weir_result weir_writer_failure(struct weir_writer *writer);

// True for a failure of the device. Frames that it drops count as WEIR_DROP_DEVICE.
bool weir_writer_is_device_failure(enum weir_result failure);

// Close the ring, write the frames in it, end the thread, close the sink. Returns the first
// failure.
enum weir_result weir_writer_finish(struct weir_writer *writer);
