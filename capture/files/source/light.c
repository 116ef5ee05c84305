// SPDX-License-Identifier: MIT
// Light: what codes stand for, the curves that bend highlights, and the matrices between primaries.
#include "capture/files/source/convert.h"

#include <math.h>
#include <stdio.h>

#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>

#include "capture/files/source/scale.h"

static const double white = WEIR_LIGHT_WHITE;

// Of PQ: SMPTE ST 2084.
static const double m1 = 2610.0 / 16384, m2 = 2523.0 / 32;
static const double c1 = 107.0 / 128, c2 = 2413.0 / 128, c3 = 2392.0 / 128;

static double pq_light(double code)
{
    const double power = pow(code, 1 / m2);
    return 10000 * pow(fmax(power - c1, 0) / (c2 - c3 * power), 1 / m1); // [cd/m2]
}

static double pq_code(double light)
{
    const double power = pow(light / 10000, m1);
    return pow((c1 + c2 * power) / (1 + c3 * power), m2);
}

// The light of the scene, 0 .. 1.
static double hlg_light(double code)
{
    const double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a);
    return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12;
}

static double srgb_light(double code)
{
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

double weir_light_srgb_code(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

double weir_light_of_code(enum weir_light light, double code)
{
    switch (light) {
    case WEIR_LIGHT_PQ:
        return pq_light(code) / white;
    case WEIR_LIGHT_HLG:
        return hlg_light(code);
    case WEIR_LIGHT_LINEAR:
        return code;
    default:
        return srgb_light(code);
    }
}

static double bt2390(double light, double peak)
{
    const double top = pq_code(peak * white), max = pq_code(white) / top;
    const double knee = 1.5 * max - 0.5, code = pq_code(light * white) / top;
    if (max >= 1 || code <= knee) {
        return light;
    }
    const double t = (code - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
    const double bent = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) +
                        (3 * t2 - 2 * t3) * max;
    return pq_light(bent * top) / white;
}

static double hable(double light)
{
    const double a = 0.15, b = 0.50, c = 0.10, d = 0.20, e = 0.02, f = 0.30;
    return (light * (a * light + c * b) + d * e) / (light * (a * light + b) + d * f) - e / f;
}

double weir_light_curve(enum weir_tonemap tonemap, double light, double peak)
{
    switch (tonemap) {
    case WEIR_TONEMAP_BT2390:
        return bt2390(light, peak);
    case WEIR_TONEMAP_HABLE:
        return hable(light) / hable(peak);
    default:
        return light;
    }
}

// By the chromaticities of the primaries and of D65 (SMPTE RP 177; SMPTE EG 432-1; ITU-R BT.2020).
const float weir_gamut_to_srgb[][3][3] = {
    [WEIR_GAMUT_SRGB] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [WEIR_GAMUT_P3] = {{1.22494018f, -0.224940181f, 0},
                       {-0.0420569554f, 1.04205692f, 0},
                       {-0.0196375549f, -0.0786360428f, 1.09827363f}},
    [WEIR_GAMUT_BT2020] = {{1.66049099f, -0.58764112f, -0.0728498623f},
                           {-0.124550477f, 1.13289988f, -0.00834942237f},
                           {-0.0181507636f, -0.100578897f, 1.11872971f}},
};

// What the codes of frames mean.

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

static void note_hdr(struct weir_meaning_notes *notes, const struct weir_meaning *meaning)
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
    if (notes->tonemap == WEIR_TONEMAP_OFF) {
        weir_log_printf(notes->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "%s: HDR (%s) is not tone-mapped and looks grey", notes->path,
                        is_pq ? "PQ" : "HLG");
        return;
    }
    weir_log_printf(notes->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                    "%s: HDR (%s) is tone-mapped %s, from %g cd/m2; --tonemap chooses another "
                    "curve",
                    notes->path, is_pq ? "PQ" : "HLG", curves[notes->tonemap],
                    (double)meaning->peak);
}

struct weir_meaning weir_meaning_note(struct weir_meaning_notes *notes, const AVFrame *frame)
{
    const struct weir_meaning meaning = meaning_of(notes, frame);
    note_hdr(notes, &meaning);
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
