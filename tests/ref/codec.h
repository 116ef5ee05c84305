// SPDX-License-Identifier: MIT
// The scalar references of the codecs of 8-bit textures, in one form.
#ifndef WEIR_TESTS_REF_CODEC_H
#define WEIR_TESTS_REF_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/encode.h>

// Encode 4x4 RGBA texels, row-major, as one block. `effort` counts from fast, 0, to exhaustive, 3,
// as the references do: in the order of what they cost. Live is -1, of codecs that have it.
typedef void ref_codec_encode(const uint8_t texels[16][4], int effort, uint8_t *out);

// Let a block that was encoded alone keep what costs little of `previous`, the one at its place in
// the frame before: zeros before the first. `ffmpeg_model`: as it was encoded.
typedef void ref_codec_keep(const uint8_t texels[16][4], bool ffmpeg_model, const uint8_t *previous,
                            uint8_t *block);

struct ref_codec {
    enum weir_codec codec;
    ref_codec_encode *encode;
    ref_codec_encode *encode_for_ffmpeg; // for FFmpeg's decoder; NULL: there is one model
    ref_codec_keep *keep;                // of codecs with weir_codec_info.has_steady
};

// The table of all; the signed ones and BC6H take other texels and are not in it.
const struct ref_codec *ref_codec_list(size_t *num_codecs);
const struct ref_codec *ref_codec_get(enum weir_codec codec); // NULL: not in the table

// Where the references have an effort in their order.
int ref_codec_effort(enum weir_effort effort);

// Options of encoders.
ref_codec_encode ref_codec_encode_bc1_black;
ref_codec_encode ref_codec_encode_bc1_for_ffmpeg;
ref_codec_encode ref_codec_encode_bc4_alpha;
ref_codec_keep ref_codec_keep_bc4_alpha;
ref_codec_encode ref_codec_encode_bc7_alpha_unread;

#endif
