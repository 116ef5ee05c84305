// SPDX-License-Identifier: MIT
// The inside of a capture, for the files that open it and that hand frames to it.
#ifndef WEIR_CAPTURE_STREAM_STATE_H
#define WEIR_CAPTURE_STREAM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/blocks.h>
#include <weir/capture.h>

#include "capture/stream/audio/sound.h"
#include "capture/stream/block_slots.h"
#include "capture/stream/chapter_queue.h"
#include "capture/stream/clock/pauses.h"
#include "capture/stream/clock/times.h"
#include "capture/stream/drops.h"
#include "capture/stream/kind.h"
#include "capture/stream/mux/replay.h"
#include "capture/stream/rate/loop.h"
#include "capture/stream/ring/ring.h"
#include "capture/stream/sidecar.h"
#include "capture/stream/stats.h"
#include "capture/stream/writer/writer.h"

struct weir_capture {
    struct weir_capture_params params;
    weir_context *context; // NULL: frames are blocks
    struct weir_log log;
    struct weir_block_slots slots; // of frames that are blocks
    struct weir_kinds kinds;
    struct weir_ring ring;
    struct weir_writer writer;
    struct weir_sound sound;
    struct weir_chapter_queue chapters;
    struct weir_pauses pauses;    // made by the thread that hands frames over
    struct weir_sidecar *sidecar; // NULL: none
    struct weir_replay *replay;   // the writer's sink; NULL: none
    bool has_ring, has_writer;
    struct weir_stats stats;
    struct weir_drop_log drops;

    // Used only by the thread that hands frames over.
    uint64_t num_frames;
    struct weir_times times;
    uint64_t now_ns;             // by the clock, when the call for this frame began
    struct weir_rate_loop *rate; // shared with the writer; NULL: there is none
    bool has_told_short, has_told_over;
};

// Where the frames of a capture come from.
struct weir_capture_origin {
    weir_context *context;                   // they are rendered; else NULL
    const struct weir_blocks_params *blocks; // they are blocks; else NULL
    struct weir_log log;
    struct weir_kind_like like; // of the first ones; the caller has checked that there are some
};

// Open a capture, as weir_capture_open() does. `*out` is NULL.
enum weir_result weir_capture_open_at(const struct weir_capture_origin *origin,
                                      const struct weir_capture_params *params, weir_capture **out);

// Choose the quality of a frame, and write it to the controls of its slot, which are NULL where
// frames are not optimised. `time_ns`: in the movie. Returns it.
double weir_capture_choose_quality(weir_capture *capture, const struct weir_kind *kind,
                                   uint64_t time_ns, void *control);

// With a rate: note where the frame is that was submitted; `kind` is NULL for one that failed.
// Returns its number there.
uint64_t weir_capture_note_rate(weir_capture *capture, const struct weir_kind *kind, uint32_t slot);

// Make what a rate needs. Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_capture_open_rate(weir_capture *capture);

#endif
