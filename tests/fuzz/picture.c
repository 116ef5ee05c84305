// SPDX-License-Identifier: MIT
// Pictures at the precision of their files: texels that were encoded without loss come back, and as
// texels of a pyramid they are kept.
#include "capture/files/picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/media.h"

static size_t value_size(enum weir_picture_type type)
{
    return type == WEIR_PICTURE_8 ? 1 : type == WEIR_PICTURE_16 ? 2 : 4;
}

static size_t seed(unsigned index, uint8_t *data)
{
    enum { FIRST_OWN = 160, SIZE = 84 };
    const size_t size = media_seed(index, data);
    if (size > 0 || index != FIRST_OWN) {
        return size;
    }
    // A PNG file that has lost its first byte and its end: FFmpeg answers EINVAL.
    memset(data, 0, SIZE);
    data[2] = 133;
    data[3] = 14;
    data[4] = 153;
    data[82] = 221;
    data[83] = 209;
    return SIZE;
}

// The value of a channel as it was encoded; NAN where this format is not followed here.
static float encoded(const struct media *media, uint32_t x, uint32_t y, int channel)
{
    const size_t texel = (size_t)y * (size_t)media->width + x;
    const size_t c = (size_t)channel;
    switch (media->format) {
    case AV_PIX_FMT_GRAY8:
        return channel == 3 ? 1 : (float)media_byte(media, texel) / 255;
    case AV_PIX_FMT_RGB24:
        return channel == 3 ? 1 : (float)media_byte(media, 3 * texel + c) / 255;
    case AV_PIX_FMT_BGR24:
        return channel == 3 ? 1 : (float)media_byte(media, 3 * texel + 2 - c) / 255;
    case AV_PIX_FMT_RGBA:
        return (float)media_byte(media, 4 * texel + c) / 255;
    case AV_PIX_FMT_RGB48BE:
        return channel == 3 ? 1
                            : (float)(media_byte(media, 6 * texel + 2 * c) << 8 |
                                      media_byte(media, 6 * texel + 2 * c + 1)) /
                                  65535;
    case AV_PIX_FMT_RGBA64BE:
        return (float)(media_byte(media, 8 * texel + 2 * c) << 8 |
                       media_byte(media, 8 * texel + 2 * c + 1)) /
               65535;
    default:
        return NAN;
    }
}

static void check_row(const struct weir_picture *picture, const struct media *media, uint32_t y,
                      const float *row)
{
    for (uint32_t x = 0; x < picture->width; x++) {
        for (int c = 0; c < 4; c++) {
            const float value = row[4 * x + (uint32_t)c];
            fuzz_expect(picture->type == WEIR_PICTURE_FLOAT || (value >= 0 && value <= 1),
                        "texel %u, %u, channel %d: %g", x, y, c, (double)value);
            fuzz_expect(c < 3 || picture->has_alpha || value == 1, "opaque texels");
            const bool followed = !media->is_damaged && picture->width == (uint32_t)media->width;
            const float want = followed ? encoded(media, x, y, c) : NAN;
            fuzz_expect(isnan(want) || want == value, "%s: texel %u, %u, channel %d: %g, not %g",
                        picture->pixels, x, y, c, (double)value, (double)want);
        }
    }
}

// Packing and unpacking values that a format holds does not change them.
static void check_texels(const float *row, uint32_t width)
{
    size_t num_formats;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num_formats);
    for (size_t i = 0; i < num_formats; i++) {
        const size_t size = (size_t)formats[i].texel_size * width;
        uint8_t *texels = malloc(size), *again = malloc(size);
        float *back = malloc(4 * (size_t)width * sizeof(*back));
        fuzz_expect(texels && again && back, "memory");
        weir_texel_pack(&formats[i], row, width, texels);
        weir_texel_unpack(&formats[i], texels, width, back);
        weir_texel_pack(&formats[i], back, width, again);
        fuzz_expect(memcmp(texels, again, size) == 0, "%s is kept", formats[i].name);
        free(texels);
        free(again);
        free(back);
    }
}

static void check(const struct weir_picture *picture, const struct media *media)
{
    fuzz_expect(picture->width >= 1 && picture->height >= 1, "%ux%u", picture->width,
                picture->height);
    fuzz_expect(picture->pitch >= 4 * value_size(picture->type) * picture->width,
                "a row has %zu bytes", picture->pitch);
    fuzz_expect(media->is_damaged || (picture->width == (uint32_t)media->width &&
                                      picture->height == (uint32_t)media->height),
                "%s: %dx%d became %ux%u", picture->pixels, media->width, media->height,
                picture->width, picture->height);
    fuzz_expect(picture->pixels[0] != 0, "names");
    if ((uint64_t)picture->width * picture->height > 1 << 18) {
        return;
    }
    float *row = malloc(4 * (size_t)picture->width * sizeof(*row));
    fuzz_expect(row, "memory");
    for (uint32_t y = 0; y < picture->height; y++) {
        weir_picture_row(picture, y, row);
        check_row(picture, media, y, row);
        if (y == 0) {
            check_texels(row, picture->width);
        }
    }
    free(row);
}

static void run(const uint8_t *data, size_t size)
{
    struct media media;
    if (!media_make((struct fuzz_bytes){data, size}, true, &media)) {
        return;
    }
    struct weir_picture picture;
    const unsigned num_errors = fuzz_num_errors();
    const enum weir_result result = weir_picture_read(media.path, NULL, NULL, &fuzz_log, &picture);
    fuzz_expect((result == WEIR_OK) == (fuzz_num_errors() == num_errors), "the log has the reason");
    // FFmpeg does not read everything that it has written: noise in a TIFF of 16 bits, a PAM
    // without its ending.
    fuzz_expect(result == WEIR_OK || result == WEIR_ERROR_DATA ||
                    result == WEIR_ERROR_UNSUPPORTED ||
                    (result == WEIR_ERROR_OUT_OF_MEMORY && media.is_damaged),
                "the result is %d", (int)result);
    if (result == WEIR_OK) {
        check(&picture, &media);
    }
    weir_picture_free(&picture);
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "picture", .num_runs = 1500,
                                                 .init = media_init, .seed = seed, .run = run);
