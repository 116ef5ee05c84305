// SPDX-License-Identifier: MIT
// The inside of a pyramid.
#pragma once

#include <weir/pyramid.h>

#include "base/layout.h"
#include "frame/image.h"
#include "pyramid/plan.h"
#include "shaders/pyramid/constants.h"
#include "vk/memory.h"
#include "vk/pipeline.h"

// Of formats whose levels can be stored.
#define WEIR_PYRAMID_MAX_FORMATS 32

// The descriptor sets of kernels: shaders/pyramid/interface.glsl and single.glsl.
struct weir_pyramid_bindings {
    VkSampler sampler;             // averages pairs of texels, clamped to the edge
    VkDescriptorSetLayout images;  // set 0: bases, levels and the sampler
    VkDescriptorSetLayout scratch; // set 1: texels and counters of the one-dispatch kernel
    uint32_t num_images;           // images of a batch that one set holds
};

struct weir_pyramid {
    weir_context *context;
    struct weir_pyramid_params params; // with AUTO resolved
    bool chooses; // AUTO was asked for: a target of SINGLE may be made by HYBRID
    const struct weir_pyramid_format_info *format;
    struct weir_pyramid_bindings bindings;
    struct weir_pyramid_pipelines *pipelines;
};

struct weir_pyramid_push {
#include "shaders/pyramid/push.glsl"
};

// In check.c.

// Check the parameters of a pyramid that is being made, and resolve AUTO in them. Errors are
// logged.
enum weir_result weir_pyramid_check(weir_pyramid *pyramid);

// In format.c: facts of formats, also of those that only a source may have.

bool weir_pyramid_is_depth(VkFormat format);

// Get the format of the input: the sources', or else the levels'.
VkFormat weir_pyramid_input_format(const struct weir_pyramid_params *params);

// True if the format has one channel.
bool weir_pyramid_has_one_channel(VkFormat format);

// True if kernels of a pyramid with these params read codes of the format, and decode sRGB.
bool weir_pyramid_decodes(const struct weir_pyramid_params *params, VkFormat format);

// True if texels may be infinite or NaN.
bool weir_pyramid_is_float(VkFormat format);

// In pipelines.c: the pipelines of a target are compiled when it is made.

// The number of channels, 1 to 4, of the values that kernels make levels of. One channel takes 4
// bytes of scratch memory, two take 8, and more take 16.
uint32_t weir_pyramid_num_channels(const weir_pyramid *pyramid);

// Get the method of a target, its pyramid's or the choice of AUTO, and its geometry.num_apart.
enum weir_pyramid_method weir_pyramid_method_of(weir_pyramid_target *target);

// Make the table of pipelines, and with a kernel of the user's all that targets may need: its code
// is the user's after weir_pyramid_create().
enum weir_result weir_pyramid_pipelines_init(weir_pyramid *pyramid);
void weir_pyramid_pipelines_finish(weir_pyramid *pyramid);

// Get the pipelines of a plan's steps, except those of KERNEL_BLIT. Those that are missing are
// compiled side by side. They live as long as the pyramid. Thread-safe.
enum weir_result weir_pyramid_make_pipelines(weir_pyramid_target *target);

// In reads.c: how kernels read the base, by the sampler, which averages texels, or texel by texel,
// or as words.

// True if the sampler may filter every base. The descriptors of a kernel hold the sampler even if
// the kernel does not use it, and a linear sampler must not be bound with an image that cannot be
// filtered (VUID-vkCmdDispatch-magFilter-04553).
bool weir_pyramid_can_filter(const weir_pyramid *pyramid);

// True if the sampler, where it averages, does at odd sides too: its weights of 8 bits are off by
// 0.37 of a code of 8-bit UNORM. Codes of sRGB are denser near black.
bool weir_pyramid_filters_odd(const weir_pyramid *pyramid);

// True if the sampler may average texels of a base of this size. Its coordinates have about 21 bits
// (measured on NVIDIA), so on an axis above 4096 they miss the middle between two texels, unless
// the length is a power of two.
bool weir_pyramid_can_filter_size(const weir_pyramid *pyramid, uint32_t width, uint32_t height);

// True if the error of a sampler that averages texels of `base` does not show in `levels`, one of
// the formats that levels are stored in. Half floats and sRGB, which have options of their own, are
// not asked about. Pure.
bool weir_pyramid_averages_well(const struct weir_pyramid_format_info *base,
                                const struct weir_pyramid_format_info *levels);

// True if the sampler averages texels of a base whose size allows it. `is_first`: it is the input.
bool weir_pyramid_is_filtered(const weir_pyramid *pyramid, VkFormat base, bool is_first);

// True if SINGLE reads the inputs of a target as words, because all allow such a view. Words are as
// a fetch of the format has them, bit for bit.
bool weir_pyramid_has_words(const weir_pyramid *pyramid,
                            const struct weir_pyramid_target_params *target);

// Get the format of the words of an input, or 0 if SINGLE gains nothing by them. `*words` becomes
// the number that kernels know the input by then, WEIR_PYRAMID_WORDS_*. Pure.
VkFormat weir_pyramid_words_of(VkFormat input, uint32_t *words);

// The inside of a target: the plan for its size, and the views and descriptors of its images.

// Views of one image, by level of the plan.
struct weir_pyramid_level_views {
    VkImageView sampled[WEIR_PYRAMID_MAX_LEVELS]; // null where no step reads the level
    VkImageView storage[WEIR_PYRAMID_MAX_LEVELS]; // null where the level is not written
};

struct weir_pyramid_target {
    const weir_pyramid *pyramid;
    struct weir_pyramid_target_params params; // resolved; pointers are NULL
    uint32_t num_layers;                      // layers of each image
    struct weir_pyramid_geometry geometry;
    enum weir_pyramid_method method;
    bool has_words; // weir_pyramid_has_words()
    struct weir_pyramid_plan plan;
    const struct weir_vk_pipeline *pipelines[WEIR_PYRAMID_MAX_LEVELS]; // of the plan's steps

    // Levels of the plan are counted from the input: level k of the plan is level k + first_of_plan
    // of an image. first_of_plan is -1 if the input is twice as large as level 0 of an image.
    int32_t first_of_plan;

    VkImage *images; // for the blit chain; else NULL

    VkImageView *views; // all views of the target, to be destroyed with it
    uint32_t num_views;
    // Of the images of one set, while that is written.
    struct weir_pyramid_level_views *levels;
    VkDescriptorImageInfo *infos;

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

// Bind images to a target that is zero, or whose views are cleared.
enum weir_result weir_pyramid_target_init(weir_pyramid_target *target, const weir_pyramid *pyramid,
                                          const struct weir_pyramid_target_params *params);
void weir_pyramid_target_finish(weir_context *context, weir_pyramid_target *target);

// Allocate what the views and descriptor sets of a target take, with `per_set` images in a set.
enum weir_result weir_pyramid_views_alloc(weir_context *context, uint32_t num_images,
                                          uint32_t per_set, uint32_t max_steps,
                                          weir_pyramid_target *target);
// Make the views and descriptor sets of a target whose plan is made; allocate if nobody has.
enum weir_result weir_pyramid_views_init(weir_pyramid_target *target,
                                         const struct weir_pyramid_target_params *params);
// Destroy them and keep what they take, for other images.
void weir_pyramid_views_clear(weir_context *context, weir_pyramid_target *target);
void weir_pyramid_views_finish(weir_context *context, weir_pyramid_target *target);
