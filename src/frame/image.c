// SPDX-License-Identifier: MIT
// Wraps a host's image: views, descriptor sets, and a shadow where it cannot be sampled.
#include "frame/image.h"

#include "base/size.h"

enum {
    USAGE_OF_ANY_KIND = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                        VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    SRGB_STORAGE_FLAGS = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT,
};

static enum weir_result check_size(const weir_context *context,
                                   const struct weir_image_params *params)
{
    const uint32_t max = context->limits.maxImageDimension2D;
    WEIR_FAIL_IF(params->width < 1 || params->width > max || params->height < 1 ||
                     params->height > max,
                 &context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "an image of %ux%u is outside this device's range of 1x1 to %ux%u", params->width,
                 params->height, max, max);
    const uint32_t max_levels = weir_num_levels(params->width, params->height);
    const uint32_t max_layers = context->limits.maxImageArrayLayers;
    WEIR_FAIL_IF(params->levels > max_levels || params->layers > max_layers, &context->log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "%u levels and %u layers of %ux%u texels: at most %u and %u are possible",
                 params->levels, params->layers, params->width, params->height, max_levels,
                 max_layers);
    return WEIR_OK;
}

enum weir_result weir_image_check_params(const weir_context *context,
                                         const struct weir_image_params *params)
{
    const struct weir_log *log = &context->log;
    WEIR_FAIL_IF(!params->image, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                 "weir_image_params.image is required");
    WEIR_FAIL_IF(params->format == VK_FORMAT_UNDEFINED, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_NULL_ARGUMENT, "weir_image_params.format is required");
    WEIR_FAIL_IF(params->transfer < WEIR_TRANSFER_DEFAULT ||
                     params->transfer > WEIR_TRANSFER_LINEAR,
                 log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "transfer %d is not a weir_transfer", (int)params->transfer);
    WEIR_FAIL_IF(!(params->usage & USAGE_OF_ANY_KIND), log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_USAGE,
                 "the image has none of VK_IMAGE_USAGE_SAMPLED_BIT, STORAGE_BIT, TRANSFER_SRC_BIT "
                 "and TRANSFER_DST_BIT: create it, or its swapchain, with SAMPLED");
    return check_size(context, params);
}

static bool is_single(const struct weir_image_params *params)
{
    return params->levels == 1 && params->layers == 1;
}

// True if kernels read a copy of the image. It is needed for images that are neither sampled nor
// written by kernels, such as those of a swapchain whose surface does not allow SAMPLED.
static bool needs_shadow(const struct weir_image_params *params)
{
    return !(params->usage & (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT)) &&
           (params->usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT) && is_single(params);
}

static bool is_readable(const weir_image *image)
{
    return image->source.view_format != VK_FORMAT_UNDEFINED &&
           ((image->params.usage & VK_IMAGE_USAGE_SAMPLED_BIT) || needs_shadow(&image->params)) &&
           weir_vk_has_format(image->context, image->source.view_format,
                              VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
}

// The format of the view that kernels write; UNDEFINED if they cannot write the image.
static VkFormat storage_format(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_R8G8B8A8_UNORM:
    case VK_FORMAT_R8G8B8A8_SRGB:
        return VK_FORMAT_R8G8B8A8_UNORM;
    case VK_FORMAT_B8G8R8A8_UNORM:
    case VK_FORMAT_B8G8R8A8_SRGB:
        return VK_FORMAT_B8G8R8A8_UNORM;
    default:
        return VK_FORMAT_UNDEFINED;
    }
}

static bool is_storage_format(const weir_image *image)
{
    const VkFormat format = storage_format(image->params.format);
    return format != VK_FORMAT_UNDEFINED &&
           weir_vk_has_format(image->context, format, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT);
}

static bool has_storage_usage(const struct weir_image_params *params)
{
    const VkImageCreateFlags flags = storage_format(params->format) == params->format
                                         ? 0
                                         : SRGB_STORAGE_FLAGS;
    return (params->usage & VK_IMAGE_USAGE_STORAGE_BIT) && (params->flags & flags) == flags;
}

enum weir_result weir_image_check(const weir_image *image, const weir_context *context,
                                  const char *name)
{
    WEIR_FAIL_IF(!image, &context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                 "%s is required", name);
    WEIR_FAIL_IF(image->context != context, &context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE, "%s belongs to another context", name);
    return WEIR_OK;
}

enum weir_result weir_image_check_read(const weir_image *image, const struct weir_log *log)
{
    if (image->view) {
        return WEIR_OK;
    }
    WEIR_FAIL_IF(!image->source.format, log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT,
                 "no kernel reads VkFormat %d; use R8G8B8A8, B8G8R8A8 or A8B8G8R8 in UNORM or "
                 "SRGB, R8, R8G8, R16, R16G16 or R16G16B16A16 in UNORM, A2B10G10R10_UNORM, "
                 "R16G16B16A16_SFLOAT or, for signed codecs, R8G8B8A8_SNORM",
                 (int)image->params.format);
    WEIR_FAIL_IF(!(image->params.usage & VK_IMAGE_USAGE_SAMPLED_BIT), log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_USAGE,
                 "the image lacks VK_IMAGE_USAGE_SAMPLED_BIT: add it (only an image of one level "
                 "and one layer, with TRANSFER_SRC and without STORAGE, is read by a copy)");
    return weir_fail(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT,
                     "this device cannot sample VkFormat %d", (int)image->source.view_format);
}

enum weir_result weir_image_check_like(const weir_image *like, const struct weir_log *log,
                                       const char *params, struct weir_source_format *out)
{
    WEIR_FAIL_IF(!like, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                 "%s.like is required: an image like those to read", params);
    *out = like->source;
    return weir_image_check_read(like, log);
}

bool weir_image_is_like(const weir_image *image, const struct weir_source_format *like)
{
    return image->view && image->source.encoding == like->encoding;
}

enum weir_result weir_image_check_source(const weir_image *image, const weir_context *context,
                                         const char *name, const struct weir_source_format *like)
{
    WEIR_TRY(weir_image_check(image, context, name));
    WEIR_FAIL_IF(!weir_image_is_like(image, like), &context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_FORMAT_MISMATCH,
                 "%s has VkFormat %d and kernels were made for %d: make them with an image like "
                 "the source, in format, flags and transfer",
                 name, (int)image->params.format, (int)like->format);
    return WEIR_OK;
}

enum weir_result weir_image_check_written(const weir_image *image, const struct weir_log *log)
{
    if (image->storage_view) {
        return WEIR_OK;
    }
    WEIR_FAIL_IF(
        !is_storage_format(image), log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT,
        "kernels cannot write VkFormat %d on this device; use R8G8B8A8 or B8G8R8A8, UNORM or SRGB",
        (int)image->params.format);
    return weir_fail(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_USAGE,
                     "an image that kernels write needs VK_IMAGE_USAGE_STORAGE_BIT, and in an SRGB "
                     "format VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT and EXTENDED_USAGE_BIT");
}

static enum weir_result create_shadow(weir_image *image)
{
    const struct weir_image_params *params = &image->params;
    weir_log_printf(&image->context->log, WEIR_LOG_INFO, WEIR_LOG_CODE_FALLBACK,
                    "the image lacks VK_IMAGE_USAGE_SAMPLED_BIT: each frame is copied on the GPU "
                    "before it is read, which is slower");
    const struct weir_image_params shadow = {
        .debug_tag = params->debug_tag,
        .format = params->format,
        .width = params->width,
        .height = params->height,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .flags = image->source.view_format == params->format ? 0
                                                             : VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
    };
    return weir_vk_image_init(image->context, &shadow, 0, "shadow image", &image->shadow);
}

static enum weir_result create_view(const weir_image *image, const char *name,
                                    const struct weir_vk_view_params *params, VkImageView *out)
{
    WEIR_TRY(weir_vk_view_init(image->context, params, out));
    weir_vk_name(image->context, VK_OBJECT_TYPE_IMAGE_VIEW, (uint64_t)*out, name,
                 image->params.debug_tag);
    return WEIR_OK;
}

static enum weir_result init_read(weir_image *image)
{
    if (needs_shadow(&image->params)) {
        WEIR_TRY(create_shadow(image));
    }
    WEIR_TRY(
        create_view(image, "image view",
                    &(struct weir_vk_view_params){
                        .image = image->shadow.image ? image->shadow.image : image->params.image,
                        .type = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                        .format = image->source.view_format,
                        .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                        .num_levels = image->params.levels,
                        .num_layers = image->params.layers,
                    },
                    &image->view));
    return weir_vk_image_set_init(image->context, image->view, &image->set);
}

static enum weir_result init_written(weir_image *image)
{
    WEIR_TRY(create_view(image, "image storage view",
                         &(struct weir_vk_view_params){
                             .image = image->params.image,
                             .type = VK_IMAGE_VIEW_TYPE_2D,
                             .format = storage_format(image->params.format),
                             .usage = VK_IMAGE_USAGE_STORAGE_BIT,
                             .num_levels = 1,
                             .num_layers = 1,
                         },
                         &image->storage_view));
    return weir_vk_storage_set_init(image->context, image->storage_view, &image->storage_set);
}

static enum weir_result image_init(weir_image *image)
{
    struct weir_image_params *params = &image->params;
    params->levels = weir_at_least_1(params->levels);
    params->layers = weir_at_least_1(params->layers);
    if (weir_source_format_find(params->format, params->flags, params->transfer, &image->source)) {
        params->transfer = image->source.transfer;
    }
    enum weir_result result = WEIR_OK;
    if (is_readable(image)) {
        result = init_read(image);
    }
    if (result == WEIR_OK && has_storage_usage(params) && is_storage_format(image)) {
        result = init_written(image);
    }
    params->debug_tag = NULL;
    return result;
}

enum weir_result weir_image_create(weir_context *context, const struct weir_image_params *params,
                                   weir_image **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_context_log(context), out, context, params));
    WEIR_TRY(weir_context_check_lost(context));
    WEIR_TRY(weir_image_check_params(context, params));
    weir_image *image = weir_object_alloc(context, WEIR_OBJECT_IMAGE, sizeof(*image));
    if (!image) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *image = (weir_image){.context = context, .params = *params};
    image->number = atomic_fetch_add(&context->num_images, 1) + 1;
    const enum weir_result result = image_init(image);
    if (result != WEIR_OK) {
        weir_image_destroy(&image);
    }
    *out = image;
    return result;
}

void weir_image_destroy(weir_image **image)
{
    if (!image || !*image) {
        return;
    }
    weir_context *context = (*image)->context;
    weir_vk_descriptor_set_finish(context, &(*image)->storage_set);
    context->vk.DestroyImageView(context->device, (*image)->storage_view, NULL);
    weir_vk_descriptor_set_finish(context, &(*image)->set);
    context->vk.DestroyImageView(context->device, (*image)->view, NULL);
    weir_vk_image_finish(context, &(*image)->shadow);
    weir_object_free(context, WEIR_OBJECT_IMAGE, *image);
    *image = NULL;
}

struct weir_image_params weir_image_get_params(const weir_image *image)
{
    return image ? image->params : (struct weir_image_params){0};
}
