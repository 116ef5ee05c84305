// SPDX-License-Identifier: MIT
// The parts of weir-bench pyramid: its options, and its results.
#ifndef WEIR_TESTS_BENCH_PYRAMID_PYRAMID_H
#define WEIR_TESTS_BENCH_PYRAMID_PYRAMID_H

#include <weir/pyramid.h>

#include "tests/bench/bench.h"

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

struct bench_kernel;

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

#endif
