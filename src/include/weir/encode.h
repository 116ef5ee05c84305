// SPDX-License-Identifier: MIT
// Block encoders: from an image on the GPU to compressed blocks in a buffer on the GPU.
#ifndef WEIR_ENCODE_H
#define WEIR_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/frame.h>
#include <weir/image.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// A codec is a form of blocks. The kinds of movies have names of their own: "hap_q", on command lines
// and in docs/capture.md, is a HAP movie whose frames are blocks of WEIR_CODEC_YCOCG_BC3, whose name
// is "ycocg_bc3".
enum weir_codec {
    WEIR_CODEC_DEFAULT = 0,   // as WEIR_CODEC_YCOCG_BC3
    WEIR_CODEC_YCOCG_BC3 = 1, // scaled YCoCg in BC3: the texture of HAP Q (HapY). Opaque
    WEIR_CODEC_BC4 = 2,       // R as BC4 UNORM
    WEIR_CODEC_BC5 = 3,       // R and G as BC5 UNORM: normals, motion vectors
    WEIR_CODEC_BC1 = 4,       // RGB as BC1, opaque
    WEIR_CODEC_BC3 = 5,       // RGBA as BC3: A as in BC4, RGB as in BC1
    WEIR_CODEC_EAC_R11 = 6,   // R as EAC R11, unsigned
    WEIR_CODEC_EAC_RG11 = 7,  // R and G as EAC RG11, unsigned

    WEIR_CODEC_ETC1 = 8,         // RGB as ETC1: blocks that are of ETC2 RGB too
    WEIR_CODEC_ETC2_RGB = 9,     // RGB as ETC2
    WEIR_CODEC_ETC2_RGB8A1 = 10, // RGB as ETC2, transparent where A is below 128
    WEIR_CODEC_ETC2_RGBA = 11,   // RGBA as ETC2: A as EAC of 8 bits, RGB as in ETC2_RGB
    WEIR_CODEC_BC6H_UF16 = 12,   // RGB of R16G16B16A16_SFLOAT as BC6H, 0 .. 65504
    WEIR_CODEC_BC6H_SF16 = 13,   // RGB of R16G16B16A16_SFLOAT as BC6H, -65504 .. 65504
    WEIR_CODEC_BC7 = 14,         // RGBA as BC7

    // Signed: they read R8G8B8A8_SNORM, or R16G16B16A16_SFLOAT, whatever its transfer, clipped to
    // -1 .. 1.
    WEIR_CODEC_BC4_SNORM = 15,      // R
    WEIR_CODEC_BC5_SNORM = 16,      // R and G
    WEIR_CODEC_EAC_R11_SNORM = 17,  // R
    WEIR_CODEC_EAC_RG11_SNORM = 18, // R and G

    WEIR_CODEC_BC1A = 19, // RGBA as BC1, alpha of one bit: transparent under 128 of 255
};

// How long an encoder looks for better blocks; docs/encoders.md has what each gains and costs.
enum weir_effort {
    WEIR_EFFORT_DEFAULT = 0,
    WEIR_EFFORT_FAST = 1,
    WEIR_EFFORT_HIGH = 2,
    // Every code that can matter is tried: the least error that the format allows, but for blocks
    // of EAC whose values reach the ends of the range (docs/encoders.md). Slow.
    WEIR_EFFORT_EXHAUSTIVE = 3,
};

// A codec's constant facts.
struct weir_codec_info {
    enum weir_codec codec;
    const char *name;                   // as on command lines: "ycocg_bc3"
    const char *description;            // one line
    uint32_t block_width, block_height; // [texels]
    uint32_t block_size;                // [bytes]
    VkFormat format;                    // of images that hold such blocks
    VkFormat srgb_format; // the same with colours decoded; UNDEFINED where there is none
    // The highest effort that the codec offers; it offers every lower one too.
    enum weir_effort max_effort;
    bool is_signed; // holds values of -1 .. 1, and reads only sources of such
};

// The table of all codecs and its length. Thread-safe. Pure.
WEIR_API const struct weir_codec_info *weir_codec_list(size_t *num_codecs);

// The facts of a codec; NULL for a value that is none. Thread-safe. Pure.
WEIR_API const struct weir_codec_info *weir_codec_get_info(enum weir_codec codec);

// The codec of that name; false where there is none. Thread-safe. Pure.
WEIR_API bool weir_codec_by_name(const char *name, enum weir_codec *codec);

// How many bytes an image takes, edges padded to whole blocks; 0 for an unknown codec. Pure.
WEIR_API uint64_t weir_codec_image_size(enum weir_codec codec, uint32_t width, uint32_t height);

// Whose arithmetic the encoder optimises for. GPUs interpolate with exact fractions; FFmpeg
// truncates.
enum weir_decoder_model {
    WEIR_DECODER_GPU = 0,
    WEIR_DECODER_FFMPEG = 1,
};

// An encoder of one codec for one kind of source image. Immutable; may record into several command
// buffers at a time.
typedef struct weir_encoder weir_encoder;

// All pointers are read during weir_encoder_create() only.
struct weir_encoder_params {
    const char *debug_tag;
    enum weir_codec codec;
    enum weir_decoder_model decoder; // of YCOCG_BC3; others are for GPUs
    enum weir_effort effort;         // at most the codec's max_effort
    // Required: an image of the kind that will be encoded. Its format, transfer and whether it is
    // MUTABLE_FORMAT count, its size does not. Formats: R8G8B8A8 and B8G8R8A8 UNORM and SRGB,
    // A8B8G8R8_PACK32 UNORM and SRGB, R8, R8G8, R16, R16G16 and R16G16B16A16 UNORM (a channel that
    // is missing is 0, alpha 1), A2B10G10R10_UNORM_PACK32, R16G16B16A16_SFLOAT, and for signed
    // codecs R8G8B8A8_SNORM.
    const weir_image *like;
    // Sources of more than 8 bits: round only. By default an ordered dither of one code is added to
    // colours; BC4 and BC5 round, EAC takes 11 bits.
    bool no_dither;
    // Of WEIR_CODEC_BC1: blocks may have three colours and black, whose alpha is decoded as 0: for
    // textures whose alpha is not read.
    bool bc1_black;
    // Of WEIR_CODEC_BC1, BC1A and BC3: an ordered dither of RGB to the steps that a block can make,
    // against bands on soft gradients.
    bool bc1_dither;
};
#define weir_encoder_params(...) WEIR_PARAMS(weir_encoder_params, __VA_ARGS__)

// Make an encoder: compiles its pipeline (milliseconds; use the context's pipeline cache).
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (format, transfer, effort),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. Thread safety: any thread.
WEIR_API enum weir_result weir_encoder_create(weir_context *context,
                                              const struct weir_encoder_params *params,
                                              weir_encoder **out);
// Must not be in use by the GPU. NULL is allowed; sets `*encoder` to NULL.
WEIR_API void weir_encoder_destroy(weir_encoder **encoder);

// The params that the encoder was made with, defaults filled in; debug_tag and like are NULL. All
// zero for NULL. Thread-safe.
WEIR_API struct weir_encoder_params weir_encoder_get_params(const weir_encoder *encoder);

// Whether the encoder reads images of this one's kind. False for NULL. Thread-safe. Pure.
WEIR_API bool weir_encoder_reads(const weir_encoder *encoder, const weir_image *image);

// A part of an image: by default level 0 of layer 0, all of it.
struct weir_encode {
    const weir_image *source;  // required, of the kind that the encoder reads
    const weir_buffer *buffer; // required: where the blocks go
    uint64_t offset; // of the first block in `buffer` [bytes], a multiple of the codec's block_size
    uint32_t level, num_levels; // of the source. num_levels 0 = 1
    uint32_t layer, num_layers; // of the source. num_layers 0 = 1
    VkRect2D rect; // of one level [texels], at any place; extent 0x0: all of every level
};

// How many bytes of blocks an encode writes: level after level, in a level layer after layer, in a
// layer rows of blocks from the top left, without gaps. `buffer` and `offset` do not matter. 0 for
// NULL, or for a part that the source does not have. Thread-safe.
WEIR_API uint64_t weir_encode_size(const weir_encoder *encoder, const struct weir_encode *encode);

// Record the encoding of a part of an image, in the order above. At the right and the bottom edge of
// a level or of the rectangle, the last texels repeat to fill their blocks. Several encoders may read
// one source in one submission.
//
// Handles: its pipeline, descriptors and push constants; a dispatch, or several where one would take
// long: they do not wait for each other.
// Caller: the levels and layers that are read in SHADER_READ_ONLY_OPTIMAL (weir_readback_begin() does
// that for all levels and layers of a frame's image); barriers before and after: the kernel reads the
// image and writes the buffer in COMPUTE_SHADER, SHADER_READ and SHADER_WRITE.
// Borrows everything until `cmd` has finished executing. Allocates nothing.
// Errors: WEIR_ERROR_INVALID (NULL, a source of another kind, a part that it does not have, a buffer
// that is too small).
// Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_encode(const weir_encoder *encoder, VkCommandBuffer cmd,
                                          const struct weir_encode *encode);

// Where blocks go in a compressed image.
struct weir_block_copy {
    const weir_image *image; // required: of a format of the codec's blocks, usage TRANSFER_DST
    uint32_t level, layer;   // of the first level and the first layer that were encoded
    VkOffset2D offset;       // of the rectangle there [texels], a multiple of the block's size
};

// Record the copy of what `encode` wrote into a compressed image, after weir_cmd_encode() in the same
// command buffer.
//
// Handles: the barrier between the two.
// Caller: the buffer has TRANSFER_SRC; the image's levels and layers in TRANSFER_DST_OPTIMAL; a
// barrier after: the copy writes the image in TRANSFER, TRANSFER_WRITE. What is encoded must be as
// large as where it goes.
// Errors: WEIR_ERROR_INVALID (as weir_cmd_encode(); an image without TRANSFER_DST, or with other
// blocks; a level or layer that it does not have). Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_copy_blocks(const weir_encoder *encoder, VkCommandBuffer cmd,
                                               const struct weir_encode *encode,
                                               const struct weir_block_copy *copy);

#ifdef __cplusplus
}
#endif
#endif
