// SPDX-License-Identifier: MIT
// The exact means: the same levels in 32-bit floats, by a kernel that does as the definition says.
#include "exact.h"

#include <weir/pyramid.h>

#include "shaders.h"

bool exact_init(struct gpu *gpu, struct exact *exact)
{
    *exact = (struct exact){.gpu = gpu};
    const struct pass_params mean = {
        .code = SHADER(exact_comp), .num_textures = 1, .num_images = 1};
    return pass_init(gpu, &mean, &exact->mean);
}

bool exact_make(struct exact *exact, uint32_t width, uint32_t height)
{
    return gpu_texture_init(exact->gpu, VK_FORMAT_R32G32B32A32_SFLOAT, VK_IMAGE_USAGE_STORAGE_BIT,
                            weir_pyramid_level_extent(width, height, 1), UINT32_MAX,
                            &exact->levels);
}

void exact_record(const struct exact *exact, VkCommandBuffer cmd, VkImageView level0,
                  uint32_t level)
{
    const struct weir_image_params *params = &exact->levels.params;
    const VkImageView *levels = exact->levels.views;
    for (uint32_t k = 0; k < level && k < params->levels; ++k) {
        const VkExtent2D size = weir_pyramid_level_extent(params->width, params->height, k);
        const VkImageView views[] = {k > 0 ? levels[k - 1] : level0, levels[k]};
        pass_run(&exact->mean, cmd, (struct bindings){views, NULL, NULL}, size.width, size.height,
                 1);
        pass_barrier(cmd,
                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
    }
}
