// SPDX-License-Identifier: MIT
// minimal_mips: a texture's mip levels, made in the program's own command buffer. Level N becomes
// OUTPUT.N.png. docs/pyramid.md and src/include/weir/mips.h have the rest.
#include <stdio.h>
#include <weir/context.h>
#include <weir/mips.h>

#include "host.h"

static enum weir_result write_level(const struct host *h, uint32_t level, const uint8_t *texels)
{
    const VkExtent2D size = weir_pyramid_level_extent(h->width, h->height, level);
    char path[1024];
    snprintf(path, sizeof(path), "%s.%u.png", h->output, level);
    printf("%s: %ux%u\n", path, size.width, size.height);
    return host_write_png(path, size.width, size.height, texels);
}

// A view that samples the levels. The image's usage has STORAGE, by which Weir writes it through a
// view in UNORM. SRGB formats do not have it, so this view leaves it out.
static VkImageView make_view(const struct host *h, const struct weir_image_params *image)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = image->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = image->format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, image->levels, 0, 1}};
    VkImageView view = VK_NULL_HANDLE;
    host_check(!vkCreateImageView(h->device->device, &info, NULL, &view), "vkCreateImageView");
    return view;
}

int main(int argc, char **argv)
{
    struct host h;
    host_open(&h, argc, argv, "minimal_mips", NULL);
    // Weir takes your device: the params name it, its queues and what is enabled.
    weir_context *weir = NULL;
    weir_context_create(h.device, &weir);

    // Once: it makes levels of any image. Those of an SRGB format are means in linear light. The
    // table of formats says which flags an image needs.
    weir_mips *mips = NULL;
    weir_mips_create(weir, weir_mips_params(.reduction = WEIR_PYRAMID_MEAN), &mips);
    const VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkImageCreateFlags flags = weir_pyramid_format_get_info(format)->flags;
    const uint32_t levels = weir_pyramid_full_chain(h.width, h.height);
    const struct weir_image_params *image = host_make_image(&h, format, levels, usage, flags);
    const VkImageView view = make_view(&h, image);

    // Memory of the host for all levels, one behind the other.
    void *data = NULL;
    VkDeviceSize offsets[32] = {0};
    for (uint32_t i = 0; i < levels; i++) {
        const VkExtent2D size = weir_pyramid_level_extent(h.width, h.height, i);
        offsets[i + 1] = offsets[i] + (VkDeviceSize)size.width * size.height * 4;
    }
    const VkBuffer buffer = host_make_buffer(&h, offsets[levels], VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                             &data);

    // Your command buffer: copy the texture to level 0 and make the others. All can be sampled.
    VkCommandBuffer cmd = NULL;
    host_check(weir_gpu_begin(h.gpu, &cmd) == WEIR_OK, "a command buffer");
    record_picture(&h, cmd, image, h.num_frames - 1);
    enum weir_result result = weir_cmd_generate_mips(mips, cmd, image, NULL);
    for (uint32_t i = 0; i < levels; i++) {
        record_read(&h, cmd, image,
                    i == 0 ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
                           : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                    i, buffer, offsets[i]);
    }
    host_check(weir_gpu_run(h.gpu, cmd) == WEIR_OK, "a submission");
    for (uint32_t i = 0; i < levels && result >= WEIR_OK; i++) {
        result = write_level(&h, i, (const uint8_t *)data + offsets[i]);
    }
    vkDestroyImageView(h.device->device, view, NULL);
    weir_mips_destroy(&mips);
    weir_context_destroy(&weir);
    host_close(&h);
    return result >= WEIR_OK ? 0 : 1;
}
