// SPDX-License-Identifier: MIT
// The inside of a capture, for the files that open it and that hand frames to it, and the path of a
// frame from the host's call into the ring, whether it is rendered or blocks already.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/blocks.h>
#include <weir/capture.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/stream/audio/audio.h"
#include "capture/stream/clock/clock.h"
#include "capture/stream/encoding.h"
#include "capture/stream/mux/replay.h"
#include "capture/stream/previews.h"
#include "capture/stream/rate/control.h"
#include "capture/stream/ring/ring.h"
#include "capture/stream/sidecar.h"
#include "capture/stream/stats.h"
#include "capture/stream/writer/writer.h"

// Whose memory frames of blocks lie in until the writer is done with them.
struct weir_block_slots {
    void (*release)(void *user, void *owner); // weir_blocks_params.release
    void *user;
    uint32_t num, next; // that there are; the next one
    struct weir_block_slot {
        uint8_t *textures; // the first one, with free space before it
        void *owner;
    } slots[WEIR_RING_MAX_ITEMS];
};

struct weir_capture {
    struct weir_capture_params params;
    weir_context *context; // NULL: frames are blocks
    struct weir_log log;
    struct weir_block_slots slots; // of frames that are blocks
    struct weir_encodings encodings;
    struct weir_ring ring;
    struct weir_writer writer;
    struct weir_audio audio;
    struct weir_pending_chapters chapters;
    struct weir_previews previews;
    struct weir_pauses pauses;    // made by the thread that submits frames
    struct weir_sidecar *sidecar; // NULL: none
    struct weir_replay *replay;   // the writer's sink; NULL: none
    bool has_ring, has_writer;
    struct weir_stats stats;
    struct weir_drop_log drops;

    // Used only by the thread that submits frames.
    uint64_t num_frames;
    struct weir_times times;
    uint64_t now_ns;             // by the clock, when the call for this frame began
    struct weir_rate_loop *rate; // shared with the writer; NULL: there is none
};

// Where the frames of a capture come from.
struct weir_capture_origin {
    weir_context *context;                   // they are rendered; else NULL
    const struct weir_blocks_params *blocks; // they are blocks; else NULL
    struct weir_log log;
    struct weir_frame_format format; // of the first ones
};

// Open a capture, as weir_capture_open() does. `*out` is NULL.
enum weir_result weir_capture_open_at(const struct weir_capture_origin *origin,
                                      const struct weir_capture_params *params, weir_capture **out);

// Get the slots of blocks as the writer's source. They are borrowed.
struct weir_slot_source weir_block_slots_source(struct weir_block_slots *slots);

// A frame that the host submits.
struct weir_submission {
    struct weir_frame_format format;
    int64_t time_ns;
    const struct weir_frame *frame;   // a rendered one; else NULL
    struct weir_point *released;      // or NULL
    const struct weir_blocks *blocks; // blocks; else NULL
};

// Begin a call that submits a frame: read the clock, and free encodings that nobody uses any more.
void weir_submit_begin(weir_capture *capture);

// Check that a frame has the size of those before it. Errors: WEIR_ERROR_INVALID.
enum weir_result weir_submit_check_size(const weir_capture *capture,
                                        const struct weir_frame_format *format);

// Submit a frame that was checked: it is recorded, skipped, dropped or refused. It is counted,
// unless it is refused. Returns the answer of the call.
enum weir_result weir_submit(weir_capture *capture, const struct weir_submission *submission);

// Bring a frame of blocks into the next slot, and fill in `item`, whose time is set, except for its
// number.
void weir_submit_blocks(weir_capture *capture, const struct weir_submission *submission,
                        struct weir_ring_item *item);

// Fill in the defaults, and check the ranges; an error names the field. The frames have width x
// height texels. The encoder and the readback check the limits of the device and the formats.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED.
enum weir_result weir_capture_check_params(const struct weir_log *log, uint32_t width,
                                           uint32_t height, struct weir_capture_params *params);

// Check if frames of that size can be captured, and warn of players that do not show it.
// Errors: WEIR_ERROR_INVALID.
enum weir_result weir_capture_check_size(const struct weir_log *log, uint32_t width,
                                         uint32_t height, const struct weir_capture_params *params);

// Log that a field's value lies outside its range. Returns WEIR_ERROR_INVALID.
enum weir_result weir_params_out_of_range(const struct weir_log *log, const char *field,
                                          uint64_t value, uint64_t least, uint64_t most);

// Set a number that is 0 to its default, and check the range of any other one.
enum weir_result weir_params_set_number(const struct weir_log *log, const char *field,
                                        uint32_t *value, uint32_t when_zero, uint32_t least,
                                        uint32_t most);
