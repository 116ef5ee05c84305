// SPDX-License-Identifier: MIT
// Mip levels of loaded textures: one call for each image. weir/pyramid.h is for images whose levels
// are made again and again, such as those of effects.
#pragma once

#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/image.h>
#include <weir/pyramid.h>
#include <weir/result.h>

// A generator of levels for images of any size and any format of weir_pyramid_format_list(). One
// thread at a time may use it.
typedef struct weir_mips weir_mips;

// All pointers are read during weir_mips_create() only.
struct weir_mips_params {
    const char *debug_tag;
    // MEAN, or ALPHA_MEAN for straight alpha, or MIN, MAX, MIN_MAX, LUMA_MEAN. Not CUSTOM.
    enum weir_pyramid_reduction reduction;
    enum weir_pyramid_precision precision;
    // The most calls whose commands have not yet been executed, 1 .. 1024. 0 = 16. The call after
    // them uses the views and descriptors of the first one again, and does not wait for it.
    uint32_t max_in_flight;
};
#define weir_mips_params(...) WEIR_PARAMS(weir_mips_params, __VA_ARGS__)

// Make a generator. Kernels are compiled when an image of their format comes.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN.
// Thread safety: any thread.
WEIR_API enum weir_result weir_mips_create(weir_context *context,
                                           const struct weir_mips_params *params, weir_mips **out);
// Destroy a generator, whose commands have been executed. NULL is allowed; sets `*mips` to NULL.
WEIR_API void weir_mips_destroy(weir_mips **mips);

// Get the params that the generator was made with, defaults filled in; debug_tag is NULL. All
// fields are zero for NULL. Thread-safe.
WEIR_API struct weir_mips_params weir_mips_get_params(const weir_mips *mips);

// The uses of the image before and after. Zero is a texture that was copied to its first level and
// is sampled next.
struct weir_mips_uses {
    // The layout of the first level, and the stages and accesses that wrote it. 0 =
    // TRANSFER_DST_OPTIMAL and its copies. What other levels hold is lost, in any layout.
    VkImageLayout src_layout;
    VkPipelineStageFlags2 src_stages;
    VkAccessFlags2 src_access;
    // The layout of all levels afterwards, and the stages and accesses that use them. 0 =
    // SHADER_READ_ONLY_OPTIMAL, read by any shader.
    VkImageLayout dst_layout;
    VkPipelineStageFlags2 dst_stages;
    VkAccessFlags2 dst_access;
};

// Record how all levels of an image, `image->levels`, are made of its first one, for all layers.
//
// Handles: pipelines, views, descriptors, and all barriers and layouts. Allocates nothing, except
// for the first image of a format, whose kernels are compiled.
// Caller: the image has the usage SAMPLED and STORAGE, and the create flags of
// weir_pyramid_format_info; where the device lacks what kernels need, TRANSFER_SRC and TRANSFER_DST
// (weir_pyramid_create() says what is needed). The queue family that executes `cmd` owns it; `cmd`
// is outside a render pass. `concurrent` and `transfer` of the params are not read.
// Borrows the VkImage until `cmd` has been executed. `uses` may be NULL: all fields 0.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (the log names the format, usage, flag or
// limit), WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN. Nothing is recorded
// then.
// Thread safety: one thread at a time.
WEIR_API enum weir_result weir_cmd_generate_mips(weir_mips *mips, VkCommandBuffer cmd,
                                                 const struct weir_image_params *image,
                                                 const struct weir_mips_uses *uses);
