// SPDX-License-Identifier: MIT
// What weir-bench encode times on one device for pictures of one size, a repetition at a time.
#ifndef TESTS_BENCH_ENCODE_WORK_H
#define TESTS_BENCH_ENCODE_WORK_H

#include <weir/encode.h>

#include "capture/weir/gpu/timer.h"
#include "tests/bench/encode/encode.h"
#include "tests/bench/encode/floor.h"
#include "tests/bench/encode/pack.h"
#include "tests/bench/encode/proxy.h"

enum { BENCH_MAX_BATCH = 32 };

struct bench {
    struct cli_gpu *gpu;
    const struct bench_result *result;
    const struct bench_images *images;
    struct cli_buffer blocks, past; // of a frame, and of the frame before
    struct cli_buffer shared;       // what optimisers have of lambda, and say of a frame
    weir_buffer *buffer, *history, *control;
    struct cli_image snapshot; // of the plain copy
    struct bench_floor floor;
    struct bench_proxy proxy; // with --proxy
    struct cli_timer timer;
    uint64_t samples[BENCH_MAX_SAMPLES]; // [ns]
};

// The work that one repetition records.
struct bench_work {
    enum {
        BENCH_WORK_FLOOR,
        BENCH_WORK_ENCODE,
        BENCH_WORK_APART,
        BENCH_WORK_PACK,
        BENCH_WORK_COPY
    } kind;
    uint32_t floor_shape;
    const weir_encoder *encoder;
    const weir_rdo *rdo;           // NULL: the blocks stay
    const struct bench_pack *pack; // what BENCH_WORK_PACK times, behind the encoder
    bool hot;
};

// Time the work from timestamps, behind a warm-up.
enum weir_result bench_work_measure(struct bench *bench, const struct bench_work *work,
                                    struct bench_times *times);

#endif
