// SPDX-License-Identifier: MIT
// The audio of a movie that is made: from that of the input into the capture, beside the frames.
#ifndef WEIR_CAPTURE_WEIR_MOVIE_AUDIO_H
#define WEIR_CAPTURE_WEIR_MOVIE_AUDIO_H

#include <weir/capture.h>

#include "capture/files/source/audio.h"
#include "capture/files/source/source.h"

struct cli_audio {
    weir_audio_source *source; // NULL: there is none
    struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS];
    uint32_t num_tracks;
    struct weir_audio_block block; // the next one, if `is_pending`
    bool is_pending, has_ended;
    bool is_over[WEIR_MAX_AUDIO_TRACKS]; // a track has come to samples behind the last frame
};

// Open the audio of the movie `path`, whose pictures are `source`, which lives longer. Prints the
// reason of a failure. Close it in every case.
enum weir_result cli_audio_open(struct cli_audio *audio, const char *path,
                                const weir_source *source, int (*interrupted)(void *user));
void cli_audio_close(struct cli_audio *audio);

// Hand over the samples before a time since the first frame, which the capture has. `is_end`: what
// comes later does not belong to the movie.
// Errors: those of weir_audio_source_read() and weir_capture_audio().
enum weir_result cli_audio_send(struct cli_audio *audio, weir_capture *capture, int64_t until_ns,
                                bool is_end);

#endif
