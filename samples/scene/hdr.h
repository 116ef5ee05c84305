// SPDX-License-Identifier: MIT
// The scene's light as an image that effects read, and the last pass, which shows it.
#ifndef SAMPLE_HDR_H
#define SAMPLE_HDR_H

#include "renderer.h"
#include "screen.h"

#define HDR_FORMAT VK_FORMAT_R16G16B16A16_SFLOAT

// Make the image of light for pictures of this size, in VK_IMAGE_LAYOUT_GENERAL, without an upper
// bound, and resize the renderer, which draws to HDR_FORMAT and keeps the depth. `usage` is what
// the light needs beside being an attachment and being sampled. The GPU must not be using them.
bool hdr_resize(struct renderer *renderer, VkImageUsageFlags usage, uint32_t width, uint32_t height,
                struct gpu_image *light);

// The last pass: light and what an effect adds to it, exposed and developed into the image that is
// shown. screen_finish() destroys it.
bool hdr_show_init(const struct gpu *gpu, const struct sample_images *images,
                   struct screen *screen);

// Set the size of the pictures, their light, and what is added to it, which may have any size. One
// texel, `stops`, is the exposure that adapts [stops]; VK_NULL_HANDLE: there is none. All are in
// VK_IMAGE_LAYOUT_GENERAL. The GPU must not be using `screen` during this call.
bool hdr_show_resize(struct screen *screen, const struct gpu_image *light, VkImageView added,
                     VkImageView stops);

// Record the pass. What is added is multiplied by `strength`; if that is 0 it is not read. The sum
// is multiplied by `exposure` and, if it adapts, exposed by `stops` too.
void hdr_show(const struct screen *screen, VkCommandBuffer cmd, const struct gpu_image *image,
              float strength, float exposure, bool adapts);

#endif
