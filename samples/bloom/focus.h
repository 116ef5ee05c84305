// SPDX-License-Identifier: MIT
// Depth of field: what is out of focus is spread over its circle of confusion.
#ifndef SAMPLE_FOCUS_H
#define SAMPLE_FOCUS_H

#include <weir/pyramid.h>

#include "compute.h"
#include "levels.h"
#include "timing.h"

// The picture that is read and written.
struct focus_images {
    const weir_image *depth; // in VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL
    VkImageView hdr; // in VK_IMAGE_LAYOUT_GENERAL, R16G16B16A16_SFLOAT, for sampling and storage
    uint32_t width, height;
};

// Circles of confusion are radii in texels of the picture, negative in front of the focus.
//
// 1. coc:     the smallest and the largest circle of every region, a pyramid from the depth buffer.
// 2. fields:  the light behind the focus and the light in front of it, at half the size,
//             premultiplied by coverage: two layers of one pyramid.
// 3. blurred: for each field, taps over the circle, from the level whose texels are as far apart as
//             the taps: no noise and no gaps, however large the circle is.
// 4. The picture becomes its own blurred fields, in place.
//
// Method: J. Jimenez, "Next generation post processing in Call of Duty: Advanced Warfare" (2014),
// the chapter on depth of field, with pyramids in place of its tiles and prefilter.
struct focus {
    const struct gpu *gpu;
    weir_pyramid *coc_pyramid, *field_pyramid;
    struct compute split, gather, resolve;

    struct levels coc, fields, blurred;
    weir_pyramid_target *coc_target, *field_target;
    VkDescriptorSet split_set, gather_set, resolve_set;
    uint32_t width, height;
};

bool focus_init(const struct gpu *gpu, VkFormat depth_format, struct focus *focus);
void focus_finish(struct focus *focus);

// Make the images for a picture of this size. The GPU must not be using them during this call or
// during focus_finish().
bool focus_resize(struct focus *focus, const struct focus_images *images);

// Record: bring the images into the layout that they are used in, each frame once.
void focus_discard(const struct focus *focus, VkCommandBuffer cmd);

// Record depth of field into the picture. Compute shaders can read the picture before; compute and
// fragment shaders can read it after. Things at `distance` are sharp [units of the scene].
bool focus_record(const struct focus *focus, VkCommandBuffer cmd, float distance,
                  struct timing *timing, uint32_t slot);

#endif
