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
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

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
enum weir_level {
    WEIR_LEVEL_DEFAULT = 0,
    WEIR_LEVEL_FAST = 1,
    WEIR_LEVEL_HIGH = 2,
    WEIR_LEVEL_EXHAUSTIVE = 3, // the best block that there is. Slow: see docs/encoders.md
};

// A codec's constant facts.
struct weir_codec_info {
    enum weir_codec codec;
    const char *name;                   // as on command lines: "ycocg_bc3"
    const char *description;            // one line
    uint32_t block_width, block_height; // [texels]
    uint32_t block_size;                // [bytes]
    enum weir_level max_level;          // DEFAULT where there are no others; else all up to this
    bool is_signed;                     // holds values of -1 .. 1, and reads only sources of such
};

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

struct weir_encoder_params {
    const char *debug_tag;
    enum weir_codec codec;
    enum weir_decoder_model decoder; // of WEIR_CODEC_YCOCG_BC3; others have one
    enum weir_level level;           // at most the codec's max_level
    VkFormat format;          // of the images that will be encoded; required, see weir_image_params
    VkImageCreateFlags flags; // of those images (whether MUTABLE_FORMAT)
    enum weir_transfer transfer; // of those images
    // sources deeper than 8 bit: round only. Default is an ordered dither of one code, of colours;
    // BC4 and BC5 round, EAC takes 11 bits
    bool no_dither;
    // of WEIR_CODEC_BC1: blocks may have three colours and black, whose alpha is decoded as 0: for
    // textures whose alpha is not read
    bool bc1_black;
    // of WEIR_CODEC_BC1, BC1A and BC3: an ordered dither of RGB to the steps that a block can make,
    // against bands on soft gradients
    bool bc1_dither;
};
#define weir_encoder_params(...)                                                                   \
    (&(struct weir_encoder_params){.debug_tag = WEIR_DEBUG_TAG, __VA_ARGS__})

// Make an encoder: compiles its pipeline (milliseconds; use the context's pipeline cache).
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (format, transfer, level),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. Thread safety: any thread.
WEIR_API enum weir_result weir_encoder_create(weir_context *context,
                                              const struct weir_encoder_params *params,
                                              weir_encoder **out);
// Must not be in use by the GPU. NULL is allowed; sets `*encoder` to NULL.
WEIR_API void weir_encoder_destroy(weir_encoder **encoder);

// The params that the encoder was made with, defaults filled in; debug_tag is NULL. Thread-safe.
WEIR_API struct weir_encoder_params weir_encoder_get_params(const weir_encoder *encoder);

// A part of an image: by default level 0 of layer 0, all of it.
struct weir_encode {
    const weir_image *source;  // required; format, flags and transfer as the encoder's
    const weir_buffer *target; // required
    uint64_t offset; // of the first block in `target` [bytes], a multiple of the codec's block_size
    uint32_t level, num_levels; // of the source, as it was wrapped; num 0: 1
    uint32_t layer, num_layers; // as well
    VkRect2D rect; // of one level [texels], at any place; extent 0x0: all of every level
};

// How many bytes of blocks an encode writes: those of level after level, of a level of layer after
// layer, each in rows from the top left without gaps. `target` and `offset` do not matter. 0: NULL,
// or a part that the source does not have. Thread-safe.
WEIR_API uint64_t weir_encode_size(const weir_encoder *encoder, const struct weir_encode *encode);

// Record the encoding of a part of an image, in the order above. Texels at the right and the bottom
// edge of a level or of the rectangle repeat in blocks that reach over it. Several encoders may
// read one source in one submission.
//
// Handles: its pipeline, descriptors and push constants; a dispatch, or several where one would
// take long: they do not wait for each other.
// Caller: the levels and layers that are read in SHADER_READ_ONLY_OPTIMAL (weir_readback_begin()
// does that for a frame); barriers before and after: the kernel reads the image and writes the
// buffer in COMPUTE_SHADER, SHADER_READ and SHADER_WRITE.
// Borrows everything until `cmd` has finished executing. Allocates nothing.
// Errors: WEIR_ERROR_INVALID (NULL, a source of another kind, a part that it does not have, a
// target too small).
// Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_encode(const weir_encoder *encoder, VkCommandBuffer cmd,
                                          const struct weir_encode *encode);

// An image of a compressed format with the codec's blocks, usage TRANSFER_DST.
struct weir_compressed_image {
    VkImage image;         // required
    uint32_t level, layer; // which the first level and the first layer that were encoded become
    VkOffset2D offset;     // of the rectangle there [texels], a multiple of the block's size
};

// Record the copy of what `encode` wrote into a compressed image, after weir_cmd_encode() in the
// same command buffer.
//
// Handles: the barrier between the two.
// Caller: the buffer has TRANSFER_SRC; the image's levels and layers in TRANSFER_DST_OPTIMAL; a
// barrier after: the copy writes the image in TRANSFER, TRANSFER_WRITE. What is encoded must be as
// large as where it goes.
// Errors: WEIR_ERROR_INVALID, as weir_cmd_encode(). Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_copy_blocks(const weir_encoder *encoder, VkCommandBuffer cmd,
                                               const struct weir_encode *encode,
                                               const struct weir_compressed_image *target);

#ifdef __cplusplus
}
#endif
#endif
