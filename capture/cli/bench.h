// SPDX-License-Identifier: MIT
// The parts of weir bench encode: what is asked, and what was measured.
#ifndef WEIR_CAPTURE_CLI_BENCH_H
#define WEIR_CAPTURE_CLI_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <weir/capture.h>
#include <weir/encode.h>

#include "capture/cli/bench_times.h"
#include "capture/cli/gpu.h"
#include "capture/cli/options.h"

enum { bench_max_sizes = 16, bench_max_images = 32, bench_max_streams = 5 };

struct bench_options {
    const char *sizes, *json, *dir;
    int codec;
    uint64_t device, milliseconds;
    struct cli_rate rate;
    bool no_file, no_stream, quick, spin, validation;
};

// One size: as many images of it as it takes to rotate them through the last level cache.
struct bench_images {
    uint32_t width, height, num;
    struct cli_image images[bench_max_images];
};

// GPU time of one dispatch. Cold: each repetition takes the next image; hot: always the first.
struct bench_kernel {
    const char *name;
    char form[48]; // which of several, if there are
    struct bench_times cold, hot;
    double bytes; // read and written by one dispatch
};
enum bench_kernel_index {
    BENCH_FLOOR,  // the fastest way to read the image and write the blocks
    BENCH_BLOCKS, // the same, but each invocation reads its own block, as an encoder uses it
    BENCH_ENCODE,
    BENCH_COPY,
    BENCH_NUM_KERNELS
};

// Frames through weir_capture_frame(), from images that stay on the GPU.
struct bench_stream {
    bool file;
    enum weir_policy policy;
    struct cli_rate pace; // 0: as fast as it goes
    double seconds;       // from the first frame to the closed movie
    struct weir_capture_stats stats;
    // Of each weir_capture_frame() that took its frame:
    struct bench_times call; // wall time, with its sleep under WAIT
    struct bench_times cpu;  // CPU time of the calling thread
};

struct bench_size {
    uint32_t width, height, num_images;
    struct bench_kernel kernels[BENCH_NUM_KERNELS];
    struct bench_stream streams[bench_max_streams];
    uint32_t num_streams;
};

struct bench_result {
    const struct bench_options *options;
    const struct cli_gpu *gpu;
    bool async;
    const char *codec;
    struct bench_size sizes[bench_max_sizes];
    uint32_t num_sizes;
};

// The test picture, like a rendered frame: a soft sky, lit shapes with hard edges, fine texture.
void bench_picture_fill(uint8_t *pixels, size_t pitch, uint32_t width, uint32_t height);
enum weir_result bench_images_init(struct cli_gpu *gpu, uint32_t width, uint32_t height,
                                   struct bench_images *images);
void bench_images_finish(struct cli_gpu *gpu, struct bench_images *images);

// Fill size->kernels.
enum weir_result bench_kernels_measure(struct cli_gpu *gpu, const struct bench_options *options,
                                       const struct bench_images *images, struct bench_size *size);
// Fill `stream`, whose `file` and `policy` say what to measure.
enum weir_result bench_stream_measure(struct cli_gpu *gpu, const struct bench_options *options,
                                      const struct bench_images *images,
                                      struct bench_stream *stream);

enum weir_codec bench_codec(const struct bench_options *options);

void bench_table_head(FILE *out, const struct bench_result *result);
void bench_table_size(FILE *out, const struct bench_size *size);
// Asked before the measurement: minutes are not spent on figures that cannot be written.
bool bench_json_can_write(const char *path);
bool bench_json_write(const char *path, const struct bench_result *result);
// Standard output for "-". Closing removes a file that could not be written, and says so.
FILE *bench_json_open(const char *path);
bool bench_json_close(FILE *out, const char *path);

#endif
