// SPDX-License-Identifier: MIT
// The kernels of encoders on the processor, by the params of an encoder.
#include "tests/kernels/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "shaders/color/constants.h"
#include "tests/kernels/run.h"

const enum weir_effort kernel_efforts[4] = {WEIR_EFFORT_FAST, WEIR_EFFORT_DEFAULT, WEIR_EFFORT_HIGH,
                                            WEIR_EFFORT_EXHAUSTIVE};

const enum weir_codec kernel_codecs[KERNEL_NUM_CODECS] = {
    WEIR_CODEC_YCOCG_BC3, WEIR_CODEC_BC1,  WEIR_CODEC_BC1A,     WEIR_CODEC_BC3,
    WEIR_CODEC_BC4,       WEIR_CODEC_BC5,  WEIR_CODEC_BC7,      WEIR_CODEC_EAC_R11,
    WEIR_CODEC_EAC_RG11,  WEIR_CODEC_ETC1, WEIR_CODEC_ETC2_RGB, WEIR_CODEC_ETC2_RGB8A1,
    WEIR_CODEC_ETC2_RGBA,
};

extern const struct kernel_by_effort encode_ycocg_bc3, encode_bc1, encode_bc3, encode_bc4,
    encode_bc5, encode_eac, encode_etc1, encode_etc2_rgb, encode_etc2_rgb8a1, encode_etc2_rgba,
    encode_bc6h, encode_bc6h_signed, encode_bc7;

// And how many workgroups it has in z.
static const struct {
    const struct kernel_by_effort *efforts;
    uint32_t num_parts;
} kernels[] = {
    [WEIR_CODEC_YCOCG_BC3] = {&encode_ycocg_bc3, 1},
    [WEIR_CODEC_BC1] = {&encode_bc1, 1},
    [WEIR_CODEC_BC1A] = {&encode_bc1, 1},
    [WEIR_CODEC_BC3] = {&encode_bc3, 2},
    [WEIR_CODEC_BC4] = {&encode_bc4, 1},
    [WEIR_CODEC_BC4_SNORM] = {&encode_bc4, 1},
    [WEIR_CODEC_BC5] = {&encode_bc5, 1},
    [WEIR_CODEC_BC5_SNORM] = {&encode_bc5, 1},
    [WEIR_CODEC_EAC_R11] = {&encode_eac, 1},
    [WEIR_CODEC_EAC_R11_SNORM] = {&encode_eac, 1},
    [WEIR_CODEC_EAC_RG11] = {&encode_eac, 2},
    [WEIR_CODEC_EAC_RG11_SNORM] = {&encode_eac, 2},
    [WEIR_CODEC_ETC1] = {&encode_etc1, 1},
    [WEIR_CODEC_ETC2_RGB] = {&encode_etc2_rgb, 1},
    [WEIR_CODEC_ETC2_RGB8A1] = {&encode_etc2_rgb8a1, 1},
    [WEIR_CODEC_ETC2_RGBA] = {&encode_etc2_rgba, 2},
    [WEIR_CODEC_BC6H_UF16] = {&encode_bc6h, 1},
    [WEIR_CODEC_BC6H_SF16] = {&encode_bc6h_signed, 1},
    [WEIR_CODEC_BC7] = {&encode_bc7, 1},
};

static void encode(const struct weir_encoder_params *params, uint32_t source_kind,
                   const float (*texels)[4], uint32_t width, uint32_t height,
                   const uint8_t *history, uint8_t *out)
{
    const struct weir_codec_info *info = weir_codec_get_info(params->codec);
    const size_t size = (size_t)weir_codec_image_size(info->codec, width, height);
    uint8_t *blocks = calloc(2, size); // aligned: before and after
    const struct encode_call call = {
        .constants =
            {
                [WEIR_ENCODE_CONSTANT_SOURCE_KIND] = source_kind,
                [WEIR_ENCODE_CONSTANT_FFMPEG_MODEL] = params->decoder == WEIR_DECODER_FFMPEG,
                [WEIR_ENCODE_CONSTANT_DITHER] = !params->no_dither,
                [WEIR_ENCODE_CONSTANT_BC1_MODE] = info->codec == WEIR_CODEC_BC1A
                                                      ? WEIR_ENCODE_BC1_ALPHA
                                                  : params->bc1_black ? WEIR_ENCODE_BC1_BLACK
                                                                      : WEIR_ENCODE_BC1_OPAQUE,
                [WEIR_ENCODE_CONSTANT_BC1_DITHER] = params->bc1_dither,
                [WEIR_ENCODE_CONSTANT_BC4_ALPHA] = params->bc4_alpha,
                [WEIR_ENCODE_CONSTANT_BC6H_LOG] = params->bc6h_log,
                [WEIR_ENCODE_CONSTANT_ALPHA_UNREAD] = params->bc7_alpha_unread,
            },
        .texels = texels,
        .width = width,
        .height = height,
        .num_parts = kernels[info->codec].num_parts,
        .history = blocks,
        .out = blocks + size,
    };
    if (history) {
        memcpy(blocks, history, size);
    }
    const struct kernel_by_effort *efforts = kernels[info->codec].efforts;
    const bool is_fast = params->effort == WEIR_EFFORT_LIVE && !info->has_live;
    efforts->run[is_fast ? WEIR_EFFORT_FAST : params->effort](&call);
    memcpy(out, blocks + size, size);
    free(blocks);
}

// As an image of R8G8B8A8_UNORM, or R8G8B8A8_SNORM, is fetched.
static void encode_codes(const struct weir_encoder_params *params, const uint8_t *texels,
                         uint32_t num_channels, size_t stride, uint32_t width, uint32_t height,
                         const uint8_t *history, uint8_t *out)
{
    const bool is_signed = weir_codec_get_info(params->codec)->is_signed;
    float(*values)[4] = malloc((size_t)width * height * sizeof(*values));
    for (uint32_t i = 0; i < width * height; i++) {
        const uint8_t *texel = texels + i / width * stride + (size_t)(i % width) * num_channels;
        for (uint32_t c = 0; c < 4; c++) {
            const uint8_t code = c < num_channels ? texel[c] : 255;
            const float value = (float)(int8_t)code / 127;
            values[i][c] = !is_signed ? (float)code / 255 : value < -1 ? -1 : value;
        }
    }
    encode(params, is_signed ? WEIR_SOURCE_SNORM8 : WEIR_SOURCE_CODES8, (const float(*)[4])values,
           width, height, history, out);
    free(values);
}

void kernel_encode(const struct weir_encoder_params *params, const uint8_t texels[16][4],
                   uint8_t *out)
{
    encode_codes(params, texels[0], 4, 16, 4, 4, NULL, out);
}

void kernel_encode_rgb(const struct weir_encoder_params *params, const uint8_t rgb[16][3],
                       uint8_t *out)
{
    encode_codes(params, rgb[0], 3, 12, 4, 4, NULL, out);
}

void kernel_encode_steady(const struct weir_encoder_params *params, const uint8_t texels[16][4],
                          uint8_t *block)
{
    kernel_encode_steady_image(params, texels[0], 4, 4, block);
}

void kernel_encode_steady_image(const struct weir_encoder_params *params, const uint8_t *texels,
                                uint32_t width, uint32_t height, uint8_t *blocks)
{
    encode_codes(params, texels, 4, 4 * (size_t)width, width, height, blocks, blocks);
}

void kernel_encode_source(const struct weir_encoder_params *params, uint32_t source_kind,
                          const float (*texels)[4], uint32_t width, uint32_t height, uint8_t *out)
{
    encode(params, source_kind, texels, width, height, NULL, out);
}

void kernel_encode_image(const struct weir_encoder_params *params, const uint8_t *texels,
                         uint32_t num_channels, size_t stride, uint32_t width, uint32_t height,
                         uint8_t *out)
{
    encode_codes(params, texels, num_channels, stride, width, height, NULL, out);
}
