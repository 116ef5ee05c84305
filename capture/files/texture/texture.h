// SPDX-License-Identifier: MIT
// A block-compressed texture of two dimensions in host memory: its format, its size, its levels.
#ifndef WEIR_CAPTURE_FILES_TEXTURE_TEXTURE_H
#define WEIR_CAPTURE_FILES_TEXTURE_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/log.h>
#include <weir/result.h>

enum {
    WEIR_TEXTURE_MAX_SIDE = 1 << 20, // [texels]: no size of a texture overflows 64 bits
    WEIR_TEXTURE_MAX_LEVELS = 21,    // of that side
};

struct weir_texture_level {
    const uint8_t *blocks; // in rows from the top; borrowed
    uint64_t size;         // weir_texture_level_size() [bytes]
};

struct weir_texture {
    VkFormat format;        // one of weir_block_formats()
    bool is_etc1;           // of ETC2_R8G8B8: no block needs a mode that ETC1 has not
    bool is_premultiplied;  // colours are multiplied by alpha; KTX files cannot say it
    uint32_t width, height; // of level 0, 1 .. WEIR_TEXTURE_MAX_SIDE [texels]
    uint32_t num_levels;    // 1 .. weir_texture_full_chain()
    struct weir_texture_level levels[WEIR_TEXTURE_MAX_LEVELS]; // the first is the largest
};

// The side of a level.
uint32_t weir_texture_side(uint32_t base, uint32_t level);

// How many levels there are down to one texel.
uint32_t weir_texture_full_chain(uint32_t width, uint32_t height);

// The blocks of a level of a texture of that format and size, edges padded to whole blocks [bytes].
uint64_t weir_texture_level_size(VkFormat format, uint32_t width, uint32_t height, uint32_t level);

// The receiver of a file's bytes, which come in order from the first to the last.
struct weir_texture_sink {
    enum weir_result (*write)(void *user, const uint8_t *data, size_t size);
    void *user;
};

// A file in memory, to be read. A texture that is read from it borrows the bytes.
struct weir_texture_bytes {
    const char *name; // for messages
    const uint8_t *data;
    uint64_t size;
    const struct weir_log *log;
};

// Take the sides and the number of levels, 32 bits each, from where a header has them; 0 levels are
// one, for the reader to make the others. Whether a texture may be like that: else the reason is
// logged.
bool weir_texture_take_size(const struct weir_texture_bytes *bytes, size_t at_width,
                            size_t at_height, size_t at_num_levels, struct weir_texture *texture,
                            uint32_t *num_levels);

// Take `size` bytes of the file at `offset` as the next level. Nothing is believed: they must lie
// in the file, and be as many as the level has. Logs the reason.
enum weir_result weir_texture_take_level(const struct weir_texture_bytes *bytes, uint64_t offset,
                                         uint64_t size, struct weir_texture *texture);

// Log an error, "NAME: text", and answer `result`.
enum weir_result weir_texture_refuse(const struct weir_texture_bytes *bytes,
                                     enum weir_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
