// SPDX-License-Identifier: MIT
// The layouts of the images of weir-bench palette, and the copy of one to the other.
#ifndef WEIR_TESTS_BENCH_PALETTE_IMAGES_H
#define WEIR_TESTS_BENCH_PALETTE_IMAGES_H

#include "capture/weir/gpu/picture.h"
#include "tests/bench/palette/palette.h"
#include "tests/bench/stopwatch.h"

// Record that an image of this program goes from one layout to another, between any uses of it.
void bench_palette_images_change(VkCommandBuffer commands, const struct cli_image *image,
                                 VkImageLayout from, VkImageLayout to);

// Time a copy of the source into the other image, whose content and layout are lost.
enum weir_result bench_palette_images_copy(const struct cli_picture *picture,
                                           struct cli_timer *watch, double *ns);

#endif
