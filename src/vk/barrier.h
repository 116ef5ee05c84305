// SPDX-License-Identifier: MIT
// Memory barriers between stages of one queue.
#pragma once

#include "vk/context.h"

struct weir_vk_scope {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
};

// Barriers of Vulkan 1.0 know the lower half of these flags. All stages or accesses stand for one
// of the upper half, and all stages for none.
static inline VkPipelineStageFlags weir_vk_stages(VkPipelineStageFlags2 stages)
{
    return stages == 0 || stages > UINT32_MAX ? (uint32_t)VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
                                              : (VkPipelineStageFlags)stages;
}
static inline VkAccessFlags weir_vk_accesses(VkAccessFlags2 access)
{
    return access > UINT32_MAX ? VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT
                               : (VkAccessFlags)access;
}

static const struct weir_vk_scope weir_vk_kernel_writes = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                                           VK_ACCESS_SHADER_WRITE_BIT};
static const struct weir_vk_scope weir_vk_kernel_accesses = {
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
static const struct weir_vk_scope weir_vk_transfer_reads = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                            VK_ACCESS_TRANSFER_READ_BIT};
static const struct weir_vk_scope weir_vk_transfer_writes = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                             VK_ACCESS_TRANSFER_WRITE_BIT};
static const struct weir_vk_scope weir_vk_host_reads = {VK_PIPELINE_STAGE_HOST_BIT,
                                                        VK_ACCESS_HOST_READ_BIT};
// Of kernels and of transfers.
static const struct weir_vk_scope weir_vk_all_writes = {
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
    VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};

// Record a barrier: `after` begins when `before` has finished, sees its writes, and may overwrite
// what it read.
static inline void weir_vk_barrier(const weir_context *context, VkCommandBuffer cmd,
                                   struct weir_vk_scope before, struct weir_vk_scope after)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = weir_vk_accesses(before.access),
        .dstAccessMask = weir_vk_accesses(after.access),
    };
    context->vk.CmdPipelineBarrier(cmd, weir_vk_stages(before.stages), weir_vk_stages(after.stages),
                                   0, 1, &barrier, 0, NULL, 0, NULL);
}
