// SPDX-License-Identifier: MIT
// DDS files, field by field, against Microsoft's description of them; and older ones than are
// written here.
#include <string.h>

#include "capture/files/texture/texture.h"
#include "testing.h"
#include "texture_file.h"

// The words of the magic number, of DDS_HEADER and of DDS_HEADER_DXT10; those that are not named
// are 0.
enum { FLAGS = 2, HEIGHT, WIDTH, SIZE, LEVELS = 7, FORMAT_SIZE = 19, FORMAT_FLAGS, FOUR_CC };
enum { CAPS = 27, DXGI = 32, DIMENSION, NUM_TEXTURES = 35, ALPHA, NUM_OLD = 32, NUM_WORDS = 37 };
enum { DX10 = 0x30315844, DXT1 = 0x31545844 };

// The words, and behind them the levels, one behind the other.
static void expect_file(const char *form, struct weir_texture texture, const uint32_t *words,
                        size_t num_words)
{
    struct texture_file file = texture_file_make(form, texture);
    size_t offset = 4 * num_words;
    texture_file_expect(&file, 0, words, num_words);
    for (uint32_t i = 0; i < texture.num_levels; i++) {
        const struct weir_texture_level *level = &file.texture.levels[i];
        test_expect(offset + level->size <= file.size &&
                        memcmp(file.data + offset, level->blocks, level->size) == 0,
                    "level %u at %zu", i, offset);
        offset += level->size;
    }
    test_expect(offset == file.size, "it ends after its last level");
    texture_file_free(&file);
}

// The older header and that of DirectX 10 differ in the FourCC and in what follows.
static void test_headers(void)
{
    uint32_t one[NUM_WORDS] = {0x20534444,
                               124,
                               [FLAGS] = 0x1 | 0x2 | 0x4 | 0x1000 | 0x20000 | 0x80000,
                               [HEIGHT] = 129,
                               [WIDTH] = 257,
                               [SIZE] = 65 * 33 * 8,
                               [LEVELS] = 1,
                               [FORMAT_SIZE] = 32,
                               [FORMAT_FLAGS] = 4,
                               [FOUR_CC] = DX10,
                               [CAPS] = 0x1000,
                               [DXGI] = 71,
                               [DIMENSION] = 3,
                               [NUM_TEXTURES] = 1};
    uint32_t chain[NUM_WORDS];
    memcpy(chain, one, sizeof(chain));
    const struct weir_texture texture = {
        .format = VK_FORMAT_BC1_RGB_UNORM_BLOCK, .width = 257, .height = 129, .num_levels = 1};
    expect_file("dx10", texture, one, NUM_WORDS);
    one[FOUR_CC] = DXT1;
    expect_file("dds", texture, one, NUM_OLD);
    chain[HEIGHT] = 64;
    chain[WIDTH] = 0x123;
    chain[SIZE] = 73 * 16 * 16;
    chain[LEVELS] = 9;
    chain[CAPS] = 0x8 | 0x1000 | 0x400000;
    chain[DXGI] = 78;
    expect_file(
        "dds",
        (struct weir_texture){
            .format = VK_FORMAT_BC3_SRGB_BLOCK, .width = 0x123, .height = 64, .num_levels = 9},
        chain, NUM_WORDS);
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
            struct texture_file file = texture_file_make(
                dx10 ? "dx10" : "dds",
                (struct weir_texture){
                    .format = formats[i].format, .width = 4, .height = 4, .num_levels = 1});
            const uint32_t dxgi = texture_file_word(&file, 4 * DXGI);
            test_expect(memcmp(file.data + 4 * FOUR_CC, four_cc, 4) == 0, "format %d is not %s",
                        (int)formats[i].format, four_cc);
            test_expect(strcmp(four_cc, "DX10") != 0 || dxgi == formats[i].dxgi, "format %d is %u",
                        (int)formats[i].format, dxgi);
            texture_file_free(&file);
        }
    }
    test_expect(!weir_dds.holds(VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, "") &&
                    !weir_dds.holds(VK_FORMAT_EAC_R11_UNORM_BLOCK, "") &&
                    !weir_dds.holds(VK_FORMAT_BC5_UNORM_BLOCK, "rrrg") &&
                    !weir_dds.holds(VK_FORMAT_R16G16B16_UNORM, ""),
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
    return weir_texture_read(&bytes, texture);
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
    struct texture_file file = texture_file_make(
        "dds", (struct weir_texture){
                   .format = VK_FORMAT_BC7_UNORM_BLOCK, .width = 4, .height = 4, .num_levels = 1});
    struct weir_texture read;
    for (size_t i = 0; i < sizeof(typeless) / sizeof(typeless[0]); i++) {
        file.data[4 * DXGI] = typeless[i].dxgi;
        test_expect(texture_file_read(&file, &read) == WEIR_OK && read.format == typeless[i].format,
                    "DXGI format %u is read", typeless[i].dxgi);
    }
    for (uint8_t num = 0; num < 3; num++) {
        file.data[4 * NUM_TEXTURES] = num;
        test_expect((texture_file_read(&file, &read) == WEIR_OK) == (num < 2), "%u textures", num);
    }
    texture_file_free(&file);
}

static void test_premultiplied(void)
{
    struct texture_file file = texture_file_make(
        "dds", (struct weir_texture){.format = VK_FORMAT_BC3_UNORM_BLOCK,
                                     .is_premultiplied = true,
                                     .width = 4,
                                     .height = 4,
                                     .num_levels = 1});
    struct weir_texture read;
    test_expect(texture_file_word(&file, 4 * ALPHA) == 2, "miscFlags2");
    // DDS_ALPHA_MODE: unknown, straight, premultiplied, opaque, custom.
    for (uint8_t mode = 0; mode <= 4; mode++) {
        file.data[4 * ALPHA] = mode;
        test_expect(texture_file_read(&file, &read) == WEIR_OK &&
                        read.is_premultiplied == (mode == 2),
                    "alpha mode %u", mode);
    }
    texture_file_free(&file);
    static const char *const codes[] = {"DXT2", "DXT3", "DXT4", "DXT5"};
    for (int i = 0; i < 4; i++) {
        test_expect(read_words(codes[i], 1, 0, &read) == WEIR_OK &&
                        read.is_premultiplied == (i % 2 == 0),
                    "%s", codes[i]);
    }
}

int main(void)
{
    test_headers();
    test_formats();
    test_old();
    test_others();
    test_premultiplied();
    return test_finish();
}
