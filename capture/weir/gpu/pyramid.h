// SPDX-License-Identifier: MIT
// A pyramid on the device: level 0 is uploaded, one run makes the other levels, and all levels are
// read back.
#pragma once

#include <weir/pyramid.h>

#include "capture/weir/gpu/gpu.h"

struct cli_pyramid_params {
    enum weir_pyramid_method method;
    enum weir_pyramid_reduction reduction;
    const struct weir_pyramid_format_info *format;
    uint32_t width, height, levels; // of level 0 [texels], and how many there are
    bool exact_srgb;
    bool by_host; // no kernel makes levels: they are uploaded
};

struct cli_pyramid {
    struct cli_pyramid_params params; // method resolved
    struct cli_gpu *gpu;
    weir_pyramid *pyramid;
    struct weir_pyramid_scope scope;
    struct weir_gpu_image image;
    weir_image *wrapped;
    weir_pyramid_target *target;
    uint32_t num_dispatches;
    double gpu_ns; // 0 where the queue has no timestamps

    struct weir_gpu_buffer staging; // holds a band of rows
    struct cli_timer timer;
};

// Prints the reason of a failure. Finish it in every case.
enum weir_result cli_pyramid_init(struct cli_pyramid *run, struct cli_gpu *gpu,
                                  const struct cli_pyramid_params *params);
void cli_pyramid_finish(struct cli_pyramid *run);

// A row of packed texels to fill, or to take.
typedef void cli_pyramid_row(void *user, uint32_t y, uint8_t *texels);

// Level 0 comes first.
enum weir_result cli_pyramid_upload(struct cli_pyramid *run, uint32_t level, cli_pyramid_row *fill,
                                    void *user);
enum weir_result cli_pyramid_execute(struct cli_pyramid *run);
enum weir_result cli_pyramid_download(struct cli_pyramid *run, uint32_t level,
                                      cli_pyramid_row *take, void *user);
