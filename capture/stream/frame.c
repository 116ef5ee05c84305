// SPDX-License-Identifier: MIT
// Rendered frames: checks one, and encodes it into a slot. Every frame is counted.
#include <weir/capture.h>

#include "capture/stream/state.h"

// Refuse a frame of another size or format than those before it, where the movie has to go on.
static enum weir_result refuse_format(const weir_capture *capture,
                                      const struct weir_frame_format *format)
{
    if (weir_submit_check_size(capture, format) == WEIR_OK) {
        const struct weir_image_params image = weir_image_get_params(format->image);
        weir_log_printf(&capture->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_FORMAT_MISMATCH,
                        "a frame of VkFormat %d, flags %#x, transfer %d is not like the image that "
                        "the capture was opened with, or belongs to another context: open it with "
                        "the frame's own",
                        (int)image.format, image.flags, (int)image.transfer);
    }
    return WEIR_ERROR_INVALID;
}

// Check the frame itself, and, where one movie has to go on, what it must have in common with all
// frames before it. No later call refuses what is right here, so a frame is refused before it is
// counted.
static enum weir_result check_frame(const weir_capture *capture, const struct weir_frame *frame,
                                    const struct weir_frame_format *format)
{
    if (!frame->image) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_frame: frame->image is required");
    }
    if (!capture->params.segments.enable && !weir_encodings_fit(&capture->encodings, format)) {
        return refuse_format(capture, format);
    }
    return weir_frame_check(capture->context, frame);
}

// Choose the quality of a frame, and set it in the memory of its slot that optimisers read. 0:
// frames are not optimised.
static double set_quality(weir_capture *capture, uint64_t movie_ns, void *control)
{
    if (!control) {
        return 0;
    }
    const double quality = capture->rate ? weir_rate_loop_next(capture->rate, movie_ns)
                                         : capture->params.rate.quality;
    weir_encoding_set_quality(capture->encodings.current, control, quality);
    return quality;
}

enum weir_result weir_submit_image(weir_capture *capture, const struct weir_submission *submission,
                                   struct weir_ring_item *item)
{
    const struct weir_frame *frame = submission->frame;
    struct weir_encoding *encoding = capture->encodings.current;
    weir_readback *readback = encoding->gpu.readback;
    struct weir_slot slot;
    enum weir_result result = weir_readback_begin(readback, frame, &slot);
    if (result != WEIR_OK) {
        return result;
    }
    const enum weir_result encoded = slot.is_recorded
                                         ? WEIR_OK
                                         : weir_cmd_encoding(encoding, &slot, frame->image);
    slot.keep = encoded == WEIR_OK;
    item->encoding = encoding;
    item->slot = slot.index;
    item->quality = set_quality(capture, item->time_ns,
                                weir_slot_get_control(readback, slot.index).data);
    result = weir_readback_submit(readback, &slot, submission->released);
    if (result != WEIR_OK) {
        // The frame is lost, and the host still waits for its image.
        weir_readback_pass(readback, frame, submission->released);
    }
    item->is_submitted = result == WEIR_OK;
    item->is_encoded = encoded == WEIR_OK;
    if (capture->rate) {
        const bool is_whole = item->is_submitted && item->is_encoded;
        item->rate_number = weir_rate_loop_submitted(capture->rate, is_whole ? encoding : NULL,
                                                     slot.index);
    }
    return result != WEIR_OK ? result : encoded;
}

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
    weir_submit_begin(capture);
    if (!frame) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_frame: frame is required");
    }
    const struct weir_submission submission = {
        .format = weir_frame_format_of(frame->image, NULL),
        .time_ns = frame->time_ns,
        .frame = frame,
        .released = released,
    };
    const enum weir_result checked = check_frame(capture, frame, &submission.format);
    return checked == WEIR_OK ? weir_submit(capture, &submission)
                              : weir_submit_refuse(capture, &submission, checked);
}
