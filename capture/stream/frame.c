// SPDX-License-Identifier: MIT
// Takes a frame: checks it, and encodes it into a slot and hands it to the writer, or drops it, or
// skips it. Every frame is counted.
#include <weir/capture.h>

#include <inttypes.h>

#include "capture/base/clock.h"
#include "capture/stream/params.h"
#include "capture/stream/state.h"

static void count_frame(weir_capture *capture, int count)
{
    struct weir_counts *counts = &capture->stats.render;
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT_RECEIVED, 1);
    weir_counts_add(counts, (enum weir_count)count, 1);
    weir_counts_end(counts);
}

// Drop a frame: it is counted and logged, and its image is given back. Returns `answer`.
static enum weir_result drop(weir_capture *capture, const struct weir_frame *frame,
                             enum weir_drop_reason reason, struct weir_point *released,
                             enum weir_result answer)
{
    const enum weir_result passed = weir_readback_pass(capture->kinds.current->readback, frame,
                                                       released);
    if (passed != WEIR_OK && reason != WEIR_DROP_DEVICE) {
        answer = passed;
        reason = WEIR_DROP_DEVICE;
    }
    count_frame(capture, WEIR_COUNT_DROPPED + (int)reason);
    const struct weir_sidecar_drop dropped = {
        .number = capture->num_frames,
        .time_ns = weir_times_since_first(&capture->times, frame->time_ns),
        .reason = reason,
    };
    weir_sidecar_pass(capture->sidecar, &dropped);
    weir_drop_log_dropped(&capture->drops, capture->num_frames++,
                          weir_times_in_movie(&capture->times, frame->time_ns), capture->now_ns);
    return answer;
}

// Skip a frame that is not to be recorded: it is counted, and its image is given back.
static enum weir_result skip(weir_capture *capture, const struct weir_frame *frame,
                             struct weir_point *released)
{
    const enum weir_result passed = weir_readback_pass(capture->kinds.current->readback, frame,
                                                       released);
    count_frame(capture, WEIR_COUNT_SKIPPED);
    capture->num_frames++;
    return passed == WEIR_OK ? WEIR_SKIPPED : passed;
}

// True if a frame with this time stamp may follow the frames before it. The reason stands in the
// log as often as that frames were dropped.
static bool check_time(weir_capture *capture, int64_t time_ns)
{
    const struct weir_times *times = &capture->times;
    const bool is_told = weir_drop_log_is_due(&capture->drops, capture->now_ns);
    const enum weir_times_order order = weir_times_follow(&capture->times, time_ns);
    if (order == WEIR_TIMES_BACK && is_told) {
        weir_log_printf(&capture->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_TIME_NOT_INCREASING,
                        "frame %" PRIu64 ": time_ns %" PRId64 " is not after the last frame's, "
                        "%" PRId64 "; take it from a clock that does not go back",
                        capture->num_frames, time_ns, times->last_ns);
    } else if (order == WEIR_TIMES_GAP && is_told) {
        weir_log_printf(&capture->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_TIME_GAP,
                        "frame %" PRIu64 ": %" PRIu64 " s after the last frame, more than a movie "
                        "%s (%" PRIu64 " s): pause for that time, or record segments: what comes "
                        "before it and what comes after it take a movie each",
                        capture->num_frames,
                        (weir_times_in_movie(times, time_ns) - times->taken_ns) / 1000000000u,
                        capture->params.constant_rate ? "of constant rate fills" : "can say",
                        times->max_gap_ns / 1000000000u);
    }
    return order == WEIR_TIMES_FOLLOWS;
}

// Refuse a frame of another kind than those before it, where the movie has to go on.
static enum weir_result refuse_kind(const weir_capture *capture, const struct weir_frame *frame)
{
    const struct weir_image_params image = weir_image_get_params(frame->image);
    const struct weir_kind *kind = capture->kinds.current;
    if (image.width != kind->width || image.height != kind->height) {
        weir_log_printf(&capture->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_FRAME_SIZE,
                        "a frame of %ux%u in a capture of %ux%u: set weir_capture_params.segments, "
                        "and a movie of its own begins with it",
                        image.width, image.height, kind->width, kind->height);
        return WEIR_ERROR_INVALID;
    }
    weir_log_printf(&capture->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_FORMAT_MISMATCH,
                    "a frame of VkFormat %d, flags %#x, transfer %d is not like the image that "
                    "the capture was opened with, or belongs to another context: open it with "
                    "the frame's own",
                    (int)image.format, image.flags, (int)image.transfer);
    return WEIR_ERROR_INVALID;
}

// Check the frame itself, and, where one movie has to go on, what it must have in common with all
// frames before it. What passes is refused by none of the calls that take it, so a frame is refused
// before it is counted.
static enum weir_result check_frame(const weir_capture *capture, const struct weir_frame *frame)
{
    if (!frame || !frame->image) {
        weir_log_printf(&capture->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_NULL_ARGUMENT,
                        "weir_capture_frame: %s is required", frame ? "frame->image" : "frame");
        return WEIR_ERROR_INVALID;
    }
    if (!capture->params.segments && !weir_kinds_takes(&capture->kinds, frame->image)) {
        return refuse_kind(capture, frame);
    }
    return weir_frame_check(capture->context, frame);
}

// Refuse a frame: its image is given back, and it is not counted.
static enum weir_result refuse(weir_capture *capture, const struct weir_frame *frame,
                               struct weir_point *released, enum weir_result answer)
{
    const enum weir_result passed = frame ? weir_readback_pass(capture->kinds.current->readback,
                                                               frame, released)
                                          : WEIR_OK;
    return passed == WEIR_OK ? answer : passed;
}

// Make what frames of this kind take, if it is another one than that of the frames before it.
static enum weir_result change_kind(weir_capture *capture, const struct weir_frame *frame)
{
    if (weir_kinds_takes(&capture->kinds, frame->image)) {
        return WEIR_OK;
    }
    const struct weir_image_params image = weir_image_get_params(frame->image);
    const enum weir_result result = weir_capture_check_size(&capture->log, &image,
                                                            &capture->params);
    return result == WEIR_OK ? weir_kinds_change(&capture->kinds, frame->image, NULL) : result;
}

// Put a frame into the movie that goes to the writer. Returns its time there.
static uint64_t put_time(weir_capture *capture, int64_t time_ns)
{
    const bool is_first = !capture->times.has_taken;
    const uint64_t movie_ns = weir_times_put(&capture->times, time_ns);
    if (is_first) {
        capture->writer.first_ns = capture->times.first_ns;
    }
    return movie_ns;
}

// Encode the frame into a slot and hand the slot to the writer. Room in the ring has been taken.
static enum weir_result encode(weir_capture *capture, const struct weir_frame *frame,
                               struct weir_point *released)
{
    struct weir_kind *kind = capture->kinds.current;
    struct weir_slot slot;
    enum weir_result result = weir_readback_begin(kind->readback, frame, &slot);
    if (result != WEIR_OK) {
        weir_ring_give_room(&capture->ring);
        const bool is_full = result == WEIR_NOT_READY;
        return drop(capture, frame, is_full ? WEIR_DROP_RING_FULL : WEIR_DROP_DEVICE, released,
                    is_full ? WEIR_DROPPED : result);
    }
    const struct weir_slot_control control = weir_slot_get_control(kind->readback, slot.index);
    const enum weir_result encoded = slot.is_recorded ? WEIR_OK
                                                      : weir_cmd_kind(kind, &slot, frame->image);
    slot.keep = encoded == WEIR_OK;
    const uint64_t time_ns = put_time(capture, frame->time_ns);
    const double quality = weir_capture_choose_quality(capture, kind, time_ns, control.data);
    result = weir_readback_submit(kind->readback, &slot, released);
    if (result != WEIR_OK) {
        // The frame is lost, and the host still waits for its image.
        weir_readback_pass(kind->readback, frame, released);
    }
    const bool is_whole = result == WEIR_OK && encoded == WEIR_OK;
    const struct weir_ring_item item = {
        .kind = &kind->writer,
        .slot = slot.index,
        .is_submitted = result == WEIR_OK,
        .is_encoded = encoded == WEIR_OK,
        .number = capture->num_frames++,
        .time_ns = time_ns,
        .quality = quality,
        .rate_number = weir_capture_note_rate(capture, is_whole ? kind : NULL, slot.index),
    };
    weir_counts_change(&capture->stats.render, WEIR_COUNT_RECEIVED, 1);
    atomic_fetch_add_explicit(&kind->writer.num_in_flight, 1, memory_order_relaxed);
    weir_ring_push(&capture->ring, &item);
    return result != WEIR_OK ? result : encoded;
}

static enum weir_result take(weir_capture *capture, const struct weir_frame *frame,
                             struct weir_point *released, uint64_t *wait_ns)
{
    enum weir_result failure = weir_writer_failure(&capture->writer);
    const struct weir_times before = capture->times;
    if (failure == WEIR_OK) {
        if (!check_time(capture, frame->time_ns)) {
            return drop(capture, frame, WEIR_DROP_TIME, released, WEIR_DROPPED);
        }
        if (!weir_times_takes(&capture->times, frame->time_ns)) {
            return skip(capture, frame, released);
        }
        if (!weir_capture_degrade(capture, frame->time_ns)) {
            weir_capture_degrade_pass(capture);
            return skip(capture, frame, released);
        }
        if (!weir_ring_take_room(&capture->ring)) {
            if (capture->params.policy != WEIR_POLICY_WAIT) {
                weir_capture_degrade_pass(capture);
                return drop(capture, frame, WEIR_DROP_RING_FULL, released, WEIR_DROPPED);
            }
            const uint64_t begin_ns = weir_clock_ns();
            weir_ring_wait_room(&capture->ring);
            *wait_ns = weir_clock_ns() - begin_ns;
        }
        failure = weir_writer_failure(&capture->writer); // it may have come during the sleep
        // Only a frame that has room: so no more kinds are in use than frames are in flight.
        const enum weir_result changed = failure == WEIR_OK ? change_kind(capture, frame) : WEIR_OK;
        if (failure == WEIR_OK && changed == WEIR_OK) {
            weir_capture_degrade_pass(capture);
            return encode(capture, frame, released);
        }
        weir_ring_give_room(&capture->ring);
        if (changed != WEIR_OK) {
            capture->times = before; // it may come again
            return refuse(capture, frame, released, changed);
        }
    }
    return drop(capture, frame,
                weir_writer_is_device_failure(failure) ? WEIR_DROP_DEVICE : WEIR_DROP_SINK,
                released, failure);
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
    const uint64_t before = capture->now_ns = weir_clock_ns();
    weir_kinds_sweep(&capture->kinds);
    const enum weir_result checked = check_frame(capture, frame);
    if (checked != WEIR_OK) {
        return refuse(capture, frame, released, checked);
    }
    uint64_t wait_ns = 0;
    const enum weir_result result = take(capture, frame, released, &wait_ns);
    weir_drop_log_update(&capture->drops, weir_times_in_movie(&capture->times, frame->time_ns),
                         before);
    const uint64_t host_ns = weir_clock_ns() - before;
    struct weir_counts *counts = &capture->stats.render;
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT_HOST_NS, host_ns);
    weir_counts_raise(counts, WEIR_COUNT_HOST_MAX_NS, host_ns);
    weir_counts_add(counts, WEIR_COUNT_WAIT_NS, wait_ns);
    weir_counts_end(counts);
    return result;
}
