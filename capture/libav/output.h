// SPDX-License-Identifier: MIT
// A container of libavformat that is open at an address, and takes packets.
#pragma once

#include <stdint.h>

#include <libavcodec/packet.h>
#include <libavformat/avformat.h>

#include <weir/audio.h>
#include <weir/sink.h>

struct libav_output_params {
    const char *url;
    const AVOutputFormat *format;
    struct weir_capture_track track;
    const struct weir_audio_track *audio_tracks;
    uint32_t num_audio_tracks;
    AVIOInterruptCB interrupt; // asked while the other side is waited for; nonzero ends it
};

// Get the muxer of a name, or of the ending of an address. NULL: this FFmpeg has none.
const AVOutputFormat *libav_output_format(const char *name, const char *url);

// Open the address, and write the head of the container. Returns 0 or an error of FFmpeg's, and
// `*out` is NULL then.
int libav_output_open(const struct libav_output_params *params, AVFormatContext **out);

// Write a packet, whose time stamps are in the time base of its track: those of the frames, or
// samples. Its reference is taken over.
int libav_output_write(AVFormatContext *output, const struct libav_output_params *params,
                       AVPacket *packet);

// End the container, and close the address. NULL is allowed.
int libav_output_close(AVFormatContext **output);
