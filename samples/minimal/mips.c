// SPDX-License-Identifier: MIT
// minimal_mips: an image's mip levels, made in the program's own command buffer. Level N becomes
// OUTPUT.N.png. docs/pyramid.md and src/include/weir/pyramid.h have the rest.
#include <stdio.h>
#include <weir/context.h>
#include <weir/pyramid.h>

#include "host.h"

static enum weir_result write_level(const struct host *h, uint32_t level, const uint8_t *texels)
{
    const VkExtent2D size = weir_pyramid_level_extent(h->width, h->height, level);
    char path[1024];
    snprintf(path, sizeof(path), "%s.%u.png", h->output, level);
    printf("%s: %ux%u\n", path, size.width, size.height);
    return host_write_png(path, size.width, size.height, texels);
}

int main(int argc, char **argv)
{
    struct host h;
    host_open(&h, argc, argv, "minimal_mips", NULL);
    // Weir takes your device: the params name it, its queues and what is enabled.
    weir_context *weir = NULL;
    weir_context_create(h.device, &weir);

    // The pipelines, for images of any size in this format. Levels of an SRGB format are means in
    // linear light. The pyramid says which usage its images need, and the table which flags.
    const VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
    weir_pyramid *pyramid = NULL;
    weir_pyramid_create(weir, weir_pyramid_params(.format = format), &pyramid);
    const VkImageUsageFlags usage = weir_pyramid_get_scope(pyramid).usage |
                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkImageCreateFlags flags = weir_pyramid_format_get_info(format)->flags;
    const uint32_t levels = weir_pyramid_full_chain(h.width, h.height);
    const struct weir_image_params *image = host_make_image(&h, format, levels, usage, flags);
    weir_image *wrapped = NULL;
    weir_image_create(weir, image, &wrapped);
    // Bind the image to the pyramid, once. By default all levels are made of the first.
    const weir_image *const images[] = {wrapped};
    weir_pyramid_target *target = NULL;
    weir_pyramid_target_create(pyramid, weir_pyramid_target_params(.images = images), &target);

    // Memory of the host for all levels, one behind the other.
    void *data = NULL;
    VkDeviceSize offsets[32] = {0};
    for (uint32_t i = 0; i < levels; i++) {
        const VkExtent2D size = weir_pyramid_level_extent(h.width, h.height, i);
        offsets[i + 1] = offsets[i] + (VkDeviceSize)size.width * size.height * 4;
    }
    const VkBuffer buffer = host_make_buffer(&h, offsets[levels], VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                             &data);

    // Your command buffer: draw level 0, make the others, use them.
    VkCommandBuffer cmd = NULL;
    host_check(weir_gpu_begin(h.gpu, &cmd) == WEIR_OK, "a command buffer");
    record_picture(&h, cmd, image, h.num_frames - 1);
    record_barrier(&h, cmd, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    enum weir_result result = weir_cmd_pyramid(target, cmd, NULL);
    for (uint32_t i = 0; i < levels; i++) {
        record_read(&h, cmd, image, VK_IMAGE_LAYOUT_GENERAL, i, buffer, offsets[i]);
    }
    host_check(weir_gpu_run(h.gpu, cmd) == WEIR_OK, "a submission");
    for (uint32_t i = 0; i < levels && result >= WEIR_OK; i++) {
        result = write_level(&h, i, (const uint8_t *)data + offsets[i]);
    }
    weir_pyramid_target_destroy(&target);
    weir_pyramid_destroy(&pyramid);
    weir_image_destroy(&wrapped);
    weir_context_destroy(&weir);
    host_close(&h);
    return result >= WEIR_OK ? 0 : 1;
}
