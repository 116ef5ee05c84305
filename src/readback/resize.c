// SPDX-License-Identifier: MIT
// Frames of another size than the ring's: scaled or laid into an image of its own, with borders.
#include "readback/readback.h"

#include "base/size.h"
#include "frame/image.h"
#include "vk/barrier.h"

static enum weir_result check(const weir_context *context,
                              const struct weir_readback_resize *resize)
{
    const VkFormatFeatureFlags features = VK_FORMAT_FEATURE_BLIT_SRC_BIT |
                                          VK_FORMAT_FEATURE_BLIT_DST_BIT |
                                          VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    WEIR_TRY(weir_image_check(resize->like, context, "weir_readback_params.resize.like"));
    return !context->is_async && weir_vk_has_format(context, resize->like->params.format, features)
               ? WEIR_OK
               : weir_fail(&context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT,
                           "frames of VkFormat %d cannot be resized: that needs a queue with "
                           "VK_QUEUE_GRAPHICS_BIT, and a format with blits and linear filtering",
                           (int)resize->like->params.format);
}

enum weir_result weir_readback_resized_init(weir_readback *readback)
{
    const struct weir_readback_resize *resize = &readback->params.resize;
    struct weir_readback_resized *resized = &readback->resized;
    if (resize->mode == WEIR_RESIZE_NEW) {
        return WEIR_OK;
    }
    WEIR_TRY(check(readback->context, resize));
    struct weir_image_params params = {
        .debug_tag = readback->params.debug_tag,
        .format = resize->like->params.format,
        .width = resize->width,
        .height = resize->height,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .flags = resize->like->params.flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
        .transfer = resize->like->params.transfer,
    };
    WEIR_TRY(weir_vk_image_init(readback->context, &params, 0, "resized image", &resized->memory));
    params.image = resized->memory.image;
    return weir_image_create(readback->context, &params, &resized->image);
}

void weir_readback_resized_finish(weir_readback *readback)
{
    weir_image_destroy(&readback->resized.image);
    weir_vk_image_finish(readback->context, &readback->resized.memory);
}

enum weir_result weir_readback_resized_find(const weir_readback *readback, const weir_image *image,
                                            const weir_image **out)
{
    const weir_image *resized = readback->resized.image;
    const struct weir_image_params *params = &image->params;
    *out = image;
    if (!resized ||
        (params->width == resized->params.width && params->height == resized->params.height)) {
        return WEIR_OK;
    }
    *out = resized;
    return params->format == resized->params.format &&
                   (params->usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT)
               ? WEIR_OK
               : weir_fail(&readback->context->log, WEIR_ERROR_UNSUPPORTED,
                           WEIR_LOG_CODE_MISSING_USAGE,
                           "a frame of %ux%u cannot become one of %ux%u: its image needs "
                           "VK_IMAGE_USAGE_TRANSFER_SRC_BIT, and VkFormat %d",
                           params->width, params->height, resized->params.width,
                           resized->params.height, (int)resized->params.format);
}

// Get a side of a picture that is scaled by `size` / `of`.
static uint32_t scaled(uint32_t side, uint32_t size, uint32_t of)
{
    return weir_at_least_1((uint32_t)(((uint64_t)side * size * 2 + of) / (2 * (uint64_t)of)));
}

// Get the size that a frame's picture has in the ring's image.
static VkExtent2D picture_size(enum weir_resize mode, const struct weir_image_params *from,
                               const struct weir_image_params *to)
{
    if (mode == WEIR_RESIZE_PAD) {
        return (VkExtent2D){(uint32_t)weir_min(from->width, to->width),
                            (uint32_t)weir_min(from->height, to->height)};
    }
    return (uint64_t)from->width * to->height > (uint64_t)to->width * from->height
               ? (VkExtent2D){to->width, scaled(from->height, to->width, from->width)}
               : (VkExtent2D){scaled(from->width, to->height, from->height), to->height};
}

// Get a rectangle in the middle of an image.
static void place(const struct weir_image_params *image, VkExtent2D size, VkOffset3D corners[2])
{
    const int32_t x = (int32_t)(image->width - size.width) / 2;
    const int32_t y = (int32_t)(image->height - size.height) / 2;
    corners[0] = (VkOffset3D){x, y, 0};
    corners[1] = (VkOffset3D){x + (int32_t)size.width, y + (int32_t)size.height, 1};
}

// Blit the picture of a frame into the ring's image.
static void record_blit(const weir_readback *readback, VkCommandBuffer cmd, const weir_image *image)
{
    const struct weir_image_params *from = &image->params, *to = &readback->resized.image->params;
    const enum weir_resize mode = readback->params.resize.mode;
    const VkExtent2D size = picture_size(mode, from, to), all = {from->width, from->height};
    const VkImageSubresourceLayers layers = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                             .layerCount = 1};
    VkImageBlit blit = {.srcSubresource = layers, .dstSubresource = layers};
    place(from, mode == WEIR_RESIZE_FIT ? all : size, blit.srcOffsets);
    place(to, size, blit.dstOffsets);
    readback->context->vk.CmdBlitImage(cmd, from->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                       to->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit,
                                       VK_FILTER_LINEAR);
}

void weir_cmd_readback_resize(const weir_readback *readback, VkCommandBuffer cmd,
                              const weir_image *image)
{
    const VkClearColorValue black = {.float32 = {0, 0, 0, 1}};
    const VkImageSubresourceRange all = {
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1};
    const weir_context *context = readback->context;
    const weir_image *resized = readback->resized.image;
    const bool is_source = image->shadow.image; // it was copied to its shadow already
    weir_cmd_image_use(context, cmd, resized->params.image, weir_use_none, weir_use_written);
    context->vk.CmdClearColorImage(cmd, resized->params.image, weir_use_written.layout, &black, 1,
                                   &all);
    weir_vk_barrier(context, cmd, weir_vk_transfer_writes, weir_vk_transfer_writes);
    if (!is_source) {
        weir_cmd_image_use(context, cmd, image->params.image, weir_use_read, weir_use_copied);
    }
    record_blit(readback, cmd, image);
    weir_cmd_image_use(context, cmd, resized->params.image, weir_use_written, weir_use_read);
    if (!is_source) {
        weir_cmd_image_use(context, cmd, image->params.image, weir_use_copied, weir_use_read);
    }
}
