// SPDX-License-Identifier: MIT
// The loop of a rate: brings what became of the frames back to the control, from the writer and
// from the device.
#ifndef WEIR_CAPTURE_STREAM_RATE_LOOP_H
#define WEIR_CAPTURE_STREAM_RATE_LOOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/rdo.h>
#include <weir/readback.h>

#include "capture/stream/controls.h"
#include "capture/stream/rate/control.h"

// What became of a frame that was written.
struct weir_rate_written {
    uint64_t number;   // as the control counts
    uint32_t size;     // of its packet [bytes]
    uint64_t repeated; // of packets before it that held a frame once more [bytes]
    struct weir_rdo_result coded;
};

// A frame, where it is on the device, and what is known of it.
struct weir_rate_way {
    weir_readback *readback; // NULL: it was not submitted
    uint32_t slot;
    struct weir_controls controls;
    bool is_written;
    struct weir_rate_written written;
};

struct weir_rate_loop {
    // The delay after which the control hears of packets and of the device [frames]; 0: as soon as
    // they are known.
    uint32_t packet_delay, device_delay;
    struct weir_rate control;
    struct weir_rate_way ways[WEIR_RATE_MAX_FRAMES]; // of the control's frames
    uint64_t num_coded; // the control's next frame to hear of from the device

    // From the writer: one producer, one consumer.
    struct weir_rate_written passed[WEIR_RATE_MAX_FRAMES];
    _Atomic uint32_t head, tail; // counters, not wrapped; head is the producer's
};

// `num_slots`: the most frames on their way. With `waits` the choice depends on the frames alone,
// and not on how fast they come: the same frames become the same movie. The control then hears of
// packets num_slots frames later, and waits for the device where that is more than a frame behind.
void weir_rate_loop_init(struct weir_rate_loop *loop, const struct weir_rate_params *params,
                         uint32_t num_slots, bool waits);

// The thread that hands frames over: choose the quality of the next one, whose slot was begun.
double weir_rate_loop_next(struct weir_rate_loop *loop, uint64_t time_ns);

// The same: the frame was submitted, or failed where `readback` is NULL, when `controls` is not
// read. Returns its number.
uint64_t weir_rate_loop_submitted(struct weir_rate_loop *loop, weir_readback *readback,
                                  uint32_t slot, const struct weir_controls *controls);

// The writer, before it gives the slot back: a frame was written. What finds no room is not told.
// Never blocks.
void weir_rate_loop_written(struct weir_rate_loop *loop, const struct weir_rate_written *written);

#endif
