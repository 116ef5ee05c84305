// SPDX-License-Identifier: MIT
// A picture that has all colours, each once: 64 steps a channel, as a palette with `table` counts.
#include "cube.h"

enum { SIDE = 512 };
_Static_assert(SIDE *SIDE == CUBE_NUM_COLORS, "a texel for each colour");

bool cube_init(const struct gpu *gpu, VkFormat format, struct cube *cube)
{
    const struct weir_image_params picture = {
        .format = format,
        .width = SIDE,
        .height = SIDE,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    *cube = (struct cube){.gpu = gpu};
    if (!gpu_image_init(gpu, &picture, 0, &cube->picture) ||
        !gpu_buffer_init(gpu, 4 * CUBE_NUM_COLORS, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                         WEIR_GPU_MEMORY_HOST, &cube->texels)) {
        return false;
    }
    uint8_t *texels = cube->texels.mapped;
    for (uint32_t i = 0; i < CUBE_NUM_COLORS; ++i) {
        texels[4 * i] = (uint8_t)(4 * (i & 63) + 2);
        texels[4 * i + 1] = (uint8_t)(4 * (i >> 6 & 63) + 2);
        texels[4 * i + 2] = (uint8_t)(4 * (i >> 12) + 2);
        texels[4 * i + 3] = 255;
    }
    return true;
}

void cube_finish(struct cube *cube)
{
    if (cube->gpu) {
        gpu_image_finish(cube->gpu, &cube->picture);
        weir_gpu_buffer_finish(cube->gpu->work, &cube->texels);
    }
    *cube = (struct cube){0};
}

void cube_record(const struct cube *cube, VkCommandBuffer cmd)
{
    const struct weir_gpu_scope counted = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0};
    const struct weir_gpu_scope written = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                           VK_ACCESS_TRANSFER_WRITE_BIT, 0};
    weir_cmd_barrier(cube->gpu->work, cmd, NULL, counted, written);
    weir_cmd_upload(cube->gpu->work, cmd,
                    &(struct weir_gpu_copy){
                        .image = &cube->picture.params,
                        .buffer = cube->texels.buffer,
                        .scope = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
                    });
}
