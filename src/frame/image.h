// SPDX-License-Identifier: MIT
// The inside of a borrowed image.
#ifndef WEIR_FRAME_IMAGE_H
#define WEIR_FRAME_IMAGE_H

#include <weir/frame.h>

#include "frame/source.h"
#include "vk/context.h"
#include "vk/descriptors.h"
#include "vk/memory.h"

struct weir_image {
    weir_context *context;
    uint64_t number; // no other image of the context has or had it
    struct weir_image_params params;
    struct weir_source source;
    struct weir_vk_image shadow; // a copy that kernels read, where the image itself lacks SAMPLED
    VkImageView view;            // of the image, or of its shadow
    struct weir_vk_descriptor_set set;
};

#endif
