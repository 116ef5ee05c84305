// SPDX-License-Identifier: MIT
// What the host of the minimal samples records: a picture, barriers, and copies to host memory.
#ifndef WEIR_SAMPLES_MINIMAL_COMMANDS_H
#define WEIR_SAMPLES_MINIMAL_COMMANDS_H

#include <stdint.h>
#include <vulkan/vulkan.h>

#include "host.h"

// Paint hills at dusk, whose left edge goes on at the right one: sRGB codes, four bytes a texel.
void paint_picture(uint8_t *texels, uint32_t width, uint32_t height);

// Record the picture of a frame, which has moved by SPEED texels since the one before, to level 0
// of an image that was not used or may be drawn again. Its levels are in TRANSFER_DST_OPTIMAL then.
enum { SPEED = 4 };
void record_picture(const struct host *h, VkCommandBuffer cmd,
                    const struct weir_image_params *image, uint32_t frame);

// Record the copy of an image in GENERAL to the one that the window shows next, scaled.
void record_show(const struct host *h, VkCommandBuffer cmd, const struct weir_image_params *image);

// Record the barrier of all levels of an image between uses in two layouts: TRANSFER_DST and _SRC
// are for copies, SHADER_READ_ONLY and GENERAL for compute kernels, UNDEFINED is before the first.
void record_barrier(const struct host *h, VkCommandBuffer cmd,
                    const struct weir_image_params *image, VkImageLayout before,
                    VkImageLayout after);

// Record the copy of a level of an image to host memory. The image is in a layout of the above, and
// then in TRANSFER_SRC_OPTIMAL unless it was in GENERAL.
void record_read(const struct host *h, VkCommandBuffer cmd, const struct weir_image_params *image,
                 VkImageLayout layout, uint32_t level, VkBuffer to, VkDeviceSize offset);

#endif
