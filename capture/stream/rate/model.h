// SPDX-License-Identifier: MIT
// The model of a rate: how large a frame becomes at a lambda, learned from the frames of late.
#ifndef WEIR_CAPTURE_STREAM_RATE_MODEL_H
#define WEIR_CAPTURE_STREAM_RATE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
