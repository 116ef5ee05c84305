// SPDX-License-Identifier: MIT
// The picture of the viewer: a PNG file, or a zone plate.
#ifndef SAMPLE_INPUT_H
#define SAMPLE_INPUT_H

#include "gpu.h"

struct input {
    uint32_t width, height;        // [texels]
    struct weir_gpu_buffer texels; // RGBA, a byte each, sRGB codes, rows from the top
};

// Read a PNG file of any kind; the device owns the texels. Its sides are at most `max_side`.
bool input_read(struct gpu *gpu, const char *path, uint32_t max_side, struct input *input);

// Draw rings that become finer from the middle outwards, down to one texel in the corners.
bool input_draw(struct gpu *gpu, uint32_t width, uint32_t height, struct input *input);

#endif
