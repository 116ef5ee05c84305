// SPDX-License-Identifier: MIT
// The path of a frame from the host's call into the ring, whether it is rendered or blocks already.
#ifndef WEIR_CAPTURE_STREAM_SUBMIT_H
#define WEIR_CAPTURE_STREAM_SUBMIT_H

#include <stdint.h>

#include <weir/blocks.h>
#include <weir/capture.h>

#include "capture/stream/encoding.h"
#include "capture/stream/ring/ring.h"

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

// Refuse a frame: it is given back, and it is not counted. Returns `answer`, or the failure of
// giving it back.
enum weir_result weir_submit_refuse(weir_capture *capture, const struct weir_submission *submission,
                                    enum weir_result answer);

// Rendered frames and blocks differ only here. Bring a frame into a slot of the current encoding,
// and fill in `item`, whose time is set, except for its number. WEIR_NOT_READY: there is no slot.
// After an error `item` has an encoding if a slot was used, which goes to the writer.
enum weir_result weir_submit_image(weir_capture *capture, const struct weir_submission *submission,
                                   struct weir_ring_item *item);
enum weir_result weir_submit_blocks(weir_capture *capture, const struct weir_submission *submission,
                                    struct weir_ring_item *item);

#endif
