// SPDX-License-Identifier: MIT
// DDS files, field by field, against Microsoft's description of them; and older ones than are
// written here.
#include <stdlib.h>
#include <string.h>

#include "capture/files/texture/container.h"
#include "testing.h"
#include "texture_memory.h"

// Offsets from the start of the file: the magic number, DDS_HEADER, DDS_HEADER_DXT10.
struct field {
    const char *name;
    uint32_t offset, value;
};

static struct texture_memory write_dds(const struct weir_texture *texture, bool dx10)
{
    return dx10 ? texture_memory_write_dx10(texture)
                : texture_memory_write(texture, texture_memory_container("dds"));
}

// The fields that are named have their values, and all others up to the levels are 0.
static void expect_fields(struct weir_texture *texture, bool dx10, uint32_t header_size,
                          const struct field *fields, int num_fields)
{
    texture_memory_fill(texture);
    struct texture_memory file = write_dds(texture, dx10);
    for (uint32_t offset = 0; offset < header_size; offset += 4) {
        const char *name = "unnamed";
        uint32_t value = 0;
        for (int i = 0; i < num_fields; i++) {
            if (fields[i].offset == offset) {
                name = fields[i].name;
                value = fields[i].value;
            }
        }
        const uint32_t got = texture_memory_u32(file.data + offset);
        test_expect(got == value, "%ux%u: %s at %u is %#x and should be %#x", texture->width,
                    texture->height, name, offset, got, value);
    }
    size_t offset = header_size;
    for (uint32_t i = 0; i < texture->num_levels; i++) {
        const struct weir_texture_level *level = &texture->levels[i];
        test_expect(offset + level->size <= file.size &&
                        memcmp(file.data + offset, level->blocks, level->size) == 0,
                    "level %u at %zu", i, offset);
        offset += level->size;
    }
    test_expect(offset == file.size, "it ends after its last level");
    free(file.data);
    texture_memory_free(texture);
}

// The older header and that of DirectX 10 differ in the FourCC and in what follows.
static void test_one_level(void)
{
    const struct weir_texture texture = {
        .format = VK_FORMAT_BC1_RGB_UNORM_BLOCK, .width = 257, .height = 129, .num_levels = 1};
    struct field fields[] = {
        {"dwMagic", 0, 0x20534444},
        {"dwSize", 4, 124},
        {"dwFlags", 8, 0x1 | 0x2 | 0x4 | 0x1000 | 0x20000 | 0x80000},
        {"dwHeight", 12, 129},
        {"dwWidth", 16, 257},
        {"dwPitchOrLinearSize", 20, 65 * 33 * 8},
        {"dwMipMapCount", 28, 1},
        {"ddspf.dwSize", 76, 32},
        {"ddspf.dwFlags", 80, 0x4},
        {"ddspf.dwFourCC", 84, 0x30315844},
        {"dwCaps", 108, 0x1000},
        {"dxgiFormat", 128, 71},
        {"resourceDimension", 132, 3},
        {"arraySize", 140, 1},
    };
    enum { NUM_FIELDS = sizeof(fields) / sizeof(fields[0]), FOUR_CC = 9, NUM_OLD_FIELDS = 11 };
    struct weir_texture copy = texture;
    expect_fields(&copy, true, WEIR_DDS_HEADER_SIZE, fields, NUM_FIELDS);
    copy = texture;
    fields[FOUR_CC].value = 0x31545844; // DXT1
    expect_fields(&copy, false, 128, fields, NUM_OLD_FIELDS);
}

static void test_chain(void)
{
    struct weir_texture texture = {
        .format = VK_FORMAT_BC3_SRGB_BLOCK, .width = 0x123, .height = 64, .num_levels = 9};
    static const struct field fields[] = {
        {"dwMagic", 0, 0x20534444},
        {"dwSize", 4, 124},
        {"dwFlags", 8, 0xa1007},
        {"dwHeight", 12, 64},
        {"dwWidth", 16, 0x123},
        {"dwPitchOrLinearSize", 20, 73 * 16 * 16},
        {"dwMipMapCount", 28, 9},
        {"ddspf.dwSize", 76, 32},
        {"ddspf.dwFlags", 80, 0x4},
        {"ddspf.dwFourCC", 84, 0x30315844},
        {"dwCaps", 108, 0x8 | 0x1000 | 0x400000},
        {"dxgiFormat", 128, 78},
        {"resourceDimension", 132, 3},
        {"arraySize", 140, 1},
    };
    expect_fields(&texture, false, WEIR_DDS_HEADER_SIZE, fields,
                  sizeof(fields) / sizeof(fields[0]));
}

// DXGI_FORMAT, as dxgiformat.h numbers it, and the FourCC of the older header where there is one.
static void test_formats(void)
{
    static const struct {
        VkFormat format;
        uint32_t dxgi;
        const char *four_cc;
    } formats[] = {
        {VK_FORMAT_BC1_RGB_UNORM_BLOCK, 71, "DXT1"},  {VK_FORMAT_BC1_RGB_SRGB_BLOCK, 72, NULL},
        {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 71, "DXT1"}, {VK_FORMAT_BC1_RGBA_SRGB_BLOCK, 72, NULL},
        {VK_FORMAT_BC2_UNORM_BLOCK, 74, "DXT3"},      {VK_FORMAT_BC2_SRGB_BLOCK, 75, NULL},
        {VK_FORMAT_BC3_UNORM_BLOCK, 77, "DXT5"},      {VK_FORMAT_BC3_SRGB_BLOCK, 78, NULL},
        {VK_FORMAT_BC4_UNORM_BLOCK, 80, "ATI1"},      {VK_FORMAT_BC4_SNORM_BLOCK, 81, "BC4S"},
        {VK_FORMAT_BC5_UNORM_BLOCK, 83, "BC5U"},      {VK_FORMAT_BC5_SNORM_BLOCK, 84, "BC5S"},
        {VK_FORMAT_BC6H_UFLOAT_BLOCK, 95, NULL},      {VK_FORMAT_BC6H_SFLOAT_BLOCK, 96, NULL},
        {VK_FORMAT_BC7_UNORM_BLOCK, 98, NULL},        {VK_FORMAT_BC7_SRGB_BLOCK, 99, NULL},
    };
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        for (int dx10 = 0; dx10 < 2; dx10++) {
            const char *four_cc = dx10 == 0 && formats[i].four_cc ? formats[i].four_cc : "DX10";
            struct weir_texture texture = {
                .format = formats[i].format, .width = 4, .height = 4, .num_levels = 1};
            texture_memory_fill(&texture);
            struct texture_memory file = write_dds(&texture, dx10 != 0);
            test_expect(memcmp(file.data + 84, four_cc, 4) == 0, "format %d is %.4s, not %s",
                        (int)formats[i].format, (const char *)file.data + 84, four_cc);
            test_expect(strcmp(four_cc, "DX10") != 0 ||
                            texture_memory_u32(file.data + 128) == formats[i].dxgi,
                        "format %d is %u", (int)formats[i].format,
                        texture_memory_u32(file.data + 128));
            free(file.data);
            texture_memory_free(&texture);
        }
    }
    test_expect(!weir_dds.holds(VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK) &&
                    !weir_dds.holds(VK_FORMAT_EAC_R11_UNORM_BLOCK) &&
                    !weir_dds.holds(VK_FORMAT_R8G8B8A8_UNORM),
                "formats without a number");
}

static enum weir_result read_words(const char *four_ccs, uint32_t num_levels, uint32_t caps2,
                                   struct weir_texture *texture)
{
    static uint8_t file[128 + 64];
    const struct weir_texture_bytes bytes = {"old.dds", file, sizeof(file), &test_log, 0};
    memset(file, 0, sizeof(file));
    memcpy(file, "DDS ", 4);
    file[4] = 124;
    file[12] = 8; // texels high
    file[16] = 7; // wide
    file[28] = (uint8_t)num_levels;
    file[76] = 32;
    file[80] = 4;
    memcpy(file + 84, four_ccs, strlen(four_ccs)); // one, or one and a swizzle code behind it
    file[113] = (uint8_t)(caps2 >> 8);
    return weir_dds.read(&bytes, texture);
}

// Files from before DirectX 10: no second header, and no number of levels where there is one.
static void test_old(void)
{
    struct weir_texture texture;
    test_expect(read_words("DXT1", 0, 0, &texture) == WEIR_OK &&
                    texture.format == VK_FORMAT_BC1_RGBA_UNORM_BLOCK && texture.width == 7 &&
                    texture.height == 8 && texture.num_levels == 1 && texture.levels[0].size == 32,
                "DXT1");
    static const struct {
        const char *four_cc;
        VkFormat format;
        uint64_t size;
    } codes[] = {
        {"DXT1", VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 32}, {"DXT2", VK_FORMAT_BC2_UNORM_BLOCK, 64},
        {"DXT3", VK_FORMAT_BC2_UNORM_BLOCK, 64},      {"DXT4", VK_FORMAT_BC3_UNORM_BLOCK, 64},
        {"DXT5", VK_FORMAT_BC3_UNORM_BLOCK, 64},      {"ATI1", VK_FORMAT_BC4_UNORM_BLOCK, 32},
        {"BC4U", VK_FORMAT_BC4_UNORM_BLOCK, 32},      {"BC4S", VK_FORMAT_BC4_SNORM_BLOCK, 32},
        {"ATI2", VK_FORMAT_BC5_UNORM_BLOCK, 64},      {"BC5U", VK_FORMAT_BC5_UNORM_BLOCK, 64},
        {"BC5S", VK_FORMAT_BC5_SNORM_BLOCK, 64},
    };
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        test_expect(read_words(codes[i].four_cc, 1, 0, &texture) == WEIR_OK &&
                        texture.format == codes[i].format &&
                        texture.levels[0].size == codes[i].size,
                    "%s", codes[i].four_cc);
    }
    test_expect(read_words("ATI2", 2, 0, &texture) == WEIR_ERROR_DATA, "a level too many");
    test_expect(read_words("BC4S", 3, 0, &texture) == WEIR_OK && texture.num_levels == 3,
                "three levels");
    test_expect(read_words("ATI2", 1, 0, &texture) == WEIR_OK && texture.is_green_first, "ATI2");
    test_expect(read_words("ATI2A2XY", 1, 0, &texture) == WEIR_OK && !texture.is_green_first &&
                    texture.format == VK_FORMAT_BC5_UNORM_BLOCK,
                "ATI2 and A2XY");
    test_expect(read_words("BC5U", 1, 0, &texture) == WEIR_OK && !texture.is_green_first, "BC5U");
    test_expect(read_words("NONE", 1, 0, &texture) == WEIR_ERROR_UNSUPPORTED, "no FourCC");
    test_expect(read_words("DXT1", 1, 0x200, &texture) == WEIR_ERROR_UNSUPPORTED, "a cube map");
}

// What others write: typeless formats, which readers take as UNORM or UF16, and no number of
// textures.
static void test_others(void)
{
    static const struct {
        uint8_t dxgi;
        VkFormat format;
    } typeless[] = {
        {70, VK_FORMAT_BC1_RGBA_UNORM_BLOCK}, {73, VK_FORMAT_BC2_UNORM_BLOCK},
        {76, VK_FORMAT_BC3_UNORM_BLOCK},      {79, VK_FORMAT_BC4_UNORM_BLOCK},
        {82, VK_FORMAT_BC5_UNORM_BLOCK},      {94, VK_FORMAT_BC6H_UFLOAT_BLOCK},
        {97, VK_FORMAT_BC7_UNORM_BLOCK},
    };
    struct weir_texture texture = {
        .format = VK_FORMAT_BC7_UNORM_BLOCK, .width = 4, .height = 4, .num_levels = 1};
    texture_memory_fill(&texture);
    struct texture_memory file = write_dds(&texture, false);
    const struct weir_texture_bytes bytes = {"file", file.data, file.size, &test_log, 0};
    struct weir_texture read;
    for (size_t i = 0; i < sizeof(typeless) / sizeof(typeless[0]); i++) {
        file.data[128] = typeless[i].dxgi;
        test_expect(weir_dds.read(&bytes, &read) == WEIR_OK && read.format == typeless[i].format,
                    "DXGI format %u is read", typeless[i].dxgi);
    }
    for (uint8_t num = 0; num < 3; num++) {
        file.data[140] = num;
        test_expect((weir_dds.read(&bytes, &read) == WEIR_OK) == (num < 2), "%u textures", num);
    }
    free(file.data);
    texture_memory_free(&texture);
}

static void test_premultiplied(void)
{
    struct weir_texture texture = {.format = VK_FORMAT_BC3_UNORM_BLOCK,
                                   .is_premultiplied = true,
                                   .width = 4,
                                   .height = 4,
                                   .num_levels = 1};
    texture_memory_fill(&texture);
    struct texture_memory file = texture_memory_write(&texture, texture_memory_container("dds"));
    const struct weir_texture_bytes bytes = {"file", file.data, file.size, &test_log, 0};
    struct weir_texture read;
    test_expect(texture_memory_u32(file.data + 144) == 2, "miscFlags2 is %u",
                texture_memory_u32(file.data + 144));
    // DDS_ALPHA_MODE: unknown, straight, premultiplied, opaque, custom.
    for (uint8_t mode = 0; mode <= 4; mode++) {
        file.data[144] = mode;
        test_expect(weir_texture_read(&bytes, &read) == WEIR_OK &&
                        read.is_premultiplied == (mode == 2),
                    "alpha mode %u", mode);
    }
    free(file.data);
    texture_memory_free(&texture);
    test_expect(read_words("DXT2", 1, 0, &read) == WEIR_OK && read.is_premultiplied, "DXT2");
    test_expect(read_words("DXT3", 1, 0, &read) == WEIR_OK && !read.is_premultiplied, "DXT3");
    test_expect(read_words("DXT4", 1, 0, &read) == WEIR_OK && read.is_premultiplied, "DXT4");
    test_expect(read_words("DXT5", 1, 0, &read) == WEIR_OK && !read.is_premultiplied, "DXT5");
}

int main(void)
{
    test_one_level();
    test_chain();
    test_formats();
    test_old();
    test_others();
    test_premultiplied();
    return test_finish();
}
