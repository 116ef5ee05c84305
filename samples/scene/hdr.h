// SPDX-License-Identifier: MIT
// The scene's light as an image that effects read, and the last pass, which shows it.
#ifndef SAMPLE_HDR_H
#define SAMPLE_HDR_H

#include "renderer.h"
#include "screen.h"

#define HDR_FORMAT VK_FORMAT_R16G16B16A16_SFLOAT

// Make the image of light for pictures of this size, in VK_IMAGE_LAYOUT_GENERAL, without an upper
// bound, and resize the renderer, which draws to HDR_FORMAT and keeps the depth. `usage` is what
// the light needs beside being an attachment and being sampled.
bool hdr_resize(struct renderer *renderer, VkImageUsageFlags usage, uint32_t width, uint32_t height,
                struct gpu_image *light);

// The last pass: light and what an effect adds to it, exposed and developed into the image that is
// shown.
bool hdr_show_init(struct gpu *gpu, const struct sample_images *images, struct screen *screen);

// What the pass shows. The images may have any size and are in VK_IMAGE_LAYOUT_GENERAL.
struct hdr_light {
    VkImageView scene;
    VkImageView added; // times `strength`; with 0 it is not read
    VkImageView stops; // one texel: the exposure that adapts [stops]; null: there is none
    float strength, exposure;
};
void hdr_show(const struct screen *screen, VkCommandBuffer cmd, const struct gpu_image *image,
              const struct hdr_light *light);

#endif
