// SPDX-License-Identifier: MIT
// The colours of a picture, found on the GPU, in a row from dark to light.
#include "strip.h"

#include "shaders.h"

// The shaders use the same numbers.
enum { TABLE_SIDE = 64, ROW_WIDTH = 256 };

bool strip_init(struct gpu *gpu, struct strip *strip)
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
    return pass_init(gpu, &find, &strip->find) && pass_init(gpu, &sort, &strip->sort) &&
           gpu_image_init(gpu, &table, 0, &strip->table) &&
           gpu_texture_init(gpu, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_STORAGE_BIT,
                            (VkExtent2D){ROW_WIDTH, 1}, 1, &strip->colors);
}

void strip_record(const struct strip *strip, VkCommandBuffer cmd, const struct gpu_image *picture)
{
    const VkImageView find[] = {picture->view, strip->table.view};
    const VkImageView sort[] = {strip->table.view, strip->colors.view};
    const VkClearColorValue zero = {.uint32 = {0}};
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const weir_gpu *work = strip->gpu->work;
    const struct weir_gpu_scope used = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT, 0};
    const struct weir_gpu_scope cleared = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                           VK_ACCESS_TRANSFER_WRITE_BIT, 0};
    gpu_image_discard(strip->gpu, &strip->table, cmd);
    gpu_image_discard(strip->gpu, &strip->colors, cmd);
    weir_cmd_barrier(work, cmd, NULL, used, cleared);
    vkCmdClearColorImage(cmd, strip->table.params.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &all);
    weir_cmd_barrier(work, cmd, NULL, cleared, used);
    pass_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    pass_run(&strip->find, cmd, (struct bindings){find, NULL, NULL}, picture->params.width,
             picture->params.height, 1);
    pass_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    pass_run(&strip->sort, cmd, (struct bindings){sort, NULL, NULL}, 8, 8, 1); // one workgroup
    pass_barrier(cmd, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
}
