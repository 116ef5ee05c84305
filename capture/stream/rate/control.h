// SPDX-License-Identifier: MIT
// The control of a rate: chooses the quality of each frame, so that a movie has so many bytes a
// second. Without threads, clocks and devices: times and sizes come in, qualities go out.
#ifndef WEIR_CAPTURE_STREAM_RATE_CONTROL_H
#define WEIR_CAPTURE_STREAM_RATE_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/encode.h>

// The model: how large a frame becomes at a lambda, learned from the frames of late.
//
// Lambda is on a scale on which pictures change evenly, ln(lambda + 2): noise by at most 8 dB and
// by a factor of 5 for each 1 of it, photographs by 1 to 2.5 dB and a sixth.
double weir_rate_scale_of(double quality);
double weir_rate_quality_of(double scale);

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

// Begin with what photographs come to. `raw_size`: of a frame's blocks [bytes].
void weir_rate_model_init(struct weir_rate_model *model, double raw_size);

// Get the size of the frame that comes so many frames behind the last one that was learned [bytes].
double weir_rate_model_size(const struct weir_rate_model *model, uint64_t ahead, double scale);

// Get where that frame has a size [bytes]: the next place from `from` on, within `least` and
// `most`.
double weir_rate_model_find(const struct weir_rate_model *model, uint64_t ahead, double size,
                            double from, double least, double most);

// Sizes are found to be larger by this, as a logarithm.
void weir_rate_model_shift(struct weir_rate_model *model, double change);

// Learn from a frame, in the order of frames. Returns true at a cut: the size is not one that
// pictures as before can have.
bool weir_rate_model_learn(struct weir_rate_model *model, double scale, double size);

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
    double scale;     // of its lambda, see model.h
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

#endif
