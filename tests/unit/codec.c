// SPDX-License-Identifier: MIT
// The codec table: names and values lead to each other, and sizes follow from blocks.
#include <weir/encode.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/expect.h"

static void expect_size(uint32_t width, uint32_t height, uint64_t want)
{
    const uint64_t got = weir_codec_image_size(WEIR_CODEC_YCOCG_BC3, width, height);
    test_expect(got == want, "%ux%u: got %llu bytes, want %llu", width, height,
                (unsigned long long)got, (unsigned long long)want);
}

int main(void)
{
    const struct weir_codec_info *info = weir_codec_get_info(WEIR_CODEC_YCOCG_BC3);
    if (!info) {
        printf("ycocg_bc3 has no facts\n");
        return 1;
    }
    test_expect(info->codec == WEIR_CODEC_YCOCG_BC3, "the facts say which codec they are of");
    test_expect(strcmp(info->name, "ycocg_bc3") == 0, "the name is ycocg_bc3");
    test_expect(info->description && strlen(info->description) > 0, "there is a description");
    test_expect(info->block_width == 4 && info->block_height == 4, "a block is 4x4 texels");
    test_expect(info->block_size == 16, "a block is 16 bytes");
    test_expect(weir_codec_get_info(WEIR_CODEC_DEFAULT) == info, "the default is ycocg_bc3");
    test_expect(!weir_codec_get_info((enum weir_codec)99), "99 is no codec");
    test_expect(!weir_codec_get_info((enum weir_codec) - 1), "-1 is no codec");

    enum weir_codec codec = WEIR_CODEC_DEFAULT;
    test_expect(weir_codec_by_name("ycocg_bc3", &codec) && codec == WEIR_CODEC_YCOCG_BC3,
                "the name leads to the codec");
    const struct weir_codec_info *bc4 = weir_codec_get_info(WEIR_CODEC_BC4);
    const struct weir_codec_info *bc5 = weir_codec_get_info(WEIR_CODEC_BC5);
    test_expect(bc4 && bc4->block_size == 8 && bc5 && bc5->block_size == 16,
                "a block of bc4 is 8 bytes, one of bc5 16");
    test_expect(weir_codec_by_name("bc1", &codec) && codec == WEIR_CODEC_BC1, "bc1 is a name");
    test_expect(weir_codec_by_name("bc1a", &codec) && codec == WEIR_CODEC_BC1A, "bc1a is a name");
    test_expect(weir_codec_by_name("bc3", &codec) && codec == WEIR_CODEC_BC3, "bc3 is a name");
    test_expect(weir_codec_by_name("bc4", &codec) && codec == WEIR_CODEC_BC4, "bc4 is a name");
    test_expect(weir_codec_by_name("eac_r11", &codec) && codec == WEIR_CODEC_EAC_R11,
                "eac_r11 is a name");
    test_expect(weir_codec_by_name("eac_rg11", &codec) && codec == WEIR_CODEC_EAC_RG11,
                "eac_rg11 is a name");
    static const char *const etc[] = {"etc1", "etc2_rgb", "etc2_rgb8a1", "etc2_rgba"};
    for (int i = 0; i < 4; i++) {
        test_expect(weir_codec_by_name(etc[i], &codec) && (int)codec == WEIR_CODEC_ETC1 + i, "%s",
                    etc[i]);
        test_expect(weir_codec_get_info(codec)->block_size ==
                        (codec == WEIR_CODEC_ETC2_RGBA ? 16 : 8),
                    "a block of ETC is 8 bytes, one with alpha 16");
    }
    test_expect(weir_codec_by_name("bc6h", &codec) && codec == WEIR_CODEC_BC6H_UF16,
                "bc6h is a name");
    test_expect(weir_codec_by_name("bc6h_signed", &codec) && codec == WEIR_CODEC_BC6H_SF16,
                "bc6h_signed is a name");
    test_expect(weir_codec_get_info(WEIR_CODEC_EAC_R11_SNORM)->block_size == 8 &&
                    weir_codec_get_info(WEIR_CODEC_EAC_RG11_SNORM)->block_size == 16,
                "a block of eac_r11_snorm is 8 bytes, one of eac_rg11_snorm 16");
    test_expect(weir_codec_by_name("bc5_snorm", &codec) && codec == WEIR_CODEC_BC5_SNORM,
                "bc5_snorm is a name");
    test_expect(weir_codec_get_info(WEIR_CODEC_EAC_RG11_SNORM)->is_signed &&
                    !weir_codec_get_info(WEIR_CODEC_EAC_RG11)->is_signed,
                "codecs say whether they are signed");
    test_expect(weir_codec_get_info(WEIR_CODEC_YCOCG_BC3)->max_effort == WEIR_EFFORT_HIGH &&
                    weir_codec_get_info(WEIR_CODEC_BC4)->max_effort == WEIR_EFFORT_EXHAUSTIVE,
                "codecs say what their highest effort is");
    test_expect(weir_codec_by_name("bc5", &codec) && codec == WEIR_CODEC_BC5, "bc5 is a name");
    test_expect(weir_codec_by_name("bc7", &codec) && codec == WEIR_CODEC_BC7, "bc7 is a name");
    test_expect(weir_codec_image_size(WEIR_CODEC_BC4, 33, 17) == 9 * 5 * 8,
                "sizes follow from blocks");
    test_expect(!weir_codec_by_name("ycocg_bc", &codec), "a part of a name is no name");
    test_expect(!weir_codec_by_name("", &codec), "an empty name is no name");
    test_expect(!weir_codec_by_name(NULL, &codec), "NULL is no name");

    // 16 bytes for each 4x4 block; the sizes of 1080p and 4320p are those of the HAP
    // specification's 8 bits a texel. The last one is beyond 32 bits.
    expect_size(1, 1, 16);
    expect_size(3, 5, 32);
    expect_size(33, 17, 9 * 5 * 16);
    expect_size(1920, 1080, 2073600);
    expect_size(7680, 4320, 33177600);
    expect_size(65535, 65535, UINT64_C(16384) * 16384 * 16);
    test_expect(weir_codec_image_size((enum weir_codec)99, 4, 4) == 0,
                "an unknown codec takes 0 bytes");
    return test_finish();
}
