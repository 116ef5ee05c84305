// SPDX-License-Identifier: MIT
// Depth buffers, which weir-bench pyramid makes pyramids of.
#ifndef WEIR_TESTS_BENCH_PYRAMID_DEPTH_H
#define WEIR_TESTS_BENCH_PYRAMID_DEPTH_H

#include "capture/weir/gpu/images.h"

// Make depth buffers in D32_SFLOAT, one for each of `images` and as large, with the texels of their
// level 0. These are R32_SFLOAT in 0 .. 1, with usage TRANSFER_SRC, in VK_IMAGE_LAYOUT_GENERAL, as
// the depth buffers are then too. Needs a queue with graphics. As cli_images_init().
enum weir_result bench_pyramid_depths_init(struct cli_images *depths,
                                           const struct cli_images *images, char *why,
                                           size_t why_size);

#endif
