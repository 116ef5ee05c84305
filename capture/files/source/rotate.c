// SPDX-License-Identifier: MIT
// Rotation by quarter turns, for pictures whose camera noted how it was held.
#include "capture/files/source/rotate.h"

#include <math.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavutil/display.h>

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

int weir_rotate_turns(const AVFrame *frame, const AVStream *stream)
{
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    const int32_t *matrix = data     ? (const int32_t *)data->data
                            : stream ? stream_matrix(stream)
                                     : NULL;
    double angle = matrix ? av_display_rotation_get(matrix) : 0; // counterclockwise
    if (isnan(angle)) {
        return 0;
    }
    return (int)lround(-angle / 90 + 4) % 4;
}

// Texels in squares of this side, so that a cache holds the rows of the target and of the source.
enum { TILE = 32 };

static void rotate_tile(const uint8_t *source, size_t source_pitch, uint32_t width, uint32_t height,
                        int turns, uint8_t *target, size_t target_pitch, uint32_t x0, uint32_t y0)
{
    uint32_t x1 = x0 + TILE < width ? x0 + TILE : width;
    uint32_t y1 = y0 + TILE < height ? y0 + TILE : height;
    for (uint32_t y = y0; y < y1; y++) {
        for (uint32_t x = x0; x < x1; x++) {
            uint32_t tx = turns == 1 ? height - 1 - y : turns == 2 ? width - 1 - x : y;
            uint32_t ty = turns == 1 ? x : turns == 2 ? height - 1 - y : width - 1 - x;
            memcpy(target + ty * target_pitch + 4 * (size_t)tx,
                   source + y * source_pitch + 4 * (size_t)x, 4);
        }
    }
}

void weir_rotate(const uint8_t *source, size_t source_pitch, uint32_t width, uint32_t height,
                 int turns, uint8_t *target, size_t target_pitch)
{
    for (uint32_t y = 0; y < height; y += TILE) {
        for (uint32_t x = 0; x < width; x += TILE) {
            rotate_tile(source, source_pitch, width, height, turns, target, target_pitch, x, y);
        }
    }
}
