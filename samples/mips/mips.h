// SPDX-License-Identifier: MIT
// A picture and its mip levels: the calls of <weir/pyramid.h>.
#pragma once

#include <weir/pyramid.h>

#include "gpu.h"

// The picture of the viewer: a PNG file, or a zone plate.

struct input {
    uint32_t width, height;        // [texels]
    struct weir_gpu_buffer texels; // RGBA, a byte each, sRGB codes, rows from the top
};

// Read a PNG file of any kind; the device owns the texels. Its sides are at most `max_side`.
bool input_read(struct gpu *gpu, const char *path, uint32_t max_side, struct input *input);

// Draw rings that become finer from the middle outwards, down to one texel in the corners.
bool input_draw(struct gpu *gpu, uint32_t width, uint32_t height, struct input *input);

struct mips_params {
    enum weir_pyramid_method method;
    enum weir_pyramid_reduction reduction;
    VkFormat format; // R8G8B8A8_SRGB: means of light; R8G8B8A8_UNORM: means of codes
};

struct mips {
    struct gpu *gpu;
    struct mips_params params;
    weir_pyramid *pyramid;
    weir_pyramid_target *target;
    struct gpu_image levels;
    bool is_filled; // level 0 holds the picture
};

// Make the levels of a picture of this size, which the device owns. False: the reason was printed,
// and is also that the method cannot do that.
bool mips_init(struct gpu *gpu, const struct mips_params *params, uint32_t width, uint32_t height,
               struct mips *mips);

// Record what comes before the first run: level 0 becomes the picture.
void mips_fill(struct mips *mips, VkCommandBuffer cmd, const struct input *picture);

// Record the making of all other levels from level 0. Compute and fragment shaders can then read
// all of them, in VK_IMAGE_LAYOUT_GENERAL.
bool mips_record(const struct mips *mips, VkCommandBuffer cmd);
