// SPDX-License-Identifier: MIT
// Colour profiles: what the file of a picture says of its colours, and how they become those of
// sRGB, by Little CMS.
#include "capture/files/source/profile.h"

#include <stdlib.h>
#include <string.h>

#include <lcms2.h>
#include <libavutil/pixdesc.h>

#include "capture/files/source/scale.h"

bool weir_profile_attach(AVFrame *frame, const void *profile, size_t size)
{
    AVFrameSideData *data = av_frame_new_side_data(frame, AV_FRAME_DATA_ICC_PROFILE, size);
    if (data) {
        memcpy(data->data, profile, size);
    }
    return data;
}

static const AVPixFmtDescriptor *format_of(const AVFrame *frame)
{
    return av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
}

static bool is_grey(const AVFrame *frame)
{
    return (format_of(frame)->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) == 0 &&
           format_of(frame)->nb_components <= 2;
}

static bool is_float(const AVFrame *frame)
{
    return (format_of(frame)->flags & AV_PIX_FMT_FLAG_FLOAT) != 0;
}

// Make a profile of white, primaries and a curve. `gamma` 0: that of sRGB.
static cmsHPROFILE make_profile(const double at[8], double gamma, bool is_grey)
{
    static const double of_srgb[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    const cmsCIExyY white = {at[0], at[1], 1};
    const cmsCIExyYTRIPLE primaries = {{at[2], at[3], 1}, {at[4], at[5], 1}, {at[6], at[7], 1}};
    cmsToneCurve *curve = gamma > 0 ? cmsBuildGamma(NULL, gamma)
                                    : cmsBuildParametricToneCurve(NULL, 4, of_srgb);
    cmsToneCurve *const curves[3] = {curve, curve, curve};
    cmsHPROFILE profile = !curve    ? NULL
                          : is_grey ? cmsCreateGrayProfile(&white, curve)
                                    : cmsCreateRGBProfile(&white, &primaries, curves);
    cmsFreeToneCurve(curve);
    return profile;
}

static const double srgb_primaries[8] = {0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06};

bool weir_profile_attach_facts(AVFrame *frame, const double primaries[8], double gamma)
{
    cmsUInt32Number size = 0;
    cmsHPROFILE profile = make_profile(primaries ? primaries : srgb_primaries, gamma,
                                       is_grey(frame));
    if (!profile) {
        return true; // such primaries make no colours
    }
    cmsSaveProfileToMem(profile, NULL, &size);
    AVFrameSideData *data = av_frame_new_side_data(frame, AV_FRAME_DATA_ICC_PROFILE, size);
    const bool done = data && cmsSaveProfileToMem(profile, data->data, &size);
    cmsCloseProfile(profile);
    return done;
}

// Get what Little CMS calls the texels of a frame of packed codes; 0: it does not read them.
static cmsUInt32Number type_of(const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = format_of(frame);
    const uint64_t others = AV_PIX_FMT_FLAG_PLANAR | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER |
                            AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_FLOAT;
    const bool is_big = (format->flags & AV_PIX_FMT_FLAG_BE) != 0;
    const int size = (format->comp[0].depth + 7) / 8, num_colours = is_grey(frame) ? 1 : 3;
    bool is_packed = (format->flags & others) == 0 &&
                     (is_grey(frame) || (format->flags & AV_PIX_FMT_FLAG_RGB) != 0);
    for (int i = 0; i < format->nb_components; i++) {
        is_packed = is_packed && format->comp[i].offset == i * size &&
                    format->comp[i].depth == 8 * size;
    }
    return is_packed
               ? (cmsUInt32Number)(COLORSPACE_SH(is_grey(frame) ? PT_GRAY : PT_RGB) |
                                   CHANNELS_SH(num_colours) |
                                   EXTRA_SH(format->comp[0].step / size - num_colours) |
                                   BYTES_SH(size) | ENDIAN16_SH(size == 2 && is_big != AV_NE(1, 0)))
               : 0;
}

// Make codes of RGB of a frame of another kind.
static enum weir_result make_rgb(AVFrame *frame, const char *path, const struct weir_log *log)
{
    struct weir_scale scale;
    const bool is_deep = format_of(frame)->comp[0].depth > 8;
    const bool has_alpha = (format_of(frame)->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    AVFrame *made = av_frame_alloc();
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (made && av_frame_copy_props(made, frame) >= 0 &&
        weir_frame_allocate(made,
                            is_deep     ? AV_PIX_FMT_RGBA64
                            : has_alpha ? AV_PIX_FMT_RGBA
                                        : AV_PIX_FMT_RGB0,
                            frame->width, frame->height) >= 0 &&
        weir_scale_init(&scale, path, is_deep ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA, log) ==
            WEIR_OK) {
        result = weir_scale_run(&scale, frame, (uint32_t)frame->width, (uint32_t)frame->height,
                                made->data[0], (size_t)made->linesize[0]);
        weir_scale_finish(&scale);
        made->color_range = AVCOL_RANGE_JPEG;
        made->colorspace = AVCOL_SPC_RGB;
        av_frame_unref(frame);
        av_frame_move_ref(frame, made);
    }
    av_frame_free(&made);
    return result;
}

static bool run_on_floats(cmsHTRANSFORM transform, AVFrame *frame)
{
    float *row = malloc((size_t)frame->width * 3 * sizeof(*row));
    for (int y = 0; y < frame->height && row; y++) {
        for (int back = 0; back < 2; back++) {
            for (int c = 0; c < 3; c++) {
                float *values = weir_float_row(frame, c, y);
                for (int x = 0; x < frame->width; x++) {
                    *(back ? &values[x] : &row[3 * x + c]) = back ? row[3 * x + c] : values[x];
                }
            }
            if (!back) {
                cmsDoTransform(transform, row, row, (cmsUInt32Number)frame->width);
            }
        }
    }
    free(row);
    return row;
}

// Convert all texels, or the palette.
static enum weir_result run(cmsHPROFILE from, cmsHPROFILE to, AVFrame *frame)
{
    const bool is_palette = (format_of(frame)->flags & AV_PIX_FMT_FLAG_PAL) != 0;
    const bool is_fast = is_palette || format_of(frame)->comp[0].depth <= 8;
    const cmsUInt32Number type = is_float(frame) ? TYPE_RGB_FLT
                                 : is_palette    ? AV_NE(TYPE_ARGB_8, TYPE_BGRA_8)
                                                 : type_of(frame);
    // What makes it fast rounds to little more than 8 bits.
    cmsHTRANSFORM transform = cmsCreateTransform(from, type, to, type, INTENT_PERCEPTUAL,
                                                 cmsFLAGS_COPY_ALPHA |
                                                     (is_fast ? 0 : cmsFLAGS_NOOPTIMIZE));
    bool done = transform && av_frame_make_writable(frame) >= 0;
    if (done && is_float(frame)) {
        done = run_on_floats(transform, frame);
    } else if (done && is_palette) {
        cmsDoTransform(transform, frame->data[1], frame->data[1], AVPALETTE_COUNT);
    }
    for (int y = 0; done && !is_float(frame) && !is_palette && y < frame->height; y++) {
        uint8_t *row = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        cmsDoTransform(transform, row, row, (cmsUInt32Number)frame->width);
    }
    if (transform) {
        cmsDeleteTransform(transform);
    }
    return done ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

enum meaning { DAMAGED, FOREIGN, SAME, OTHER };

// Get what a profile makes of codes: colours that differ from sRGB's by more than one of 255, or
// none that a frame has.
static enum meaning compare(cmsHPROFILE from, cmsHPROFILE to, const AVFrame *frame)
{
    enum { NUM_STEPS = 6, STEP = UINT16_MAX / (NUM_STEPS - 1), CODE = UINT16_MAX / UINT8_MAX };
    const cmsColorSpaceSignature space = from ? cmsGetColorSpace(from) : cmsSigRgbData;
    const cmsUInt32Number type = space == cmsSigGrayData ? TYPE_GRAY_16 : TYPE_RGB_16;
    if (space != cmsSigRgbData && (space != cmsSigGrayData || !is_grey(frame))) {
        return FOREIGN;
    }
    cmsHTRANSFORM transform = from && to
                                  ? cmsCreateTransform(from, type, to, type, INTENT_PERCEPTUAL,
                                                       cmsFLAGS_NOOPTIMIZE)
                                  : NULL;
    enum meaning meaning = transform ? SAME : DAMAGED;
    for (int i = 0; transform && i < NUM_STEPS * NUM_STEPS * NUM_STEPS; i++) {
        const uint16_t codes[3] = {(uint16_t)(i % NUM_STEPS * STEP),
                                   (uint16_t)(i / NUM_STEPS % NUM_STEPS * STEP),
                                   (uint16_t)(i / (NUM_STEPS * NUM_STEPS) * STEP)};
        uint16_t own[3];
        memcpy(own, codes, sizeof(own));
        cmsDoTransform(transform, codes, own, 1);
        for (int c = 0; c < 3; c++) {
            meaning = abs(own[c] - codes[c]) > CODE ? OTHER : meaning;
        }
    }
    if (transform) {
        cmsDeleteTransform(transform);
    }
    return meaning;
}

static void say(enum meaning meaning, enum weir_profile use, const char *path,
                const struct weir_log *log)
{
    const char *text = meaning == DAMAGED ? "its colour profile is damaged, and sRGB is assumed"
                       : meaning == FOREIGN
                           ? "its colour profile is for other channels than are read, and ignored"
                       : use == WEIR_PROFILE_DATA
                           ? "its colour profile is ignored, as its values are taken as numbers"
                           : "its colours are converted to sRGB; --profile ignore keeps its codes";
    if (meaning != SAME && use != WEIR_PROFILE_IGNORE) {
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK, "%s: %s", path, text);
    }
}

enum weir_result weir_profile_apply(AVFrame *frame, enum weir_profile use, const char *path,
                                    const struct weir_log *log)
{
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_ICC_PROFILE);
    if (!data || frame->color_trc == AVCOL_TRC_SMPTE2084 ||
        frame->color_trc == AVCOL_TRC_ARIB_STD_B67) {
        return WEIR_OK;
    }
    cmsHPROFILE from = cmsOpenProfileFromMem(data->data, (cmsUInt32Number)data->size);
    const bool has_grey = from && cmsGetColorSpace(from) == cmsSigGrayData;
    cmsHPROFILE to = make_profile(srgb_primaries, is_float(frame) ? 1 : 0, has_grey);
    const enum meaning meaning = compare(from, to, frame);
    enum weir_result result = WEIR_OK;
    frame->color_primaries = AVCOL_PRI_UNSPECIFIED;
    frame->color_trc = AVCOL_TRC_UNSPECIFIED;
    say(meaning, use, path, log);
    if (meaning == OTHER && use == WEIR_PROFILE_CONVERT) {
        const bool is_direct = type_of(frame) != 0 && is_grey(frame) == has_grey;
        const bool is_palette = frame->format == AV_PIX_FMT_PAL8;
        result = is_direct || is_palette || is_float(frame) ? WEIR_OK : make_rgb(frame, path, log);
        result = result == WEIR_OK ? run(from, to, frame) : result;
    }
    av_frame_remove_side_data(frame, AV_FRAME_DATA_ICC_PROFILE);
    if (from) {
        cmsCloseProfile(from);
    }
    if (to) {
        cmsCloseProfile(to);
    }
    return result;
}
