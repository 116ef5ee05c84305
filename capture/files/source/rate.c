// SPDX-License-Identifier: MIT
// The rate of a movie: as it states it, or as the times of its frames have it.
#include "capture/files/source/source_parts.h"

#include <limits.h>
#include <stdlib.h>

#include <libavutil/mathematics.h>

enum { MAX_TIMES = 512, MAX_SIZE = 16 << 20 };

// Frames a second, the most usual first; each also as 1000/1001 of it.
static const AVRational rates[] = {{60, 1},  {30, 1},  {24, 1},  {25, 1}, {50, 1},  {48, 1},
                                   {120, 1}, {144, 1}, {240, 1}, {15, 1}, {100, 1}, {90, 1},
                                   {72, 1},  {75, 1},  {165, 1}, {12, 1}, {25, 2},  {20, 1},
                                   {10, 1},  {15, 2},  {5, 1},   {2, 1},  {1, 1},   {1, 2}};

AVRational weir_times_usual_length(double least, double most)
{
    for (size_t i = 0; i < 2 * sizeof(rates) / sizeof(rates[0]); i++) {
        const AVRational length = av_mul_q(av_inv_q(rates[i / 2]),
                                           i % 2 ? (AVRational){1001, 1000} : (AVRational){1, 1});
        if (av_q2d(length) >= least && av_q2d(length) <= most) {
            return length;
        }
    }
    return (AVRational){0, 1};
}

AVRational weir_rate_length(AVRational rate)
{
    const bool is_known = rate.num > 0 && rate.den > 0 &&
                          rate.num <= rate.den * INT64_C(1000000000);
    return is_known ? av_inv_q(rate) : (AVRational){0, 1};
}

void weir_source_nearest_rate(uint64_t num, uint64_t den, uint32_t max, uint32_t *nearest_num,
                              uint32_t *nearest_den)
{
    AVRational nearest;
    av_reduce(&nearest.num, &nearest.den, (int64_t)num, (int64_t)den, max);
    *nearest_num = (uint32_t)nearest.num;
    *nearest_den = (uint32_t)nearest.den;
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Read the times of the first frames in their order, by a reader of its own. Returns their number.
static size_t read_times(const struct weir_reader *reader, int64_t pts[MAX_TIMES])
{
    static const struct weir_log silent;
    struct weir_reader own;
    struct weir_reader_params params = reader->params;
    params.log = &silent;
    int64_t size = 0;
    size_t num = 0;
    bool is_open = weir_reader_open(&own, &params) == WEIR_OK;
    while (is_open && num < MAX_TIMES && size < MAX_SIZE &&
           av_read_frame(own.format, own.packet) >= 0) {
        size += own.packet->size;
        if (own.packet->stream_index == own.stream->index && own.packet->pts != AV_NOPTS_VALUE) {
            pts[num++] = own.packet->pts;
        }
        av_packet_unref(own.packet);
    }
    weir_reader_close(&own);
    qsort(pts, num, sizeof(pts[0]), compare);
    return num;
}

// Get the length by which the times of the first frames are exact, `length` where it is one. Where
// there is none, return that, or the mean where it is 0.
static AVRational measure(const struct weir_reader *reader, AVRational length)
{
    int64_t pts[MAX_TIMES];
    const size_t num = read_times(reader, pts);
    struct weir_times times = {.grid = length};
    for (size_t i = 1; i < num; i++) {
        weir_times_number(&times, pts[i] - pts[0], reader->stream->time_base);
    }
    AVRational mean = length;
    if (num > 2 && length.num == 0) {
        av_reduce(&mean.num, &mean.den, (pts[num - 1] - pts[0]) * reader->stream->time_base.num,
                  (int64_t)(num - 1) * reader->stream->time_base.den, INT_MAX);
    }
    return num < 3 || times.has_own ? mean : times.grid;
}

// Inputs state rates rounded. Where frames of a constant rate were dropped, the nominal one is a
// mean, and FFmpeg's guess is the rate. Where a container rounds times and the two differ, or are
// none, the times say it.
AVRational weir_rate_of_movie(const struct weir_reader *reader)
{
    const AVStream *stream = reader->stream;
    const AVRational stated[] = {weir_reader_rate(reader),
                                 stream ? av_guess_frame_rate(reader->format, reader->stream, NULL)
                                        : (AVRational){0, 1}};
    AVRational usual[2];
    for (int i = 0; i < 2; i++) {
        const double length = av_q2d(weir_rate_length(stated[i]));
        usual[i] = weir_times_usual_length(0.9999 * length, 1.0001 * length);
    }
    const AVRational length = usual[0].num > 0   ? usual[0]
                              : usual[1].num > 0 ? usual[1]
                                                 : weir_rate_length(stated[0]);
    const bool is_rounded = stream && av_q2d(stream->time_base) > 0.0005;
    return is_rounded && weir_reader_is_seekable(reader->format) &&
                   av_cmp_q(stream->avg_frame_rate, stream->r_frame_rate) != 0
               ? measure(reader, length)
               : length;
}
