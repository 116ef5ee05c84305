// SPDX-License-Identifier: MIT
// TIFF pictures by libtiff: integers of 8 and 16 bits and floats keep their values, all others
// become RGBA of 8 bits.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <tiffio.h>

#include "capture/base/small_float.h"
#include "capture/files/source/profile.h"
#include "capture/files/source/reader.h"
#include "capture/files/source/scale.h"
#include "capture/files/source/tiff_file.h"

struct picture {
    TIFF *tiff;
    AVFrame *frame;
    const AVPixFmtDescriptor *format; // of the frame
    char *reason;
    uint32_t width, height;
    uint16_t bits, samples; // a sample; a texel
    uint16_t sample_format, photometric, planes, orientation, alpha;
    bool has_alpha;
};

static enum weir_result refuse(struct picture *picture, const char *reason)
{
    snprintf(picture->reason, WEIR_REASON_SIZE, "%s", reason);
    return WEIR_ERROR_UNSUPPORTED;
}

// Go to the first picture of the file that is no thumbnail.
static bool find_picture(TIFF *tiff)
{
    uint32_t kind = 0;
    do {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
        if ((kind & FILETYPE_REDUCEDIMAGE) == 0) {
            return true;
        }
    } while (TIFFReadDirectory(tiff));
    return false;
}

static void read_alpha(struct picture *picture)
{
    uint16_t count = 0;
    uint16_t *kinds = NULL;
    TIFFGetFieldDefaulted(picture->tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    // What is not said to be alpha is so in practice, and is not multiplied.
    picture->has_alpha = count > 0 && count < picture->samples;
    picture->alpha = picture->has_alpha ? kinds[0] : EXTRASAMPLE_UNSPECIFIED;
}

static enum weir_result read_facts(struct picture *picture)
{
    TIFF *tiff = picture->tiff;
    const char *dng = NULL;
    if (!find_picture(tiff) || TIFFGetField(tiff, TIFFTAG_DNGVERSION, &dng)) {
        return refuse(picture, "a raw picture of a camera; develop it first, with darktable or "
                               "RawTherapee");
    }
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &picture->width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &picture->height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &picture->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &picture->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &picture->sample_format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &picture->planes);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &picture->orientation);
    picture->photometric = PHOTOMETRIC_MINISBLACK;
    TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &picture->photometric);
    read_alpha(picture);
    if (picture->photometric == PHOTOMETRIC_SEPARATED) {
        return refuse(picture, "CMYK, whose colours depend on its profile; convert it to RGB "
                               "first, with ImageMagick: convert IN.tif -colorspace sRGB OUT.tif");
    }
    return WEIR_OK;
}

static bool is_grey(const struct picture *picture)
{
    return picture->photometric == PHOTOMETRIC_MINISBLACK ||
           picture->photometric == PHOTOMETRIC_MINISWHITE;
}

static bool is_float(const struct picture *picture)
{
    return picture->sample_format == SAMPLEFORMAT_IEEEFP;
}

// Get the format that keeps the values of the file, AV_PIX_FMT_NONE if there is none.
static enum AVPixelFormat kept_format(const struct picture *picture)
{
    static const enum AVPixelFormat grey[][2] = {{AV_PIX_FMT_GRAY8, AV_PIX_FMT_YA8},
                                                 {AV_PIX_FMT_GRAY16, AV_PIX_FMT_YA16}};
    static const enum AVPixelFormat rgb[][2] = {{AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA},
                                                {AV_PIX_FMT_RGB48, AV_PIX_FMT_RGBA64}};
    const bool has_alpha = picture->has_alpha;
    const bool is_rgb = picture->photometric == PHOTOMETRIC_RGB && picture->samples >= 3;
    if (!is_rgb && !is_grey(picture)) {
        return AV_PIX_FMT_NONE;
    }
    if (is_float(picture)) {
        return picture->bits != 16 && picture->bits != 32 && picture->bits != 64 ? AV_PIX_FMT_NONE
               : has_alpha ? AV_PIX_FMT_GBRAPF32
                           : AV_PIX_FMT_GBRPF32;
    }
    if (picture->sample_format != SAMPLEFORMAT_UINT ||
        (picture->bits != 8 && picture->bits != 16)) {
        return AV_PIX_FMT_NONE;
    }
    return (is_rgb ? rgb : grey)[picture->bits == 16][has_alpha];
}

static enum weir_result make_frame(struct picture *picture, enum AVPixelFormat format)
{
    picture->frame->color_range = AVCOL_RANGE_JPEG;
    picture->format = av_pix_fmt_desc_get(format);
    return weir_frame_allocate(picture->frame, format, (int)picture->width, (int)picture->height) <
                   0
               ? WEIR_ERROR_OUT_OF_MEMORY
               : WEIR_OK;
}

static uint8_t *texel_at(const struct picture *picture, int component, uint32_t x, uint32_t y)
{
    const AVComponentDescriptor *at = &picture->format->comp[component];
    return picture->frame->data[at->plane] + (ptrdiff_t)y * picture->frame->linesize[at->plane] +
           (ptrdiff_t)x * at->step + at->offset;
}

static float float_of(const uint8_t *sample, uint16_t bits)
{
    uint16_t half;
    float single;
    double wide;
    switch (bits) {
    case 16:
        memcpy(&half, sample, sizeof(half));
        return weir_half_value(half);
    case 32:
        memcpy(&single, sample, sizeof(single));
        return single;
    default:
        memcpy(&wide, sample, sizeof(wide));
        return (float)wide;
    }
}

static void put_sample(const struct picture *picture, int component, uint32_t x, uint32_t y,
                       const uint8_t *sample)
{
    uint8_t *texel = texel_at(picture, component, x, y);
    const bool is_inverted = picture->photometric == PHOTOMETRIC_MINISWHITE && component < 3 &&
                             !(picture->has_alpha && component == 1);
    const uint8_t mask = is_inverted ? UINT8_MAX : 0;
    if (is_float(picture)) {
        const float value = float_of(sample, picture->bits);
        memcpy(texel, &value, sizeof(value));
    } else {
        for (int i = 0; i < picture->bits / 8; i++) {
            texel[i] = sample[i] ^ mask;
        }
    }
}

// Take a row of `width` texels, which begin at x, y: all samples of each, or those of one plane.
static void put_row(const struct picture *picture, uint16_t plane, uint32_t x, uint32_t y,
                    uint32_t width, const uint8_t *row)
{
    const bool is_split = picture->planes == PLANARCONFIG_SEPARATE;
    const int stride = is_split ? 1 : picture->samples, size = picture->bits / 8;
    const int colours = is_grey(picture) ? 1 : 3, used = colours + picture->has_alpha;
    const int first = is_split ? plane : 0, end = is_split ? plane + 1 : used;
    for (int channel = first; channel < end && channel < used; channel++) {
        // The frame of grey floats has three colours.
        const bool spread = is_float(picture) && colours == 1;
        const int from = spread && channel == 1 ? 3 : channel;
        const int to = spread && channel == 0 ? 2 : from;
        for (int component = from; component <= to; component++) {
            for (uint32_t i = 0; i < width; i++) {
                put_sample(picture, component, x + i, y,
                           row + ((size_t)i * (size_t)stride + (size_t)(channel - first)) *
                                     (size_t)size);
            }
        }
    }
}

static bool read_rows(const struct picture *picture, uint16_t plane, uint8_t *row)
{
    for (uint32_t y = 0; y < picture->height; y++) {
        if (TIFFReadScanline(picture->tiff, row, y, plane) < 0) {
            return false;
        }
        put_row(picture, plane, 0, y, picture->width, row);
    }
    return true;
}

static bool read_tiles(const struct picture *picture, uint16_t plane, uint8_t *tile)
{
    uint32_t width = 0, height = 0;
    TIFFGetField(picture->tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(picture->tiff, TIFFTAG_TILELENGTH, &height);
    const size_t pitch = (size_t)TIFFTileRowSize(picture->tiff);
    for (uint32_t y = 0; y < picture->height; y += height) {
        for (uint32_t x = 0; x < picture->width; x += width) {
            if (TIFFReadTile(picture->tiff, tile, x, y, 0, plane) < 0) {
                return false;
            }
            const uint32_t columns = FFMIN(width, picture->width - x);
            const uint32_t rows = FFMIN(height, picture->height - y);
            for (uint32_t i = 0; i < rows; i++) {
                put_row(picture, plane, x, y + i, columns, tile + i * pitch);
            }
        }
    }
    return true;
}

static enum weir_result read_kept(struct picture *picture)
{
    const bool is_tiled = TIFFIsTiled(picture->tiff) != 0;
    const tmsize_t size = is_tiled ? TIFFTileSize(picture->tiff) : TIFFScanlineSize(picture->tiff);
    if (size <= 0 || size > WEIR_TIFF_MAX_ALLOCATION) {
        return WEIR_ERROR_DATA;
    }
    uint8_t *memory = calloc(1, (size_t)size);
    if (!memory) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const uint16_t planes = picture->planes == PLANARCONFIG_SEPARATE ? picture->samples : 1;
    bool good = true;
    for (uint16_t plane = 0; plane < planes && good; plane++) {
        good = is_tiled ? read_tiles(picture, plane, memory) : read_rows(picture, plane, memory);
    }
    free(memory);
    return good ? WEIR_OK : WEIR_ERROR_DATA;
}

static double value_at(const struct picture *picture, const uint8_t *texel)
{
    uint16_t wide;
    if (is_float(picture)) {
        return float_of(texel, 32);
    }
    memcpy(&wide, texel, picture->bits == 16 ? sizeof(wide) : 0);
    return picture->bits == 16 ? wide : *texel;
}

static void set_value(const struct picture *picture, uint8_t *texel, double value, double max)
{
    const float single = (float)value;
    const double code = value < max ? value + 0.5 : max;
    const uint16_t wide = is_float(picture) ? 0 : (uint16_t)code;
    if (is_float(picture)) {
        memcpy(texel, &single, sizeof(single));
    } else if (picture->bits == 16) {
        memcpy(texel, &wide, sizeof(wide));
    } else {
        *texel = (uint8_t)wide;
    }
}

// Divide colours by the alpha that they are multiplied by. Where it is 0 they are kept.
static void divide_by_alpha(const struct picture *picture)
{
    const int alpha = picture->format->nb_components - 1;
    const double max = is_float(picture) ? 1 : picture->bits == 16 ? UINT16_MAX : UINT8_MAX;
    for (uint32_t y = 0; y < picture->height; y++) {
        for (uint32_t x = 0; x < picture->width; x++) {
            const double weight = value_at(picture, texel_at(picture, alpha, x, y));
            for (int c = 0; c < alpha && weight > 0; c++) {
                uint8_t *texel = texel_at(picture, c, x, y);
                set_value(picture, texel, value_at(picture, texel) * max / weight, max);
            }
        }
    }
}

// Palettes, bits, YCbCr and the like: as libtiff shows them.
static enum weir_result read_shown(struct picture *picture)
{
    char text[1024] = {0};
    TIFFRGBAImage image;
    if (!TIFFRGBAImageOK(picture->tiff, text) ||
        !TIFFRGBAImageBegin(&image, picture->tiff, 1, text)) {
        snprintf(picture->reason, WEIR_REASON_SIZE,
                 "libtiff does not read this kind of TIFF: %.200s", text);
        return WEIR_ERROR_UNSUPPORTED;
    }
    image.req_orientation = image.orientation; // rows as they are stored
    const enum weir_result result = make_frame(picture, AV_PIX_FMT_RGB0);
    uint32_t *raster = result == WEIR_OK
                           ? malloc((size_t)picture->width * picture->height * sizeof(*raster))
                           : NULL;
    const bool good = raster && TIFFRGBAImageGet(&image, raster, picture->width, picture->height);
    for (uint32_t i = 0; good && i < picture->width * picture->height; i++) {
        const uint8_t rgb0[4] = {TIFFGetR(raster[i]), TIFFGetG(raster[i]), TIFFGetB(raster[i])};
        memcpy(texel_at(picture, 0, i % picture->width, i / picture->width), rgb0, sizeof(rgb0));
    }
    TIFFRGBAImageEnd(&image);
    const bool no_memory = !raster;
    free(raster);
    return good ? WEIR_OK : no_memory ? WEIR_ERROR_OUT_OF_MEMORY : WEIR_ERROR_DATA;
}

// Texels are as wide as the file's dots, which are not square in a fax, for instance.
static void note_shape(const struct picture *picture)
{
    float x = 0, y = 0;
    TIFFGetField(picture->tiff, TIFFTAG_XRESOLUTION, &x);
    TIFFGetField(picture->tiff, TIFFTAG_YRESOLUTION, &y);
    if (x > 0 && y > 0) {
        picture->frame->sample_aspect_ratio = av_d2q((double)y / (double)x, UINT16_MAX);
    }
}

// False: no memory.
static bool note_profile(const struct picture *picture)
{
    uint32_t size = 0;
    const void *profile = NULL;
    return !TIFFGetField(picture->tiff, TIFFTAG_ICCPROFILE, &size, &profile) ||
           weir_profile_attach(picture->frame, profile, size);
}

static enum weir_result read_picture(struct picture *picture, const struct weir_memory_use *memory)
{
    WEIR_TRY(read_facts(picture));
    const enum AVPixelFormat format = kept_format(picture);
    WEIR_TRY(weir_memory_check(memory, picture->width, picture->height, format, picture->reason));
    if (format == AV_PIX_FMT_NONE) {
        WEIR_TRY(read_shown(picture));
    } else {
        WEIR_TRY(make_frame(picture, format));
        WEIR_TRY(read_kept(picture));
        if (picture->alpha == EXTRASAMPLE_ASSOCALPHA) {
            divide_by_alpha(picture);
        }
    }
    note_shape(picture);
    return weir_orientation_note(picture->frame, picture->orientation) < 0 || !note_profile(picture)
               ? WEIR_ERROR_OUT_OF_MEMORY
               : WEIR_OK;
}

static enum weir_result decode(const struct weir_still_request *request, AVFrame *frame,
                               char reason[WEIR_REASON_SIZE])
{
    errno = 0;
    struct picture picture = {.frame = frame, .reason = reason};
    picture.tiff = weir_tiff_open(request->path, reason);
    enum weir_result result = picture.tiff ? read_picture(&picture, request->memory)
                                           : WEIR_ERROR_DATA;
    if (result != WEIR_OK && errno == ENOMEM) { // which libtiff calls damage
        result = WEIR_ERROR_OUT_OF_MEMORY;
        reason[0] = 0;
    }
    if (picture.tiff) {
        TIFFClose(picture.tiff);
    }
    return result;
}

const struct weir_still_decoder weir_tiff_decoder = {
    .container = "tiff",
    .codec = "libtiff",
    .opens_itself = true,
    .marks = {{"II*\0", 4}, {"MM\0*", 4}, {"II+\0", 4}, {"MM\0+", 4}},
    .decode = decode,
};
