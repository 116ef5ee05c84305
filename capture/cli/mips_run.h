// SPDX-License-Identifier: MIT
// A pyramid on the device: level 0 goes up, one run makes the others, every level comes back.
#ifndef WEIR_CAPTURE_CLI_MIPS_RUN_H
#define WEIR_CAPTURE_CLI_MIPS_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/pyramid.h>

#include "capture/cli/bench_pyramid_images.h"
#include "capture/cli/gpu.h"

struct mips_run_params {
    enum weir_pyramid_method method;
    enum weir_pyramid_reduction reduction;
    const struct weir_pyramid_format *format;
    uint32_t width, height, levels; // of level 0 [texels], and how many there are
};

struct mips_run {
    struct mips_run_params params; // method resolved
    struct cli_gpu *gpu;
    weir_pyramid *pyramid;
    struct weir_pyramid_scope scope;
    struct bench_pyramid_images images; // one
    weir_pyramid_target *target;
    uint32_t num_dispatches;
    double gpu_ns; // 0 where the queue has no timestamps

    struct cli_buffer staging; // holds a band of rows
    VkCommandBuffer commands;
    VkQueryPool queries;
};

// Prints the reason of a failure. Finish it in every case.
enum weir_result mips_run_init(struct mips_run *run, struct cli_gpu *gpu,
                               const struct mips_run_params *params);
void mips_run_finish(struct mips_run *run);

// A row of packed texels to fill, or to take.
typedef void mips_run_row(void *user, uint32_t y, uint8_t *texels);

enum weir_result mips_run_upload(struct mips_run *run, mips_run_row *fill, void *user);
enum weir_result mips_run_execute(struct mips_run *run);
enum weir_result mips_run_download(struct mips_run *run, uint32_t level, mips_run_row *take,
                                   void *user);

// The side of a level.
uint32_t mips_run_side(uint32_t base, uint32_t level);

#endif
