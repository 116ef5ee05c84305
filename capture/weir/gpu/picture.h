// SPDX-License-Identifier: MIT
// Pictures of RGBA8 on the device, one at a time, and the image that a palette reduction writes.
#ifndef WEIR_CAPTURE_WEIR_GPU_PICTURE_H
#define WEIR_CAPTURE_WEIR_GPU_PICTURE_H

#include "capture/weir/gpu/gpu.h"

// A zeroed one may be finished.
struct cli_picture {
    struct cli_gpu *gpu;
    struct weir_gpu_buffer staging;
    struct cli_image source; // in SHADER_READ_ONLY_OPTIMAL
    struct cli_image image;  // of the same size, which kernels write
};

// Upload a picture, whose rows have no gaps, into the source; both images are made anew if its size
// differs. `name` is the picture's, for messages. Prints the reason of a failure. Finish it in any
// case.
enum weir_result cli_picture_upload(struct cli_picture *picture, struct cli_gpu *gpu,
                                    const char *name, VkExtent2D size, const uint8_t *rgba);
void cli_picture_finish(struct cli_picture *picture);

// Read the image, which is in SHADER_READ_ONLY_OPTIMAL, and is not afterwards. The rows have no
// gaps. Prints the reason of a failure.
enum weir_result cli_picture_download(struct cli_picture *picture, uint8_t *rgba);

#endif
