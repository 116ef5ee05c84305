// SPDX-License-Identifier: MIT
// A frame that is handed over: what becomes of it, whether it is rendered or blocks already.
#ifndef WEIR_CAPTURE_STREAM_INCOMING_H
#define WEIR_CAPTURE_STREAM_INCOMING_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

#include "capture/stream/kind.h"
#include "capture/stream/ring/ring.h"

struct weir_incoming;

// What differs between frames that are rendered and frames of blocks.
struct weir_incoming_ops {
    // Give back what came with a frame that is not taken. Errors: those of weir_readback_pass().
    enum weir_result (*pass)(weir_capture *capture, const struct weir_incoming *frame);
    // Bring a frame of the current kind into a slot, and push it, or give the room back that was
    // taken for it, and drop it. Returns the answer of the call.
    enum weir_result (*fill)(weir_capture *capture, const struct weir_incoming *frame);
};

// The beginning of either's struct.
struct weir_incoming {
    const struct weir_incoming_ops *ops;
    struct weir_kind_like like;
    int64_t time_ns;
    bool is_lost; // it never came: where it would be taken it is dropped, as if there was no room
};

// Begin a call that hands a frame over: the clock is read, and old kinds are freed.
void weir_incoming_begin(weir_capture *capture);

// Check that a frame has the size of those before it. Errors: WEIR_ERROR_INVALID.
enum weir_result weir_incoming_check_size(const weir_capture *capture,
                                          const struct weir_kind_like *like);

// Take a frame that was checked: fill it, drop it, skip it, or refuse it. It is counted, unless it
// is refused. Returns the answer of the call.
enum weir_result weir_incoming_take(weir_capture *capture, const struct weir_incoming *frame);

// Refuse a frame: what came with it is given back, and it is not counted. Returns `answer`, or that
// of a failure of giving it back.
enum weir_result weir_incoming_refuse(weir_capture *capture, const struct weir_incoming *frame,
                                      enum weir_result answer);

// For fill(): drop the frame after all. Returns `answer`, likewise.
enum weir_result weir_incoming_drop(weir_capture *capture, const struct weir_incoming *frame,
                                    enum weir_drop_reason reason, enum weir_result answer);

// For fill(): put a frame into the movie that goes to the writer. Returns its time there.
uint64_t weir_incoming_put_time(weir_capture *capture, const struct weir_incoming *frame);

// For fill(): count a frame, and hand its slot to the writer. `item` lacks its number.
void weir_incoming_push(weir_capture *capture, struct weir_ring_item *item);

#endif
