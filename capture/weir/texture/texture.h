// SPDX-License-Identifier: MIT
// weir texture: its options, and the state that its parts share.
#ifndef WEIR_CAPTURE_WEIR_TEXTURE_TEXTURE_H
#define WEIR_CAPTURE_WEIR_TEXTURE_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/files/texture/container.h"
#include "capture/weir/common/inputs.h"
#include "capture/weir/common/texture_codec.h"
#include "capture/weir/gpu/gpu.h"
#include "capture/weir/texture/run.h"

// The options. Choices are indices of names; -1: not given.
struct texture_options {
    int codec, effort, metric, decoder, container, alpha;
    uint64_t quality; // 0: not given
    uint64_t device, mip, max_memory;
    bool srgb, mips, bc1_black, bc1_dither, dx10, zstd, strict, decode, validation;
};

struct texture {
    const struct texture_options *options;
    const struct weir_codec_info *codec;
    const struct weir_container *container;
    struct cli_gpu gpu;
    struct texture_run run;
};

// Encode a picture into a file, in a child process with a device of its own, which may crash, and
// print a line on it. Prints the reason of a failure; the file is as it was before then.
enum weir_result texture_encode_file(struct texture *texture, const char *input,
                                     const char *output);

// Encode every picture of the inputs into files of a folder, which is made if it is missing;
// textures among them are rewrapped. For a picture that fails or crashes the process the
// reason is printed; the others are still encoded.
enum weir_result texture_encode_folder(struct texture *texture, const struct cli_inputs *inputs,
                                       const char *output);

// True if a file holds a texture in blocks, of any origin, and is no picture to encode.
bool texture_is_rewrapped(const char *input);

// Write the texture of a file as another kind of file, with the same blocks, and print a line on
// it. Prints the reason of a failure; the file is as it was before then.
enum weir_result texture_rewrap_file(const struct texture *texture, const char *input,
                                     const char *output);

// Write a file in the form that the options ask for; `*size` becomes its size [bytes]. Prints the
// reason of a failure; the file is as it was before then.
enum weir_result texture_write_file(const struct texture *texture, const char *output,
                                    const struct weir_texture *levels, uint64_t *size);

// Decode the level of a texture that the options name into a PNG or PFM file. Prints the reason of
// a failure.
enum weir_result texture_decode_file(const struct texture_options *options, const char *input,
                                     const char *output);

// True if the name of a file ends in ".png" or ".pfm".
bool texture_can_decode_to(const char *output);

#endif
