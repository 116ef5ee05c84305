// SPDX-License-Identifier: MIT
// An image with mip levels, and a view of each.
#include "levels.h"

#include "report.h"

bool levels_init(const struct gpu *gpu, const struct weir_image_params *params,
                 struct levels *levels)
{
    *levels = (struct levels){0};
    bool ok = gpu_image_init(gpu, params, 0, &levels->image);
    levels->params = levels->image.made.params;
    for (uint32_t i = 0; ok && i < levels->params.levels; ++i) {
        ok = weir_ok(weir_gpu_view_init(gpu->work, &levels->params, i, 1, &levels->views[i]),
                     "a view");
    }
    return ok && weir_ok(weir_image_create(gpu->weir, &levels->params, &levels->weir),
                         "weir_image_create");
}

void levels_finish(const struct gpu *gpu, struct levels *levels)
{
    weir_image_destroy(&levels->weir);
    for (uint32_t i = 0; i < levels->params.levels; ++i) {
        vkDestroyImageView(gpu->device, levels->views[i], NULL);
    }
    gpu_image_finish(gpu, &levels->image);
    *levels = (struct levels){0};
}

void levels_discard(const struct gpu *gpu, const struct levels *levels, VkCommandBuffer cmd)
{
    const VkPipelineStageFlags shaders = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    const struct weir_gpu_scope before = {shaders, VK_ACCESS_SHADER_WRITE_BIT,
                                          VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope after = {
        shaders, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    weir_cmd_barrier(gpu->work, cmd, &levels->params, before, after);
}
