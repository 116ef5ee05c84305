// SPDX-License-Identifier: MIT
// Makes a slot's buffers and records its copy.
#include "readback/slot.h"

#include "vk/debug.h"

static enum weir_result allocate_commands(weir_context *context, VkCommandPool pool,
                                          struct weir_slot_state *slot)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 2,
    };
    VkCommandBuffer cmds[2];
    enum weir_result result = weir_vk_check(
        context, context->vk.AllocateCommandBuffers(context->device, &info, cmds),
        "vkAllocateCommandBuffers");
    if (result == WEIR_OK) {
        slot->kernel_cmd = cmds[0];
        slot->copy_cmd = cmds[1];
    }
    return result;
}

static VkBufferMemoryBarrier buffer_barrier(VkBuffer buffer, VkAccessFlags src, VkAccessFlags dst)
{
    return (VkBufferMemoryBarrier){
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = src,
        .dstAccessMask = dst,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .buffer = buffer,
        .size = VK_WHOLE_SIZE,
    };
}

static enum weir_result record_copy(weir_context *context, const struct weir_slot_layout *layout,
                                    const struct weir_slot_state *slot)
{
    const struct weir_vk_functions *vk = &context->vk;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    enum weir_result result = weir_vk_check(context, vk->BeginCommandBuffer(slot->copy_cmd, &begin),
                                            "vkBeginCommandBuffer");
    if (result != WEIR_OK) {
        return result;
    }
    weir_vk_label_begin(context, slot->copy_cmd, "readback");
    const VkBufferMemoryBarrier before = buffer_barrier(
        slot->device.buffer, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    vk->CmdPipelineBarrier(slot->copy_cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1, &before, 0, NULL);
    const VkBufferCopy copy = {.dstOffset = layout->offset, .size = layout->size};
    vk->CmdCopyBuffer(slot->copy_cmd, slot->device.buffer, slot->host.buffer, 1, &copy);
    const VkBufferMemoryBarrier after = buffer_barrier(
        slot->host.buffer, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT);
    vk->CmdPipelineBarrier(slot->copy_cmd, VK_PIPELINE_STAGE_TRANSFER_BIT,
                           VK_PIPELINE_STAGE_HOST_BIT, 0, 0, NULL, 1, &after, 0, NULL);
    weir_vk_label_end(context, slot->copy_cmd);
    return weir_vk_check(context, vk->EndCommandBuffer(slot->copy_cmd), "vkEndCommandBuffer");
}

enum weir_result weir_slot_init(weir_context *context, VkCommandPool pool,
                                const struct weir_slot_layout *layout, const char *tag,
                                struct weir_slot_state *out)
{
    enum weir_result result = allocate_commands(context, pool, out);
    if (result == WEIR_OK) {
        result = weir_vk_buffer_init(context, layout->size,
                                     VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                     WEIR_VK_MEMORY_DEVICE, "slot on device", tag, &out->device);
    }
    if (result == WEIR_OK) {
        result = weir_vk_buffer_init(context, layout->offset + layout->size,
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT, WEIR_VK_MEMORY_READBACK,
                                     "slot on host", tag, &out->host);
    }
    if (result == WEIR_OK) {
        result = weir_buffer_create(
            context, weir_buffer_params(.buffer = out->device.buffer, .size = layout->size),
            &out->target);
    }
    return result == WEIR_OK ? record_copy(context, layout, out) : result;
}

void weir_slot_finish(weir_context *context, struct weir_slot_state *slot)
{
    weir_buffer_destroy(&slot->target);
    weir_vk_buffer_finish(context, &slot->host);
    weir_vk_buffer_finish(context, &slot->device);
}
