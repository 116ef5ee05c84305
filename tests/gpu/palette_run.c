// SPDX-License-Identifier: MIT
// A picture through a palette reduction, on the host's queue.
#include "tests/gpu/palette_run.h"

#include <string.h>

enum { MAX_PICTURES = 4, DISPATCHES_AT_ONCE = 2 };

// A picture on the device, and where its new colours go.
struct bound {
    struct harness_image source, target;
    struct harness_buffer pixels;
    weir_image *image;
    weir_palette_target *palette_target;
};

static void bound_init(struct harness *h, weir_palette *palette,
                       const struct palette_picture *picture, struct bound *bound)
{
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    harness_image_init(h, format, picture->width, picture->height,
                       VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, 0,
                       picture->rgba, 4, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &bound->source);
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    harness_image_init(h, format, picture->width, picture->height, usage, 0, picture->rgba, 4,
                       VK_IMAGE_LAYOUT_GENERAL, &bound->target);
    harness_buffer_init(h, (uint64_t)picture->width * picture->height * 4,
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT, &bound->pixels);
    bound->image = harness_wrap(h, &bound->source, WEIR_TRANSFER_DEFAULT);
    const enum weir_result result = weir_palette_target_create(
        palette,
        weir_palette_target_params(.image = bound->target.image, .format = format,
                                   .width = picture->width, .height = picture->height,
                                   .usage = usage),
        &bound->palette_target);
    harness_expect(h, result == WEIR_OK, "target: %s", weir_result_name(result));
}

static void bound_finish(struct harness *h, struct bound *bound)
{
    weir_palette_target_destroy(&bound->palette_target);
    weir_image_destroy(&bound->image);
    harness_buffer_finish(h, &bound->pixels);
    harness_image_finish(h, &bound->target);
    harness_image_finish(h, &bound->source);
}

static void copy_target(VkCommandBuffer cmd, const struct bound *bound)
{
    const VkMemoryBarrier written = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 1, &written, 0, NULL, 0, NULL);
    const VkBufferImageCopy copy = {
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageExtent = {bound->target.width, bound->target.height, 1},
    };
    vkCmdCopyImageToBuffer(cmd, bound->target.image, VK_IMAGE_LAYOUT_GENERAL, bound->pixels.buffer,
                           1, &copy);
    const VkMemoryBarrier copied = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &copied, 0, NULL, 0, NULL);
}

static void submit(struct harness *h, VkCommandBuffer cmd)
{
    harness_submit(h, cmd, NULL, 0);
}

static bool reduce(struct harness *h, weir_palette *palette, const struct bound *bound,
                   uint32_t num_pictures, const struct weir_palette_start *start)
{
    VkCommandBuffer cmd = harness_begin(h);
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < num_pictures && result == WEIR_OK; i++) {
        result = weir_cmd_palette_count(
            palette, cmd,
            &(struct weir_palette_count){.source = bound[i].image, .clear = i == 0});
    }
    if (result == WEIR_OK) {
        result = weir_cmd_palette_start(palette, cmd, start);
    }
    submit(h, cmd);
    while (result == WEIR_OK && weir_palette_get_stats(palette).num_unfinished > 0) {
        cmd = harness_begin(h);
        result = weir_cmd_palette_iterate(palette, cmd, DISPATCHES_AT_ONCE);
        submit(h, cmd);
    }
    cmd = harness_begin(h);
    if (result == WEIR_OK) {
        result = weir_cmd_palette_finish(palette, cmd);
    }
    for (uint32_t i = 0; i < num_pictures && result == WEIR_OK; i++) {
        result = weir_cmd_palette_map(palette, cmd, bound[i].image, bound[i].palette_target);
        copy_target(cmd, &bound[i]);
    }
    submit(h, cmd);
    return harness_expect(h, result == WEIR_OK, "palette: %s", weir_result_name(result));
}

bool palette_run_shared(struct harness *h, weir_palette *palette,
                        const struct palette_picture *pictures, uint32_t num_pictures,
                        const struct weir_palette_start *start, uint8_t *const *pixels,
                        struct weir_palette_stats *stats)
{
    harness_must(num_pictures <= MAX_PICTURES, "palette_run_shared() takes fewer pictures");
    struct bound bound[MAX_PICTURES] = {0};
    for (uint32_t i = 0; i < num_pictures; i++) {
        bound_init(h, palette, &pictures[i], &bound[i]);
    }
    const bool is_done = reduce(h, palette, bound, num_pictures, start);
    *stats = weir_palette_get_stats(palette);
    for (uint32_t i = 0; i < num_pictures; i++) {
        memcpy(pixels[i], bound[i].pixels.mapped, bound[i].pixels.size);
        bound_finish(h, &bound[i]);
    }
    return is_done;
}

bool palette_run(struct harness *h, weir_palette *palette, const struct palette_picture *picture,
                 const struct weir_palette_start *start, uint8_t *pixels,
                 struct weir_palette_stats *stats)
{
    return palette_run_shared(h, palette, picture, 1, start, &pixels, stats);
}
