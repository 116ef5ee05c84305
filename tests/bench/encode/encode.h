// SPDX-License-Identifier: MIT
// The parts of weir-bench encode: its options, and its results.
#pragma once

#include <weir/capture.h>
#include <weir/encode.h>
#include <weir/movie.h>
#include <weir/rdo.h>

#include "capture/files/block/block.h"
#include "capture/files/picture/picture.h"
#include "capture/weir/common/report.h"
#include "capture/weir/gpu/tile.h"
#include "tests/bench/bench.h"
#include "tests/bench/images.h"
#include "tests/bench/kernel.h"

enum {
    BENCH_MAX_SIZES = 16,
    BENCH_MAX_STREAM_IMAGES = 8,
    BENCH_MAX_CODECS = 64,
    BENCH_MAX_ROWS = 4 * BENCH_MAX_CODECS,
    BENCH_MAX_PICTURES = 64,
};

struct bench_options {
    const char *sizes, *json, *dir, *codecs, *efforts, *pictures;
    uint64_t device, milliseconds, images, quality; // quality 0: 100
    uint64_t proxy;                                 // level of proxies. 0: none
    struct weir_ratio rate;
    bool steady, snappy, no_stream, no_transfer, quick, spin, validation;
};

// The sources of blocks: display codes in R8G8B8A8_UNORM, linear light in R16G16B16A16_SFLOAT.
enum bench_source { BENCH_CODES, BENCH_LIGHT, BENCH_NUM_SOURCES };
VkFormat bench_source_format(enum bench_source source);

// Mean over the pictures.
struct bench_quality {
    double value; // PSNR [dB], INFINITY where nothing is lost; of floats the RMS logarithmic error
    const char *channels;  // "RGB"
    uint32_t num_pictures; // 0: not measured
    bool is_log_error;
    bool generated; // the picture is one that the bench generates
};

// One codec at one effort.
struct bench_row {
    const char *name; // the name on the command line
    const struct weir_codec_info *info;
    const struct weir_block_format *format; // the format by which its blocks are decoded
    enum bench_source source;
    enum weir_effort effort;
    const struct weir_movie_codec_info *movie; // of which the stream is measured too; NULL: none
    // Without an encoder: Weir has none of these on this device. Its blocks are compared.
    struct cli_coder coder;
    bool is_steady;         // --steady, and the codec has it
    bool is_rdo;            // --quality, and the codec has it
    struct cli_coder timed; // what is timed in one of these cases
    struct cli_coder proxy; // with --proxy, where the codec has one
    struct bench_quality quality;
};

// GPU time of one dispatch, or of all of one repetition.
struct bench_figure {
    const char *name;            // floor, blocks, encode, proxy, apart, pack, copy
    const struct bench_row *row; // NULL: of no encoder
    uint32_t block_size;         // 0: no blocks
    double bytes;                // bytes that one repetition reads and writes
    double packed;               // what Snappy leaves of the blocks [%]; 0: no Snappy
    struct bench_measured measured;
};

// Frames through weir_capture_frame(), from images that stay on the GPU.
struct bench_stream {
    bool file;
    enum weir_policy policy;
    struct weir_ratio pace; // 0: as fast as it goes
    double seconds;         // from the first frame to the closed movie
    double cpu_seconds;     // of all threads, in that time
    struct weir_capture_stats stats;
    // Times of each weir_capture_frame() that took its frame.
    struct bench_times call; // wall time, with its sleep under WAIT
    struct bench_times cpu;  // CPU time of the calling thread
};

struct bench_size {
    uint32_t width, height, num_images;
    struct bench_value *kernels, *streams; // arrays of a row for each figure and stream
    double bus; // copies of a frame of the streams to host memory, by themselves [GB/s]
};

struct bench_result {
    const struct bench_options *options;
    struct bench_row rows[BENCH_MAX_ROWS];
    uint32_t num_rows;
    struct weir_picture pictures[BENCH_MAX_PICTURES]; // none: the bench's own is taken
    const char *picture_names[BENCH_MAX_PICTURES];
    uint32_t num_pictures;
    struct bench_size sizes[BENCH_MAX_SIZES];
    uint32_t num_sizes;
    struct cli_progress *progress;
};

// The names that --codec and --effort know; NULL after the last.
const char *bench_codec_choice(int index);
const char *bench_effort_choice(int index);
// The rows of what was asked, each once.
void bench_rows_init(struct bench_result *result);
// Make the encoders. A row that Weir or the device does not have stays without one; an error where
// all do.
enum weir_result bench_rows_open(struct cli_gpu *gpu, struct bench_result *result);
void bench_rows_close(struct bench_result *result);
// True if a row has an encoder that takes this source and makes blocks of this size; 0: any size.
bool bench_rows_have(const struct bench_result *result, enum bench_source source,
                     uint32_t block_size);
// "bc1 high", for messages.
const char *bench_row_text(const struct bench_row *row, char *text, size_t size);

// Draw the test picture, like a rendered frame: a soft sky, lit shapes with hard edges, fine
// texture that lets something shine through. As codes, and as light that gets brighter from left to
// right, from 1/16 to 16. Free it in every case.
enum weir_result bench_generate(enum bench_source source, uint32_t width, uint32_t height,
                                struct weir_picture *picture);

// True if a picture of --picture suits a source: its values are codes, or light.
bool bench_picture_suits(const struct weir_picture *picture, enum bench_source source);
// True if none does, so that the test picture stands in.
bool bench_is_generated(const struct bench_result *result, enum bench_source source);

// Make images of the pictures of --picture that suit the source, side by side, or of the test
// picture. Finish them in every case.
enum weir_result bench_images_of_pictures(struct cli_gpu *gpu, const struct bench_result *bench,
                                          enum bench_source source, uint32_t width, uint32_t height,
                                          struct bench_images *images);

// Measure the floors, the rows and the copy of a source, on its images.
enum weir_result bench_figures_measure(struct cli_gpu *gpu, const struct bench_result *result,
                                       enum bench_source source, const struct bench_images *images,
                                       struct bench_size *size);
// Fill `stream`, whose `file` and `policy` say what to measure.
enum weir_result bench_stream_measure(struct cli_gpu *gpu, const struct bench_options *options,
                                      const struct bench_row *row,
                                      const struct bench_images *images,
                                      struct bench_stream *stream);

// Encode the pictures, or the generated one, with every row, and fill the quality of each.
enum weir_result bench_quality_measure(struct cli_gpu *gpu, struct bench_result *result);

// Put a figure of images of texels of so many bytes, and a stream.
void bench_figure_put(const struct bench_size *size, const struct bench_figure *figure,
                      uint32_t texel_size, const struct bench_measured *floor);
void bench_stream_put(const struct bench_size *size, const struct bench_stream *stream);
void bench_encode_print_size(FILE *out, const struct bench_result *result,
                             const struct bench_size *size);

// Specialization constants of the floor, besides the size of a block.
struct bench_floor_shape {
    uint32_t width, height; // size of a workgroup [blocks]
    uint32_t rows;          // invocations read texels side by side, not their own blocks
    uint32_t gathers;       // by gathers of whole texels as words, not by texelFetch
};
enum { BENCH_NUM_FLOOR_SHAPES = 16 };
extern const struct bench_floor_shape bench_floor_shapes[BENCH_NUM_FLOOR_SHAPES];

// Make an image that encoders write as a proxy.
enum weir_result bench_proxy_image_init(struct cli_gpu *gpu, uint32_t width, uint32_t height,
                                        struct cli_image *image);

// A kernel and a set for each of the images. A zeroed one may be finished.
struct bench_image_kernel {
    const struct bench_images *images;
    struct bench_kernel kernel;
    struct cli_image proxy; // that the proxy's kernel writes, in VK_IMAGE_LAYOUT_GENERAL
    uint32_t side;          // of a proxy: a texel is the mean of side x side
};
// Finish them in every case.
enum weir_result bench_floor_init(struct bench_image_kernel *floor, struct cli_gpu *gpu,
                                  const struct bench_images *images, VkBuffer target,
                                  uint32_t block_size);
enum weir_result bench_proxy_init(struct bench_image_kernel *proxy, struct cli_gpu *gpu,
                                  const struct bench_images *images, uint32_t level);
void bench_image_kernel_finish(struct bench_image_kernel *kernel);

void bench_floor_record(const struct bench_image_kernel *floor, uint32_t shape, uint32_t image,
                        VkCommandBuffer commands);
void bench_proxy_record(const struct bench_image_kernel *proxy, uint32_t image,
                        VkCommandBuffer commands);

// Copies read the images as transfers do: change their layouts and that of the target before them,
// and with `back` give the images back to the kernels.
enum weir_result bench_copy_change(struct cli_gpu *gpu, const struct bench_images *images,
                                   const struct cli_image *target, bool back);
