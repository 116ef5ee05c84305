// SPDX-License-Identifier: MIT
// Files of textures, of the kind FUZZ_CONTAINER: what is accepted lies in the file, is complete,
// and can be written and read back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/pyramid.h>

#include "capture/base/little_endian.h"
#include "capture/files/block/block.h"
#include "capture/files/texture/texture.h"
#include "tests/fuzz/fuzz.h"

static const struct weir_container *container_of(const char *name)
{
    char path[16];
    snprintf(path, sizeof(path), "a.%s", name);
    return weir_container_of_path(path);
}

// A file that is written. Overlapping levels make it larger than the one that was read, and so do
// levels that were compressed.
struct file {
    uint8_t data[64 * FUZZ_MAX_SIZE];
    size_t size;
};
enum { MAX_MEMORY = 32 * FUZZ_MAX_SIZE };

static enum weir_result append(void *user, const uint8_t *data, size_t size)
{
    struct file *file = user;
    if (size > sizeof(file->data) - file->size) {
        return WEIR_ERROR_DISK_FULL;
    }
    memcpy(file->data + file->size, data, size);
    file->size += size;
    return WEIR_OK;
}

static enum weir_result write_file(const struct weir_container *container,
                                   const struct weir_texture *texture, struct file *file)
{
    const struct weir_texture_sink sink = {append, file};
    file->size = 0;
    const struct weir_texture_write_params params = {
        .writer = "fuzz", .dx10 = texture->width % 2, .zstd = texture->height % 2};
    return container->write(texture, &params, &sink);
}

static void check_written(const struct weir_container *container,
                          const struct weir_texture *texture);

// A texture of drawn blocks; false where its file would be too large. `is_checked`: it is read back
// too.
static bool make(struct fuzz_random *random, VkFormat format, uint32_t width, uint32_t height,
                 bool is_checked, uint8_t *data, size_t *size)
{
    static uint8_t blocks[FUZZ_MAX_SIZE];
    static struct file file;
    const struct weir_container *container = container_of(FUZZ_CONTAINER);
    struct weir_texture texture = {
        .format = format,
        .is_etc1 = format == VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK && fuzz_below(random, 2) != 0,
        .is_premultiplied = fuzz_below(random, 2) != 0,
        .is_bottom_up = fuzz_below(random, 2) != 0,
        .width = width,
        .height = height,
        .num_layers = fuzz_below(random, 4) == 0 && container->has_images ? fuzz_below(random, 4)
                                                                          : 0,
        .is_cube = fuzz_below(random, 4) == 0 && container->has_images,
        .num_levels = 1 + fuzz_below(random, weir_pyramid_full_chain(width, height)),
    };
    size_t used = 0;
    fuzz_fill(random, blocks, sizeof(blocks));
    for (uint32_t i = 0; i < texture.num_levels; i++) {
        const uint64_t level = weir_texture_level_size(format, width, height, i);
        texture.levels[i] = (struct weir_texture_level){blocks + used, level};
        used += (size_t)level * weir_texture_num_images(&texture);
        if (used > sizeof(blocks)) {
            return false;
        }
    }
    if (fuzz_below(random, 8) == 0 && container->holds(format, "rrrg")) {
        weir_texture_set_swizzle(&texture, "rrrg");
    }
    if (!container->holds(format, texture.swizzle) ||
        write_file(container, &texture, &file) != WEIR_OK || file.size > FUZZ_MAX_SIZE) {
        return false;
    }
    if (is_checked) {
        check_written(container, &texture);
    }
    memcpy(data, file.data, file.size);
    *size = file.size;
    return true;
}

static size_t make_any(struct fuzz_random *random, bool is_checked, uint8_t *data)
{
    size_t num_formats, size;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    for (;;) {
        const VkFormat format = formats[fuzz_below(random, (uint32_t)num_formats)].format;
        const uint32_t width = 1 + fuzz_below(random, 40), height = 1 + fuzz_below(random, 40);
        if (make(random, format, width, height, is_checked, data, &size)) {
            return size;
        }
    }
}

// The header of before DirectX 10, with every code that is read.
static size_t make_old_dds(unsigned index, uint8_t *data)
{
    static const char four_ccs[][5] = {"DXT1", "DXT2", "DXT3", "DXT4", "DXT5", "ATI1",
                                       "BC4U", "BC4S", "ATI2", "BC5U", "BC5S"};
    if (index >= sizeof(four_ccs) / sizeof(four_ccs[0])) {
        return 0;
    }
    struct fuzz_random random = fuzz_random(1000 + index);
    const bool small = index == 0 || (index >= 5 && index <= 7);
    size_t size = 0;
    if (!make(&random, small ? VK_FORMAT_BC4_UNORM_BLOCK : VK_FORMAT_BC3_UNORM_BLOCK, 9, 6, false,
              data, &size)) {
        return 0;
    }
    enum { AT_FOUR_CC = 84, AT_DX10 = 128 };
    memcpy(data + AT_FOUR_CC, four_ccs[index], 4);
    memmove(data + AT_DX10, data + WEIR_DDS_HEADER_SIZE, size - WEIR_DDS_HEADER_SIZE);
    return size - (WEIR_DDS_HEADER_SIZE - AT_DX10);
}

enum { NUM_TEXTURES = 64 };

static size_t seed(unsigned index, uint8_t *data)
{
    if (index < NUM_TEXTURES) {
        struct fuzz_random random = fuzz_random(index);
        return make_any(&random, false, data);
    }
    return strcmp(FUZZ_CONTAINER, "dds") == 0 ? make_old_dds(index - NUM_TEXTURES, data) : 0;
}

// Numbers of a header lie at multiples of 4; those of KTX2's levels have 8 bytes, of which the
// upper 4 matter as well.
static size_t mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room)
{
    enum { HEADER_WORDS = 48 };
    const uint32_t num_words = size / 4 < HEADER_WORDS ? (uint32_t)size / 4 : HEADER_WORDS;
    if (num_words == 0 || fuzz_below(random, 16) == 0) {
        uint8_t made[FUZZ_MAX_SIZE];
        const size_t made_size = make_any(random, false, made);
        size = made_size <= room ? made_size : size;
        memcpy(data, made, size);
        return size;
    }
    uint8_t *word = data + (size_t)4 * fuzz_below(random, num_words);
    const uint32_t other = weir_get_u32(data + (size_t)4 * fuzz_below(random, num_words));
    const uint32_t values[] = {
        0,
        1,
        weir_get_u32(word) + 1,
        weir_get_u32(word) - 1,
        weir_get_u32(word) * 2,
        weir_get_u32(word) / 2,
        weir_get_u32(word) ^ 1u << fuzz_below(random, 32),
        (uint32_t)size,
        (uint32_t)size - fuzz_below(random, 33),
        WEIR_TEXTURE_MAX_SIDE,
        WEIR_TEXTURE_MAX_SIDE + 1,
        UINT32_MAX,
        UINT32_MAX - fuzz_below(random, 32),
        other,
        VK_FORMAT_BC1_RGB_UNORM_BLOCK + fuzz_below(random, 26),
    };
    weir_put_u32(word, values[fuzz_below(random, sizeof(values) / sizeof(values[0]))]);
    return size;
}

static void check(const struct weir_texture_bytes *bytes, const struct weir_texture *texture)
{
    const struct weir_block_format *format = weir_block_get_format(texture->format);
    fuzz_expect(format, "the format %d has a decoder", (int)texture->format);
    fuzz_expect(texture->width >= 1 && texture->width <= WEIR_TEXTURE_MAX_SIDE &&
                    texture->height >= 1 && texture->height <= WEIR_TEXTURE_MAX_SIDE,
                "%ux%u texels", texture->width, texture->height);
    fuzz_expect(texture->num_levels >= 1 &&
                    texture->num_levels <= weir_pyramid_full_chain(texture->width, texture->height),
                "%u levels", texture->num_levels);
    fuzz_expect(!texture->is_etc1 || texture->format == VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
                "ETC1 is ETC2 RGB");
    for (uint32_t i = 0; i < texture->num_levels; i++) {
        const struct weir_texture_level *level = &texture->levels[i];
        fuzz_expect(level->size == weir_texture_level_size(texture->format, texture->width,
                                                           texture->height, i),
                    "level %u is complete", i);
        const uint8_t *last = weir_texture_image(texture, i, weir_texture_num_images(texture) - 1);
        fuzz_expect(texture->owned || (level->blocks >= bytes->data &&
                                       last + level->size <= bytes->data + bytes->size),
                    "level %u lies in the file", i);
        float texels[16][4];
        weir_block_decode(format, level->blocks, texels);
        weir_block_decode(format, last + level->size - format->block_size, texels);
    }
}

// True if the container has a place for all that the texture is.
static bool has_place(const struct weir_container *container, const struct weir_texture *texture)
{
    const bool is_array = texture->num_layers > 0;
    char name[32];
    snprintf(name, sizeof(name), "%s", container->name);
    return container->holds(texture->format, texture->swizzle) &&
           (container->has_images || (!is_array && !texture->is_cube)) &&
           // Only masks describe these, and those of an array have no place.
           !(strcmp(name, "dds") == 0 && (is_array || texture->is_premultiplied) &&
             weir_block_get_format(texture->format)->side == 1);
}

// Two formats of Vulkan's are one of DXGI's.
static VkFormat format_in(const struct weir_container *container, VkFormat format)
{
    if (strcmp(container->name, "dds") != 0) {
        return format;
    }
    return format == VK_FORMAT_BC1_RGB_UNORM_BLOCK  ? VK_FORMAT_BC1_RGBA_UNORM_BLOCK
           : format == VK_FORMAT_BC1_RGB_SRGB_BLOCK ? VK_FORMAT_BC1_RGBA_SRGB_BLOCK
                                                    : format;
}

static void check_written(const struct weir_container *container,
                          const struct weir_texture *texture)
{
    static struct file file, again;
    if (!has_place(container, texture)) {
        const enum weir_result result = write_file(container, texture, &file);
        fuzz_expect(result == WEIR_ERROR_UNSUPPORTED || container == &weir_dds,
                    "%s has no place for the format %d", container->name, (int)texture->format);
        return;
    }
    fuzz_expect(write_file(container, texture, &file) == WEIR_OK, "%s is written", container->name);
    const struct weir_texture_bytes bytes = {"fuzz", file.data, file.size, &fuzz_log, MAX_MEMORY};
    struct weir_texture back;
    fuzz_expect(weir_texture_read(&bytes, &back) == WEIR_OK, "%s is read back", container->name);
    fuzz_expect(back.format == format_in(container, texture->format) &&
                    back.width == texture->width && back.height == texture->height &&
                    strcmp(back.swizzle, texture->swizzle) == 0 &&
                    back.is_cube == texture->is_cube &&
                    weir_texture_num_images(&back) == weir_texture_num_images(texture) &&
                    back.num_levels == texture->num_levels,
                "%s: the head is the same", container->name);
    fuzz_expect(back.is_premultiplied == (container->says_alpha && texture->is_premultiplied),
                "%s: what alpha means is the same", container->name);
    fuzz_expect(back.is_bottom_up == (container->says_bottom_up && texture->is_bottom_up),
                "%s: where rows start is the same", container->name);
    const uint32_t num_images = weir_texture_num_images(&back);
    for (uint32_t i = 0; i < back.num_levels * num_images; i++) {
        const uint32_t level = i / num_images, image = i % num_images;
        fuzz_expect(memcmp(weir_texture_image(&back, level, image),
                           weir_texture_image(texture, level, image),
                           (size_t)back.levels[level].size) == 0,
                    "%s: level %u of image %u is the same", container->name, level, image);
    }
    fuzz_expect(write_file(container, &back, &again) == WEIR_OK && again.size == file.size &&
                    memcmp(again.data, file.data, file.size) == 0,
                "%s: written twice it is the same file", container->name);
    weir_texture_finish(&back);
}

static void read_bytes(const struct weir_texture_bytes *bytes)
{
    struct weir_texture texture;
    const unsigned num_errors = fuzz_num_errors();
    const enum weir_result result = weir_texture_read(bytes, &texture);
    fuzz_expect(result == WEIR_OK || result == WEIR_ERROR_DATA || result == WEIR_ERROR_UNSUPPORTED,
                "the result is %d", (int)result);
    fuzz_expect((result == WEIR_OK) == (fuzz_num_errors() == num_errors), "the log has the reason");
    if (result == WEIR_OK) {
        check(bytes, &texture);
        for (int i = 0; weir_container_at(i); i++) {
            check_written(weir_container_at(i), &texture);
        }
    }
    weir_texture_finish(&texture);
}

// KTX2's own description of its format, by itself.
static void describe(const uint8_t *data, size_t size)
{
    uint8_t descriptor[WEIR_KTX2_MAX_DESCRIPTOR_SIZE];
    const VkFormat format = size >= 16 ? (VkFormat)(weir_get_u32(data + 12) & 0x3ff)
                                       : VK_FORMAT_UNDEFINED;
    const bool known = weir_block_get_format(format) &&
                       format != VK_FORMAT_E5B9G9R9_UFLOAT_PACK32; // which is read alone
    for (int premultiplied = 0; premultiplied < 2; premultiplied++) {
        const uint32_t made = weir_ktx2_descriptor(format, premultiplied != 0, descriptor);
        fuzz_expect((made != 0) == known && made <= sizeof(descriptor), "the format %d, %u bytes",
                    (int)format, made);
        fuzz_expect(!known || weir_ktx2_descriptor_is_premultiplied(descriptor, made) ==
                                  (premultiplied != 0),
                    "the format %d keeps what alpha means", (int)format);
    }
    weir_ktx2_descriptor_is_premultiplied(data, (uint32_t)size);
}

static void run(const uint8_t *data, size_t size)
{
    const struct weir_texture_bytes bytes = {"fuzz", data, size, &fuzz_log, MAX_MEMORY};
    read_bytes(&bytes);
    if (strcmp(FUZZ_CONTAINER, "ktx2") == 0) {
        describe(data, size);
    }
}

// Valid textures are read back as they were made.
static void init(void)
{
    uint8_t data[FUZZ_MAX_SIZE];
    for (unsigned i = 0; i < 2 * NUM_TEXTURES; i++) {
        struct fuzz_random random = fuzz_random(i);
        make_any(&random, true, data);
    }
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "texture_" FUZZ_CONTAINER, .init = init,
                                                 .num_runs = 20000, .seed = seed, .mutate = mutate,
                                                 .run = run);
