// SPDX-License-Identifier: MIT
// The ways in which kernels turn the texels of a format into code values.
#ifndef WEIR_FRAME_SOURCE_FORMAT_H
#define WEIR_FRAME_SOURCE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/image.h>
#include <weir/log.h>

#include "shaders/color/constants.h"

struct weir_source_format {
    uint32_t kind; // WEIR_SOURCE_*
    VkFormat view_format;
    enum weir_transfer transfer; // never WEIR_TRANSFER_DEFAULT
};

// Find the way in which kernels read an image of this format, flags and transfer. False if no
// kernel can.
bool weir_source_format_find(VkFormat format, VkImageCreateFlags flags, enum weir_transfer transfer,
                             struct weir_source_format *out);

// Do the same, but log an error that names the value at fault.
enum weir_result weir_source_format_check(const struct weir_log *log, VkFormat format,
                                          VkImageCreateFlags flags, enum weir_transfer transfer,
                                          struct weir_source_format *out);

#endif
