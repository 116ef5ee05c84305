// SPDX-License-Identifier: MIT
// The entries that weir-bench pyramid times at one size, one for each floor and method, and their
// images and targets.
#ifndef WEIR_TESTS_BENCH_PYRAMID_ENTRIES_H
#define WEIR_TESTS_BENCH_PYRAMID_ENTRIES_H

#include "capture/weir/gpu/images.h"
#include "tests/bench/pyramid/floor.h"
#include "tests/bench/pyramid/pyramid.h"

enum bench_pyramid_kind {
    BENCH_PYRAMID_KIND_FLOOR,
    BENCH_PYRAMID_KIND_EMPTY,
    BENCH_PYRAMID_KIND_METHOD,
    BENCH_PYRAMID_KIND_APART, // a pyramid for each layer
};

// The work that one submission repeats.
struct bench_pyramid_entry {
    enum bench_pyramid_kind kind;
    uint32_t form; // number of the floor's form
    struct bench_pyramid_row *row;
    weir_pyramid_target **targets; // one an image; for APART one a layer, all in one repetition
    uint32_t num_targets;
    struct weir_pyramid_run run; // the barrier that a use of the same image again needs
    uint64_t *samples[2];        // cold, hot [ns]
};
enum { BENCH_PYRAMID_MAX_ENTRIES = BENCH_PYRAMID_NUM_FORMS + BENCH_PYRAMID_MAX_ROWS };

// Everything that is made for one size.
struct bench_pyramid_entries {
    struct cli_gpu *gpu;
    const struct bench_pyramid_result *result;
    const struct bench_pyramid_methods *methods;
    struct bench_pyramid_size *size;
    struct cli_images images;
    struct cli_images apart;                // images of one layer, one for each layer of `images`
    struct cli_images depths, apart_depths; // the inputs for each of these, where they are depth
    struct bench_pyramid_sets sets, apart_sets;
    struct bench_pyramid_entry entries[BENCH_PYRAMID_MAX_ENTRIES];
    uint32_t num;
};

// Make all of it; size->num_images is 0, and size->skipped says why, where the device cannot.
// Finish it in every case.
enum weir_result bench_pyramid_entries_init(struct bench_pyramid_entries *entries,
                                            struct cli_gpu *gpu,
                                            const struct bench_pyramid_result *result,
                                            const struct bench_pyramid_methods *methods,
                                            const struct bench_pyramid_kernels *kernels,
                                            struct bench_pyramid_size *size);
void bench_pyramid_entries_finish(struct bench_pyramid_entries *entries);

#endif
