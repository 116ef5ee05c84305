// SPDX-License-Identifier: MIT
// The decoder of an audio track, and the conversion of its samples to those of a movie.
#ifndef WEIR_CAPTURE_FILES_SOURCE_AUDIO_DECODER_H
#define WEIR_CAPTURE_FILES_SOURCE_AUDIO_DECODER_H

#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswresample/swresample.h>

#include <weir/audio.h>

// What is known of an audio stream before its packets are decoded.
struct weir_audio_stream {
    int index;                      // of the stream in its input
    const AVCodecParameters *codec; // borrowed from the stream
    AVRational time_base;
    char language[4]; // three letters; "" = not known
};
struct weir_audio_stream weir_audio_stream_get(const AVStream *stream);

struct weir_audio_decoder {
    struct weir_audio_track format;
    uint32_t sample_size; // [bytes]
    struct weir_audio_stream stream;
    AVCodecContext *codec;
    SwrContext *converter; // from frames like `like`
    AVFrame *like;
    enum AVSampleFormat converted; // interleaved
    AVChannelLayout layout;
    int64_t next_ns; // where the next samples go if they do not say it
};

// Open the decoder of a stream. Returns why the track is left out, or NULL. Close it in every case.
const char *weir_audio_decoder_open(struct weir_audio_decoder *track,
                                    const struct weir_audio_stream *stream);
void weir_audio_decoder_close(struct weir_audio_decoder *track);

// Convert a frame of the decoder to interleaved samples of track->format, in memory of `*room`
// bytes, which grows where it must; av_free() frees it. Returns an AVERROR.
int weir_audio_decoder_convert(struct weir_audio_decoder *track, const AVFrame *frame,
                               uint8_t **samples, unsigned *room, uint32_t *num_samples);

#endif
