// SPDX-License-Identifier: MIT
// Makes a target: checks the images, plans for their size, allocates scratch memory.
#include "pyramid/pyramid.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"

static enum weir_result out_of_range(const weir_context *context, const char *field, uint32_t value,
                                     uint32_t low, uint32_t high)
{
    return weir_fail(&context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                     "weir_pyramid_target_params.%s is %u; it must be %u to %u", field, value, low,
                     high);
}

static void resolve(struct weir_pyramid_target_params *params, uint32_t levels)
{
    params->num_images = weir_at_least_1(params->num_images);
    params->last_level = params->last_level ? params->last_level : levels - 1;
    params->source_layout = params->source_layout ? params->source_layout
                                                  : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
}

static bool are_alike(const struct weir_image_params *a, const struct weir_image_params *b)
{
    return a->format == b->format && a->width == b->width && a->height == b->height &&
           a->levels == b->levels && a->layers == b->layers;
}

static enum weir_result check_levels(const weir_pyramid *pyramid,
                                     const struct weir_pyramid_target_params *params,
                                     uint32_t levels)
{
    const weir_context *context = pyramid->context;
    if (params->first_level >= levels) {
        return out_of_range(context, "first_level", params->first_level, 0, levels - 1);
    }
    if (params->last_level >= levels || params->last_level < params->first_level) {
        return out_of_range(context, "last_level", params->last_level, params->first_level,
                            levels - 1);
    }
    return WEIR_OK;
}

static enum weir_result check_image(const weir_pyramid *pyramid, const weir_image *image)
{
    const struct weir_log *log = &pyramid->context->log;
    WEIR_FAIL_IF(image->params.format != pyramid->params.format, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_FORMAT_MISMATCH,
                 "the images have VkFormat %d and the pyramid was made for %d",
                 (int)image->params.format, (int)pyramid->params.format);
    const VkImageUsageFlags usage = weir_pyramid_get_scope(pyramid).usage;
    const bool is_blit = pyramid->params.method == WEIR_PYRAMID_BLIT;
    WEIR_FAIL_IF((image->params.usage & usage) != usage, log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_USAGE,
                 "method %s needs images with VK_IMAGE_USAGE_%s_BIT and %s_BIT: make them with "
                 "weir_pyramid_get_scope().usage",
                 weir_pyramid_method_get_info(pyramid->params.method)->name,
                 is_blit ? "TRANSFER_SRC" : "SAMPLED", is_blit ? "TRANSFER_DST" : "STORAGE");
    const VkImageCreateFlags flags = pyramid->format->flags;
    WEIR_FAIL_IF(!is_blit && (image->params.flags & flags) != flags, log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_USAGE,
                 "%s is written through its UNORM view: create the image with "
                 "VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT and EXTENDED_USAGE_BIT",
                 pyramid->format->name);
    return WEIR_OK;
}

// Check that all images are set, belong to the context, are alike, and pass `check_one`.
static enum weir_result check_set(const weir_pyramid *pyramid, const char *field,
                                  const weir_image *const *images, uint32_t num_images,
                                  enum weir_result (*check_one)(const weir_pyramid *pyramid,
                                                                const weir_image *image))
{
    const weir_context *context = pyramid->context;
    for (uint32_t i = 0; i < num_images; i++) {
        char name[64];
        snprintf(name, sizeof(name), "weir_pyramid_target_params.%s[%u]", field, i);
        WEIR_TRY(weir_image_check(images ? images[i] : NULL, context, name));
        WEIR_FAIL_IF(!are_alike(&images[0]->params, &images[i]->params), &context->log,
                     WEIR_ERROR_INVALID, WEIR_LOG_CODE_FORMAT_MISMATCH,
                     "%s is not like the first one: all must have the same format, size, "
                     "levels and layers",
                     name);
        WEIR_TRY(check_one(pyramid, images[i]));
    }
    return WEIR_OK;
}

static enum weir_result check_images(const weir_pyramid *pyramid,
                                     const struct weir_pyramid_target_params *params)
{
    if (params->num_images > pyramid->params.max_images) {
        return out_of_range(pyramid->context, "num_images", params->num_images, 1,
                            pyramid->params.max_images);
    }
    return check_set(pyramid, "images", params->images, weir_at_least_1(params->num_images),
                     check_image);
}

static enum weir_result check_source(const weir_pyramid *pyramid, const weir_image *source)
{
    const struct weir_log *log = &pyramid->context->log;
    WEIR_FAIL_IF(source->params.format != pyramid->params.source_format, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_FORMAT_MISMATCH,
                 "the sources have VkFormat %d and the pyramid was made for %d",
                 (int)source->params.format, (int)pyramid->params.source_format);
    WEIR_FAIL_IF(!(source->params.usage & VK_IMAGE_USAGE_SAMPLED_BIT), log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_USAGE, "a source needs VK_IMAGE_USAGE_SAMPLED_BIT");
    WEIR_FAIL_IF(weir_pyramid_decodes(&pyramid->params, source->params.format) &&
                     !(source->params.flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT),
                 log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_USAGE,
                 "with PRECISION_EXACT sources are read through their UNORM view: create them "
                 "with VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT");
    return WEIR_OK;
}

static enum weir_result check_source_size(const weir_pyramid *pyramid,
                                          const struct weir_pyramid_target_params *params)
{
    const struct weir_image_params *image = &params->images[0]->params;
    const struct weir_image_params *source = &params->sources[0]->params;
    const uint32_t width = weir_level_side(image->width, params->first_level);
    const uint32_t height = weir_level_side(image->height, params->first_level);
    const bool is_same = source->width == width && source->height == height;
    const bool is_above = weir_level_side(source->width, 1) == width &&
                          weir_level_side(source->height, 1) == height;
    WEIR_FAIL_IF(!is_same && !is_above, &pyramid->context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "a source of %ux%u is neither as large as level %u, %ux%u, nor twice as large",
                 source->width, source->height, params->first_level, width, height);
    WEIR_FAIL_IF(source->layers < image->layers, &pyramid->context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "the source has %u layers and the images have %u: it needs at least as many",
                 source->layers, image->layers);
    return WEIR_OK;
}

static enum weir_result check_sources(const weir_pyramid *pyramid,
                                      const struct weir_pyramid_target_params *params)
{
    const struct weir_log *log = &pyramid->context->log;
    WEIR_FAIL_IF(!pyramid->params.source_format != !params->sources, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_NULL_ARGUMENT,
                 "set both weir_pyramid_target_params.sources and "
                 "weir_pyramid_params.source_format, or neither");
    if (!params->sources) {
        return WEIR_OK;
    }
    WEIR_TRY(check_set(pyramid, "sources", params->sources, params->num_images, check_source));
    return check_source_size(pyramid, params);
}

// Find the geometry of the chain, whose levels are counted from the input.
static void find_geometry(weir_pyramid_target *target,
                          const struct weir_pyramid_target_params *params)
{
    const struct weir_image_params *image = &params->images[0]->params;
    const struct weir_image_params *source = params->sources ? &params->sources[0]->params : NULL;
    const uint32_t first_level = target->params.first_level;
    const uint32_t width = weir_level_side(image->width, first_level);
    const uint32_t height = weir_level_side(image->height, first_level);
    const bool is_same = !source || (source->width == width && source->height == height);
    target->num_layers = image->layers;
    target->first_of_plan = (int32_t)first_level - !is_same;
    target->geometry = (struct weir_pyramid_geometry){
        .width = is_same ? width : source->width,
        .height = is_same ? height : source->height,
        .num_levels = target->params.last_level - first_level + !is_same,
        .copies = source && is_same,
    };
}

// A dispatch has a workgroup along z for each layer of each image.
static enum weir_result check_slices(const weir_pyramid_target *target)
{
    const weir_pyramid *pyramid = target->pyramid;
    const uint32_t per_set = weir_at_least_1(pyramid->bindings.num_images);
    const uint32_t num_images = weir_min(target->params.num_images, per_set);
    const uint64_t num_slices = (uint64_t)num_images * target->num_layers;
    const uint32_t limit = pyramid->context->limits.maxComputeWorkGroupCount[2];
    WEIR_FAIL_IF(num_slices > limit, &pyramid->context->log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_DEVICE_LIMIT,
                 "%u images of %u layers in a dispatch are above this device's limit of "
                 "%u slices (maxComputeWorkGroupCount): bind fewer images at a time",
                 num_images, target->num_layers, limit);
    return WEIR_OK;
}

static enum weir_result plan(weir_pyramid_target *target)
{
    const weir_pyramid *pyramid = target->pyramid;
    target->has_words = weir_pyramid_has_words(pyramid, &target->params);
    target->method = weir_pyramid_method_of(target);
    const char *reason = weir_pyramid_plan_init(target->method, &target->geometry, &target->plan);
    WEIR_FAIL_IF(reason, &pyramid->context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "method %s cannot make %u levels of %ux%u texels: %s",
                 weir_pyramid_method_get_info(target->method)->name, target->geometry.num_levels,
                 target->geometry.width, target->geometry.height, reason);
    target->has_words &= target->plan.steps[0].kernel == WEIR_PYRAMID_KERNEL_SINGLE;
    return WEIR_OK;
}

// Images of one level are mostly those whose levels were forgotten.
static void log_one_level(const weir_pyramid_target *target, const struct weir_image_params *image)
{
    if (target->plan.num_steps == 0 && image->levels == 1 && image->width * image->height > 1) {
        weir_log_printf(&target->pyramid->context->log, WEIR_LOG_INFO, WEIR_LOG_CODE_ONE_LEVEL,
                        "there is no level to compute: weir_image_params.levels is 1, and a full "
                        "chain of %ux%u has %u",
                        image->width, image->height, weir_num_levels(image->width, image->height));
    }
}

// Keep the handles of the images for the blit chain, which needs no views.
static enum weir_result keep_images(weir_pyramid_target *target, const weir_image *const *images)
{
    target->num_groups = target->params.num_images;
    if (!target->images) {
        target->images = weir_alloc(&target->pyramid->context->log, target->num_groups,
                                    sizeof(*target->images), "the images of a pyramid");
    }
    if (!target->images) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < target->num_groups; i++) {
        target->images[i] = images[i]->params.image;
    }
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
    const uint64_t slices = (uint64_t)target->params.num_images * target->num_layers;
    const bool is_custom = target->pyramid->params.reduction == WEIR_PYRAMID_CUSTOM;
    if (p->num_steps == 0 || (p->stages.num == 0 && !is_custom)) {
        return WEIR_OK; // a kernel of the user's is bound to both buffers even where it copies only
    }
    // One texel and one counter at least: a chain of one stage needs none, and a buffer cannot be
    // empty.
    const uint32_t num_channels = weir_pyramid_num_channels(target->pyramid);
    const uint64_t texels_size = (slices * p->stages.slice_texels + 1) * 4 *
                                 (num_channels == 3 ? 4 : num_channels);
    const uint64_t counters_size = (slices * p->stages.slice_counters + 1) * 4;
    WEIR_FAIL_IF(texels_size > context->limits.maxStorageBufferRange, &context->log,
                 WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_DEVICE_LIMIT,
                 "%llu bytes of scratch memory are above this device's limit of %u "
                 "(maxStorageBufferRange): make fewer layers or images at a time",
                 (unsigned long long)texels_size, context->limits.maxStorageBufferRange);
    WEIR_TRY(weir_vk_buffer_init(context, texels_size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                 WEIR_VK_MEMORY_SHARED, "pyramid scratch", NULL, &target->texels));
    WEIR_TRY(
        weir_vk_buffer_init(context, counters_size,
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            WEIR_VK_MEMORY_SHARED, "pyramid counters", NULL, &target->counters));
    return weir_context_run_once(context, clear_counters, &target->counters);
}

static enum weir_result check(const weir_pyramid *pyramid,
                              const struct weir_pyramid_target_params *given,
                              struct weir_pyramid_target_params *params)
{
    WEIR_TRY(weir_context_check_lost(pyramid->context));
    WEIR_TRY(check_images(pyramid, given));
    const uint32_t levels = given->images[0]->params.levels;
    resolve(params, levels);
    WEIR_TRY(check_levels(pyramid, params, levels));
    return check_sources(pyramid, params);
}

static enum weir_result bind(weir_pyramid_target *target,
                             const struct weir_pyramid_target_params *params)
{
    WEIR_TRY(check(target->pyramid, params, &target->params));
    find_geometry(target, params);
    WEIR_TRY(check_slices(target));
    WEIR_TRY(plan(target));
    WEIR_TRY(weir_pyramid_make_pipelines(target));
    WEIR_TRY(create_scratch(target));
    log_one_level(target, &params->images[0]->params);
    return target->pyramid->params.method == WEIR_PYRAMID_BLIT ? keep_images(target, params->images)
           : target->plan.num_steps > 0 ? weir_pyramid_views_init(target, params)
                                        : WEIR_OK;
}

enum weir_result weir_pyramid_target_init(weir_pyramid_target *target, const weir_pyramid *pyramid,
                                          const struct weir_pyramid_target_params *params)
{
    target->pyramid = pyramid;
    target->params = *params;
    const enum weir_result result = bind(target, params);
    target->params.debug_tag = NULL;
    target->params.images = NULL;
    target->params.sources = NULL;
    return result;
}

void weir_pyramid_target_finish(weir_context *context, weir_pyramid_target *target)
{
    weir_pyramid_views_finish(context, target);
    weir_vk_buffer_finish(context, &target->texels);
    weir_vk_buffer_finish(context, &target->counters);
    free(target->images);
}

enum weir_result weir_pyramid_target_create(const weir_pyramid *pyramid,
                                            const struct weir_pyramid_target_params *params,
                                            weir_pyramid_target **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(pyramid ? &pyramid->context->log : NULL, out, pyramid, params));
    weir_pyramid_target *target = weir_object_alloc(pyramid->context, WEIR_OBJECT_TARGET,
                                                    sizeof(*target));
    if (!target) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const enum weir_result result = weir_pyramid_target_init(target, pyramid, params);
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
    weir_pyramid_target_finish(context, *target);
    weir_object_free(context, WEIR_OBJECT_TARGET, *target);
    *target = NULL;
}

struct weir_pyramid_target_params weir_pyramid_target_get_params(const weir_pyramid_target *target)
{
    return target ? target->params : (struct weir_pyramid_target_params){0};
}

enum weir_pyramid_method weir_pyramid_target_get_method(const weir_pyramid_target *target)
{
    return target ? target->method : WEIR_PYRAMID_AUTO;
}

uint32_t weir_pyramid_target_get_num_dispatches(const weir_pyramid_target *target)
{
    return target ? target->plan.num_steps * weir_at_least_1(target->num_groups) : 0;
}
