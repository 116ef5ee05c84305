// SPDX-License-Identifier: MIT
// What FFmpeg's libraries read of a movie, in the test's own process.
#include "reference.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavutil/log.h>
#include <libavutil/md5.h>

#include "testing.h"

static pthread_mutex_t complaint_mutex = PTHREAD_MUTEX_INITIALIZER;
static char complaint[REFERENCE_MAX_COMPLAINT];

static void accept_complaint(void *object, int level, const char *format, va_list args)
{
    (void)object;
    if (level > AV_LOG_ERROR) {
        return;
    }
    pthread_mutex_lock(&complaint_mutex);
    if (!complaint[0]) {
        vsnprintf(complaint, sizeof(complaint), format, args);
    }
    pthread_mutex_unlock(&complaint_mutex);
}

static void begin_listening(void)
{
    complaint[0] = '\0';
    av_log_set_callback(accept_complaint);
}

static void end_listening(void)
{
    av_log_set_callback(av_log_default_callback);
}

static void *grow(void *items, size_t *room, size_t need, size_t item_size)
{
    if (need <= *room) {
        return items;
    }
    *room = need > 2 * *room ? need : 2 * *room;
    items = realloc(items, *room * item_size);
    test_must(items, "memory");
    return items;
}

static void accept_packet(struct reference_stream *stream, const AVPacket *packet)
{
    const size_t size = (size_t)packet->size;
    stream->packets = grow(stream->packets, &stream->room, stream->num_packets + 1,
                           sizeof(stream->packets[0]));
    stream->bytes = grow(stream->bytes, &stream->bytes_room, stream->size + size, 1);
    stream->packets[stream->num_packets++] = (struct reference_packet){
        .pts = packet->pts,
        .duration = packet->duration,
        .offset = stream->size,
        .size = size,
    };
    if (size > 0) {
        memcpy(stream->bytes + stream->size, packet->data, size);
    }
    stream->size += size;
}

static void read_packets(struct reference *reference)
{
    AVPacket *packet = av_packet_alloc();
    while (packet && av_read_frame(reference->format, packet) == 0) {
        if ((unsigned)packet->stream_index < reference->num_streams) {
            accept_packet(&reference->streams[packet->stream_index], packet);
        }
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
}

bool reference_open(struct reference *reference, const char *path)
{
    *reference = (struct reference){.format = NULL};
    begin_listening();
    const bool is_open = avformat_open_input(&reference->format, path, NULL, NULL) == 0 &&
                         avformat_find_stream_info(reference->format, NULL) >= 0;
    if (is_open) {
        test_expect(reference->format->nb_streams <= REFERENCE_MAX_STREAMS, "%s: %u streams", path,
                    reference->format->nb_streams);
        reference->num_streams = reference->format->nb_streams < REFERENCE_MAX_STREAMS
                                     ? reference->format->nb_streams
                                     : REFERENCE_MAX_STREAMS;
        for (unsigned i = 0; i < reference->num_streams; i++) {
            reference->streams[i].facts = reference->format->streams[i];
        }
        read_packets(reference);
    }
    end_listening();
    memcpy(reference->complaint, complaint, sizeof(complaint));
    return test_expect(is_open, "FFmpeg does not open %s: %s", path, reference->complaint);
}

void reference_close(struct reference *reference)
{
    for (unsigned i = 0; i < reference->num_streams; i++) {
        free(reference->streams[i].packets);
        free(reference->streams[i].bytes);
    }
    avformat_close_input(&reference->format);
    reference->num_streams = 0;
}

const struct reference_stream *reference_stream(const struct reference *reference,
                                                enum AVMediaType kind, unsigned number)
{
    static const struct reference_stream none;
    for (unsigned i = 0; i < reference->num_streams; i++) {
        if (reference->streams[i].facts->codecpar->codec_type == kind && number-- == 0) {
            return &reference->streams[i];
        }
    }
    return &none;
}

const char *reference_tag(const struct reference_stream *stream, const char *name)
{
    const AVDictionaryEntry *tag = stream->facts
                                       ? av_dict_get(stream->facts->metadata, name, NULL, 0)
                                       : NULL;
    return tag ? tag->value : "";
}

void reference_describe(AVStream *stream, const struct weir_capture_track *track)
{
    AVCodecParameters *codec = stream->codecpar;
    codec->codec_type = AVMEDIA_TYPE_VIDEO;
    codec->codec_id = AV_CODEC_ID_HAP;
    codec->codec_tag = track->codec_tag;
    codec->width = (int)track->width;
    codec->height = (int)track->height;
    codec->bits_per_coded_sample = (int)track->bits_per_coded_sample;
    codec->color_primaries = (enum AVColorPrimaries)track->color_primaries;
    codec->color_trc = (enum AVColorTransferCharacteristic)track->color_transfer;
    codec->color_space = (enum AVColorSpace)track->color_matrix;
    codec->sample_aspect_ratio = (AVRational){(int)track->pixel_aspect_num,
                                              (int)track->pixel_aspect_den};
    stream->sample_aspect_ratio = codec->sample_aspect_ratio;
    stream->time_base = (AVRational){(int)track->time_base_num, (int)track->time_base_den};
}

void reference_hash(const uint8_t *bytes, size_t size, char text[33])
{
    uint8_t hash[16];
    av_md5_sum(hash, bytes, size);
    for (int i = 0; i < 16; i++) {
        snprintf(text + (size_t)2 * (size_t)i, 3, "%02x", hash[i]);
    }
}

struct decoding {
    AVCodecContext *decoder;
    AVFrame *frame;
    uint8_t *greens;
    int num, room;
};

// Decode a packet, or with NULL what is left. False: that fails.
static bool decode(struct decoding *decoding, const AVPacket *packet)
{
    int result = avcodec_send_packet(decoding->decoder, packet);
    while (result >= 0 &&
           (result = avcodec_receive_frame(decoding->decoder, decoding->frame)) >= 0) {
        if (decoding->num < decoding->room) {
            decoding->greens[decoding->num] = decoding->frame->data[0][1]; // R, G, B, A
        }
        decoding->num++;
    }
    return result == AVERROR(EAGAIN) || result == AVERROR_EOF;
}

static bool decode_all(struct decoding *decoding, AVFormatContext *format, int stream)
{
    AVPacket *packet = av_packet_alloc();
    decoding->frame = av_frame_alloc();
    bool is_good = packet && decoding->frame &&
                   avcodec_parameters_to_context(decoding->decoder,
                                                 format->streams[stream]->codecpar) >= 0 &&
                   avcodec_open2(decoding->decoder, NULL, NULL) >= 0;
    while (is_good && av_read_frame(format, packet) == 0) {
        is_good = packet->stream_index != stream || decode(decoding, packet);
        av_packet_unref(packet);
    }
    is_good = is_good && decode(decoding, NULL);
    av_frame_free(&decoding->frame);
    av_packet_free(&packet);
    return is_good;
}

int reference_read_greens(const char *path, uint8_t *greens, int room)
{
    struct decoding decoding = {.greens = greens, .room = room};
    AVFormatContext *format = NULL;
    bool is_good = false;
    begin_listening();
    if (avformat_open_input(&format, path, NULL, NULL) == 0 &&
        avformat_find_stream_info(format, NULL) >= 0) {
        const AVCodec *codec = NULL;
        const int stream = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
        decoding.decoder = stream >= 0 ? avcodec_alloc_context3(codec) : NULL;
        is_good = decoding.decoder && decode_all(&decoding, format, stream);
        avcodec_free_context(&decoding.decoder);
    }
    avformat_close_input(&format);
    end_listening();
    return is_good && !complaint[0] ? decoding.num : -1;
}

int reference_count_frames(const char *path)
{
    return reference_read_greens(path, NULL, 0);
}

bool reference_expect_frames(const char *what, const char *path, int num_frames)
{
    const int got = reference_count_frames(path);
    return test_expect(got == num_frames, "%s: %s has %d frames, not %d: %s", what, path, got,
                       num_frames, complaint);
}
