// SPDX-License-Identifier: MIT
// The parts of weir-bench pyramid: its options, and its results.
#ifndef WEIR_TESTS_BENCH_PYRAMID_PYRAMID_H
#define WEIR_TESTS_BENCH_PYRAMID_PYRAMID_H

#include <weir/pyramid.h>

#include "tests/bench/bench.h"
#include "tests/bench/kernel.h"

enum {
    BENCH_PYRAMID_NUM_METHODS = WEIR_PYRAMID_BLIT + 1,
    BENCH_PYRAMID_MAX_SIZES = 32,
    BENCH_PYRAMID_MAX_LEVELS = 16,
    BENCH_PYRAMID_NUM_FORMS = 10,
    BENCH_PYRAMID_MAX_ROWS = BENCH_PYRAMID_NUM_METHODS + 3, // floor, empty, methods, one by one
    BENCH_REASON_SIZE = 256,
};

struct bench_pyramid_options {
    const char *sizes, *methods, *json;
    int format, reduction; // indices of names; a format of -1: rgba8_srgb
    uint64_t device, layers, repeats, submits;
    bool no_cold, filter_srgb, filter_half, exact_srgb, uint_views, graphics, validation;
};

struct bench_pyramid_row {
    char name[32];
    char refused[BENCH_REASON_SIZE]; // the reason why it was not measured; else empty
    uint32_t num_dispatches;         // of one repetition
    struct bench_measured measured;
};

struct bench_pyramid_size {
    uint32_t width, height, layers, levels;
    uint32_t num_images; // images that cold repetitions take in turn; 1: there are none
    double image_size;   // size in memory of one image with all its levels and layers [bytes]
    double bytes;        // bytes that must move: level 0 is read, the others are written
    enum weir_pyramid_method automatic; // the method that AUTO takes here; AUTO: there is none
    char skipped[BENCH_REASON_SIZE];    // the reason why nothing was measured; else empty
    struct bench_pyramid_row rows[BENCH_PYRAMID_MAX_ROWS];
    uint32_t num_rows;
    struct bench_measured forms[BENCH_PYRAMID_NUM_FORMS]; // of the floor
};
enum { BENCH_PYRAMID_FLOOR = 0, BENCH_PYRAMID_EMPTY = 1 }; // indices of these two rows

struct bench_pyramid_result {
    const struct bench_pyramid_options *options;
    const struct weir_pyramid_format_info *format;
    enum weir_pyramid_reduction reduction;
    // The input is a depth buffer in D32_SFLOAT, level 1 half of it, and the levels R32_SFLOAT.
    bool is_depth;
    bool host_time; // a software device, whose time stamps mean nothing
    bool methods[BENCH_PYRAMID_NUM_METHODS];
    struct bench_pyramid_size sizes[BENCH_PYRAMID_MAX_SIZES];
    uint32_t num_sizes;
};

// The names that the options take, by their index; NULL after the last.
const char *bench_pyramid_method_choice(int index);
const char *bench_pyramid_reduction_choice(int index);
const char *bench_pyramid_format_choice(int index);

// Fill methods and sizes from the options. False after a message. Sizes need the device only where
// none are asked for: a software device gets small ones.
bool bench_pyramid_parse(struct bench_pyramid_result *result);
void bench_pyramid_default_sizes(struct bench_pyramid_result *result);

// The name of the input's format.
const char *bench_pyramid_format_name(const struct bench_pyramid_result *result);

// A log that prints Weir's messages, or keeps the first one as the reason why there is no method.
struct bench_pyramid_log {
    bool keep;
    char text[BENCH_REASON_SIZE];
};

// Fill the rows of `size`. `pyramids`: by method, NULL where there is none; `refused`: why.
struct bench_pyramid_methods {
    struct bench_pyramid_log *log;
    weir_pyramid *pyramids[BENCH_PYRAMID_NUM_METHODS];
    char refused[BENCH_PYRAMID_NUM_METHODS][BENCH_REASON_SIZE];
};
enum weir_result bench_pyramid_measure(struct cli_gpu *gpu,
                                       const struct bench_pyramid_result *result,
                                       const struct bench_pyramid_methods *methods,
                                       const struct bench_kernel *kernel,
                                       struct bench_pyramid_size *size);

void bench_pyramid_print_size(FILE *out, const struct bench_pyramid_result *result,
                              const struct bench_pyramid_size *size);
void bench_pyramid_report(struct bench_report *json, const struct bench_pyramid_result *result);

// Images of a pyramid's format or of depth, all alike.
struct bench_pyramid_images {
    struct cli_gpu *gpu;
    const struct weir_pyramid_format_info *format; // or of D32_SFLOAT
    uint32_t width, height, layers, levels;
    VkImageUsageFlags usage;
    VkImageCreateFlags flags; // beside those of the format
    uint32_t num;
    uint64_t image_size; // [bytes] in memory
    struct weir_gpu_image *images;
    weir_image **wrapped; // the wrappers of `images`
};

// Make `num` images of the size that is set, in VK_IMAGE_LAYOUT_GENERAL. If memory is short there
// are fewer, but at least `least`. Errors are logged: WEIR_ERROR_UNSUPPORTED if the device makes no
// such image. Finish it in every case.
enum weir_result bench_pyramid_images_init(struct bench_pyramid_images *images, uint32_t least,
                                           uint32_t num);
void bench_pyramid_images_finish(struct bench_pyramid_images *images);

// `linear`: the format can be filtered. Finish it in every case.
enum weir_result bench_pyramid_kernel_init(struct bench_kernel *kernel, struct cli_gpu *gpu,
                                           bool linear);

// The sets by which the kernels use images, one for each. Finish them in every case.
enum weir_result bench_pyramid_sets_init(struct bench_sets *sets, const struct bench_kernel *kernel,
                                         const struct bench_pyramid_images *images);

// Put the name of a form of the floor into a text.
void bench_pyramid_form_name(uint32_t form, char *text, size_t size);

void bench_pyramid_record_floor(const struct bench_sets *sets,
                                const struct bench_pyramid_images *images, uint32_t form,
                                uint32_t image, VkCommandBuffer commands);
void bench_pyramid_record_empty(const struct bench_sets *sets, VkCommandBuffer commands);
// Record the dispatches that fill level 0 of every image.
void bench_pyramid_record_fill(const struct bench_sets *sets,
                               const struct bench_pyramid_images *images, VkCommandBuffer commands);

// The work that one submission repeats.
struct bench_pyramid_entry {
    enum {
        BENCH_PYRAMID_ENTRY_FLOOR,
        BENCH_PYRAMID_ENTRY_EMPTY,
        BENCH_PYRAMID_ENTRY_METHOD,
        BENCH_PYRAMID_ENTRY_APART, // a pyramid for each layer
    } type;
    uint32_t form; // number of the floor's form
    struct bench_pyramid_row *row;
    weir_pyramid_target **targets; // one an image; for APART one a layer, all in one repetition
    uint32_t num_targets;
    struct weir_pyramid_run run; // the barrier that a use of the same image again needs
    struct bench_samples samples;
};
enum { BENCH_PYRAMID_MAX_ENTRIES = BENCH_PYRAMID_NUM_FORMS + BENCH_PYRAMID_MAX_ROWS };

// Images of one size, the depth buffers above them where the input is depth, and the sets by which
// the bench's kernels use them.
struct bench_pyramid_set {
    struct bench_pyramid_images images, depths;
    struct bench_sets sets;
};

// Everything that is made for one size.
struct bench_pyramid_entries {
    struct cli_gpu *gpu;
    const struct bench_pyramid_result *result;
    const struct bench_pyramid_methods *methods;
    struct bench_pyramid_size *size;
    struct bench_pyramid_set all;
    struct bench_pyramid_set apart; // of one layer, one for each layer of the others
    struct bench_pyramid_entry entries[BENCH_PYRAMID_MAX_ENTRIES];
    uint32_t num;
};

// Make all of it, for the size, result and methods that are set; size->num_images is 0, and
// size->skipped says why, where the device cannot. Finish it in every case.
enum weir_result bench_pyramid_entries_init(struct bench_pyramid_entries *entries,
                                            const struct bench_kernel *kernel);
void bench_pyramid_entries_finish(struct bench_pyramid_entries *entries);

#endif
