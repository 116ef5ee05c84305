// SPDX-License-Identifier: MIT
// Wraps a host's image: a view, a descriptor set, and a shadow where it cannot be sampled.
#include "frame/image.h"

#include <stdlib.h>

#include "vk/debug.h"

// A chain ends with 1x1 texels.
static enum weir_result check_levels(const weir_context *context,
                                     const struct weir_image_params *params)
{
    uint32_t most = 1;
    for (uint32_t side = params->width > params->height ? params->width : params->height; side > 1;
         side >>= 1) {
        most++;
    }
    const uint32_t max_layers = context->limits.maxImageArrayLayers;
    if (params->levels > most || params->layers > max_layers) {
        return weir_error(&context->log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "%u levels and %u layers of %ux%u texels: at most %u and %u are possible",
                          params->levels, params->layers, params->width, params->height, most,
                          max_layers);
    }
    return WEIR_OK;
}

static enum weir_result check_params(const weir_context *context,
                                     const struct weir_image_params *params)
{
    const struct weir_log *log = &context->log;
    if (!params->image) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT,
                          "weir_image_params.image is required");
    }
    const uint32_t max = context->limits.maxImageDimension2D;
    if (params->width < 1 || params->width > max || params->height < 1 || params->height > max) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "an image of %ux%u is outside this device's range of 1x1 to %ux%u",
                          params->width, params->height, max, max);
    }
    if (!(params->usage & (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT))) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE,
                          "the image has neither VK_IMAGE_USAGE_SAMPLED_BIT nor TRANSFER_SRC_BIT: "
                          "create it, or its swapchain, with SAMPLED");
    }
    if (!(params->usage & VK_IMAGE_USAGE_SAMPLED_BIT) &&
        (params->levels > 1 || params->layers > 1)) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE,
                          "an image of %u levels and %u layers lacks VK_IMAGE_USAGE_SAMPLED_BIT: "
                          "only single images can be copied to be read",
                          params->levels, params->layers);
    }
    return check_levels(context, params);
}

static enum weir_result check_format(const weir_context *context, VkFormat format)
{
    VkFormatProperties properties;
    context->vk.GetPhysicalDeviceFormatProperties(context->physical_device, format, &properties);
    if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)) {
        return weir_error(&context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT,
                          "this device cannot sample VkFormat %d", (int)format);
    }
    return WEIR_OK;
}

static enum weir_result create_shadow(weir_image *image)
{
    const struct weir_image_params *params = &image->params;
    weir_log_printf(&image->context->log, WEIR_LOG_INFO, WEIR_LOG_FALLBACK,
                    "the image lacks VK_IMAGE_USAGE_SAMPLED_BIT: each frame is copied on the GPU "
                    "before it is read");
    const VkImageCreateFlags flags = image->source.view_format == params->format
                                         ? 0
                                         : VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    return weir_vk_image_init(image->context, params->format, params->width, params->height,
                              VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, flags,
                              "shadow image", params->debug_tag, &image->shadow);
}

static enum weir_result create_view(weir_image *image)
{
    weir_context *context = image->context;
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = image->shadow.image ? image->shadow.image : image->params.image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        .format = image->source.view_format,
        .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                             .levelCount = image->params.levels,
                             .layerCount = image->params.layers},
    };
    enum weir_result result = weir_vk_check(
        context, context->vk.CreateImageView(context->device, &info, NULL, &image->view),
        "vkCreateImageView");
    if (result != WEIR_OK) {
        image->view = VK_NULL_HANDLE;
        return result;
    }
    weir_vk_name(context, VK_OBJECT_TYPE_IMAGE_VIEW, (uint64_t)image->view, "image view",
                 image->params.debug_tag);
    return WEIR_OK;
}

static enum weir_result image_init(weir_image *image)
{
    enum weir_result result = check_format(image->context, image->source.view_format);
    if (result == WEIR_OK && !(image->params.usage & VK_IMAGE_USAGE_SAMPLED_BIT)) {
        result = create_shadow(image);
    }
    if (result == WEIR_OK) {
        result = create_view(image);
    }
    if (result == WEIR_OK) {
        result = weir_vk_image_set_init(image->context, image->view, &image->set);
    }
    image->params.debug_tag = NULL;
    image->params.transfer = image->source.transfer;
    return result;
}

enum weir_result weir_image_create(weir_context *context, const struct weir_image_params *params,
                                   weir_image **out)
{
    if (!out) {
        return WEIR_ERROR_INVALID;
    }
    *out = NULL;
    if (!context || !params) {
        return WEIR_ERROR_INVALID;
    }
    struct weir_source source;
    enum weir_result result = weir_context_check_lost(context);
    if (result == WEIR_OK) {
        result = check_params(context, params);
    }
    if (result == WEIR_OK) {
        result = weir_source_check(&context->log, params->format, params->flags, params->transfer,
                                   &source);
    }
    if (result != WEIR_OK) {
        return result;
    }
    weir_image *image = malloc(sizeof(*image));
    if (!image) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *image = (weir_image){.context = context, .params = *params, .source = source};
    image->params.levels = params->levels ? params->levels : 1;
    image->params.layers = params->layers ? params->layers : 1;
    image->number = atomic_fetch_add(&context->num_images, 1) + 1;
    result = image_init(image);
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
    weir_vk_descriptor_set_finish(context, &(*image)->set);
    context->vk.DestroyImageView(context->device, (*image)->view, NULL);
    weir_vk_image_finish(context, &(*image)->shadow);
    free(*image);
    *image = NULL;
}

struct weir_image_params weir_image_get_params(const weir_image *image)
{
    return image->params;
}
