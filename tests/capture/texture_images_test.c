// SPDX-License-Identifier: MIT
// Textures of several images and of texels that are not compressed: what files hold of them, byte
// for byte, how texels of other programs' files are read, and the reasons why others are refused.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/little_endian.h"
#include "capture/files/block/block.h"
#include "testing.h"
#include "texture_file.h"

static const struct {
    uint32_t num_layers;
    bool is_cube;
} shapes[] = {{0, true}, {1, false}, {3, false}, {2, true}};
enum { NUM_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static bool have_same_images(const struct weir_texture *a, const struct weir_texture *b)
{
    bool same = weir_texture_num_images(a) == weir_texture_num_images(b) &&
                a->num_levels == b->num_levels;
    for (uint32_t i = 0; same && i < a->num_levels; i++) {
        for (uint32_t image = 0; image < weir_texture_num_images(a); image++) {
            same = same && a->levels[i].size == b->levels[i].size &&
                   memcmp(weir_texture_image(a, i, image), weir_texture_image(b, i, image),
                          (size_t)a->levels[i].size) == 0;
        }
    }
    return same;
}

// What one kind of file holds is read, and written as another, with the same images.
static void test_shapes(VkFormat format)
{
    static const char *const forms[] = {"ktx2", "zstd", "dds", "dx10"};
    for (int s = 0; s < NUM_SHAPES; s++) {
        for (int f = 0; f < 4; f++) {
            struct texture_file file = texture_file_make(
                forms[f], (struct weir_texture){.format = format,
                                                .width = 12,
                                                .height = 10,
                                                .num_levels = 4,
                                                .num_layers = shapes[s].num_layers,
                                                .is_cube = shapes[s].is_cube});
            struct texture_file other = {0};
            struct weir_texture again;
            // DDS files do not tell an array of one layer from none.
            const uint32_t num_layers = f >= 2 && shapes[s].num_layers == 1 ? 0
                                                                            : shapes[s].num_layers;
            test_expect(texture_file_read(&file, &other.texture) == WEIR_OK &&
                            other.texture.num_layers == num_layers &&
                            other.texture.is_cube == shapes[s].is_cube &&
                            have_same_images(&file.texture, &other.texture),
                        "format %d, shape %d, %s: %s", (int)format, s, forms[f], test_log_text());
            texture_file_write(&other, forms[3 - f]);
            test_expect(texture_file_read(&other, &again) == WEIR_OK &&
                            have_same_images(&file.texture, &again),
                        "format %d, shape %d, %s as %s", (int)format, s, forms[f], forms[3 - f]);
            weir_texture_finish(&again);
            weir_texture_finish(&other.texture);
            free(other.data);
            texture_file_free(&file);
        }
    }
}

// In KTX2 a level has all images, in DDS an image has all levels; and what headers say of them.
static void test_places(void)
{
    const struct weir_texture cube = {.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK,
                                      .width = 8,
                                      .height = 8,
                                      .num_levels = 2,
                                      .num_layers = 2,
                                      .is_cube = true};
    struct texture_file ktx2 = texture_file_make("ktx2", cube);
    const uint32_t level = texture_file_word(&ktx2, 80);
    test_expect(texture_file_word(&ktx2, 32) == 2 && texture_file_word(&ktx2, 36) == 6,
                "layerCount, faceCount");
    test_expect(texture_file_word(&ktx2, 88) == 12 * 32 && texture_file_word(&ktx2, 96) == 12 * 32,
                "byteLength of all images");
    test_expect(memcmp(ktx2.data + level, ktx2.texture.levels[0].blocks, (size_t)12 * 32) == 0,
                "a level is all of its images");
    texture_file_write(&ktx2, "dds");
    test_expect(texture_file_word(&ktx2, 84) == 0x30315844 && texture_file_word(&ktx2, 136) == 4 &&
                    texture_file_word(&ktx2, 140) == 2 && texture_file_word(&ktx2, 112) == 0xfe00 &&
                    (texture_file_word(&ktx2, 108) & 8) != 0,
                "an array has the header of DirectX 10");
    for (uint32_t i = 0; i < 12; i++) {
        test_expect(
            memcmp(ktx2.data + 148 + i * 40, ktx2.texture.levels[0].blocks + i * 32, 32) == 0 &&
                memcmp(ktx2.data + 148 + i * 40 + 32, ktx2.texture.levels[1].blocks + i * 8, 8) ==
                    0,
            "image %u of a DDS file", i);
    }
    ktx2.texture.num_layers = 0;
    texture_file_write(&ktx2, "dds");
    test_expect(texture_file_word(&ktx2, 84) == 0x31545844 && ktx2.size == 128 + 6 * 40,
                "a cube map has the older header");
    texture_file_free(&ktx2);
}

static bool near(const float *texel, const float *want)
{
    bool is_near = true;
    for (int c = 0; c < 4; c++) {
        is_near = is_near && fabsf(texel[c] - want[c]) <= 1e-6f;
    }
    return is_near;
}

// Texels of every layout, by the definitions in Vulkan's "Format Definition".
static void test_texels(void)
{
    static const struct {
        VkFormat format;
        uint8_t bytes[16];
        float want[4];
    } texels[] = {
        {VK_FORMAT_R8_UNORM, {51}, {0.2f, 0, 0, 1}},
        {VK_FORMAT_R8G8_SNORM, {0x81, 0x80}, {-1, -1, 0, 1}},
        {VK_FORMAT_B8G8R8_UNORM, {255, 0, 51}, {0.2f, 0, 1, 1}},
        {VK_FORMAT_R8G8B8A8_SRGB, {51, 102, 153, 204}, {0.2f, 0.4f, 0.6f, 0.8f}},
        {VK_FORMAT_B8G8R8A8_UNORM, {51, 102, 153, 204}, {0.6f, 0.4f, 0.2f, 0.8f}},
        {VK_FORMAT_R16G16_UNORM, {0xff, 0xff, 0x33, 0x33}, {1, 0.2f, 0, 1}},
        {VK_FORMAT_R16_SNORM, {1, 0x80}, {-1, 0, 0, 1}},
        {VK_FORMAT_R16G16B16A16_SFLOAT, {0, 0x3c, 0, 0xc0, 0, 0, 0, 0x38}, {1, -2, 0, 0.5f}},
        {VK_FORMAT_R32G32_SFLOAT, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, {1, -2, 0, 1}},
        {VK_FORMAT_R5G6B5_UNORM_PACK16, {0x1f, 0xf8}, {1, 0, 1, 1}},
        {VK_FORMAT_B5G6R5_UNORM_PACK16, {0x1f, 0}, {1, 0, 0, 1}},
        {VK_FORMAT_A1R5G5B5_UNORM_PACK16, {0, 0x7c}, {1, 0, 0, 0}},
        {VK_FORMAT_R5G5B5A1_UNORM_PACK16, {1, 0xf8}, {1, 0, 0, 1}},
        {VK_FORMAT_A4R4G4B4_UNORM_PACK16_EXT, {0x30, 0xf6}, {0.4f, 0.2f, 0, 1}},
        {VK_FORMAT_R4G4B4A4_UNORM_PACK16, {0x3f, 0x96}, {0.6f, 0.4f, 0.2f, 1}},
        {VK_FORMAT_A2R10G10B10_UNORM_PACK32, {0xff, 3, 0, 0x40}, {0, 0, 1, 1 / 3.0f}},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {0xff, 3, 0, 0xc0}, {1, 0, 0, 1}},
        {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {0xc0, 3, 0, 0x80}, {1, 0, 2, 1}},
        {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, {0, 3, 0xfc, 0x87}, {1, 1 / 256.0f, 511 / 256.0f, 1}},
        {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, {0xff, 3, 4, 0xf8}, {65408, 128, 128, 1}},
        {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, {1, 0, 0xfc, 7}, {0x1p-24f, 0, 511 * 0x1p-24f, 1}},
    };
    for (size_t i = 0; i < sizeof(texels) / sizeof(texels[0]); i++) {
        float texel[1][4];
        weir_block_decode(weir_block_get_format(texels[i].format), texels[i].bytes, texel);
        test_expect(near(texel[0], texels[i].want), "format %d is %g %g %g %g",
                    (int)texels[i].format, (double)texel[0][0], (double)texel[0][1],
                    (double)texel[0][2], (double)texel[0][3]);
    }
}

// A DDS file of one texel, or with the header of DirectX 10.
struct dds {
    uint32_t flags, four_cc, num_bits, masks[4], dxgi, dimension, caps2, depth;
};

static enum weir_result read_dds(const struct dds *dds, struct weir_texture *texture)
{
    static uint8_t file[256];
    memset(file, 0, sizeof(file));
    memcpy(file, "DDS ", 4);
    const uint32_t words[][2] = TEST_LIST(
        {4, 124}, {12, 1}, {16, 1}, {24, dds->depth}, {76, 32}, {80, dds->flags},
        {84, dds->four_cc}, {88, dds->num_bits}, {92, dds->masks[0]}, {96, dds->masks[1]},
        {100, dds->masks[2]}, {104, dds->masks[3]}, {112, dds->caps2}, {128, dds->dxgi},
        {132, dds->dimension});
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        weir_put_u32(file + words[i][0], words[i][1]);
    }
    const struct weir_texture_bytes bytes = {"a.dds", file, sizeof(file), &test_log, 0};
    return weir_texture_read(&bytes, texture);
}

enum { DX10 = 0x30315844 };
#define MASKS(all_flags, bits, ...)                                                                \
    {                                                                                              \
        .flags = all_flags, .num_bits = bits, .masks = { __VA_ARGS__ }                             \
    }
#define CODE(code)                                                                                 \
    {                                                                                              \
        .flags = 4, .four_cc = code                                                                \
    }
#define NUMBER(number, of)                                                                         \
    {                                                                                              \
        .flags = 4, .four_cc = DX10, .dxgi = number, .dimension = of                               \
    }

static void test_masks(void)
{
    static const struct {
        struct dds dds;
        VkFormat format;
        const char *swizzle;
    } files[] = {
        {MASKS(0x41, 32, 0xff0000, 0xff00, 0xff, 0xff000000), VK_FORMAT_B8G8R8A8_UNORM, ""},
        {MASKS(0x41, 32, 0xff, 0xff00, 0xff0000, 0xff000000), VK_FORMAT_R8G8B8A8_UNORM, ""},
        {MASKS(0x40, 32, 0xff0000, 0xff00, 0xff, 0), VK_FORMAT_B8G8R8A8_UNORM, "rgb1"},
        {MASKS(0x41, 32, 0xff, 0xff00, 0xff0000, 0), VK_FORMAT_R8G8B8A8_UNORM, "rgb1"},
        {MASKS(0x40, 24, 0xff0000, 0xff00, 0xff, 0), VK_FORMAT_B8G8R8_UNORM, ""},
        {MASKS(0x40, 24, 0xff, 0xff00, 0xff0000, 0), VK_FORMAT_R8G8B8_UNORM, ""},
        {MASKS(0x40, 16, 0xf800, 0x7e0, 0x1f, 0), VK_FORMAT_R5G6B5_UNORM_PACK16, ""},
        {MASKS(0x41, 16, 0x7c00, 0x3e0, 0x1f, 0x8000), VK_FORMAT_A1R5G5B5_UNORM_PACK16, ""},
        {MASKS(0x40, 16, 0x7c00, 0x3e0, 0x1f, 0), VK_FORMAT_A1R5G5B5_UNORM_PACK16, "rgb1"},
        {MASKS(0x41, 16, 0xf00, 0xf0, 0xf, 0xf000), VK_FORMAT_A4R4G4B4_UNORM_PACK16_EXT, ""},
        {MASKS(0x41, 32, 0x3ff, 0xffc00, 0x3ff00000, 0xc0000000),
         VK_FORMAT_A2B10G10R10_UNORM_PACK32, ""},
        {MASKS(0x41, 32, 0x3ff00000, 0xffc00, 0x3ff, 0xc0000000),
         VK_FORMAT_A2R10G10B10_UNORM_PACK32, ""},
        {MASKS(0x20000, 8, 0xff, 0, 0, 0), VK_FORMAT_R8_UNORM, "rrr1"},
        {MASKS(0x20000, 16, 0xffff, 0, 0, 0), VK_FORMAT_R16_UNORM, "rrr1"},
        {MASKS(0x20001, 16, 0xff, 0, 0, 0xff00), VK_FORMAT_R8G8_UNORM, "rrrg"},
        {MASKS(0x2, 8, 0, 0, 0, 0xff), VK_FORMAT_R8_UNORM, "000r"},
        {MASKS(0x40, 32, 0xffff, 0xffff0000, 0, 0), VK_FORMAT_UNDEFINED, ""},
        {MASKS(0x80000, 16, 0xff, 0xff00, 0, 0), VK_FORMAT_R8G8_SNORM, ""},
        {CODE(36), VK_FORMAT_R16G16B16A16_UNORM, ""},
        {CODE(113), VK_FORMAT_R16G16B16A16_SFLOAT, ""},
        {CODE(116), VK_FORMAT_R32G32B32A32_SFLOAT, ""},
        {NUMBER(28, 3), VK_FORMAT_R8G8B8A8_UNORM, ""},
        {NUMBER(29, 3), VK_FORMAT_R8G8B8A8_SRGB, ""},
        {NUMBER(87, 3), VK_FORMAT_B8G8R8A8_UNORM, ""},
        {NUMBER(88, 3), VK_FORMAT_B8G8R8A8_UNORM, "rgb1"},
        {NUMBER(93, 3), VK_FORMAT_B8G8R8A8_SRGB, "rgb1"},
        {NUMBER(65, 3), VK_FORMAT_R8_UNORM, "000r"},
        {NUMBER(10, 3), VK_FORMAT_R16G16B16A16_SFLOAT, ""},
        {NUMBER(115, 3), VK_FORMAT_A4R4G4B4_UNORM_PACK16_EXT, ""},
        {NUMBER(67, 3), VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, ""},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct weir_texture read;
        const bool known = files[i].format != VK_FORMAT_UNDEFINED;
        const enum weir_result result = read_dds(&files[i].dds, &read);
        test_expect(known ? result == WEIR_OK && read.format == files[i].format &&
                                strcmp(read.swizzle, files[i].swizzle) == 0
                          : result == WEIR_ERROR_UNSUPPORTED,
                    "file %zu: format %d, %s: %s", i, (int)read.format, read.swizzle,
                    test_log_text());
        // What is written of it is read the same.
        if (result == WEIR_OK && known) {
            struct texture_file again = {.texture = read};
            struct weir_texture back;
            texture_file_write(&again, "dds");
            test_expect(texture_file_read(&again, &back) == WEIR_OK && back.format == read.format &&
                            strcmp(back.swizzle, read.swizzle) == 0,
                        "file %zu is written as %d, %s", i, (int)back.format, back.swizzle);
            free(again.data);
        }
    }
}

// The whole reason, and names in it, not numbers.
static void expect_refused(enum weir_result result, const char *words)
{
    test_expect(result == WEIR_ERROR_UNSUPPORTED && strstr(test_log_text(), words) &&
                    !strstr(test_log_text(), "damaged") && !strstr(test_log_text(), "cut short"),
                "\"%s\" is not in \"%s\"", words, test_log_text());
}

static void test_refused_dds(void)
{
    static const struct {
        struct dds dds;
        const char *words;
    } files[] = {
        {NUMBER(3, 3), "DXGI format 3,"},
        {NUMBER(103, 3), "DXGI format 103,"},
        {{.flags = 4, .four_cc = DX10, .dxgi = 28, .dimension = 4, .depth = 3},
         "a volume (a 3D texture) of 3 slices"},
        {NUMBER(28, 2), "a 1D texture"},
        {{.flags = 0x41,
          .num_bits = 32,
          .masks = {0xff, 0xff00, 0xff0000},
          .caps2 = 0x200000,
          .depth = 1},
         "a volume (a 3D texture) of 1 slice,"},
        {{.flags = 0x41, .num_bits = 32, .masks = {0xff, 0xff00, 0xff0000}, .caps2 = 0x600},
         "a cube map without all of its six faces"},
        {CODE(0x32595559), "FourCC YUY2"},
        {MASKS(0x20, 8, 0), "8 bits by masks"},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct weir_texture read;
        expect_refused(read_dds(&files[i].dds, &read), files[i].words);
    }
}

static void test_refused_ktx2(void)
{
    static const struct {
        size_t at;
        uint32_t word;
        const char *words;
    } changes[] = TEST_LIST({12, 165, "VkFormat 165,"}, {12, 1000066004, "VkFormat 1000066004,"},
                            {28, 5, "a volume (a 3D texture) of 5 slices"}, {44, 1, "BasisLZ"},
                            {44, 3, "ZLIB"}, {32, 1 << 20, "1048576 layers"});
    struct texture_file file = texture_file_make(
        "ktx2", (struct weir_texture){
                    .format = VK_FORMAT_BC7_UNORM_BLOCK, .width = 8, .height = 8, .num_levels = 1});
    struct weir_texture read;
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        const uint32_t before = texture_file_word(&file, changes[i].at);
        weir_put_u32(file.data + changes[i].at, changes[i].word);
        expect_refused(texture_file_read(&file, &read), changes[i].words);
        weir_put_u32(file.data + changes[i].at, before);
    }
    const uint32_t descriptor = texture_file_word(&file, 48);
    weir_put_u32(file.data + 12, 0);
    file.data[descriptor + 12] = 166;
    expect_refused(texture_file_read(&file, &read), "UASTC of Basis Universal");
    file.data[descriptor + 12] = 163;
    expect_refused(texture_file_read(&file, &read), "ETC1S of Basis Universal");
    texture_file_free(&file);
}

// KTX2 keeps a swizzle, and what is none is left out.
static void test_swizzle(void)
{
    static const struct {
        const char *set, *want;
    } swizzles[] = {{"rrrg", "rrrg"}, {"0b1a", "0b1a"}, {"rgba", ""}, {"rgb", ""}, {"xyzw", ""}};
    for (size_t i = 0; i < sizeof(swizzles) / sizeof(swizzles[0]); i++) {
        struct weir_texture read,
            texture = {
                .format = VK_FORMAT_BC5_UNORM_BLOCK, .width = 4, .height = 4, .num_levels = 1};
        weir_texture_set_swizzle(&texture, swizzles[i].set);
        struct texture_file file = texture_file_make("ktx2", texture);
        test_expect(texture_file_read(&file, &read) == WEIR_OK &&
                        strcmp(read.swizzle, swizzles[i].want) == 0,
                    "%s is read as %s", swizzles[i].set, read.swizzle);
        texture_file_free(&file);
    }
}

// A file of several images that was cut short lacks some of the last one.
static void test_truncated(const char *form)
{
    struct texture_file file = texture_file_make(
        form, (struct weir_texture){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .width = 5,
                                    .height = 3,
                                    .num_levels = 2,
                                    .is_cube = true});
    struct weir_texture read;
    for (size_t size = 0; size < file.size; size++) {
        const struct weir_texture_bytes bytes = {"cut", file.data, size, &test_log, 0};
        test_expect(weir_texture_read(&bytes, &read) == WEIR_ERROR_DATA, "%s cut short to %zu",
                    form, size);
        weir_texture_finish(&read);
    }
    texture_file_free(&file);
}

// Texels, arrays and cube maps of version 1.
static void test_refused_ktx(void)
{
    static const struct {
        size_t at;
        uint32_t word;
        const char *words;
    } changes[] = {{16, 0x1401, "it is not compressed"},
                   {48, 4, "it is an array"},
                   {52, 6, "it is a cube map"},
                   {44, 2, "a volume (a 3D texture) of 2 slices"}};
    struct texture_file file = texture_file_make(
        "ktx", (struct weir_texture){
                   .format = VK_FORMAT_BC7_UNORM_BLOCK, .width = 8, .height = 8, .num_levels = 1});
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        struct weir_texture read;
        const uint32_t before = texture_file_word(&file, changes[i].at);
        weir_put_u32(file.data + changes[i].at, changes[i].word);
        expect_refused(texture_file_read(&file, &read), changes[i].words);
        weir_put_u32(file.data + changes[i].at, before);
    }
    texture_file_free(&file);
}

int main(void)
{
    test_shapes(VK_FORMAT_BC7_SRGB_BLOCK);
    test_shapes(VK_FORMAT_R8G8B8A8_UNORM);
    test_shapes(VK_FORMAT_R16G16B16A16_SFLOAT);
    test_places();
    test_texels();
    test_masks();
    test_refused_dds();
    test_refused_ktx2();
    test_refused_ktx();
    test_swizzle();
    test_truncated("ktx2");
    test_truncated("dds");
    return test_finish();
}
