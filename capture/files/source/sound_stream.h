// SPDX-License-Identifier: MIT
// What is known of a sound stream before its packets are decoded.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SOUND_STREAM_H
#define WEIR_CAPTURE_FILES_SOURCE_SOUND_STREAM_H

#include <libavformat/avformat.h>

struct weir_sound_stream {
    int index;                      // of the stream in its input
    const AVCodecParameters *codec; // borrowed from the stream
    AVRational time_base;
    char language[4]; // three letters; "" = not known
};

struct weir_sound_stream weir_sound_stream_get(const AVStream *stream);

#endif
