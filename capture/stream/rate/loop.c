// SPDX-License-Identifier: MIT
// The loop of a rate: brings what became of frames back to the control, from the writer and the
// device.
//
// A frame that the writer has not reported has not been given back either: so its slot, and what
// the kernel wrote there, can be read.
#include "capture/stream/rate/control.h"

#include <stdlib.h>
#include <string.h>

#include "capture/stream/clock/clock.h"

// The frames that the device may be behind where the choice waits for it: one is computed while the
// next is handed over.
#define DEVICE_DELAY 2

struct weir_rate_loop *weir_rate_loop_create(const struct weir_capture_params *params,
                                             uint32_t raw_size, struct weir_counts *counts,
                                             const struct weir_log *log)
{
    struct weir_rate_loop *loop = malloc(sizeof(*loop));
    if (!loop) {
        return NULL;
    }
    memset(loop, 0, sizeof(*loop)); // touched before use
    const bool waits = params->policy == WEIR_POLICY_WAIT;
    const struct weir_ratio frame_rate = params->timing.frame_rate;
    const struct weir_rate_params rate = {
        .rate = (double)params->rate.bytes_per_second,
        .max_quality = params->rate.quality,
        .raw_size = (double)raw_size,
        .frame_rate = (double)frame_rate.num / frame_rate.den,
        .fills = params->timing.constant_rate,
        .codec = weir_movie_codec_get_info(params->codec)->textures[0],
    };
    weir_rate_init(&loop->control, &rate);
    loop->counts = counts;
    loop->log = log;
    loop->bytes_per_second = params->rate.bytes_per_second;
    loop->max_quality = params->rate.quality;
    loop->packet_delay = waits ? params->num_slots : 0;
    loop->device_delay = waits ? DEVICE_DELAY : 0;
    return loop;
}

static struct weir_rate_submitted *frame_at(struct weir_rate_loop *loop, uint64_t number)
{
    return &loop->frames[number % WEIR_RATE_MAX_FRAMES];
}

// Note the frames that the writer has written.
static void note_written(struct weir_rate_loop *loop)
{
    uint32_t tail = atomic_load_explicit(&loop->tail, memory_order_relaxed);
    while (tail != atomic_load_explicit(&loop->head, memory_order_acquire)) {
        const struct weir_rate_written *written = &loop->written[tail % WEIR_RATE_MAX_FRAMES];
        struct weir_rate_submitted *frame = frame_at(loop, written->number);
        frame->written = *written;
        frame->is_written = true;
        atomic_store_explicit(&loop->tail, ++tail, memory_order_release);
    }
}

// Get what the device says of a frame; false: it is not known yet, or never.
static bool get_coded(const struct weir_rate_loop *loop, const struct weir_rate_submitted *frame,
                      struct weir_rdo_result *coded)
{
    if (frame->is_written) {
        *coded = frame->written.coded;
        return true;
    }
    const uint64_t timeout_ns = loop->device_delay > 0 ? UINT64_MAX : 0;
    weir_readback *readback = frame->encoding ? frame->encoding->gpu.readback : NULL;
    if (!readback || weir_readback_wait_control(readback, frame->slot, timeout_ns) != WEIR_OK) {
        return false;
    }
    const struct weir_slot_control control = weir_slot_get_control(readback, frame->slot);
    *coded = weir_encoding_get_result(frame->encoding, control.data);
    return true;
}

static void learn_coded(struct weir_rate_loop *loop)
{
    struct weir_rate *control = &loop->control;
    if (loop->num_coded < control->begin) {
        loop->num_coded = control->begin;
    }
    while (loop->num_coded < control->end &&
           loop->num_coded + (loop->device_delay > 0 ? loop->device_delay : 1) <= control->end) {
        const struct weir_rate_submitted *frame = frame_at(loop, loop->num_coded);
        struct weir_rdo_result coded;
        if (get_coded(loop, frame, &coded)) {
            weir_rate_coded(control, loop->num_coded, (double)coded.num_bytes);
        } else if (frame->encoding) {
            return;
        }
        loop->num_coded++;
    }
}

static void learn_packed(struct weir_rate_loop *loop)
{
    struct weir_rate *control = &loop->control;
    const uint64_t end = control->end;
    for (uint64_t i = control->begin; i < end && i + loop->packet_delay <= end; i++) {
        const struct weir_rate_submitted *frame = frame_at(loop, i);
        if (frame->is_written) {
            weir_rate_repeated(control, (double)frame->written.repeated);
            weir_rate_packed(control, i, frame->written.size);
        }
    }
}

// Count a frame that no quality brings to the rate, and log the first one of each kind.
static void count_ends(struct weir_rate_loop *loop, uint64_t time_ns)
{
    if (loop->control.is_short) {
        weir_counts_change(loop->counts, WEIR_COUNT(quality.rate_short), 1);
    }
    if (loop->control.is_over) {
        weir_counts_change(loop->counts, WEIR_COUNT(quality.rate_over), 1);
    }
    if (loop->control.is_short && !loop->has_logged_short) {
        loop->has_logged_short = true;
        weir_log_printf(loop->log, WEIR_LOG_INFO, WEIR_LOG_CODE_RATE,
                        "at " WEIR_SECONDS_FORMAT " the picture needs less than %" PRIu64
                        " bytes a second at quality %" PRIu32 ", and such parts will have less",
                        WEIR_SECONDS(time_ns), loop->bytes_per_second, loop->max_quality);
    }
    if (loop->control.is_over && !loop->has_logged_over) {
        loop->has_logged_over = true;
        weir_log_printf(loop->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_RATE,
                        "at " WEIR_SECONDS_FORMAT " the picture needs more than %" PRIu64
                        " bytes a second even at quality 1, and such parts will have more: record "
                        "fewer frames a second, or smaller ones",
                        WEIR_SECONDS(time_ns), loop->bytes_per_second);
    }
}

double weir_rate_loop_next(struct weir_rate_loop *loop, uint64_t time_ns)
{
    note_written(loop);
    learn_coded(loop);
    learn_packed(loop);
    *frame_at(loop, loop->control.end) = (struct weir_rate_submitted){.encoding = NULL};
    const double quality = weir_rate_next(&loop->control, time_ns);
    count_ends(loop, time_ns);
    return quality;
}

uint64_t weir_rate_loop_submitted(struct weir_rate_loop *loop, const struct weir_encoding *encoding,
                                  uint32_t slot)
{
    const uint64_t number = loop->control.end - 1;
    *frame_at(loop, number) = (struct weir_rate_submitted){.encoding = encoding, .slot = slot};
    return number;
}

void weir_rate_loop_written(struct weir_rate_loop *loop, const struct weir_rate_written *written)
{
    const uint32_t head = atomic_load_explicit(&loop->head, memory_order_relaxed);
    if (head - atomic_load_explicit(&loop->tail, memory_order_acquire) < WEIR_RATE_MAX_FRAMES) {
        loop->written[head % WEIR_RATE_MAX_FRAMES] = *written;
        atomic_store_explicit(&loop->head, head + 1, memory_order_release);
    }
}
