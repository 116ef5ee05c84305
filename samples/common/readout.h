// SPDX-License-Identifier: MIT
// Rendered frames in host memory, for --picture and what a sample reads. Recording needs none.
#ifndef SAMPLE_READOUT_H
#define SAMPLE_READOUT_H

#include "gpu.h"

struct readout {
    struct weir_gpu_buffer buffer; // four bytes a texel, in the image's order
    uint8_t *rgb;                  // three bytes a texel
    uint32_t width, height;
    bool bgr; // the image's order is blue, green, red, alpha
};

bool readout_init(const struct gpu *gpu, VkFormat format, uint32_t width, uint32_t height,
                  struct readout *readout);
void readout_finish(const struct gpu *gpu, struct readout *readout);

// Record a copy of `image` after the picture's rendering. It is in `layout` before and after.
void readout_record(const struct readout *readout, const struct gpu *gpu, VkCommandBuffer cmd,
                    VkImage image, VkImageLayout layout);

// Get the copied texels, `rgb`, or write them. The GPU must have executed the copy.
const uint8_t *readout_convert(struct readout *readout);
bool readout_write_png(struct readout *readout, const struct gpu *gpu, const char *path);

#endif
