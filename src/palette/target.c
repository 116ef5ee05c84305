// SPDX-License-Identifier: MIT
// Binds an image that new colours are written to.
#include <stdlib.h>

#include "palette/palette.h"

// What a storage view of the image is made as; UNDEFINED: none is.
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

static enum weir_result check_params(const weir_context *context,
                                     const struct weir_palette_target_params *params)
{
    const struct weir_log *log = &context->log;
    if (!params->image) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT,
                          "weir_palette_target_params.image is required");
    }
    const uint32_t max_side = context->limits.maxImageDimension2D;
    if (params->width < 1 || params->width > max_side || params->height < 1 ||
        params->height > max_side) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "a palette target of %ux%u texels: sides must be 1 to %u", params->width,
                          params->height, max_side);
    }
    const VkFormat view = storage_format(params->format);
    VkFormatProperties properties = {0};
    if (view != VK_FORMAT_UNDEFINED) {
        context->vk.GetPhysicalDeviceFormatProperties(context->physical_device, view, &properties);
    }
    if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT,
                          "new colours are not written to VkFormat %d on this device; use R8G8B8A8 "
                          "or B8G8R8A8, UNORM or SRGB",
                          (int)params->format);
    }
    const VkImageCreateFlags flags = view == params->format
                                         ? 0
                                         : VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                                               VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    if (!(params->usage & VK_IMAGE_USAGE_STORAGE_BIT) || (params->flags & flags) != flags) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE,
                          "a palette target needs VK_IMAGE_USAGE_STORAGE_BIT, and in an SRGB "
                          "format VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT and EXTENDED_USAGE_BIT");
    }
    return WEIR_OK;
}

static enum weir_result create_view(weir_context *context,
                                    const struct weir_palette_target_params *params,
                                    VkImageView *out)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = VK_IMAGE_USAGE_STORAGE_BIT,
    };
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = params->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = storage_format(params->format),
        .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                             .levelCount = 1,
                             .layerCount = 1},
    };
    const enum weir_result result = weir_vk_check(
        context, context->vk.CreateImageView(context->device, &info, NULL, out),
        "vkCreateImageView");
    if (result != WEIR_OK) {
        *out = VK_NULL_HANDLE;
    }
    return result;
}

static enum weir_result create_set(const weir_palette *palette, weir_palette_target *target)
{
    weir_context *context = palette->context;
    const enum weir_result result = weir_vk_descriptor_set_init(
        context, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, palette->target_set_layout, &target->set);
    if (result != WEIR_OK) {
        return result;
    }
    const VkDescriptorImageInfo image = {.imageView = target->view,
                                         .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = target->set.set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        .pImageInfo = &image,
    };
    context->vk.UpdateDescriptorSets(context->device, 1, &write, 0, NULL);
    return WEIR_OK;
}

enum weir_result weir_palette_target_create(const weir_palette *palette,
                                            const struct weir_palette_target_params *params,
                                            weir_palette_target **out)
{
    if (!out) {
        return WEIR_ERROR_INVALID;
    }
    *out = NULL;
    if (!palette || !params) {
        return WEIR_ERROR_INVALID;
    }
    weir_context *context = palette->context;
    enum weir_result result = weir_context_check_lost(context);
    if (result == WEIR_OK) {
        result = check_params(context, params);
    }
    if (result != WEIR_OK) {
        return result;
    }
    weir_palette_target *target = malloc(sizeof(*target));
    if (!target) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *target = (weir_palette_target){
        .context = context, .width = params->width, .height = params->height};
    result = create_view(context, params, &target->view);
    if (result == WEIR_OK) {
        result = create_set(palette, target);
    }
    if (result != WEIR_OK) {
        weir_palette_target_destroy(&target);
    }
    *out = target;
    return result;
}

void weir_palette_target_destroy(weir_palette_target **target)
{
    if (!target || !*target) {
        return;
    }
    weir_context *context = (*target)->context;
    weir_vk_descriptor_set_finish(context, &(*target)->set);
    context->vk.DestroyImageView(context->device, (*target)->view, NULL);
    free(*target);
    *target = NULL;
}
