// SPDX-License-Identifier: MIT
// Makes a pyramid.
#include "pyramid/pyramid.h"

#include <stdlib.h>

#include "pyramid/check.h"
#include "pyramid/format.h"
#include "pyramid/pipelines.h"
#include "pyramid/reads.h"

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
        result = weir_pyramid_bindings_init(pyramid->context, images_per_set(pyramid),
                                            weir_pyramid_can_filter(pyramid) ? VK_FILTER_LINEAR
                                                                             : VK_FILTER_NEAREST,
                                            &pyramid->bindings);
    }
    if (result == WEIR_OK) {
        result = weir_pyramid_pipelines_init(pyramid);
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
    weir_pyramid_pipelines_finish(*pyramid);
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
