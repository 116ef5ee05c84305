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

// Pictures of 8 bits; free them with weir_picture_free(). A new one is opaque and black, in rows
// without gaps.
struct weir_picture quality_read(const char *path);
struct weir_picture quality_new(uint32_t width, uint32_t height);
// Keep one of `every` bands of `height` rows, from that of index `first` on.
void quality_thin(struct weir_picture *picture, uint32_t height, uint32_t every, uint32_t first);

// Get one of the whole blocks of a picture, which are in rows.
void quality_fetch(const struct weir_picture *picture, uint32_t block, uint8_t texels[16][4]);

// Decode a block by exact fractions, in codes.
void quality_decode(enum weir_codec codec, const uint8_t *block, double texels[16][4]);
// Sum of the squared differences of the first channels.
double quality_error(const uint8_t texels[16][4], const double decoded[16][4], int num_channels);
// How blocks of a picture are encoded, and what of them is compared.
struct quality_trial {
    struct weir_encoder_params params; // blocks for FFmpeg's decoder are decoded by its arithmetic
    int num_channels;                  // that are compared; where they lack alpha, it is 255
    uint32_t every;                    // one whole block of so many is encoded
    bool rounds;                       // compare codes as a player shows them
};
// PSNR of these blocks [dB]. `seconds` of a core, which the encoder took, are added.
double quality_measure(const struct weir_picture *picture, const struct quality_trial *trial,
                       double *seconds);
// PSNR of so many values with that sum of squares [dB]; infinite without an error.
double quality_psnr(double error, double num_values);

#endif
