// SPDX-License-Identifier: MIT
// The parts of weir-bench pyramid: its options, and its results.
#ifndef WEIR_TESTS_BENCH_PYRAMID_PYRAMID_H
#define WEIR_TESTS_BENCH_PYRAMID_PYRAMID_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <weir/pyramid.h>

#include "capture/weir/gpu/gpu.h"
#include "tests/bench/times.h"

enum { BENCH_PYRAMID_NUM_METHODS = WEIR_PYRAMID_BLIT + 1 };

enum {
    BENCH_PYRAMID_MAX_SIZES = 32,
    BENCH_PYRAMID_MAX_LEVELS = 16,
    BENCH_PYRAMID_NUM_FORMS = 10,
    BENCH_PYRAMID_MAX_ROWS = BENCH_PYRAMID_NUM_METHODS + 3, // floor, empty, methods, N dispatches
};

struct bench_pyramid_options {
    const char *sizes, *methods, *json, *plot;
    int format, reduction; // indices of names; a format of -1: rgba8_srgb
    uint64_t device, layers, repeats, submits;
    bool no_cold, filter_srgb, filter_half, exact_srgb, uint_views, graphics, validation;
};

// Times of one repetition. Cold: each takes the next image; hot: always the first.
struct bench_pyramid_row {
    char name[32];
    char forms[2][48];       // names of the fastest of several forms, cold and hot; else empty
    char refused[256];       // the reason why it was not measured; else empty
    uint32_t num_dispatches; // dispatches of one repetition
    struct bench_times hot, cold;
};

// One form of the floor. The row of the floor has the times of the fastest.
struct bench_pyramid_form_times {
    char name[48];
    struct bench_times hot, cold;
};

struct bench_pyramid_size {
    uint32_t width, height, layers;
    uint32_t levels;
    uint32_t num_images; // images that cold repetitions take in turn; 1: there are none
    double image_size;   // size in memory of one image with all its levels and layers [bytes]
    double bytes;        // bytes that must move: level 0 is read, the others are written
    enum weir_pyramid_method automatic; // the method that AUTO takes here; AUTO: there is none
    char skipped[256];                  // the reason why nothing was measured; else empty
    struct bench_pyramid_row rows[BENCH_PYRAMID_MAX_ROWS];
    uint32_t num_rows;
    struct bench_pyramid_form_times forms[BENCH_PYRAMID_NUM_FORMS];
};
enum { BENCH_PYRAMID_FLOOR = 0, BENCH_PYRAMID_EMPTY = 1 }; // indices of these two rows

struct bench_pyramid_result {
    const struct bench_pyramid_options *options;
    const struct cli_gpu *gpu;
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

// Fills methods and sizes from the options; a message of the usage otherwise. Sizes need the device
// only where none are asked for: a software device gets small ones.
bool bench_pyramid_parse(struct bench_pyramid_result *result);
void bench_pyramid_default_sizes(struct bench_pyramid_result *result);

// The name of the input's format.
const char *bench_pyramid_format_name(const struct bench_pyramid_result *result);

// A log that prints Weir's messages, or keeps the first one.
struct bench_pyramid_log {
    bool keep;
    char text[256]; // the first message that was kept
};
struct weir_log bench_pyramid_log_init(struct bench_pyramid_log *log);

// The pyramids of the methods that the options ask for, and that of AUTO, which is not measured.
struct bench_pyramid_methods {
    struct bench_pyramid_log *log;
    weir_pyramid *pyramids[BENCH_PYRAMID_NUM_METHODS];
    char refused[BENCH_PYRAMID_NUM_METHODS][256]; // the reason why there is none
};
enum weir_result bench_pyramid_methods_init(struct bench_pyramid_methods *methods,
                                            const struct bench_pyramid_result *result,
                                            struct bench_pyramid_log *log);
void bench_pyramid_methods_finish(struct bench_pyramid_methods *methods);

struct bench_pyramid_kernels;

// Fill the rows of `size`.
enum weir_result bench_pyramid_measure(struct cli_gpu *gpu,
                                       const struct bench_pyramid_result *result,
                                       const struct bench_pyramid_methods *methods,
                                       const struct bench_pyramid_kernels *kernels,
                                       struct bench_pyramid_size *size);

// Get the median of a row divided by that of the floor; 0 if either is missing.
double bench_pyramid_ratio(const struct bench_pyramid_size *size,
                           const struct bench_pyramid_row *row, bool hot);

void bench_pyramid_table_head(FILE *out, const struct bench_pyramid_result *result);
void bench_pyramid_table_size(FILE *out, const struct bench_pyramid_result *result,
                              const struct bench_pyramid_size *size);
bool bench_pyramid_json_write(const char *path, const struct bench_pyramid_result *result);
// Write a PNG that plots, for each size, the time of each method against the floor.
bool bench_pyramid_plot_write(const char *path, const struct bench_pyramid_result *result);

#endif
