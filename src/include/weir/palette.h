// SPDX-License-Identifier: MIT
// Palette reduction: reduces the colours of an image by mean shift clustering or k-means, on the
// GPU, with the same result on every device.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/image.h>
#include <weir/result.h>

// How colours are reduced. Both methods compute in integers only, so the new colours are the same
// on every device, bit for bit. See docs/palette.md.
enum weir_palette_method {
    // (gneiss name, "Mean Shift Clustering", 2025.) The distinct colours of an image are points in
    // Oklab. Each colour starts at its own point and moves to the weighted mean of the points
    // within `radius`, again and again, until it no longer moves: that point is its new colour. The
    // image and the radius determine how many colours are left.
    WEIR_PALETTE_METHOD_MEAN_SHIFT = 0,
    // The best N colours (Lloyd, "Least squares quantization in PCM", 1982): a palette of
    // `num_colors` colours with a small sum of squared distances from all pixels to their nearest
    // colour. An image with no more colours than that keeps them.
    WEIR_PALETTE_METHOD_K_MEANS = 1,
};

// The distance of two colours in k-means. Mean shift always uses Oklab.
enum weir_palette_metric {
    WEIR_PALETTE_METRIC_CODES = 0, // of codes of 0 .. 255: the best PSNR
    WEIR_PALETTE_METRIC_OKLAB = 1, // of Oklab: the least visible error
};

// The weight of a colour in a mean.
enum weir_palette_weight {
    WEIR_PALETTE_WEIGHT_EQUAL = 0,     // 1 for every colour: for clean art
    WEIR_PALETTE_WEIGHT_FREQUENCY = 1, // its number of pixels: for photographs, moving pictures
};

// The conversion of codes of 0 .. 255 to the linear light from which Oklab is computed.
enum weir_palette_light {
    WEIR_PALETTE_LIGHT_RAW = 0,  // code / 255, as if codes were linear
    WEIR_PALETTE_LIGHT_SRGB = 1, // the sRGB curve (IEC 61966-2-1), as Oklab is defined
};

// The largest radius: no two points are farther apart. It leaves a single colour.
#define WEIR_PALETTE_MAX_RADIUS 1.7320508f

// How k-means mixes two colours of the palette in neighbouring pixels, to hide the steps between
// areas. It is weaker where the image itself varies, and off where it varies by twice the error:
// there the steps are hidden anyway.
enum weir_palette_dither {
    WEIR_PALETTE_DITHER_NONE = 0,       // each pixel gets the nearest colour
    WEIR_PALETTE_DITHER_ORDERED = 1,    // by a matrix of 8x8 thresholds (Bayer 1973)
    WEIR_PALETTE_DITHER_BLUE_NOISE = 2, // by 64x64 irregular thresholds (Ulichney 1993)
};

// The most colours of k-means, as many as an indexed PNG or GIF file can have.
#define WEIR_PALETTE_MAX_NUM_COLORS 256

// A palette reduction: pipelines, the memory of one run, and the new colours of the last run. It
// does one run at a time. One thread at a time may record with it; there is no lock.
typedef struct weir_palette weir_palette;

// All pointers are read during weir_palette_create() only.
struct weir_palette_params {
    const char *debug_tag;

    // Required: an image like those that will be counted and mapped, of any size; sources must have
    // the same format, transfer and flag MUTABLE_FORMAT. Formats: as weir_encoder_params.like,
    // except signed ones.
    const weir_image *like;

    enum weir_palette_weight weight;
    enum weir_palette_light light;

    // The most distinct colours of a run, 1 .. 1 << 24. 0 = 1 << 18. Device memory: 76 MB, and with
    // mean shift 710 to 1,350 bytes a colour (at most 540 MB + 72 bytes a colour), with k-means 16
    // bytes a colour.
    uint32_t max_colors;

    enum weir_palette_method method;
    enum weir_palette_metric metric; // with k-means
    enum weir_palette_dither dither; // with k-means; else WEIR_PALETTE_DITHER_NONE

    // A faster, less exact mode for moving pictures: each channel is counted in 64 steps, so there
    // are at most 262,144 colours to move.
    bool table;

    // For moving pictures: the palette follows the frames. weir_cmd_palette() finds the colours in
    // its first frame. Each later frame is mapped in one pass with the current colours, and the
    // colours are updated once in three frames: the first looks at up to 65,536 of its pixels, the
    // second moves the colours, the third fills the table for mapping. Requires k-means,
    // METRIC_CODES, WEIGHT_FREQUENCY, no dither, and max_colors 0 or at least 1 << 18. Implies
    // `table`. See docs/palette.md.
    bool live;

    // Move every colour on its own. By default colours that meet are merged, which gives the same
    // result faster. For tests and measurements.
    bool no_merge;
};
#define weir_palette_params(...) WEIR_PARAMS(weir_palette_params, __VA_ARGS__)

// Make a palette reduction and its memory. Compiles its 10 to 17 kernels side by side: make it
// while the program loads. A kept cache of the context saves most of that time.
// Requires of the device: shaderInt64, shaderStorageImageWriteWithoutFormat, and subgroups with
// vote, ballot and arithmetic operations in compute shaders. Without shaderBufferInt64Atomics mean
// shift works as with no_merge, and logs a warning.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (a format, a feature or a limit, by name),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. Thread safety: any thread.
WEIR_API enum weir_result weir_palette_create(weir_context *context,
                                              const struct weir_palette_params *params,
                                              weir_palette **out);
// Destroy a palette reduction, which the GPU must not be using. NULL is allowed; sets `*palette` to
// NULL.
WEIR_API void weir_palette_destroy(weir_palette **palette);

// Get the params that the object was made with, defaults filled in; debug_tag and like are NULL.
// All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_palette_params weir_palette_get_params(const weir_palette *palette);

// Record the calls below in this order: count once or more, start, iterate until no colour moves,
// finish, map once or more. After that, start again with another radius, or count with `clear`. Use
// one command buffer, or several that execute in order.
//
// Handles: pipelines, descriptors, and the barriers for its buffers, also between the calls.
// Caller: the barriers for the images, which are read and written in COMPUTE_SHADER (SHADER_READ
// and SHADER_WRITE).
// None of the calls allocates.
// Errors: WEIR_ERROR_INVALID (NULL, a call out of order, and what each call names).
// Thread safety: per palette.

// An image whose pixels are counted.
struct weir_palette_count {
    const weir_image *source; // required: with usage SAMPLED, like params.like
    bool clear;               // first forget the colours counted so far
};
// Record the counting of an image's pixels by colour. The image must be in
// SHADER_READ_ONLY_OPTIMAL. Pixels with alpha 0 do not count. Counters have 32 bits: count at most
// 2^32 - 1 pixels before the next `clear`.
// Errors: a source that is not like params.like, or without SAMPLED.
WEIR_API enum weir_result weir_cmd_palette_count(weir_palette *palette, VkCommandBuffer cmd,
                                                 const struct weir_palette_count *count);

// The values of one reduction.
struct weir_palette_start {
    float radius;   // distance in Oklab, 0 .. WEIR_PALETTE_MAX_RADIUS. 0 keeps every colour
    uint32_t limit; // most steps of a colour, for a softer picture. 0 = no limit
    // With k-means: the most new colours, 1 .. WEIR_PALETTE_MAX_NUM_COLORS; radius and limit are 0.
    // With mean shift: 0.
    uint32_t num_colors;
    // With k-means: keep rare colours. At most an eighth of the palette goes to colours that would
    // else be farther from it than 48 codes, or 0.1 in Oklab.
    bool keep_rare;
};
// Record the preparation of a reduction: the counted colours become points, sorted into a grid that
// fits the radius.
// Errors: a radius that is negative, NaN or too large; num_colors out of range; a value that is for
// the other method.
WEIR_API enum weir_result weir_cmd_palette_start(weir_palette *palette, VkCommandBuffer cmd,
                                                 const struct weir_palette_start *start);

// Record `num_dispatches` dispatches that move colours. Each takes at most a few milliseconds on a
// GPU, and ends at once if no colour moves any more. A picture needs one or a few: submit some,
// wait for them, and submit more while weir_palette_stats.num_unfinished is not 0. With k-means a
// dispatch is a pass over all colours: 256 new colours take at most 89, with keep_rare 33 more.
// 0 .. 65536; 0 only updates the stats. Errors: no start before it, more dispatches.
WEIR_API enum weir_result weir_cmd_palette_iterate(weir_palette *palette, VkCommandBuffer cmd,
                                                   uint32_t num_dispatches);

// Record the end of a reduction: every colour gets its new colour; one that still moves gets the
// colour of its current point. Errors: no start before it.
WEIR_API enum weir_result weir_cmd_palette_finish(weir_palette *palette, VkCommandBuffer cmd);

// Record the writing of an image in its new colours. `source` is an image that was counted, in
// SHADER_READ_ONLY_OPTIMAL. `output` is another image of the same size, in GENERAL. Its format is
// R8G8B8A8 or B8G8R8A8, UNORM or SRGB; its usage has STORAGE, and its flags, if it is SRGB,
// MUTABLE_FORMAT and EXTENDED_USAGE. Mip level 0 of layer 0 is written. Alpha, and pixels with
// alpha 0, are copied unchanged.
// Errors: the same image twice, different sizes, a source that is not like params.like, an output
// of another format, usage or flags.
WEIR_API enum weir_result weir_cmd_palette_map(const weir_palette *palette, VkCommandBuffer cmd,
                                               const weir_image *source, const weir_image *output);

// The progress of a run.
struct weir_palette_stats {
    uint32_t num_colors; // distinct colours that were counted
    // Distinct new colours (with dither: that can appear); 0 before weir_cmd_palette_finish().
    uint32_t num_new_colors;
    // Colours that still move. With k-means: new colours still missing, and 1 until the last pass.
    uint32_t num_unfinished;
    // Of mean shift; 0 with k-means.
    uint32_t max_steps;       // most steps of one colour, until it stayed or was merged
    uint64_t num_evaluations; // steps of all colours
    uint64_t num_tests;       // distances between points that were computed
    bool overflow;            // more than max_colors: no colour moves, images stay unchanged
};
// Get the stats as of the last start, iterate or finish that the GPU has executed. Wait for that
// submission first, by a fence or a semaphore. All zero for NULL.
// Thread safety: as the record calls.
WEIR_API struct weir_palette_stats weir_palette_get_stats(const weir_palette *palette);

// Get the palette of k-means, 0xRRGGBB in ascending order, as of the last finish that the GPU has
// executed: wait as for the stats. If the image has no more colours than num_colors, they are the
// palette. With `live`: the palette of the last or second-last frame, without duplicates; the stats
// stay those of the frame in which the colours were found. Returns the number of colours; 0 for
// NULL, before a finish and with mean shift.
// Thread safety: as the record calls.
WEIR_API uint32_t weir_palette_get_colors(const weir_palette *palette,
                                          uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS]);

// A whole run, as for each frame of a render loop.
struct weir_palette_run {
    const weir_image *source; // required, as for weir_cmd_palette_count()
    const weir_image *output; // required, as for weir_cmd_palette_map()
    float radius;             // as in weir_palette_start
    uint32_t limit;           // as in weir_palette_start
    // 1 .. 65536, as for weir_cmd_palette_iterate(). 0 = 16, or with k-means as many as needed.
    uint32_t num_dispatches;
    uint32_t num_colors; // as in weir_palette_start
    bool keep_rare;      // as in weir_palette_start
};
// Record count (with clear), start, iterate, finish and map in one call. Colours that still move
// after num_dispatches get the colour of their current point.
// With weir_palette_params.live only the first call does so. Later calls, for images of any size,
// record the mapping with the current colours and one third of an update; each must execute once,
// and in order. A changed num_colors, or weir_cmd_palette_count() before the call, makes it find
// colours anew.
// Errors: as those calls, and keep_rare with `live`; nothing is recorded then.
WEIR_API enum weir_result weir_cmd_palette(weir_palette *palette, VkCommandBuffer cmd,
                                           const struct weir_palette_run *run);
