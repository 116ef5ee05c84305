// SPDX-License-Identifier: MIT
// Rendered frames in host memory, for --picture and what a sample reads. Recording needs none.
#include "loop.h"

#include <string.h>

#include <weir/still.h>

#include "report.h"

bool readout_init(struct gpu *gpu, VkFormat format, uint32_t width, uint32_t height,
                  struct readout *readout)
{
    *readout = (struct readout){
        .width = width,
        .height = height,
        .bgr = format == VK_FORMAT_B8G8R8A8_SRGB || format == VK_FORMAT_B8G8R8A8_UNORM,
    };
    return gpu_buffer_init(gpu, 4 * (VkDeviceSize)width * height, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                           WEIR_GPU_MEMORY_HOST, &readout->buffer);
}

void readout_record(const struct readout *readout, const struct gpu *gpu, VkCommandBuffer cmd,
                    VkImage image, VkImageLayout layout)
{
    const struct weir_image_params params = {
        .image = image, .width = readout->width, .height = readout->height};
    // The end of the rendering has made the image visible to transfers.
    const struct weir_gpu_scope drawn = {VK_PIPELINE_STAGE_TRANSFER_BIT, 0, layout};
    const struct weir_gpu_scope copied = {VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                                          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    weir_cmd_download(gpu->work, cmd,
                      &(struct weir_gpu_copy){
                          .image = &params, .buffer = readout->buffer.buffer, .scope = drawn});
    weir_cmd_barrier(gpu->work, cmd, &params, copied, drawn);
}

const uint8_t *readout_convert(struct readout *readout)
{
    const size_t texels = (size_t)readout->width * readout->height;
    const int red = readout->bgr ? 2 : 0;
    const uint8_t *in = readout->buffer.mapped;
    uint8_t *out = readout->buffer.mapped;
    for (size_t i = 0; i < texels; ++i, in += 4, out += 3) {
        const uint8_t rgb[3] = {in[red], in[1], in[2 - red]};
        memcpy(out, rgb, sizeof(rgb));
    }
    return readout->buffer.mapped;
}

bool readout_write_png(const struct readout *readout, const struct gpu *gpu, const char *path)
{
    const struct weir_log log = weir_context_get_log(gpu->weir);
    const struct weir_still still = {.width = readout->width,
                                     .height = readout->height,
                                     .num_channels = 3,
                                     .pixels = readout->buffer.mapped};
    return weir_ok(weir_still_write_png(path, &still, &log), path);
}
