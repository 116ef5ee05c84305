// SPDX-License-Identifier: MIT
// Memory barriers between stages of one queue.
#pragma once

#include "vk/context.h"

struct weir_vk_scope {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
};

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
        .srcAccessMask = before.access,
        .dstAccessMask = after.access,
    };
    context->vk.CmdPipelineBarrier(cmd, before.stages, after.stages, 0, 1, &barrier, 0, NULL, 0,
                                   NULL);
}
