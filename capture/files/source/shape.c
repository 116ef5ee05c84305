// SPDX-License-Identifier: MIT
// The shape of a frame: its size when it is upright, and that of its pixels.
#include "capture/files/source/shape.h"

#include <math.h>

#include "capture/files/source/orientation.h"

enum { MAX_RATIO = 4 }; // what is wider or higher is a mistake in the file

static bool is_sane(AVRational ratio)
{
    return ratio.num > 0 && ratio.den > 0 && av_q2d(ratio) <= MAX_RATIO &&
           av_q2d(ratio) >= 1.0 / MAX_RATIO;
}

struct weir_shape weir_shape_get(const AVFrame *frame, const AVStream *stream)
{
    struct weir_shape shape = {.orientation = weir_orientation_get(frame, stream)};
    const bool swaps = weir_orientation_swaps_sides(shape.orientation);
    AVRational ratio = frame->sample_aspect_ratio;
    if (ratio.num <= 0 && stream) {
        ratio = stream->sample_aspect_ratio;
    }
    if (swaps) {
        ratio = av_inv_q(ratio);
    }
    shape.width = (uint32_t)(swaps ? frame->height : frame->width);
    shape.height = (uint32_t)(swaps ? frame->width : frame->height);
    shape.ratio = is_sane(ratio) ? ratio : (AVRational){1, 1};
    return shape;
}

bool weir_shape_make_square(const struct weir_shape *shape, uint32_t *width, uint32_t *height)
{
    const double ratio = av_q2d(shape->ratio);
    const double wider = shape->width * fmax(ratio, 1);
    const double higher = shape->height / fmin(ratio, 1);
    *width = shape->width;
    *height = shape->height;
    if (shape->ratio.num == shape->ratio.den || wider > WEIR_SHAPE_MAX_SIDE ||
        higher > WEIR_SHAPE_MAX_SIDE) {
        return false;
    }
    *width = (uint32_t)lround(wider);
    *height = (uint32_t)lround(higher);
    return true;
}

AVRational weir_shape_pixels(const struct weir_shape *shape, uint32_t width, uint32_t height)
{
    const AVRational wider = {(int)shape->width, (int)width},
                     higher = {(int)height, (int)shape->height};
    return av_mul_q(shape->ratio, av_mul_q(wider, higher));
}
