// SPDX-License-Identifier: MIT
// Makes a pyramid: compiles its pipelines.
#include "pyramid/pyramid.h"

#include <stdlib.h>

#include "kernels.h"
#include "pyramid/check.h"
#include "pyramid/format.h"

// True if the sampler may filter every base. The descriptors of a kernel hold the sampler even if
// the kernel does not use it, and a linear sampler must not be bound with an image that cannot be
// filtered (VUID-vkCmdDispatch-magFilter-04553).
static bool can_filter(const weir_pyramid *pyramid)
{
    const VkFormat source = pyramid->params.source_format;
    const VkFormatFeatureFlags needed = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    return (weir_pyramid_format_features(pyramid->context, pyramid->params.format) & needed) &&
           (!source || (weir_pyramid_format_features(pyramid->context, source) & needed));
}

// True if the sampler may average pairs of texels. Its fractions have 8 bits, which is exact for
// midpoints. Mesa's software device rounds to 8 bits after each axis, so it may not.
static bool is_filtered(const weir_pyramid *pyramid, VkFormat base, bool is_first)
{
    const struct weir_pyramid_format_info *entry = weir_pyramid_format_get_info(base);
    const enum weir_pyramid_reduction reduction = pyramid->params.reduction;
    return entry && entry->red_bits == 8 &&
           (reduction == WEIR_PYRAMID_MEAN || (reduction == WEIR_PYRAMID_LUMA_MEAN && !is_first)) &&
           (entry->is_srgb ? pyramid->params.filter_srgb : !pyramid->context->is_software) &&
           can_filter(pyramid);
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

static VkFormat input_format(const weir_pyramid *pyramid)
{
    const struct weir_pyramid_params *params = &pyramid->params;
    return params->source_format ? params->source_format : params->format;
}

static enum weir_result create_pipeline(weir_pyramid *pyramid, enum weir_pyramid_kernel kernel,
                                        enum weir_pyramid_variant variant)
{
    const bool is_first = variant != WEIR_PYRAMID_LATER;
    const uint32_t subgroup_size = subgroup_size_of(pyramid, kernel);
    const bool is_batch = pyramid->bindings.num_images > 1;
    const struct weir_vk_kernel custom = {"custom pyramid kernel", pyramid->params.kernel,
                                          pyramid->params.kernel_size};
    const struct weir_vk_kernel *const kernels[WEIR_PYRAMID_NUM_KERNELS] = {
        [WEIR_PYRAMID_KERNEL_COPY] = pyramid->params.kernel ? &custom : &weir_kernel_pyramid_copy,
        [WEIR_PYRAMID_KERNEL_PER_LEVEL] = &weir_kernel_pyramid_per_level,
        [WEIR_PYRAMID_KERNEL_FAST] = subgroup_size ? &weir_kernel_pyramid_fast
                                                   : &weir_kernel_pyramid_fast_shared,
        [WEIR_PYRAMID_KERNEL_GENERAL] = &weir_kernel_pyramid_general,
        [WEIR_PYRAMID_KERNEL_SUBGROUP] = subgroup_size ? &weir_kernel_pyramid_subgroup
                                                       : &weir_kernel_pyramid_subgroup_shared,
        [WEIR_PYRAMID_KERNEL_SINGLE] = pyramid->params.kernel ? &custom
                                       : is_batch             ? &weir_kernel_pyramid_single_batch
                                       : subgroup_size        ? &weir_kernel_pyramid_single_shuffle
                                                              : &weir_kernel_pyramid_single,
    };
    const VkFormat base = is_first ? input_format(pyramid) : pyramid->params.format;
    const bool is_variant_filtered = variant == WEIR_PYRAMID_FIRST_FILTERED ||
                                     variant == WEIR_PYRAMID_STAGE_FILTERED;
    const bool filters = kernel == WEIR_PYRAMID_KERNEL_SINGLE
                             ? is_variant_filtered
                             : is_filtered(pyramid, base, is_first);
    const uint32_t constants[WEIR_PYRAMID_NUM_CONSTANTS] = {
        [WEIR_PYRAMID_CONSTANT_REDUCTION] = (uint32_t)pyramid->params.reduction,
        [WEIR_PYRAMID_CONSTANT_STORE_SRGB] = pyramid->format->is_srgb,
        [WEIR_PYRAMID_CONSTANT_FIRST] = is_first,
        [WEIR_PYRAMID_CONSTANT_ONE_CHANNEL] = weir_pyramid_has_one_channel(base),
        [WEIR_PYRAMID_CONSTANT_FILTERED] = filters,
        [WEIR_PYRAMID_CONSTANT_BOUNDED] = pyramid->format->is_float || weir_pyramid_is_float(base),
        [WEIR_PYRAMID_CONSTANT_NUM_IMAGES] = pyramid->bindings.num_images,
        [WEIR_PYRAMID_CONSTANT_SUBGROUP_SIZE] = subgroup_size,
        [WEIR_PYRAMID_CONSTANT_EVEN_BASE] = variant >= WEIR_PYRAMID_FIRST_EVEN,
        [WEIR_PYRAMID_CONSTANT_EVEN_STAGE] = variant >= WEIR_PYRAMID_STAGE_EVEN,
        [WEIR_PYRAMID_CONSTANT_DECODE_SRGB] = weir_pyramid_decodes(&pyramid->params, base),
        [WEIR_PYRAMID_CONSTANT_ROUND_SRGB] = pyramid->params.exact_srgb,
    };
    const VkDescriptorSetLayout set_layouts[WEIR_PYRAMID_NUM_SETS] = {
        [WEIR_PYRAMID_SET_IMAGES] = pyramid->bindings.images,
        [WEIR_PYRAMID_SET_SCRATCH] = pyramid->bindings.scratch,
    };
    return weir_vk_pipeline_init(pyramid->context,
                                 &(struct weir_vk_pipeline_params){
                                     .kernel = kernels[kernel],
                                     .constants = constants,
                                     .num_constants = WEIR_PYRAMID_NUM_CONSTANTS,
                                     .push_constants_size = sizeof(struct weir_pyramid_push),
                                     .set_layouts = set_layouts,
                                     .num_set_layouts = WEIR_PYRAMID_NUM_SETS,
                                     .subgroup_size = subgroup_size,
                                     .tag = pyramid->params.debug_tag,
                                 },
                                 &pyramid->pipelines[kernel][variant]);
}

// The kernels that a method's plans may name, ended by NUM_KERNELS.
static const enum weir_pyramid_kernel kernels_of[][4] = {
    [WEIR_PYRAMID_SINGLE] = {WEIR_PYRAMID_KERNEL_SINGLE, WEIR_PYRAMID_NUM_KERNELS},
    [WEIR_PYRAMID_HYBRID] = {WEIR_PYRAMID_KERNEL_FAST, WEIR_PYRAMID_KERNEL_GENERAL,
                             WEIR_PYRAMID_KERNEL_PER_LEVEL, WEIR_PYRAMID_NUM_KERNELS},
    [WEIR_PYRAMID_FAST] = {WEIR_PYRAMID_KERNEL_FAST, WEIR_PYRAMID_NUM_KERNELS},
    [WEIR_PYRAMID_GENERAL] = {WEIR_PYRAMID_KERNEL_GENERAL, WEIR_PYRAMID_KERNEL_PER_LEVEL,
                              WEIR_PYRAMID_NUM_KERNELS},
    [WEIR_PYRAMID_SUBGROUP] = {WEIR_PYRAMID_KERNEL_SUBGROUP, WEIR_PYRAMID_NUM_KERNELS},
    [WEIR_PYRAMID_PER_LEVEL] = {WEIR_PYRAMID_KERNEL_PER_LEVEL, WEIR_PYRAMID_NUM_KERNELS},
    [WEIR_PYRAMID_BLIT] = {WEIR_PYRAMID_NUM_KERNELS},
};

static bool is_needed(const weir_pyramid *pyramid, enum weir_pyramid_kernel kernel,
                      enum weir_pyramid_variant variant)
{
    const bool is_single = kernel == WEIR_PYRAMID_KERNEL_SINGLE;
    switch (variant) {
    case WEIR_PYRAMID_LATER:
        return !is_single;
    case WEIR_PYRAMID_FIRST:
        return true;
    case WEIR_PYRAMID_FIRST_EVEN:
        return is_single;
    case WEIR_PYRAMID_FIRST_FILTERED:
        return is_single && is_filtered(pyramid, input_format(pyramid), true);
    case WEIR_PYRAMID_STAGE_EVEN: // only the kernel with shuffles has it
        return is_single && !pyramid->params.kernel && pyramid->bindings.num_images == 1 &&
               subgroup_size_of(pyramid, kernel) >= WEIR_PYRAMID_SHUFFLE_SIZE;
    case WEIR_PYRAMID_STAGE_FILTERED:
        return is_needed(pyramid, kernel, WEIR_PYRAMID_FIRST_FILTERED) &&
               is_needed(pyramid, kernel, WEIR_PYRAMID_STAGE_EVEN);
    default:
        return false;
    }
}

static enum weir_result create_variants(weir_pyramid *pyramid, enum weir_pyramid_kernel kernel)
{
    enum weir_result result = WEIR_OK;
    for (int i = 0; i < WEIR_PYRAMID_NUM_VARIANTS && result == WEIR_OK; i++) {
        const enum weir_pyramid_variant variant = (enum weir_pyramid_variant)i;
        if (is_needed(pyramid, kernel, variant)) {
            result = create_pipeline(pyramid, kernel, variant);
        }
    }
    return result;
}

static enum weir_result create_pipelines(weir_pyramid *pyramid)
{
    const enum weir_pyramid_method method = pyramid->params.method;
    enum weir_result result = WEIR_OK;
    if (pyramid->params.source_format) {
        result = create_pipeline(pyramid, WEIR_PYRAMID_KERNEL_COPY, WEIR_PYRAMID_FIRST);
    }
    for (int i = 0; result == WEIR_OK && kernels_of[method][i] != WEIR_PYRAMID_NUM_KERNELS; i++) {
        result = create_variants(pyramid, kernels_of[method][i]);
    }
    return result;
}

// The most images whose levels, inputs, sampler and scratch memory the device binds at a time, 0 if
// it cannot bind those of one.
static uint32_t most_images_per_set(const VkPhysicalDeviceLimits *limits)
{
    const uint32_t by_storage = limits->maxPerStageDescriptorStorageImages /
                                WEIR_PYRAMID_MAX_LEVELS;
    const uint32_t by_sampled = limits->maxPerStageDescriptorSampledImages;
    const uint32_t others = limits->maxPerStageResources - 2;
    const uint32_t by_resources = limits->maxPerStageResources < 2
                                      ? 0
                                      : others / (WEIR_PYRAMID_MAX_LEVELS + 1);
    const uint32_t least = by_storage < by_sampled ? by_storage : by_sampled;
    return least < by_resources ? least : by_resources;
}

static uint32_t images_per_set(const weir_pyramid *pyramid)
{
    const struct weir_vk_features *features = &pyramid->context->features;
    const bool can_batch = pyramid->params.method == WEIR_PYRAMID_SINGLE &&
                           !pyramid->params.kernel && features->dynamic_storage_images &&
                           features->dynamic_sampled_images;
    const uint32_t limit = most_images_per_set(&pyramid->context->limits);
    const uint32_t wanted = pyramid->params.max_images;
    return !can_batch || limit == 0 ? 1 : wanted < limit ? wanted : limit;
}

static enum weir_result pyramid_init(weir_pyramid *pyramid)
{
    struct weir_pyramid_params *params = &pyramid->params;
    params->max_images = params->max_images ? params->max_images : 1;
    pyramid->format = weir_pyramid_format_get_info(params->format);
    enum weir_result result = weir_context_check_lost(pyramid->context);
    if (result == WEIR_OK) {
        result = weir_pyramid_check(pyramid);
    }
    if (result == WEIR_OK && params->method != WEIR_PYRAMID_BLIT) {
        result = weir_pyramid_bindings_init(
            pyramid->context, images_per_set(pyramid),
            can_filter(pyramid) ? VK_FILTER_LINEAR : VK_FILTER_NEAREST, &pyramid->bindings);
    }
    if (result == WEIR_OK) {
        result = create_pipelines(pyramid);
    }
    params->debug_tag = NULL;
    params->kernel = NULL;
    params->kernel_size = 0;
    return result;
}

enum weir_result weir_pyramid_create(weir_context *context,
                                     const struct weir_pyramid_params *params, weir_pyramid **out)
{
    if (out) {
        *out = NULL;
    }
    enum weir_result result = WEIR_CHECK_GIVEN(weir_context_log(context), WEIR_ARGUMENT(context),
                                               WEIR_ARGUMENT(params), WEIR_ARGUMENT(out));
    if (result != WEIR_OK) {
        return result;
    }
    weir_pyramid *pyramid = weir_alloc(&context->log, 1, sizeof(*pyramid), "a pyramid");
    if (!pyramid) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *pyramid = (weir_pyramid){.context = context, .params = *params};
    result = pyramid_init(pyramid);
    if (result != WEIR_OK) {
        weir_pyramid_destroy(&pyramid);
    }
    *out = pyramid;
    return result;
}

void weir_pyramid_destroy(weir_pyramid **pyramid)
{
    if (!pyramid || !*pyramid) {
        return;
    }
    weir_context *context = (*pyramid)->context;
    for (int i = 0; i < WEIR_PYRAMID_NUM_KERNELS; i++) {
        for (int variant = 0; variant < WEIR_PYRAMID_NUM_VARIANTS; variant++) {
            weir_vk_pipeline_finish(context, &(*pyramid)->pipelines[i][variant]);
        }
    }
    weir_pyramid_bindings_finish(context, &(*pyramid)->bindings);
    free(*pyramid);
    *pyramid = NULL;
}

struct weir_pyramid_params weir_pyramid_get_params(const weir_pyramid *pyramid)
{
    return pyramid ? pyramid->params : (struct weir_pyramid_params){0};
}

struct weir_pyramid_scope weir_pyramid_get_scope(const weir_pyramid *pyramid)
{
    if (!pyramid) {
        return (struct weir_pyramid_scope){0};
    }
    if (pyramid->params.method == WEIR_PYRAMID_BLIT) {
        return (struct weir_pyramid_scope){
            .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
            .stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
            .reads = VK_ACCESS_TRANSFER_READ_BIT,
            .writes = VK_ACCESS_TRANSFER_WRITE_BIT,
        };
    }
    return (struct weir_pyramid_scope){
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
        .source_usage = VK_IMAGE_USAGE_SAMPLED_BIT,
        .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .reads = VK_ACCESS_SHADER_READ_BIT,
        .writes = VK_ACCESS_SHADER_WRITE_BIT,
    };
}
