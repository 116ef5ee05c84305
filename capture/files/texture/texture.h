// SPDX-License-Identifier: MIT
// A texture of two dimensions in host memory: its format, its size, its levels, and its images,
// which are the layers of an array and the faces of a cube map. The file formats that hold
// textures: KTX2, DDS and KTX, and what KTX files hold beside levels.
// Sources: Khronos Data Format Specification 1.3, "The basic descriptor block", and its examples of
// compressed formats; Khronos, "KTX File Format Specification" 1 and 2.0, "Key/Value Data".
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include <weir/log.h>
#include <weir/result.h>

#include "capture/base/check.h"

enum {
    WEIR_TEXTURE_MAX_SIDE = 1 << 20, // [texels]; the size of such a texture fits into 64 bits
    WEIR_TEXTURE_MAX_LEVELS = 21,    // levels of a texture of that side
    WEIR_TEXTURE_MAX_LAYERS = 1 << 16,
    WEIR_TEXTURE_FACES = 6, // of a cube map
};

struct weir_texture_level {
    // Of the first image, in rows from the top, or from the bottom; borrowed, or in `owned`.
    const uint8_t *blocks;
    uint64_t size; // of one image, weir_texture_level_size() [bytes]
};

struct weir_texture {
    VkFormat format;        // one of weir_block_formats()
    bool is_etc1;           // for ETC2_R8G8B8: all blocks are in modes that ETC1 has too
    bool is_premultiplied;  // colours are multiplied by alpha; KTX files cannot say it
    bool is_bottom_up;      // rows of texels start at the bottom; DDS files cannot say it
    bool is_green_first;    // of BC5: green and red have each other's places. Not to be written
    uint32_t width, height; // of level 0, 1 .. WEIR_TEXTURE_MAX_SIDE [texels]
    uint32_t num_layers;    // of an array; 0: it is none. Up to WEIR_TEXTURE_MAX_LAYERS
    bool is_cube;           // each layer has the faces +X, -X, +Y, -Y, +Z, -Z
    uint64_t image_pitch;   // from an image of a level to the next; 0: the level's size [bytes]
    char swizzle[5];        // what R, G, B and A are, each of "rgba01"; "" is "rgba"
    uint32_t num_levels;    // 1 .. weir_pyramid_full_chain()
    struct weir_texture_level levels[WEIR_TEXTURE_MAX_LEVELS]; // the first is the largest
    uint8_t *owned; // levels that their file has compressed once more; NULL: none
};

// Free what a texture owns. A zeroed struct may be finished.
void weir_texture_finish(struct weir_texture *texture);

// Get the number of images, a layer's faces one after the other; the size of a level of all
// [bytes]; and where a level of one begins.
uint32_t weir_texture_num_images(const struct weir_texture *texture);
uint64_t weir_texture_size_of_all(const struct weir_texture *texture, uint32_t level);
const uint8_t *weir_texture_image(const struct weir_texture *texture, uint32_t level,
                                  uint32_t image);

// Decode a level of an image. Calls `put` for every row, from the top where the texture
// says where rows start: RGBA as a sampler reads it, sRGB codes not decoded. `put` may change it.
// Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_texture_decode(const struct weir_texture *texture, uint32_t level,
                                     uint32_t image,
                                     void (*put)(void *user, uint32_t y, float *row), void *user);
bool weir_texture_has_alpha(const struct weir_texture *texture);

// Make each channel what its letter of "rgba01" says. Where there is none it is 0, and alpha 1.
void weir_swizzle_texel(const char *swizzle, float texel[4]);

// Get the size of a level's blocks [bytes] of one image, for a texture of that format and size.
// Edges are padded to whole blocks.
uint64_t weir_texture_level_size(VkFormat format, uint32_t width, uint32_t height, uint32_t level);

// The form of a file that is written.
struct weir_texture_write_params {
    const char *writer; // the program that writes it, where the file names it; up to 63 characters
    bool dx10;          // DDS: the header of DirectX 10, where the older one would do as well
    bool zstd;          // KTX2: compress each level once more, by Zstandard
};

// The receiver of a file's bytes, which come in order from the first to the last.
struct weir_texture_sink {
    enum weir_result (*write)(void *user, const uint8_t *data, size_t size);
    void *user;
};

// A file in memory, to be read. A texture that is read from it borrows the bytes, but for levels
// that are compressed once more, which it owns.
struct weir_texture_bytes {
    const char *name; // for messages
    const uint8_t *data;
    uint64_t size;
    const struct weir_log *log;
    uint64_t max_memory; // the most that levels may take which it owns [bytes]; 0 = no limit
};

// Take `size` bytes of the file at `offset` as the next level. They must lie in the file, and their
// number must be the size of the level, or of the level of all images where there is no pitch; else
// it is an error. Logs the reason.
enum weir_result weir_texture_take_level(const struct weir_texture_bytes *bytes, uint64_t offset,
                                         uint64_t size, struct weir_texture *texture);

// Log an error, "NAME: text", and return `result`.
enum weir_result weir_texture_refuse(const struct weir_texture_bytes *bytes,
                                     enum weir_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define WEIR_TEXTURE_REFUSE_IF(condition, ...)                                                     \
    WEIR_RETURN_IF(condition, weir_texture_refuse(__VA_ARGS__))

// The same for a volume of `depth` slices.
enum weir_result weir_texture_refuse_volume(const struct weir_texture_bytes *bytes, uint32_t depth);

// Set the number of layers, 0 for what is no array. Logs the reason of a failure.
enum weir_result weir_texture_set_layers(const struct weir_texture_bytes *bytes, uint32_t num,
                                         struct weir_texture *texture);

// Set the swizzle to `text`, without one where it is "rgba" or no swizzle.
void weir_texture_set_swizzle(struct weir_texture *texture, const char *text);

struct weir_container {
    const char *name; // such as "ktx2"; also the ending of file names

    // The file format can say that colours are premultiplied by alpha.
    bool says_alpha;

    // The file format can say that rows start at the bottom.
    bool says_bottom_up;

    // It holds arrays and cube maps.
    bool has_images;

    // The file format can have its levels compressed once more, by Zstandard.
    bool has_zstd;

    // True if the file format has a name for the texture format, read with that swizzle.
    bool (*holds)(VkFormat format, const char *swizzle);

    // Write a file. Errors: those of the sink; WEIR_ERROR_UNSUPPORTED (a texture format that it
    // does not hold, a level that is too large for it), WEIR_ERROR_OUT_OF_MEMORY (with `zstd`).
    enum weir_result (*write)(const struct weir_texture *texture,
                              const struct weir_texture_write_params *params,
                              const struct weir_texture_sink *sink);

    // Read what the head says beside the sides, first of all the format, and then the levels, with
    // checks of every number.
    // Errors: WEIR_ERROR_DATA (damaged, cut short), WEIR_ERROR_UNSUPPORTED (a volume, a compression
    // that is not Zstandard, a format without a decoder, more than `max_memory`),
    // WEIR_ERROR_OUT_OF_MEMORY. The log has the reason.
    enum weir_result (*read_head)(const struct weir_texture_bytes *bytes,
                                  struct weir_texture *texture);
    enum weir_result (*read_levels)(const struct weir_texture_bytes *bytes, uint32_t num_levels,
                                    struct weir_texture *texture);

    // How a file begins, the least that its head has, and where that has numbers of 32 bits
    // [bytes].
    struct weir_container_head {
        const void *magic;
        size_t magic_size, size, at_width, at_height, at_num_levels;
    } head;
};

// The file formats, each in a file of its name.
extern const struct weir_container weir_ktx2, weir_dds, weir_ktx;

// Both headers of a DDS file, the longest head of a file [bytes].
enum { WEIR_DDS_HEADER_SIZE = 148 };

// Get the file format number `index`, from 0; NULL after the last.
const struct weir_container *weir_container_at(int index);

// Find the file format by the ending of a file's name, in letters of either case; NULL for another
// ending.
const struct weir_container *weir_container_of_path(const char *path);

// Read a file of any of the formats. Finish the texture in every case.
// Errors: those of `read_head`; WEIR_ERROR_DATA (an unknown format).
enum weir_result weir_texture_read(const struct weir_texture_bytes *bytes,
                                   struct weir_texture *texture);

// Look at the head of a file. Sets `*format` to its texture format, VK_FORMAT_UNDEFINED for one
// without a decoder. Returns NULL for what is no texture, cannot be opened, or is no file: to read
// it says more.
const struct weir_container *weir_texture_identify(const char *path, VkFormat *format);

// The largest size of a descriptor: the size field, the block, and at most four samples [bytes].
enum { WEIR_KTX2_MAX_DESCRIPTOR_SIZE = 4 + 24 + 4 * 16 };

// Write the descriptor of one of weir_block_formats(). Returns its size [bytes], or 0 for another
// format.
uint32_t weir_ktx2_descriptor(VkFormat format, bool is_premultiplied,
                              uint8_t bytes[WEIR_KTX2_MAX_DESCRIPTOR_SIZE]);

// Get the colour model of a descriptor's basic block; 0: there is none.
uint32_t weir_ktx2_descriptor_model(const uint8_t *bytes, uint32_t size);

// True if a descriptor says that colours are multiplied by alpha. The bytes may be of any origin.
bool weir_ktx2_descriptor_is_premultiplied(const uint8_t *bytes, uint32_t size);

// The largest size of the pairs that are written: an orientation, a swizzle, and a writer of 63
// characters.
enum { WEIR_KTX_MAX_METADATA_SIZE = 160 };

// Write a pair, of which the value is text, padded to 4 bytes. Returns its size [bytes].
uint32_t weir_ktx_metadata_put(uint8_t *at, const char *key, const char *value);

// Find the value of a key, which is text, among pairs of any origin. NULL: there is none.
const char *weir_ktx_metadata_find(const uint8_t *pairs, uint64_t size, const char *key);

// Compress all levels of a texture, each with all of its images as if they were one. Finish `out`
// in every case. Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_zstd_compress(const struct weir_texture *texture, struct weir_texture *out);

// Decompress `num` levels of a file into texture->owned, and make them the levels of the texture,
// whose format and size are set. Logs the reason of a failure.
// Errors: WEIR_ERROR_DATA (no frames of Zstandard, damaged, other sizes than the texture's levels
// have), WEIR_ERROR_UNSUPPORTED (more than bytes->max_memory), WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_zstd_decompress(const struct weir_texture_bytes *bytes,
                                      const struct weir_texture_level *levels, uint32_t num,
                                      struct weir_texture *texture);
