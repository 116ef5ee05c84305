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
    uint64_t number; // unique among all images that the context ever had
    struct weir_image_params params;

    // The view and set by which encoders and the palette read the image. Null if they cannot read
    // it; weir_image_check_read() says why.
    struct weir_source_format source;
    struct weir_vk_image shadow; // a copy that kernels read, where the image itself lacks SAMPLED
    VkImageView view;            // of the image, or of its shadow
    struct weir_vk_descriptor_set set;

    // The view and set by which the palette, and encoders their proxy, write level 0 of layer 0.
    // Null if they cannot.
    VkImageView storage_view;
    struct weir_vk_descriptor_set storage_set;
};

// Check that there is an image, and that it belongs to the context. `name` is what the caller calls
// it, as in "weir_frame.image". Returns WEIR_OK, or logs the reason.
enum weir_result weir_image_check(const weir_image *image, const weir_context *context,
                                  const char *name);

// Check that encoders and the palette can read the image. Returns WEIR_OK, or logs the reason.
enum weir_result weir_image_check_read(const weir_image *image, const struct weir_log *log);

// Check that kernels can write the image, as above. Returns WEIR_OK, or logs the reason.
enum weir_result weir_image_check_written(const weir_image *image, const struct weir_log *log);

#endif
