// SPDX-License-Identifier: MIT
// The parts of weir-bench encode: its options, and its results.
#ifndef WEIR_TESTS_BENCH_ENCODE_ENCODE_H
#define WEIR_TESTS_BENCH_ENCODE_ENCODE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <weir/capture.h>
#include <weir/encode.h>
#include <weir/movie.h>
#include <weir/rdo.h>

#include "capture/files/block/block.h"
#include "capture/files/picture/picture.h"
#include "capture/weir/common/options.h"
#include "capture/weir/common/progress.h"
#include "capture/weir/gpu/coder.h"
#include "capture/weir/gpu/gpu.h"
#include "tests/bench/times.h"

enum {
    BENCH_MAX_SIZES = 16,
    BENCH_MAX_IMAGES = 32,
    BENCH_MAX_STREAMS = 5,
    BENCH_MAX_STREAM_IMAGES = 8,
    BENCH_MAX_CODECS = 64,
    BENCH_MAX_ROWS = 4 * BENCH_MAX_CODECS,
    BENCH_MAX_PICTURES = 64,
};

struct bench_options {
    const char *sizes, *json, *dir, *codecs, *efforts, *pictures;
    uint64_t device, milliseconds, images, quality; // quality 0: 100
    uint64_t proxy;                                 // level of proxies. 0: none
    struct cli_rate rate;
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
    uint32_t num_channels;                  // number of channels that are compared
    enum bench_source source;
    enum weir_effort effort;
    const struct weir_movie_codec_info *movie; // of which the stream is measured too; NULL: none
    // Without an encoder: Weir has none of that kind on this device. Its quality is judged.
    struct cli_coder coder;
    bool is_steady;         // --steady, and the codec has it
    bool has_proxy;         // --proxy, and the codec has it
    bool is_rdo;            // --quality, and the codec has it
    struct cli_coder timed; // what is timed in one of these cases
    struct cli_coder proxy; // with --proxy, where the codec has one
    struct bench_quality quality;
};

// One size: as many images of it as it takes to rotate them through the last level cache.
struct bench_images {
    enum bench_source source;
    bool generated; // of the test picture
    uint32_t width, height, num;
    struct cli_image images[BENCH_MAX_IMAGES];
};

// GPU time of one dispatch. Cold: each repetition takes the next image; hot: always the first.
struct bench_kernel {
    const char *name;
    char form[64]; // the name of its form, if it has several
    struct bench_times cold, hot;
    double bytes; // bytes that one dispatch reads and writes
};
// The kernels that encoders are compared with, for one source and one size of blocks. Zeroed where
// none was measured.
struct bench_base {
    struct bench_kernel floor; // the fastest way to read the image and write the blocks
    // the same, but each invocation reads its own block, as an encoder needs it
    struct bench_kernel blocks;
};
enum { BENCH_NUM_BLOCK_SIZES = 2 };
extern const uint32_t bench_block_sizes[BENCH_NUM_BLOCK_SIZES];

// Frames through weir_capture_frame(), from images that stay on the GPU.
struct bench_stream {
    bool file;
    enum weir_policy policy;
    struct cli_rate pace; // 0: as fast as it goes
    double seconds;       // from the first frame to the closed movie
    double cpu_seconds;   // of all threads, in that time
    struct weir_capture_stats stats;
    // Times of each weir_capture_frame() that took its frame.
    struct bench_times call; // wall time, with its sleep under WAIT
    struct bench_times cpu;  // CPU time of the calling thread
};

struct bench_size {
    uint32_t width, height, num_images;
    bool generated[BENCH_NUM_SOURCES]; // the images are of the test picture
    struct bench_base bases[BENCH_NUM_SOURCES][BENCH_NUM_BLOCK_SIZES];
    struct bench_kernel copies[BENCH_NUM_SOURCES]; // copies of the image
    struct bench_kernel encodes[BENCH_MAX_ROWS];   // one for each row of the result
    // With --proxy: as it is written on the way, and beside a kernel that makes it.
    struct bench_kernel proxies[BENCH_MAX_ROWS], aparts[BENCH_MAX_ROWS];
    struct bench_kernel packs[BENCH_MAX_ROWS]; // with --snappy: of their blocks
    double packed[BENCH_MAX_ROWS];             // what is left of these [%]
    double bus; // copies of a frame of the streams to host memory, by themselves [GB/s]
    struct bench_stream streams[BENCH_MAX_STREAMS];
    uint32_t num_streams;
};

struct bench_result {
    const struct bench_options *options;
    const struct cli_gpu *gpu;
    bool async;
    struct bench_row rows[BENCH_MAX_ROWS];
    uint32_t num_rows;
    struct weir_picture pictures[BENCH_MAX_PICTURES]; // none: the bench's own is taken
    char *picture_names[BENCH_MAX_PICTURES];
    uint32_t num_pictures;
    struct bench_size sizes[BENCH_MAX_SIZES];
    uint32_t num_sizes;
    struct cli_progress *progress;
};

// The names that --codec and --effort know; NULL after the last.
const char *bench_codec_choice(int index);
const char *bench_effort_choice(int index);
// The rows of what was asked, in its order, each once.
void bench_rows_init(struct bench_result *result);
// Make the encoders. A row of a kind that Weir or the device does not have stays without one; an
// error where all do.
enum weir_result bench_rows_open(struct cli_gpu *gpu, struct bench_result *result);
void bench_rows_close(struct bench_result *result);
// True if a row has an encoder that takes this source and makes blocks of this size; 0: any size.
bool bench_rows_have(const struct bench_result *result, enum bench_source source,
                     uint32_t block_size);
// "bc1 high", for messages.
const char *bench_row_text(const struct bench_row *row, char *text, size_t size);

// The test picture, like a rendered frame: a soft sky, lit shapes with hard edges, fine texture
// that lets something shine through. As codes, and as light that gets brighter from left to right,
// from 1/16 to 16.
void bench_picture_codes(uint32_t width, uint32_t height, uint32_t y, uint8_t *codes);
void bench_picture_light(uint32_t width, uint32_t height, uint32_t y, float *light);

// The pictures of --picture that suit a source, laid out side by side.
struct bench_mosaic {
    const struct weir_picture *pictures[BENCH_MAX_PICTURES];
    uint32_t num; // 0: none suits
    float *row;   // of one of them
};
// True if the values of a picture are light, and no codes.
bool bench_picture_is_light(const struct weir_picture *picture);
// False if memory is short.
bool bench_mosaic_init(const struct bench_result *result, enum bench_source source,
                       struct bench_mosaic *mosaic);
void bench_mosaic_finish(struct bench_mosaic *mosaic);
// Get a row of an image of that width, as RGBA. There is at least one picture.
void bench_mosaic_row(const struct bench_mosaic *mosaic, uint32_t width, uint32_t y, float *texels);

// Make images of the pictures of --picture that suit the source, or of the test picture.
enum weir_result bench_images_init(struct cli_gpu *gpu, const struct bench_result *bench,
                                   enum bench_source source, uint32_t width, uint32_t height,
                                   struct bench_images *images);
void bench_images_finish(struct cli_gpu *gpu, struct bench_images *images);

// Measure the floors, the rows and the copy that belong to the source of `images`.
enum weir_result bench_kernels_measure(struct cli_gpu *gpu, const struct bench_result *result,
                                       const struct bench_images *images, struct bench_size *size);
// The base that a row is held against.
const struct bench_base *bench_base_of(const struct bench_size *size, const struct bench_row *row);
// The floor that a copy is held against: that of the smaller blocks that were measured.
const struct bench_kernel *bench_copy_floor(const struct bench_size *size,
                                            enum bench_source source);
// Measure the bus: copies of `size` bytes to host memory, one behind the other for `least_ns`, on
// the queue that results are copied on.
enum weir_result bench_bus_measure(struct cli_gpu *gpu, uint64_t size, uint64_t least_ns,
                                   double *gb_per_s);
// Fill `stream`, whose `file` and `policy` say what to measure.
enum weir_result bench_stream_measure(struct cli_gpu *gpu, const struct bench_options *options,
                                      const struct bench_row *row,
                                      const struct bench_images *images,
                                      struct bench_stream *stream);

// Read the pictures that were asked for. False where one cannot be, and the log has the reason.
bool bench_pictures_read(struct bench_result *result);
void bench_pictures_free(struct bench_result *result);
// Encode the pictures, or the generated one, with every row, and fill the quality of each.
enum weir_result bench_quality_measure(struct cli_gpu *gpu, struct bench_result *result);

void bench_table_head(FILE *out, const struct bench_result *result);
void bench_table_size(FILE *out, const struct bench_result *result, const struct bench_size *size);
bool bench_encode_json_write(const char *path, const struct bench_result *result);

#endif
