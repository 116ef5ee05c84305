// SPDX-License-Identifier: MIT
// Occlusion culling: which boxes are drawn, by a pyramid of the farthest depths.
#pragma once

#include <stdint.h>

#include <weir/pyramid.h>

#include "linear.h"
#include "pass.h"
#include "sample.h"
#include "screen.h"

// A city of boxes, and the camera that drives through its streets.

enum box_kind {
    BOX_GROUND,
    BOX_HOUSE, // with windows
    BOX_PLAIN, // walls, crates, posts
    BOX_LAMP,
    BOX_CAR,
};

// As the shaders have it.
struct box {
    float center[3];
    uint32_t kind;
    float half[3]; // half of each side
    uint32_t seed;
};

// Write `num` boxes, and the ground behind them. No two boxes touch: where two had the same depth,
// the picture would depend on the order in which they are drawn.
void city_build(struct box *boxes, uint32_t num);

// Get the camera on its way at this time.
struct camera city_drive(double seconds);
// Get a camera that looks at the other and what is before it, from above.
struct camera city_above(const struct camera *camera);

#define CITY_NEAR 0.2f
#define CITY_FAR 4000.0f

// Get the tangents of half of the angles of view.
void city_angles(uint32_t width, uint32_t height, float tangents[2]);
// Get the matrix from the world to clip space. Depth is reversed: 1 near, 0 far.
struct mat4 city_clip(const struct camera *camera, uint32_t width, uint32_t height);

// How boxes are chosen, as in shaders/cull.comp.
enum hiz_rule {
    HIZ_TEST, // those that are in view and not hidden
    HIZ_ALL,
    HIZ_KEEP, // those that were visible in the last frame, wherever they are
};

// What became of the boxes of all frames that were read.
struct hiz_counts {
    uint64_t frames, in_view, drawn;
};

struct hiz {
    struct gpu *gpu;
    uint32_t num_boxes;
    weir_pyramid *pyramid;
    struct pass cull, wrong;
    struct weir_gpu_buffer boxes;   // struct box of city.h, and behind them the ground
    struct weir_gpu_buffer visible; // of each box, whether it was in the last frame
    struct weir_gpu_buffer lists;   // numbers of boxes: of each pass, and then of the ground
    struct weir_gpu_buffer slots;   // of each frame in flight, the draws of both passes

    struct gpu_image farthest, wrong_levels;
    weir_pyramid_target *target;

    bool counted[SAMPLE_MAX_SLOTS]; // the slot's frame is to be read
    struct hiz_counts counts, last; // of all frames, and of the last one that was read
};

// Make a city of boxes, for pictures with depths of this format. The device owns what is made.
bool hiz_init(struct gpu *gpu, uint32_t num_boxes, VkFormat depth_format, struct hiz *hiz);

// Make the pyramid for a depth buffer, which is in DEPTH_STENCIL_READ_ONLY_OPTIMAL when it is read.
bool hiz_resize(struct hiz *hiz, const weir_image *depth);

// How a frame is culled.
struct hiz_frame {
    uint32_t slot; // its last frame has been executed: the counts are read by pass 0
    enum hiz_rule rule;
    bool compares;    // marks the boxes that a wrong pyramid would lose
    struct mat4 clip; // the camera's matrix
};
// Record the choice of the boxes of a pass, 0 or 1.
void hiz_choose(struct hiz *hiz, VkCommandBuffer cmd, const struct hiz_frame *frame, uint32_t pass);
// Record the pyramid of the depth that pass 0 has drawn.
bool hiz_reduce(const struct hiz *hiz, VkCommandBuffer cmd, const struct hiz_frame *frame);
// Record the draw of a pass: each instance is a box of its list.
void hiz_draw(const struct hiz *hiz, VkCommandBuffer cmd, const struct hiz_frame *frame,
              uint32_t pass);
// Read the counts of the frames that are left, if there are any. All have been executed.
void hiz_read(struct hiz *hiz);

// Drawing the city: its light and its depth, and the picture that is shown of them.

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
