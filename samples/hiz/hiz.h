// SPDX-License-Identifier: MIT
// Occlusion culling: which boxes are drawn, by a pyramid of the farthest depths.
#ifndef SAMPLE_HIZ_H
#define SAMPLE_HIZ_H

#include <weir/pyramid.h>

#include "compute.h"
#include "frames.h"
#include "levels.h"
#include "linear.h"

// How boxes are chosen, as in shaders/cull.comp.
enum hiz_rule {
    HIZ_TEST, // those that are in view and not hidden
    HIZ_ALL,
    HIZ_KEEP, // those that were visible in the last frame, wherever they are
};

struct hiz_params {
    const struct gpu *gpu;
    VkBuffer boxes;
    uint32_t num_boxes;
    uint32_t num_slots; // frames in flight
    VkFormat depth_format;
};

// What became of all boxes in all frames that were read.
struct hiz_counts {
    uint64_t frames, boxes, in_view, drawn;
};

struct hiz {
    struct hiz_params params;
    weir_pyramid *pyramid;
    struct compute cull, wrong;
    struct gpu_buffer visible; // of each box, whether it was in the last frame
    struct gpu_buffer lists;   // numbers of boxes: of each pass, and then of the ground
    struct gpu_buffer slots;   // of each frame in flight, the draws of both passes

    struct levels levels;
    weir_pyramid_target *target;
    VkDescriptorSet cull_set, wrong_sets[LEVELS_MAX];

    bool counted[FRAMES_MAX_SLOTS]; // the slot's frame is to be read
    struct hiz_counts counts, last; // of all frames, and of the last one that was read
};

bool hiz_init(const struct hiz_params *params, struct hiz *hiz);
void hiz_finish(struct hiz *hiz);

// Make the pyramid for a depth buffer, which is in DEPTH_STENCIL_READ_ONLY_OPTIMAL when it is read.
// The GPU must not be using it during this call or during hiz_finish().
bool hiz_resize(struct hiz *hiz, const weir_image *depth);

// Record the choice of the boxes of a pass, 0 or 1, for a camera that has this matrix. The slot's
// last frame has been executed: its counts are read by pass 0.
void hiz_choose(struct hiz *hiz, VkCommandBuffer cmd, uint32_t slot, uint32_t pass,
                enum hiz_rule rule, const struct mat4 *clip);
// Record the pyramid of the depth that pass 0 has drawn.
bool hiz_reduce(const struct hiz *hiz, VkCommandBuffer cmd, bool wrong);
// Record the draw of a pass: each instance is a box of its list.
void hiz_draw(const struct hiz *hiz, VkCommandBuffer cmd, uint32_t slot, uint32_t pass);
// Read the counts of the frames that are left. All have been executed.
void hiz_read(struct hiz *hiz);

#endif
