// SPDX-License-Identifier: MIT
// What a frame is taken for: its pixel format, and what its codes mean.
#include "capture/files/source/meaning.h"

#include <stdio.h>

#include <libavutil/pixdesc.h>

#include "capture/files/source/scale.h"

static const char *assumed(bool is_said)
{
    return is_said ? "" : " (assumed)";
}

void weir_describe_frame(const AVFrame *frame, char *text, size_t size)
{
    static const char *const matrices[] = {
        [SWS_CS_ITU709] = "BT.709",        [SWS_CS_FCC] = "FCC",        [SWS_CS_ITU601] = "BT.601",
        [SWS_CS_SMPTE240M] = "SMPTE 240M", [SWS_CS_BT2020] = "BT.2020",
    };
    static const char *const gamuts[] = {
        [WEIR_GAMUT_SRGB] = "sRGB",
        [WEIR_GAMUT_P3] = "Display P3",
        [WEIR_GAMUT_BT2020] = "BT.2020",
    };
    static const char *const lights[] = {
        [WEIR_LIGHT_CODES] = "display codes",
        [WEIR_LIGHT_LINEAR] = "linear light",
        [WEIR_LIGHT_PQ] = "PQ",
        [WEIR_LIGHT_HLG] = "HLG",
    };
    const struct weir_scale_coding coding = weir_scale_coding_of(frame);
    const char *format = av_get_pix_fmt_name((enum AVPixelFormat)frame->format);
    char matrix[64] = "";
    if (coding.is_yuv) {
        snprintf(matrix, sizeof(matrix), "%s matrix%s, ", matrices[coding.space],
                 assumed(frame->colorspace != AVCOL_SPC_UNSPECIFIED));
    }
    char siting[64] = "";
    if (weir_siting_matters(coding.format)) {
        snprintf(siting, sizeof(siting), " chroma %s%s,", av_chroma_location_name(coding.location),
                 assumed(coding.location == frame->chroma_location));
    }
    snprintf(text, size, "%s, %s%s range%s,%s %s primaries%s, %s%s", format ? format : "unknown",
             matrix, coding.full_range ? "full" : "limited",
             assumed(!coding.is_yuv || frame->color_range != AVCOL_RANGE_UNSPECIFIED), siting,
             gamuts[weir_meaning_gamut_of(frame)],
             assumed(frame->color_primaries != AVCOL_PRI_UNSPECIFIED),
             lights[weir_meaning_light_of(frame)],
             assumed(frame->color_trc != AVCOL_TRC_UNSPECIFIED));
}
