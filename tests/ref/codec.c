// SPDX-License-Identifier: MIT
// The scalar references of the codecs of 8-bit textures, in one form.
#include "tests/ref/codec.h"

#include <string.h>

#include "tests/ref/bc1_steady.h"
#include "tests/ref/bc4_steady.h"
#include "tests/ref/bc7.h"
#include "tests/ref/eac.h"
#include "tests/ref/etc1.h"
#include "tests/ref/etc2.h"
#include "tests/ref/source.h"
#include "tests/ref/ycocg_bc3.h"
#include "tests/ref/ycocg_bc3_steady.h"

static void take_channel(const uint8_t texels[16][4], int channel, uint8_t values[16])
{
    for (int t = 0; t < 16; t++) {
        values[t] = texels[t][channel];
    }
}

static void take_rgb(const uint8_t texels[16][4], uint8_t rgb[16][3])
{
    for (int t = 0; t < 16; t++) {
        memcpy(rgb[t], texels[t], 3);
    }
}

static void encode_bc1_for(bool ffmpeg_model, const uint8_t texels[16][4], int effort, uint8_t *out)
{
    uint8_t rgb[16][3];
    take_rgb(texels, rgb);
    ref_bc1_encode_block((const uint8_t(*)[3])rgb, ffmpeg_model, (enum ref_bc1_effort)effort, out);
}

static void encode_bc1(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_bc1_for(false, texels, effort, out);
}

void ref_codec_encode_bc1_for_ffmpeg(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_bc1_for(true, texels, effort, out);
}

void ref_codec_encode_bc1_black(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    uint8_t rgb[16][3];
    take_rgb(texels, rgb);
    ref_bc1_encode_block_black((const uint8_t(*)[3])rgb, false, (enum ref_bc1_effort)effort, out);
}

static void keep_bc1(const uint8_t texels[16][4], bool ffmpeg_model, const uint8_t *previous,
                     uint8_t *block)
{
    uint8_t rgb[16][3];
    take_rgb(texels, rgb);
    ref_bc1_keep((const uint8_t(*)[3])rgb, ffmpeg_model, previous, block);
}

static void encode_bc1a(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    ref_bc1a_encode_block(texels, false, (enum ref_bc1_effort)effort, out);
}

static void encode_bc1a_for_ffmpeg(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    ref_bc1a_encode_block(texels, true, (enum ref_bc1_effort)effort, out);
}

static void encode_bc4_of(const uint8_t texels[16][4], int channel, int effort, uint8_t *out)
{
    uint8_t values[16];
    take_channel(texels, channel, values);
    ref_bc4_encode_block(values, (enum ref_bc4_effort)effort, out);
}

static void keep_bc4_of(const uint8_t texels[16][4], int channel, const uint8_t *previous,
                        uint8_t *block)
{
    uint8_t values[16];
    take_channel(texels, channel, values);
    ref_bc4_keep(values, previous, block);
}

static void encode_bc3(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_bc4_of(texels, 3, effort, out);
    encode_bc1(texels, effort, out + 8);
}

static void encode_bc3_for_ffmpeg(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_bc4_of(texels, 3, effort, out);
    ref_codec_encode_bc1_for_ffmpeg(texels, effort, out + 8);
}

static void keep_bc3(const uint8_t texels[16][4], bool ffmpeg_model, const uint8_t *previous,
                     uint8_t *block)
{
    keep_bc4_of(texels, 3, previous, block);
    keep_bc1(texels, ffmpeg_model, previous + 8, block + 8);
}

static void encode_bc4(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_bc4_of(texels, 0, effort, out);
}

void ref_codec_encode_bc4_alpha(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_bc4_of(texels, 3, effort, out);
}

static void keep_bc4(const uint8_t texels[16][4], bool ffmpeg_model, const uint8_t *previous,
                     uint8_t *block)
{
    (void)ffmpeg_model; // which is the same
    keep_bc4_of(texels, 0, previous, block);
}

void ref_codec_keep_bc4_alpha(const uint8_t texels[16][4], bool ffmpeg_model,
                              const uint8_t *previous, uint8_t *block)
{
    (void)ffmpeg_model;
    keep_bc4_of(texels, 3, previous, block);
}

static void encode_bc5(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_bc4_of(texels, 0, effort, out);
    encode_bc4_of(texels, 1, effort, out + 8);
}

static void encode_eac_of(const uint8_t texels[16][4], int channel, int effort, uint8_t *out)
{
    uint16_t values[16];
    for (int t = 0; t < 16; t++) {
        values[t] = ref_source_round11(texels[t][channel] * 1024u);
    }
    ref_eac_encode_block(values, (enum ref_eac_effort)effort, out);
}

static void encode_eac_r11(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_eac_of(texels, 0, effort, out);
}

static void encode_eac_rg11(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_eac_of(texels, 0, effort, out);
    encode_eac_of(texels, 1, effort, out + 8);
}

static void encode_etc1(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    uint8_t rgb[16][3];
    take_rgb(texels, rgb);
    ref_etc1_encode_block((const uint8_t(*)[3])rgb, (enum ref_etc_effort)effort, out);
}

static void encode_etc2_rgb(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    uint8_t rgb[16][3];
    take_rgb(texels, rgb);
    ref_etc2_encode_rgb((const uint8_t(*)[3])rgb, (enum ref_etc_effort)effort, out);
}

static void encode_etc2_rgb8a1(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    ref_etc2_encode_rgb8a1(texels, (enum ref_etc_effort)effort, out);
}

static void encode_etc2_rgba(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    ref_etc2_encode_rgba(texels, (enum ref_etc_effort)effort, out);
}

static void encode_bc7(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    const struct ref_bc7_params params = {.effort = (enum ref_bc7_effort)effort};
    ref_bc7_encode_block(texels, &params, out);
}

void ref_codec_encode_bc7_alpha_unread(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    const struct ref_bc7_params params = {(enum ref_bc7_effort)effort, .alpha_unread = true};
    ref_bc7_encode_block(texels, &params, out);
}

static void encode_ycocg_bc3_for(bool ffmpeg_model, const uint8_t texels[16][4], int effort,
                                 uint8_t *out)
{
    uint8_t rgb[16][3];
    take_rgb(texels, rgb);
    ref_ycocg_bc3_encode_block((const uint8_t(*)[3])rgb, ffmpeg_model,
                               (enum ref_ycocg_bc3_effort)effort, out);
}

static void encode_ycocg_bc3(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_ycocg_bc3_for(false, texels, effort, out);
}

static void encode_ycocg_bc3_for_ffmpeg(const uint8_t texels[16][4], int effort, uint8_t *out)
{
    encode_ycocg_bc3_for(true, texels, effort, out);
}

static void keep_ycocg_bc3(const uint8_t texels[16][4], bool ffmpeg_model, const uint8_t *previous,
                           uint8_t *block)
{
    uint8_t rgb[16][3];
    take_rgb(texels, rgb);
    ref_ycocg_bc3_keep((const uint8_t(*)[3])rgb, ffmpeg_model, previous, block);
}

static const struct ref_codec codecs[] = {
    {WEIR_CODEC_YCOCG_BC3, encode_ycocg_bc3, encode_ycocg_bc3_for_ffmpeg, keep_ycocg_bc3},
    {WEIR_CODEC_BC1, encode_bc1, ref_codec_encode_bc1_for_ffmpeg, keep_bc1},
    {WEIR_CODEC_BC1A, encode_bc1a, encode_bc1a_for_ffmpeg, NULL},
    {WEIR_CODEC_BC3, encode_bc3, encode_bc3_for_ffmpeg, keep_bc3},
    {WEIR_CODEC_BC4, encode_bc4, NULL, keep_bc4},
    {WEIR_CODEC_BC5, encode_bc5, NULL, NULL},
    {WEIR_CODEC_BC7, encode_bc7, NULL, NULL},
    {WEIR_CODEC_EAC_R11, encode_eac_r11, NULL, NULL},
    {WEIR_CODEC_EAC_RG11, encode_eac_rg11, NULL, NULL},
    {WEIR_CODEC_ETC1, encode_etc1, NULL, NULL},
    {WEIR_CODEC_ETC2_RGB, encode_etc2_rgb, NULL, NULL},
    {WEIR_CODEC_ETC2_RGB8A1, encode_etc2_rgb8a1, NULL, NULL},
    {WEIR_CODEC_ETC2_RGBA, encode_etc2_rgba, NULL, NULL},
};
enum { NUM_CODECS = sizeof(codecs) / sizeof(codecs[0]) };

const struct ref_codec *ref_codec_list(size_t *num_codecs)
{
    *num_codecs = NUM_CODECS;
    return codecs;
}

const struct ref_codec *ref_codec_get(enum weir_codec codec)
{
    for (int i = 0; i < NUM_CODECS; i++) {
        if (codecs[i].codec == codec) {
            return &codecs[i];
        }
    }
    return NULL;
}

int ref_codec_effort(enum weir_effort effort)
{
    static const int places[] = {[WEIR_EFFORT_FAST] = 0,
                                 [WEIR_EFFORT_DEFAULT] = 1,
                                 [WEIR_EFFORT_HIGH] = 2,
                                 [WEIR_EFFORT_EXHAUSTIVE] = 3,
                                 [WEIR_EFFORT_LIVE] = -1};
    return places[effort];
}
