// SPDX-License-Identifier: MIT
// Images and buffers with memory of their own, their barriers and copies.
#include <string.h>

#include "base/check.h"
#include "base/size.h"
#include "device/gpu.h"
#include "vk/barrier.h"
#include "vk/memory.h"

static enum weir_vk_memory memory_of(enum weir_gpu_memory memory)
{
    return memory == WEIR_GPU_MEMORY_HOST            ? WEIR_VK_MEMORY_HOST
           : memory == WEIR_GPU_MEMORY_DEVICE_MAPPED ? WEIR_VK_MEMORY_DEVICE_MAPPED
                                                     : WEIR_VK_MEMORY_DEVICE;
}

enum weir_result weir_gpu_allocate(weir_gpu *gpu, const VkMemoryRequirements *needs,
                                   enum weir_gpu_memory memory, VkDeviceMemory *out)
{
    VkMemoryPropertyFlags properties;
    WEIR_TRY(WEIR_CHECK_GIVEN(weir_gpu_log(gpu), gpu, needs, out));
    return weir_vk_allocate(&gpu->context, needs, memory_of(memory), out, &properties);
}

enum weir_result weir_gpu_buffer_init(weir_gpu *gpu, const struct weir_gpu_buffer_params *params,
                                      struct weir_gpu_buffer *out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_gpu_log(gpu), out, gpu, params));
    struct weir_vk_buffer made;
    WEIR_TRY(weir_vk_buffer_init(&gpu->context, params->size, params->usage,
                                 memory_of(params->memory), "buffer", params->debug_tag, &made));
    *out = (struct weir_gpu_buffer){made.buffer, made.memory, params->size, made.mapped};
    return WEIR_OK;
}

void weir_gpu_buffer_finish(weir_gpu *gpu, struct weir_gpu_buffer *buffer)
{
    if (gpu && buffer) {
        struct weir_vk_buffer made = {.buffer = buffer->buffer, .memory = buffer->memory};
        weir_vk_buffer_finish(&gpu->context, &made);
        *buffer = (struct weir_gpu_buffer){0};
    }
}

bool weir_gpu_makes_images(const weir_gpu *gpu, const struct weir_image_params *image,
                           VkImageFormatProperties *limits)
{
    return WEIR_INSTANCE_PROC(gpu, GetPhysicalDeviceImageFormatProperties)(
               gpu->context.physical_device, image->format, VK_IMAGE_TYPE_2D,
               VK_IMAGE_TILING_OPTIMAL, image->usage, image->flags, limits) == VK_SUCCESS;
}

// Check that the device makes such images.
static enum weir_result check_image(const weir_gpu *gpu, const struct weir_image_params *image,
                                    VkSampleCountFlagBits samples)
{
    VkImageFormatProperties limits = {0};
    WEIR_FAIL_IF(!weir_gpu_makes_images(gpu, image, &limits), &gpu->context.log,
                 WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
                 "the device has no images of VkFormat %d with usage 0x%x and flags 0x%x",
                 (int)image->format, (unsigned)image->usage, (unsigned)image->flags);
    WEIR_FAIL_IF(image->width > limits.maxExtent.width || image->height > limits.maxExtent.height ||
                     image->levels > limits.maxMipLevels || image->layers > limits.maxArrayLayers ||
                     (samples && !(samples & limits.sampleCounts)),
                 &gpu->context.log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "the device allows at most %ux%u texels, %u levels and %u layers",
                 limits.maxExtent.width, limits.maxExtent.height, limits.maxMipLevels,
                 limits.maxArrayLayers);
    return WEIR_OK;
}

enum weir_result weir_gpu_image_init(weir_gpu *gpu, const struct weir_image_params *params,
                                     VkSampleCountFlagBits samples, struct weir_gpu_image *out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_gpu_log(gpu), out, gpu, params));
    struct weir_image_params image = *params;
    struct weir_vk_image made;
    image.levels = weir_at_least_1(params->levels);
    image.layers = weir_at_least_1(params->layers);
    WEIR_TRY(check_image(gpu, &image, samples));
    WEIR_TRY(weir_vk_image_init(&gpu->context, &image, samples, "image", &made));
    image.image = made.image;
    *out = (struct weir_gpu_image){image, made.memory};
    return WEIR_OK;
}

void weir_gpu_image_finish(weir_gpu *gpu, struct weir_gpu_image *image)
{
    if (gpu && image) {
        struct weir_vk_image made = {.image = image->params.image, .memory = image->memory};
        weir_vk_image_finish(&gpu->context, &made);
        *image = (struct weir_gpu_image){{0}, VK_NULL_HANDLE};
    }
}

enum weir_result weir_gpu_view_init(weir_gpu *gpu, const struct weir_image_params *image,
                                    uint32_t level, uint32_t num_levels, VkImageView *out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_gpu_log(gpu), out, gpu, image));
    const bool is_extended = image->flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    const uint32_t layers = weir_at_least_1(image->layers);
    const struct weir_vk_view_params params = {
        .image = image->image,
        .type = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
        .format = image->format,
        .usage = image->usage & ~(VkImageUsageFlags)(is_extended ? VK_IMAGE_USAGE_STORAGE_BIT : 0),
        .first_level = level,
        .num_levels = num_levels,
        .num_layers = layers,
    };
    return weir_vk_view_init(&gpu->context, &params, out);
}

static VkImageAspectFlags all_aspects_of(VkFormat format)
{
    const bool has_stencil = format >= VK_FORMAT_D16_UNORM_S8_UINT &&
                             format <= VK_FORMAT_D32_SFLOAT_S8_UINT;
    return weir_vk_aspect_of(format) | (has_stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
}

void weir_cmd_barrier(const weir_gpu *gpu, VkCommandBuffer cmd,
                      const struct weir_image_params *image, struct weir_gpu_scope before,
                      struct weir_gpu_scope after)
{
    if (!gpu || !cmd) {
        return;
    }
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = weir_vk_accesses(before.access),
        .dstAccessMask = weir_vk_accesses(after.access),
    };
    VkImageMemoryBarrier change = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = weir_vk_accesses(before.access),
        .dstAccessMask = weir_vk_accesses(after.access),
        .oldLayout = before.layout,
        .newLayout = after.layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image ? image->image : VK_NULL_HANDLE,
        // Without separateDepthStencilLayouts both aspects change together (VUID 03320).
        .subresourceRange = {image ? all_aspects_of(image->format) : 0, 0, VK_REMAINING_MIP_LEVELS,
                             0, VK_REMAINING_ARRAY_LAYERS},
    };
    gpu->context.vk.CmdPipelineBarrier(cmd, weir_vk_stages(before.stages),
                                       weir_vk_stages(after.stages), 0, image ? 0 : 1, &memory, 0,
                                       NULL, image ? 1 : 0, &change);
}

static VkBufferImageCopy region_of(const struct weir_gpu_copy *copy)
{
    const struct weir_image_params *image = copy->image;
    return (VkBufferImageCopy){
        .bufferOffset = copy->offset,
        .bufferRowLength = copy->row_length,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, copy->level, 0,
                             weir_at_least_1(image->layers)},
        .imageExtent = {weir_level_side(image->width, copy->level),
                        weir_level_side(image->height, copy->level), 1},
    };
}

void weir_cmd_upload(const weir_gpu *gpu, VkCommandBuffer cmd, const struct weir_gpu_copy *copy)
{
    static const struct weir_gpu_scope unused = {.stages = VK_PIPELINE_STAGE_TRANSFER_BIT};
    static const struct weir_gpu_scope filled = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                 VK_ACCESS_TRANSFER_WRITE_BIT,
                                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    if (!gpu || !cmd || !copy || !copy->image) {
        return;
    }
    const VkBufferImageCopy region = region_of(copy);
    weir_cmd_barrier(gpu, cmd, copy->image, unused, filled);
    gpu->context.vk.CmdCopyBufferToImage(cmd, copy->buffer, copy->image->image, filled.layout, 1,
                                         &region);
    weir_cmd_barrier(gpu, cmd, copy->image, filled, copy->scope);
}

void weir_cmd_download(const weir_gpu *gpu, VkCommandBuffer cmd, const struct weir_gpu_copy *copy)
{
    static const struct weir_gpu_scope copied = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                 VK_ACCESS_TRANSFER_WRITE_BIT, 0};
    static const struct weir_gpu_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT,
                                               0};
    struct weir_gpu_scope read = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT,
                                  VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    if (!gpu || !cmd || !copy || !copy->image) {
        return;
    }
    const VkBufferImageCopy region = region_of(copy);
    if (copy->scope.layout == VK_IMAGE_LAYOUT_GENERAL) {
        read.layout = VK_IMAGE_LAYOUT_GENERAL;
    }
    weir_cmd_barrier(gpu, cmd, copy->image, copy->scope, read);
    gpu->context.vk.CmdCopyImageToBuffer(cmd, copy->image->image, read.layout, copy->buffer, 1,
                                         &region);
    weir_cmd_barrier(gpu, cmd, NULL, copied, host);
}
