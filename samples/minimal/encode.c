// SPDX-License-Identifier: MIT
// minimal_encode: an image becomes BC7 blocks in a buffer, and these a compressed image. To show
// what is in it, the device decodes it, and a PNG file is written.
// docs/encoders.md and src/include/weir/encode.h have the rest.
#include <stdio.h>
#include <weir/context.h>
#include <weir/encode.h>

#include "host.h"

// What is behind Weir's work: the texels of the compressed image, by a blit.
static void record_decode(const struct host *h, VkCommandBuffer cmd,
                          const struct weir_image_params *from, const struct weir_image_params *to)
{
    const VkImageSubresourceLayers level = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkOffset3D end = {(int32_t)h->width, (int32_t)h->height, 1};
    const VkImageBlit all = {level, {{0}, end}, level, {{0}, end}};
    record_barrier(h, cmd, from, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    record_barrier(h, cmd, to, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdBlitImage(cmd, from->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to->image,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &all, VK_FILTER_NEAREST);
}

int main(int argc, char **argv)
{
    struct host h;
    // Images of BC7 blocks are a feature that not every device has.
    host_open(&h, argc, argv, "minimal_encode.png",
              &(VkPhysicalDeviceFeatures){.textureCompressionBC = VK_TRUE});
    // Weir takes your device: the params name it, its queues and what is enabled.
    weir_context *weir = NULL;
    weir_context_create(h.device, &weir);

    const struct weir_codec_info *codec = weir_codec_get_info(WEIR_CODEC_BC7);
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkImageUsageFlags from = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkImageUsageFlags to = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    const struct weir_image_params *images[2];
    weir_image *source = host_wrap_image(&h, weir, format, VK_IMAGE_USAGE_SAMPLED_BIT | to,
                                         &images[0]);
    weir_image *compressed = host_wrap_image(&h, weir, codec->format, from | to, &images[1]);

    // An encoder of one codec, for images of this kind, and a buffer of yours for the blocks.
    weir_encoder *encoder = NULL;
    weir_encoder_create(weir, weir_encoder_params(.codec = codec->codec, .like = source), &encoder);
    const uint64_t size = weir_codec_image_size(codec->codec, h.width, h.height);
    weir_buffer *blocks = NULL;
    const VkBuffer buffer = host_make_buffer(
        &h, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, NULL);
    weir_buffer_create(weir, weir_buffer_params(.buffer = buffer, .size = size), &blocks);

    void *data = NULL;
    const struct weir_image_params *decoded = host_make_image(&h, format, 1, from | to, 0);
    const VkBuffer texels = host_make_buffer(&h, (VkDeviceSize)h.width * h.height * 4,
                                             VK_BUFFER_USAGE_TRANSFER_DST_BIT, &data);

    // Your command buffer: the source, its blocks, and the compressed image, in three steps.
    VkCommandBuffer cmd = NULL;
    host_check(weir_gpu_begin(h.gpu, &cmd) == WEIR_OK, "a command buffer");
    record_picture(&h, cmd, images[0], h.num_frames - 1);
    record_barrier(&h, cmd, images[0], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    record_barrier(&h, cmd, images[1], VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const struct weir_encode encode = {.source = source, .buffer = blocks};
    const enum weir_result encoded = weir_cmd_encode(encoder, cmd, &encode);
    enum weir_result result = weir_cmd_copy_blocks(encoder, cmd, &encode,
                                                   WEIR_REF(weir_block_copy, .image = compressed));
    record_decode(&h, cmd, images[1], decoded);
    record_read(&h, cmd, decoded, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, texels, 0);
    host_check(weir_gpu_run(h.gpu, cmd) == WEIR_OK, "a submission");

    printf("%s: %llu bytes of %s\n", h.output, (unsigned long long)size, codec->description);
    if (encoded >= WEIR_OK && result >= WEIR_OK) {
        result = host_write_png(h.output, h.width, h.height, data);
    }
    weir_buffer_destroy(&blocks);
    weir_encoder_destroy(&encoder);
    weir_image_destroy(&source);
    weir_image_destroy(&compressed);
    weir_context_destroy(&weir);
    host_close(&h);
    return encoded >= WEIR_OK && result >= WEIR_OK ? 0 : 1;
}
