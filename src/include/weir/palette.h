// SPDX-License-Identifier: MIT
// Palette reduction: gives an image fewer colours by mean shift clustering or by k-means, on the
// GPU, with the same result on every device.
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

// How colours become fewer. Both methods compute in integers only, which makes the new colours bit
// for bit the same on every device. See docs/palette.md.
enum weir_palette_method {
    // (gneiss name, "Mean Shift Clustering", 2025.) The distinct colours of an image are points in
    // Oklab. A colour starts at its own point and moves to the weighted mean of the points within
    // `radius` of it. It repeats this step until it stays where it is; that point is its new
    // colour. As many colours are left as the image needs.
    WEIR_PALETTE_METHOD_MEAN_SHIFT = 0,
    // The best N colours (Lloyd, "Least squares quantization in PCM", 1982): a palette of
    // `num_colors` such that the sum of the squared distances of all pixels from the nearest of
    // them is small. An image that has no more colours keeps them.
    WEIR_PALETTE_METHOD_K_MEANS = 1,
};

// The distance of two colours in k-means. Mean shift always takes that of Oklab.
enum weir_palette_metric {
    WEIR_PALETTE_METRIC_CODES = 0, // of codes of 0 .. 255: the least error as PSNR has it
    WEIR_PALETTE_METRIC_OKLAB = 1, // of Oklab: the least error of what is seen
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

// The largest radius, above which no two points are apart. It leaves a single colour.
#define WEIR_PALETTE_MAX_RADIUS 1.7320508f

// How pixels in a palette of k-means are mixed from two of its colours, so that steps between areas
// are not seen. It is weaker where the image varies by itself, and absent where it varies by twice
// the error: noise hides the steps there.
enum weir_palette_dither {
    WEIR_PALETTE_DITHER_NONE = 0,       // each pixel gets the nearest colour
    WEIR_PALETTE_DITHER_ORDERED = 1,    // by a matrix of 8x8 thresholds (Bayer 1973)
    WEIR_PALETTE_DITHER_BLUE_NOISE = 2, // by 64x64 thresholds without order (Ulichney 1993)
};

// The most colours that k-means looks for, as many as an indexed PNG or GIF file holds.
#define WEIR_PALETTE_MAX_NUM_COLORS 256

// A palette reduction: pipelines, the memory of one run, and the new colours of the last run. It
// does one run at a time. One thread at a time may record with it; there is no lock.
typedef struct weir_palette weir_palette;

// All pointers are read during weir_palette_create() only.
struct weir_palette_params {
    const char *debug_tag;

    // Required: an image of the kind that will be counted and mapped. Every source must be read as
    // this one is, as weir_encoder_params.like has it; its size does not matter.
    const weir_image *like;

    enum weir_palette_weight weight;
    enum weir_palette_light light;

    // The most distinct colours that a run has room for, 1 .. 1 << 24. 0 = 1 << 18. It costs 710 to
    // 1,350 bytes of device memory a colour, at most 540 MB and 72 bytes a colour, beside 76 MB; 16
    // bytes a colour with k-means.
    uint32_t max_colors;

    enum weir_palette_method method;
    enum weir_palette_metric metric; // with k-means
    enum weir_palette_dither dither; // with k-means; else WEIR_PALETTE_DITHER_NONE

    // A fast mode for moving pictures, with another result: each channel has 64 steps, and a code
    // counts as the middle of its step. At most 262,144 colours are left to move.
    bool table;

    // For moving pictures, with k-means, METRIC_CODES and WEIGHT_FREQUENCY, without dither: colours
    // that follow from frame to frame. weir_cmd_palette() finds them in its first frame. Each later
    // frame is mapped in one pass by those that are there, and does a third of what moves them:
    // at most 65,536 of its pixels are looked at, or the colours move, or a table of them is made.
    // It implies `table`; max_colors is 0 or at least 1 << 18. See docs/palette.md.
    bool live;

    // Follow every colour to its end. By default colours that meet go on as one, which gives the
    // same result faster. For tests and measurements.
    bool no_merge;
};
#define weir_palette_params(...) WEIR_PARAMS(weir_palette_params, __VA_ARGS__)

// Make a palette reduction, with its pipelines and memory.
// Requires of the device: shaderInt64, shaderStorageImageWriteWithoutFormat, and subgroups with
// vote, ballot and arithmetic operations in compute shaders. Without shaderBufferInt64Atomics it
// works as with no_merge, and a warning in the log says so; k-means has no use for them.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (a format, a feature or a limit, by name),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. Thread safety: any thread.
WEIR_API enum weir_result weir_palette_create(weir_context *context,
                                              const struct weir_palette_params *params,
                                              weir_palette **out);
// Destroy a palette reduction, which the GPU must not be using. NULL is allowed; sets `*palette` to
// NULL.
WEIR_API void weir_palette_destroy(weir_palette **palette);

// Get the params that it was made with, defaults filled in; debug_tag and like are NULL. All fields
// are zero for NULL. Thread-safe.
WEIR_API struct weir_palette_params weir_palette_get_params(const weir_palette *palette);

// The record calls below are recorded in this order: count once or more, start, iterate until no
// colour moves any more, finish, and map once or more. After that, start again with another radius,
// or count with `clear`. They may be recorded into one command buffer, or into several that execute
// in order.
//
// Handles: pipelines, descriptors, and the barriers for their buffers, also between the calls.
// Caller: the barriers for the images, which are read and written in COMPUTE_SHADER (SHADER_READ
// and SHADER_WRITE).
// None of the calls allocates.
// Errors: WEIR_ERROR_INVALID (NULL, a call out of order, and what each call names).
// Thread safety: per palette.

// An image whose pixels are counted.
struct weir_palette_count {
    const weir_image *source; // required: with usage SAMPLED, and of the kind of params.like
    bool clear;               // first forget the colours of the images counted before
};
// Record the counting of an image's pixels by colour. The image must be in
// SHADER_READ_ONLY_OPTIMAL. Pixels with alpha 0 do not count. Those of a colour are counted in 32
// bits: count at most 2^32 - 1 pixels before the next `clear`.
// Errors: a source of another kind or without SAMPLED.
WEIR_API enum weir_result weir_cmd_palette_count(weir_palette *palette, VkCommandBuffer cmd,
                                                 const struct weir_palette_count *count);

// The values of one reduction.
struct weir_palette_start {
    float radius;   // distance in Oklab, 0 .. WEIR_PALETTE_MAX_RADIUS. 0 keeps every colour
    uint32_t limit; // most steps of a colour, for a softer picture. 0 = until it stays
    // With k-means: the most new colours, 1 .. WEIR_PALETTE_MAX_NUM_COLORS; radius and limit are 0.
    // With mean shift: 0.
    uint32_t num_colors;
    // With k-means: colours that few pixels have are kept too. An eighth of the palette at most
    // goes to those that would be farther from it than 48 codes, or 0.1 in Oklab.
    bool keep_rare;
};
// Record the preparation of a reduction: the counted colours become points, sorted into a grid that
// fits the radius.
// Errors: a radius that is negative, NaN or too large; a number of colours that is out of range; a
// value that is for the other method.
WEIR_API enum weir_result weir_cmd_palette_start(weir_palette *palette, VkCommandBuffer cmd,
                                                 const struct weir_palette_start *start);

// Record `num_dispatches` dispatches that move colours. Each takes a few milliseconds at most on a
// GPU, and ends at once where no colour moves any more. A picture takes one dispatch or a few:
// submit some, wait for them, and submit more while weir_palette_stats.num_unfinished is not 0.
// With k-means a dispatch is a pass over all colours: 89 of them at most make 256 new colours, and
// 33 more with keep_rare.
// 0 dispatches record the stats alone; at most 65536. Errors: no start before it, more dispatches.
WEIR_API enum weir_result weir_cmd_palette_iterate(weir_palette *palette, VkCommandBuffer cmd,
                                                   uint32_t num_dispatches);

// Record the end of a reduction: every colour gets its new colour. A colour that still moves gets
// the colour of the place that it has reached. Errors: no start before it.
WEIR_API enum weir_result weir_cmd_palette_finish(weir_palette *palette, VkCommandBuffer cmd);

// Record the writing of an image in its new colours. `source` is an image that was counted, in
// SHADER_READ_ONLY_OPTIMAL. `output` is another image of the same size, in GENERAL. Its format is
// R8G8B8A8 or B8G8R8A8, UNORM or SRGB; its usage has STORAGE, and its flags, if it is SRGB,
// MUTABLE_FORMAT and EXTENDED_USAGE. Mip level 0 of layer 0 is written. Alpha is copied unchanged,
// and so are pixels with alpha 0.
// Errors: the same image twice, sizes that differ, a source of another kind, an output of another
// format, usage or flags.
WEIR_API enum weir_result weir_cmd_palette_map(const weir_palette *palette, VkCommandBuffer cmd,
                                               const weir_image *source, const weir_image *output);

// The progress of a run.
struct weir_palette_stats {
    uint32_t num_colors; // distinct colours that were counted
    // Distinct new colours, with dither those that can appear; 0 before weir_cmd_palette_finish().
    uint32_t num_new_colors;
    // Colours that still move. With k-means: new colours that are missing, and 1 until the last
    // pass.
    uint32_t num_unfinished;
    // Of mean shift; 0 with k-means.
    uint32_t max_steps;       // most steps of one colour, until it stayed or met another's way
    uint64_t num_evaluations; // steps of all colours
    uint64_t num_tests;       // distances between points that were computed
    bool overflow; // more colours than max_colors: nothing moves, and images keep their colours
};
// Get the stats as of the last start, iterate or finish that the GPU has executed. Wait for its
// submission first, by a fence or a semaphore. All zero for NULL.
// Thread safety: as the record calls.
WEIR_API struct weir_palette_stats weir_palette_get_stats(const weir_palette *palette);

// Get the palette that k-means has found, 0xRRGGBB in ascending order, as of the last finish that
// the GPU has executed: wait as for the stats. A palette for an image of as many colours or fewer
// has its colours. With `live` it is the palette of the last frame, or of the one before, without
// what is there twice, and the stats are those of the frame in which colours were found. Returns
// how many there are; 0 for NULL, before a finish and with mean shift.
// Thread safety: as the record calls.
WEIR_API uint32_t weir_palette_get_colors(const weir_palette *palette,
                                          uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS]);

// A whole run, as for each frame of a render loop.
struct weir_palette_run {
    const weir_image *source; // required, as for weir_cmd_palette_count()
    const weir_image *output; // required, as for weir_cmd_palette_map()
    float radius;             // as in weir_palette_start
    uint32_t limit;           // as in weir_palette_start
    // 1 .. 65536, as for weir_cmd_palette_iterate(). 0 = 16, or with k-means as many as it takes.
    uint32_t num_dispatches;
    uint32_t num_colors; // as in weir_palette_start
    bool keep_rare;      // as in weir_palette_start
};
// Record count (with clear), start, iterate, finish and map in one call. Colours that still move
// after num_dispatches get the colour of the place that they have reached.
// With weir_palette_params.live it does so in the first frame. A later call with as many colours,
// for images of any size, records the mapping by the colours that are there, and beside it a third
// of what moves them; it is to execute once, and in order. weir_cmd_palette_count() before it makes
// it find colours anew, as does another number of colours.
// Errors: as those calls, and keep_rare with `live`; nothing is recorded then.
WEIR_API enum weir_result weir_cmd_palette(weir_palette *palette, VkCommandBuffer cmd,
                                           const struct weir_palette_run *run);

#ifdef __cplusplus
}
#endif
#endif
