// SPDX-License-Identifier: MIT
// The inside of a target: the plan for its size, and the views and descriptors of its images.
#ifndef WEIR_PYRAMID_TARGET_H
#define WEIR_PYRAMID_TARGET_H

#include "frame/image.h"
#include "pyramid/pyramid.h"
#include "vk/memory.h"

struct weir_pyramid_target {
    const weir_pyramid *pyramid;
    struct weir_pyramid_target_params params; // resolved; pointers are NULL
    uint32_t num_layers;                      // layers of each image
    struct weir_pyramid_geometry geometry;
    enum weir_pyramid_method method;
    struct weir_pyramid_plan plan;
    const struct weir_vk_pipeline *pipelines[WEIR_PYRAMID_MAX_LEVELS]; // of the plan's steps

    // Levels of the plan are counted from the input: level k of the plan is level k + first_of_plan
    // of an image. first_of_plan is -1 if the input is twice as large as level 0 of an image.
    int32_t first_of_plan;

    VkImage *images; // for the blit chain; else NULL

    VkImageView *views; // all views of the target, to be destroyed with it
    uint32_t num_views;

    // One set for each group of images and each base that a step reads. For the blit chain each
    // image is a group.
    uint32_t num_groups;
    VkDescriptorPool pool;
    // [num_groups][WEIR_PYRAMID_MAX_LEVELS], null where no step reads the level
    VkDescriptorSet *sets;
    VkDescriptorSet scratch_set;
    struct weir_vk_buffer texels, counters;
};

// Get the number of images in group `group`.
uint32_t weir_pyramid_group_size(const weir_pyramid_target *target, uint32_t group);

// Make the views and the descriptor sets of a target whose plan is made.
enum weir_result weir_pyramid_views_init(weir_pyramid_target *target,
                                         const struct weir_pyramid_target_params *params);
void weir_pyramid_views_finish(weir_pyramid_target *target);

#endif
