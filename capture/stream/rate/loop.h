// SPDX-License-Identifier: MIT
// The loop of a rate: brings what became of frames back to the control, from the writer and the
// device.
#ifndef WEIR_CAPTURE_STREAM_RATE_LOOP_H
#define WEIR_CAPTURE_STREAM_RATE_LOOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/rdo.h>

#include "capture/stream/encoding.h"
#include "capture/stream/rate/control.h"
#include "capture/stream/stats.h"

// What became of a frame that was written.
struct weir_rate_written {
    uint64_t number;   // as the control counts
    uint32_t size;     // of its packet [bytes]
    uint64_t repeated; // of packets before it that held a frame once more [bytes]
    struct weir_rdo_result coded;
};

// A frame that was submitted, and what is known of it.
struct weir_rate_submitted {
    const struct weir_encoding *encoding; // NULL: it failed
    uint32_t slot;
    bool is_written;
    struct weir_rate_written written;
};

struct weir_rate_loop {
    struct weir_counts *counts; // of the thread that submits frames
    const struct weir_log *log;
    uint64_t bytes_per_second;
    uint32_t max_quality;
    bool has_logged_short, has_logged_over;

    // The delay after which the control hears of packets and of the device [frames]; 0: as soon as
    // they are known.
    uint32_t packet_delay, device_delay;
    struct weir_rate control;
    struct weir_rate_submitted frames[WEIR_RATE_MAX_FRAMES]; // of the control
    uint64_t num_coded; // the control's next frame without a result of the device

    // From the writer: one producer, one consumer.
    struct weir_rate_written written[WEIR_RATE_MAX_FRAMES];
    _Atomic uint32_t head, tail; // counters, not wrapped; head is the producer's
};

// Make the loop of a capture with a rate. `raw_size`: of a frame's blocks [bytes]. `counts` and
// `log` are borrowed. With WEIR_POLICY_WAIT the choice depends on the frames alone, and not on how
// fast they come: the same frames become the same movie. The control then learns of packets
// num_slots frames later, and waits for the device where that is more than a frame behind.
// NULL: out of memory. Free it with free().
struct weir_rate_loop *weir_rate_loop_create(const struct weir_capture_params *params,
                                             uint32_t raw_size, struct weir_counts *counts,
                                             const struct weir_log *log);

// The thread that submits frames: choose the quality of the next one, whose slot was begun. Counts
// frames that no quality brings to the rate, and logs the first of them.
double weir_rate_loop_next(struct weir_rate_loop *loop, uint64_t time_ns);

// The same: the frame was submitted, or failed where `encoding` is NULL. Returns its number.
uint64_t weir_rate_loop_submitted(struct weir_rate_loop *loop, const struct weir_encoding *encoding,
                                  uint32_t slot);

// The writer, before it gives the slot back: a frame was written. What finds no room is lost.
// Never blocks.
void weir_rate_loop_written(struct weir_rate_loop *loop, const struct weir_rate_written *written);

#endif
