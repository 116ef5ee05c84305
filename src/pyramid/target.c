// SPDX-License-Identifier: MIT
// Makes a target: checks the images, plans for their size, allocates scratch memory.
#include "pyramid/target.h"

#include <stdlib.h>
#include <string.h>

static enum weir_result out_of_range(const weir_context *context, const char *field, uint32_t value,
                                     uint32_t low, uint32_t high)
{
    return weir_error(&context->log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                      "weir_pyramid_target_params.%s is %u; it must be %u to %u", field, value, low,
                      high);
}

static void resolve(struct weir_pyramid_target_params *params)
{
    const uint32_t full = weir_pyramid_full_chain(params->width, params->height);
    params->num_images = params->num_images ? params->num_images : 1;
    params->layers = params->layers ? params->layers : 1;
    params->levels = params->levels ? params->levels : full;
    params->last_level = params->last_level ? params->last_level : params->levels - 1;
    if (!params->source_width && !params->source_height) {
        params->source_width = weir_pyramid_level_size(params->width, params->first_level);
        params->source_height = weir_pyramid_level_size(params->height, params->first_level);
    }
    params->source_layout = params->source_layout ? params->source_layout
                                                  : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
}

static enum weir_result check_sizes(const weir_pyramid *pyramid,
                                    const struct weir_pyramid_target_params *params)
{
    const weir_context *context = pyramid->context;
    const uint32_t max_side = context->limits.maxImageDimension2D;
    const uint32_t max_layers = context->limits.maxImageArrayLayers;
    if (params->width < 1 || params->width > max_side) {
        return out_of_range(context, "width", params->width, 1, max_side);
    }
    if (params->height < 1 || params->height > max_side) {
        return out_of_range(context, "height", params->height, 1, max_side);
    }
    if (params->layers > max_layers) {
        return out_of_range(context, "layers", params->layers, 1, max_layers);
    }
    if (params->num_images > pyramid->params.max_images) {
        return out_of_range(context, "num_images", params->num_images, 1,
                            pyramid->params.max_images);
    }
    const uint32_t full = weir_pyramid_full_chain(params->width, params->height);
    if (params->levels > full) {
        return out_of_range(context, "levels", params->levels, 1, full);
    }
    if (params->first_level >= params->levels) {
        return out_of_range(context, "first_level", params->first_level, 0, params->levels - 1);
    }
    if (params->last_level >= params->levels || params->last_level < params->first_level) {
        return out_of_range(context, "last_level", params->last_level, params->first_level,
                            params->levels - 1);
    }
    return WEIR_OK;
}

static enum weir_result check_images(const weir_pyramid *pyramid,
                                     const struct weir_pyramid_target_params *params)
{
    const struct weir_log *log = &pyramid->context->log;
    for (uint32_t i = 0; i < params->num_images; i++) {
        if (!params->images || !params->images[i]) {
            return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT,
                              "weir_pyramid_target_params.images[%u] is required", i);
        }
    }
    const VkImageUsageFlags usage = weir_pyramid_get_scope(pyramid).usage;
    if ((params->usage & usage) != usage) {
        const bool is_blit = pyramid->params.method == WEIR_PYRAMID_BLIT;
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE,
                          "method %s needs images with VK_IMAGE_USAGE_%s_BIT and %s_BIT",
                          weir_pyramid_method_name(pyramid->params.method),
                          is_blit ? "TRANSFER_SRC" : "SAMPLED",
                          is_blit ? "TRANSFER_DST" : "STORAGE");
    }
    const VkImageCreateFlags flags = pyramid->format->flags;
    if (pyramid->params.method != WEIR_PYRAMID_BLIT && (params->flags & flags) != flags) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE,
                          "%s is written through its UNORM view: create the image with "
                          "VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT and EXTENDED_USAGE_BIT",
                          pyramid->format->name);
    }
    return WEIR_OK;
}

static enum weir_result check_sources(const weir_pyramid *pyramid,
                                      const struct weir_pyramid_target_params *params)
{
    const struct weir_log *log = &pyramid->context->log;
    if (!pyramid->params.source_format != !params->sources) {
        return weir_error(
            log, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT,
            "weir_pyramid_target_params.sources and weir_pyramid_params.source_format "
            "need each other");
    }
    if (!params->sources) {
        return WEIR_OK;
    }
    for (uint32_t i = 0; i < params->num_images; i++) {
        if (!params->sources[i]) {
            return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT,
                              "weir_pyramid_target_params.sources[%u] is required", i);
        }
    }
    if (!(params->source_usage & VK_IMAGE_USAGE_SAMPLED_BIT)) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE,
                          "a source needs VK_IMAGE_USAGE_SAMPLED_BIT");
    }
    const uint32_t width = weir_pyramid_level_size(params->width, params->first_level);
    const uint32_t height = weir_pyramid_level_size(params->height, params->first_level);
    const bool is_same = params->source_width == width && params->source_height == height;
    const bool is_above = params->source_width >= 1 && params->source_height >= 1 &&
                          weir_pyramid_level_size(params->source_width, 1) == width &&
                          weir_pyramid_level_size(params->source_height, 1) == height;
    if (!is_same && !is_above) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "a source of %ux%u is neither as large as level %u, %ux%u, nor the level "
                          "above it",
                          params->source_width, params->source_height, params->first_level, width,
                          height);
    }
    return WEIR_OK;
}

// From levels of an image to levels counted from the input.
static void find_geometry(weir_pyramid_target *target)
{
    const struct weir_pyramid_target_params *params = &target->params;
    const bool has_source = target->pyramid->params.source_format != 0;
    const uint32_t width = weir_pyramid_level_size(params->width, params->first_level);
    const uint32_t height = weir_pyramid_level_size(params->height, params->first_level);
    const bool is_same = !has_source ||
                         (params->source_width == width && params->source_height == height);
    target->first_of_plan = (int32_t)params->first_level - !is_same;
    target->geometry = (struct weir_pyramid_geometry){
        .width = is_same ? width : params->source_width,
        .height = is_same ? height : params->source_height,
        .num_levels = params->last_level - params->first_level + !is_same,
        .copies = has_source && is_same,
    };
}

static enum weir_result plan(weir_pyramid_target *target)
{
    const weir_pyramid *pyramid = target->pyramid;
    const char *reason = weir_pyramid_plan_init(pyramid->params.method, &target->geometry,
                                                &target->plan);
    if (reason) {
        return weir_error(&pyramid->context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_OUT_OF_RANGE,
                          "method %s cannot make %u levels of %ux%u texels: %s",
                          weir_pyramid_method_name(pyramid->params.method),
                          target->geometry.num_levels, target->geometry.width,
                          target->geometry.height, reason);
    }
    return WEIR_OK;
}

// The blit chain has no views: it names the images.
static enum weir_result keep_images(weir_pyramid_target *target, const VkImage *images)
{
    target->num_groups = target->params.num_images;
    target->images = malloc(target->num_groups * sizeof(*images));
    if (!target->images) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    memcpy(target->images, images, target->num_groups * sizeof(*images));
    return WEIR_OK;
}

static void clear_counters(const weir_context *context, VkCommandBuffer cmd, void *user)
{
    const struct weir_vk_buffer *counters = user;
    context->vk.CmdFillBuffer(cmd, counters->buffer, 0, VK_WHOLE_SIZE, 0);
}

static enum weir_result create_scratch(weir_pyramid_target *target)
{
    weir_context *context = target->pyramid->context;
    const struct weir_pyramid_plan *p = &target->plan;
    const uint64_t slices = (uint64_t)target->params.num_images * target->params.layers;
    const bool is_custom = target->pyramid->params.reduction == WEIR_PYRAMID_CUSTOM;
    if (p->num_steps == 0 || (p->num_stages == 0 && !is_custom)) {
        return WEIR_OK; // a kernel of the user's is bound to both buffers even where it copies only
    }
    // One texel and one counter at least: a chain of one stage needs none, and a buffer cannot be
    // empty.
    const uint64_t texels_size = (slices * p->slice_texels + 1) * 16;
    const uint64_t counters_size = (slices * p->slice_counters + 1) * 4;
    if (texels_size > context->limits.maxStorageBufferRange) {
        return weir_error(&context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_DEVICE_LIMIT,
                          "%llu bytes of scratch memory are above this device's limit of %u "
                          "(maxStorageBufferRange): make fewer layers or images at a time",
                          (unsigned long long)texels_size, context->limits.maxStorageBufferRange);
    }
    enum weir_result result = weir_vk_buffer_init(
        context, texels_size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, WEIR_VK_MEMORY_SHARED,
        "pyramid scratch", NULL, &target->texels);
    if (result == WEIR_OK) {
        result = weir_vk_buffer_init(
            context, counters_size,
            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
            WEIR_VK_MEMORY_SHARED, "pyramid counters", NULL, &target->counters);
    }
    if (result == WEIR_OK) {
        result = weir_context_run_once(context, clear_counters, &target->counters);
    }
    return result;
}

static enum weir_result target_init(weir_pyramid_target *target,
                                    const struct weir_pyramid_target_params *params)
{
    const weir_pyramid *pyramid = target->pyramid;
    resolve(&target->params);
    enum weir_result result = weir_context_check_lost(pyramid->context);
    if (result == WEIR_OK) {
        result = check_sizes(pyramid, &target->params);
    }
    if (result == WEIR_OK) {
        result = check_images(pyramid, &target->params);
    }
    if (result == WEIR_OK) {
        result = check_sources(pyramid, &target->params);
    }
    target->params.debug_tag = NULL;
    target->params.images = NULL;
    target->params.sources = NULL;
    if (result != WEIR_OK) {
        return result;
    }
    find_geometry(target);
    result = plan(target);
    if (result == WEIR_OK) {
        result = create_scratch(target);
    }
    if (result == WEIR_OK && pyramid->params.method == WEIR_PYRAMID_BLIT) {
        result = keep_images(target, params->images);
    } else if (result == WEIR_OK && target->plan.num_steps > 0) {
        result = weir_pyramid_views_init(target, params);
    }
    return result;
}

enum weir_result weir_pyramid_target_create(const weir_pyramid *pyramid,
                                            const struct weir_pyramid_target_params *params,
                                            weir_pyramid_target **out)
{
    if (!out) {
        return WEIR_ERROR_INVALID;
    }
    *out = NULL;
    if (!pyramid || !params) {
        return WEIR_ERROR_INVALID;
    }
    weir_pyramid_target *target = malloc(sizeof(*target));
    if (!target) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *target = (weir_pyramid_target){.pyramid = pyramid, .params = *params};
    const enum weir_result result = target_init(target, params);
    if (result != WEIR_OK) {
        weir_pyramid_target_destroy(&target);
    }
    *out = target;
    return result;
}

void weir_pyramid_target_destroy(weir_pyramid_target **target)
{
    if (!target || !*target) {
        return;
    }
    weir_context *context = (*target)->pyramid->context;
    weir_pyramid_views_finish(*target);
    weir_vk_buffer_finish(context, &(*target)->texels);
    weir_vk_buffer_finish(context, &(*target)->counters);
    free((*target)->images);
    free(*target);
    *target = NULL;
}

struct weir_pyramid_target_params weir_pyramid_target_get_params(const weir_pyramid_target *target)
{
    return target->params;
}

uint32_t weir_pyramid_target_num_dispatches(const weir_pyramid_target *target)
{
    return target->plan.num_steps * (target->num_groups ? target->num_groups : 1);
}
