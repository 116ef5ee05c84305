// SPDX-License-Identifier: MIT
// A sound track: its decoder, and the conversion of what that gives to samples for a movie.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SOUND_TRACK_H
#define WEIR_CAPTURE_FILES_SOURCE_SOUND_TRACK_H

#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <libswresample/swresample.h>

#include <weir/audio.h>

#include "capture/files/source/sound_stream.h"

struct weir_sound_track {
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

// Open the decoder of a stream. Returns why the track is left out, or NULL. Close it in every case.
const char *weir_sound_track_open(struct weir_sound_track *track,
                                  const struct weir_sound_stream *stream);
void weir_sound_track_close(struct weir_sound_track *track);

// Convert a frame of the decoder to interleaved samples of track->format, in memory of `*room`
// bytes, which grows where it must; av_free() frees it. Returns an AVERROR.
int weir_sound_track_convert(struct weir_sound_track *track, const AVFrame *frame,
                             uint8_t **samples, unsigned *room, uint32_t *num_samples);

#endif
