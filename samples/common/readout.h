// SPDX-License-Identifier: MIT
// Rendered frames in host memory, for --picture and what a sample reads. Recording needs none.
#ifndef SAMPLE_READOUT_H
#define SAMPLE_READOUT_H

#include "gpu.h"

struct readout {
    struct weir_gpu_buffer buffer; // four bytes a texel, in the image's order
    uint32_t width, height;
    bool bgr; // the image's order is blue, green, red, alpha
};

// Make the memory, which the device owns.
bool readout_init(struct gpu *gpu, VkFormat format, uint32_t width, uint32_t height,
                  struct readout *readout);

// Record a copy of `image` after the picture's rendering. It is in `layout` before and after.
void readout_record(const struct readout *readout, const struct gpu *gpu, VkCommandBuffer cmd,
                    VkImage image, VkImageLayout layout);

// Make red, green and blue of the texels when the GPU has executed the copy, in place. Write these.
const uint8_t *readout_convert(struct readout *readout);
bool readout_write_png(const struct readout *readout, const struct gpu *gpu, const char *path);

#endif
