// SPDX-License-Identifier: MIT
// Occlusion culling: which boxes are drawn, by a pyramid of the farthest depths.
//
// The pyramid: hiz_init() makes it once, hiz_resize() binds it to the depth buffer, hiz_reduce()
// records it in each frame. How it is read is in shaders/cull.comp.
#include "hiz.h"

#include <stddef.h>
#include <string.h>

#include "report.h"

static const uint32_t cull_kernel[] =
#include "cull.comp.inc"
    ;
static const uint32_t wrong_kernel[] =
#include "wrong.comp.inc"
    ;

#define NUM_VERTICES 18 // of a box, three faces

// As in cull.comp.
struct slot {
    VkDrawIndirectCommand draws[2];
    uint32_t in_view, unused[3];
};
struct constants {
    struct mat4 clip;
    uint32_t num_boxes, pass, slot, rule;
};

bool hiz_init(const struct hiz_params *params, struct hiz *hiz)
{
    *hiz = (struct hiz){.params = *params};
    // Depth is reversed, so that the farthest of a region is its least. At odd sizes MIN takes all
    // texels under one of the next level: what a texel says holds for everything under it.
    const struct weir_pyramid_params *pyramid =
        weir_pyramid_params(.reduction = WEIR_PYRAMID_MIN, .format = VK_FORMAT_R32_SFLOAT,
                            .source_format = params->depth_format);
    const struct compute_params cull = {
        .code = cull_kernel,
        .code_size = sizeof(cull_kernel),
        .num_textures = 1,
        .num_buffers = 4,
        .constants_size = sizeof(struct constants),
        .max_sets = 1,
    };
    const struct compute_params wrong = {
        .code = wrong_kernel,
        .code_size = sizeof(wrong_kernel),
        .num_textures = 1,
        .num_images = 1,
        .max_sets = LEVELS_MAX,
    };
    const struct gpu *gpu = params->gpu;
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const uint32_t num = params->num_boxes;
    if (!weir_ok(weir_pyramid_create(gpu->weir, pyramid, &hiz->pyramid), "weir_pyramid_create") ||
        !compute_init(gpu, &cull, &hiz->cull) || !compute_init(gpu, &wrong, &hiz->wrong) ||
        !gpu_buffer_init(gpu, 4 * (VkDeviceSize)num, usage, local, &hiz->visible) ||
        !gpu_buffer_init(gpu, 4 * (2 * (VkDeviceSize)num + 1), usage, local, &hiz->lists) ||
        !gpu_buffer_init(gpu, sizeof(struct slot) * params->num_slots,
                         usage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                             VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                         local, &hiz->slots)) {
        return false;
    }
    memset(hiz->visible.mapped, 0, 4 * (size_t)num);
    ((uint32_t *)hiz->lists.mapped)[2 * (size_t)num] = num;
    return true;
}

static void drop_levels(struct hiz *hiz)
{
    weir_pyramid_target_destroy(&hiz->target);
    levels_finish(hiz->params.gpu, &hiz->levels);
}

void hiz_finish(struct hiz *hiz)
{
    const struct gpu *gpu = hiz->params.gpu;
    if (!gpu) {
        return;
    }
    drop_levels(hiz);
    gpu_buffer_finish(gpu, &hiz->slots);
    gpu_buffer_finish(gpu, &hiz->lists);
    gpu_buffer_finish(gpu, &hiz->visible);
    compute_finish(gpu, &hiz->wrong);
    compute_finish(gpu, &hiz->cull);
    weir_pyramid_destroy(&hiz->pyramid);
    *hiz = (struct hiz){0};
}

static bool bind_kernels(struct hiz *hiz)
{
    const struct gpu *gpu = hiz->params.gpu;
    const VkBuffer buffers[4] = {hiz->params.boxes, hiz->visible.buffer, hiz->lists.buffer,
                                 hiz->slots.buffer};
    bool ok = compute_reset(gpu, &hiz->cull) && compute_reset(gpu, &hiz->wrong) &&
              compute_bind(gpu, &hiz->cull, &hiz->levels.image.view, buffers, &hiz->cull_set);
    for (uint32_t k = 1; ok && k < hiz->levels.params.num_levels; ++k) {
        ok = compute_bind(gpu, &hiz->wrong, &hiz->levels.views[k - 1], NULL, &hiz->wrong_sets[k]);
    }
    return ok;
}

bool hiz_resize(struct hiz *hiz, const weir_image *depth)
{
    const struct weir_image_params size = weir_image_get_params(depth);
    // Level 0 is half of the depth buffer: a fourth of the memory, and hardly less is hidden.
    const VkExtent2D half = weir_pyramid_level_extent(size.width, size.height, 1);
    const struct levels_params levels = {
        .format = VK_FORMAT_R32_SFLOAT,
        .width = half.width,
        .height = half.height,
        .num_levels = weir_pyramid_full_chain(half.width, half.height),
        .num_layers = 1,
        .usage = weir_pyramid_get_scope(hiz->pyramid).usage,
    };
    drop_levels(hiz);
    if (!levels_init(hiz->params.gpu, &levels, &hiz->levels)) {
        return false;
    }
    const weir_image *images[] = {hiz->levels.weir}, *sources[] = {depth};
    const struct weir_pyramid_target_params *target = weir_pyramid_target_params(
            .images = images, .sources = sources,
            .source_layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
    return weir_ok(weir_pyramid_target_create(hiz->pyramid, target, &hiz->target),
                   "weir_pyramid_target_create") &&
           bind_kernels(hiz);
}

// Overwrite the levels after the first.
static void reduce_wrongly(const struct hiz *hiz, VkCommandBuffer cmd)
{
    const struct levels_params *params = &hiz->levels.params;
    for (uint32_t k = 1; k < params->num_levels; ++k) {
        const VkExtent2D size = weir_pyramid_level_extent(params->width, params->height, k);
        compute_run(&hiz->wrong, cmd, hiz->wrong_sets[k], NULL,
                    (uint32_t[]){size.width, size.height, 1});
        compute_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    }
}

bool hiz_reduce(const struct hiz *hiz, VkCommandBuffer cmd, bool wrong)
{
    // The render pass has made the depth visible to compute shaders; the kernel that chooses has
    // read the levels of the frame before.
    const struct weir_pyramid_run run = {
        .src_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .src_access = VK_ACCESS_SHADER_READ_BIT,
        .dst_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .dst_access = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    if (!weir_ok(weir_cmd_pyramid(hiz->target, cmd, &run), "weir_cmd_pyramid")) {
        return false;
    }
    if (wrong) {
        reduce_wrongly(hiz, cmd);
    }
    return true;
}

static void read_slot(struct hiz *hiz, uint32_t slot)
{
    const struct slot *slots = hiz->slots.mapped;
    if (!hiz->counted[slot]) {
        return;
    }
    hiz->counted[slot] = false;
    hiz->last = (struct hiz_counts){
        .frames = 1,
        .boxes = hiz->params.num_boxes,
        .in_view = slots[slot].in_view,
        .drawn = slots[slot].draws[0].instanceCount + slots[slot].draws[1].instanceCount,
    };
    hiz->counts.frames += 1;
    hiz->counts.boxes += hiz->last.boxes;
    hiz->counts.in_view += hiz->last.in_view;
    hiz->counts.drawn += hiz->last.drawn;
}

void hiz_read(struct hiz *hiz)
{
    for (uint32_t i = 0; i < hiz->params.num_slots; ++i) {
        read_slot(hiz, i);
    }
}

static void barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkAccessFlags writes,
                    VkPipelineStageFlags to, VkAccessFlags accesses)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = writes,
                                     .dstAccessMask = accesses};
    vkCmdPipelineBarrier(cmd, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void hiz_choose(struct hiz *hiz, VkCommandBuffer cmd, uint32_t slot, uint32_t pass,
                enum hiz_rule rule, const struct mat4 *clip)
{
    const uint32_t num = hiz->params.num_boxes;
    const struct constants constants = {*clip, num, pass, slot, rule};
    const VkAccessFlags both = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    if (pass == 0) {
        const struct slot none = {.draws = {{NUM_VERTICES, 0, 0, 0}, {NUM_VERTICES, 0, 0, 0}},
                                  .in_view = rule == HIZ_ALL ? num : 0}; // all are as if in view
        read_slot(hiz, slot);
        hiz->counted[slot] = rule != HIZ_KEEP;
        levels_discard(&hiz->levels, cmd);
        vkCmdUpdateBuffer(cmd, hiz->slots.buffer, slot * sizeof(none), sizeof(none), &none);
        barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, both);
        // The frame before has read the lists.
        barrier(cmd, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, both);
    }
    compute_run(&hiz->cull, cmd, hiz->cull_set, &constants, (uint32_t[]){8, (num + 7) / 8, 1});
    barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_INDIRECT_COMMAND_READ_BIT | both | VK_ACCESS_HOST_READ_BIT);
}

void hiz_draw(const struct hiz *hiz, VkCommandBuffer cmd, uint32_t slot, uint32_t pass)
{
    const VkDeviceSize offset = slot * sizeof(struct slot) + offsetof(struct slot, draws) +
                                pass * sizeof(VkDrawIndirectCommand);
    vkCmdDrawIndirect(cmd, hiz->slots.buffer, offset, 1, sizeof(VkDrawIndirectCommand));
}
