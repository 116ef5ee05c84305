// SPDX-License-Identifier: MIT
// The textures of a frame: the encoders that write them into a slot, one behind the other.
#ifndef WEIR_CAPTURE_STREAM_TEXTURES_H
#define WEIR_CAPTURE_STREAM_TEXTURES_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/rdo.h>

#include "capture/stream/controls.h"

struct weir_textures {
    uint32_t num;
    weir_encoder *encoders[WEIR_MOVIE_MAX_TEXTURES];
    uint64_t sizes[WEIR_MOVIE_MAX_TEXTURES]; // [bytes]
    weir_rdo *rdos[WEIR_MOVIE_MAX_TEXTURES]; // of their blocks; NULL: they stay
    uint64_t history_size; // with params->steady: of the encoders' blocks, then the optimisers'
    uint64_t rdo_history;  // where these begin
    struct weir_controls controls; // of the optimisers
};

// Make the encoders of params->codec, for images like params->like, and with params->quality below
// 100 or a params->rate the optimisers of their blocks. Finish it in every case.
// Errors: those of weir_encoder_create() and weir_rdo_create().
enum weir_result weir_textures_init(struct weir_textures *textures, weir_context *context,
                                    const struct weir_capture_params *params, const char *tag);
void weir_textures_finish(struct weir_textures *textures);

// True if the encoders can read images of this kind.
bool weir_textures_read(const struct weir_textures *textures, const weir_image *image);

// Record the encoding of an image. The encoders do not wait for each other, but with
// params->steady, where they have a `history` of history_size bytes; the optimisers do not either.
// `control`: with optimisers, for their controls.
enum weir_result weir_cmd_textures(const struct weir_textures *textures, VkCommandBuffer cmd,
                                   const weir_image *image, const weir_buffer *buffer,
                                   const weir_buffer *history, const weir_buffer *control);

#endif
