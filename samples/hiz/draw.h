// SPDX-License-Identifier: MIT
// Drawing the city: its light and its depth, and the picture that is shown of them.
#ifndef SAMPLE_DRAW_H
#define SAMPLE_DRAW_H

#include "city.h"
#include "hiz.h"
#include "screen.h"

#define DRAW_DEPTH_FORMAT VK_FORMAT_D32_SFLOAT

struct draw {
    struct gpu *gpu;
    const struct hiz *hiz; // the boxes, and the lists of those that are drawn
    struct pass pass;
    struct screen screen;

    struct gpu_image light, depth;
};

// Make what draws the boxes of `hiz`, which is borrowed. The device owns it.
bool draw_init(struct gpu *gpu, const struct sample_images *images, const struct hiz *hiz,
               struct draw *draw);
bool draw_resize(struct draw *draw, uint32_t width, uint32_t height);

// Record the begin of pass 0 or 1, for boxes of that pass's list, and its end. Pass 0 clears and
// draws the ground, pass 1 adds to it. Compute shaders can read the depth afterwards.
void draw_begin(const struct draw *draw, VkCommandBuffer cmd, uint32_t pass,
                const struct camera *camera);
void draw_end(const struct draw *draw, VkCommandBuffer cmd, uint32_t pass);

// Record what is shown. With `compares` the right half marks the boxes that a wrong pyramid would
// lose.
void draw_show(const struct draw *draw, VkCommandBuffer cmd, const struct gpu_image *image,
               const struct camera *camera, bool compares);

#endif
