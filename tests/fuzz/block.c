// SPDX-License-Identifier: MIT
// Blocks of every format: any pattern of bits has texels, and formats that share blocks share
// texels.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/block/block.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_BLOCK_SIZE = 16, MAX_BLOCKS = 2, NUM_SEEDS = 256 };

// Also each mode of BC6H and BC7, which the first bits say.
static size_t seed(unsigned index, uint8_t *data)
{
    struct fuzz_random random = fuzz_random(index);
    if (index >= NUM_SEEDS) {
        return 0;
    }
    fuzz_fill(&random, data, MAX_BLOCK_SIZE);
    data[0] = (uint8_t)index;
    return MAX_BLOCK_SIZE;
}

// In memory that ends where the block does.
static void decode(VkFormat number, const uint8_t *bytes, float texels[16][4])
{
    const struct weir_block_format *format = weir_block_get_format(number);
    uint8_t *block = malloc(format->block_size);
    fuzz_expect(block, "memory");
    memcpy(block, bytes, format->block_size);
    for (int i = 0; i < 16; i++) {
        texels[i][0] = texels[i][1] = texels[i][2] = texels[i][3] = NAN;
    }
    weir_block_decode(format, block, texels);
    free(block);
}

static void check_range(const struct weir_block_format *format, const uint8_t *bytes)
{
    float texels[16][4];
    decode(format->format, bytes, texels);
    const float low = format->values == WEIR_BLOCK_SNORM              ? -1
                      : format->format == VK_FORMAT_BC6H_SFLOAT_BLOCK ? -INFINITY
                                                                      : 0;
    const float high = format->values == WEIR_BLOCK_FLOAT ? 65504 : 1;
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            const float value = texels[i][c];
            const bool lacks = c >= format->num_channels;
            fuzz_expect(lacks ? value == (c == 3) : value >= low && value <= high,
                        "%s: texel %u, channel %u: %g", format->name, i, c, (double)value);
        }
    }
}

// Channels first .. last of two blocks.
static void expect_same(VkFormat a, const uint8_t *block_a, VkFormat b, const uint8_t *block_b,
                        int first_a, int first_b, int num)
{
    float texels_a[16][4], texels_b[16][4];
    decode(a, block_a, texels_a);
    decode(b, block_b, texels_b);
    for (int i = 0; i < 16; i++) {
        for (int c = 0; c < num; c++) {
            fuzz_expect(texels_a[i][first_a + c] == texels_b[i][first_b + c],
                        "formats %d and %d: texel %d, channel %d", (int)a, (int)b, i, c);
        }
    }
}

// Only opaque texels of BC1 with alpha have the colours of BC1 without; the others are black in
// both.
static void check_families(const uint8_t *block)
{
    const uint8_t *second = block + 8;
    expect_same(VK_FORMAT_BC1_RGB_UNORM_BLOCK, block, VK_FORMAT_BC1_RGBA_UNORM_BLOCK, block, 0, 0,
                3);
    expect_same(VK_FORMAT_BC2_UNORM_BLOCK, block, VK_FORMAT_BC3_UNORM_BLOCK, block, 0, 0, 3);
    expect_same(VK_FORMAT_BC3_UNORM_BLOCK, block, VK_FORMAT_BC4_UNORM_BLOCK, block, 3, 0, 1);
    expect_same(VK_FORMAT_BC5_UNORM_BLOCK, block, VK_FORMAT_BC4_UNORM_BLOCK, block, 0, 0, 1);
    expect_same(VK_FORMAT_BC5_UNORM_BLOCK, block, VK_FORMAT_BC4_UNORM_BLOCK, second, 1, 0, 1);
    expect_same(VK_FORMAT_BC5_SNORM_BLOCK, block, VK_FORMAT_BC4_SNORM_BLOCK, block, 0, 0, 1);
    expect_same(VK_FORMAT_BC5_SNORM_BLOCK, block, VK_FORMAT_BC4_SNORM_BLOCK, second, 1, 0, 1);
    expect_same(VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, block, VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
                second, 0, 0, 3);
    expect_same(VK_FORMAT_EAC_R11G11_UNORM_BLOCK, block, VK_FORMAT_EAC_R11_UNORM_BLOCK, block, 0, 0,
                1);
    expect_same(VK_FORMAT_EAC_R11G11_UNORM_BLOCK, block, VK_FORMAT_EAC_R11_UNORM_BLOCK, second, 1,
                0, 1);
    expect_same(VK_FORMAT_EAC_R11G11_SNORM_BLOCK, block, VK_FORMAT_EAC_R11_SNORM_BLOCK, second, 1,
                0, 1);
}

static void run(const uint8_t *data, size_t size)
{
    size_t num_formats;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    for (int b = 0; b < MAX_BLOCKS && size >= MAX_BLOCK_SIZE; b++) {
        for (size_t i = 0; i < num_formats && formats[i].side > 1; i++) { // they come first
            check_range(&formats[i], data);
            // Codes of colours are decoded as numbers are: VkFormat has SRGB after UNORM.
            if (formats[i].values == WEIR_BLOCK_SRGB) {
                expect_same(formats[i].format, data, formats[i].format - 1, data, 0, 0, 4);
            }
        }
        check_families(data);
        data += MAX_BLOCK_SIZE;
        size -= MAX_BLOCK_SIZE;
    }
}

const struct fuzz_target fuzz_target = {
    .name = "block",
    .num_runs = 3000,
    .seed = seed,
    .run = run,
};
