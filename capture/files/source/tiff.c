// SPDX-License-Identifier: MIT
// TIFF pictures by libtiff: integers of 8 and 16 bits and floats keep their values, all others
// become RGBA of 8 bits.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <tiffio.h>

#include "capture/base/small_float.h"
#include "capture/files/source/profile.h"
#include "capture/files/source/reader.h"
#include "capture/files/source/scale.h"

// The limit of one allocation: a header may ask for anything [bytes].
static const tmsize_t max_allocation = (tmsize_t)1 << 31;

// The first message is the cause of those that follow.
static int keep_error(TIFF *tiff, void *user, const char *module, const char *format, va_list list)
{
    (void)tiff, (void)module;
    char *reason = user;
    if (reason[0] == 0) {
        const int size = snprintf(reason, WEIR_REASON_SIZE, "it is damaged or cut short: ");
        vsnprintf(reason + size, WEIR_REASON_SIZE - (size_t)size, format, list);
    }
    return 1;
}

static int drop_warning(TIFF *tiff, void *user, const char *module, const char *format,
                        va_list list)
{
    (void)tiff, (void)user, (void)module, (void)format, (void)list;
    return 1;
}

// The first message of libtiff, also of later calls, goes to `reason`. NULL: it cannot be opened,
// is no TIFF, or there is no memory.
static TIFF *open_tiff(const char *path, char *reason)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    TIFFOpenOptions *options = fd >= 0 ? TIFFOpenOptionsAlloc() : NULL;
    TIFF *tiff = NULL;
    if (fd < 0) {
        snprintf(reason, WEIR_REASON_SIZE, "%s", strerror(errno));
    }
    if (options) {
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, max_allocation);
        TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, reason);
        TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, NULL);
        tiff = TIFFFdOpenExt(fd, "TIFF", "r", options);
        TIFFOpenOptionsFree(options);
    }
    if (!tiff && fd >= 0) {
        close(fd);
    }
    return tiff;
}

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
    const bool is_rgb = picture->photometric == PHOTOMETRIC_RGB && picture->samples >= 3;
    if (!is_rgb && !is_grey(picture)) {
        return AV_PIX_FMT_NONE;
    }
    if (is_float(picture)) {
        return picture->bits != 16 && picture->bits != 32 && picture->bits != 64 ? AV_PIX_FMT_NONE
               : picture->has_alpha ? AV_PIX_FMT_GBRAPF32
                                    : AV_PIX_FMT_GBRPF32;
    }
    if (picture->sample_format != SAMPLEFORMAT_UINT ||
        (picture->bits != 8 && picture->bits != 16)) {
        return AV_PIX_FMT_NONE;
    }
    return (is_rgb ? rgb : grey)[picture->bits == 16][picture->has_alpha];
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

static float float_of(const void *sample, uint16_t bits)
{
    return bits == 16   ? weir_half_value(*(const uint16_t *)sample)
           : bits == 32 ? *(const float *)sample
                        : (float)*(const double *)sample;
}

static void put_sample(const struct picture *picture, int component, uint32_t x, uint32_t y,
                       const uint8_t *sample)
{
    uint8_t *texel = texel_at(picture, component, x, y);
    const bool is_inverted = picture->photometric == PHOTOMETRIC_MINISWHITE && component < 3 &&
                             !(picture->has_alpha && component == 1);
    const uint8_t mask = is_inverted ? UINT8_MAX : 0;
    if (is_float(picture)) {
        *(float *)(void *)texel = float_of(sample, picture->bits);
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

// Read all of a plane. What is not tiled comes in rows.
static bool read_plane(const struct picture *picture, uint16_t plane, bool is_tiled,
                       uint8_t *memory)
{
    TIFF *tiff = picture->tiff;
    uint32_t width = picture->width, height = 1;
    if (is_tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &height);
    }
    const size_t pitch = is_tiled ? (size_t)TIFFTileRowSize(tiff) : 0;
    for (uint32_t y = 0; y < picture->height; y += height) {
        for (uint32_t x = 0; x < picture->width; x += width) {
            if ((is_tiled ? TIFFReadTile(tiff, memory, x, y, 0, plane)
                          : TIFFReadScanline(tiff, memory, y, plane)) < 0) {
                return false;
            }
            for (uint32_t i = 0; i < FFMIN(height, picture->height - y); i++) {
                put_row(picture, plane, x, y + i, FFMIN(width, picture->width - x),
                        memory + i * pitch);
            }
        }
    }
    return true;
}

static enum weir_result read_kept(struct picture *picture)
{
    const bool is_tiled = TIFFIsTiled(picture->tiff) != 0;
    const tmsize_t size = is_tiled ? TIFFTileSize(picture->tiff) : TIFFScanlineSize(picture->tiff);
    if (size <= 0 || size > max_allocation) {
        return WEIR_ERROR_DATA;
    }
    uint8_t *memory = calloc(1, (size_t)size);
    if (!memory) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const uint16_t planes = picture->planes == PLANARCONFIG_SEPARATE ? picture->samples : 1;
    bool good = true;
    for (uint16_t plane = 0; plane < planes && good; plane++) {
        good = read_plane(picture, plane, is_tiled, memory);
    }
    free(memory);
    return good ? WEIR_OK : WEIR_ERROR_DATA;
}

static double value_at(const struct picture *picture, const void *texel)
{
    return is_float(picture)     ? *(const float *)texel
           : picture->bits == 16 ? *(const uint16_t *)texel
                                 : *(const uint8_t *)texel;
}

static void set_value(const struct picture *picture, void *texel, double value, double max)
{
    const double code = value < max ? value + 0.5 : max;
    if (is_float(picture)) {
        *(float *)texel = (float)value;
    } else if (picture->bits == 16) {
        *(uint16_t *)texel = (uint16_t)code;
    } else {
        *(uint8_t *)texel = (uint8_t)code;
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
    picture.tiff = open_tiff(request->path, reason);
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
    .opens_itself = true,
    .marks = {{"II*\0", 4}, {"MM\0*", 4}, {"II+\0", 4}, {"MM\0+", 4}},
    .decode = decode,
};
