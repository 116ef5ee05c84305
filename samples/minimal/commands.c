// SPDX-License-Identifier: MIT
// Copies and barriers. The picture is painted once; a copy of two parts moves it.
#include "host.h"

#include <math.h>

struct color {
    float r, g, b;
};

static struct color mix(struct color a, struct color b, float share)
{
    share = fminf(fmaxf(share, 0.0f), 1.0f);
    return (struct color){a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share,
                          a.b + (b.b - a.b) * share};
}

// u and v are 0 .. 1 from the top left; a texel is `texel` high.
static struct color sky(float u, float v, float aspect, float texel)
{
    const struct color sun = {255, 240, 190}, glow = {255, 190, 110};
    const float distance = hypotf(remainderf(u - 0.62f, 1.0f) * aspect, v - 0.5f);
    struct color c = mix((struct color){28, 24, 66}, (struct color){186, 84, 108}, v / 0.45f);
    c = mix(c, (struct color){250, 164, 96}, (v - 0.35f) / 0.4f);
    c = mix(c, glow, 0.7f * expf(-7.0f * distance));
    return mix(c, sun, (0.11f - distance) / texel + 0.5f);
}

void paint_picture(uint8_t *texels, uint32_t width, uint32_t height)
{
    static const struct color far_hill = {166, 82, 104}, near_hill = {18, 16, 40};
    const float aspect = (float)width / (float)height, texel = 1.0f / (float)height;
    for (uint32_t i = 0; i < width * height; i++) {
        const float u = ((float)(i % width) + 0.5f) / (float)width;
        const float v = ((float)(i / width) + 0.5f) / (float)height;
        struct color c = sky(u, v, aspect, texel);
        for (int hill = 0; hill < 5; hill++) {
            const float turn = 6.2831853f * u, n = (float)hill;
            const float top = 0.56f + 0.085f * n + 0.035f * sinf(turn * (2.0f + n) + 2.3f * n) +
                              0.016f * sinf(turn * (5.0f + 3.0f * n) + n) +
                              0.004f * sinf(turn * (31.0f + 6.0f * n));
            c = mix(c, mix(far_hill, near_hill, n / 4.0f), (v - top) / texel + 0.5f);
        }
        texels[4 * i] = (uint8_t)(c.r + 0.5f);
        texels[4 * i + 1] = (uint8_t)(c.g + 0.5f);
        texels[4 * i + 2] = (uint8_t)(c.b + 0.5f);
        texels[4 * i + 3] = 255;
    }
}

// The stage in which an image is used in a layout, and how. A submission waits for its semaphore in
// TRANSFER, so that what is UNDEFINED waits there too.
static struct weir_gpu_scope use_in(VkImageLayout layout)
{
    const bool is_read = layout == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    const VkPipelineStageFlags stages = is_read || layout == VK_IMAGE_LAYOUT_GENERAL
                                            ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
                                            : VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkAccessFlags access = is_read ? VK_ACCESS_SHADER_READ_BIT
                                 : layout == VK_IMAGE_LAYOUT_GENERAL
                                     ? VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT
                                 : layout == VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
                                     ? VK_ACCESS_TRANSFER_WRITE_BIT
                                 : layout == VK_IMAGE_LAYOUT_UNDEFINED
                                     ? 0
                                     : VK_ACCESS_TRANSFER_READ_BIT;
    return (struct weir_gpu_scope){stages, access, layout};
}

void record_barrier(const struct host *h, VkCommandBuffer cmd,
                    const struct weir_image_params *image, VkImageLayout before,
                    VkImageLayout after)
{
    weir_cmd_barrier(h->gpu, cmd, image, use_in(before), use_in(after));
}

void record_read(const struct host *h, VkCommandBuffer cmd, const struct weir_image_params *image,
                 VkImageLayout layout, uint32_t level, VkBuffer to, VkDeviceSize offset)
{
    const struct weir_gpu_copy copy = {
        .image = image, .level = level, .buffer = to, .offset = offset, .scope = use_in(layout)};
    weir_cmd_download(h->gpu, cmd, &copy);
}

void record_picture(const struct host *h, VkCommandBuffer cmd,
                    const struct weir_image_params *image, uint32_t frame)
{
    const uint32_t moved = (uint32_t)((uint64_t)frame * SPEED % h->width);
    const VkImageSubresourceLayers level = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkBufferImageCopy parts[] = {
        {.bufferOffset = (VkDeviceSize)moved * 4,
         .bufferRowLength = h->width,
         .imageSubresource = level,
         .imageExtent = {h->width - moved, h->height, 1}},
        {.bufferRowLength = h->width,
         .imageSubresource = level,
         .imageOffset = {(int32_t)(h->width - moved), 0, 0},
         .imageExtent = {moved, h->height, 1}},
    };
    const VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    record_barrier(h, cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    vkCmdCopyBufferToImage(cmd, h->picture.buffer, image->image, layout, moved > 0 ? 2 : 1, parts);
}

void record_show(const struct host *h, VkCommandBuffer cmd, const struct weir_image_params *image)
{
    const VkImageLayout from = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkImageLayout to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    const struct weir_swapchain *swapchain = &h->window.swapchain;
    struct weir_image_params shown = swapchain->image;
    shown.image = swapchain->images[swapchain->index];
    const VkOffset3D end = {(int32_t)h->width, (int32_t)h->height, 1};
    const VkOffset3D shown_end = {(int32_t)shown.width, (int32_t)shown.height, 1};
    const VkImageSubresourceLayers level = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageBlit all = {level, {{0}, end}, level, {{0}, shown_end}};
    record_barrier(h, cmd, image, VK_IMAGE_LAYOUT_GENERAL, from);
    record_barrier(h, cmd, &shown, VK_IMAGE_LAYOUT_UNDEFINED, to);
    vkCmdBlitImage(cmd, image->image, from, shown.image, to, 1, &all, VK_FILTER_LINEAR);
    record_barrier(h, cmd, image, from, VK_IMAGE_LAYOUT_GENERAL);
    record_barrier(h, cmd, &shown, to, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
}
