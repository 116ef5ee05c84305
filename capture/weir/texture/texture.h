// SPDX-License-Identifier: MIT
// weir texture: its codecs and options, the encoder of its pictures, and the files of textures.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/encode.h>

#include "capture/files/picture/picture.h"
#include "capture/files/source/list.h"
#include "capture/files/texture/texture.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/texture_file.h"
#include "capture/weir/decoder/decoder.h"
#include "capture/weir/gpu/gpu.h"
#include "capture/weir/gpu/levels.h"
#include "capture/weir/gpu/tile.h"

// Get the codec number `index`, from 0; NULL after the last. The first one is the default.
const struct weir_codec_info *texture_codec_at(int index);

// True if it stores texels as they are: "rgba8" and "rgba16f", which the library does not have.
bool texture_codec_is_texels(const struct weir_codec_info *codec);

bool texture_codec_has_alpha(const struct weir_codec_info *codec);

// True if the codec holds linear light as floats, false if it holds codes of 0 .. 1.
bool texture_codec_is_float(const struct weir_codec_info *codec);

// The treatment of a picture's alpha.
enum texture_alpha {
    TEXTURE_ALPHA_STRAIGHT, // colours stay unchanged
    TEXTURE_ALPHA_MULTIPLY, // colours are multiplied by alpha
    TEXTURE_ALPHA_IGNORE,   // alpha is replaced by 1
    TEXTURE_ALPHA_UNREAD,   // nobody reads it: the encoder may give it any value
    TEXTURE_ALPHA_DATA,     // it is no opacity: colours are not weighted by it
};

// The options. Choices are indices of names.
struct texture_options {
    int codec, effort, metric, decoder, container, alpha, profile;
    uint64_t quality, device, mip, slice, max_memory;
    const char *layer;
    const char *levels; // a number, "own" or "full"; NULL: not given
    bool cube, array;
    bool srgb, mips, bc1_black, bc1_dither, dx10, zstd, strict, decode, validation;
    struct cli_level_options level;
};

// Levels that the input has, or all down to one texel.
enum { TEXTURE_LEVELS_OWN = 0, TEXTURE_LEVELS_FULL = WEIR_TEXTURE_MAX_LEVELS + 1 };

// The state of the command: an encoder for any number of pictures. It stays where it is.
struct texture {
    const struct texture_options *options;
    const struct weir_codec_info *codec;
    const struct weir_container *container;
    enum weir_effort effort;
    enum texture_alpha alpha;
    uint32_t levels; // how many; TEXTURE_LEVELS_OWN, TEXTURE_LEVELS_FULL
    bool srgb;       // as asked for, or as the file says whose texels are encoded
    struct cli_gpu gpu;
    struct cli_pictures *pictures;                 // that are read
    const struct weir_pyramid_format_info *format; // of the images that are encoded
    struct cli_coder coder;
    struct cli_tile tile;       // the last one
    struct weir_rdo_result sum; // of the tiles of the level that is being encoded

    const struct weir_picture *picture; // the one that is being encoded
    bool makes_levels;                  // those below the first are made of it
    float *row;                         // of it
    struct cli_pyramid mips;            // the levels of the last that has several
};

// check.c: choose the container by the output, which is a folder for several pictures; how many
// levels there will be; check the options of the codec. These say what is wrong. Warn where files
// will not be smaller with a quality.
enum cli_status texture_check_output(struct texture *texture, const char *output, bool several);
enum cli_status texture_choose_levels(struct texture *texture);
enum cli_status texture_check_codec(const struct texture *texture);
void texture_tell_of_size(const struct texture *texture);

// Open the device, and make the encoder. Prints the reason of a failure. Close it in every case:
// behind work that had this result, as cli_gpu_close_behind().
enum weir_result texture_open(struct texture *texture);
enum weir_result texture_close(struct texture *texture, enum weir_result result);

// The blocks of a picture. A zeroed struct may be freed.
struct texture_blocks {
    struct weir_texture texture;
    uint8_t *memory;            // the blocks of all levels, each with all images
    double squared_error, psnr; // of level 0, see weir_rdo_psnr(); 0 where nothing is optimised
};

// The pictures of a texture.
struct texture_source {
    const char *input, *output;          // their names
    const struct weir_source_list *list; // a picture for each image; NULL: the input is one
    const struct weir_texture *texels;   // a texture that has them all; NULL: there are pictures
    uint32_t num_images, num_layers;     // see struct weir_texture
    bool is_cube;
};

// Read the picture of a level of an image, and check that it can be encoded. Prints the reason of a
// failure. Free it in every case.
enum weir_result texture_source_read(const struct texture *texture,
                                     const struct texture_source *source, uint32_t image,
                                     uint32_t level, struct weir_picture *picture);

// Encode pictures: in tiles, where they are larger than an image may be. All levels of one together
// must fit into one image, though. Colours of levels are weighted by straight alpha where the
// picture has one and the codec too. Prints the reason of a failure. Free the blocks in every case.
enum weir_result texture_encode(struct texture *texture, const struct texture_source *source,
                                struct texture_blocks *blocks);
void texture_blocks_free(struct texture_blocks *blocks);

// run.c: make `num` levels of texture->picture, which is called `name`. Encode one of these levels,
// or the picture as that level. Prints the reason of a failure.
enum weir_result texture_make_levels(struct texture *texture, const char *name, uint32_t num);
enum weir_result texture_encode_level(struct texture *texture, const struct weir_texture *levels,
                                      uint32_t level, uint8_t *blocks);

// Encode a picture into a file, and print a line on it. Prints the reason of a failure; the file is
// as it was before then.
enum weir_result texture_encode_file(struct texture *texture, const char *input,
                                     const char *output);

// The same of several pictures: the layers of an array, or the faces of a cube map.
enum weir_result texture_encode_images(struct texture *texture, const struct cli_inputs *inputs,
                                       const char *output);

// Encode every picture of the inputs into files of a folder, which is made if it is missing;
// textures among them are rewrapped. For a picture that fails or crashes its decoder the
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
