// SPDX-License-Identifier: MIT
// Mip pyramids: every level of an image from the level before it, on the GPU, at any size.
#ifndef WEIR_PYRAMID_H
#define WEIR_PYRAMID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/image.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// How the levels are made. docs/pyramid.md explains and measures each.
enum weir_pyramid_method {
    WEIR_PYRAMID_AUTO = 0,    // SINGLE; BLIT where kernels cannot write the format
    WEIR_PYRAMID_SINGLE = 1,  // one dispatch for the whole chain of any size
    WEIR_PYRAMID_HYBRID = 2,  // FAST where both sides divide by 4, else GENERAL
    WEIR_PYRAMID_FAST = 3,    // 1 to 6 levels a dispatch; sides that divide by 2 at every step only
    WEIR_PYRAMID_GENERAL = 4, // two levels a dispatch, any size
    WEIR_PYRAMID_SUBGROUP = 5,  // 5 levels a dispatch by shuffles; sides as for FAST
    WEIR_PYRAMID_PER_LEVEL = 6, // one level a dispatch, any size
    WEIR_PYRAMID_BLIT = 7, // vkCmdBlitImage: a queue with graphics, MEAN only, wrong at odd sizes
};

struct weir_pyramid_method_info {
    enum weir_pyramid_method method;
    const char *name;        // as on command lines: "single"
    const char *description; // one line
};
// The table of methods and its length. Thread-safe. Pure.
WEIR_API const struct weir_pyramid_method_info *weir_pyramid_method_list(size_t *num_methods);
// The facts of a method; NULL for a value that is none. Thread-safe. Pure.
WEIR_API const struct weir_pyramid_method_info *weir_pyramid_method_get_info(
    enum weir_pyramid_method method);
// The method of that name; false where there is none. Thread-safe. Pure.
WEIR_API bool weir_pyramid_method_by_name(const char *name, enum weir_pyramid_method *method);

// What a texel is made of: the 1, 2 or 3 texels an axis of the level before that lie under it.
// Sides halve rounding down; a side of odd S > 1 has three taps an axis, weighted by the exact
// share of each (NVIDIA, "Non-Power-of-Two Mipmap Creation", 2005), so that the mean of every level
// is that of level 0.
enum weir_pyramid_reduction {
    WEIR_PYRAMID_MEAN = 0,       // weighted mean, in linear light
    WEIR_PYRAMID_ALPHA_MEAN = 1, // colour weighted by alpha as well; straight alpha in and out
    WEIR_PYRAMID_MIN = 2, // of each channel, over every texel under it: exact, no hole at odd sizes
    WEIR_PYRAMID_MAX = 3,
    // min in R, max in G. Read from a source of one channel, else from R and G
    WEIR_PYRAMID_MIN_MAX = 4,
    // first step: each texel weighted by 1 / (1 + luma) (Karis 2013), which keeps a bloom from
    // flickering; the steps after it are MEAN
    WEIR_PYRAMID_LUMA_MEAN = 5,
    WEIR_PYRAMID_CUSTOM = 6, // weir_pyramid_params.kernel
};

struct weir_pyramid_reduction_info {
    enum weir_pyramid_reduction reduction;
    const char *name;        // as on command lines: "min_max"
    const char *description; // one line
};
// The table of reductions and its length. Thread-safe. Pure.
WEIR_API const struct weir_pyramid_reduction_info *weir_pyramid_reduction_list(
    size_t *num_reductions);
// The facts of a reduction; NULL for a value that is none. Thread-safe. Pure.
WEIR_API const struct weir_pyramid_reduction_info *weir_pyramid_reduction_get_info(
    enum weir_pyramid_reduction reduction);
// The reduction of that name; false where there is none. Thread-safe. Pure.
WEIR_API bool weir_pyramid_reduction_by_name(const char *name,
                                             enum weir_pyramid_reduction *reduction);

// A format that levels can be written in.
struct weir_pyramid_format_info {
    VkFormat format;
    const char *name; // as on command lines: "rgba8_srgb"
    VkFormat store;   // the view that kernels write through; another than `format` for SRGB
    // that an image needs: MUTABLE_FORMAT and EXTENDED_USAGE for SRGB, else 0
    VkImageCreateFlags flags;
    uint32_t red_bits;     // as many as the others' but for A2B10G10R10 and B10G11R11
    uint32_t num_channels; // 1 .. 4
    uint32_t texel_size;   // [bytes]
    bool is_srgb;          // decoded on load, averaged in linear light, encoded on store
    bool is_float;
};
// The table of formats and its length. Thread-safe. Pure.
WEIR_API const struct weir_pyramid_format_info *weir_pyramid_format_list(size_t *num_formats);
// The facts of a format; NULL for one that levels cannot be written in. Thread-safe. Pure.
WEIR_API const struct weir_pyramid_format_info *weir_pyramid_format_get_info(VkFormat format);
// The format of that name; false where there is none. Thread-safe. Pure.
WEIR_API bool weir_pyramid_format_by_name(const char *name, VkFormat *format);

// floor(log2(max(width, height))) + 1; 0 for an empty image. Pure.
WEIR_API uint32_t weir_pyramid_full_chain(uint32_t width, uint32_t height);
// The size of a level: max(1, side >> level) of both sides of level 0. `level` is at most 31. Pure.
WEIR_API VkExtent2D weir_pyramid_level_extent(uint32_t width, uint32_t height, uint32_t level);

// A way to make pyramids of one kind: pipelines, no size. Immutable; may record into several
// command buffers at a time.
typedef struct weir_pyramid weir_pyramid;

// All pointers are read during weir_pyramid_create() only.
struct weir_pyramid_params {
    const char *debug_tag;
    enum weir_pyramid_method method;
    enum weir_pyramid_reduction reduction;
    VkFormat format; // of the levels; required, in weir_pyramid_format_list()

    // The input is another image, converted on the way: a swapchain image, a depth buffer, a frame
    // in another format. Any sampled format whose view answers floats; D16 and D32 too. 0: the
    // input is the first level of the image itself.
    VkFormat source_format;

    // of a target: more than one are made in one dispatch (SINGLE, where the device has dynamic
    // indexing of images) or in dispatches side by side. 0 = 1
    uint32_t max_images;

    // MEAN of 8-bit SRGB formats: let the sampler decode and average, as it does with UNORM.
    // Faster, and as exact as the device: NVIDIA's sampler is up to 1.4 codes off. By default
    // texels are fetched one by one, and so are they where a side is odd, or above 4096 and no
    // power of two.
    bool filter_srgb;

    // SINGLE, FAST, HYBRID, SUBGROUP: shared memory where invocations of a subgroup would exchange
    // texels. What a device without shuffles or subgroup size control gets anyway; for tests, and
    // for bug hunts.
    bool no_subgroups;

    // CUSTOM only: SPIR-V of a kernel that includes weir/pyramid_custom.glsl and defines what a tap
    // is worth, how taps join and what is stored. METHOD is AUTO or SINGLE then.
    // It must have been compiled for this library's WEIR_PYRAMID_CUSTOM_VERSION.
    const uint32_t *kernel;
    size_t kernel_size; // [bytes]
};
#define weir_pyramid_params(...) WEIR_PARAMS(weir_pyramid_params, __VA_ARGS__)

// Make the pipelines (milliseconds; use the context's pipeline cache).
// Requires of the device: shaderStorageImageWriteWithoutFormat, and STORAGE_IMAGE of the format's
// `store` view; BLIT: blit and linear filtering of the format, and a context on a queue with
// graphics. AUTO takes BLIT, with a line in the log, where that is all there is.
// SINGLE is fastest with shaderStorageImageArrayDynamicIndexing, subgroupSizeControl and
// computeFullSubgroups enabled, and shuffles among 32 invocations or more.
// Errors: WEIR_ERROR_INVALID (also for a kernel of another version), WEIR_ERROR_UNSUPPORTED (a format, a feature or a limit, by name),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. Thread safety: any thread.
WEIR_API enum weir_result weir_pyramid_create(weir_context *context,
                                              const struct weir_pyramid_params *params,
                                              weir_pyramid **out);
// Its targets must be gone. NULL is allowed; sets `*pyramid` to NULL.
WEIR_API void weir_pyramid_destroy(weir_pyramid **pyramid);

// The params that it was made with, AUTO resolved; debug_tag and kernel are NULL. All zero for NULL.
// Thread-safe.
WEIR_API struct weir_pyramid_params weir_pyramid_get_params(const weir_pyramid *pyramid);

// What the images must allow and what the recorded work does, for the caller's barriers.
struct weir_pyramid_scope {
    VkImageUsageFlags usage; // of the image: SAMPLED and STORAGE; BLIT: TRANSFER_SRC and _DST
    VkImageUsageFlags source_usage; // of a source: SAMPLED
    VkPipelineStageFlags stages;    // in which the image is read and written
    VkAccessFlags reads, writes;    // in those stages
};
WEIR_API struct weir_pyramid_scope weir_pyramid_get_scope(const weir_pyramid *pyramid);

// Images bound to a pyramid: views, descriptors, and the scratch memory of one run. Immutable; two
// runs on the same target must not overlap in time, as they would write the same texels.
typedef struct weir_pyramid_target weir_pyramid_target;

// All pointers are read during weir_pyramid_target_create() only.
struct weir_pyramid_target_params {
    const char *debug_tag;
    // Required: one image, or as many as the pyramid's max_images allow, all of the pyramid's format
    // and of one size, with as many levels and layers. Their usage and flags are those that
    // weir_pyramid_get_scope() and weir_pyramid_format_info.flags name.
    const weir_image *const *images;
    uint32_t num_images; // 0 = 1
    // The levels to make: from first_level, which is the input unless there is a source, to
    // last_level. 0 and 0: all.
    uint32_t first_level;
    uint32_t last_level; // 0 = the last one of the images

    // Where the pyramid has a source_format: one image for each of `images`, of that format, with as
    // many layers and usage SAMPLED. Level 0 of it is either as large as `first_level`, which becomes
    // a converted copy of it; or it is the level above it (max(1, width >> 1) is the width of
    // first_level, and the same for heights), which is reduced to it.
    const weir_image *const *sources;
    VkImageLayout source_layout; // of the sources when the work runs; 0 = SHADER_READ_ONLY_OPTIMAL
};
#define weir_pyramid_target_params(...) WEIR_PARAMS(weir_pyramid_target_params, __VA_ARGS__)

// Bind images: once for each image, again after it was made anew.
// Borrows the pyramid and the VkImages until it is destroyed; the weir_images may go before.
// Errors: WEIR_ERROR_INVALID (a field out of range, a level beyond the chain, a missing source),
// WEIR_ERROR_UNSUPPORTED (a usage or create flag that is missing, a size that FAST or SUBGROUP
// cannot do, a device limit; the log names it), WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN.
// Thread safety: any thread.
WEIR_API enum weir_result weir_pyramid_target_create(
    const weir_pyramid *pyramid, const struct weir_pyramid_target_params *params,
    weir_pyramid_target **out);
// Must not be in use by the GPU. NULL is allowed; sets `*target` to NULL.
WEIR_API void weir_pyramid_target_destroy(weir_pyramid_target **target);

// The params that it was made with, defaults filled in; pointers are NULL. All zero for NULL.
// Thread-safe.
WEIR_API struct weir_pyramid_target_params weir_pyramid_target_get_params(
    const weir_pyramid_target *target);
// How many dispatches (BLIT: blits) one run records; 0 where there is nothing to do, and for
// NULL. Thread-safe.
WEIR_API uint32_t weir_pyramid_target_get_num_dispatches(const weir_pyramid_target *target);

// One run.
struct weir_pyramid_run {
    // Who wrote the input, and who reads or overwrites the levels before and after: Weir joins them
    // into the barriers that it records anyway. All 0: the caller has placed those barriers.
    VkPipelineStageFlags src_stages, dst_stages;
    VkAccessFlags src_access, dst_access;

    float user[4]; // CUSTOM: what the kernel sees as weir_user
};

// Record one run: the chain's levels from its input.
//
// Handles: its pipelines, descriptors and push constants; a barrier that orders it after the last
// run on the target, and one between its own dispatches; the caller's, as far as weir_pyramid_run
// names them.
// Caller: the images in VK_IMAGE_LAYOUT_GENERAL, the sources in source_layout, owned by the queue
// family that executes `cmd`; outside a render pass. BLIT needs a queue with graphics, the others
// one with compute.
// Borrows the target until `cmd` has finished executing. Allocates nothing. `run` may be NULL: all
// zero. A chain of one level without a source has no dispatch and succeeds: it records a barrier
// from src_stages to dst_stages, for either of which weir_pyramid_scope.stages stands where it is
// 0, and nothing where both are.
// Errors: WEIR_ERROR_INVALID (NULL), WEIR_ERROR_DEVICE_LOST.
// Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_pyramid(const weir_pyramid_target *target, VkCommandBuffer cmd,
                                           const struct weir_pyramid_run *run);

#ifdef __cplusplus
}
#endif
#endif
