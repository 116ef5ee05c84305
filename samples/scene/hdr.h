// SPDX-License-Identifier: MIT
// The scene's light and depth, as images that effects read before anything is shown.
#ifndef SAMPLE_HDR_H
#define SAMPLE_HDR_H

#include <weir/image.h>

#include "passes.h"

#define HDR_FORMAT VK_FORMAT_R16G16B16A16_SFLOAT

struct hdr {
    struct gpu_image light;    // without an upper bound; VK_IMAGE_LAYOUT_GENERAL
    VkFramebuffer framebuffer; // draws the scene to it
    // Weir's handles of the light, and of `depth_texture` of the passes.
    weir_image *weir_light, *weir_depth;
};

// Make the images for pictures of this size, with the attachments of the passes, which draw to
// HDR_FORMAT and keep the depth. The light can be an attachment and be sampled; `usage` is what
// it needs beside that. The GPU must not be using the images during this call or hdr_finish().
bool hdr_resize(const struct gpu *gpu, struct passes *passes, VkImageUsageFlags usage,
                uint32_t width, uint32_t height, struct hdr *hdr);
void hdr_finish(const struct gpu *gpu, struct hdr *hdr);

#endif
