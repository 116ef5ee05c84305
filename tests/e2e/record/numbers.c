// SPDX-License-Identifier: MIT
// e2e_numbers MOVIE...: what FFmpeg's libraries read of movies of e2e_present. For each frame a
// line with its number, its time in nanoseconds, its size, and the largest difference of a patch
// from its colour in codes of 8 bits; "?" is the number of a picture that does not say one.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>

#include "picture.h"

enum { BLACK = 48, WHITE = 207 };

// Offsets of R, G and B in a texel, and its size [bytes].
struct packing {
    int offsets[3], step;
};

// Frames are of packed codes of 8 bits. False: not so.
static bool get_packing(int format, struct packing *packing)
{
    const AVPixFmtDescriptor *facts = av_pix_fmt_desc_get(format);
    if (!facts || !(facts->flags & AV_PIX_FMT_FLAG_RGB) ||
        (facts->flags & (AV_PIX_FMT_FLAG_PLANAR | AV_PIX_FMT_FLAG_HWACCEL)) ||
        facts->comp[0].depth != 8) {
        return false;
    }
    packing->step = facts->comp[0].step;
    for (int c = 0; c < 3; c++) {
        packing->offsets[c] = facts->comp[c].offset;
    }
    return true;
}

// The mean of the middle of a part, whose edges may share blocks with others.
static int mean(const AVFrame *frame, const struct packing *packing,
                const struct picture_rect *part, int channel)
{
    const uint32_t left = part->x + part->width / 4, top = part->y + part->height / 4;
    const uint32_t width = part->width / 2, height = part->height / 2;
    uint64_t sum = 0;
    for (uint32_t y = top; y < top + height; y++) {
        const uint8_t *row = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        for (uint32_t x = left; x < left + width; x++) {
            sum += row[(size_t)x * (size_t)packing->step + (size_t)packing->offsets[channel]];
        }
    }
    return (int)((sum + width * height / 2) / (width * height));
}

// False: a cell is neither black nor white.
static bool read_number(const AVFrame *frame, const struct packing *packing, uint32_t *number)
{
    *number = 0;
    for (unsigned i = 0; i < PICTURE_CELLS; i++) {
        const struct picture_rect part = picture_rect((uint32_t)frame->width,
                                                      (uint32_t)frame->height, 0, i);
        for (int c = 0; c < 3; c++) {
            const int code = mean(frame, packing, &part, c);
            const uint32_t bit = code > WHITE;
            if ((code > BLACK && code <= WHITE) || (c > 0 && bit != (*number >> i & 1))) {
                return false;
            }
            *number |= bit << i;
        }
    }
    return true;
}

static int worst_patch(const AVFrame *frame, const struct packing *packing)
{
    int worst = 0;
    for (unsigned i = PICTURE_CELLS; i < PICTURE_RECTS; i++) {
        const struct picture_rect part = picture_rect((uint32_t)frame->width,
                                                      (uint32_t)frame->height, 0, i);
        for (int c = 0; c < 3; c++) {
            const int difference = abs(mean(frame, packing, &part, c) - part.codes[c]);
            worst = difference > worst ? difference : worst;
        }
    }
    return worst;
}

static void print_frame(const AVFrame *frame, AVRational base)
{
    struct packing packing;
    uint32_t number;
    const int64_t time_ns = av_rescale_q(frame->pts, base, (AVRational){1, 1000000000});
    if (frame->width < PICTURE_MIN_WIDTH || frame->height < PICTURE_MIN_HEIGHT ||
        !get_packing(frame->format, &packing)) {
        fprintf(stderr, "e2e_numbers: a frame of %dx%d texels of another kind\n", frame->width,
                frame->height);
        exit(1);
    }
    if (read_number(frame, &packing, &number)) {
        printf("%" PRIu32, number);
    } else {
        printf("?");
    }
    printf(" %" PRId64 " %dx%d %d\n", time_ns, frame->width, frame->height,
           worst_patch(frame, &packing));
}

// Decode a packet, or with NULL what is left. False: that fails.
static bool decode(AVCodecContext *decoder, const AVPacket *packet, AVFrame *frame)
{
    int result = avcodec_send_packet(decoder, packet);
    while (result >= 0 && (result = avcodec_receive_frame(decoder, frame)) >= 0) {
        print_frame(frame, decoder->pkt_timebase);
    }
    return result == AVERROR(EAGAIN) || result == AVERROR_EOF;
}

static bool print_movie(AVFormatContext *movie, int stream, const AVCodec *codec)
{
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    bool is_good = decoder && packet && frame &&
                   avcodec_parameters_to_context(decoder, movie->streams[stream]->codecpar) >= 0;
    if (is_good) {
        decoder->pkt_timebase = movie->streams[stream]->time_base;
        is_good = avcodec_open2(decoder, codec, NULL) >= 0;
    }
    while (is_good && av_read_frame(movie, packet) == 0) {
        is_good = packet->stream_index != stream || decode(decoder, packet, frame);
        av_packet_unref(packet);
    }
    is_good = is_good && decode(decoder, NULL, frame);
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&decoder);
    return is_good;
}

static bool print_file(const char *path)
{
    AVFormatContext *movie = NULL;
    const AVCodec *codec = NULL;
    bool is_good = avformat_open_input(&movie, path, NULL, NULL) == 0 &&
                   avformat_find_stream_info(movie, NULL) >= 0;
    const int stream = is_good ? av_find_best_stream(movie, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0)
                               : -1;
    is_good = stream >= 0 && print_movie(movie, stream, codec);
    avformat_close_input(&movie);
    if (!is_good) {
        fprintf(stderr, "e2e_numbers: %s is no movie that FFmpeg reads\n", path);
    }
    return is_good;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-') {
        printf("Usage: e2e_numbers MOVIE...\n"
               "Prints number, time in nanoseconds, size and worst difference of a colour of each "
               "frame that e2e_present presented.\n");
        return argc == 2 ? 0 : 2;
    }
    for (int i = 1; i < argc; i++) {
        if (!print_file(argv[i])) {
            return 1;
        }
    }
    return 0;
}
