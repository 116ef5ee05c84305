// SPDX-License-Identifier: MIT
// The pipelines of a pyramid. Those that a target needs are compiled when it is made, side by side.
#include "pyramid/pyramid.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/size.h"
#include "kernels.h"
#include "pyramid/plan.h"

// The sizes that a variant of KERNEL_SINGLE makes, from the slowest to the fastest.
enum shape {
    ANY_SIZE,
    EVEN_BASE,  // the input has even sides
    EVEN_STAGE, // and all levels of the first stage but its last
    EVEN_CHAIN, // and all levels but the last: no two tiles share their input
    NUM_SHAPES,
};

// The variants of a kernel. Only variants for the input handle a source's channels and the weights
// of a first step. KERNEL_SINGLE has one for each shape and each way to read it: variant_of().
enum {
    FIRST,                                       // reads the input
    LATER = NUM_SHAPES * WEIR_PYRAMID_NUM_READS, // reads a level that Weir made
    UNREACHED = 1, // added to both for FAST and SUBGROUP where the sampler does not reach
    NUM_VARIANTS = LATER + UNREACHED + 1,
};

struct weir_pyramid_pipelines {
    pthread_mutex_t lock; // held while pipelines are made. A target reads its own without it
    struct weir_vk_pipeline made[WEIR_PYRAMID_NUM_KERNELS][NUM_VARIANTS]; // zero: not needed yet
    VkDescriptorSetLayout set_layouts[WEIR_PYRAMID_NUM_SETS];
    char tag[64]; // for names of objects
};

// What the pipelines that are needed and not there are made of.
struct missing {
    struct weir_vk_pipeline_params params[WEIR_PYRAMID_NUM_KERNELS][NUM_VARIANTS];
    uint32_t constants[WEIR_PYRAMID_NUM_KERNELS][NUM_VARIANTS][WEIR_PYRAMID_NUM_CONSTANTS];
    struct weir_vk_kernel custom;
};

uint32_t weir_pyramid_num_channels(const weir_pyramid *pyramid)
{
    return pyramid->params.reduction == WEIR_PYRAMID_CUSTOM    ? 4
           : pyramid->params.reduction == WEIR_PYRAMID_MIN_MAX ? 2
                                                               : pyramid->format->num_channels;
}

// The size of full subgroups that a kernel with shuffles needs; 0 if the kernel uses shared memory
// or no subgroups.
static uint32_t subgroup_size_of(const weir_pyramid *pyramid, enum weir_pyramid_kernel kernel)
{
    const weir_context *context = pyramid->context;
    const VkPhysicalDeviceSubgroupProperties *subgroup = &context->subgroup;
    const bool shuffles = kernel == WEIR_PYRAMID_KERNEL_FAST ||
                          kernel == WEIR_PYRAMID_KERNEL_SUBGROUP ||
                          kernel == WEIR_PYRAMID_KERNEL_SINGLE;
    const bool can_shuffle = context->features.subgroup_size_control &&
                             (subgroup->supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
                             (subgroup->supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) &&
                             subgroup->subgroupSize >= 4 &&
                             (kernel != WEIR_PYRAMID_KERNEL_SINGLE ||
                              context->features.dynamic_storage_images);
    return shuffles && can_shuffle && !pyramid->params.no_subgroups ? subgroup->subgroupSize : 0;
}

static uint32_t variant_of(enum shape shape, enum weir_pyramid_reads reads)
{
    return FIRST + (uint32_t)shape * WEIR_PYRAMID_NUM_READS + (uint32_t)reads;
}

// Get the kernel that makes whole chains.
static const struct weir_vk_kernel *single_kernel(const weir_pyramid *pyramid, bool has_words,
                                                  uint32_t subgroup_size)
{
    if (pyramid->bindings.num_images > 1) {
        return &weir_kernel_pyramid_single_batch;
    }
    if (has_words) {
        return subgroup_size ? &weir_kernel_pyramid_single_shuffle_words
                             : &weir_kernel_pyramid_single_words;
    }
    return subgroup_size ? &weir_kernel_pyramid_single_shuffle : &weir_kernel_pyramid_single;
}

static const struct weir_vk_kernel *kernel_of(const weir_pyramid *pyramid,
                                              enum weir_pyramid_kernel kernel, uint32_t variant,
                                              uint32_t subgroup_size)
{
    const bool has_words = variant % WEIR_PYRAMID_NUM_READS == WEIR_PYRAMID_WORDS;
    const struct weir_vk_kernel *const kernels[WEIR_PYRAMID_NUM_KERNELS] = {
        [WEIR_PYRAMID_KERNEL_COPY] = &weir_kernel_pyramid_copy,
        [WEIR_PYRAMID_KERNEL_PER_LEVEL] = &weir_kernel_pyramid_per_level,
        [WEIR_PYRAMID_KERNEL_FAST] = subgroup_size ? &weir_kernel_pyramid_fast
                                                   : &weir_kernel_pyramid_fast_shared,
        [WEIR_PYRAMID_KERNEL_GENERAL] = &weir_kernel_pyramid_general,
        [WEIR_PYRAMID_KERNEL_SUBGROUP] = subgroup_size ? &weir_kernel_pyramid_subgroup
                                                       : &weir_kernel_pyramid_subgroup_shared,
        [WEIR_PYRAMID_KERNEL_SINGLE] = single_kernel(pyramid, has_words, subgroup_size),
    };
    return kernels[kernel];
}

static void set_constants(const weir_pyramid *pyramid, enum weir_pyramid_kernel kernel,
                          uint32_t variant, uint32_t constants[WEIR_PYRAMID_NUM_CONSTANTS])
{
    const bool is_first = variant < LATER;
    const VkFormat base = is_first ? weir_pyramid_input_format(&pyramid->params)
                                   : pyramid->params.format;
    const bool filters = kernel == WEIR_PYRAMID_KERNEL_SINGLE
                             ? variant % WEIR_PYRAMID_NUM_READS == WEIR_PYRAMID_FILTERED
                             : variant % WEIR_PYRAMID_NUM_READS != UNREACHED &&
                                   weir_pyramid_is_filtered(pyramid, base, is_first);
    constants[WEIR_PYRAMID_CONSTANT_REDUCTION] = (uint32_t)pyramid->params.reduction;
    constants[WEIR_PYRAMID_CONSTANT_STORE_SRGB] = pyramid->format->is_srgb;
    constants[WEIR_PYRAMID_CONSTANT_FIRST] = is_first;
    constants[WEIR_PYRAMID_CONSTANT_ONE_CHANNEL] = weir_pyramid_has_one_channel(base);
    constants[WEIR_PYRAMID_CONSTANT_FILTERED] = filters;
    constants[WEIR_PYRAMID_CONSTANT_BOUNDED] = pyramid->format->is_float ||
                                               weir_pyramid_is_float(base);
    constants[WEIR_PYRAMID_CONSTANT_NUM_IMAGES] = pyramid->bindings.num_images;
    constants[WEIR_PYRAMID_CONSTANT_SUBGROUP_SIZE] = subgroup_size_of(pyramid, kernel);
    constants[WEIR_PYRAMID_CONSTANT_EVEN_BASE] = is_first && variant >= variant_of(EVEN_BASE, 0);
    constants[WEIR_PYRAMID_CONSTANT_EVEN_STAGE] = is_first && variant >= variant_of(EVEN_STAGE, 0);
    constants[WEIR_PYRAMID_CONSTANT_DECODE_SRGB] = weir_pyramid_decodes(&pyramid->params, base);
    constants[WEIR_PYRAMID_CONSTANT_ROUND_SRGB] = pyramid->params.precision ==
                                                  WEIR_PYRAMID_PRECISION_EXACT;
    constants[WEIR_PYRAMID_CONSTANT_NUM_CHANNELS] = weir_pyramid_num_channels(pyramid);
    weir_pyramid_words_of(base, &constants[WEIR_PYRAMID_CONSTANT_WORDS]); // stays 0 without words
    // Where no tiles share their input a workgroup completes one at a time. Code for one takes
    // fewer registers, so that an NVIDIA H200 runs more workgroups.
    constants[WEIR_PYRAMID_CONSTANT_MAX_ROUND] = is_first && variant >= variant_of(EVEN_CHAIN, 0)
                                                     ? 1
                                                     : 4;
}

// True if the pyramid has variants of KERNEL_SINGLE for EVEN_STAGE: only the kernel with shuffles
// has them.
static bool has_even_stages(const weir_pyramid *pyramid)
{
    return pyramid->params.reduction != WEIR_PYRAMID_CUSTOM && pyramid->bindings.num_images == 1 &&
           subgroup_size_of(pyramid, WEIR_PYRAMID_KERNEL_SINGLE) >= WEIR_PYRAMID_SHUFFLE_SIZE;
}

// Get how SINGLE reads a level of a target. At odd sides it fetches texels faster than the sampler
// averages them.
static enum weir_pyramid_reads reads_of(const weir_pyramid_target *target, uint32_t level)
{
    const weir_pyramid *pyramid = target->pyramid;
    const VkFormat format = weir_pyramid_input_format(&pyramid->params);
    const uint32_t width = weir_level_side(target->geometry.width, level);
    const uint32_t height = weir_level_side(target->geometry.height, level);
    const bool is_filtered = ((width | height) & 1) == 0 &&
                             weir_pyramid_is_filtered(pyramid, format, true) &&
                             weir_pyramid_can_filter_size(pyramid, width, height);
    return target->has_words                      ? WEIR_PYRAMID_WORDS
           : is_filtered                          ? WEIR_PYRAMID_FILTERED
           : weir_pyramid_has_one_channel(format) ? WEIR_PYRAMID_GATHERED
                                                  : WEIR_PYRAMID_FETCHED;
}

// Get the fastest variant of KERNEL_SINGLE for a dispatch of a target that reads `level`.
static uint32_t single_variant(const weir_pyramid_target *target, uint32_t level)
{
    const uint32_t sides = weir_level_side(target->geometry.width, level) |
                           weir_level_side(target->geometry.height, level);
    const uint32_t low_bits = (1u << target->plan.stages.stages[0].num_levels) - 1;
    const uint32_t all_bits = (1u << (target->geometry.num_levels - level)) - 1;
    const enum shape shape = sides & 1                                                 ? ANY_SIZE
                             : (sides & low_bits) || !has_even_stages(target->pyramid) ? EVEN_BASE
                             : sides & all_bits                                        ? EVEN_STAGE
                                                                                       : EVEN_CHAIN;
    return variant_of(shape, reads_of(target, level));
}

// Get the variant of a step's kernel. FAST and SUBGROUP have one more where the sampler does not
// reach: a flag that they ask, as PER_LEVEL and GENERAL do, costs an NVIDIA H200 up to 30 %.
static uint32_t variant_of_step(const weir_pyramid_target *target,
                                const struct weir_pyramid_step *step)
{
    if (step->kernel == WEIR_PYRAMID_KERNEL_SINGLE) {
        return single_variant(target, step->base);
    }
    const bool is_even = step->kernel == WEIR_PYRAMID_KERNEL_FAST ||
                         step->kernel == WEIR_PYRAMID_KERNEL_SUBGROUP;
    const bool is_reached = weir_pyramid_can_filter_size(
        target->pyramid, weir_level_side(target->geometry.width, step->base),
        weir_level_side(target->geometry.height, step->base));
    return (step->base > 0 ? LATER : FIRST) + (is_even && !is_reached ? UNREACHED : 0u);
}

// Return true if AUTO may take HYBRID for a target. It was measured by means, minima and maxima of
// one layer, without a source, where both methods shuffle. HYBRID rounds where a dispatch ends,
// which PRECISION_EXACT is to avoid.
static bool may_choose(const weir_pyramid *pyramid, uint32_t num_layers)
{
    const struct weir_pyramid_params *params = &pyramid->params;
    return pyramid->chooses && params->method == WEIR_PYRAMID_SINGLE && num_layers == 1 &&
           params->max_images == 1 && !params->source_format &&
           params->precision != WEIR_PYRAMID_PRECISION_EXACT &&
           params->reduction != WEIR_PYRAMID_ALPHA_MEAN &&
           params->reduction != WEIR_PYRAMID_LUMA_MEAN &&
           params->reduction != WEIR_PYRAMID_CUSTOM &&
           subgroup_size_of(pyramid, WEIR_PYRAMID_KERNEL_SINGLE) >= WEIR_PYRAMID_SHUFFLE_SIZE;
}

enum weir_pyramid_method weir_pyramid_method_of(weir_pyramid_target *target)
{
    const weir_pyramid *pyramid = target->pyramid;
    if (!may_choose(pyramid, target->num_layers)) {
        return pyramid->params.method;
    }
    if (weir_pyramid_filters_odd(pyramid) &&
        weir_pyramid_is_filtered(pyramid, pyramid->params.format, true)) {
        target->geometry.num_apart = weir_pyramid_choose_apart(&target->geometry);
    }
    return weir_pyramid_choose(&target->geometry, pyramid->format, reads_of(target, 0));
}

// Add a pipeline to those that are missing, unless it is there.
static const struct weir_vk_pipeline *need(const weir_pyramid *pyramid,
                                           enum weir_pyramid_kernel kernel, uint32_t variant,
                                           struct missing *missing)
{
    const struct weir_pyramid_pipelines *pipelines = pyramid->pipelines;
    const struct weir_vk_pipeline *place = &pipelines->made[kernel][variant];
    const uint32_t subgroup_size = subgroup_size_of(pyramid, kernel);
    uint32_t *constants = missing->constants[kernel][variant];
    if (!place->pipeline) {
        set_constants(pyramid, kernel, variant, constants);
        missing->params[kernel][variant] = (struct weir_vk_pipeline_params){
            .kernel = missing->custom.code ? &missing->custom
                                           : kernel_of(pyramid, kernel, variant, subgroup_size),
            .constants = constants,
            .num_constants = WEIR_PYRAMID_NUM_CONSTANTS,
            .push_constants_size = sizeof(struct weir_pyramid_push),
            .set_layouts = pipelines->set_layouts,
            .num_set_layouts = WEIR_PYRAMID_NUM_SETS,
            .subgroup_size = subgroup_size,
            .tag = pipelines->tag[0] ? pipelines->tag : NULL,
        };
    }
    return place;
}

static enum weir_result make(const weir_pyramid *pyramid, const struct missing *missing)
{
    return weir_vk_pipelines_init(pyramid->context, missing->params[0],
                                  WEIR_PYRAMID_NUM_KERNELS * NUM_VARIANTS,
                                  pyramid->pipelines->made[0]);
}

enum weir_result weir_pyramid_make_pipelines(weir_pyramid_target *target)
{
    const weir_pyramid *pyramid = target->pyramid;
    struct missing missing = {0};
    pthread_mutex_lock(&pyramid->pipelines->lock);
    for (uint32_t i = 0; i < target->plan.num_steps; i++) {
        const struct weir_pyramid_step *step = &target->plan.steps[i];
        if (step->kernel != WEIR_PYRAMID_KERNEL_BLIT) {
            const uint32_t variant = variant_of_step(target, step);
            target->pipelines[i] = need(pyramid, step->kernel, variant, &missing);
        }
    }
    const enum weir_result result = make(pyramid, &missing);
    pthread_mutex_unlock(&pyramid->pipelines->lock);
    return result;
}

// Compile all that any target may need of a kernel of the user's, who keeps its code until now.
static enum weir_result make_custom(const weir_pyramid *pyramid)
{
    const struct weir_pyramid_params *params = &pyramid->params;
    struct missing missing = {.custom = {"custom pyramid kernel", params->kernel,
                                         params->kernel + params->kernel_size / 4}};
    if (params->source_format) {
        need(pyramid, WEIR_PYRAMID_KERNEL_COPY, FIRST, &missing);
    }
    const enum weir_pyramid_reads reads = reads_of(&(weir_pyramid_target){.pyramid = pyramid}, 0);
    need(pyramid, WEIR_PYRAMID_KERNEL_SINGLE, variant_of(ANY_SIZE, reads), &missing);
    need(pyramid, WEIR_PYRAMID_KERNEL_SINGLE, variant_of(EVEN_BASE, reads), &missing);
    return make(pyramid, &missing);
}

enum weir_result weir_pyramid_pipelines_init(weir_pyramid *pyramid)
{
    const char *tag = pyramid->params.debug_tag;
    struct weir_pyramid_pipelines *pipelines = weir_alloc(
        &pyramid->context->log, 1, sizeof(*pipelines), "the pipelines of a pyramid");
    pyramid->pipelines = pipelines;
    if (!pipelines) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_init(&pipelines->lock, NULL);
    pipelines->set_layouts[WEIR_PYRAMID_SET_IMAGES] = pyramid->bindings.images;
    pipelines->set_layouts[WEIR_PYRAMID_SET_SCRATCH] = pyramid->bindings.scratch;
    snprintf(pipelines->tag, sizeof(pipelines->tag), "%s", tag ? tag : "");
    return pyramid->params.kernel ? make_custom(pyramid) : WEIR_OK;
}

void weir_pyramid_pipelines_finish(weir_pyramid *pyramid)
{
    if (!pyramid->pipelines) {
        return;
    }
    for (int i = 0; i < WEIR_PYRAMID_NUM_KERNELS; i++) {
        for (int variant = 0; variant < NUM_VARIANTS; variant++) {
            weir_vk_pipeline_finish(pyramid->context, &pyramid->pipelines->made[i][variant]);
        }
    }
    pthread_mutex_destroy(&pyramid->pipelines->lock);
    free(pyramid->pipelines);
    pyramid->pipelines = NULL;
}
