// SPDX-License-Identifier: MIT
// The audio of a movie: its tracks, decoded to samples that are not compressed.
#include "capture/files/source/audio.h"

#include <stdlib.h>

#include <libavutil/common.h>
#include <libavutil/mathematics.h>

#include "capture/files/source/input.h"
#include "capture/files/source/reader.h"

static const AVRational nanoseconds = {1, 1000000000};

struct weir_audio_source {
    struct weir_audio_source_params params;
    AVFormatContext *file; // NULL: packets come from params.demux
    AVPacket *packet;
    AVFrame *frame;
    struct weir_audio_decoder tracks[WEIR_MAX_AUDIO_TRACKS];
    uint32_t num_tracks;
    uint32_t draining; // the track whose decoder is emptied at the end of the file
    bool is_at_end, has_warned;
    struct weir_audio_decoder *fed; // its decoder may have frames
};

static enum weir_result fail(const struct weir_audio_source *source, int error)
{
    const bool is_memory = error == AVERROR(ENOMEM);
    const bool is_kind = error == AVERROR_INVALIDDATA || error == AVERROR_EOF;
    return weir_fail(&source->params.log, is_memory ? WEIR_ERROR_OUT_OF_MEMORY : WEIR_ERROR_IO,
                     is_memory ? WEIR_LOG_CODE_OUT_OF_MEMORY : WEIR_LOG_CODE_READ_FAILED,
                     "%s: its audio cannot be read: %s", source->params.path,
                     is_kind ? "FFmpeg does not know it, or it is empty or cut short"
                             : av_err2str(error));
}

static void warn_of_damage(struct weir_audio_source *source)
{
    if (!source->has_warned) {
        source->has_warned = true;
        weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                        "%s: damaged parts of its audio are silent", source->params.path);
    }
}

static void warn_of_layout(const struct weir_audio_source *source,
                           const struct weir_audio_decoder *track)
{
    char from[64] = "", to[64] = "";
    av_channel_layout_describe(&track->stream.codec->ch_layout, from, sizeof(from));
    av_channel_layout_describe(&track->layout, to, sizeof(to));
    weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                    "%s: the channels of audio stream %d, %s, become %s in the same order: a movie "
                    "cannot say theirs",
                    source->params.path, track->stream.index, from, to);
}

// Open a track of the stream. Returns false if it is left out, which a warning says.
static bool add_track(struct weir_audio_source *source, const struct weir_audio_stream *stream)
{
    const char *reason = "a movie has at most 8 audio tracks";
    if (source->num_tracks < WEIR_MAX_AUDIO_TRACKS) {
        struct weir_audio_decoder *track = &source->tracks[source->num_tracks];
        reason = weir_audio_decoder_open(track, stream);
        if (!reason) {
            source->num_tracks++;
            if (!track->has_layout) {
                warn_of_layout(source, track);
            }
            return true;
        }
        weir_audio_decoder_close(track);
    }
    weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                    "%s: an audio track (stream %d, %s) is left out: %s", source->params.path,
                    stream->index, avcodec_get_name(stream->codec->codec_id), reason);
    return false;
}

static void open_tracks_of_file(struct weir_audio_source *source)
{
    for (unsigned i = 0; i < source->file->nb_streams; i++) {
        AVStream *stream = source->file->streams[i];
        const struct weir_audio_stream audio = weir_audio_stream_get(stream);
        const bool is_taken = stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO &&
                              add_track(source, &audio);
        stream->discard = is_taken ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    }
}

static void open_tracks_of_demux(struct weir_audio_source *source)
{
    unsigned num = 0;
    const struct weir_audio_stream *streams = weir_demux_get_audio(source->params.demux, &num);
    for (unsigned i = 0; i < num; i++) {
        add_track(source, &streams[i]);
    }
}

// Go to a place before the first frame: decoders need some packets before they are exact.
static void skip(const struct weir_audio_source *source)
{
    const int64_t early_us = source->params.zero_ns / 1000 - 2 * AV_TIME_BASE;
    if (source->params.is_part && early_us > 0 && weir_reader_is_seekable(source->file)) {
        // Where that fails the file is read from where it is, its start.
        avformat_seek_file(source->file, -1, INT64_MIN, early_us, early_us, 0);
    }
}

static int open_file(struct weir_audio_source *source)
{
    source->file = avformat_alloc_context();
    if (!source->file) {
        return AVERROR(ENOMEM);
    }
    const int error = weir_input_open(source->params.path, &source->file);
    return error < 0 ? error : avformat_find_stream_info(source->file, NULL);
}

static int open_tracks(struct weir_audio_source *source)
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
    if (error >= 0 && source->params.is_apart && source->file->start_time != AV_NOPTS_VALUE) {
        source->params.zero_ns += av_rescale_q(source->file->start_time, AV_TIME_BASE_Q,
                                               nanoseconds);
    }
    if (error >= 0) {
        open_tracks_of_file(source);
    }
    return error;
}

enum weir_result weir_audio_source_open(const struct weir_audio_source_params *params,
                                        weir_audio_source **out)
{
    *out = NULL;
    struct weir_audio_source *source = calloc(1, sizeof(*source));
    if (!source) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    source->params = *params;
    const int error = open_tracks(source);
    if (error < 0) {
        const enum weir_result result = fail(source, error);
        weir_audio_source_close(&source);
        return result;
    }
    if (source->num_tracks == 0) {
        weir_audio_source_close(&source);
    } else {
        skip(source);
    }
    *out = source;
    return WEIR_OK;
}

void weir_audio_source_close(weir_audio_source **source)
{
    if (!*source) {
        return;
    }
    for (uint32_t i = 0; i < (*source)->num_tracks; i++) {
        weir_audio_decoder_close(&(*source)->tracks[i]);
    }
    av_packet_free(&(*source)->packet);
    av_frame_free(&(*source)->frame);
    avformat_close_input(&(*source)->file);
    free(*source);
    *source = NULL;
}

void weir_audio_source_end_frames(weir_audio_source *source, int64_t end_ns)
{
    if (source->params.demux) {
        weir_demux_end_video(source->params.demux, av_sat_add64(end_ns, source->params.zero_ns));
    }
}

uint32_t weir_audio_source_get_tracks(const weir_audio_source *source,
                                      struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS])
{
    for (uint32_t i = 0; i < source->num_tracks; i++) {
        tracks[i] = source->tracks[i].format;
    }
    return source->num_tracks;
}

static int64_t time_of(const struct weir_audio_source *source,
                       const struct weir_audio_decoder *track)
{
    const int64_t pts = source->frame->best_effort_timestamp;
    return pts == AV_NOPTS_VALUE
               ? track->next_ns
               : av_rescale_q(pts, track->stream.time_base, nanoseconds) - source->params.zero_ns;
}

// Convert the frame to a block.
static int convert(struct weir_audio_source *source, struct weir_audio_decoder *track,
                   struct weir_audio_block *block)
{
    uint32_t num = 0;
    const uint8_t *samples = NULL;
    const int error = weir_audio_decoder_convert(track, source->frame, &samples, &num);
    if (error < 0) {
        return error;
    }
    *block = (struct weir_audio_block){
        .track = (uint32_t)(track - source->tracks),
        .samples = samples,
        .num_samples = num,
        .sample_size = track->sample_size,
        .time_ns = time_of(source, track),
    };
    track->next_ns = block->time_ns + av_rescale_q(num,
                                                   (AVRational){1, (int)track->format.sample_rate},
                                                   nanoseconds);
    return 0;
}

static struct weir_audio_decoder *track_of(struct weir_audio_source *source, int stream)
{
    for (uint32_t i = 0; i < source->num_tracks; i++) {
        if (source->tracks[i].stream.index == stream) {
            return &source->tracks[i];
        }
    }
    return NULL;
}

static int read_packet(struct weir_audio_source *source)
{
    return source->is_at_end      ? AVERROR_EOF
           : source->params.demux ? weir_demux_read_audio(source->params.demux, source->packet)
                                  : av_read_frame(source->file, source->packet);
}

// Give the next packet to its decoder; at the end of the file empty one decoder after the other.
// AVERROR_EOF: all are empty. AVERROR(EAGAIN): the next one is not there yet.
static int feed(struct weir_audio_source *source)
{
    int error = read_packet(source);
    const bool is_later = error == AVERROR(EAGAIN) && source->params.demux;
    if (error == AVERROR(ENOMEM) || is_later) {
        return error;
    }
    if (error < 0) {
        const int of_file = source->file ? weir_reader_file_error(source->file) : 0;
        if (of_file < 0) {
            return of_file;
        }
        if (error != AVERROR_EOF) {
            warn_of_damage(source);
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
            warn_of_damage(source);
        }
    }
    av_packet_unref(source->packet);
    return error == AVERROR(ENOMEM) ? error : 0;
}

enum weir_result weir_audio_source_read(weir_audio_source *source, struct weir_audio_block *block,
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
            warn_of_damage(source);
        }
    }
}
