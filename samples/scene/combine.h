// SPDX-License-Identifier: MIT
// The last pass of effects: light and what an effect adds to it, exposed and developed into the
// image that is shown. The screen is finished, and its framebuffers are made, by screen.h.
#ifndef SAMPLE_COMBINE_H
#define SAMPLE_COMBINE_H

#include "screen.h"

bool combine_init(const struct gpu *gpu, const struct sample_images *images, struct screen *screen);

// Set the size of the pictures, their light, and what is added to it, which may have any size. One
// texel, `stops`, is the exposure that adapts [stops]; VK_NULL_HANDLE: there is none. All are in
// VK_IMAGE_LAYOUT_GENERAL. The GPU must not be using `screen` during this call.
bool combine_resize(struct screen *screen, VkImageView hdr, VkImageView added, VkImageView stops,
                    uint32_t width, uint32_t height);

// Record the pass. What is added is multiplied by `strength`; if that is 0 it is not read. The sum
// is multiplied by `exposure` and, if it adapts, exposed by `stops` too.
void combine_record(const struct screen *screen, VkCommandBuffer cmd, VkFramebuffer framebuffer,
                    float strength, float exposure, bool adapts);

#endif
