// SPDX-License-Identifier: MIT
// The inside of a borrowed buffer.
#pragma once

#include <weir/frame.h>

#include "vk/context.h"
#include "vk/descriptors.h"

struct weir_buffer {
    weir_context *context;
    struct weir_buffer_params params;
    struct weir_vk_descriptor_set set;
};

// Check that there is a buffer, that it belongs to the context, and that `size` bytes at an offset,
// a multiple of `unit`, lie in it. `name` is what the caller calls it, as in "weir_encode.buffer".
// Returns WEIR_OK, or logs the reason.
enum weir_result weir_buffer_check_room(const weir_buffer *buffer, const weir_context *context,
                                        const char *name, uint64_t offset, uint64_t size,
                                        uint32_t unit);
