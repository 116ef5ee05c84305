// SPDX-License-Identifier: MIT
// A picture and its mip levels: the calls of <weir/pyramid.h>.
#include "mips.h"

#include "report.h"

bool mips_init(struct gpu *gpu, const struct mips_params *params, uint32_t width, uint32_t height,
               struct mips *mips)
{
    *mips = (struct mips){.gpu = gpu, .params = *params};
    // 1. The pipelines, for images of any size.
    const struct weir_pyramid_params *pyramid = weir_pyramid_params(.method = params->method,
                                                                    .reduction = params->reduction,
                                                                    .format = params->format);
    if (!gpu_pyramid_init(gpu, pyramid, &mips->pyramid)) {
        return false;
    }
    // 2. The image. The pyramid says how it will be used: a blit does not want what kernels want.
    // Kernels write an sRGB image through a view of another format, which its flags allow.
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(mips->pyramid);
    const struct weir_image_params levels = {
        .format = params->format,
        .width = width,
        .height = height,
        .levels = weir_pyramid_full_chain(width, height),
        .usage = scope.usage | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .flags = weir_pyramid_format_get_info(params->format)->flags,
    };
    if (!gpu_image_init(gpu, &levels, 0, &mips->levels)) {
        return false;
    }
    // 3. Both together, once for each image.
    const weir_image *images[] = {mips->levels.weir};
    return gpu_target_init(gpu, mips->pyramid, weir_pyramid_target_params(.images = images),
                           &mips->target);
}

// 4. Each frame: one call. It records the barriers to what comes before and after as well.
bool mips_record(const struct mips *mips, VkCommandBuffer cmd)
{
    const VkPipelineStageFlags readers = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    const struct weir_pyramid_run run = {
        // Before it: level 0 was copied, and the frame before may still read the levels.
        .src_stages = VK_PIPELINE_STAGE_TRANSFER_BIT | readers,
        .src_access = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT,
        .dst_stages = readers,
        .dst_access = VK_ACCESS_SHADER_READ_BIT,
    };
    return weir_ok(weir_cmd_pyramid(mips->target, cmd, &run), "weir_cmd_pyramid");
}

void mips_fill(struct mips *mips, VkCommandBuffer cmd, const struct input *picture)
{
    // What waits for the copy is in mips_record().
    weir_cmd_upload(mips->gpu->work, cmd,
                    &(struct weir_gpu_copy){
                        .image = &mips->levels.params,
                        .buffer = picture->texels.buffer,
                        .scope = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                                  VK_IMAGE_LAYOUT_GENERAL},
                    });
    mips->is_filled = true;
}
