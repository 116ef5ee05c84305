// SPDX-License-Identifier: MIT
// A frame that is handed over: what becomes of it, whether it is rendered or blocks already.
#include "capture/stream/incoming.h"

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

void weir_incoming_begin(weir_capture *capture)
{
    capture->now_ns = weir_clock_ns();
    weir_kinds_sweep(&capture->kinds);
}

enum weir_result weir_incoming_check_size(const weir_capture *capture,
                                          const struct weir_kind_like *like)
{
    const struct weir_kind *kind = capture->kinds.current;
    if (like->width != kind->width || like->height != kind->height) {
        return weir_fail(
            &capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_FRAME_SIZE,
            "a frame of %ux%u in a capture of %ux%u: set weir_capture_params.segments, "
            "and a movie of its own begins with it",
            like->width, like->height, kind->width, kind->height);
    }
    return WEIR_OK;
}

enum weir_result weir_incoming_refuse(weir_capture *capture, const struct weir_incoming *frame,
                                      enum weir_result answer)
{
    const enum weir_result passed = frame->ops->pass(capture, frame);
    return passed == WEIR_OK ? answer : passed;
}

enum weir_result weir_incoming_drop(weir_capture *capture, const struct weir_incoming *frame,
                                    enum weir_drop_reason reason, enum weir_result answer)
{
    const enum weir_result passed = frame->ops->pass(capture, frame);
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

// Skip a frame that is not to be recorded: it is counted, and what came with it is given back.
static enum weir_result skip(weir_capture *capture, const struct weir_incoming *frame)
{
    const enum weir_result passed = frame->ops->pass(capture, frame);
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
                        capture->params.timing.constant_rate ? "of constant rate fills" : "can say",
                        times->max_gap_ns / 1000000000u);
    }
    return order == WEIR_TIMES_FOLLOWS;
}

// Make what frames of this kind take, if it is another one than that of the frames before it.
static enum weir_result change_kind(weir_capture *capture, const struct weir_kind_like *like)
{
    if (weir_kinds_takes(&capture->kinds, like)) {
        return WEIR_OK;
    }
    const enum weir_result result = weir_capture_check_size(&capture->log, like->width,
                                                            like->height, &capture->params);
    return result == WEIR_OK ? weir_kinds_change(&capture->kinds, like) : result;
}

uint64_t weir_incoming_put_time(weir_capture *capture, const struct weir_incoming *frame)
{
    const bool is_first = !capture->times.has_taken;
    const uint64_t movie_ns = weir_times_put(&capture->times, frame->time_ns);
    if (is_first) {
        capture->writer.first_ns = capture->times.first_ns;
    }
    return movie_ns;
}

void weir_incoming_push(weir_capture *capture, struct weir_ring_item *item)
{
    item->number = capture->num_frames++;
    weir_counts_change(&capture->stats.render, WEIR_COUNT_RECEIVED, 1);
    atomic_fetch_add_explicit(&item->kind->num_in_flight, 1, memory_order_relaxed);
    weir_ring_push(&capture->ring, item);
}

// Take room in the ring. False: there is none, and the frame is dropped.
static bool take_room(weir_capture *capture, const struct weir_incoming *frame, uint64_t *wait_ns)
{
    if (frame->is_lost) {
        return false;
    }
    if (weir_ring_take_room(&capture->ring)) {
        return true;
    }
    if (capture->params.policy != WEIR_POLICY_WAIT) {
        return false;
    }
    const uint64_t begin_ns = weir_clock_ns();
    weir_ring_wait_room(&capture->ring);
    *wait_ns = weir_clock_ns() - begin_ns;
    return true;
}

// Take a frame, or not; `*wait_ns` becomes how long that waited for room.
static enum weir_result take(weir_capture *capture, const struct weir_incoming *frame,
                             uint64_t *wait_ns)
{
    enum weir_result failure = weir_writer_failure(&capture->writer);
    const struct weir_times before = capture->times;
    if (failure == WEIR_OK) {
        if (!check_time(capture, frame->time_ns)) {
            return weir_incoming_drop(capture, frame, WEIR_DROP_TIME, WEIR_DROPPED);
        }
        if (!weir_times_takes(&capture->times, frame->time_ns)) {
            return skip(capture, frame);
        }
        if (!take_room(capture, frame, wait_ns)) {
            return weir_incoming_drop(capture, frame, WEIR_DROP_RING_FULL, WEIR_DROPPED);
        }
        failure = weir_writer_failure(&capture->writer); // it may have come during the sleep
        // Only a frame that has room: so no more kinds are in use than frames are in flight.
        const enum weir_result changed = failure == WEIR_OK ? change_kind(capture, &frame->like)
                                                            : WEIR_OK;
        if (failure == WEIR_OK && changed == WEIR_OK) {
            return frame->ops->fill(capture, frame);
        }
        weir_ring_give_room(&capture->ring);
        if (changed != WEIR_OK) {
            capture->times = before; // it may come again
            return weir_incoming_refuse(capture, frame, changed);
        }
    }
    return weir_incoming_drop(
        capture, frame, weir_writer_is_device_failure(failure) ? WEIR_DROP_DEVICE : WEIR_DROP_SINK,
        failure);
}

enum weir_result weir_incoming_take(weir_capture *capture, const struct weir_incoming *frame)
{
    uint64_t wait_ns = 0;
    const enum weir_result result = take(capture, frame, &wait_ns);
    weir_drop_log_update(&capture->drops, weir_times_in_movie(&capture->times, frame->time_ns),
                         capture->now_ns);
    const uint64_t host_ns = weir_clock_ns() - capture->now_ns;
    struct weir_counts *counts = &capture->stats.render;
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT_HOST_NS, host_ns);
    weir_counts_raise(counts, WEIR_COUNT_HOST_MAX_NS, host_ns);
    weir_counts_add(counts, WEIR_COUNT_WAIT_NS, wait_ns);
    weir_counts_end(counts);
    return result;
}
