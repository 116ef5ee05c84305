// SPDX-License-Identifier: MIT
// The inside of a borrowed buffer.
#ifndef WEIR_FRAME_BUFFER_H
#define WEIR_FRAME_BUFFER_H

#include <weir/frame.h>

#include "vk/context.h"
#include "vk/descriptors.h"

struct weir_buffer {
    weir_context *context;
    struct weir_buffer_params params;
    struct weir_vk_descriptor_set set;
};

#endif
