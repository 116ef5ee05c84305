// SPDX-License-Identifier: MIT
// The audio of a movie: its tracks, decoded to samples that are not compressed.
//
// A file is opened a second time for it, so that frames and audio are read each at its own pace,
// however the file has them interleaved. What cannot be read twice is read once, for both.
#ifndef WEIR_CAPTURE_FILES_SOURCE_AUDIO_H
#define WEIR_CAPTURE_FILES_SOURCE_AUDIO_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/audio.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/files/source/demux.h"

typedef struct weir_audio_source weir_audio_source;

struct weir_audio_source_params {
    const char *path;         // of a file, or a URL; for messages where there is `demux`
    struct weir_demux *demux; // weir_source_get_demux(); borrowed. NULL: the path is opened
    int64_t zero_ns;          // time of the first frame, by the file's clock
    int (*interrupted)(void *user);
    void *user;
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

#endif
