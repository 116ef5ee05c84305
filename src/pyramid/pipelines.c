// SPDX-License-Identifier: MIT
// The pipelines of a pyramid, each compiled when the first target needs it.
#include "pyramid/pyramid.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "kernels.h"
#include "pyramid/plan.h"

// The variants of a kernel, by the level that a dispatch reads. Only variants for the input handle
// a source's channels and the weights of a first step.
enum variant {
    LATER, // reads a level that Weir made
    FIRST, // reads the input
    // The variants from here on exist for KERNEL_SINGLE only, from the slowest to the fastest.
    FIRST_EVEN,     // reads an input with even sides
    FIRST_FILTERED, // reads an input with even sides, whose texels the sampler may average
    // Reads an input with even sides. All levels of the first stage but its last have even sides
    // too.
    STAGE_EVEN,
    STAGE_FILTERED, // reads an input as STAGE_EVEN does, and the sampler may average its texels
    NUM_VARIANTS,
};

struct weir_pyramid_pipelines {
    // Null where no target has needed it.
    _Atomic(struct weir_vk_pipeline *) made[WEIR_PYRAMID_NUM_KERNELS][NUM_VARIANTS];
    char tag[64]; // for names of objects
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

// True if the sampler averages the input of that variant of KERNEL_SINGLE.
static bool is_by_sampler(enum variant variant)
{
    return variant == FIRST_FILTERED || variant == STAGE_FILTERED;
}

// Get the number that kernels know the words of a base by, if it has any.
static uint32_t number_of_words(VkFormat base)
{
    uint32_t words = 0;
    weir_pyramid_words_of(base, &words);
    return words;
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

static enum weir_result compile(const weir_pyramid *pyramid, enum weir_pyramid_kernel kernel,
                                enum variant variant, struct weir_vk_pipeline *out)
{
    const bool is_first = variant != LATER;
    const uint32_t subgroup_size = subgroup_size_of(pyramid, kernel);
    const bool has_words = weir_pyramid_has_words(pyramid) && !is_by_sampler(variant);
    const uint32_t *code = pyramid->params.kernel;
    const struct weir_vk_kernel custom = {"custom pyramid kernel", code,
                                          code ? code + pyramid->params.kernel_size / 4 : NULL};
    const struct weir_vk_kernel *const kernels[WEIR_PYRAMID_NUM_KERNELS] = {
        [WEIR_PYRAMID_KERNEL_COPY] = pyramid->params.kernel ? &custom : &weir_kernel_pyramid_copy,
        [WEIR_PYRAMID_KERNEL_PER_LEVEL] = &weir_kernel_pyramid_per_level,
        [WEIR_PYRAMID_KERNEL_FAST] = subgroup_size ? &weir_kernel_pyramid_fast
                                                   : &weir_kernel_pyramid_fast_shared,
        [WEIR_PYRAMID_KERNEL_GENERAL] = &weir_kernel_pyramid_general,
        [WEIR_PYRAMID_KERNEL_SUBGROUP] = subgroup_size ? &weir_kernel_pyramid_subgroup
                                                       : &weir_kernel_pyramid_subgroup_shared,
        [WEIR_PYRAMID_KERNEL_SINGLE] = pyramid->params.kernel
                                           ? &custom
                                           : single_kernel(pyramid, has_words, subgroup_size),
    };
    const VkFormat base = is_first ? weir_pyramid_input_format(&pyramid->params)
                                   : pyramid->params.format;
    const bool filters = kernel == WEIR_PYRAMID_KERNEL_SINGLE
                             ? is_by_sampler(variant)
                             : weir_pyramid_is_filtered(pyramid, base, is_first);
    const uint32_t constants[WEIR_PYRAMID_NUM_CONSTANTS] = {
        [WEIR_PYRAMID_CONSTANT_REDUCTION] = (uint32_t)pyramid->params.reduction,
        [WEIR_PYRAMID_CONSTANT_STORE_SRGB] = pyramid->format->is_srgb,
        [WEIR_PYRAMID_CONSTANT_FIRST] = is_first,
        [WEIR_PYRAMID_CONSTANT_ONE_CHANNEL] = weir_pyramid_has_one_channel(base),
        [WEIR_PYRAMID_CONSTANT_FILTERED] = filters,
        [WEIR_PYRAMID_CONSTANT_BOUNDED] = pyramid->format->is_float || weir_pyramid_is_float(base),
        [WEIR_PYRAMID_CONSTANT_NUM_IMAGES] = pyramid->bindings.num_images,
        [WEIR_PYRAMID_CONSTANT_SUBGROUP_SIZE] = subgroup_size,
        [WEIR_PYRAMID_CONSTANT_EVEN_BASE] = variant >= FIRST_EVEN,
        [WEIR_PYRAMID_CONSTANT_EVEN_STAGE] = variant >= STAGE_EVEN,
        [WEIR_PYRAMID_CONSTANT_DECODE_SRGB] = weir_pyramid_decodes(&pyramid->params, base),
        [WEIR_PYRAMID_CONSTANT_ROUND_SRGB] = pyramid->params.exact_srgb,
        [WEIR_PYRAMID_CONSTANT_NUM_CHANNELS] = weir_pyramid_num_channels(pyramid),
        [WEIR_PYRAMID_CONSTANT_WORDS] = number_of_words(base),
    };
    const VkDescriptorSetLayout set_layouts[WEIR_PYRAMID_NUM_SETS] = {
        [WEIR_PYRAMID_SET_IMAGES] = pyramid->bindings.images,
        [WEIR_PYRAMID_SET_SCRATCH] = pyramid->bindings.scratch,
    };
    return weir_vk_pipeline_init(
        pyramid->context,
        &(struct weir_vk_pipeline_params){
            .kernel = kernels[kernel],
            .constants = constants,
            .num_constants = WEIR_PYRAMID_NUM_CONSTANTS,
            .push_constants_size = sizeof(struct weir_pyramid_push),
            .set_layouts = set_layouts,
            .num_set_layouts = WEIR_PYRAMID_NUM_SETS,
            .subgroup_size = subgroup_size,
            .tag = pyramid->pipelines->tag[0] ? pyramid->pipelines->tag : NULL,
        },
        out);
}

// True if the pyramid has that variant of KERNEL_SINGLE.
static bool has_variant(const weir_pyramid *pyramid, enum variant variant)
{
    switch (variant) {
    case FIRST:
    case FIRST_EVEN:
        return true;
    case FIRST_FILTERED:
        return weir_pyramid_is_filtered(pyramid, weir_pyramid_input_format(&pyramid->params), true);
    case STAGE_EVEN: // only the kernel with shuffles has it
        return pyramid->params.reduction != WEIR_PYRAMID_CUSTOM &&
               pyramid->bindings.num_images == 1 &&
               subgroup_size_of(pyramid, WEIR_PYRAMID_KERNEL_SINGLE) >= WEIR_PYRAMID_SHUFFLE_SIZE;
    case STAGE_FILTERED:
        return has_variant(pyramid, FIRST_FILTERED) && has_variant(pyramid, STAGE_EVEN);
    default:
        return false;
    }
}

// Get the fastest of the variants of KERNEL_SINGLE that fits the size of the input.
static enum variant single_variant(const weir_pyramid *pyramid,
                                   const struct weir_pyramid_geometry *geometry,
                                   const struct weir_pyramid_stage *first)
{
    const uint32_t width = geometry->width, height = geometry->height;
    const uint32_t low_bits = (1u << first->num_levels) - 1;
    const bool is_even = ((width | height) & 1) == 0,
               is_filtered = weir_pyramid_can_filter_side(width) &&
                             weir_pyramid_can_filter_side(height);
    const bool is_stage_even = ((width | height) & low_bits) == 0;
    const bool fits[NUM_VARIANTS] = {
        [FIRST_EVEN] = is_even,
        [FIRST_FILTERED] = is_filtered,
        [STAGE_EVEN] = is_stage_even,
        [STAGE_FILTERED] = is_stage_even && is_filtered,
    };
    for (int variant = NUM_VARIANTS - 1; variant > FIRST; variant--) {
        if (fits[variant] && has_variant(pyramid, (enum variant)variant)) {
            return (enum variant)variant;
        }
    }
    return FIRST;
}

bool weir_pyramid_reads_words(const weir_pyramid *pyramid,
                              const struct weir_pyramid_geometry *geometry,
                              const struct weir_pyramid_plan *plan)
{
    if (plan->steps[0].kernel != WEIR_PYRAMID_KERNEL_SINGLE || !weir_pyramid_has_words(pyramid)) {
        return false;
    }
    return !is_by_sampler(single_variant(pyramid, geometry, &plan->stages.stages[0]));
}

// Return true if AUTO may take HYBRID for a target. It was measured by means, minima and maxima of
// one layer, without a source, where both methods shuffle. HYBRID rounds where a dispatch ends,
// which exact_srgb is to avoid.
static bool may_choose(const weir_pyramid *pyramid, uint32_t num_layers)
{
    const struct weir_pyramid_params *params = &pyramid->params;
    return pyramid->chooses && params->method == WEIR_PYRAMID_SINGLE && num_layers == 1 &&
           params->max_images == 1 && !params->source_format && !params->exact_srgb &&
           params->reduction != WEIR_PYRAMID_ALPHA_MEAN &&
           params->reduction != WEIR_PYRAMID_LUMA_MEAN &&
           params->reduction != WEIR_PYRAMID_CUSTOM &&
           subgroup_size_of(pyramid, WEIR_PYRAMID_KERNEL_SINGLE) >= WEIR_PYRAMID_SHUFFLE_SIZE;
}

// Get how the texels of a pyramid that may choose are read by SINGLE. The sides that are chosen
// from are powers of two, whose texels the sampler may average.
static enum weir_pyramid_reads reads_of(const weir_pyramid *pyramid)
{
    const VkFormat format = pyramid->params.format;
    return weir_pyramid_is_filtered(pyramid, format, true) ? WEIR_PYRAMID_FILTERED
           : weir_pyramid_has_one_channel(format)          ? WEIR_PYRAMID_GATHERED
           : weir_pyramid_has_words(pyramid)               ? WEIR_PYRAMID_WORDS
                                                           : WEIR_PYRAMID_FETCHED;
}

enum weir_pyramid_method weir_pyramid_method_of(const weir_pyramid *pyramid,
                                                const struct weir_pyramid_geometry *geometry,
                                                uint32_t num_layers)
{
    if (!may_choose(pyramid, num_layers)) {
        return pyramid->params.method;
    }
    return weir_pyramid_choose(geometry, pyramid->format, reads_of(pyramid));
}

// Compile a pipeline unless it is there.
static enum weir_result make(const weir_pyramid *pyramid, enum weir_pyramid_kernel kernel,
                             enum variant variant, const struct weir_vk_pipeline **out)
{
    weir_context *context = pyramid->context;
    _Atomic(struct weir_vk_pipeline *) *place = &pyramid->pipelines->made[kernel][variant];
    struct weir_vk_pipeline *made = atomic_load(place), *before = NULL;
    if (!made) {
        made = weir_alloc(&context->log, 1, sizeof(*made), "a pipeline of a pyramid");
        const enum weir_result result = made ? compile(pyramid, kernel, variant, made)
                                             : WEIR_ERROR_OUT_OF_MEMORY;
        if (result != WEIR_OK) {
            free(made);
            return result;
        }
        if (!atomic_compare_exchange_strong(place, &before, made)) { // another thread was faster
            weir_vk_pipeline_finish(context, made);
            free(made);
            made = before;
        }
    }
    *out = made;
    return WEIR_OK;
}

enum weir_result weir_pyramid_pipeline_of(const weir_pyramid *pyramid,
                                          const struct weir_pyramid_geometry *geometry,
                                          const struct weir_pyramid_plan *plan, uint32_t step,
                                          const struct weir_vk_pipeline **out)
{
    const enum weir_pyramid_kernel kernel = plan->steps[step].kernel;
    const enum variant variant = kernel == WEIR_PYRAMID_KERNEL_SINGLE
                                     ? single_variant(pyramid, geometry, &plan->stages.stages[0])
                                 : plan->steps[step].base > 0 ? LATER
                                                              : FIRST;
    return make(pyramid, kernel, variant, out);
}

// Compile all that any target may need of a kernel of the user's, who keeps its code until now.
static enum weir_result make_custom(const weir_pyramid *pyramid)
{
    const struct weir_vk_pipeline *made;
    if (pyramid->params.source_format) {
        WEIR_TRY(make(pyramid, WEIR_PYRAMID_KERNEL_COPY, FIRST, &made));
    }
    for (int i = 0; i < NUM_VARIANTS; i++) {
        if (has_variant(pyramid, (enum variant)i)) {
            WEIR_TRY(make(pyramid, WEIR_PYRAMID_KERNEL_SINGLE, (enum variant)i, &made));
        }
    }
    return WEIR_OK;
}

enum weir_result weir_pyramid_pipelines_init(weir_pyramid *pyramid)
{
    const char *tag = pyramid->params.debug_tag;
    pyramid->pipelines = weir_alloc(&pyramid->context->log, 1, sizeof(*pyramid->pipelines),
                                    "the pipelines of a pyramid");
    if (!pyramid->pipelines) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    snprintf(pyramid->pipelines->tag, sizeof(pyramid->pipelines->tag), "%s", tag ? tag : "");
    return pyramid->params.kernel ? make_custom(pyramid) : WEIR_OK;
}

void weir_pyramid_pipelines_finish(weir_pyramid *pyramid)
{
    if (!pyramid->pipelines) {
        return;
    }
    for (int i = 0; i < WEIR_PYRAMID_NUM_KERNELS; i++) {
        for (int variant = 0; variant < NUM_VARIANTS; variant++) {
            struct weir_vk_pipeline *made = atomic_load(&pyramid->pipelines->made[i][variant]);
            if (made) {
                weir_vk_pipeline_finish(pyramid->context, made);
                free(made);
            }
        }
    }
    free(pyramid->pipelines);
    pyramid->pipelines = NULL;
}
