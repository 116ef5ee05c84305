// SPDX-License-Identifier: MIT
// The parts of weir-bench pyramid: its options, and its results.
#pragma once

#include <weir/pyramid.h>

#include "tests/bench/bench.h"
#include "tests/bench/images.h"
#include "tests/bench/kernel.h"

enum {
    BENCH_PYRAMID_NUM_METHODS = WEIR_PYRAMID_BLIT + 1,
    BENCH_PYRAMID_MAX_SIZES = 32,
    BENCH_PYRAMID_MAX_LEVELS = 16,
    BENCH_PYRAMID_NUM_FORMS = 10,
    // Indices of the first rows: the floor's forms, the fastest of them, an empty dispatch.
    BENCH_PYRAMID_FLOOR = BENCH_PYRAMID_NUM_FORMS,
    BENCH_PYRAMID_EMPTY,
    BENCH_PYRAMID_FIRST_METHOD,
    BENCH_PYRAMID_MAX_ROWS = BENCH_PYRAMID_FIRST_METHOD + BENCH_PYRAMID_NUM_METHODS,
    BENCH_REASON_SIZE = 256,
};

struct bench_pyramid_options {
    const char *sizes, *methods, *json;
    int format, reduction, precision; // indices of names; a format of -1: rgba8_srgb
    uint64_t device, repeats, submits;
    bool no_cold, uint_views, graphics, validation;
};

// What one submission repeats, and its times.
struct bench_pyramid_row {
    char name[48];
    char refused[BENCH_REASON_SIZE]; // the reason why it was not measured; else empty
    uint32_t num_dispatches;         // of one repetition
    // Of a method, one an image; or, in one repetition, one for each layer.
    weir_pyramid_target **targets;
    uint32_t num_targets;
    bool is_apart;               // a pyramid for each layer
    struct weir_pyramid_run run; // the barrier that a use of the same image again needs
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
};

struct bench_pyramid_result {
    struct bench_pyramid_options options;
    const struct weir_pyramid_format_info *format;
    enum weir_pyramid_reduction reduction;
    bool host_time; // a software device, whose time stamps mean nothing
    bool methods[BENCH_PYRAMID_NUM_METHODS];
    struct bench_pyramid_size sizes[BENCH_PYRAMID_MAX_SIZES];
    uint32_t num_sizes;
};

// What all sizes have on the device.
struct bench_pyramid_run {
    struct cli_gpu *gpu;
    struct bench_pyramid_result *result;
    weir_pyramid *pyramids[BENCH_PYRAMID_NUM_METHODS]; // by method; NULL where there is none
    char refused[BENCH_PYRAMID_NUM_METHODS][BENCH_REASON_SIZE]; // why
    struct bench_kernel kernel;                                 // the floor
    // Where this is not NULL, it gets the first message of Weir's in place of standard error.
    char *reason;
};

// Make the rows of a size, on images that are made for it; size->num_images is 0, and size->skipped
// says why, where the device cannot. `apart`: of one layer, one for each of the others' layers.
// Finish them in every case.
enum weir_result bench_pyramid_rows_init(struct bench_pyramid_run *run,
                                         struct bench_pyramid_size *size, struct bench_images *all,
                                         struct bench_images *apart);
void bench_pyramid_rows_finish(struct bench_pyramid_size *size, struct bench_images *all,
                               struct bench_images *apart);

// Measure the rows of a size.
enum weir_result bench_pyramid_measure(struct bench_pyramid_run *run,
                                       struct bench_pyramid_size *size);

// Print the table of a size, and put its figures.
void bench_pyramid_report(FILE *out, const struct bench_pyramid_result *result,
                          const struct bench_pyramid_size *size, struct bench_value *sizes);

// The floor, and the empty kernel as a further form. `linear`: the format can be filtered. Finish
// it in every case.
enum weir_result bench_pyramid_kernel_init(struct bench_kernel *kernel, struct cli_gpu *gpu,
                                           bool linear);
// Add the sets by which it uses images, one for each.
enum weir_result bench_pyramid_add_sets(struct bench_kernel *kernel,
                                        const struct bench_images *images);
// Put the name of a form of the floor into a text.
void bench_pyramid_form_name(uint32_t form, char *text, size_t size);
void bench_pyramid_record_floor(const struct bench_kernel *kernel,
                                const struct bench_images *images, uint32_t form, uint32_t image,
                                VkCommandBuffer commands);
void bench_pyramid_record_empty(const struct bench_kernel *kernel, VkCommandBuffer commands);

// Fill level 0 with a ramp and noise, in which no device finds anything to compress. Alpha is at
// least a quarter. The images are in VK_IMAGE_LAYOUT_GENERAL then.
enum weir_result bench_pyramid_fill(const struct bench_images *images);
