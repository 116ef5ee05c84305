// SPDX-License-Identifier: MIT
// Makes a pyramid, and the descriptor set layouts of its kernels.
#include "pyramid/pyramid.h"

#include "base/size.h"
#include "vk/descriptors.h"
#include <stdlib.h>

static VkDescriptorSetLayoutBinding binding(uint32_t index, VkDescriptorType type, uint32_t num,
                                            const VkSampler *sampler)
{
    return (VkDescriptorSetLayoutBinding){
        .binding = index,
        .descriptorType = type,
        .descriptorCount = num,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .pImmutableSamplers = sampler,
    };
}

static enum weir_result check_limits(const weir_context *context, uint32_t num_images)
{
    const uint64_t needed = (uint64_t)num_images * WEIR_PYRAMID_MAX_LEVELS;
    WEIR_FAIL_IF(needed > context->limits.maxPerStageDescriptorStorageImages ||
                     num_images > context->limits.maxPerStageDescriptorSampledImages ||
                     needed + num_images + 2 > context->limits.maxPerStageResources,
                 &context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_DEVICE_LIMIT,
                 "a pyramid of %u images at a time binds %llu storage images; this device allows "
                 "%u (maxPerStageDescriptorStorageImages), and %u resources in all",
                 num_images, (unsigned long long)needed,
                 context->limits.maxPerStageDescriptorStorageImages,
                 context->limits.maxPerStageResources);
    return WEIR_OK;
}

static enum weir_result bindings_init(weir_context *context, uint32_t num_images, VkFilter filter,
                                      struct weir_pyramid_bindings *out)
{
    *out = (struct weir_pyramid_bindings){.num_images = num_images};
    WEIR_TRY(check_limits(context, num_images));
    WEIR_TRY(weir_vk_sampler_init(context, filter, VK_COMPARE_OP_NEVER, false, &out->sampler));
    const VkDescriptorSetLayoutBinding images[] = {
        binding(WEIR_PYRAMID_BINDING_BASES, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, num_images, NULL),
        binding(WEIR_PYRAMID_BINDING_LEVELS, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                num_images * WEIR_PYRAMID_MAX_LEVELS, NULL),
        binding(WEIR_PYRAMID_BINDING_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLER, 1, &out->sampler),
        binding(WEIR_PYRAMID_BINDING_GATHERS, VK_DESCRIPTOR_TYPE_SAMPLER, 1,
                &context->gather_sampler),
    };
    const VkDescriptorSetLayoutBinding scratch[] = {
        binding(WEIR_PYRAMID_BINDING_TEXELS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, NULL),
        binding(WEIR_PYRAMID_BINDING_COUNTERS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, NULL),
    };
    WEIR_TRY(weir_vk_set_layout_init(context, 0, images, 4, &out->images));
    return weir_vk_set_layout_init(context, 0, scratch, 2, &out->scratch);
}

static void bindings_finish(weir_context *context, struct weir_pyramid_bindings *bindings)
{
    context->vk.DestroyDescriptorSetLayout(context->device, bindings->images, NULL);
    context->vk.DestroyDescriptorSetLayout(context->device, bindings->scratch, NULL);
    context->vk.DestroySampler(context->device, bindings->sampler, NULL);
    *bindings = (struct weir_pyramid_bindings){0};
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
    return weir_min(weir_min(by_storage, by_sampled), by_resources);
}

static uint32_t images_per_set(const weir_pyramid *pyramid)
{
    const struct weir_vk_features *features = &pyramid->context->features;
    const bool can_batch = pyramid->params.method == WEIR_PYRAMID_SINGLE &&
                           !pyramid->params.kernel && features->dynamic_storage_images &&
                           features->dynamic_sampled_images;
    const uint32_t limit = most_images_per_set(&pyramid->context->limits);
    const uint32_t wanted = pyramid->params.max_images;
    return !can_batch || limit == 0 ? 1 : weir_min(wanted, limit);
}

static enum weir_result pyramid_init(weir_pyramid *pyramid)
{
    struct weir_pyramid_params *params = &pyramid->params;
    params->max_images = params->max_images ? params->max_images : 1;
    pyramid->format = weir_pyramid_format_get_info(params->format);
    WEIR_TRY(weir_context_check_lost(pyramid->context));
    WEIR_TRY(weir_pyramid_check(pyramid));
    if (params->method != WEIR_PYRAMID_BLIT) {
        WEIR_TRY(
            bindings_init(pyramid->context, images_per_set(pyramid),
                          weir_pyramid_can_filter(pyramid) ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                          &pyramid->bindings));
    }
    return weir_pyramid_pipelines_init(pyramid);
}

enum weir_result weir_pyramid_create(weir_context *context,
                                     const struct weir_pyramid_params *params, weir_pyramid **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_context_log(context), out, context, params));
    weir_pyramid *pyramid = weir_object_alloc(context, WEIR_OBJECT_PYRAMID, sizeof(*pyramid));
    if (!pyramid) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *pyramid = (weir_pyramid){.context = context, .params = *params};
    const enum weir_result result = pyramid_init(pyramid);
    pyramid->params.debug_tag = NULL;
    pyramid->params.kernel = NULL;
    pyramid->params.kernel_size = 0;
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
    weir_pyramid_pipelines_finish(*pyramid);
    bindings_finish(context, &(*pyramid)->bindings);
    weir_object_free(context, WEIR_OBJECT_PYRAMID, *pyramid);
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
