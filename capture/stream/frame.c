// SPDX-License-Identifier: MIT
// Takes a rendered frame: checks it, and encodes it into a slot. Every frame is counted.
#include <weir/capture.h>

#include "capture/stream/incoming.h"
#include "capture/stream/state.h"

struct rendered {
    struct weir_incoming incoming;
    const struct weir_frame *frame;
    struct weir_point *released; // or NULL
};

// Refuse a frame of another kind than those before it, where the movie has to go on.
static enum weir_result refuse_kind(const weir_capture *capture, const struct weir_kind_like *like)
{
    if (weir_incoming_check_size(capture, like) == WEIR_OK) {
        const struct weir_image_params image = weir_image_get_params(like->image);
        weir_log_printf(&capture->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_FORMAT_MISMATCH,
                        "a frame of VkFormat %d, flags %#x, transfer %d is not like the image that "
                        "the capture was opened with, or belongs to another context: open it with "
                        "the frame's own",
                        (int)image.format, image.flags, (int)image.transfer);
    }
    return WEIR_ERROR_INVALID;
}

// Check the frame itself, and, where one movie has to go on, what it must have in common with all
// frames before it. What passes is refused by none of the calls that take it, so a frame is refused
// before it is counted.
static enum weir_result check_frame(const weir_capture *capture, const struct weir_frame *frame,
                                    const struct weir_kind_like *like)
{
    if (!frame || !frame->image) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_frame: %s is required", frame ? "frame->image" : "frame");
    }
    if (!capture->params.segments.enable && !weir_kinds_takes(&capture->kinds, like)) {
        return refuse_kind(capture, like);
    }
    return weir_frame_check(capture->context, frame);
}

static enum weir_result pass(weir_capture *capture, const struct weir_incoming *incoming)
{
    const struct rendered *rendered = (const struct rendered *)incoming;
    return weir_readback_pass(capture->kinds.current->gpu.readback, rendered->frame,
                              rendered->released);
}

// Encode the frame into a slot and hand the slot to the writer.
static enum weir_result encode(weir_capture *capture, const struct weir_incoming *incoming)
{
    const struct rendered *rendered = (const struct rendered *)incoming;
    const struct weir_frame *frame = rendered->frame;
    struct weir_kind *kind = capture->kinds.current;
    weir_readback *readback = kind->gpu.readback;
    struct weir_slot slot;
    enum weir_result result = weir_readback_begin(readback, frame, &slot);
    if (result != WEIR_OK) {
        weir_ring_give_room(&capture->ring);
        const bool is_full = result == WEIR_NOT_READY;
        return weir_incoming_drop(capture, incoming,
                                  is_full ? WEIR_DROP_RING_FULL : WEIR_DROP_DEVICE,
                                  is_full ? WEIR_DROPPED : result);
    }
    const struct weir_slot_control control = weir_slot_get_control(readback, slot.index);
    const enum weir_result encoded = slot.is_recorded
                                         ? WEIR_OK
                                         : weir_cmd_kind(&kind->gpu, &slot, frame->image);
    slot.keep = encoded == WEIR_OK;
    const uint64_t time_ns = weir_incoming_put_time(capture, incoming);
    const double quality = weir_capture_choose_quality(capture, kind, time_ns, control.data);
    result = weir_readback_submit(readback, &slot, rendered->released);
    if (result != WEIR_OK) {
        // The frame is lost, and the host still waits for its image.
        weir_readback_pass(readback, frame, rendered->released);
    }
    const bool is_whole = result == WEIR_OK && encoded == WEIR_OK;
    struct weir_ring_item item = {
        .kind = &kind->writer,
        .slot = slot.index,
        .is_submitted = result == WEIR_OK,
        .is_encoded = encoded == WEIR_OK,
        .time_ns = time_ns,
        .quality = quality,
        .rate_number = weir_capture_note_rate(capture, is_whole ? kind : NULL, slot.index),
    };
    weir_incoming_push(capture, &item);
    return result != WEIR_OK ? result : encoded;
}

static const struct weir_incoming_ops ops = {.pass = pass, .fill = encode};

enum weir_result weir_capture_frame(weir_capture *capture, const struct weir_frame *frame,
                                    struct weir_point *released)
{
    if (released) {
        *released = (struct weir_point){VK_NULL_HANDLE, 0};
    }
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    if (!capture->context) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_FORMAT_MISMATCH,
                         "weir_capture_frame: the capture is one of blocks; hand frames over by "
                         "weir_capture_blocks()");
    }
    weir_incoming_begin(capture);
    struct rendered rendered = {.incoming = {.ops = &ops}, .frame = frame, .released = released};
    struct weir_incoming *incoming = &rendered.incoming;
    if (frame) {
        incoming->like = weir_kind_like_image(frame->image, NULL);
        incoming->time_ns = frame->time_ns;
    }
    const enum weir_result checked = check_frame(capture, frame, &incoming->like);
    if (checked != WEIR_OK) {
        return frame ? weir_incoming_refuse(capture, incoming, checked) : checked;
    }
    return weir_incoming_take(capture, incoming);
}
