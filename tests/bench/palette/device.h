// SPDX-License-Identifier: MIT
// A picture of weir-bench palette on the device, and work on it that is timed.
#ifndef WEIR_TESTS_BENCH_PALETTE_DEVICE_H
#define WEIR_TESTS_BENCH_PALETTE_DEVICE_H

#include "capture/weir/gpu/picture.h"
#include "tests/bench/palette/palette.h"
#include "tests/bench/timing.h"

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

// Time what `record` records, which finds the other image in GENERAL.
enum weir_result bench_palette_device_run(struct bench_palette_device *device,
                                          bench_palette_record *record, void *user,
                                          struct bench_samples *samples);

// Time a copy of the source into the other image, whose content and layout are lost.
enum weir_result bench_palette_device_copy(struct bench_palette_device *device,
                                           struct bench_samples *samples);

#endif
