// SPDX-License-Identifier: MIT
// Block encoders compress an image on the GPU into blocks in a buffer on the GPU.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/frame.h>
#include <weir/image.h>
#include <weir/result.h>

// A codec is a format of compressed blocks. Movies have codecs of their own (<weir/movie.h>): the
// frames of "hap_q", a HAP Q movie, hold blocks of WEIR_CODEC_YCOCG_BC3.
enum weir_codec {
    WEIR_CODEC_DEFAULT = 0,   // as WEIR_CODEC_YCOCG_BC3
    WEIR_CODEC_YCOCG_BC3 = 1, // scaled YCoCg in BC3: the texture of HAP Q (HapY). Opaque
    WEIR_CODEC_BC4 = 2,       // R as BC4 UNORM
    WEIR_CODEC_BC5 = 3,       // R and G as BC5 UNORM: normals, motion vectors
    WEIR_CODEC_BC1 = 4,       // RGB as BC1, opaque
    WEIR_CODEC_BC3 = 5,       // RGBA as BC3: A as in BC4, RGB as in BC1
    WEIR_CODEC_EAC_R11 = 6,   // R as EAC R11, unsigned
    WEIR_CODEC_EAC_RG11 = 7,  // R and G as EAC RG11, unsigned

    WEIR_CODEC_ETC1 = 8,         // RGB as ETC1; its blocks are valid blocks of ETC2 RGB too
    WEIR_CODEC_ETC2_RGB = 9,     // RGB as ETC2
    WEIR_CODEC_ETC2_RGB8A1 = 10, // RGB as ETC2; transparent where A is below 128 [of 255]
    WEIR_CODEC_ETC2_RGBA = 11,   // RGBA as ETC2: A as EAC of 8 bits, RGB as in ETC2_RGB
    WEIR_CODEC_BC6H_UF16 = 12,   // RGB of R16G16B16A16_SFLOAT as BC6H, 0 .. 65504
    WEIR_CODEC_BC6H_SF16 = 13,   // RGB of R16G16B16A16_SFLOAT as BC6H, -65504 .. 65504
    WEIR_CODEC_BC7 = 14,         // RGBA as BC7

    // Signed codecs read R8G8B8A8_SNORM, or R16G16B16A16_SFLOAT clipped to -1 .. 1. They ignore the
    // transfer of the image.
    WEIR_CODEC_BC4_SNORM = 15,      // R
    WEIR_CODEC_BC5_SNORM = 16,      // R and G
    WEIR_CODEC_EAC_R11_SNORM = 17,  // R
    WEIR_CODEC_EAC_RG11_SNORM = 18, // R and G

    WEIR_CODEC_BC1A = 19, // RGBA as BC1: transparent where A is below 128 [of 255]
};

// How long an encoder searches for better blocks. docs/encoders.md lists what each effort gains and
// costs.
enum weir_effort {
    WEIR_EFFORT_DEFAULT = 0,
    WEIR_EFFORT_FAST = 1,
    WEIR_EFFORT_HIGH = 2,
    // Tries every block that can be the best, which gives the least error that the format allows.
    // The exception is EAC where values reach the ends of the range (docs/encoders.md). Slow.
    WEIR_EFFORT_EXHAUSTIVE = 3,
    // For encoding beside a renderer: a small part of the time of FAST. Every codec accepts it;
    // those without weir_codec_info.has_live use FAST.
    WEIR_EFFORT_LIVE = 4,
};

// The constant facts of a codec.
struct weir_codec_info {
    enum weir_codec codec;
    const char *name;                   // as on command lines: "ycocg_bc3"
    const char *description;            // one line
    uint32_t block_width, block_height; // [texels]
    uint32_t block_size;                // [bytes]
    uint32_t num_channels;              // that the blocks hold, 1 .. 4
    VkFormat format;                    // of compressed images that hold such blocks
    // The SRGB format of the same blocks; UNDEFINED if there is none.
    VkFormat srgb_format;
    // The highest effort of the codec. It has every lower one too, and accepts LIVE.
    enum weir_effort max_effort;
    bool has_live;   // LIVE is an effort of its own
    bool has_steady; // weir_encoder_params.steady is possible
    bool has_proxy;  // weir_encoder_params.proxy_like is possible
    bool has_rdo;    // <weir/rdo.h> supports it: its blocks compress better then
    bool is_signed;  // the blocks hold -1 .. 1; sources must be signed
};

// Get the table of all codecs, also of those whose kernels were left out (WEIR_CODECS).
// `*num_codecs`, if it is not NULL, becomes its length. Thread-safe. Pure.
WEIR_API const struct weir_codec_info *weir_codec_list(size_t *num_codecs);

// Get the facts of a codec, or NULL for an unknown value. Thread-safe. Pure.
WEIR_API const struct weir_codec_info *weir_codec_get_info(enum weir_codec codec);

// Find a codec by its name. Returns false where there is none of that name, and for NULL.
// Thread-safe. Pure.
WEIR_API bool weir_codec_by_name(const char *name, enum weir_codec *codec);

// Get the size of an image of width x height texels as blocks [bytes]. Edges are padded to whole
// blocks. Returns 0 for an unknown codec, and for a size of 2^64 bytes or more. Thread-safe. Pure.
WEIR_API uint64_t weir_codec_image_size(enum weir_codec codec, uint32_t width, uint32_t height);

// The decoder for which the encoder minimises the error. GPUs interpolate with exact fractions;
// FFmpeg's decoders of HAP and DDS truncate.
enum weir_decoder_model {
    WEIR_DECODER_GPU = 0,
    WEIR_DECODER_FFMPEG = 1,
};

// An encoder of one codec and one effort, for source images of one format. Immutable: several
// threads may record with it at a time, each into its own command buffer.
typedef struct weir_encoder weir_encoder;

// All pointers are read during weir_encoder_create() only.
struct weir_encoder_params {
    const char *debug_tag;
    enum weir_codec codec;
    // For YCOCG_BC3, BC1, BC1A, and RGB of BC3; other codecs ignore it and minimise for GPUs.
    enum weir_decoder_model decoder;
    enum weir_effort effort; // LIVE, or at most weir_codec_info.max_effort
    // Required: an image like those that will be encoded, of any size. Sources with the same
    // format, transfer and flag MUTABLE_FORMAT can be encoded; weir_encoder_reads() tells for any
    // image. Formats: R8G8B8A8 and B8G8R8A8 UNORM and SRGB, A8B8G8R8_PACK32 UNORM and SRGB, R8,
    // R8G8, R16, R16G16 and R16G16B16A16 UNORM (a missing channel is 0, a missing alpha 1),
    // A2B10G10R10_UNORM_PACK32, R16G16B16A16_SFLOAT, and for signed codecs R8G8B8A8_SNORM.
    const weir_image *like;
    // For sources of more than 8 bits: round colours to 8 bits. By default an ordered dither of one
    // code is added first. BC4 and BC5 always round, EAC keeps 11 bits.
    bool no_dither;
    // For WEIR_CODEC_BC1: allow the mode of three colours and black, which is better for dark
    // texels. That black has alpha 0, so the texture's alpha must not be used. Not with `steady`.
    bool bc1_black;
    // For WEIR_CODEC_BC1, BC1A and BC3: dither RGB between the colours that a block can represent.
    // Hides bands in soft gradients.
    bool bc1_dither;
    // For WEIR_CODEC_BC4: encode A in place of R, as BC3 does: without a transfer curve, and 1 if
    // the format has no alpha.
    bool bc4_alpha;
    // For WEIR_CODEC_BC6H_UF16 and BC6H_SF16: minimise the error of log(1 + |value|), in place of
    // that of ratios (octaves). Dark values then count less: far below 1 their differences count,
    // far above 1 their ratios. Not at LIVE, which makes no choice.
    bool bc6h_log;
    // For WEIR_CODEC_BC7 textures whose alpha nobody reads: the alpha of the source is ignored,
    // that of the blocks is 254 or 255 [of 255], and RGB gets the bits. It gains 0.05 dB on
    // photographs and 0.2 dB on user interfaces.
    bool bc7_alpha_unread;
    // For movies, and codecs with weir_codec_info.has_steady: blocks keep their endpoints of the
    // frame before if these have at most twice the squared error of new ones. A still picture with
    // noise then flickers little more than the source (docs/encoders.md). Requires
    // weir_encode.history.
    bool steady;
    // For codecs with weir_codec_info.has_proxy: also write a *proxy*, a small picture of the
    // source, from the texels that the encoder has read anyway. proxy_like is an image like the one
    // that receives it, of any size. Formats: R8G8B8A8 and B8G8R8A8, with usage STORAGE. In SRGB
    // (with flags MUTABLE_FORMAT and EXTENDED_USAGE) a texel is the mean of linear light, within
    // 2.1 codes before rounding (docs/encoders.md has the formula). In UNORM, for sources of codes
    // only, it is the mean of codes, which is too dark at high contrast. Means are of the texels as
    // encoded, before dither; at the edge the last texels are repeated. Alpha is the mean of alpha,
    // or 1 if the blocks have none. NULL: no proxy. Not with `steady`. Requires of the device:
    // shaderStorageImageWriteWithoutFormat.
    const weir_image *proxy_like;
    // With `proxy_like`: 1 = half of each side (means of 2x2 texels), 2 = a quarter (4x4). 0 = 2.
    uint32_t proxy_level;
};
#define weir_encoder_params(...) WEIR_PARAMS(weir_encoder_params, __VA_ARGS__)

// Make an encoder. Compiles its kernel: make it while the program loads. A kept cache of the
// context saves most of that time.
// Errors: WEIR_ERROR_INVALID (NULL, an unknown value, `proxy_level` without `proxy_like`),
// WEIR_ERROR_UNSUPPORTED (the codec does not read the format or transfer, or has no such effort,
// `steady`, proxy or option; `bc1_black` or a proxy with `steady`; a proxy of a wrong format or
// usage, or in UNORM for a source of linear light; a missing feature; a codec that the library was
// built without), WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN.
// Thread safety: any thread.
WEIR_API enum weir_result weir_encoder_create(weir_context *context,
                                              const struct weir_encoder_params *params,
                                              weir_encoder **out);
// Destroy an encoder, which the GPU must not be using. NULL is allowed; sets `*encoder` to NULL.
WEIR_API void weir_encoder_destroy(weir_encoder **encoder);

// Get the params that the encoder was made with, defaults filled in; debug_tag, like and proxy_like
// are NULL. All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_encoder_params weir_encoder_get_params(const weir_encoder *encoder);

// True if the encoder can read this image. False for NULL. Thread-safe. Pure.
WEIR_API bool weir_encoder_reads(const weir_encoder *encoder, const weir_image *image);

// The part of an image to encode, and where to write its blocks. Fields that are zero select all of
// mip level 0 of layer 0.
struct weir_encode {
    const weir_image *source;   // required; see weir_encoder_reads()
    const weir_buffer *buffer;  // required: the blocks are written to it
    uint64_t offset;            // of the first block in `buffer` [bytes], a multiple of block_size
    uint32_t level, num_levels; // first mip level and number of them. num_levels 0 = 1
    uint32_t layer, num_layers; // first layer and number of them. num_layers 0 = 1
    // Required with weir_encoder_params.steady, else not read: the blocks of the frame before,
    // which are replaced by those of this frame. Another buffer, with other memory, than `buffer`,
    // with at least weir_encode_size() bytes from `history_offset` on. Zeros before the first
    // frame.
    const weir_buffer *history;
    uint64_t history_offset; // of the first block in `history` [bytes], a multiple of block_size
    // A rectangle of one mip level [texels]; its offset need not be a multiple of the block's size.
    // Extent 0x0 = all of every level.
    VkRect2D rect;
    // Required with weir_encoder_params.proxy_like, else not read: the image whose level 0 of layer
    // 0 becomes the proxy. It is like `proxy_like`, another image than `source`, and by
    // `proxy_level` a half or a quarter of each side of the encoded part, rounded up. That part
    // must be in one level and one layer.
    const weir_image *proxy;
};

// Get the size of all blocks that an encode writes [bytes]. The blocks have no gaps; they are
// ordered by mip level, within a level by layer, and within a layer in rows from the top left.
// `buffer` and `offset` are not read. Returns 0 for NULL, and for a part that the source does not
// have. Thread-safe.
WEIR_API uint64_t weir_encode_size(const weir_encoder *encoder, const struct weir_encode *encode);

// Record the encoding of a part of an image. Blocks are in the order of weir_encode_size(). Blocks
// that reach over the right or bottom edge of a level or of the rectangle repeat the last texels.
// Several encoders may read one source in one submission.
//
// Handles: its pipeline, descriptors and push constants; with `history`, a barrier after earlier
// encodes and transfers on the same queue, which wrote the history. A large part at a high effort
// takes several dispatches, which do not wait for each other.
// Caller: the levels and layers that are read must be in SHADER_READ_ONLY_OPTIMAL;
// weir_readback_begin() does that for all levels and layers of a frame's image. The proxy must be
// in GENERAL. Barriers before and after: the kernel reads the image (SHADER_READ) and writes the
// buffer and the proxy (SHADER_WRITE) in COMPUTE_SHADER.
// Borrows everything until `cmd` has finished executing. Allocates nothing.
// Errors: WEIR_ERROR_INVALID (NULL, a source that the encoder does not read, a part that it does
// not have, a buffer that is too small; a history that is missing, too small or `buffer` itself; a
// proxy that is missing, of a wrong format or size, or `source` itself).
// Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_encode(const weir_encoder *encoder, VkCommandBuffer cmd,
                                          const struct weir_encode *encode);

// Where in a compressed image blocks are copied to.
struct weir_block_copy {
    const weir_image *image; // required: in a format of the codec's blocks, with usage TRANSFER_DST
    uint32_t level, layer;   // of `image`: the first encoded level and layer are copied to these
    // In each level [texels], a multiple of the block's size. The copied part must lie in the level
    // and end with a whole block or at the level's edge, as it does if both images have the same
    // size.
    VkOffset2D offset;
};

// Record a copy of the blocks that `encode` wrote into a compressed image. Record it after
// weir_cmd_encode(), in the same command buffer.
//
// Handles: the barrier between the encoding and the copy.
// Caller: the buffer has usage TRANSFER_SRC; the image's levels and layers are in
// TRANSFER_DST_OPTIMAL. A barrier after: the copy writes the image in TRANSFER (TRANSFER_WRITE).
// Errors: WEIR_ERROR_INVALID (as weir_cmd_encode(); an image without TRANSFER_DST, or of another
// block format; a level, layer or part that it does not have). Thread safety: per command buffer.
WEIR_API enum weir_result weir_cmd_copy_blocks(const weir_encoder *encoder, VkCommandBuffer cmd,
                                               const struct weir_encode *encode,
                                               const struct weir_block_copy *copy);
