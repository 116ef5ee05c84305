// SPDX-License-Identifier: MIT
// The path of a frame from the host's call into the ring: its place in time, room in the ring, a
// slot of its encoding, and the item for the writer.
#include "capture/stream/state.h"

#include <inttypes.h>

#include <weir/capture.h>

#include "capture/base/clock.h"
#include "capture/stream/clock/clock.h"

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

// Bring a rendered frame into a slot of the current encoding, and fill in `item` as
// weir_submit_blocks() does. WEIR_NOT_READY: there is no slot. After an error `item` has an
// encoding if a slot was used, which goes to the writer.
static enum weir_result submit_image(weir_capture *capture,
                                     const struct weir_submission *submission,
                                     struct weir_ring_item *item)
{
    struct weir_frame frame = *submission->frame;
    struct weir_encoding *encoding = capture->encodings.current;
    weir_readback *readback = encoding->gpu.readback;
    struct weir_slot slot;
    item->has_preview = weir_previews_are_due(&capture->previews);
    item->shown_ns = frame.time_ns;
    frame.variant = item->has_preview;
    WEIR_TRY(weir_readback_begin(readback, &frame, &slot));
    const enum weir_result encoded = slot.is_recorded
                                         ? WEIR_OK
                                         : weir_cmd_encoding(encoding, &slot, item->has_preview);
    slot.keep = encoded == WEIR_OK;
    item->encoding = encoding;
    item->slot = slot.index;
    item->quality = set_quality(capture, item->time_ns,
                                weir_slot_get_control(readback, slot.index).data);
    const enum weir_result result = weir_readback_submit(readback, &slot, submission->released);
    if (result != WEIR_OK) {
        // The frame is lost, and the host still waits for its image.
        weir_readback_pass(readback, &frame, submission->released);
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

static void count_frame(weir_capture *capture, size_t count)
{
    struct weir_counts *counts = &capture->stats.render;
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT(received), 1);
    weir_counts_add(counts, count, 1);
    weir_counts_end(counts);
}

void weir_submit_begin(weir_capture *capture)
{
    capture->now_ns = weir_clock_ns();
    weir_encodings_sweep(&capture->encodings);
}

enum weir_result weir_submit_check_size(const weir_capture *capture,
                                        const struct weir_frame_format *format)
{
    const struct weir_encoding *encoding = capture->encodings.current;
    if (capture->params.on_resize == WEIR_RESIZE_NEW &&
        (format->width != encoding->width || format->height != encoding->height)) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_FRAME_SIZE,
                         "a frame of %ux%u in a capture of %ux%u: set weir_capture_params.segments "
                         "to begin another movie with it, or on_resize to make it fit",
                         format->width, format->height, encoding->width, encoding->height);
    }
    return WEIR_OK;
}

// Give back the image of a frame that is not recorded. Blocks are still the host's.
static enum weir_result give_back(weir_capture *capture, const struct weir_submission *submission)
{
    return submission->frame ? weir_readback_pass(capture->encodings.current->gpu.readback,
                                                  submission->frame, submission->released)
                             : WEIR_OK;
}

// Refuse a frame: it is given back, and it is not counted. Returns `answer`, or the failure of
// giving it back.
static enum weir_result refuse(weir_capture *capture, const struct weir_submission *submission,
                               enum weir_result answer)
{
    WEIR_TRY(give_back(capture, submission));
    return answer;
}

static enum weir_result drop(weir_capture *capture, const struct weir_submission *submission,
                             const struct weir_times_place *place, enum weir_drop_reason reason,
                             enum weir_result answer)
{
    const enum weir_result given = give_back(capture, submission);
    if (given != WEIR_OK && reason != WEIR_DROP_DEVICE) {
        answer = given;
        reason = WEIR_DROP_DEVICE;
    }
    count_frame(capture, WEIR_COUNT(dropped_by_reason) + reason);
    const struct weir_sidecar_drop dropped = {
        .number = capture->num_frames, .time_ns = place->since_ns, .reason = reason};
    weir_sidecar_send(capture->sidecar, &dropped);
    weir_drop_log_dropped(&capture->drops, capture->num_frames++, place->movie_ns, capture->now_ns);
    return answer;
}

static enum weir_result drop_after(weir_capture *capture, const struct weir_submission *submission,
                                   const struct weir_times_place *place, enum weir_result failure)
{
    return drop(capture, submission, place,
                weir_writer_is_device_failure(failure) ? WEIR_DROP_DEVICE : WEIR_DROP_SINK,
                failure);
}

static enum weir_result skip(weir_capture *capture, const struct weir_submission *submission)
{
    count_frame(capture, WEIR_COUNT(skipped));
    capture->num_frames++;
    return refuse(capture, submission, WEIR_SKIPPED);
}

// Drop a frame for its time. The log says why as often as it says that frames were dropped.
static enum weir_result drop_for_time(weir_capture *capture,
                                      const struct weir_submission *submission,
                                      const struct weir_times_place *place)
{
    const struct weir_times *times = &capture->times;
    const bool is_logged = weir_drop_log_is_due(&capture->drops, capture->now_ns);
    if (is_logged && place->verdict == WEIR_TIMES_BACK) {
        weir_log_printf(
            &capture->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_TIME_NOT_INCREASING,
            "frame %" PRIu64 ": its time is %.9f s before that of the last frame, or the same; "
            "clocks should not go back",
            capture->num_frames, ((double)times->last_ns - (double)submission->time_ns) * 1e-9);
    } else if (is_logged) {
        weir_log_printf(
            &capture->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_TIME_GAP,
            "frame %" PRIu64 ": %" PRIu64 " s after the last frame, more than a movie %s (%" PRIu64
            " s): pause for that time, or record segments, which begin another movie then",
            capture->num_frames, (place->movie_ns - times->recorded_ns) / 1000000000u,
            times->ticks_per_frame > 0 ? "of constant rate fills" : "can store",
            times->max_gap_ns / 1000000000u);
    }
    return drop(capture, submission, place, WEIR_DROP_TIME, WEIR_DROPPED);
}

// Reserve room in the ring. False: there is none, and the frame is dropped.
static bool reserve_room(weir_capture *capture, const struct weir_submission *submission,
                         uint64_t *wait_ns)
{
    const bool is_lost = submission->blocks && !submission->blocks->data; // it never came
    if (is_lost || weir_ring_try_reserve(&capture->ring)) {
        return !is_lost;
    }
    if (capture->params.policy != WEIR_POLICY_WAIT) {
        return false;
    }
    const uint64_t begin_ns = weir_clock_ns();
    weir_ring_reserve(&capture->ring);
    *wait_ns = weir_clock_ns() - begin_ns;
    return true;
}

// Make an encoding for frames of another size or format than those before.
static enum weir_result fit_encoding(weir_capture *capture, const struct weir_frame_format *format)
{
    if (weir_encodings_fit(&capture->encodings, format)) {
        return WEIR_OK;
    }
    WEIR_TRY(
        weir_capture_check_size(&capture->log, format->width, format->height, &capture->params));
    return weir_encodings_change(&capture->encodings, format);
}

// Bring a frame into a slot, and hand that to the writer.
static enum weir_result record(weir_capture *capture, const struct weir_submission *submission,
                               const struct weir_times_place *place)
{
    struct weir_ring_item item = {.time_ns = place->movie_ns};
    enum weir_result result = WEIR_OK;
    if (submission->blocks) {
        weir_submit_blocks(capture, submission, &item);
    } else {
        result = submit_image(capture, submission, &item);
    }
    if (!item.encoding) {
        weir_ring_release(&capture->ring);
        return result == WEIR_NOT_READY
                   ? drop(capture, submission, place, WEIR_DROP_RING_FULL, WEIR_DROPPED)
                   : drop(capture, submission, place, WEIR_DROP_DEVICE, result);
    }
    if (weir_times_record(&capture->times, place)) {
        capture->writer.first_ns = capture->times.first_ns;
    }
    item.number = capture->num_frames++;
    weir_counts_change(&capture->stats.render, WEIR_COUNT(received), 1);
    atomic_fetch_add_explicit(&item.encoding->num_in_flight, 1, memory_order_relaxed);
    weir_ring_push(&capture->ring, &item);
    return result;
}

// Record a frame that is due, if there is room and nothing has failed.
static enum weir_result record_if_possible(weir_capture *capture,
                                           const struct weir_submission *submission,
                                           const struct weir_times_place *place,
                                           const struct weir_times *before, uint64_t *wait_ns)
{
    if (!reserve_room(capture, submission, wait_ns)) {
        return drop(capture, submission, place, WEIR_DROP_RING_FULL, WEIR_DROPPED);
    }
    const enum weir_result failure = weir_writer_failure(&capture->writer); // also of the sleep
    if (failure != WEIR_OK) {
        weir_ring_release(&capture->ring);
        return drop_after(capture, submission, place, failure);
    }
    // Only for a frame that has room: so no more encodings are in use than frames are in flight.
    const enum weir_result fitted = fit_encoding(capture, &submission->format);
    if (fitted != WEIR_OK) {
        weir_ring_release(&capture->ring);
        capture->times = *before; // the frame may come again
        return refuse(capture, submission, fitted);
    }
    return record(capture, submission, place);
}

static void count_call(weir_capture *capture, uint64_t wait_ns)
{
    const uint64_t host_ns = weir_clock_ns() - capture->now_ns;
    struct weir_counts *counts = &capture->stats.render;
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT(host_ns), host_ns);
    weir_counts_raise(counts, WEIR_COUNT(host_max_ns), host_ns);
    weir_counts_add(counts, WEIR_COUNT(wait_ns), wait_ns);
    weir_counts_end(counts);
}

enum weir_result weir_submit(weir_capture *capture, const struct weir_submission *submission)
{
    const struct weir_times before = capture->times;
    const struct weir_times_place place = weir_times_place(&capture->times, submission->time_ns);
    const enum weir_result failure = weir_writer_failure(&capture->writer);
    uint64_t wait_ns = 0;
    enum weir_result result;
    if (failure != WEIR_OK) {
        result = drop_after(capture, submission, &place, failure);
    } else if (place.verdict == WEIR_TIMES_SKIP) {
        result = skip(capture, submission);
    } else if (place.verdict != WEIR_TIMES_RECORD) {
        result = drop_for_time(capture, submission, &place);
    } else {
        result = record_if_possible(capture, submission, &place, &before, &wait_ns);
    }
    weir_drop_log_update(&capture->drops, place.movie_ns, capture->now_ns);
    count_call(capture, wait_ns);
    return result;
}

// Rendered frames.

// Refuse a frame of another size or format than those before it, where the movie has to go on.
static enum weir_result refuse_format(const weir_capture *capture,
                                      const struct weir_frame_format *format)
{
    if (weir_submit_check_size(capture, format) == WEIR_OK) {
        const struct weir_image_params image = weir_image_get_params(format->image);
        weir_log_printf(&capture->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_FORMAT_MISMATCH,
                        "a frame of VkFormat %d, flags %#x, transfer %d is not like the image that "
                        "the capture was opened with, or belongs to another context: set "
                        "weir_capture_params.like to an image like the frame's",
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
                         "weir_capture_frame: this is a capture of blocks; hand frames over by "
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
                              : refuse(capture, &submission, checked);
}
