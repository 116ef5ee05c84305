// SPDX-License-Identifier: MIT
// What the bars of quality share: options, pictures, and blocks that are decoded and compared.
// Every failure ends the program.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <weir/encode.h>

#include "capture/files/picture/picture.h"
#include "tests/expect.h"

// Of 8 bits, in whole blocks of 4x4 texels.
struct quality_picture {
    const char *name; // of its file, without folders
    struct weir_picture texels;
};

struct quality {
    int effort; // index in kernel_efforts[] and quality_effort_names[]
    const char *codec, *write;
    uint64_t quality, every, frames, blocks;
    bool check, all, ffmpeg_model;
    bool is_few;                      // a check that encodes a part of each picture
    struct quality_picture *pictures; // those of the command line, which may be changed
    int num_pictures;
};
extern const char *const quality_effort_names[];

// The subjects. Each prints its table, and holds its bars with test_expect().
void quality_content(const struct quality *quality);
void quality_encode(const struct quality *quality);
void quality_held(const struct quality *quality);
void quality_hdr(const struct quality *quality);
void quality_palette(const struct quality *quality);
void quality_rate(const struct quality *quality);
void quality_steady(const struct quality *quality);

enum { QUALITY_NUM_KODAK = 8 }; // pictures of Kodak's 24 that some bars are for

_Noreturn void die(const char *what, const char *name);
void *need(void *p);

// A new picture, opaque and black, in rows without gaps; free it with weir_picture_free().
struct weir_picture quality_new(uint32_t width, uint32_t height);
// Keep one of `every` bands of `height` rows, from that of index `first` on.
void quality_thin(struct weir_picture *picture, uint32_t height, uint32_t every, uint32_t first);

// Get one of the whole blocks of a picture, which are in rows.
void quality_fetch(const struct weir_picture *picture, uint32_t block, uint8_t texels[16][4]);

// How blocks of a picture are encoded, and what of them is compared.
struct quality_trial {
    struct weir_encoder_params params; // blocks for FFmpeg's decoder are decoded by its arithmetic
    int num_channels;                  // that are compared; where they lack alpha, it is 255
    uint32_t every;                    // one whole block of so many is encoded
    bool rounds;                       // compare codes as a player shows them
    const double *most;                // optional: squared error of each block, at most
    double *errors;                    // optional: receives them
};
// PSNR of these blocks [dB]. The number of those with more error than `most` is added.
double quality_measure(const struct weir_picture *picture, const struct quality_trial *trial,
                       int *num_worse);
// PSNR of so many values with that sum of squares [dB]; infinite without an error.
double quality_psnr(double error, double num_values);

// FFmpeg's decoder on a packet of HapY. Gives back RGB in rows without gaps, to be freed.
uint8_t *hap_decode(const AVPacket *packet, uint32_t width, uint32_t height);
// One uncompressed HAP section of type 0xAF with the 8-byte header.
AVPacket *hap_packet(const uint8_t *blocks, size_t size);
// FFmpeg's encoder without a compressor, in its format "hap" or "hap_q", on an opaque picture; NULL
// where it refuses the size.
AVPacket *ffmpeg_encode(const struct weir_picture *picture, const char *format);
