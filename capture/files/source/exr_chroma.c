// SPDX-License-Identifier: MIT
// Luminance and chroma of OpenEXR become colours. Chroma of half the sides is linear between its
// samples.
#include <string.h>

#include "capture/files/source/exr_layer.h"
#include "capture/files/source/scale.h"

// Get a sample of every other one, between the nearest.
static float between(const float *row, const float *below, int x, int width)
{
    const int right = FFMIN((x + 1) / 2, (width - 1) / 2);
    return (row[x / 2] + row[right] + below[x / 2] + below[right]) / 4;
}

// Chroma has half of the sides, and lies in the first quarter of its plane. From the last texel on
// none is overwritten that is needed.
static void widen_chroma(const AVFrame *frame, int channel)
{
    for (int y = frame->height - 1; y >= 0; y--) {
        const float *row = weir_float_row(frame, channel, y / 2);
        const float *below = weir_float_row(frame, channel,
                                            FFMIN((y + 1) / 2, (frame->height - 1) / 2));
        for (int x = frame->width - 1; x >= 0; x--) {
            weir_float_row(frame, channel, y)[x] = between(row, below, x, frame->width);
        }
    }
}

// Y is a weighted sum of R, G and B; the others are (R - Y) / Y and (B - Y) / Y.
static void make_colours(const AVFrame *frame)
{
    static const float red_weight = 0.2126f, green_weight = 0.7152f, blue_weight = 0.0722f;
    for (int y = 0; y < frame->height; y++) {
        float *red = weir_float_row(frame, WEIR_EXR_RED, y),
              *green = weir_float_row(frame, WEIR_EXR_GREEN, y);
        float *blue = weir_float_row(frame, WEIR_EXR_BLUE, y);
        for (int x = 0; x < frame->width; x++) {
            const float luma = green[x];
            red[x] = (red[x] + 1) * luma;
            blue[x] = (blue[x] + 1) * luma;
            green[x] = (luma - red_weight * red[x] - blue_weight * blue[x]) / green_weight;
        }
    }
}

static void spread_grey(const AVFrame *frame)
{
    const size_t size = (size_t)frame->width * sizeof(float);
    for (int y = 0; y < frame->height; y++) {
        memcpy(weir_float_row(frame, WEIR_EXR_RED, y), weir_float_row(frame, WEIR_EXR_GREEN, y),
               size);
        memcpy(weir_float_row(frame, WEIR_EXR_BLUE, y), weir_float_row(frame, WEIR_EXR_GREEN, y),
               size);
    }
}

void weir_exr_make_colours(const struct weir_exr_layer *layer, const AVFrame *frame)
{
    if (layer->has_small_chroma) {
        widen_chroma(frame, WEIR_EXR_RED);
        widen_chroma(frame, WEIR_EXR_BLUE);
    }
    if (layer->has_chroma) {
        make_colours(frame);
    } else if (layer->is_grey) {
        spread_grey(frame);
    }
}
