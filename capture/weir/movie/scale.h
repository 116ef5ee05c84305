// SPDX-License-Identifier: MIT
// The size of a movie's frames where they become smaller, and the filter of its stream for that.
#ifndef WEIR_CAPTURE_WEIR_MOVIE_SCALE_H
#define WEIR_CAPTURE_WEIR_MOVIE_SCALE_H

#include <stdbool.h>

#include "capture/files/source/source.h"
#include "capture/weir/common/options.h"
#include "capture/weir/gpu/scaler.h"
#include "capture/weir/movie/stream.h"

// The size of a movie's frames, and the shape of their pixels.
struct cli_shape {
    uint32_t width, height; // [texels]
    uint32_t pixel_aspect_num, pixel_aspect_den;
};

// True if a scale was given.
bool cli_scale_is_given(const struct cli_scale *scale);

// Choose the shape of the frames of a source, which stays as it is without a scale. `keeps_pixels`:
// see weir_source_params.
// Errors: WEIR_ERROR_INVALID for one that is larger, which is printed.
enum weir_result cli_scale_choose(const struct cli_scale *scale, const weir_source *source,
                                  bool keeps_pixels, struct cli_shape *shape);

struct cli_scale_filter {
    struct cli_scaler scaler;
    struct cli_scaled frames[CLI_STREAM_MAX_SLOTS];
};

// Prints the reason of a failure. Finish it in every case, when the stream is over.
enum weir_result cli_scale_filter_init(struct cli_scale_filter *filter, struct cli_gpu *gpu,
                                       const struct cli_scaler_params *params);
void cli_scale_filter_finish(struct cli_scale_filter *filter);

// Get it as a stream takes it. It borrows `filter`.
struct cli_stream_filter cli_scale_filter_of_stream(struct cli_scale_filter *filter);

#endif
