// SPDX-License-Identifier: MIT
// capture/files/block gives the texels that Mesa's OpenGL samples, in every format. WEIR_SEED
// repeats a run.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <GL/glcorearb.h>

#include "capture/files/block/block.h"
#include "tests/expect.h"
#include "tests/gl/block_content.h"
#include "tests/gl/offscreen.h"
#include "tests/seeded.h"

// EXT_texture_sRGB, which is no part of the core's header.
enum {
    SRGB_S3TC_DXT1 = 0x8C4C,
    SRGB_ALPHA_S3TC_DXT1 = 0x8C4D,
    SRGB_ALPHA_S3TC_DXT3 = 0x8C4E,
    SRGB_ALPHA_S3TC_DXT5 = 0x8C4F,
};

// How far from this decoder's texels those of Mesa's software renderer may be, with its largest
// deviation as measured with Mesa 22.3.6.
//
// BC6H: none; both have half floats.
#define SAME 0.0
// BC7, ETC2: codes of 8 bits, which Mesa multiplies with a rounded 1/255: 0.5 of this.
#define ROUNDING 0x1p-23
// Such codes after a polynomial that stands for the sRGB curve, 0.34 codes from it. Half a code
// still tells each code from the next.
#define HALF_CODE (0.5 / 255)
// BC1 .. BC5: endpoints as 8 bits, then integers of 8 bits between them, where this decoder has
// fractions: 1.71 codes, 1.96 with the sRGB curve. In SNORM 1.8: Mesa interpolates -128 as such,
// not as -127.
#define WITHIN_2_CODES (2.0 / 255)
#define WITHIN_2_CODES_SNORM (2.0 / 127)
// EAC of 11 bits: Mesa has 16 bits, by replication as the specification allows. 0.95 codes of
// unsigned and 0.94 of signed ones.
#define CODE_OF_UNORM16 (1.0 / 65535)
#define CODE_OF_SNORM16 (1.0 / 32767)

struct gl_case {
    VkFormat format;
    uint32_t gl_format;
    double tolerance; // of each channel, in what the decoder gives: 1 is the largest code
};

// clang-format off
#define CASE(format, gl_format, tolerance) {VK_FORMAT_##format##_BLOCK, gl_format, tolerance}
// clang-format on
static const struct gl_case cases[] = TEST_LIST(
    CASE(BC1_RGB_UNORM, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, WITHIN_2_CODES),
    CASE(BC1_RGB_SRGB, SRGB_S3TC_DXT1, WITHIN_2_CODES + HALF_CODE),
    CASE(BC1_RGBA_UNORM, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, WITHIN_2_CODES),
    CASE(BC1_RGBA_SRGB, SRGB_ALPHA_S3TC_DXT1, WITHIN_2_CODES + HALF_CODE),
    CASE(BC2_UNORM, GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, WITHIN_2_CODES),
    CASE(BC2_SRGB, SRGB_ALPHA_S3TC_DXT3, WITHIN_2_CODES + HALF_CODE),
    CASE(BC3_UNORM, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, WITHIN_2_CODES),
    CASE(BC3_SRGB, SRGB_ALPHA_S3TC_DXT5, WITHIN_2_CODES + HALF_CODE),
    CASE(BC4_UNORM, GL_COMPRESSED_RED_RGTC1, WITHIN_2_CODES),
    CASE(BC4_SNORM, GL_COMPRESSED_SIGNED_RED_RGTC1, WITHIN_2_CODES_SNORM),
    CASE(BC5_UNORM, GL_COMPRESSED_RG_RGTC2, WITHIN_2_CODES),
    CASE(BC5_SNORM, GL_COMPRESSED_SIGNED_RG_RGTC2, WITHIN_2_CODES_SNORM),
    CASE(BC6H_UFLOAT, GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, SAME),
    CASE(BC6H_SFLOAT, GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, SAME),
    CASE(BC7_UNORM, GL_COMPRESSED_RGBA_BPTC_UNORM, ROUNDING),
    CASE(BC7_SRGB, GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM, HALF_CODE),
    CASE(ETC2_R8G8B8_UNORM, GL_COMPRESSED_RGB8_ETC2, ROUNDING),
    CASE(ETC2_R8G8B8_SRGB, GL_COMPRESSED_SRGB8_ETC2, HALF_CODE),
    CASE(ETC2_R8G8B8A1_UNORM, GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, ROUNDING),
    CASE(ETC2_R8G8B8A1_SRGB, GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, HALF_CODE),
    CASE(ETC2_R8G8B8A8_UNORM, GL_COMPRESSED_RGBA8_ETC2_EAC, ROUNDING),
    CASE(ETC2_R8G8B8A8_SRGB, GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, HALF_CODE),
    CASE(EAC_R11_UNORM, GL_COMPRESSED_R11_EAC, CODE_OF_UNORM16),
    CASE(EAC_R11_SNORM, GL_COMPRESSED_SIGNED_R11_EAC, CODE_OF_SNORM16),
    CASE(EAC_R11G11_UNORM, GL_COMPRESSED_RG11_EAC, CODE_OF_UNORM16),
    CASE(EAC_R11G11_SNORM, GL_COMPRESSED_SIGNED_RG11_EAC, CODE_OF_SNORM16));
enum { NUM_CASES = sizeof(cases) / sizeof(cases[0]) };

enum {
    BLOCKS_PER_SIDE = 64,
    SIDE = 4 * BLOCKS_PER_SIDE,
    NUM_BLOCKS = BLOCKS_PER_SIDE * BLOCKS_PER_SIDE,
    NUM_IMAGES = 4, // of each format; of any bits and on purpose in turn
};

static uint8_t blocks[NUM_BLOCKS * 16];
static float sampled[SIDE * SIDE][4];

static const struct gl_case *find_case(VkFormat format)
{
    for (int i = 0; i < NUM_CASES; i++) {
        if (cases[i].format == format) {
            return &cases[i];
        }
    }
    return NULL;
}

static void check_format(const struct weir_block_format *format, const struct gl_case *test)
{
    const size_t size = (size_t)NUM_BLOCKS * format->block_size;
    double largest = 0;
    for (int image = 0; image < NUM_IMAGES; image++) {
        for (int i = 0; i < NUM_BLOCKS; i++) {
            uint8_t *block = blocks + (size_t)i * format->block_size;
            if (image % 2 == 0) {
                block_content_draw_any(format->block_size, block);
            } else {
                block_content_draw(format->format, format->block_size, block);
            }
        }
        if (!offscreen_sample(test->gl_format, SIDE, SIDE, blocks, size, sampled)) {
            const bool is_extension = format->format <= VK_FORMAT_BC3_SRGB_BLOCK;
            printf("%s is not in this OpenGL\n", format->name);
            test_expect(is_extension, "%s is in OpenGL", format->name);
            return;
        }
        for (size_t i = 0; i < NUM_BLOCKS && largest <= test->tolerance; i++) {
            const size_t at = i / BLOCKS_PER_SIDE * 4 * SIDE + i % BLOCKS_PER_SIDE * 4;
            largest = fmax(largest, block_content_compare(format, blocks + i * format->block_size,
                                                          (const float(*)[4]) & sampled[at], SIDE,
                                                          test->tolerance));
        }
    }
    printf("%-18s largest deviation %.3g of %.3g\n", format->name, largest, test->tolerance);
}

int main(void)
{
    size_t num_formats;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    offscreen_init();
    seeded_start();
    for (size_t i = 0; i < num_formats; i++) {
        const struct gl_case *test = find_case(formats[i].format);
        if (formats[i].side > 1 && test_expect(test, "%s is in a case", formats[i].name)) {
            check_format(&formats[i], test);
        }
    }
    offscreen_finish();
    return test_finish();
}
