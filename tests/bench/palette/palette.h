// SPDX-License-Identifier: MIT
// The parts of weir-bench palette: its options, and its results.
#pragma once

#include <weir/palette.h>

#include "capture/weir/gpu/reduction.h"
#include "tests/bench/bench.h"
#include "tests/bench/timing.h"

enum { BENCH_PALETTE_MAX_ROWS = 64 };

// Ours is mean shift. Live is k-means that follows from frame to frame.
enum bench_palette_method { BENCH_PALETTE_OURS, BENCH_PALETTE_LIVE, BENCH_PALETTE_NUM_METHODS };
// The names that options take; each list ends with NULL.
extern const char *const bench_palette_method_names[], *const bench_palette_weight_names[],
                                                           *const bench_palette_light_names[];

struct bench_palette_options {
    const char *colors, *pictures, *methods, *json;
    double radius;
    int weight, light;
    uint64_t device, repeats, num_colors;
    bool quick, validation;
};

// The stages that are timed; the first are those of enum cli_reduction_stage. TOTAL is all of these
// together.
enum bench_palette_stage {
    BENCH_PALETTE_COUNT,
    BENCH_PALETTE_START,
    BENCH_PALETTE_ITERATE,
    BENCH_PALETTE_FINISH,
    BENCH_PALETTE_MAP,
    BENCH_PALETTE_COPY, // a copy of the image, for comparison
    BENCH_PALETTE_TOTAL,
    BENCH_PALETTE_NUM_STAGES
};

struct bench_palette_row {
    enum { BENCH_PALETTE_GENERATED, BENCH_PALETTE_FILE, BENCH_PALETTE_FLAT } source;
    char name[1024]; // the path of a BENCH_PALETTE_FILE
    // As the options say; for a BENCH_PALETTE_FILE, as in the file.
    uint32_t width, height, num_colors;
};

struct bench_palette_result {
    const struct bench_palette_options *options;
    struct cli_progress *progress;
    bool methods[BENCH_PALETTE_NUM_METHODS];
    struct bench_palette_row rows[BENCH_PALETTE_MAX_ROWS];
    uint32_t num_rows;
};

// Fills methods and rows from the options. False after a message.
bool bench_palette_parse(struct bench_palette_result *result);

// A picture in host memory, and its distinct colours.
struct bench_palette_picture {
    uint32_t width, height;
    uint8_t *rgba; // rows without gaps
    uint32_t num_colors;
    uint32_t *colors; // 0xRRGGBB, rising; without pixels of alpha 0
    uint32_t *counts; // how many pixels each has
};
// Generate or read the picture of a row. The reason of a failure is printed. Finish it in every
// case.
enum weir_result bench_palette_picture_init(struct bench_palette_picture *picture,
                                            const struct bench_palette_row *row);
void bench_palette_picture_finish(struct bench_palette_picture *picture);

// Measure the methods on the picture of a row, and put their figures: a dash for each that is not
// measured.
enum weir_result bench_palette_measure(struct cli_gpu *gpu,
                                       const struct bench_palette_result *result,
                                       struct bench_palette_row *row, struct bench_value *to);

// Measure live.c on a picture, repeated to a frame of that size.
VkExtent2D bench_palette_frame_size(const struct bench_palette_options *options);
enum weir_result bench_palette_live_measure(struct cli_gpu *gpu,
                                            const struct bench_palette_options *options,
                                            const struct bench_palette_picture *picture,
                                            struct bench_value *to);

// NAN where the divisor was not measured, or the dividend.
double bench_palette_ratio(double a, double b);

typedef enum weir_result bench_palette_record(void *user, VkCommandBuffer commands);

// A zeroed one may be finished.
struct bench_palette_device {
    struct cli_gpu *gpu;
    struct cli_picture images;
    struct cli_timer timer;
    uint8_t *pixels;              // room for those of the image in new colours
    bench_palette_record *record; // the work that is timed
    void *user;                   // of it
};
enum weir_result bench_palette_device_init(struct bench_palette_device *device, struct cli_gpu *gpu,
                                           const struct bench_palette_picture *picture,
                                           const char *name);
void bench_palette_device_finish(struct bench_palette_device *device);

// Time what `record` records, which finds the other image in GENERAL; NULL: a copy of the source
// into it, whose layout is lost.
enum weir_result bench_palette_device_run(struct bench_palette_device *device,
                                          bench_palette_record *record, void *user,
                                          struct bench_samples *samples);
