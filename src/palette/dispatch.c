// SPDX-License-Identifier: MIT
// Records the dispatches of a palette reduction and the barriers between them.
#include "palette/palette.h"

#include "base/size.h"
#include "vk/barrier.h"

uint32_t weir_palette_num_groups(const weir_palette *palette)
{
    // On a software device each takes time even without an element.
    return palette->context->is_software ? 64 : WEIR_PALETTE_MAX_GROUPS;
}

void weir_palette_record_barrier(const weir_palette *palette, VkCommandBuffer cmd)
{
    const VkAccessFlags reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    weir_vk_barrier(
        palette->context, cmd, weir_vk_all_writes,
        (struct weir_vk_scope){weir_vk_all_writes.stages, reads | weir_vk_all_writes.access});
}

void weir_palette_record_fill(const weir_palette *palette, VkCommandBuffer cmd, uint32_t binding,
                              uint64_t offset, uint64_t size)
{
    palette->context->vk.CmdFillBuffer(cmd, palette->memory.buffers[binding].buffer, offset, size,
                                       0);
}

void weir_palette_record_beside(const weir_palette *palette, VkCommandBuffer cmd,
                                enum weir_palette_kernel kernel,
                                const struct weir_palette_push *push,
                                const struct weir_palette_images *images, uint32_t groups_x,
                                uint32_t groups_y)
{
    const struct weir_vk_functions *vk = &palette->context->vk;
    const struct weir_vk_pipeline *pipeline = &palette->pipelines[kernel];
    const VkDescriptorSet sets[WEIR_PALETTE_NUM_SETS] = {
        [WEIR_PALETTE_SET_MEMORY] = palette->memory.set.set,
        [WEIR_PALETTE_SET_SOURCE] = images->source,
        [WEIR_PALETTE_SET_OUTPUT] = images->output,
        [WEIR_PALETTE_SET_NEAREST] = images->nearest,
    };
    const uint32_t num_sets = images->nearest ? 4 : images->output ? 3 : images->source ? 2 : 1;
    vk->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->pipeline);
    vk->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout, 0, num_sets,
                              sets, 0, NULL);
    vk->CmdPushConstants(cmd, pipeline->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(*push),
                         push);
    vk->CmdDispatch(cmd, groups_x, groups_y, 1);
}

void weir_palette_record_dispatch(const weir_palette *palette, VkCommandBuffer cmd,
                                  enum weir_palette_kernel kernel, uint32_t num_groups)
{
    weir_palette_record_barrier(palette, cmd);
    weir_palette_record_beside(palette, cmd, kernel, &palette->push,
                               &(struct weir_palette_images){0}, num_groups, 1);
}

void weir_palette_record_pixels(const weir_palette *palette, VkCommandBuffer cmd,
                                enum weir_palette_kernel kernel,
                                const struct weir_palette_images *images)
{
    struct weir_palette_push push = palette->push;
    push.size = (uvec2){images->width, images->height};
    weir_palette_record_barrier(palette, cmd);
    weir_palette_record_beside(palette, cmd, kernel, &push, images,
                               weir_divide_up(push.size.x, WEIR_PALETTE_TILE_WIDTH),
                               weir_divide_up(push.size.y, WEIR_PALETTE_TILE_HEIGHT));
}

void weir_palette_record_copy(const weir_palette *palette, VkCommandBuffer cmd, uint32_t binding,
                              uint64_t offset, uint64_t size)
{
    const struct weir_vk_functions *vk = &palette->context->vk;
    const VkBufferCopy copy = {.dstOffset = offset, .size = size};
    weir_palette_record_barrier(palette, cmd);
    vk->CmdCopyBuffer(cmd, palette->memory.buffers[binding].buffer, palette->memory.report.buffer,
                      1, &copy);
    weir_vk_barrier(palette->context, cmd, weir_vk_transfer_writes, weir_vk_host_reads);
}
