// SPDX-License-Identifier: MIT
// Depth buffers, which weir-bench pyramid makes pyramids of.
#include "tests/bench/pyramid/depth.h"

#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"

static const struct weir_pyramid_format_info depth_format = {
    .format = VK_FORMAT_D32_SFLOAT,
    .name = "d32_sfloat",
    .red_bits = 32,
    .num_channels = 1,
    .texel_size = 4,
    .is_float = true,
};

static void record_barrier(VkCommandBuffer commands)
{
    const struct cli_scope all = {VK_PIPELINE_STAGE_TRANSFER_BIT |
                                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                  VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                                      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    cli_cmd_barrier(commands, all, all);
}

// Copy texels through a buffer: no image of colour is copied to one of depth.
static void record_fill(VkCommandBuffer commands, VkBuffer buffer, const struct cli_images *images,
                        const struct cli_images *depths)
{
    VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, images->layers},
        .imageExtent = {images->width, images->height, 1},
    };
    for (uint32_t i = 0; i < depths->num; i++) {
        record_barrier(commands);
        region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
        vkCmdCopyImageToBuffer(commands, images->images[i], VK_IMAGE_LAYOUT_GENERAL, buffer, 1,
                               &region);
        record_barrier(commands);
        region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
        vkCmdCopyBufferToImage(commands, buffer, depths->images[i], VK_IMAGE_LAYOUT_GENERAL, 1,
                               &region);
    }
    record_barrier(commands);
}

static enum weir_result fill(const struct cli_images *images, const struct cli_images *depths)
{
    struct cli_gpu *gpu = images->gpu;
    struct cli_buffer buffer;
    enum weir_result result = cli_buffer_init(
        gpu, (uint64_t)images->width * images->height * images->layers * 4,
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, false, &buffer);
    VkCommandBuffer commands;
    if (result == WEIR_OK) {
        result = cli_once_begin(gpu, &commands);
    }
    if (result == WEIR_OK) {
        record_fill(commands, buffer.buffer, images, depths);
        result = cli_once_run(gpu, commands);
    }
    cli_buffer_finish(gpu, &buffer);
    return result;
}

enum weir_result bench_pyramid_depths_init(struct cli_images *depths,
                                           const struct cli_images *images, char *why,
                                           size_t why_size)
{
    *depths = (struct cli_images){
        .gpu = images->gpu,
        .format = &depth_format,
        .width = images->width,
        .height = images->height,
        .layers = images->layers,
        .levels = 1,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    const enum weir_result result = cli_images_init(depths, images->num, images->num, why,
                                                    why_size);
    return result == WEIR_OK && depths->num > 0 ? fill(images, depths) : result;
}
