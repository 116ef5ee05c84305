// SPDX-License-Identifier: MIT
// The layouts of the images of weir-bench palette, and the copy of one to the other.
#include "tests/bench/palette/images.h"

#include "capture/weir/gpu/barrier.h"

void bench_palette_images_change(VkCommandBuffer commands, const struct cli_image *image,
                                 VkImageLayout from, VkImageLayout to)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    const VkAccessFlags reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    cli_cmd_image_barrier(commands, image->image, (struct cli_image_scope){stages, writes, from},
                          (struct cli_image_scope){stages, reads | writes, to});
}

enum weir_result bench_palette_images_copy(const struct cli_picture *picture,
                                           struct cli_timer *watch, double *ns)
{
    const struct cli_image *source = &picture->source, *target = &picture->image;
    const VkImageLayout read = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                        from = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                        to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageCopy region = {
        .srcSubresource = layers,
        .dstSubresource = layers,
        .extent = {target->width, target->height, 1},
    };
    const enum weir_result result = cli_timer_begin(watch);
    if (result != WEIR_OK) {
        return result;
    }
    bench_palette_images_change(watch->commands, source, read, from);
    bench_palette_images_change(watch->commands, target, VK_IMAGE_LAYOUT_UNDEFINED, to);
    cli_timer_start(watch, 0);
    vkCmdCopyImage(watch->commands, source->image, from, target->image, to, 1, &region);
    cli_timer_stop(watch, 0);
    bench_palette_images_change(watch->commands, source, from, read);
    return bench_stopwatch_submit(watch, ns);
}
