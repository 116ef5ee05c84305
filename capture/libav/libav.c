// SPDX-License-Identifier: MIT
// A capture's sink that hands packets to a thread, which writes them by libavformat.
#include <weir/libav.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/error.h>
#include <libavutil/threadmessage.h>
#include <libavutil/time.h>

#include "capture/base/thread.h"
#include "capture/libav/output.h"

enum { DEFAULT_PACKETS = 32, MAX_PACKETS = 4096 };
#define SECOND_US 1000000

struct weir_libav {
    struct weir_libav_params params; // the url is a copy
    struct weir_audio_track audio_tracks[WEIR_MAX_AUDIO_TRACKS];
    bool drops; // its policy
    const AVOutputFormat *format;
    struct weir_capture_track track;
    AVThreadMessageQueue *queue; // of AVPacket *
    pthread_t thread;
    bool is_running;
    atomic_int_least64_t deadline_us; // of what the thread waits for, by av_gettime_relative()
    atomic_int failure;               // of WAIT: an error of FFmpeg's; 0: none
    atomic_int_least64_t told_us;     // when the last packets dropped were
    atomic_uint_least64_t num_written, num_dropped, num_bytes, num_connections;
    atomic_bool is_connected;
};

static enum weir_result result_of(int error)
{
    return error >= 0                 ? WEIR_OK
           : error == AVERROR(ENOSPC) ? WEIR_ERROR_DISK_FULL
           : error == AVERROR(ENOMEM) ? WEIR_ERROR_OUT_OF_MEMORY
                                      : WEIR_ERROR_IO;
}

// True if the thread is to wait no more.
static int is_over(void *user)
{
    struct weir_libav *libav = user;
    return av_gettime_relative() >= atomic_load(&libav->deadline_us) ||
           (libav->params.is_interrupted && libav->params.is_interrupted(libav->params.user));
}

// Note an error of opening or writing. With WAIT it is that of the capture.
static void fail(struct weir_libav *libav, const char *what, int error)
{
    if (libav->drops && is_over(libav)) {
        return; // the end interrupted it
    }
    weir_log_printf(&libav->params.log, libav->drops ? WEIR_LOG_WARNING : WEIR_LOG_ERROR,
                    error == AVERROR(ENOSPC) ? WEIR_LOG_CODE_DISK_FULL : WEIR_LOG_CODE_RECEIVER,
                    "cannot %s %s: %s%s", what, libav->params.url, av_err2str(error),
                    libav->drops ? "; it is tried again each second" : "");
    if (!libav->drops) {
        atomic_store(&libav->failure, error);
        av_thread_message_queue_set_err_send(libav->queue, error);
    }
}

// Count a packet that nobody received. The first of a second is told.
static void drop(struct weir_libav *libav)
{
    const uint64_t total = atomic_fetch_add(&libav->num_dropped, 1) + 1;
    const int64_t now_us = av_gettime_relative();
    if (libav->drops && now_us - atomic_load(&libav->told_us) >= SECOND_US) {
        atomic_store(&libav->told_us, now_us);
        weir_log_printf(&libav->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_RECEIVER,
                        "%s receives too slowly, or nothing: %" PRIu64 " packets were not sent",
                        libav->params.url, total);
    }
}

// What waited for a receiver is old when it comes.
static void drop_waiting(struct weir_libav *libav)
{
    AVPacket *packet;
    while (av_thread_message_queue_recv(libav->queue, &packet, AV_THREAD_MESSAGE_NONBLOCK) >= 0) {
        av_packet_free(&packet);
        atomic_fetch_add(&libav->num_dropped, 1);
    }
}

// Send packets until there are no more, or one cannot be sent. False then.
static bool send_packets(struct weir_libav *libav, AVFormatContext *output)
{
    AVPacket *packet;
    int error = 0;
    if (libav->drops) {
        drop_waiting(libav);
    }
    atomic_store(&libav->is_connected, true);
    atomic_fetch_add(&libav->num_connections, 1);
    while (error >= 0 && av_thread_message_queue_recv(libav->queue, &packet, 0) >= 0) {
        const uint64_t size = (uint64_t)packet->size;
        error = libav_output_write(output, packet);
        av_packet_free(&packet);
        atomic_fetch_add(&libav->num_written, error >= 0);
        atomic_fetch_add(&libav->num_bytes, error >= 0 ? size : 0);
    }
    if (error < 0) {
        drop(libav);
        fail(libav, "write to", error);
    }
    return error >= 0;
}

// With DROP the address is tried again once a second.
static void *run(void *user)
{
    struct weir_libav *libav = user;
    bool goes_on = true, is_open = true;
    while (goes_on && !is_over(libav)) {
        AVFormatContext *output;
        int error = libav_output_open(&libav->params, libav->format, &libav->track,
                                      (AVIOInterruptCB){is_over, libav}, &output);
        if (error < 0 && is_open) {
            fail(libav, "open", error);
        }
        is_open = error >= 0;
        const bool has_all = is_open && send_packets(libav, output);
        error = libav_output_close(&output);
        atomic_store(&libav->is_connected, false);
        if (has_all && error < 0) {
            fail(libav, "complete", error);
        }
        goes_on = !has_all && libav->drops;
        for (int i = 0; !is_open && goes_on && i < 100 && !is_over(libav); i++) {
            av_usleep(SECOND_US / 100);
        }
    }
    return NULL;
}

static enum weir_result open_sink(void *user, const struct weir_capture_track *track)
{
    struct weir_libav *libav = user;
    libav->track = *track;
    atomic_store(&libav->deadline_us, INT64_MAX);
    atomic_store(&libav->failure, 0);
    av_thread_message_queue_set_err_send(libav->queue, 0);
    av_thread_message_queue_set_err_recv(libav->queue, 0);
    libav->is_running = weir_thread_start(&libav->thread, "weir-libav", run, libav);
    return libav->is_running ? WEIR_OK
                             : weir_fail(&libav->params.log, WEIR_ERROR_OUT_OF_MEMORY,
                                         WEIR_LOG_CODE_OUT_OF_MEMORY,
                                         "no thread can be started for %s", libav->params.url);
}

// Give a packet to the thread.
static enum weir_result send(struct weir_libav *libav, const uint8_t *data, size_t size,
                             const AVPacket *facts)
{
    AVPacket *packet = av_packet_alloc();
    int error = packet ? av_new_packet(packet, (int)size) : AVERROR(ENOMEM);
    if (error >= 0) {
        memcpy(packet->data, data, size);
        packet->stream_index = facts->stream_index;
        packet->time_base = facts->time_base;
        packet->pts = packet->dts = facts->pts;
        packet->duration = facts->duration;
        packet->flags = AV_PKT_FLAG_KEY;
        error = av_thread_message_queue_send(libav->queue, &packet,
                                             libav->drops ? AV_THREAD_MESSAGE_NONBLOCK : 0);
    }
    if (error < 0) {
        av_packet_free(&packet);
        drop(libav);
    }
    return libav->drops ? WEIR_OK : result_of(error);
}

static enum weir_result take_packet(void *user, const struct weir_capture_packet *packet)
{
    const struct weir_libav *libav = user;
    return send(
        user, packet->data, packet->size,
        &(AVPacket){.time_base = {(int)libav->track.time_base_num, (int)libav->track.time_base_den},
                    .pts = packet->pts,
                    .duration = packet->duration});
}

static enum weir_result take_audio(void *user, const struct weir_capture_audio_packet *packet)
{
    const struct weir_libav *libav = user;
    return send(user, packet->data, packet->size,
                &(AVPacket){.stream_index = 1 + (int)packet->track,
                            .time_base = {1, (int)libav->audio_tracks[packet->track].sample_rate},
                            .pts = packet->pts,
                            .duration = packet->num_samples});
}

// With DROP the receiver has a second for what waits, if there is one.
static enum weir_result close_sink(void *user)
{
    struct weir_libav *libav = user;
    if (!libav->is_running) {
        return WEIR_OK;
    }
    if (libav->drops) {
        const int64_t now_us = av_gettime_relative();
        const bool has_receiver = atomic_load(&libav->is_connected);
        atomic_store(&libav->deadline_us, has_receiver ? now_us + SECOND_US : now_us);
    }
    av_thread_message_queue_set_err_recv(libav->queue, AVERROR_EOF);
    pthread_join(libav->thread, NULL);
    libav->is_running = false;
    drop_waiting(libav); // where nobody received
    return result_of(atomic_load(&libav->failure));
}

// Check the params, and find the muxer and the protocol in this FFmpeg.
static enum weir_result check(const struct weir_libav_params *params, const AVOutputFormat **format)
{
    const struct weir_log *log = &params->log;
    if (!params->url || !params->url[0] || (unsigned)params->policy > WEIR_LIBAV_DROP ||
        params->num_packets > MAX_PACKETS || params->num_audio_tracks > WEIR_MAX_AUDIO_TRACKS ||
        (params->num_audio_tracks > 0 && !params->audio_tracks)) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_libav_params needs a url, a policy of enum weir_libav_policy, at "
                         "most %d packets, and at most %d audio_tracks that are there",
                         MAX_PACKETS, WEIR_MAX_AUDIO_TRACKS);
    }
    *format = libav_output_format(params->format, params->url);
    if (!*format) {
        return weir_fail(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                         "FFmpeg has no muxer of the name '%s' ('ffmpeg -muxers' lists them)",
                         params->format);
    }
    if (!((*format)->flags & AVFMT_NOFILE) && !avio_find_protocol_name(params->url)) {
        return weir_fail(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                         "this FFmpeg cannot open '%s' ('ffmpeg -protocols' lists what it can)",
                         params->url);
    }
    return WEIR_OK;
}

enum weir_result weir_libav_create(const struct weir_libav_params *params, weir_libav **out)
{
    if (out) {
        *out = NULL;
    }
    if (!params || !out) {
        return WEIR_ERROR_INVALID;
    }
    const AVOutputFormat *format = NULL;
    WEIR_TRY(check(params, &format));
    struct weir_libav *libav = calloc(1, sizeof(*libav));
    char *url = strdup(params->url);
    const unsigned num_packets = params->num_packets ? params->num_packets : DEFAULT_PACKETS;
    if (!libav || !url ||
        av_thread_message_queue_alloc(&libav->queue, num_packets, sizeof(AVPacket *)) < 0) {
        free(url);
        free(libav);
        return weir_fail(&params->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory for the output %s", params->url);
    }
    libav->params = *params;
    libav->params.url = url;
    libav->params.audio_tracks = libav->audio_tracks;
    libav->drops = params->policy == WEIR_LIBAV_DROP;
    libav->format = format;
    for (uint32_t i = 0; i < params->num_audio_tracks; i++) {
        libav->audio_tracks[i] = params->audio_tracks[i];
    }
    *out = libav;
    return WEIR_OK;
}

struct weir_sink_callbacks weir_libav_callbacks(weir_libav *libav)
{
    return (struct weir_sink_callbacks){
        .open = open_sink,
        .packet = take_packet,
        .audio = take_audio,
        .close = close_sink,
        .user = libav,
    };
}

struct weir_libav_stats weir_libav_get_stats(const weir_libav *libav)
{
    if (!libav) {
        return (struct weir_libav_stats){0};
    }
    return (struct weir_libav_stats){
        .written = atomic_load(&libav->num_written),
        .dropped = atomic_load(&libav->num_dropped),
        .bytes = atomic_load(&libav->num_bytes),
        .connections = atomic_load(&libav->num_connections),
        .is_connected = atomic_load(&libav->is_connected),
    };
}

void weir_libav_destroy(weir_libav **libav)
{
    if (libav && *libav) {
        av_thread_message_queue_free(&(*libav)->queue);
        free((char *)(*libav)->params.url);
        free(*libav);
        *libav = NULL;
    }
}
