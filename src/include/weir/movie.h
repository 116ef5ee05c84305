// SPDX-License-Identifier: MIT
// Movie codecs (libweir-capture): the variants of HAP, and which blocks their frames hold.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/encode.h>

// A movie codec: a frame is one or two textures of blocks. docs/capture.md says what each codec is
// for, and which programs play it.
enum weir_movie_codec {
    WEIR_MOVIE_CODEC_DEFAULT = 0,        // as WEIR_MOVIE_CODEC_HAP_Q
    WEIR_MOVIE_CODEC_HAP_Q = 1,          // colour as scaled YCoCg in BC3
    WEIR_MOVIE_CODEC_HAP = 2,            // colour as BC1: half the size
    WEIR_MOVIE_CODEC_HAP_ALPHA = 3,      // colour and alpha as BC3
    WEIR_MOVIE_CODEC_HAP_Q_ALPHA = 4,    // colour as in HAP_Q, and alpha as BC4
    WEIR_MOVIE_CODEC_HAP_ALPHA_ONLY = 5, // alpha as BC4
    WEIR_MOVIE_CODEC_HAP_R = 6,          // colour and alpha as BC7
    // Linear light of 0 .. 65504 as BC6H; only for images in R16G16B16A16_SFLOAT.
    WEIR_MOVIE_CODEC_HAP_HDR = 7,
};

enum { WEIR_MOVIE_MAX_TEXTURES = 2 };

// The most bytes of a title or a comment of a movie (weir_capture_movie_params).
#define WEIR_MAX_MOVIE_TEXT 1023

// The constant facts of a movie codec.
struct weir_movie_codec_info {
    enum weir_movie_codec codec;
    const char *name;               // as on command lines: "hap_q"
    const char *description;        // one line
    uint32_t codec_tag;             // FourCC, first character in the lowest byte
    uint32_t bits_per_coded_sample; // `depth` of a QuickTime sample description
    // The codecs of a frame's textures, in order. BC4 holds alpha (weir_encoder_params.bc4_alpha).
    uint32_t num_textures;
    enum weir_codec textures[WEIR_MOVIE_MAX_TEXTURES];
    bool has_alpha;
    bool is_linear;      // holds linear light, and requires images of half floats
    bool ffmpeg_decodes; // FFmpeg, and players that use its libraries, can show it
    // The highest effort of the codec. It has every lower one too, and accepts LIVE.
    enum weir_effort max_effort;
};

// Get the table of all movie codecs; `*num_codecs`, if it is not NULL, becomes its length.
// Thread-safe. Pure.
WEIR_API const struct weir_movie_codec_info *weir_movie_codec_list(size_t *num_codecs);

// Get the facts of a movie codec, or NULL for an unknown value. Thread-safe. Pure.
WEIR_API const struct weir_movie_codec_info *weir_movie_codec_get_info(enum weir_movie_codec codec);

// Find a movie codec by its name. Returns false where there is none of that name, and for NULL.
// Thread-safe. Pure.
WEIR_API bool weir_movie_codec_by_name(const char *name, enum weir_movie_codec *codec);

// Get the size of all blocks of a frame of width x height texels, before the second compression
// [bytes]. Returns 0 for an unknown codec, and for a size of 2^64 bytes or more. Thread-safe. Pure.
WEIR_API uint64_t weir_movie_codec_frame_size(enum weir_movie_codec codec, uint32_t width,
                                              uint32_t height);
