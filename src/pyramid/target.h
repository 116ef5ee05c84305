// SPDX-License-Identifier: MIT
// The inside of a target: the plan of its size, and what its images are bound by.
#ifndef WEIR_PYRAMID_TARGET_H
#define WEIR_PYRAMID_TARGET_H

#include "frame/image.h"
#include "pyramid/pyramid.h"
#include "vk/memory.h"

struct weir_pyramid_target {
    const weir_pyramid *pyramid;
    struct weir_pyramid_target_params params; // resolved; pointers are NULL
    uint32_t num_layers;                      // of each image
    struct weir_pyramid_geometry geometry;
    struct weir_pyramid_plan plan;

    // Levels of a plan are counted from the input: level k of it is level k + first_of_plan of an
    // image, which is -1 where the input is the level above the first.
    int32_t first_of_plan;

    VkImage *images; // of the blit chain

    VkImageView *views; // every view made, for their end
    uint32_t num_views;

    // A set a group of images, and in it one a base that a step reads. Of the blit chain a group is
    // an image.
    uint32_t num_groups;
    VkDescriptorPool pool;
    // [num_groups][WEIR_PYRAMID_MAX_LEVELS], null where no step reads the level
    VkDescriptorSet *sets;
    VkDescriptorSet scratch_set;
    struct weir_vk_buffer texels, counters;
};

// The images of group `group`.
uint32_t weir_pyramid_group_size(const weir_pyramid_target *target, uint32_t group);

// Make the views and the descriptor sets of a target whose plan is made.
enum weir_result weir_pyramid_views_init(weir_pyramid_target *target,
                                         const struct weir_pyramid_target_params *params);
void weir_pyramid_views_finish(weir_pyramid_target *target);

#endif
