// SPDX-License-Identifier: MIT
// minimal_palette: an image in its best 16 colours, dithered, as a PNG file.
// docs/palette.md and src/include/weir/palette.h have the rest.
#include <stdio.h>
#include <weir/context.h>
#include <weir/palette.h>

#include "host.h"

enum { NUM_COLORS = 16 };

int main(int argc, char **argv)
{
    struct host h;
    host_open(&h, argc, argv, "minimal_palette.png", NULL);
    // Weir takes your device: the params name it, its queues and what is enabled.
    weir_context *weir = NULL;
    weir_context_create(h.device, &weir);

    // Kernels read the one image and write the other.
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkImageUsageFlags read = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    const VkImageUsageFlags written = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const struct weir_image_params *images[2];
    weir_image *source = host_wrap_image(&h, weir, format, read, &images[0]);
    weir_image *output = host_wrap_image(&h, weir, format, written, &images[1]);

    // The memory of a run, with room for max_colors of them; a run needs no other.
    weir_palette *palette = NULL;
    weir_palette_create(weir,
                        weir_palette_params(.like = source, .method = WEIR_PALETTE_METHOD_K_MEANS,
                                            .dither = WEIR_PALETTE_DITHER_BLUE_NOISE),
                        &palette);

    // What is read back.
    void *data = NULL;
    const VkBuffer buffer = host_make_buffer(&h, (VkDeviceSize)h.width * h.height * 4,
                                             VK_BUFFER_USAGE_TRANSFER_DST_BIT, &data);

    // Your command buffer: the image, its new colours, and what you do with them.
    VkCommandBuffer cmd = NULL;
    host_check(weir_gpu_begin(h.gpu, &cmd) == WEIR_OK, "a command buffer");
    record_picture(&h, cmd, images[0], h.num_frames - 1);
    record_barrier(&h, cmd, images[0], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    record_barrier(&h, cmd, images[1], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    enum weir_result result = weir_cmd_palette(palette, cmd,
                                               WEIR_REF(weir_palette_run, .source = source,
                                                        .output = output, .num_colors = NUM_COLORS,
                                                        .keep_rare = true));
    record_read(&h, cmd, images[1], VK_IMAGE_LAYOUT_GENERAL, 0, buffer, 0);
    host_check(weir_gpu_run(h.gpu, cmd) == WEIR_OK, "a submission");

    // The palette itself, when the GPU is done.
    uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS];
    const uint32_t num = weir_palette_get_colors(palette, colors);
    printf("%s: %u colours to %u:", h.output, weir_palette_get_stats(palette).num_colors, num);
    for (uint32_t i = 0; i < num; i++) {
        printf(" #%06x", colors[i]);
    }
    printf("\n");
    if (result >= WEIR_OK) {
        result = host_write_png(h.output, h.width, h.height, data);
    }
    weir_palette_destroy(&palette);
    weir_image_destroy(&source);
    weir_image_destroy(&output);
    weir_context_destroy(&weir);
    host_close(&h);
    return result >= WEIR_OK ? 0 : 1;
}
