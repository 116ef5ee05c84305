// SPDX-License-Identifier: MIT
// The sound of a movie: its tracks, decoded to samples that are not compressed.
#include "capture/files/source/sound.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/common.h>
#include <libavutil/mathematics.h>
#include <libswresample/swresample.h>

#include "capture/files/source/reader.h"

enum { MAX_CHANNELS = 16, MIN_RATE = 1000, MAX_RATE = 768000 };

static const AVRational nanoseconds = {1, 1000000000};

struct track {
    struct weir_audio_track format;
    uint32_t sample_size; // [bytes]
    struct weir_sound_stream stream;
    AVCodecContext *codec;
    SwrContext *converter; // from frames like `like`
    AVFrame *like;
    enum AVSampleFormat converted; // interleaved
    AVChannelLayout layout;
    int64_t next_ns; // where the next samples go if they do not say it
};

struct weir_sound_source {
    struct weir_sound_source_params params;
    AVFormatContext *file; // NULL: packets come from params.demux
    AVPacket *packet;
    AVFrame *frame;
    struct track tracks[WEIR_MAX_AUDIO_TRACKS];
    uint32_t num_tracks;
    uint32_t draining; // the track whose decoder is emptied at the end of the file
    bool is_at_end, has_warned;
    struct track *fed; // its decoder may have frames
    uint8_t *samples;  // of the last block
    unsigned samples_room;
};

static enum weir_result fail(const struct weir_sound_source *source, int error)
{
    char text[AV_ERROR_MAX_STRING_SIZE] = {0};
    const bool is_memory = error == AVERROR(ENOMEM);
    av_strerror(error, text, sizeof(text));
    weir_log_printf(&source->params.log, WEIR_LOG_ERROR,
                    is_memory ? WEIR_LOG_CODE_OUT_OF_MEMORY : WEIR_LOG_CODE_READ_FAILED,
                    "%s: its sound cannot be read: %s", source->params.path, text);
    return is_memory ? WEIR_ERROR_OUT_OF_MEMORY : WEIR_ERROR_IO;
}

static void warn_of_damage(struct weir_sound_source *source, int error)
{
    char text[AV_ERROR_MAX_STRING_SIZE] = {0};
    if (!source->has_warned) {
        source->has_warned = true;
        av_strerror(error, text, sizeof(text));
        weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                        "%s: damaged parts of its sound are silent: %s", source->params.path, text);
    }
}

// What samples become. Integers keep their bits. Compressed sound has more than 16 bits, and 24
// are more than anybody hears.
static void choose_format(struct track *track)
{
    const AVCodecParameters *from = track->stream.codec;
    const enum AVSampleFormat format = av_get_packed_sample_fmt(track->codec->sample_fmt);
    const int bits = from->bits_per_raw_sample > 0 ? from->bits_per_raw_sample
                                                   : from->bits_per_coded_sample;
    const bool is_float = format == AV_SAMPLE_FMT_FLT || format == AV_SAMPLE_FMT_DBL;
    const bool is_pcm = av_get_exact_bits_per_sample(from->codec_id) > 0;
    if (format == AV_SAMPLE_FMT_U8 || format == AV_SAMPLE_FMT_S16) {
        track->format.format = WEIR_SAMPLE_S16;
        track->converted = AV_SAMPLE_FMT_S16;
    } else if (is_float && is_pcm) {
        track->format.format = WEIR_SAMPLE_F32;
        track->converted = AV_SAMPLE_FMT_FLT;
    } else {
        const bool is_long = !is_float && !(bits > 0 && bits <= 24);
        track->format.format = is_long ? WEIR_SAMPLE_S32 : WEIR_SAMPLE_S24;
        track->converted = AV_SAMPLE_FMT_S32;
    }
    const uint32_t size = track->format.format == WEIR_SAMPLE_S16   ? 2
                          : track->format.format == WEIR_SAMPLE_S24 ? 3
                                                                    : 4;
    track->sample_size = size * track->format.num_channels;
}

// Open the decoder of a track. Returns why the track is left out, or NULL.
static const char *open_track(struct track *track, const struct weir_sound_stream *stream)
{
    const AVCodec *codec = avcodec_find_decoder(stream->codec->codec_id);
    const AVCodecParameters *from = stream->codec;
    track->stream = *stream;
    if (!codec) {
        return "this FFmpeg has no decoder for it";
    }
    if (from->sample_rate < MIN_RATE || from->sample_rate > MAX_RATE ||
        from->ch_layout.nb_channels < 1 || from->ch_layout.nb_channels > MAX_CHANNELS) {
        return "it has not 1 to 16 channels at 1000 to 768000 Hz";
    }
    track->codec = avcodec_alloc_context3(codec);
    track->like = av_frame_alloc();
    if (!track->codec || !track->like || avcodec_parameters_to_context(track->codec, from) < 0) {
        return "there is no memory";
    }
    track->codec->pkt_timebase = stream->time_base;
    if (avcodec_open2(track->codec, codec, NULL) < 0) {
        return "its decoder cannot be opened";
    }
    track->format.sample_rate = (uint32_t)from->sample_rate;
    track->format.num_channels = (uint32_t)from->ch_layout.nb_channels;
    av_channel_layout_default(&track->layout, from->ch_layout.nb_channels);
    choose_format(track);
    memcpy(track->format.language, stream->language, sizeof(stream->language));
    return NULL;
}

static void close_track(struct track *track)
{
    avcodec_free_context(&track->codec);
    swr_free(&track->converter);
    av_frame_free(&track->like);
    av_channel_layout_uninit(&track->layout);
    *track = (struct track){.codec = NULL};
}

// Open a track of the stream. Returns false if it is left out, which a warning says.
static bool add_track(struct weir_sound_source *source, const struct weir_sound_stream *stream)
{
    const char *reason = "a movie has at most 8 sound tracks";
    if (source->num_tracks < WEIR_MAX_AUDIO_TRACKS) {
        struct track *track = &source->tracks[source->num_tracks];
        reason = open_track(track, stream);
        if (!reason) {
            source->num_tracks++;
            return true;
        }
        close_track(track);
    }
    weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                    "%s: a sound track (stream %d, %s) is left out: %s", source->params.path,
                    stream->index, avcodec_get_name(stream->codec->codec_id), reason);
    return false;
}

static void open_tracks_of_file(struct weir_sound_source *source)
{
    for (unsigned i = 0; i < source->file->nb_streams; i++) {
        AVStream *stream = source->file->streams[i];
        const struct weir_sound_stream sound = weir_sound_stream_get(stream);
        const bool is_taken = stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO &&
                              add_track(source, &sound);
        stream->discard = is_taken ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    }
}

static void open_tracks_of_demux(struct weir_sound_source *source)
{
    unsigned num = 0;
    const struct weir_sound_stream *streams = weir_demux_get_sound(source->params.demux, &num);
    for (unsigned i = 0; i < num; i++) {
        add_track(source, &streams[i]);
    }
}

// Go to a place before the first frame: decoders need some packets before they are exact.
static void skip(const struct weir_sound_source *source)
{
    const int64_t early_us = source->params.zero_ns / 1000 - 2 * AV_TIME_BASE;
    if (early_us > 0 && weir_reader_is_seekable(source->file)) {
        // Where that fails the file is read from where it is, its start.
        avformat_seek_file(source->file, -1, INT64_MIN, early_us, early_us, 0);
    }
}

static int open_file(struct weir_sound_source *source)
{
    char url[4096 + 8];
    struct stat status;
    const char *path = source->params.path;
    const char *protocol = stat(path, &status) == 0 ? "file:" : "";
    if (snprintf(url, sizeof(url), "%s%s", protocol, path) >= (int)sizeof(url)) {
        return AVERROR(ENAMETOOLONG);
    }
    source->file = avformat_alloc_context();
    if (!source->file) {
        return AVERROR(ENOMEM);
    }
    source->file->interrupt_callback = (AVIOInterruptCB){.callback = source->params.interrupted,
                                                         .opaque = source->params.user};
    const int error = avformat_open_input(&source->file, url, NULL, NULL);
    return error < 0 ? error : avformat_find_stream_info(source->file, NULL);
}

static int open_tracks(struct weir_sound_source *source)
{
    source->packet = av_packet_alloc();
    source->frame = av_frame_alloc();
    if (!source->packet || !source->frame) {
        return AVERROR(ENOMEM);
    }
    if (source->params.demux) {
        open_tracks_of_demux(source);
        return 0;
    }
    const int error = open_file(source);
    if (error >= 0) {
        open_tracks_of_file(source);
    }
    return error;
}

enum weir_result weir_sound_source_open(const struct weir_sound_source_params *params,
                                        weir_sound_source **out)
{
    *out = NULL;
    struct weir_sound_source *source = calloc(1, sizeof(*source));
    if (!source) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    source->params = *params;
    const int error = open_tracks(source);
    if (error < 0) {
        const enum weir_result result = fail(source, error);
        weir_sound_source_close(&source);
        return result;
    }
    if (source->num_tracks == 0) {
        weir_sound_source_close(&source);
    } else {
        skip(source);
    }
    *out = source;
    return WEIR_OK;
}

void weir_sound_source_close(weir_sound_source **source)
{
    if (!*source) {
        return;
    }
    for (uint32_t i = 0; i < (*source)->num_tracks; i++) {
        close_track(&(*source)->tracks[i]);
    }
    av_packet_free(&(*source)->packet);
    av_frame_free(&(*source)->frame);
    avformat_close_input(&(*source)->file);
    av_free((*source)->samples);
    free(*source);
    *source = NULL;
}

void weir_sound_source_end_frames(weir_sound_source *source, int64_t end_ns)
{
    if (source->params.demux) {
        weir_demux_end_video(source->params.demux, av_sat_add64(end_ns, source->params.zero_ns));
    }
}

uint32_t weir_sound_source_get_tracks(const weir_sound_source *source,
                                      struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS])
{
    for (uint32_t i = 0; i < source->num_tracks; i++) {
        tracks[i] = source->tracks[i].format;
    }
    return source->num_tracks;
}

// Make the converter for frames like this one, which may be others than those before.
static int prepare(struct track *track, const AVFrame *frame)
{
    if (track->converter && track->like->format == frame->format &&
        track->like->sample_rate == frame->sample_rate &&
        av_channel_layout_compare(&track->like->ch_layout, &frame->ch_layout) == 0) {
        return 0;
    }
    AVChannelLayout from = {0};
    swr_free(&track->converter);
    track->like->format = frame->format;
    track->like->sample_rate = frame->sample_rate;
    int error = av_channel_layout_copy(&track->like->ch_layout, &frame->ch_layout);
    // Channels stay in their order where their number does.
    if (error >= 0 && frame->ch_layout.nb_channels == track->layout.nb_channels) {
        error = av_channel_layout_copy(&from, &track->layout);
    } else if (error >= 0) {
        error = av_channel_layout_copy(&from, &frame->ch_layout);
    }
    if (error >= 0) {
        error = swr_alloc_set_opts2(
            &track->converter, &track->layout, track->converted, (int)track->format.sample_rate,
            &from, (enum AVSampleFormat)frame->format, frame->sample_rate, 0, NULL);
    }
    av_channel_layout_uninit(&from);
    return error < 0 ? error : swr_init(track->converter);
}

// Integers of 24 bits are the upper ones of 32, which are little endian.
static void pack_24(uint8_t *samples, size_t num_values)
{
    for (size_t i = 0; i < num_values; i++) {
        memmove(samples + 3 * i, samples + 4 * i + 1, 3);
    }
}

static int64_t time_of(const struct weir_sound_source *source, const struct track *track)
{
    const int64_t pts = source->frame->best_effort_timestamp;
    return pts == AV_NOPTS_VALUE
               ? track->next_ns
               : av_rescale_q(pts, track->stream.time_base, nanoseconds) - source->params.zero_ns;
}

// Convert the frame to a block.
static int convert(struct weir_sound_source *source, struct track *track,
                   struct weir_sound_block *block)
{
    const AVFrame *frame = source->frame;
    int error = prepare(track, frame);
    if (error < 0) {
        return error;
    }
    const int most = swr_get_out_samples(track->converter, frame->nb_samples);
    const size_t size = (size_t)most * track->format.num_channels * 4;
    av_fast_malloc(&source->samples, &source->samples_room, size > 0 ? size : 1);
    if (!source->samples) {
        return AVERROR(ENOMEM);
    }
    const int num = swr_convert(track->converter, &source->samples, most,
                                (const uint8_t **)frame->extended_data, frame->nb_samples);
    if (num < 0) {
        return num;
    }
    if (track->format.format == WEIR_SAMPLE_S24) {
        pack_24(source->samples, (size_t)num * track->format.num_channels);
    }
    *block = (struct weir_sound_block){
        .track = (uint32_t)(track - source->tracks),
        .samples = source->samples,
        .num_samples = (uint32_t)num,
        .sample_size = track->sample_size,
        .time_ns = time_of(source, track),
    };
    track->next_ns = block->time_ns + av_rescale_q(num,
                                                   (AVRational){1, (int)track->format.sample_rate},
                                                   nanoseconds);
    return 0;
}

static struct track *track_of(struct weir_sound_source *source, int stream)
{
    for (uint32_t i = 0; i < source->num_tracks; i++) {
        if (source->tracks[i].stream.index == stream) {
            return &source->tracks[i];
        }
    }
    return NULL;
}

static int read_packet(struct weir_sound_source *source)
{
    return source->is_at_end      ? AVERROR_EOF
           : source->params.demux ? weir_demux_read_sound(source->params.demux, source->packet)
                                  : av_read_frame(source->file, source->packet);
}

// Give the next packet to its decoder; at the end of the file empty one decoder after the other.
// AVERROR_EOF: all are empty. AVERROR(EAGAIN): the next one is not there yet.
static int feed(struct weir_sound_source *source)
{
    int error = read_packet(source);
    const bool is_later = error == AVERROR(EAGAIN) && source->params.demux;
    if (error == AVERROR(ENOMEM) || error == AVERROR_EXIT || is_later) {
        return error;
    }
    if (error < 0) {
        if (error != AVERROR_EOF) {
            warn_of_damage(source, error);
        }
        source->is_at_end = true;
        source->fed = source->draining < source->num_tracks ? &source->tracks[source->draining++]
                                                            : NULL;
        if (source->fed) {
            avcodec_send_packet(source->fed->codec, NULL);
        }
        return source->fed ? 0 : AVERROR_EOF;
    }
    source->fed = track_of(source, source->packet->stream_index);
    if (source->fed) {
        error = avcodec_send_packet(source->fed->codec, source->packet);
        if (error < 0 && error != AVERROR(ENOMEM)) {
            warn_of_damage(source, error);
        }
    }
    av_packet_unref(source->packet);
    return error == AVERROR(ENOMEM) ? error : 0;
}

enum weir_result weir_sound_source_read(weir_sound_source *source, struct weir_sound_block *block,
                                        bool *end)
{
    *end = false;
    for (;;) {
        int error = source->fed ? avcodec_receive_frame(source->fed->codec, source->frame)
                                : AVERROR(EAGAIN);
        if (error == 0) {
            error = convert(source, source->fed, block);
            av_frame_unref(source->frame);
            if (error == 0 && block->num_samples > 0) {
                return WEIR_OK;
            }
        } else if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) {
            error = feed(source);
            *end = error == AVERROR_EOF;
            if (*end) {
                return WEIR_OK;
            }
            if (error == AVERROR(EAGAIN)) {
                return WEIR_NOT_READY;
            }
            if (error < 0) {
                return fail(source, error);
            }
        } else {
            source->fed = NULL;
        }
        if (error == AVERROR(ENOMEM)) {
            return fail(source, error);
        }
        if (error < 0) {
            warn_of_damage(source, error);
        }
    }
}
