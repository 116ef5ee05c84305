// SPDX-License-Identifier: MIT
// The colours of a picture, found on the GPU, in a row from dark to light.
#include "strip.h"

#include "shaders.h"

// The shaders use the same numbers.
enum { TABLE_SIDE = 64, ROW_WIDTH = 256 };

bool strip_init(const struct gpu *gpu, struct strip *strip)
{
    *strip = (struct strip){.gpu = gpu};
    const struct pass_params find = {
        .code = SHADER(strip_find_comp), .num_textures = 1, .num_images = 1};
    const struct pass_params sort = {.code = SHADER(strip_sort_comp), .num_images = 2};
    const struct weir_image_params table = {.format = VK_FORMAT_R32_UINT,
                                            .width = TABLE_SIDE,
                                            .height = TABLE_SIDE,
                                            .usage = VK_IMAGE_USAGE_STORAGE_BIT |
                                                     VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    const struct weir_image_params colors = {
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .width = ROW_WIDTH,
        .height = 1,
        .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    return pass_init(gpu, &find, &strip->find) && pass_init(gpu, &sort, &strip->sort) &&
           gpu_image_init(gpu, &table, 0, &strip->table) &&
           gpu_image_init(gpu, &colors, 0, &strip->colors);
}

void strip_finish(struct strip *strip)
{
    if (!strip->gpu) {
        return;
    }
    gpu_image_finish(strip->gpu, &strip->colors);
    gpu_image_finish(strip->gpu, &strip->table);
    pass_finish(strip->gpu, &strip->sort);
    pass_finish(strip->gpu, &strip->find);
    *strip = (struct strip){0};
}

bool strip_bind(struct strip *strip, VkImageView picture)
{
    const VkImageView find[] = {picture, strip->table.views[0]};
    const VkImageView sort[] = {strip->table.views[0], strip->colors.views[0]};
    return pass_reset(strip->gpu, &strip->find) && pass_reset(strip->gpu, &strip->sort) &&
           pass_make_set(strip->gpu, &strip->find, find, NULL, &strip->find_set) &&
           pass_make_set(strip->gpu, &strip->sort, sort, NULL, &strip->sort_set);
}

void strip_record(const struct strip *strip, VkCommandBuffer cmd, uint32_t width, uint32_t height)
{
    const uint32_t picture[3] = {width, height, 1}, one_workgroup[3] = {8, 8, 1};
    const VkClearColorValue zero = {.uint32 = {0}};
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkMemoryBarrier cleared = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    const VkMemoryBarrier discarded = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
    };
    gpu_image_discard(strip->gpu, &strip->table, cmd);
    gpu_image_discard(strip->gpu, &strip->colors, cmd);
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 1, &discarded, 0, NULL, 0, NULL);
    vkCmdClearColorImage(cmd, strip->table.params.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &all);
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         0, 1, &cleared, 0, NULL, 0, NULL);
    pass_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    pass_run(&strip->find, cmd, strip->find_set, NULL, picture);
    pass_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    pass_run(&strip->sort, cmd, strip->sort_set, NULL, one_workgroup);
    pass_barrier(cmd, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
}
