// SPDX-License-Identifier: MIT
// The packets of an input that cannot be read twice: a thread reads ahead, and the frames and the
// audio take theirs, each at its own pace.
#ifndef WEIR_CAPTURE_FILES_SOURCE_DEMUX_H
#define WEIR_CAPTURE_FILES_SOURCE_DEMUX_H

#include <stdbool.h>
#include <stdint.h>

#include <libavformat/avformat.h>

#include "capture/files/source/audio_decoder.h"

struct weir_demux;

// Start to read. `format` is borrowed until weir_demux_stop(), and nobody else reads packets of it.
// `video` is the stream of the frames. Without `keeps_audio` all others are left out.
// Returns an AVERROR: ENOMEM, or EAGAIN if the system gives no thread. `*out` is NULL then.
int weir_demux_start(AVFormatContext *format, int video, bool keeps_audio, struct weir_demux **out);

// A read that waits must have been interrupted. NULL is allowed; sets `*demux` to NULL.
void weir_demux_stop(struct weir_demux **demux);

// Get the audio streams as they were at the start. They live as long as it.
const struct weir_audio_stream *weir_demux_get_audio(const struct weir_demux *demux,
                                                     unsigned *num_streams);

// Get the next packet of the frames. At most 64 of them, or 64 MiB, are read ahead.
// Returns what av_read_frame() does; AVERROR(ENOMEM) if packets may have got lost for that;
// AVERROR(ENOBUFS) if the audio would have to wait for the frames in more than
// WEIR_DEMUX_MAX_AUDIO bytes.
int weir_demux_read_video(struct weir_demux *demux, AVPacket *packet);
#define WEIR_DEMUX_MAX_AUDIO ((size_t)256 << 20)

// Get the next packet of any audio track. AVERROR(EAGAIN): it comes behind frames that nobody has
// taken yet. AVERROR_EOF: there are none, which an error of reading is too.
int weir_demux_read_audio(struct weir_demux *demux, AVPacket *packet);

// No more frames are wanted: from now on packets of them are left out, and reading ends with one
// that is later than `end_ns` by the clock of the input.
void weir_demux_end_video(struct weir_demux *demux, int64_t end_ns);

#endif
