// SPDX-License-Identifier: MIT
// Light: what the codes of frames mean, by what frames say of themselves.
#include "capture/files/source/convert.h"

#include <math.h>
#include <stdio.h>

#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>

static const float default_peak = 1000; // [cd/m2]

bool weir_meaning_has_floats(const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    return format && (format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0;
}

enum weir_light weir_meaning_light_of(const AVFrame *frame)
{
    switch (frame->color_trc) {
    case AVCOL_TRC_SMPTE2084:
        return WEIR_LIGHT_PQ;
    case AVCOL_TRC_ARIB_STD_B67:
        return WEIR_LIGHT_HLG;
    case AVCOL_TRC_LINEAR:
        return WEIR_LIGHT_LINEAR;
    case AVCOL_TRC_UNSPECIFIED:
    case AVCOL_TRC_RESERVED0:
        return weir_meaning_has_floats(frame) ? WEIR_LIGHT_LINEAR : WEIR_LIGHT_CODES;
    default:
        return WEIR_LIGHT_CODES;
    }
}

// What an input does not say of HDR is as in BT.2100.
static enum weir_gamut gamut_of(const AVFrame *frame)
{
    const enum weir_light light = weir_meaning_light_of(frame);
    switch (frame->color_primaries) {
    case AVCOL_PRI_BT2020:
        return WEIR_GAMUT_BT2020;
    case AVCOL_PRI_SMPTE432:
        return WEIR_GAMUT_P3;
    case AVCOL_PRI_UNSPECIFIED:
    case AVCOL_PRI_RESERVED0:
        return light == WEIR_LIGHT_PQ || light == WEIR_LIGHT_HLG ? WEIR_GAMUT_BT2020
                                                                 : WEIR_GAMUT_SRGB;
    default:
        return WEIR_GAMUT_SRGB;
    }
}

// The note comes with some frames only, and holds until the next one.
static void read_peak(struct weir_meaning_notes *notes, const AVFrame *frame)
{
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
    const unsigned max_cll =
        data ? ((const AVContentLightMetadata *)(const void *)data->data)->MaxCLL : 0;
    data = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
    const AVMasteringDisplayMetadata *display = data ? (const void *)data->data : NULL;
    const double mastered = display && display->has_luminance ? av_q2d(display->max_luminance) : 0;
    if (max_cll > 0 || mastered > 0) {
        const float peak = max_cll > 0 ? (float)max_cll : (float)mastered;
        notes->peak = fminf(fmaxf(peak, WEIR_LIGHT_WHITE), 10000);
    }
}

static struct weir_meaning meaning_of(struct weir_meaning_notes *notes, const AVFrame *frame)
{
    struct weir_meaning meaning = {
        .light = weir_meaning_light_of(frame), .gamut = gamut_of(frame), .peak = WEIR_LIGHT_WHITE};
    const bool is_hdr = meaning.light == WEIR_LIGHT_PQ || meaning.light == WEIR_LIGHT_HLG;
    if (is_hdr) {
        read_peak(notes, frame);
        // HLG is shown on a display of 1000 cd/m2 (BT.2100, table 5).
        meaning.peak = meaning.light == WEIR_LIGHT_PQ && notes->peak > 0 ? notes->peak
                                                                         : default_peak;
    }
    return meaning;
}

static void note_hdr(struct weir_meaning_notes *notes, const struct weir_convert_params *params,
                     const struct weir_meaning *meaning)
{
    static const char *const curves[] = {
        [WEIR_TONEMAP_BT2390] = "by BT.2390",
        [WEIR_TONEMAP_HABLE] = "by Hable's curve",
        [WEIR_TONEMAP_CLIP] = "by clipping",
    };
    const bool is_pq = meaning->light == WEIR_LIGHT_PQ;
    if (notes->is_noted || (!is_pq && meaning->light != WEIR_LIGHT_HLG)) {
        return;
    }
    notes->is_noted = true;
    if (params->tonemap == WEIR_TONEMAP_OFF) {
        weir_log_printf(params->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "%s: HDR (%s) is not tone-mapped and looks grey", params->path,
                        is_pq ? "PQ" : "HLG");
        return;
    }
    weir_log_printf(
        params->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
        "%s: HDR (%s) is tone-mapped %s, from %g cd/m2; --tonemap chooses another curve",
        params->path, is_pq ? "PQ" : "HLG", curves[params->tonemap], (double)meaning->peak);
}

static void warn(const struct weir_convert_params *params, bool *warned, const char *text)
{
    if (!*warned) {
        weir_log_printf(params->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK, "%s: %s",
                        params->path, text);
    }
    *warned = true;
}

struct weir_meaning weir_convert_note(struct weir_meaning_notes *notes,
                                      const struct weir_convert_params *params,
                                      const AVFrame *frame)
{
    if (params->linear && weir_meaning_light_of(frame) != WEIR_LIGHT_LINEAR) {
        return (struct weir_meaning){0}; // which is refused
    }
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    if (!params->keeps_alpha && format && (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 &&
        frame->format != AV_PIX_FMT_PAL8) {
        warn(params, &notes->warned_alpha, "its alpha is left out: the codec has none");
    }
    if (weir_siting_is_interlaced(frame)) {
        warn(params, &notes->warned_fields,
             "it is interlaced, and moving edges will look like combs; deinterlace it first, with "
             "ffmpeg -vf bwdif");
    }
    const struct weir_meaning meaning = meaning_of(notes, frame);
    note_hdr(notes, params, &meaning);
    return meaning;
}

static bool has_less_chroma(enum AVPixelFormat format)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    return description && (description->log2_chroma_w > 0 || description->log2_chroma_h > 0);
}

static const char *assumed(bool is_said)
{
    return is_said ? "" : " (assumed)";
}

void weir_describe_frame(const AVFrame *frame, char *text, size_t size)
{
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
        snprintf(matrix, sizeof(matrix), "%s matrix%s, ", weir_matrix_name(coding.matrix),
                 assumed(frame->colorspace != AVCOL_SPC_UNSPECIFIED));
    }
    char siting[64] = "";
    if (has_less_chroma((enum AVPixelFormat)frame->format)) {
        snprintf(siting, sizeof(siting), " chroma %s%s,", av_chroma_location_name(coding.location),
                 assumed(coding.location == frame->chroma_location));
    }
    snprintf(text, size, "%s, %s%s range%s,%s %s primaries%s, %s%s", format ? format : "unknown",
             matrix, coding.full_range ? "full" : "limited",
             assumed(!coding.is_yuv || frame->color_range != AVCOL_RANGE_UNSPECIFIED), siting,
             gamuts[gamut_of(frame)], assumed(frame->color_primaries != AVCOL_PRI_UNSPECIFIED),
             lights[weir_meaning_light_of(frame)],
             assumed(frame->color_trc != AVCOL_TRC_UNSPECIFIED));
}
