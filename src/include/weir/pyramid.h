// SPDX-License-Identifier: MIT
// Mip pyramids: computes every mip level of an image from the level before it, on the GPU, for
// images of any size.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/image.h>
#include <weir/result.h>

// How the levels are computed. docs/pyramid.md explains and measures each method.
enum weir_pyramid_method {
    // SINGLE, or HYBRID for squares of powers of two where that was measured to be faster
    // (weir_pyramid_target_get_method() says which); BLIT if kernels cannot write the format. With
    // PRECISION_FAST PER_LEVEL makes the first levels of large odd images in 8-bit UNORM
    WEIR_PYRAMID_AUTO = 0,
    WEIR_PYRAMID_SINGLE = 1,  // one dispatch for the whole chain, any size
    WEIR_PYRAMID_HYBRID = 2,  // FAST where both sides divide by 4, else GENERAL
    WEIR_PYRAMID_FAST = 3,    // 1 to 6 levels a dispatch; only sides that divide by 2 at every step
    WEIR_PYRAMID_GENERAL = 4, // 2 levels a dispatch, any size
    WEIR_PYRAMID_SUBGROUP = 5,  // 5 levels a dispatch by subgroup shuffles; sides as for FAST
    WEIR_PYRAMID_PER_LEVEL = 6, // 1 level a dispatch, any size
    WEIR_PYRAMID_BLIT = 7,      // vkCmdBlitImage: needs graphics, MEAN only, wrong at odd sizes
};

// The constant facts of a method.
struct weir_pyramid_method_info {
    enum weir_pyramid_method method;
    const char *name;        // as on command lines: "single"
    const char *description; // one line
};
// Get the table of methods; `*num_methods`, if it is not NULL, becomes its length. Thread-safe.
// Pure.
WEIR_API const struct weir_pyramid_method_info *weir_pyramid_method_list(size_t *num_methods);
// Get the facts of a method, or NULL for an unknown value. Thread-safe. Pure.
WEIR_API const struct weir_pyramid_method_info *weir_pyramid_method_get_info(
    enum weir_pyramid_method method);
// Find a method by its name. Returns false where there is none of that name, and for NULL.
// Thread-safe. Pure.
WEIR_API bool weir_pyramid_method_by_name(const char *name, enum weir_pyramid_method *method);

// The function that computes a texel from its taps, the texels that it covers in the level before.
// The side of a level is half of the side before, rounded down. Along an axis there is one tap if
// the side before is 1, two if it is even, and three if it is odd, weighted by the exact area of
// each (NVIDIA, "Non-Power-of-Two Mipmap Creation", 2005). So every level has the mean of level 0.
enum weir_pyramid_reduction {
    WEIR_PYRAMID_MEAN = 0, // weighted mean, in linear light
    // As MEAN, with colours weighted by alpha, for straight alpha. Where all taps have alpha 0,
    // colour is their plain mean. Alpha below 0 counts as 0, and colour under it that is not finite
    // as 0.
    WEIR_PYRAMID_ALPHA_MEAN = 1,
    WEIR_PYRAMID_MIN = 2, // exact minimum of each channel over all taps, at odd sizes too
    WEIR_PYRAMID_MAX = 3, // exact maximum of each channel over all taps, at odd sizes too
    // Minimum in R, maximum in G. From a source with one channel the first step reads both from R,
    // else the minimum from R and the maximum from G.
    WEIR_PYRAMID_MIN_MAX = 4,
    // In the first step each texel is also weighted by 1 / (1 + luma) (Karis 2013), which keeps a
    // bloom from flickering. All later steps are MEAN.
    WEIR_PYRAMID_LUMA_MEAN = 5,
    WEIR_PYRAMID_CUSTOM = 6, // the kernel in weir_pyramid_params.kernel
};

// The constant facts of a reduction.
struct weir_pyramid_reduction_info {
    enum weir_pyramid_reduction reduction;
    const char *name;        // as on command lines: "min_max"
    const char *description; // one line
};
// Get the table of reductions; `*num_reductions`, if it is not NULL, becomes its length.
// Thread-safe. Pure.
WEIR_API const struct weir_pyramid_reduction_info *weir_pyramid_reduction_list(
    size_t *num_reductions);
// Get the facts of a reduction, or NULL for an unknown value. Thread-safe. Pure.
WEIR_API const struct weir_pyramid_reduction_info *weir_pyramid_reduction_get_info(
    enum weir_pyramid_reduction reduction);
// Find a reduction by its name. Returns false where there is none of that name, and for NULL.
// Thread-safe. Pure.
WEIR_API bool weir_pyramid_reduction_by_name(const char *name,
                                             enum weir_pyramid_reduction *reduction);

// How exact the levels are. A dispatch may differ from 64-bit floats, made of the texels that it
// read, by the bounds given here; SINGLE is one dispatch. MIN, MAX and MIN_MAX are always exact.
enum weir_pyramid_precision {
    // As fast as the device's sampler averages texels, which is used for MEAN. Within 1 code of
    // UNORM, 2 of SRGB (1.4 on NVIDIA), and for 16-bit floats 2 units in the last place of the mean
    // of absolute values. Others, and all on software devices, as NEAREST.
    WEIR_PYRAMID_PRECISION_FAST = 0,
    // Within 1 code of UNORM and SRGB, 1 unit in the last place of 16-bit floats and B10G11R11,
    // and 2e-6 a level, relative, of 32-bit floats.
    WEIR_PYRAMID_PRECISION_NEAREST = 1,
    // As NEAREST, and of SRGB the nearest code, within 0.002 of a code: kernels decode texels, not
    // the device, which may be off by nearly half a code. BLIT refuses SRGB then. A source's format
    // must be one of weir_pyramid_format_list() or depth; in SRGB it needs the create flag
    // MUTABLE_FORMAT.
    WEIR_PYRAMID_PRECISION_EXACT = 2,
};

// The constant facts of a format in which levels can be stored.
struct weir_pyramid_format_info {
    VkFormat format;
    const char *name; // as on command lines: "rgba8_srgb"
    VkFormat store;   // format of the view that kernels write; differs from `format` for SRGB
    // Create flags that an image needs: MUTABLE_FORMAT and EXTENDED_USAGE for SRGB, else 0. The
    // program's own views in SRGB need VkImageViewUsageCreateInfo without STORAGE.
    VkImageCreateFlags flags;
    uint32_t red_bits;     // of R; of every channel, except A2B10G10R10 and B10G11R11
    uint32_t num_channels; // 1 .. 4
    uint32_t texel_size;   // [bytes]
    bool is_srgb;          // values are decoded, averaged in linear light, encoded again
    bool is_float;
};
// Get the table of formats; `*num_formats`, if it is not NULL, becomes its length. Thread-safe.
// Pure.
WEIR_API const struct weir_pyramid_format_info *weir_pyramid_format_list(size_t *num_formats);
// Get the facts of a format, or NULL if levels cannot be stored in it. Thread-safe. Pure.
WEIR_API const struct weir_pyramid_format_info *weir_pyramid_format_get_info(VkFormat format);
// Find a format by its name. Returns false where there is none of that name, and for NULL.
// Thread-safe. Pure.
WEIR_API bool weir_pyramid_format_by_name(const char *name, VkFormat *format);

// Get the number of levels of a complete chain: floor(log2(max(width, height))) + 1. Returns 0 for
// an empty image. Thread-safe. Pure.
WEIR_API uint32_t weir_pyramid_full_chain(uint32_t width, uint32_t height);
// Get the size of a level: max(1, side / 2^level), where `width` and `height` are the sides of
// level 0. Any `level`; from 32 on it is 1x1. Thread-safe. Pure.
WEIR_API VkExtent2D weir_pyramid_level_extent(uint32_t width, uint32_t height, uint32_t level);

// The pipelines for pyramids of one method, reduction and format, of any size. Immutable: several
// threads may record with it at a time, each into its own command buffer.
typedef struct weir_pyramid weir_pyramid;

// All pointers are read during weir_pyramid_create() only.
struct weir_pyramid_params {
    const char *debug_tag;
    enum weir_pyramid_method method;
    enum weir_pyramid_reduction reduction;
    enum weir_pyramid_precision precision;
    VkFormat format; // of the levels. Required, one of weir_pyramid_format_list()

    // 0: the input is the first level of the image itself. Else the input is a *source*, another
    // image, of this format, which the first step converts: a swapchain image, a depth buffer, a
    // frame in another format. Allowed are all sampled formats that shaders read as floats, and D16
    // and D32.
    VkFormat source_format;

    // The most images of a target, 1 .. 65536. 0 = 1. SINGLE computes several images in one
    // dispatch if shaderStorageImageArrayDynamicIndexing and shaderSampledImageArrayDynamicIndexing
    // are enabled; else they take dispatches that do not wait for each other.
    uint32_t max_images;

    // For SINGLE, FAST, HYBRID and SUBGROUP: exchange texels through shared memory, not by subgroup
    // shuffles, as always on devices without shuffles or subgroup size control. For tests, and to
    // find bugs.
    bool no_subgroups;

    // Required for CUSTOM, else NULL: SPIR-V of a kernel that includes weir/pyramid_custom.glsl,
    // compiled for this library's WEIR_PYRAMID_CUSTOM_VERSION. The method must be AUTO or SINGLE.
    const uint32_t *kernel;
    size_t kernel_size; // [bytes], a multiple of 4
};
#define weir_pyramid_params(...) WEIR_PARAMS(weir_pyramid_params, __VA_ARGS__)

// Make a pyramid. Compiles a kernel of CUSTOM, for all sizes. Which of Weir's kernels are needed
// depends on the size: weir_pyramid_target_create() compiles them.
// Requires of the device: shaderStorageImageWriteWithoutFormat, and the format feature
// STORAGE_IMAGE for weir_pyramid_format_info.store. BLIT requires blits and linear filtering of the
// format, and a queue with graphics in the context. AUTO chooses BLIT, with a warning in the log,
// where only that is possible.
// SINGLE is fastest with shaderStorageImageArrayDynamicIndexing, subgroupSizeControl and
// computeFullSubgroups enabled, and with shuffles among 32 invocations or more.
// Errors: WEIR_ERROR_INVALID (also for a kernel of another version), WEIR_ERROR_UNSUPPORTED (the
// log names the format, feature or limit), WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN.
// Thread safety: any thread.
WEIR_API enum weir_result weir_pyramid_create(weir_context *context,
                                              const struct weir_pyramid_params *params,
                                              weir_pyramid **out);
// Destroy a pyramid. All its targets must have been destroyed before. NULL is allowed; sets
// `*pyramid` to NULL.
WEIR_API void weir_pyramid_destroy(weir_pyramid **pyramid);

// Get the params that the pyramid was made with; debug_tag and kernel are NULL. AUTO is resolved to
// BLIT or SINGLE (a target may still use HYBRID). All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_pyramid_params weir_pyramid_get_params(const weir_pyramid *pyramid);

// The usage that images need, and the stages and accesses of a run, for the caller's barriers.
struct weir_pyramid_scope {
    VkImageUsageFlags usage;        // of an image: SAMPLED and STORAGE; BLIT: TRANSFER_SRC and _DST
    VkImageUsageFlags source_usage; // of a source: SAMPLED
    VkPipelineStageFlags2 stages;   // the stages in which the image is read and written
    VkAccessFlags2 reads, writes;   // the accesses in those stages
};
// Get the scope of a pyramid. All zero for NULL. Thread-safe.
WEIR_API struct weir_pyramid_scope weir_pyramid_get_scope(const weir_pyramid *pyramid);

// Images bound to a pyramid: their views and descriptors, and the scratch memory of one run.
// Immutable. Two runs of one target must not overlap in time: they write the same texels.
typedef struct weir_pyramid_target weir_pyramid_target;

// All pointers are read during weir_pyramid_target_create() only.
struct weir_pyramid_target_params {
    const char *debug_tag;
    // Required: num_images images in the pyramid's format, all of the same size, levels and layers.
    // They need the usage of weir_pyramid_get_scope() and the create flags of
    // weir_pyramid_format_info. SINGLE is faster where inputs in R16G16_SFLOAT and
    // R16G16B16A16_SFLOAT have the flag MUTABLE_FORMAT: weir_image_params.flags.
    const weir_image *const *images;
    uint32_t num_images; // 1 .. weir_pyramid_params.max_images. 0 = 1
    // The range of levels. first_level is the input, unless there are sources: then it is the first
    // level that is written.
    uint32_t first_level;
    uint32_t last_level; // the last level that is written. 0 = the last level of the images

    // Required with weir_pyramid_params.source_format, else NULL: one source for each of `images`,
    // in that format, with usage SAMPLED and at least as many layers. Level 0 of a source is the
    // input. If it is as large as first_level, first_level becomes a converted copy; if twice as
    // large, it is reduced to first_level. Twice as large means that max(1, side >> 1) of the
    // source is the side of first_level, for width and height.
    const weir_image *const *sources;
    VkImageLayout source_layout; // of the sources during a run. 0 = SHADER_READ_ONLY_OPTIMAL
};
#define weir_pyramid_target_params(...) WEIR_PARAMS(weir_pyramid_target_params, __VA_ARGS__)

// Bind images to a pyramid. Do it once for each image, and again after an image was recreated.
// Compiles what the size needs, unless a target before it has: of SINGLE one of up to five kernels,
// which differ by the powers of two that divide the sides; of other methods at most four, side by
// side. With the driver's cache empty that took 0.4 to 0.55 s on an NVIDIA H200; a kept
// cache of the context saves most of it. weir_cmd_pyramid() compiles nothing.
// Borrows the pyramid and the VkImages until the target is destroyed. The weir_images may be
// destroyed earlier.
// Errors: WEIR_ERROR_INVALID (a field out of range, a level beyond the chain, a missing source),
// WEIR_ERROR_UNSUPPORTED (a usage or create flag that is missing, a size that FAST or SUBGROUP
// cannot do, a device limit such as that of images and layers in a dispatch; the log names it),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN (the log names the kernel that failed).
// Thread safety: any thread. Waits while another target of the pyramid compiles.
WEIR_API enum weir_result weir_pyramid_target_create(
    const weir_pyramid *pyramid, const struct weir_pyramid_target_params *params,
    weir_pyramid_target **out);
// Destroy a target, which the GPU must not be using. NULL is allowed; sets `*target` to NULL.
WEIR_API void weir_pyramid_target_destroy(weir_pyramid_target **target);

// Get the params that the target was made with, defaults filled in; pointers are NULL. All fields
// are zero for NULL. Thread-safe.
WEIR_API struct weir_pyramid_target_params weir_pyramid_target_get_params(
    const weir_pyramid_target *target);
// Get the method of the target: that of the pyramid, or what AUTO chose for the size. AUTO for
// NULL. Thread-safe.
WEIR_API enum weir_pyramid_method weir_pyramid_target_get_method(const weir_pyramid_target *target);
// Get the number of dispatches (with BLIT: blits) that one run records. 0 for NULL, and if there is
// no level to compute. Thread-safe.
WEIR_API uint32_t weir_pyramid_target_get_num_dispatches(const weir_pyramid_target *target);

// The values of one run.
struct weir_pyramid_run {
    // The barriers around the run, which Weir merges into its own. src_*: the stages and accesses
    // that wrote the input and used the levels before. dst_*: those that use the levels after. All
    // 0: the caller records these barriers.
    VkPipelineStageFlags2 src_stages, dst_stages;
    VkAccessFlags2 src_access, dst_access;

    float user[4]; // for CUSTOM: the kernel reads them as weir_user
};

// Record one run, which computes all levels of the target from its input.
//
// Handles: its pipelines, descriptors and push constants; a barrier after the last run of the
// target, and those between its own dispatches; the barriers that weir_pyramid_run names.
// Caller: the images are in VK_IMAGE_LAYOUT_GENERAL and the sources in source_layout; all are owned
// by the queue family that executes `cmd`; `cmd` is outside a render pass. BLIT needs a queue with
// graphics, the other methods one with compute.
// Borrows the target until `cmd` has finished executing. Allocates nothing. `run` may be NULL: all
// fields 0.
// A chain of one level without a source has no dispatch (logged by weir_pyramid_target_create() as
// WEIR_LOG_CODE_ONE_LEVEL if the images have one level). The call then succeeds and records one
// barrier from src_stages to dst_stages, or nothing if both are 0. If one of them is 0,
// weir_pyramid_scope.stages replaces it.
// Errors: WEIR_ERROR_INVALID (NULL), WEIR_ERROR_DEVICE_LOST.
// Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_pyramid(const weir_pyramid_target *target, VkCommandBuffer cmd,
                                           const struct weir_pyramid_run *run);
