// SPDX-License-Identifier: MIT
// A palette reduction on the device, stage by stage, each with its GPU time.
#pragma once

#include <weir/palette.h>

#include "capture/weir/common/report.h"
#include "capture/weir/gpu/gpu.h"

enum cli_reduction_stage {
    CLI_REDUCTION_COUNT,
    CLI_REDUCTION_START,
    CLI_REDUCTION_ITERATE,
    CLI_REDUCTION_FINISH,
    CLI_REDUCTION_MAP,
    CLI_REDUCTION_NUM_STAGES,
};

// For images of RGBA8: count some, reduce, map some; reduce again, or count with `clear`.
struct cli_reduction {
    struct weir_palette_params params;
    struct cli_progress *progress; // of reductions; may be NULL
    struct cli_gpu *gpu;
    weir_palette *palette;
    struct cli_timer timer;

    double stage_ns[CLI_REDUCTION_NUM_STAGES]; // GPU time, adding up until it is reset
};

// `params`: of the palette, without `like`. Prints the reason of a failure. Finish it in every
// case; a zeroed one may be finished.
enum weir_result cli_reduction_init(struct cli_reduction *run, struct cli_gpu *gpu,
                                    const struct weir_palette_params *params);
void cli_reduction_finish(struct cli_reduction *run);

// Each of the next three waits until the device is done, and prints the reason of a failure.
// `source` is in SHADER_READ_ONLY_OPTIMAL.

// Count an image's colours. With `clear` the colours that were counted before are forgotten.
enum weir_result cli_reduction_count(struct cli_reduction *run, const weir_image *source,
                                     bool clear);

// Reduce the colours that were counted. Ctrl-C ends it with WEIR_ERROR_IO, without a message.
enum weir_result cli_reduction_reduce(struct cli_reduction *run,
                                      const struct weir_palette_start *start,
                                      struct weir_palette_stats *stats);

// Map a counted image to its new colours in `image`, which has the usage STORAGE and is in
// SHADER_READ_ONLY_OPTIMAL afterwards.
enum weir_result cli_reduction_map(struct cli_reduction *run, const weir_image *source,
                                   const struct cli_image *image);

void cli_reduction_reset_times(struct cli_reduction *run);

// The GPU time of all stages [ns]; 0 where the queue has no timestamps.
double cli_reduction_total_ns(const struct cli_reduction *run);

// Pictures of RGBA8 on the device, one at a time, and the image that a reduction writes. A zeroed
// one may be finished.
struct cli_picture {
    struct cli_gpu *gpu;
    struct weir_gpu_buffer staging;
    struct cli_image source; // in SHADER_READ_ONLY_OPTIMAL
    struct cli_image image;  // of the same size, which kernels write
};

// Upload a picture, whose rows have no gaps, into the source; both images are made anew if its size
// differs. `name` is the picture's, for messages. Prints the reason of a failure. Finish it in any
// case.
enum weir_result cli_picture_upload(struct cli_picture *picture, struct cli_gpu *gpu,
                                    const char *name, VkExtent2D size, const uint8_t *rgba);
void cli_picture_finish(struct cli_picture *picture);

// Read the image, which is in SHADER_READ_ONLY_OPTIMAL, and is not afterwards. The rows have no
// gaps. Prints the reason of a failure.
enum weir_result cli_picture_download(struct cli_picture *picture, uint8_t *rgba);
