// SPDX-License-Identifier: MIT
// Takes a frame: checks it, and encodes it into a slot and hands it to the writer, or drops it, or
// skips it. Every frame is counted.
#include <weir/capture.h>

#include <inttypes.h>

#include "capture/base/clock.h"
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
    const enum weir_result passed = weir_readback_pass(capture->readback, frame, released);
    if (passed != WEIR_OK && reason != WEIR_DROP_DEVICE) {
        answer = passed;
        reason = WEIR_DROP_DEVICE;
    }
    count_frame(capture, WEIR_COUNT_DROPPED + (int)reason);
    weir_drop_log_dropped(&capture->drops, capture->num_frames++,
                          weir_capture_movie_time(capture, frame->time_ns), capture->now_ns);
    return answer;
}

// Skip a frame that comes too early: it is counted, and its image is given back.
static enum weir_result skip(weir_capture *capture, const struct weir_frame *frame,
                             struct weir_point *released)
{
    const enum weir_result passed = weir_readback_pass(capture->readback, frame, released);
    count_frame(capture, WEIR_COUNT_SKIPPED);
    capture->num_frames++;
    return passed == WEIR_OK ? WEIR_SKIPPED : passed;
}

uint64_t weir_capture_movie_time(const weir_capture *capture, int64_t time_ns)
{
    return capture->has_taken && time_ns > capture->first_ns
               ? (uint64_t)time_ns - (uint64_t)capture->first_ns
               : 0;
}

// True if a frame with this time stamp may follow the frames before it. The reason stands in the
// log as often as that frames were dropped.
static bool check_time(weir_capture *capture, int64_t time_ns)
{
    const bool is_told = weir_drop_log_is_due(&capture->drops, capture->now_ns);
    if (capture->has_last && time_ns <= capture->last_ns) {
        if (is_told) {
            weir_log_printf(&capture->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_TIME_NOT_INCREASING,
                            "frame %" PRIu64 ": time_ns %" PRId64 " is not after the last frame's, "
                            "%" PRId64 "; take it from a clock that does not go back",
                            capture->num_frames, time_ns, capture->last_ns);
        }
        return false;
    }
    capture->has_last = true;
    capture->last_ns = time_ns;
    const uint64_t gap_ns = (uint64_t)time_ns - (uint64_t)capture->taken_ns;
    if (capture->has_taken && gap_ns > capture->max_gap_ns && !capture->params.segments) {
        if (is_told) {
            weir_log_printf(
                &capture->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_TIME_GAP,
                "frame %" PRIu64 ": %" PRIu64 " s after the last frame, more than a "
                "movie can say (%" PRIu64 " s): set weir_capture_params.segments, and a "
                "movie of its own begins with it",
                capture->num_frames, gap_ns / 1000000000u, capture->max_gap_ns / 1000000000u);
        }
        return false;
    }
    return true;
}

// Check the frame itself, and what it must have in common with all frames of the movie. What passes
// is refused by none of the calls that take it, so a frame is refused before it is counted.
static enum weir_result check_frame(const weir_capture *capture, const struct weir_frame *frame)
{
    if (!frame || !frame->image) {
        weir_log_printf(&capture->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_NULL_ARGUMENT,
                        "weir_capture_frame: %s is required", frame ? "frame->image" : "frame");
        return WEIR_ERROR_INVALID;
    }
    const struct weir_image_params image = weir_image_get_params(frame->image);
    if (image.width != capture->width || image.height != capture->height) {
        weir_log_printf(&capture->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_FRAME_SIZE,
                        "a frame of %ux%u in a capture of %ux%u: close the capture and open one of "
                        "the new size",
                        image.width, image.height, capture->width, capture->height);
        return WEIR_ERROR_INVALID;
    }
    if (!weir_textures_read(&capture->textures, frame->image)) {
        weir_log_printf(&capture->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_FORMAT_MISMATCH,
                        "a frame of VkFormat %d, flags %#x, transfer %d is not like the image that "
                        "the capture was opened with, or belongs to another context: open it with "
                        "the frame's own",
                        (int)image.format, image.flags, (int)image.transfer);
        return WEIR_ERROR_INVALID;
    }
    return weir_frame_check(capture->context, frame);
}

// Refuse a frame: its image is given back, and it is not counted.
static enum weir_result refuse(weir_capture *capture, const struct weir_frame *frame,
                               struct weir_point *released)
{
    const enum weir_result passed = frame ? weir_readback_pass(capture->readback, frame, released)
                                          : WEIR_OK;
    return passed == WEIR_OK ? WEIR_ERROR_INVALID : passed;
}

// Encode the frame into a slot and hand the slot to the writer. Room in the ring has been taken.
static enum weir_result encode(weir_capture *capture, const struct weir_frame *frame,
                               struct weir_point *released)
{
    struct weir_slot slot;
    enum weir_result result = weir_readback_begin(capture->readback, frame, &slot);
    if (result != WEIR_OK) {
        weir_ring_give_room(&capture->ring);
        const bool is_full = result == WEIR_NOT_READY;
        return drop(capture, frame, is_full ? WEIR_DROP_RING_FULL : WEIR_DROP_DEVICE, released,
                    is_full ? WEIR_DROPPED : result);
    }
    const weir_buffer *buffer = weir_slot_buffer(capture->readback, &slot);
    const enum weir_result encoded = slot.is_recorded
                                         ? WEIR_OK
                                         : weir_cmd_textures(&capture->textures, slot.cmd,
                                                             frame->image, buffer);
    slot.keep = encoded == WEIR_OK;
    result = weir_readback_submit(capture->readback, &slot, released);
    if (result != WEIR_OK) {
        // The frame is lost, and the host still waits for its image.
        weir_readback_pass(capture->readback, frame, released);
    }
    if (!capture->has_taken) {
        capture->has_taken = true;
        capture->first_ns = capture->writer.first_ns = frame->time_ns;
    }
    capture->taken_ns = frame->time_ns;
    const struct weir_ring_item item = {
        .slot = slot.index,
        .is_submitted = result == WEIR_OK,
        .is_encoded = encoded == WEIR_OK,
        .number = capture->num_frames++,
        .time_ns = (uint64_t)frame->time_ns - (uint64_t)capture->first_ns,
    };
    weir_counts_begin(&capture->stats.render);
    weir_counts_add(&capture->stats.render, WEIR_COUNT_RECEIVED, 1);
    weir_counts_end(&capture->stats.render);
    weir_ring_push(&capture->ring, &item);
    return result != WEIR_OK ? result : encoded;
}

static enum weir_result take(weir_capture *capture, const struct weir_frame *frame,
                             struct weir_point *released, uint64_t *wait_ns)
{
    enum weir_result failure = weir_writer_failure(&capture->writer);
    if (failure == WEIR_OK) {
        if (!check_time(capture, frame->time_ns)) {
            return drop(capture, frame, WEIR_DROP_TIME, released, WEIR_DROPPED);
        }
        if (!weir_pace_takes(&capture->pace, frame->time_ns)) {
            return skip(capture, frame, released);
        }
        if (!weir_ring_take_room(&capture->ring)) {
            if (capture->params.policy == WEIR_POLICY_DROP) {
                return drop(capture, frame, WEIR_DROP_RING_FULL, released, WEIR_DROPPED);
            }
            const uint64_t before = weir_clock_ns();
            weir_ring_wait_room(&capture->ring);
            *wait_ns = weir_clock_ns() - before;
        }
        failure = weir_writer_failure(&capture->writer); // it may have come during the sleep
        if (failure == WEIR_OK) {
            return encode(capture, frame, released);
        }
        weir_ring_give_room(&capture->ring);
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
    if (check_frame(capture, frame) != WEIR_OK) {
        return refuse(capture, frame, released);
    }
    uint64_t wait_ns = 0;
    const enum weir_result result = take(capture, frame, released, &wait_ns);
    weir_drop_log_update(&capture->drops, weir_capture_movie_time(capture, frame->time_ns), before);
    const uint64_t host_ns = weir_clock_ns() - before;
    struct weir_counts *counts = &capture->stats.render;
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT_HOST_NS, host_ns);
    weir_counts_raise(counts, WEIR_COUNT_HOST_MAX_NS, host_ns);
    weir_counts_add(counts, WEIR_COUNT_WAIT_NS, wait_ns);
    weir_counts_end(counts);
    return result;
}
