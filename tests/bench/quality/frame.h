// SPDX-License-Identifier: MIT
// What the bars of quality share: command lines, pictures, and blocks that are decoded and
// compared. Every failure ends the program.
#ifndef WEIR_TESTS_BENCH_QUALITY_FRAME_H
#define WEIR_TESTS_BENCH_QUALITY_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/encode.h>

#include "capture/files/picture/picture.h"
#include "capture/weir/common/options.h"

_Noreturn void die(const char *what, const char *name);
void *need(void *p);

// Entries of a table of options. `type` has the fields `bool check` and `bool all`.
#define QUALITY_CHECK_OPTIONS(type)                                                                \
    {"check", CLI_FLAG, offsetof(type, check), .help = "fail where a bar is missed"},              \
    {                                                                                              \
        "all", CLI_FLAG, offsetof(type, all), .help = "with --check: all of each picture"          \
    }

// Parse the options; the other words, which are pictures, become argv[0 ..]. Returns how many.
int quality_parse(const struct cli_option *options, size_t num_options, int argc, char **argv,
                  void *values);

// The name of a file without its folders.
const char *quality_base_name(const char *path);

// Read a picture of 8 bits.
struct weir_picture quality_read(const char *path);

// Get one of the whole blocks of a picture, which are in rows.
void quality_fetch(const struct weir_picture *picture, uint32_t block, uint8_t texels[16][4]);

struct picture {
    int width, height;
    uint8_t *rgb; // 3 * width bytes a row
};
struct picture picture_new(int width, int height);
struct picture picture_load(const char *path);
// Keep one of `every` bands of `height` rows, from that of index `first` on.
void picture_thin(struct picture *p, int height, int every, int first);

// Decode a block by exact fractions, in codes.
void quality_decode(enum weir_codec codec, const uint8_t *block, double texels[16][4]);
// Sum of the squared differences of the first channels.
double quality_error(const uint8_t texels[16][4], const double decoded[16][4], int num_channels);
// PSNR of so many values with that sum of squares [dB]; infinite without an error.
double quality_psnr(double error, double num_values);

#endif
