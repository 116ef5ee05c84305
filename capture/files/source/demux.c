// SPDX-License-Identifier: MIT
// The packets of an input that cannot be read twice: a thread reads ahead, and the frames and the
// audio take theirs, each at its own pace.
//
// The thread waits while enough frames are ahead, and then nobody waits for it: frames are there,
// and a read of audio answers EAGAIN. Audio has no such bound, because frames may lie behind it.
#include "capture/files/source/audio.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include <libavutil/fifo.h>
#include <libavutil/mathematics.h>

#include "capture/base/thread.h"

enum { MAX_VIDEO_PACKETS = 64 };
static const size_t max_video_size = (size_t)64 << 20;
static const AVRational nanoseconds = {1, 1000000000};

// In the order in which they were read.
struct queue {
    AVFifo *packets; // AVPacket *
    size_t size;     // of them [bytes]
};

struct weir_demux {
    AVFormatContext *format;
    int video;
    AVRational video_time_base;
    struct weir_audio_stream *audio_streams; // with copies of their codecs
    unsigned num_audio_streams;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock; // protects the members from here on
    pthread_cond_t changed;
    struct queue frames, audio;
    bool stop;
    bool has_ended;      // the thread reads no more
    int error;           // why
    bool is_video_ended; // nobody takes frames any more
    int64_t end_ns;      // of the audio that is wanted then
};

static bool has_packet(const struct queue *queue)
{
    return av_fifo_can_read(queue->packets) > 0;
}

static int push(struct queue *queue, AVPacket *packet)
{
    queue->size += (size_t)packet->size;
    return av_fifo_write(queue->packets, &packet, 1);
}

static AVPacket *pop(struct queue *queue)
{
    AVPacket *packet = NULL;
    if (av_fifo_read(queue->packets, &packet, 1) >= 0) {
        queue->size -= (size_t)packet->size;
    }
    return packet;
}

static void clear(struct queue *queue)
{
    while (queue->packets && has_packet(queue)) {
        AVPacket *packet = pop(queue);
        av_packet_free(&packet);
    }
}

// When no frames are wanted any more, somebody takes the audio.
static bool is_full(const struct weir_demux *demux)
{
    if (demux->is_video_ended) {
        return demux->audio.size >= max_video_size;
    }
    return av_fifo_can_read(demux->frames.packets) >= MAX_VIDEO_PACKETS ||
           demux->frames.size >= max_video_size;
}

static bool is_audio(const struct weir_demux *demux, int stream)
{
    for (unsigned i = 0; i < demux->num_audio_streams; i++) {
        if (demux->audio_streams[i].index == stream) {
            return true;
        }
    }
    return false;
}

// True if a packet of the frames lies behind all audio that is wanted.
static bool is_late(const struct weir_demux *demux, const AVPacket *packet)
{
    const int64_t time = packet->dts != AV_NOPTS_VALUE ? packet->dts : packet->pts;
    return time != AV_NOPTS_VALUE &&
           av_compare_ts(time, demux->video_time_base, demux->end_ns, nanoseconds) > 0;
}

// Hand over a packet, under the lock. Returns an AVERROR if it is the last one.
static int take(struct weir_demux *demux, AVPacket **packet)
{
    const int stream = (*packet)->stream_index;
    const bool is_frame = stream == demux->video && !demux->is_video_ended;
    if (is_frame || is_audio(demux, stream)) {
        struct queue *queue = is_frame ? &demux->frames : &demux->audio;
        if (push(queue, *packet) < 0) {
            return AVERROR(ENOMEM);
        }
        *packet = NULL;
        return !demux->is_video_ended && demux->audio.size > WEIR_DEMUX_MAX_AUDIO ? AVERROR(ENOBUFS)
                                                                                  : 0;
    }
    return stream == demux->video && is_late(demux, *packet) ? AVERROR_EOF : 0;
}

// Read the next packet. The libraries leave out what they have no memory for, without a word, and
// the system has noted it.
static int read_next(struct weir_demux *demux, AVPacket **packet, bool *lacks_memory)
{
    *packet = av_packet_alloc();
    if (!*packet) {
        return AVERROR(ENOMEM);
    }
    errno = 0;
    const int error = av_read_frame(demux->format, *packet);
    *lacks_memory = *lacks_memory || errno == ENOMEM;
    return error < 0 && *lacks_memory ? AVERROR(ENOMEM) : error;
}

static void *run(void *user)
{
    struct weir_demux *demux = user;
    bool lacks_memory = false;
    int error = 0;
    pthread_mutex_lock(&demux->lock);
    while (error >= 0 && !demux->stop) {
        if (is_full(demux)) {
            pthread_cond_wait(&demux->changed, &demux->lock);
            continue;
        }
        pthread_mutex_unlock(&demux->lock);
        AVPacket *packet = NULL;
        error = read_next(demux, &packet, &lacks_memory);
        pthread_mutex_lock(&demux->lock);
        error = error < 0 ? error : take(demux, &packet);
        av_packet_free(&packet);
        pthread_cond_broadcast(&demux->changed);
    }
    demux->error = error;
    demux->has_ended = true;
    pthread_cond_broadcast(&demux->changed);
    pthread_mutex_unlock(&demux->lock);
    return NULL;
}

// Note what the audio needs of the streams, which the thread may change later.
static bool note_audio(struct weir_demux *demux)
{
    const AVFormatContext *format = demux->format;
    demux->audio_streams = calloc(format->nb_streams, sizeof(*demux->audio_streams));
    for (unsigned i = 0; demux->audio_streams && i < format->nb_streams; i++) {
        AVStream *stream = format->streams[i];
        if (stream->codecpar->codec_type != AVMEDIA_TYPE_AUDIO) {
            continue;
        }
        struct weir_audio_stream *audio = &demux->audio_streams[demux->num_audio_streams++];
        *audio = weir_audio_stream_get(stream);
        audio->codec = avcodec_parameters_alloc();
        if (!audio->codec || avcodec_parameters_copy(audio->codec, stream->codecpar) < 0) {
            return false;
        }
        stream->discard = AVDISCARD_DEFAULT;
    }
    return demux->audio_streams;
}

int weir_demux_start(AVFormatContext *format, int video, bool keeps_audio, struct weir_demux **out)
{
    *out = NULL;
    struct weir_demux *demux = calloc(1, sizeof(*demux));
    if (!demux) {
        return AVERROR(ENOMEM);
    }
    demux->format = format;
    demux->video = video;
    demux->video_time_base = format->streams[video]->time_base;
    pthread_mutex_init(&demux->lock, NULL);
    pthread_cond_init(&demux->changed, NULL);
    demux->frames.packets = av_fifo_alloc2(MAX_VIDEO_PACKETS, sizeof(AVPacket *), 0);
    demux->audio.packets = av_fifo_alloc2(MAX_VIDEO_PACKETS, sizeof(AVPacket *),
                                          AV_FIFO_FLAG_AUTO_GROW);
    if (demux->audio.packets) {
        av_fifo_auto_grow_limit(demux->audio.packets, WEIR_DEMUX_MAX_AUDIO);
    }
    const bool is_ready = demux->frames.packets && demux->audio.packets &&
                          (!keeps_audio || note_audio(demux));
    demux->has_thread = is_ready && weir_thread_start(&demux->thread, "weir-read", run, demux);
    if (!demux->has_thread) {
        weir_demux_stop(&demux);
        return is_ready ? AVERROR(EAGAIN) : AVERROR(ENOMEM);
    }
    *out = demux;
    return 0;
}

void weir_demux_stop(struct weir_demux **demux)
{
    struct weir_demux *d = *demux;
    if (!d) {
        return;
    }
    pthread_mutex_lock(&d->lock);
    d->stop = true;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    if (d->has_thread) {
        pthread_join(d->thread, NULL);
    }
    clear(&d->frames);
    clear(&d->audio);
    av_fifo_freep2(&d->frames.packets);
    av_fifo_freep2(&d->audio.packets);
    for (unsigned i = 0; i < d->num_audio_streams; i++) {
        avcodec_parameters_free(&d->audio_streams[i].codec);
    }
    free(d->audio_streams);
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
    free(d);
    *demux = NULL;
}

const struct weir_audio_stream *weir_demux_get_audio(const struct weir_demux *demux,
                                                     unsigned *num_streams)
{
    *num_streams = demux->num_audio_streams;
    return demux->audio_streams;
}

// Get the next packet of a queue, or `error`, and let the thread go on. Unlocks.
static int give(struct weir_demux *demux, struct queue *queue, int error, AVPacket *packet)
{
    AVPacket *first = pop(queue);
    if (first) {
        av_packet_move_ref(packet, first);
        av_packet_free(&first);
        error = 0;
    }
    pthread_cond_broadcast(&demux->changed);
    pthread_mutex_unlock(&demux->lock);
    return error;
}

int weir_demux_read_video(struct weir_demux *demux, AVPacket *packet)
{
    pthread_mutex_lock(&demux->lock);
    while (!has_packet(&demux->frames) && !demux->has_ended) {
        pthread_cond_wait(&demux->changed, &demux->lock);
    }
    return give(demux, &demux->frames, demux->error, packet);
}

int weir_demux_read_audio(struct weir_demux *demux, AVPacket *packet)
{
    pthread_mutex_lock(&demux->lock);
    while (!has_packet(&demux->audio) && !demux->has_ended && !is_full(demux)) {
        pthread_cond_wait(&demux->changed, &demux->lock);
    }
    return give(demux, &demux->audio, demux->has_ended ? AVERROR_EOF : AVERROR(EAGAIN), packet);
}

void weir_demux_end_video(struct weir_demux *demux, int64_t end_ns)
{
    pthread_mutex_lock(&demux->lock);
    demux->is_video_ended = true;
    demux->end_ns = end_ns;
    clear(&demux->frames);
    pthread_cond_broadcast(&demux->changed);
    pthread_mutex_unlock(&demux->lock);
}
