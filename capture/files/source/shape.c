// SPDX-License-Identifier: MIT
// The shape of a frame: how it is turned and mirrored to stand upright, as its camera noted, its
// size then, and the shape of its pixels.
#include "capture/files/source/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavutil/display.h>

// A display matrix is { a, b, u, c, d, v, x, y, w }: it sends the direction along stored rows to
// a, b and that along stored columns to c, d, y downwards (libavutil/display.h).
enum { A = 0, B = 1, C = 3, D = 4 };

static const int32_t *stream_matrix(const AVStream *stream)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 29, 100)
    const AVPacketSideData *data = av_packet_side_data_get(stream->codecpar->coded_side_data,
                                                           stream->codecpar->nb_coded_side_data,
                                                           AV_PKT_DATA_DISPLAYMATRIX);
    return data ? (const int32_t *)data->data : NULL;
#else
    return (const int32_t *)av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, NULL);
#endif
}

static int from_matrix(const int32_t *matrix)
{
    static const int turned[] = {1, 6, 3, 8}; // by clockwise quarter turns
    static const int mirrored_and_turned[] = {2, 7, 4, 5};
    const double a = matrix[A], b = matrix[B], c = matrix[C], d = matrix[D];
    const bool mirrored = a * d - b * c < 0;
    const double sign = mirrored ? -1 : 1;
    const long quarters = lround(atan2(sign * b, sign * a) / acos(-1) * 2);
    return (mirrored ? mirrored_and_turned : turned)[(quarters + 4) % 4];
}

int weir_orientation_get(const AVFrame *frame, const AVStream *stream)
{
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    const int32_t *matrix = data     ? (const int32_t *)data->data
                            : stream ? stream_matrix(stream)
                                     : NULL;
    if (matrix) {
        return from_matrix(matrix);
    }
    // What a decoder found in EXIF and only passes on, as that of WebP does, and those here.
    const AVDictionaryEntry *exif = av_dict_get(frame->metadata, "Orientation", NULL, 0);
    const long orientation = exif ? strtol(exif->value, NULL, 10) : WEIR_ORIENTATION_UPRIGHT;
    return orientation >= 1 && orientation <= WEIR_NUM_ORIENTATIONS ? (int)orientation
                                                                    : WEIR_ORIENTATION_UPRIGHT;
}

int weir_orientation_note(AVFrame *frame, int orientation)
{
    return av_dict_set_int(&frame->metadata, "Orientation", orientation, 0);
}

bool weir_orientation_swaps_sides(int orientation)
{
    return orientation >= 5;
}

// Texels in squares of this side, so that a cache holds the rows of both pictures.
enum { TILE = 32 };

// Where texel x, y of the upright picture is stored, in bytes: linear in x and in y.
static ptrdiff_t offset(int orientation, uint32_t x, uint32_t y, const struct weir_rows *upright,
                        size_t pitch)
{
    const uint32_t right = upright->width - 1 - x, below = upright->height - 1 - y;
    const uint32_t xs[] = {x, x, right, right, x, y, y, below, below};
    const uint32_t ys[] = {y, y, y, below, below, x, right, right, x};
    return (ptrdiff_t)(ys[orientation] * pitch + upright->texel_size * (size_t)xs[orientation]);
}

// Copy texels of a row, `step` bytes apart in the stored picture.
static void copy_row(uint8_t *to, const uint8_t *from, ptrdiff_t step, uint32_t num,
                     uint32_t texel_size)
{
    for (uint32_t i = 0; i < num && texel_size == 4; i++) {
        memcpy(to + 4 * (size_t)i, from + (ptrdiff_t)i * step, 4);
    }
    for (uint32_t i = 0; i < num && texel_size == 8; i++) {
        memcpy(to + 8 * (size_t)i, from + (ptrdiff_t)i * step, 8);
    }
    for (uint32_t i = 0; i < num && texel_size == 16; i++) {
        memcpy(to + 16 * (size_t)i, from + (ptrdiff_t)i * step, 16);
    }
}

void weir_orientation_apply(int orientation, const uint8_t *stored, size_t stored_pitch,
                            const struct weir_rows *upright)
{
    const uint32_t width = upright->width, height = upright->height;
    const uint32_t texel_size = upright->texel_size;
    const ptrdiff_t first = offset(orientation, 0, 0, upright, stored_pitch);
    const ptrdiff_t right = offset(orientation, width - 1, 0, upright, stored_pitch) - first;
    const ptrdiff_t step = width > 1 ? right / (ptrdiff_t)(width - 1) : 0;
    for (uint32_t y0 = 0; y0 < height; y0 += TILE) {
        for (uint32_t x0 = 0; x0 < width; x0 += TILE) {
            const uint32_t num = width - x0 < TILE ? width - x0 : TILE;
            const uint32_t y1 = y0 + TILE < height ? y0 + TILE : height;
            for (uint32_t y = y0; y < y1; y++) {
                copy_row(upright->pixels + y * upright->pitch + texel_size * (size_t)x0,
                         stored + offset(orientation, x0, y, upright, stored_pitch), step, num,
                         texel_size);
            }
        }
    }
}

enum { MAX_RATIO = 4 }; // what is wider or higher is a mistake in the file

static bool is_sane(AVRational ratio)
{
    return ratio.num > 0 && ratio.den > 0 && av_q2d(ratio) <= MAX_RATIO &&
           av_q2d(ratio) >= 1.0 / MAX_RATIO;
}

struct weir_shape weir_shape_get(const AVFrame *frame, const AVStream *stream)
{
    struct weir_shape shape = {.orientation = weir_orientation_get(frame, stream)};
    const bool swaps = weir_orientation_swaps_sides(shape.orientation);
    AVRational ratio = frame->sample_aspect_ratio;
    if (ratio.num <= 0 && stream) {
        ratio = stream->sample_aspect_ratio;
    }
    if (swaps) {
        ratio = av_inv_q(ratio);
    }
    shape.width = (uint32_t)(swaps ? frame->height : frame->width);
    shape.height = (uint32_t)(swaps ? frame->width : frame->height);
    shape.ratio = is_sane(ratio) ? ratio : (AVRational){1, 1};
    return shape;
}

bool weir_shape_make_square(const struct weir_shape *shape, uint32_t *width, uint32_t *height)
{
    const double ratio = av_q2d(shape->ratio);
    const double wider = shape->width * fmax(ratio, 1);
    const double higher = shape->height / fmin(ratio, 1);
    *width = shape->width;
    *height = shape->height;
    if (shape->ratio.num == shape->ratio.den || wider > WEIR_SHAPE_MAX_SIDE ||
        higher > WEIR_SHAPE_MAX_SIDE) {
        return false;
    }
    *width = (uint32_t)lround(wider);
    *height = (uint32_t)lround(higher);
    return true;
}

AVRational weir_shape_pixels(const struct weir_shape *shape, uint32_t width, uint32_t height)
{
    const AVRational wider = {(int)shape->width, (int)width},
                     higher = {(int)height, (int)shape->height};
    return av_mul_q(shape->ratio, av_mul_q(wider, higher));
}
