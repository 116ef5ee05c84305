// SPDX-License-Identifier: MIT
// Occlusion culling: which boxes are drawn, by a pyramid of the farthest depths.
//
// The pyramid: hiz_init() makes it once, hiz_resize() binds it to the depth buffer, hiz_reduce()
// records it in each frame. How it is read is in shaders/cull.comp.
#include "hiz.h"

#include <stddef.h>
#include <string.h>

#include "report.h"
#include "shaders.h"

#define NUM_VERTICES 18 // of a box, three faces

// As in cull.comp.
struct slot {
    VkDrawIndirectCommand draws[2];
    uint32_t in_view, unused[3];
};
struct constants {
    struct mat4 clip;
    uint32_t num_boxes, pass, slot, rule, compares;
};

static bool make_pyramid(struct hiz *hiz, VkFormat depth_format)
{
    // Depth is reversed, so that the farthest of a region is its least. At odd sizes MIN takes all
    // texels under one of the next level: what a texel says holds for everything under it.
    return gpu_pyramid_init(hiz->gpu,
                            weir_pyramid_params(.reduction = WEIR_PYRAMID_MIN,
                                                .format = VK_FORMAT_R32_SFLOAT,
                                                .source_format = depth_format),
                            &hiz->pyramid);
}

static bool bind_pyramid(struct hiz *hiz, const weir_image *depth)
{
    const weir_image *images[] = {hiz->farthest.weir}, *sources[] = {depth};
    const struct weir_pyramid_target_params *params = weir_pyramid_target_params(
            .images = images, .sources = sources,
            .source_layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
    return gpu_target_init(hiz->gpu, hiz->pyramid, params, &hiz->target);
}

bool hiz_reduce(const struct hiz *hiz, VkCommandBuffer cmd, const struct hiz_frame *frame)
{
    // The render pass has made the depth visible to compute shaders; the kernel that chooses has
    // read the levels of the frame before.
    const struct weir_pyramid_run run = {
        .src_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .src_access = VK_ACCESS_SHADER_READ_BIT,
        .dst_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .dst_access = VK_ACCESS_SHADER_READ_BIT,
    };
    if (!weir_ok(weir_cmd_pyramid(hiz->target, cmd, &run), "weir_cmd_pyramid")) {
        return false;
    }
    // The wrong one, a dispatch a level.
    const struct weir_image_params *wrong = &hiz->wrong_levels.params;
    const VkImageView *levels = hiz->wrong_levels.views;
    for (uint32_t k = 0; frame->compares && k < wrong->levels; ++k) {
        const VkExtent2D size = weir_pyramid_level_extent(wrong->width, wrong->height, k);
        const VkImageView views[] = {k > 0 ? levels[k - 1] : hiz->farthest.views[0], levels[k]};
        pass_run(&hiz->wrong, cmd, (struct bindings){views, NULL, NULL}, size.width, size.height,
                 1);
        pass_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    }
    return true;
}

static bool make_kernels(struct hiz *hiz)
{
    const struct pass_params cull = {
        .code = SHADER(cull_comp),
        .num_textures = 2,
        .num_buffers = 4,
        .constants_size = sizeof(struct constants),
    };
    const struct pass_params wrong = {
        .code = SHADER(wrong_comp),
        .num_textures = 1,
        .num_images = 1,
    };
    return pass_init(hiz->gpu, &cull, &hiz->cull) && pass_init(hiz->gpu, &wrong, &hiz->wrong);
}

static bool make_buffer(const struct hiz *hiz, VkDeviceSize size, VkBufferUsageFlags usage,
                        struct weir_gpu_buffer *buffer)
{
    return gpu_buffer_init(hiz->gpu, size, usage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                           WEIR_GPU_MEMORY_DEVICE_MAPPED, buffer);
}

static bool make_boxes(struct hiz *hiz)
{
    const uint32_t num = hiz->num_boxes;
    if (!make_buffer(hiz, sizeof(struct box) * ((VkDeviceSize)num + 1), 0, &hiz->boxes) ||
        !make_buffer(hiz, 4 * (VkDeviceSize)num, 0, &hiz->visible) ||
        !make_buffer(hiz, 4 * (2 * (VkDeviceSize)num + 1), 0, &hiz->lists) ||
        !make_buffer(hiz, sizeof(struct slot) * SAMPLE_MAX_SLOTS,
                     VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, &hiz->slots)) {
        return false;
    }
    city_build((struct box *)(void *)hiz->boxes.mapped, num);
    memset(hiz->visible.mapped, 0, 4 * (size_t)num);
    ((uint32_t *)hiz->lists.mapped)[2 * (size_t)num] = num;
    return true;
}

bool hiz_init(struct gpu *gpu, uint32_t num_boxes, VkFormat depth_format, struct hiz *hiz)
{
    *hiz = (struct hiz){.gpu = gpu, .num_boxes = num_boxes};
    return make_pyramid(hiz, depth_format) && make_kernels(hiz) && make_boxes(hiz);
}

// Make all levels of an image that is as large as a level of the depth buffer.
static bool make_levels(struct hiz *hiz, const weir_image *depth, uint32_t level,
                        struct gpu_image *levels)
{
    const struct weir_image_params size = weir_image_get_params(depth);
    return gpu_texture_init(hiz->gpu, VK_FORMAT_R32_SFLOAT,
                            weir_pyramid_get_scope(hiz->pyramid).usage | VK_IMAGE_USAGE_STORAGE_BIT,
                            weir_pyramid_level_extent(size.width, size.height, level), UINT32_MAX,
                            levels);
}

bool hiz_resize(struct hiz *hiz, const weir_image *depth)
{
    // Level 0 is half of the depth buffer: a fourth of the memory, and hardly less is hidden. That
    // of the wrong pyramid is half of it.
    return make_levels(hiz, depth, 1, &hiz->farthest) &&
           make_levels(hiz, depth, 2, &hiz->wrong_levels) && bind_pyramid(hiz, depth);
}

static void read_slot(struct hiz *hiz, uint32_t index)
{
    const struct slot *slot = (const struct slot *)hiz->slots.mapped + index;
    if (hiz->counted[index]) {
        hiz->last = (struct hiz_counts){
            1, slot->in_view, slot->draws[0].instanceCount + slot->draws[1].instanceCount};
        hiz->counts.frames += 1;
        hiz->counts.in_view += hiz->last.in_view;
        hiz->counts.drawn += hiz->last.drawn;
    }
    hiz->counted[index] = false;
}

void hiz_read(struct hiz *hiz)
{
    for (uint32_t i = 0; hiz->slots.mapped && i < SAMPLE_MAX_SLOTS; ++i) {
        read_slot(hiz, i);
    }
}

void hiz_choose(struct hiz *hiz, VkCommandBuffer cmd, const struct hiz_frame *frame, uint32_t pass)
{
    const uint32_t num = hiz->num_boxes, slot = frame->slot;
    const struct constants constants = {frame->clip, num, pass, slot, frame->rule, frame->compares};
    if (pass == 0) {
        read_slot(hiz, slot);
        ((struct slot *)hiz->slots.mapped)[slot] = (struct slot){
            .draws = {{NUM_VERTICES, 0, 0, 0}, {NUM_VERTICES, 0, 0, 0}},
            .in_view = frame->rule == HIZ_ALL ? num : 0, // all are as if in view
        };
        hiz->counted[slot] = frame->rule != HIZ_KEEP;
        // These wait for the frame before, whose draws have read the lists.
        gpu_image_discard(hiz->gpu, &hiz->farthest, cmd);
        gpu_image_discard(hiz->gpu, &hiz->wrong_levels, cmd);
        pass_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    }
    const VkImageView views[2] = {hiz->farthest.view, hiz->wrong_levels.view};
    const VkBuffer buffers[4] = {hiz->boxes.buffer, hiz->visible.buffer, hiz->lists.buffer,
                                 hiz->slots.buffer};
    pass_run(&hiz->cull, cmd, (struct bindings){views, buffers, &constants}, 8, (num + 7) / 8, 1);
    pass_barrier(cmd, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT);
}

void hiz_draw(const struct hiz *hiz, VkCommandBuffer cmd, const struct hiz_frame *frame,
              uint32_t pass)
{
    const VkDeviceSize offset = frame->slot * sizeof(struct slot) + offsetof(struct slot, draws) +
                                pass * sizeof(VkDrawIndirectCommand);
    vkCmdDrawIndirect(cmd, hiz->slots.buffer, offset, 1, sizeof(VkDrawIndirectCommand));
}
