// SPDX-License-Identifier: MIT
// The audio of a movie: its tracks, decoded to samples that are not compressed.
//
// A file is opened a second time for it, so that frames and audio are read each at its own pace,
// however the file has them interleaved. What cannot be read twice is read once, for both.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswresample/swresample.h>

#include <weir/audio.h>
#include <weir/log.h>
#include <weir/result.h>

// What is known of an audio stream before its packets are decoded.
struct weir_audio_stream {
    int index;                // of the stream in its input
    AVCodecParameters *codec; // borrowed from the stream
    AVRational time_base;
    char language[4]; // three letters; "" = not known
};
struct weir_audio_stream weir_audio_stream_get(const AVStream *stream);

struct weir_audio_decoder {
    struct weir_audio_track format;
    uint32_t sample_size; // [bytes]
    struct weir_audio_stream stream;
    AVCodecContext *codec;
    SwrContext *converter;
    AVFrame *converted;                // the last frame, interleaved
    enum AVSampleFormat sample_format; // of it
    AVChannelLayout layout;            // of it
    bool has_layout;                   // a movie can hold that of the stream, or none is known
    int64_t next_ns;                   // where the next samples go if they do not say it
};

// Open the decoder of a stream. Returns why the track is left out, or NULL. Close it in every case.
const char *weir_audio_decoder_open(struct weir_audio_decoder *track,
                                    const struct weir_audio_stream *stream);
void weir_audio_decoder_close(struct weir_audio_decoder *track);

// Convert a frame of the decoder to interleaved samples of track->format, which are valid until the
// next call. Returns an AVERROR.
int weir_audio_decoder_convert(struct weir_audio_decoder *track, AVFrame *frame,
                               const uint8_t **samples, uint32_t *num_samples);

struct weir_demux;

// Start to read. `format` is borrowed until weir_demux_stop(), and nobody else reads packets of it.
// `video` is the stream of the frames. Without `keeps_audio` all others are left out.
// Returns an AVERROR: ENOMEM, or EAGAIN if the system gives no thread. `*out` is NULL then.
int weir_demux_start(AVFormatContext *format, int video, bool keeps_audio, struct weir_demux **out);

// Waits for a read of its thread. NULL is allowed; sets `*demux` to NULL.
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

typedef struct weir_audio_source weir_audio_source;

struct weir_audio_source_params {
    const char *path;         // of a file, or a URL; for messages where there is `demux`
    struct weir_demux *demux; // of weir_source_get_demux(); borrowed. NULL: the path is opened
    int64_t zero_ns;          // time of the first frame, by the file's clock
    bool is_apart;            // a file beside that of the frames: counted from its beginning on
    bool is_part;             // audio before that, of which there may be much, is not wanted
    struct weir_log log;
};

// Samples of a track, as weir_capture_audio() takes them. Valid until the next call.
struct weir_audio_block {
    uint32_t track;
    const uint8_t *samples;
    uint32_t num_samples, sample_size; // [bytes]
    int64_t time_ns;                   // since the first frame
};

// Open the audio of a movie. `*out` is NULL where it has none that can be decoded. A track that
// cannot be taken over is left out, with a warning.
// A track of integers of 8 or 16 bits becomes one of 16, one of up to 24 bits or of compressed
// audio one of 24, others stay what they are: samples that are not compressed are kept bit by bit.
// Channels keep their layout; for one that a movie cannot hold a line says what it becomes.
// Errors: WEIR_ERROR_IO, WEIR_ERROR_OUT_OF_MEMORY, with the reason in the log.
enum weir_result weir_audio_source_open(const struct weir_audio_source_params *params,
                                        weir_audio_source **out);
void weir_audio_source_close(weir_audio_source **source);

// Get the tracks. Returns their number, 1 .. WEIR_MAX_AUDIO_TRACKS.
uint32_t weir_audio_source_get_tracks(const weir_audio_source *source,
                                      struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS]);

// Decode the next samples of any track, in the order of the file. `*end`: there are none. What
// cannot be decoded is left out, with a warning.
// Returns WEIR_NOT_READY if they come behind frames of a pipe that were not read yet.
// Errors: as weir_audio_source_open().
enum weir_result weir_audio_source_read(weir_audio_source *source, struct weir_audio_block *block,
                                        bool *end);

// No more frames are read of the input, and no audio is wanted that comes later than a time since
// the first frame. Of a pipe the rest of the frames is left out then; call it before the audio
// behind them is read. weir_source_take() must not be called any more.
void weir_audio_source_end_frames(weir_audio_source *source, int64_t end_ns);
