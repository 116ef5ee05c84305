// SPDX-License-Identifier: MIT
// Drawing the city: the images of a view of it, and the picture that is shown of them.
#ifndef SAMPLE_DRAW_H
#define SAMPLE_DRAW_H

#include <weir/image.h>

#include "city.h"
#include "screen.h"

#define DRAW_MAX_VIEWS 2
#define DRAW_DEPTH_FORMAT VK_FORMAT_D32_SFLOAT

// The light and the depth of what is drawn.
struct view {
    struct gpu_image light, depth;
    weir_image *weir_depth;
    VkFramebuffer framebuffer;
    VkDescriptorSet set; // the boxes, and the lists of those that are drawn
};

struct draw {
    const struct gpu *gpu;
    struct render_pass passes[2]; // of boxes: the first clears, the second adds
    struct bindings bindings;
    VkPipeline pipeline;
    struct screen screen;
    struct gpu_buffer boxes;
    uint32_t num_boxes, num_views;
    struct view views[DRAW_MAX_VIEWS];
};

// Make the city. The second of two views is compared to the first.
bool draw_init(const struct gpu *gpu, const struct sample_images *images, uint32_t num_boxes,
               uint32_t num_views, struct draw *draw);
void draw_finish(struct draw *draw);

// Set where a view's lists of boxes are; once.
bool draw_bind(struct draw *draw, uint32_t view, VkBuffer lists);

// Make the images. The GPU must not be using them during this call or during draw_finish().
bool draw_resize(struct draw *draw, uint32_t width, uint32_t height);

// Record the begin of pass 0 or 1 of a view, for boxes of that pass's list. Pass 0 draws the ground
// here. After pass 0 compute shaders can read the depth.
void draw_begin(const struct draw *draw, VkCommandBuffer cmd, uint32_t view, uint32_t pass,
                const struct camera *camera);

// Record what is shown of all views.
void draw_show(const struct draw *draw, VkCommandBuffer cmd, VkFramebuffer framebuffer,
               const struct camera *camera);

#endif
