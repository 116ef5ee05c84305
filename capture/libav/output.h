// SPDX-License-Identifier: MIT
// A container of libavformat that is open at an address, and takes packets.
#pragma once

#include <libavformat/avformat.h>

#include <weir/libav.h>

// Get the muxer of a name, or of the ending of an address. NULL: this FFmpeg has none.
const AVOutputFormat *libav_output_format(const char *name, const char *url);

// Open the address, and write the head of the container. `interrupt` is asked while the other side
// is waited for; nonzero ends that. Returns 0 or an error of FFmpeg's, and `*out` is NULL then.
int libav_output_open(const struct weir_libav_params *params, const AVOutputFormat *format,
                      const struct weir_capture_track *track, AVIOInterruptCB interrupt,
                      AVFormatContext **out);

// Write a packet, whose time stamps are in its time base. Its reference is taken over.
int libav_output_write(AVFormatContext *output, AVPacket *packet);

// End the container, and close the address. NULL is allowed.
int libav_output_close(AVFormatContext **output);
