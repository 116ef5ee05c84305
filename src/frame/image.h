// SPDX-License-Identifier: MIT
// The inside of a borrowed image.
#ifndef WEIR_FRAME_IMAGE_H
#define WEIR_FRAME_IMAGE_H

#include <weir/image.h>

#include "frame/source_format.h"
#include "vk/context.h"
#include "vk/descriptors.h"
#include "vk/memory.h"

struct weir_image {
    weir_context *context;
    uint64_t number; // no other image of the context has or had it
    struct weir_image_params params;

    // How encoders and the palette read it. Null where they do not: weir_image_check_read() says
    // why.
    struct weir_source_format source;
    struct weir_vk_image shadow; // a copy that kernels read, where the image itself lacks SAMPLED
    VkImageView view;            // of the image, or of its shadow
    struct weir_vk_descriptor_set set;

    // How the palette writes level 0 of layer 0. Null where it does not.
    VkImageView storage_view;
    struct weir_vk_descriptor_set storage_set;
};

// WEIR_OK, or why no encoder and no palette reads the image, told to `log`.
enum weir_result weir_image_check_read(const weir_image *image, const struct weir_log *log);

// WEIR_OK, or why no palette writes the image, told to `log`.
enum weir_result weir_image_check_written(const weir_image *image, const struct weir_log *log);

#endif
