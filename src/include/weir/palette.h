// SPDX-License-Identifier: MIT
// Palette reduction: every colour of an image moves to the mean shift of its neighbours, on the
// GPU, exactly.
#ifndef WEIR_PALETTE_H
#define WEIR_PALETTE_H

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

// The function (gneiss name, "Mean Shift Clustering", 2025): the distinct colours of an image are
// points in Oklab. A colour starts at its own point and goes to the weighted mean of the points
// within `radius`, again and again, until it stays; that point is its new colour. Every step is
// taken in integers, so that the new colours are the same to the bit on every device:
// docs/palette.md.

// What a colour weighs in a mean.
enum weir_palette_weight {
    WEIR_PALETTE_WEIGHT_EQUAL = 0,     // as much as any other: for clean art
    WEIR_PALETTE_WEIGHT_FREQUENCY = 1, // its pixels: for photographs and moving pictures
};

// How codes of 0 .. 255 become the light that Oklab is made of.
enum weir_palette_light {
    WEIR_PALETTE_LIGHT_RAW = 0,  // code / 255, as if it were linear
    WEIR_PALETTE_LIGHT_SRGB = 1, // decoded (IEC 61966-2-1), as Oklab is meant to be
};

// The largest radius: no two points are further apart.
#define WEIR_PALETTE_MAX_RADIUS 1.7320508f

// A palette reduction: pipelines, the memory of one run, and the new colours of the last one.
// Belongs to one run at a time; recording needs no lock as long as one thread records.
typedef struct weir_palette weir_palette;

// All pointers are read during weir_palette_create() only.
struct weir_palette_params {
    const char *debug_tag;

    // Required: an image of the kind that will be counted and mapped, see weir_encoder_params.like.
    const weir_image *like;

    enum weir_palette_weight weight;
    enum weir_palette_light light;

    // Distinct colours that a run has room for, 1 .. 1 << 24. 0 = 1 << 18. It costs 700 to 1,300
    // bytes of device memory a colour, at most 540 MB and 64 bytes a colour, beside 73 MB.
    uint32_t max_colors;

    // The fast mode for moving pictures, another function: codes count as the middle of 64 steps an
    // axis. Colours that differ by less become one, and at most 262,144 are left to move.
    bool table;

    // Follow every colour to its end, though many meet on the way: the same result, slower.
    bool no_merge;
};
#define weir_palette_params(...) WEIR_PARAMS(weir_palette_params, __VA_ARGS__)

// Make pipelines and memory.
// Requires of the device: shaderInt64, shaderStorageImageWriteWithoutFormat, and subgroups that
// vote, ballot and add in compute shaders. Without shaderBufferInt64Atomics it works as with
// no_merge, with a line in the log.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (a format, a feature or a limit, by name),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. Thread safety: any thread.
WEIR_API enum weir_result weir_palette_create(weir_context *context,
                                              const struct weir_palette_params *params,
                                              weir_palette **out);
// Must not be in use by the GPU. NULL is allowed; sets `*palette` to NULL.
WEIR_API void weir_palette_destroy(weir_palette **palette);

// The params that it was made with, defaults filled in; debug_tag and like are NULL. All zero for
// NULL. Thread-safe.
WEIR_API struct weir_palette_params weir_palette_get_params(const weir_palette *palette);

// The record calls below handle their own pipelines, descriptors and the barriers between each
// other's buffers, in one command buffer or several that execute in order. The caller places the
// barriers of the images: they are read and written in COMPUTE_SHADER, SHADER_READ and
// SHADER_WRITE. None allocates. All answer WEIR_ERROR_INVALID for NULL, for what is named below,
// and for calls out of their order. Thread safety: per palette.
//
// The order: count once or more, start, iterate as often as there is something left, finish, map
// once or more; then start again with another radius, or count with `clear`.

// One image's colours.
struct weir_palette_count {
    const weir_image *source; // required: SAMPLED; format, flags and transfer as the palette's
    bool clear;               // forget the colours of earlier images first
};
// Record the counting of an image's pixels by colour: the image is in SHADER_READ_ONLY_OPTIMAL.
// Pixels with alpha 0 do not count.
WEIR_API enum weir_result weir_cmd_palette_count(weir_palette *palette, VkCommandBuffer cmd,
                                                 const struct weir_palette_count *count);

// One reduction.
struct weir_palette_start {
    float radius;   // in Oklab, 0 .. WEIR_PALETTE_MAX_RADIUS; 0 keeps every colour
    uint32_t limit; // steps of a colour at most, for a softer picture; 0 = until it stays
};
// Record what comes before the first step: the colours as points, sorted into a grid of the radius.
// Errors: a radius that is negative, NaN or too large.
WEIR_API enum weir_result weir_cmd_palette_start(weir_palette *palette, VkCommandBuffer cmd,
                                                 const struct weir_palette_start *start);

// Record dispatches that move colours on, each for a few milliseconds at most on a GPU; where
// nothing is left, they end at once. A picture takes one or a few; submit some, look at
// weir_palette_get_stats(), submit more.
WEIR_API enum weir_result weir_cmd_palette_iterate(weir_palette *palette, VkCommandBuffer cmd,
                                                   uint32_t num_dispatches);

// Record the last step: every colour gets its new one. What is left unfinished stays at the place
// that it has reached.
WEIR_API enum weir_result weir_cmd_palette_finish(weir_palette *palette, VkCommandBuffer cmd);

// Record the writing of new colours. `source` is an image that was counted, in
// SHADER_READ_ONLY_OPTIMAL. `result` is another image of the same size, in GENERAL: R8G8B8A8 or
// B8G8R8A8, UNORM or SRGB, with usage STORAGE, and as SRGB with MUTABLE_FORMAT and EXTENDED_USAGE.
// Level 0 of layer 0 is written. Alpha stays as it is, and so do pixels with alpha 0.
// Errors: sizes that differ, a source of another kind, a result of another format, usage or flags.
WEIR_API enum weir_result weir_cmd_palette_map(const weir_palette *palette, VkCommandBuffer cmd,
                                               const weir_image *source, const weir_image *result);

// What a run did so far.
struct weir_palette_stats {
    uint32_t num_colors;      // distinct ones that were counted
    uint32_t num_new_colors;  // distinct ones after weir_cmd_palette_finish(), else 0
    uint32_t num_unfinished;  // colours that still move
    uint32_t max_steps;       // of one colour, until it stayed or met another's way
    uint64_t num_evaluations; // steps of all colours
    uint64_t num_tests;       // points whose distance was looked at
    bool overflow; // more colours than max_colors: nothing moves, and images keep their colours
};
// The stats as of the last start, iterate or finish that the GPU has executed; call it when it has,
// and a barrier or a semaphore has made its writes available to the host. Thread safety: as the
// record calls.
WEIR_API struct weir_palette_stats weir_palette_get_stats(const weir_palette *palette);

// One frame of a render loop: count (with clear), start, iterate, finish and map in one call.
struct weir_palette_frame {
    const weir_image *source; // required, as for weir_cmd_palette_count()
    const weir_image *result; // required, as for weir_cmd_palette_map()
    float radius;
    uint32_t limit;
    uint32_t num_dispatches; // 0 = 16. What does not end within them stays on its way
};
WEIR_API enum weir_result weir_cmd_palette(weir_palette *palette, VkCommandBuffer cmd,
                                           const struct weir_palette_frame *frame);

#ifdef __cplusplus
}
#endif
#endif
