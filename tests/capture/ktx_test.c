// SPDX-License-Identifier: MIT
// KTX files of version 1, field by field, against Khronos' specification and OpenGL's own headers.
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "capture/files/texture/texture.h"
#include "testing.h"
#include "texture_file.h"

static void expect_format(VkFormat format, uint32_t internal_format, uint32_t base_format,
                          bool is_etc1)
{
    struct texture_file file = texture_file_make(
        "ktx", (struct weir_texture){
                   .format = format, .is_etc1 = is_etc1, .width = 3, .height = 4, .num_levels = 1});
    texture_file_expect(&file, 28, (const uint32_t[]){internal_format, base_format}, 2);
    texture_file_free(&file);
}

static void test_formats(void)
{
    static const struct {
        VkFormat format;
        uint32_t internal_format, base_format;
    } formats[] = {
        {VK_FORMAT_BC1_RGB_UNORM_BLOCK, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_RGB},
        {VK_FORMAT_BC1_RGB_SRGB_BLOCK, GL_COMPRESSED_SRGB_S3TC_DXT1_EXT, GL_RGB},
        {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, GL_RGBA},
        {VK_FORMAT_BC1_RGBA_SRGB_BLOCK, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, GL_RGBA},
        {VK_FORMAT_BC2_UNORM_BLOCK, GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, GL_RGBA},
        {VK_FORMAT_BC2_SRGB_BLOCK, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT, GL_RGBA},
        {VK_FORMAT_BC3_UNORM_BLOCK, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_RGBA},
        {VK_FORMAT_BC3_SRGB_BLOCK, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, GL_RGBA},
        {VK_FORMAT_BC4_UNORM_BLOCK, GL_COMPRESSED_RED_RGTC1, GL_RED},
        {VK_FORMAT_BC4_SNORM_BLOCK, GL_COMPRESSED_SIGNED_RED_RGTC1, GL_RED},
        {VK_FORMAT_BC5_UNORM_BLOCK, GL_COMPRESSED_RG_RGTC2, GL_RG},
        {VK_FORMAT_BC5_SNORM_BLOCK, GL_COMPRESSED_SIGNED_RG_RGTC2, GL_RG},
        {VK_FORMAT_BC6H_UFLOAT_BLOCK, GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, GL_RGB},
        {VK_FORMAT_BC6H_SFLOAT_BLOCK, GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, GL_RGB},
        {VK_FORMAT_BC7_UNORM_BLOCK, GL_COMPRESSED_RGBA_BPTC_UNORM, GL_RGBA},
        {VK_FORMAT_BC7_SRGB_BLOCK, GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM, GL_RGBA},
        {VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, GL_COMPRESSED_RGB8_ETC2, GL_RGB},
        {VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK, GL_COMPRESSED_SRGB8_ETC2, GL_RGB},
        {VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK, GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, GL_RGBA},
        {VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, GL_RGBA},
        {VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, GL_COMPRESSED_RGBA8_ETC2_EAC, GL_RGBA},
        {VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK, GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, GL_RGBA},
        {VK_FORMAT_EAC_R11_UNORM_BLOCK, GL_COMPRESSED_R11_EAC, GL_RED},
        {VK_FORMAT_EAC_R11_SNORM_BLOCK, GL_COMPRESSED_SIGNED_R11_EAC, GL_RED},
        {VK_FORMAT_EAC_R11G11_UNORM_BLOCK, GL_COMPRESSED_RG11_EAC, GL_RG},
        {VK_FORMAT_EAC_R11G11_SNORM_BLOCK, GL_COMPRESSED_SIGNED_RG11_EAC, GL_RG},
    };
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        expect_format(formats[i].format, formats[i].internal_format, formats[i].base_format, false);
    }
    // OES_compressed_ETC1_RGB8_texture.
    expect_format(VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, 0x8d64, GL_RGB, true);
    expect_format(VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK, GL_COMPRESSED_SRGB8_ETC2, GL_RGB, true);
}

static void test_file(void)
{
    static const uint8_t identifier[12] = {0xab, 0x4b, 0x54, 0x58, 0x20, 0x31,
                                           0x31, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a};
    static const uint32_t words[] = {
        0x04030201, 0, 1, 0, GL_COMPRESSED_R11_EAC, GL_RED, 9, 5, 0, 0, 1, 2, 28 + 20};
    struct texture_file file = texture_file_make(
        "ktx",
        (struct weir_texture){
            .format = VK_FORMAT_EAC_R11_UNORM_BLOCK, .width = 9, .height = 5, .num_levels = 2});
    test_expect(memcmp(file.data, identifier, sizeof(identifier)) == 0, "the identifier");
    texture_file_expect(&file, 12, words, sizeof(words) / sizeof(words[0]));
    test_expect(memcmp(file.data + 64, "\x17\0\0\0KTXorientation\0S=r,T=d\0\0", 28) == 0,
                "KTXorientation");
    test_expect(memcmp(file.data + 92, "\x0f\0\0\0KTXwriter\0test\0\0", 20) == 0, "KTXwriter");
    test_expect(texture_file_word(&file, 112) == 48, "imageSize of level 0");
    test_expect(memcmp(file.data + 116, file.texture.levels[0].blocks, 48) == 0, "level 0");
    test_expect(texture_file_word(&file, 164) == 8, "imageSize of level 1");
    test_expect(memcmp(file.data + 168, file.texture.levels[1].blocks, 8) == 0, "level 1");
    test_expect(file.size == 176, "its size is %zu", file.size);
    texture_file_free(&file);
}

// Keys are found among pairs of any origin.
static void test_metadata(void)
{
    uint8_t pairs[64];
    uint32_t size = weir_ktx_metadata_put(pairs, "KTX", "1");
    size += weir_ktx_metadata_put(pairs + size, "KTXorientation", "S=r,T=u");
    const char *value = weir_ktx_metadata_find(pairs, size, "KTXorientation");
    test_expect(value && strcmp(value, "S=r,T=u") == 0, "the value of a key");
    test_expect(!weir_ktx_metadata_find(pairs, size, "KTXorient"), "a key that begins so");
    test_expect(!weir_ktx_metadata_find(pairs, size - 4, "KTXorientation"), "a pair cut short");
    pairs[size - 2] = 'x';
    test_expect(!weir_ktx_metadata_find(pairs, size, "KTXorientation"), "a value without an end");
    pairs[3] = 0xff;
    test_expect(!weir_ktx_metadata_find(pairs, size, "KTX"), "a pair of 4 GiB");
}

int main(void)
{
    test_metadata();
    test_formats();
    test_file();
    return test_finish();
}
