// SPDX-License-Identifier: MIT
// The barriers by which an image goes from the host to Weir and back: layout and queue family.
//
// Release and acquire of a queue family transfer must name the same families and layouts (Vulkan
// 1.3, 7.7.4), so host and Weir build theirs here from the same frame.

#include "frame/image.h"
#include "vk/barrier.h"

// How Weir uses the image itself. One that no kernel reads may lack the usage that any other layout
// than GENERAL needs.
static struct weir_image_use use_of(const weir_image *image)
{
    struct weir_image_use use = image->shadow.image ? weir_use_copied : weir_use_read;
    if (!image->shadow.image && !image->view) {
        use.layout = VK_IMAGE_LAYOUT_GENERAL;
    }
    return use;
}

// Get a barrier for all levels and layers of an image.
static VkImageMemoryBarrier color_barrier(VkImage image, const struct weir_image_params *params)
{
    return (VkImageMemoryBarrier){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                             .levelCount = params->levels,
                             .layerCount = params->layers},
    };
}

// Get the barrier that hands the image from the host to Weir, or back.
static VkImageMemoryBarrier handover_barrier(const struct weir_frame *frame, bool to_weir)
{
    const weir_image *image = frame->image;
    const uint32_t weir_family = image->context->queue.family;
    VkImageMemoryBarrier barrier = color_barrier(image->params.image, &image->params);
    barrier.oldLayout = to_weir ? frame->layout : use_of(image).layout;
    barrier.newLayout = to_weir ? use_of(image).layout : frame->layout;
    if (weir_frame_changes_owner(frame)) {
        barrier.srcQueueFamilyIndex = to_weir ? frame->queue_family : weir_family;
        barrier.dstQueueFamilyIndex = to_weir ? weir_family : frame->queue_family;
    }
    return barrier;
}

static void record(const weir_context *context, VkCommandBuffer cmd,
                   VkPipelineStageFlags2 src_stage, VkPipelineStageFlags2 dst_stage,
                   const VkImageMemoryBarrier *barrier)
{
    context->vk.CmdPipelineBarrier(cmd, weir_vk_stages(src_stage), weir_vk_stages(dst_stage), 0, 0,
                                   NULL, 0, NULL, 1, barrier);
}

// True if the frame's queue family is one of the device's, or one outside of Vulkan.
static bool has_family(const weir_context *context, const struct weir_frame *frame)
{
    return frame->queue_family < context->num_device_families ||
           frame->queue_family == VK_QUEUE_FAMILY_EXTERNAL ||
           frame->queue_family == VK_QUEUE_FAMILY_FOREIGN_EXT;
}

// True if the frame's layout is one of an image with contents.
static bool has_layout(const struct weir_frame *frame)
{
    return frame->layout != VK_IMAGE_LAYOUT_UNDEFINED &&
           frame->layout != VK_IMAGE_LAYOUT_PREINITIALIZED;
}

bool weir_frame_changes_owner(const struct weir_frame *frame)
{
    return frame && frame->image && !frame->image->params.concurrent &&
           frame->queue_family != frame->image->context->queue.family && has_layout(frame) &&
           has_family(frame->image->context, frame);
}

void weir_cmd_frame_release(const struct weir_frame *frame, VkCommandBuffer cmd,
                            VkPipelineStageFlags2 src_stage, VkAccessFlags2 src_access)
{
    if (cmd && weir_frame_changes_owner(frame)) {
        VkImageMemoryBarrier barrier = handover_barrier(frame, true);
        barrier.srcAccessMask = weir_vk_accesses(src_access);
        record(frame->image->context, cmd, src_stage, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
               &barrier);
    }
}

void weir_cmd_frame_acquire(const struct weir_frame *frame, VkCommandBuffer cmd,
                            VkPipelineStageFlags2 dst_stage, VkAccessFlags2 dst_access)
{
    if (cmd && weir_frame_changes_owner(frame)) {
        VkImageMemoryBarrier barrier = handover_barrier(frame, false);
        barrier.dstAccessMask = weir_vk_accesses(dst_access);
        record(frame->image->context, cmd, dst_stage, dst_stage, &barrier);
    }
}

enum weir_result weir_frame_check(const weir_context *context, const struct weir_frame *frame)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(weir_context_log(context), context, frame));
    WEIR_FAIL_IF(!has_layout(frame), &context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_frame.layout must be the image's layout, not UNDEFINED");
    WEIR_FAIL_IF(!has_family(context, frame), &context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_frame.queue_family is %u; it must be below %u, the number of the "
                 "device's queue families",
                 frame->queue_family, context->num_device_families);
    WEIR_TRY(weir_image_check(frame->image, context, "weir_frame.image"));
    return weir_image_check_read(frame->image, &context->log);
}

enum weir_result weir_frame_check_semaphores(const weir_context *context,
                                             const struct weir_frame *frame)
{
    WEIR_FAIL_IF(frame->image && frame->image->context->device != context->device, &context->log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_frame.image belongs to another device, and so do its semaphores");
    return WEIR_OK;
}

bool weir_frame_can_hand_over(const weir_context *context, const struct weir_frame *frame)
{
    return frame->image && frame->image->context == context && has_layout(frame) &&
           has_family(context, frame);
}

VkPipelineStageFlags weir_frame_wait_stages(const struct weir_frame *frame)
{
    return frame->image ? use_of(frame->image).stages : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
}

void weir_cmd_image_use(const weir_context *context, VkCommandBuffer cmd, VkImage image,
                        struct weir_image_use before, struct weir_image_use after)
{
    const struct weir_image_params all = {.levels = VK_REMAINING_MIP_LEVELS,
                                          .layers = VK_REMAINING_ARRAY_LAYERS};
    VkImageMemoryBarrier barrier = color_barrier(image, &all);
    barrier.srcAccessMask = before.access;
    barrier.dstAccessMask = after.access;
    barrier.oldLayout = before.layout;
    barrier.newLayout = after.layout;
    record(context, cmd, before.stages, after.stages, &barrier);
}

static void copy_to_shadow(const weir_image *image, VkCommandBuffer cmd)
{
    const weir_context *context = image->context;
    const VkImageSubresourceLayers layers = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                             .layerCount = 1};
    const VkImageCopy copy = {
        .srcSubresource = layers,
        .dstSubresource = layers,
        .extent = {image->params.width, image->params.height, 1},
    };
    weir_cmd_image_use(context, cmd, image->shadow.image, weir_use_none, weir_use_written);
    context->vk.CmdCopyImage(cmd, image->params.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                             image->shadow.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    weir_cmd_image_use(context, cmd, image->shadow.image, weir_use_written, weir_use_read);
}

static void receive(const struct weir_frame *frame, VkCommandBuffer cmd, VkAccessFlags access)
{
    const weir_image *image = frame->image;
    VkImageMemoryBarrier barrier = handover_barrier(frame, true);
    barrier.dstAccessMask = access;
    // The source stage is the one that the semaphore wait blocks, which chains the two.
    record(image->context, cmd, use_of(image).stages, use_of(image).stages, &barrier);
}

void weir_cmd_frame_receive(const struct weir_frame *frame, VkCommandBuffer cmd)
{
    receive(frame, cmd, use_of(frame->image).access);
    if (frame->image->shadow.image) {
        copy_to_shadow(frame->image, cmd);
    }
}

void weir_cmd_frame_return(const struct weir_frame *frame, VkCommandBuffer cmd)
{
    const VkImageMemoryBarrier barrier = handover_barrier(frame, false);
    record(frame->image->context, cmd, use_of(frame->image).stages,
           VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, &barrier);
}

void weir_cmd_frame_receive_and_return(const struct weir_frame *frame, VkCommandBuffer cmd)
{
    receive(frame, cmd, 0);
    weir_cmd_frame_return(frame, cmd);
}
