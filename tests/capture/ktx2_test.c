// SPDX-License-Identifier: MIT
// The data format descriptors of KTX2 files, against Khronos' specification, and Zstandard. Header,
// index and places of levels are judged by ktx-parse (tests/npm/check_ktx2.mjs), of every format.
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "capture/base/little_endian.h"
#include "capture/files/block/block.h"
#include "capture/files/texture/texture.h"
#include "testing.h"
#include "texture_file.h"

// The Khronos Data Format Specification 1.3, chapter "Compressed formats and models": colour model
// and channels of each, the latter with the qualifiers of section "Sample information".
enum { LINEAR = 0x10, SIGNED = 0x40, FLOAT = 0x80, ALPHA = 15, LINEAR_ALPHA = ALPHA | LINEAR };
static const struct expected {
    VkFormat format;
    uint32_t model, transfer, bytes;
    uint32_t num_samples;
    struct {
        uint32_t offset, bits, channel;
    } samples[2];
    uint32_t lower, upper;
} all_expected[] = {
#define UNORM 0, 0xffffffff
#define SNORM 0x80000000, 0x7fffffff
#define SFLOAT 0xbf800000, 0x3f800000
    {VK_FORMAT_BC1_RGB_UNORM_BLOCK, 128, 1, 8, 1, {{0, 64, 0}}, UNORM},
    {VK_FORMAT_BC1_RGB_SRGB_BLOCK, 128, 2, 8, 1, {{0, 64, 0}}, UNORM},
    {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 128, 1, 8, 1, {{0, 64, 1}}, UNORM},
    {VK_FORMAT_BC1_RGBA_SRGB_BLOCK, 128, 2, 8, 1, {{0, 64, 1}}, UNORM},
    {VK_FORMAT_BC2_UNORM_BLOCK, 129, 1, 16, 2, {{0, 64, ALPHA}, {64, 64, 0}}, UNORM},
    {VK_FORMAT_BC2_SRGB_BLOCK, 129, 2, 16, 2, {{0, 64, LINEAR_ALPHA}, {64, 64, 0}}, UNORM},
    {VK_FORMAT_BC3_UNORM_BLOCK, 130, 1, 16, 2, {{0, 64, ALPHA}, {64, 64, 0}}, UNORM},
    {VK_FORMAT_BC3_SRGB_BLOCK, 130, 2, 16, 2, {{0, 64, LINEAR_ALPHA}, {64, 64, 0}}, UNORM},
    {VK_FORMAT_BC4_UNORM_BLOCK, 131, 1, 8, 1, {{0, 64, 0}}, UNORM},
    {VK_FORMAT_BC4_SNORM_BLOCK, 131, 1, 8, 1, {{0, 64, SIGNED}}, SNORM},
    {VK_FORMAT_BC5_UNORM_BLOCK, 132, 1, 16, 2, {{0, 64, 0}, {64, 64, 1}}, UNORM},
    {VK_FORMAT_BC5_SNORM_BLOCK, 132, 1, 16, 2, {{0, 64, SIGNED}, {64, 64, 1 | SIGNED}}, SNORM},
    {VK_FORMAT_BC6H_UFLOAT_BLOCK, 133, 1, 16, 1, {{0, 128, FLOAT}}, 0, 0x3f800000},
    {VK_FORMAT_BC6H_SFLOAT_BLOCK, 133, 1, 16, 1, {{0, 128, FLOAT | SIGNED}}, SFLOAT},
    {VK_FORMAT_BC7_UNORM_BLOCK, 134, 1, 16, 1, {{0, 128, 0}}, UNORM},
    {VK_FORMAT_BC7_SRGB_BLOCK, 134, 2, 16, 1, {{0, 128, 0}}, UNORM},
    {VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, 161, 1, 8, 1, {{0, 64, 2}}, UNORM},
    {VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK, 161, 2, 8, 1, {{0, 64, 2}}, UNORM},
    {VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK, 161, 1, 8, 2, {{0, 64, 2}, {0, 64, ALPHA}}, UNORM},
    {VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, 161, 2, 8, 2, {{0, 64, 2}, {0, 64, LINEAR_ALPHA}}, UNORM},
    {VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, 161, 1, 16, 2, {{0, 64, ALPHA}, {64, 64, 2}}, UNORM},
    {VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK,
     161,
     2,
     16,
     2,
     {{0, 64, LINEAR_ALPHA}, {64, 64, 2}},
     UNORM},
    {VK_FORMAT_EAC_R11_UNORM_BLOCK, 161, 1, 8, 1, {{0, 64, 0}}, UNORM},
    {VK_FORMAT_EAC_R11_SNORM_BLOCK, 161, 1, 8, 1, {{0, 64, SIGNED}}, SNORM},
    {VK_FORMAT_EAC_R11G11_UNORM_BLOCK, 161, 1, 16, 2, {{0, 64, 0}, {64, 64, 1}}, UNORM},
    {VK_FORMAT_EAC_R11G11_SNORM_BLOCK,
     161,
     1,
     16,
     2,
     {{0, 64, SIGNED}, {64, 64, 1 | SIGNED}},
     SNORM},
};
enum { NUM_EXPECTED = sizeof(all_expected) / sizeof(all_expected[0]) };

static void expect_word(const struct expected *expected, const char *name, const uint8_t *at,
                        uint32_t value)
{
    test_expect(weir_get_u32(at) == value, "format %d: %s is %#x and should be %#x",
                (int)expected->format, name, weir_get_u32(at), value);
}

static void expect_descriptor(const struct expected *expected, bool is_premultiplied)
{
    uint8_t bytes[WEIR_KTX2_MAX_DESCRIPTOR_SIZE];
    const uint32_t size = weir_ktx2_descriptor(expected->format, is_premultiplied, bytes);
    const uint32_t block_size = 24 + 16 * expected->num_samples;
    if (!test_expect(size == 4 + block_size, "format %d: %u bytes", (int)expected->format, size)) {
        return;
    }
    expect_word(expected, "dfdTotalSize", bytes, size);
    expect_word(expected, "vendorId, descriptorType", bytes + 4, 0);
    expect_word(expected, "versionNumber, descriptorBlockSize", bytes + 8, 2 | block_size << 16);
    expect_word(expected, "model, primaries, transfer, flags", bytes + 12,
                expected->model | 1 << 8 | expected->transfer << 16 |
                    (uint32_t)is_premultiplied << 24); // KHR_DF_FLAG_ALPHA_PREMULTIPLIED
    test_expect(weir_ktx2_descriptor_is_premultiplied(bytes, size) == is_premultiplied,
                "format %d: the flag is read", (int)expected->format);
    test_expect(!weir_ktx2_descriptor_is_premultiplied(bytes, 27), "no flag of half a block");
    expect_word(expected, "texelBlockDimension", bytes + 16, 0x00000303);
    expect_word(expected, "bytesPlane0 .. 3", bytes + 20, expected->bytes);
    expect_word(expected, "bytesPlane4 .. 7", bytes + 24, 0);
    for (uint32_t i = 0; i < expected->num_samples; i++) {
        const uint8_t *sample = bytes + 28 + 16 * i;
        expect_word(expected, "bitOffset, bitLength, channelType", sample,
                    expected->samples[i].offset | (expected->samples[i].bits - 1) << 16 |
                        expected->samples[i].channel << 24);
        expect_word(expected, "samplePosition", sample + 4, 0);
        expect_word(expected, "sampleLower", sample + 8, expected->lower);
        expect_word(expected, "sampleUpper", sample + 12, expected->upper);
    }
}

static void test_descriptors(void)
{
    size_t num_formats, num_compressed = 0;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    while (formats[num_compressed].side > 1) {
        num_compressed++;
    }
    test_expect(num_compressed == NUM_EXPECTED, "a descriptor of every compressed format");
    for (int i = 0; i < NUM_EXPECTED; i++) {
        expect_descriptor(&all_expected[i], false);
        expect_descriptor(&all_expected[i], true);
    }
    uint8_t bytes[WEIR_KTX2_MAX_DESCRIPTOR_SIZE];
    test_expect(weir_ktx2_descriptor(VK_FORMAT_R8G8B8A8_UINT, false, bytes) == 0, "of integers");
}

// Of texels: transfer and size, and of each sample the first word, the least and the largest value.
static void test_texel_descriptors(void)
{
    static const struct {
        VkFormat format;
        uint32_t transfer, size, num_samples, samples[4], lower, upper;
    } texels[] = {
        {VK_FORMAT_R8G8B8A8_UNORM, 1, 4, 4, {0x070000, 0x1070008, 0x2070010, 0xf070018}, 0, 255},
        {VK_FORMAT_B8G8R8A8_SRGB, 2, 4, 4, {0x2070000, 0x1070008, 0x070010, 0x1f070018}, 0, 255},
        {VK_FORMAT_R8G8_SNORM, 1, 2, 2, {0x40070000, 0x41070008}, 0xffffff81, 127},
        {VK_FORMAT_R16_UNORM, 1, 2, 1, {0x0f0000}, 0, 65535},
        {VK_FORMAT_R16G16_SFLOAT, 1, 4, 2, {0xc00f0000, 0xc10f0010}, SFLOAT},
        {VK_FORMAT_R32G32B32_SFLOAT, 1, 12, 3, {0xc01f0000, 0xc11f0020, 0xc21f0040}, SFLOAT},
        {VK_FORMAT_B10G11R11_UFLOAT_PACK32,
         1,
         4,
         3,
         {0x800a0000, 0x810a000b, 0x82090016},
         0,
         0x3f800000},
        {VK_FORMAT_R5G6B5_UNORM_PACK16, 1, 2, 3, {0x2040000, 0x1050005, 0x004000b}, 0, 31},
    };
    for (size_t i = 0; i < sizeof(texels) / sizeof(texels[0]); i++) {
        uint8_t bytes[WEIR_KTX2_MAX_DESCRIPTOR_SIZE];
        const uint32_t num = texels[i].num_samples;
        const uint32_t size = weir_ktx2_descriptor(texels[i].format, false, bytes);
        bool same = size == 28 + 16 * num && weir_get_u32(bytes) == size &&
                    weir_get_u32(bytes + 12) == (1 | 1 << 8 | texels[i].transfer << 16) &&
                    weir_get_u32(bytes + 16) == 0 && weir_get_u32(bytes + 20) == texels[i].size;
        for (uint32_t s = 0; same && s < num; s++) {
            const uint8_t *sample = bytes + 28 + (size_t)16 * s;
            const bool is_green = texels[i].format == VK_FORMAT_R5G6B5_UNORM_PACK16 && s == 1;
            same = weir_get_u32(sample) == texels[i].samples[s] && weir_get_u32(sample + 4) == 0 &&
                   weir_get_u32(sample + 8) == texels[i].lower &&
                   weir_get_u32(sample + 12) == (is_green ? 63 : texels[i].upper);
        }
        test_expect(same, "the descriptor of format %d", (int)texels[i].format);
    }
}

// The flag for premultiplied alpha is read as it was written. A descriptor without a basic block
// has no such flag.
static void test_premultiplied(void)
{
    for (int flag = 0; flag < 2; flag++) {
        struct weir_texture read;
        struct texture_file file = texture_file_make(
            "ktx2", (struct weir_texture){.format = VK_FORMAT_BC3_SRGB_BLOCK,
                                          .is_premultiplied = flag != 0,
                                          .width = 9,
                                          .height = 5,
                                          .num_levels = 3});
        test_expect(texture_file_read(&file, &read) == WEIR_OK &&
                        read.is_premultiplied == (flag != 0),
                    "premultiplied: %d", flag);
        file.data[texture_file_word(&file, 48) + 4] = 1; // vendorId
        test_expect(texture_file_read(&file, &read) == WEIR_OK && !read.is_premultiplied,
                    "a vendor's descriptor");
        texture_file_free(&file);
    }
}

// Where the entry of a level stands.
static size_t entry_of(uint32_t level)
{
    return 80 + (size_t)24 * level;
}

// Each level is a frame of Zstandard, as its own library reads it, one behind the other, the
// smallest first.
static void expect_frames(const struct texture_file *file)
{
    uint32_t end = texture_file_word(file, 56) + texture_file_word(file, 60);
    test_expect(texture_file_word(file, 44) == 2, "supercompressionScheme");
    for (uint32_t i = file->texture.num_levels; i-- > 0;) {
        const struct weir_texture_level *level = &file->texture.levels[i];
        const uint32_t size = texture_file_word(file, entry_of(i) + 8);
        uint8_t *blocks = malloc((size_t)level->size);
        test_expect(texture_file_word(file, entry_of(i)) == end && end + size <= file->size,
                    "level %u lies at %u", i, end);
        test_expect(texture_file_word(file, entry_of(i) + 16) == level->size, "level %u: its size",
                    i);
        test_expect(ZSTD_decompress(blocks, (size_t)level->size, file->data + end, size) ==
                            level->size &&
                        memcmp(blocks, level->blocks, (size_t)level->size) == 0,
                    "level %u: its blocks", i);
        free(blocks);
        end += size;
    }
    test_expect(end == file->size, "nothing is behind the last level");
}

static void expect_read(const struct texture_file *file, uint64_t max_memory, enum weir_result want,
                        const char *what)
{
    const struct weir_texture_bytes bytes = {"file", file->data, file->size, &test_log, max_memory};
    struct weir_texture read;
    const enum weir_result result = weir_texture_read(&bytes, &read);
    test_expect(result == want, "%s: %s", what, weir_result_name(result));
    test_expect(result != WEIR_OK || read.num_levels == file->texture.num_levels, "its levels");
    for (uint32_t i = 0; result == WEIR_OK && i < read.num_levels; i++) {
        const struct weir_texture_level *level = &file->texture.levels[i];
        test_expect(read.levels[i].size == level->size &&
                        memcmp(read.levels[i].blocks, level->blocks, (size_t)level->size) == 0,
                    "level %u is read", i);
    }
    weir_texture_finish(&read);
}

// Levels that are noise, or all alike, which are made of one texture.
static void test_zstd(void)
{
    struct texture_file file = texture_file_make(
        "zstd",
        (struct weir_texture){
            .format = VK_FORMAT_BC7_UNORM_BLOCK, .width = 70, .height = 33, .num_levels = 7});
    for (int alike = 0; alike < 2; alike++) {
        uint64_t total = 0;
        for (uint32_t i = 0; i < file.texture.num_levels; i++) {
            memset((void *)(uintptr_t)file.texture.levels[i].blocks, 7,
                   alike ? (size_t)file.texture.levels[i].size : 0);
            total += file.texture.levels[i].size;
        }
        texture_file_write(&file, "zstd");
        expect_frames(&file);
        test_expect(!alike || file.size < total / 2, "it is smaller: %zu bytes", file.size);
        expect_read(&file, 0, WEIR_OK, "without a limit");
        expect_read(&file, total, WEIR_OK, "with as much as it needs");
        expect_read(&file, total - 1, WEIR_ERROR_UNSUPPORTED, "with less memory");
        uint8_t *frame = file.data + texture_file_word(&file, entry_of(0));
        frame[0] ^= 1; // its magic number
        expect_read(&file, 0, WEIR_ERROR_DATA, "no frame");
        frame[0] ^= 1;
        file.data[24] ^= 16; // a height that its levels do not have
        expect_read(&file, 0, WEIR_ERROR_DATA, "another size");
        file.data[24] ^= 16;
        file.data[44] = 1; // BasisLZ
        expect_read(&file, 0, WEIR_ERROR_UNSUPPORTED, "another scheme");
    }
    texture_file_free(&file);
}

int main(void)
{
    test_zstd();
    test_descriptors();
    test_texel_descriptors();
    test_premultiplied();
    return test_finish();
}
