// SPDX-License-Identifier: MIT
// The loop of a rate: brings what became of the frames back to the control, from the writer and
// from the device.
//
// A frame that the writer has not told of has not been given back either: so its slot, and what the
// kernel wrote there, can be read.
#include "capture/stream/rate/loop.h"

// The frames that the device may be behind where the choice waits for it: one is computed while the
// next is handed over.
#define DEVICE_DELAY 2

void weir_rate_loop_init(struct weir_rate_loop *loop, const struct weir_rate_params *params,
                         uint32_t num_slots, bool waits)
{
    weir_rate_init(&loop->control, params);
    loop->packet_delay = waits ? num_slots : 0;
    loop->device_delay = waits ? DEVICE_DELAY : 0;
}

static struct weir_rate_way *way_of(struct weir_rate_loop *loop, uint64_t number)
{
    return &loop->ways[number % WEIR_RATE_MAX_FRAMES];
}

// Take what the writer has told.
static void take_passed(struct weir_rate_loop *loop)
{
    uint32_t tail = atomic_load_explicit(&loop->tail, memory_order_relaxed);
    while (tail != atomic_load_explicit(&loop->head, memory_order_acquire)) {
        const struct weir_rate_written *written = &loop->passed[tail % WEIR_RATE_MAX_FRAMES];
        struct weir_rate_way *way = way_of(loop, written->number);
        way->written = *written;
        way->is_written = true;
        atomic_store_explicit(&loop->tail, ++tail, memory_order_release);
    }
}

// Get what the device says of a frame; false: it is not known yet, or never.
static bool get_coded(struct weir_rate_loop *loop, struct weir_rate_way *way,
                      struct weir_rdo_result *coded)
{
    if (way->is_written) {
        *coded = way->written.coded;
        return true;
    }
    const uint64_t timeout_ns = loop->device_delay > 0 ? UINT64_MAX : 0;
    if (!way->readback ||
        weir_readback_wait_control(way->readback, way->slot, timeout_ns) != WEIR_OK) {
        return false;
    }
    const struct weir_slot_control control = weir_slot_get_control(way->readback, way->slot);
    *coded = weir_controls_get_result(&way->controls, control.data);
    return true;
}

static void tell_coded(struct weir_rate_loop *loop)
{
    struct weir_rate *control = &loop->control;
    if (loop->num_coded < control->begin) {
        loop->num_coded = control->begin;
    }
    while (loop->num_coded < control->end &&
           loop->num_coded + (loop->device_delay > 0 ? loop->device_delay : 1) <= control->end) {
        struct weir_rate_way *way = way_of(loop, loop->num_coded);
        struct weir_rdo_result coded;
        if (get_coded(loop, way, &coded)) {
            weir_rate_coded(control, loop->num_coded, (double)coded.num_bytes);
        } else if (way->readback) {
            return;
        }
        loop->num_coded++;
    }
}

static void tell_packed(struct weir_rate_loop *loop)
{
    struct weir_rate *control = &loop->control;
    const uint64_t end = control->end;
    for (uint64_t i = control->begin; i < end && i + loop->packet_delay <= end; i++) {
        const struct weir_rate_way *way = way_of(loop, i);
        if (way->is_written) {
            weir_rate_repeated(control, (double)way->written.repeated);
            weir_rate_packed(control, i, way->written.size);
        }
    }
}

double weir_rate_loop_next(struct weir_rate_loop *loop, uint64_t time_ns)
{
    take_passed(loop);
    tell_coded(loop);
    tell_packed(loop);
    *way_of(loop, loop->control.end) = (struct weir_rate_way){.readback = NULL};
    return weir_rate_next(&loop->control, time_ns);
}

uint64_t weir_rate_loop_submitted(struct weir_rate_loop *loop, weir_readback *readback,
                                  uint32_t slot, const struct weir_controls *controls)
{
    const uint64_t number = loop->control.end - 1;
    *way_of(loop, number) = (struct weir_rate_way){.readback = readback, .slot = slot};
    if (readback) {
        way_of(loop, number)->controls = *controls;
    }
    return number;
}

void weir_rate_loop_written(struct weir_rate_loop *loop, const struct weir_rate_written *written)
{
    const uint32_t head = atomic_load_explicit(&loop->head, memory_order_relaxed);
    if (head - atomic_load_explicit(&loop->tail, memory_order_acquire) < WEIR_RATE_MAX_FRAMES) {
        loop->passed[head % WEIR_RATE_MAX_FRAMES] = *written;
        atomic_store_explicit(&loop->head, head + 1, memory_order_release);
    }
}
