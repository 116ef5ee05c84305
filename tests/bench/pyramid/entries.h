// SPDX-License-Identifier: MIT
// The entries that weir-bench pyramid times at one size, one for each floor and method, and their
// images and targets.
#ifndef WEIR_TESTS_BENCH_PYRAMID_ENTRIES_H
#define WEIR_TESTS_BENCH_PYRAMID_ENTRIES_H

#include "tests/bench/pyramid/floor.h"

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
