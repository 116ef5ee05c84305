// SPDX-License-Identifier: MIT
// Copies a movie and puts all its packets of one kind before all others, as no muxer of ffmpeg's
// does by itself. reorder INPUT OUTPUT video|audio
#include <stdio.h>
#include <string.h>

#include <libavformat/avformat.h>

static int fail(const char *what)
{
    fprintf(stderr, "reorder: %s\n", what);
    return 1;
}

// Copy the packets that are of the kind, or those that are not.
static int copy(const char *path, AVFormatContext *output, enum AVMediaType kind, int is_of_kind)
{
    AVFormatContext *input = NULL;
    AVPacket *packet = av_packet_alloc();
    int error = packet ? avformat_open_input(&input, path, NULL, NULL) : AVERROR(ENOMEM);
    while (error >= 0 && av_read_frame(input, packet) >= 0) {
        const AVStream *from = input->streams[packet->stream_index];
        if ((from->codecpar->codec_type == kind) == is_of_kind) {
            av_packet_rescale_ts(packet, from->time_base,
                                 output->streams[packet->stream_index]->time_base);
            packet->pos = -1;
            error = av_write_frame(output, packet);
        }
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    avformat_close_input(&input);
    return error;
}

int main(int num_arguments, char **arguments)
{
    AVFormatContext *input = NULL, *output = NULL;
    if (num_arguments != 4) {
        return fail("INPUT OUTPUT video|audio");
    }
    const enum AVMediaType kind = strcmp(arguments[3], "video") == 0 ? AVMEDIA_TYPE_VIDEO
                                                                     : AVMEDIA_TYPE_AUDIO;
    if (avformat_open_input(&input, arguments[1], NULL, NULL) < 0 ||
        avformat_find_stream_info(input, NULL) < 0 ||
        avformat_alloc_output_context2(&output, NULL, NULL, arguments[2]) < 0) {
        return fail("it cannot be opened");
    }
    for (unsigned i = 0; i < input->nb_streams; i++) {
        AVStream *stream = avformat_new_stream(output, NULL);
        if (!stream || avcodec_parameters_copy(stream->codecpar, input->streams[i]->codecpar) < 0) {
            return fail("no memory");
        }
        stream->codecpar->codec_tag = 0;
        stream->time_base = input->streams[i]->time_base;
    }
    if (avio_open(&output->pb, arguments[2], AVIO_FLAG_WRITE) < 0 ||
        avformat_write_header(output, NULL) < 0 || copy(arguments[1], output, kind, 1) < 0 ||
        copy(arguments[1], output, kind, 0) < 0 || av_write_trailer(output) < 0) {
        return fail("it cannot be written");
    }
    avio_closep(&output->pb);
    avformat_free_context(output);
    avformat_close_input(&input);
    return 0;
}
