// SPDX-License-Identifier: MIT
// The control of a rate: chooses the quality of each frame, so that a movie has so many bytes a
// second. Without threads, clocks and devices: times and sizes come in, qualities go out.
//
// The loop of a rate brings what became of frames back to the control, from the writer and the
// device.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/encode.h>
#include <weir/log.h>
#include <weir/rdo.h>

#include "capture/stream/encoding.h"
#include "capture/stream/stats.h"

// The model: how large a frame becomes at a lambda, learned from the frames of late.
//
// Lambda is on a scale on which pictures change evenly, ln(lambda + 2): noise by at most 8 dB and
// by a factor of 5 for each 1 of it, photographs by 1 to 2.5 dB and a sixth.
enum { WEIR_RATE_NUM_POINTS = 20 };

// Sizes are logarithms. That of a frame is the level and a curve through points, one for each part
// of the scale that frames had; beside these it has the shape of photographs.
struct weir_rate_point {
    bool is_known;
    double scale, value;
};
struct weir_rate_model {
    bool has_frame;
    double level, trend; // the latter is what the level changes by from frame to frame
    double noise;        // the mean difference of neighbours
    double last_scale, last_size;
    struct weir_rate_point points[WEIR_RATE_NUM_POINTS];
};

// Above the most frames that a capture has on their way.
enum { WEIR_RATE_MAX_FRAMES = 128 };

struct weir_rate_params {
    double rate;        // [bytes a second]
    double max_quality; // 1 .. 100
    double raw_size;    // of a frame's blocks [bytes]
    double frame_rate;  // nominal, until the times of frames are known [1/s]
    bool fills;         // frames are written again where one is missing at that rate
    // Of the first texture: it says how much decibels change with lambda.
    enum weir_codec codec;
};

// A frame on its way.
struct weir_rate_frame {
    double scale;     // of its lambda, see the model
    double num_coded; // the bytes that the kernel counted on; 0: not known yet
};

struct weir_rate {
    struct weir_rate_params params;
    struct weir_rate_model model;
    double least, most; // of the scale: the best quality, and the least
    double debt;        // what packets have above the rate's share of the time up to now [bytes]
    // The logarithm of a packet's size to what the kernel counted on.
    double ratio;
    bool has_ratio;
    uint64_t first_of_picture; // the frame behind the last cut
    bool is_new_picture;       // no packet behind that is known, so the ratio is the one of before
    double interval;           // between frames, smoothed [s]
    bool is_gap;               // the last frame came late
    uint64_t time_ns;          // of the last frame
    double scale;              // of the last frame
    double learned_scale;      // of the last frame that was learned
    uint32_t num_searched;     // frames in which lambda may still be looked for, behind a cut
    // The last frame had the best quality and less than the rate, or the least and more.
    bool is_short, is_over;

    // Frames begin..end-1, counted from 0, are on their way; frame i is in place i % the most.
    struct weir_rate_frame frames[WEIR_RATE_MAX_FRAMES];
    uint64_t begin, end;
    uint64_t num_learned; // frames before this one were learned, or will not be
};

void weir_rate_init(struct weir_rate *rate, const struct weir_rate_params *params);

// Begin the next frame, which has this time [ns, does not go back]. Returns its quality.
double weir_rate_next(struct weir_rate *rate, uint64_t time_ns);

// The other calls are about the frame with that number, counted from 0 over those that were begun,
// in the order of frames. Those that are no longer on their way are ignored.

// The kernel is done with a frame: it counted on so many bytes.
void weir_rate_coded(struct weir_rate *rate, uint64_t number, double num_bytes);

// A frame became a packet of that size [bytes]. Those before it that did not are lost.
void weir_rate_packed(struct weir_rate *rate, uint64_t number, double size);

// The last packet was written again, which took so many bytes.
void weir_rate_repeated(struct weir_rate *rate, double size);

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
