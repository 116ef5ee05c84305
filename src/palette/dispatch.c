// SPDX-License-Identifier: MIT
// Records the dispatches of a palette reduction, also by k-means, and the barriers between them.
#include "palette/palette.h"

#include <stddef.h>

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
                                  enum weir_palette_kernel kernel,
                                  const struct weir_palette_push *push, uint32_t num_groups)
{
    weir_palette_record_barrier(palette, cmd);
    weir_palette_record_beside(palette, cmd, kernel, push, &(struct weir_palette_images){0},
                               num_groups, 1);
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

// Record a barrier, and the copy of a report to the host: `size` bytes of the buffer at that
// binding.
static void record_copy(const weir_palette *palette, VkCommandBuffer cmd, uint32_t binding,
                        uint64_t offset, uint64_t size)
{
    const struct weir_vk_functions *vk = &palette->context->vk;
    const VkBufferCopy copy = {.dstOffset = offset, .size = size};
    weir_palette_record_barrier(palette, cmd);
    vk->CmdCopyBuffer(cmd, palette->memory.buffers[binding].buffer, palette->memory.report.buffer,
                      1, &copy);
    weir_vk_barrier(palette->context, cmd, weir_vk_transfer_writes, weir_vk_host_reads);
}

void weir_palette_record_report(const weir_palette *palette, VkCommandBuffer cmd)
{
    record_copy(palette, cmd, WEIR_PALETTE_BINDING_CONTROL,
                offsetof(struct weir_palette_reports, run), sizeof(struct weir_palette_report));
}

uint32_t weir_palette_means_max_kept(const struct weir_palette_start *start)
{
    return start->keep_rare ? start->num_colors / 8 : 0;
}

uint32_t weir_palette_means_num_passes(const struct weir_palette_start *start)
{
    uint32_t num_passes = WEIR_PALETTE_GROWING_PASSES;
    for (uint32_t num = 1; num < start->num_colors; num += num * 3 / 10 + 1) {
        num_passes += WEIR_PALETTE_GROWING_PASSES;
    }
    return num_passes + WEIR_PALETTE_NUM_MOVES * WEIR_PALETTE_MOVING_PASSES +
           WEIR_PALETTE_FINAL_PASSES + weir_palette_means_max_kept(start) + 1;
}

void weir_palette_record_means_start(const weir_palette *palette, VkCommandBuffer cmd)
{
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_PLAN, &palette->push, 1);
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_PLACE, &palette->push,
                                 weir_palette_num_groups(palette));
}

void weir_palette_record_means_passes(const weir_palette *palette, VkCommandBuffer cmd,
                                      uint32_t num_passes)
{
    for (uint32_t i = 0; i < num_passes; i++) {
        weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_ASSIGN, &palette->push,
                                     weir_palette_num_groups(palette));
        weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_UPDATE, &palette->push, 1);
    }
}

void weir_palette_record_means_finish(const weir_palette *palette, VkCommandBuffer cmd)
{
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_CHOOSE, &palette->push, 1);
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_PUBLISH, &palette->push,
                                 weir_palette_num_groups(palette));
    record_copy(palette, cmd, WEIR_PALETTE_BINDING_MEANS,
                offsetof(struct weir_palette_reports, means),
                sizeof(struct weir_palette_means_report));
}
