// SPDX-License-Identifier: MIT
// weir record: its options, the settings of a recording, which are what layers and captures get of
// them, and what the command does: it records, or lets WEIR_RECORD=1 record.
#ifndef WEIR_CAPTURE_WEIR_RECORD_RECORD_H
#define WEIR_CAPTURE_WEIR_RECORD_RECORD_H

#include <weir/capture.h>

#include "capture/link/link.h"
#include "capture/weir/common/options.h"
#include "capture/weir/common/program.h"
#include "capture/weir/record/audio/audio.h"

struct record_options {
    int codec, decoder, policy, compression; // indices into tables of names
    int effort;                              // of cli_movie_efforts
    int level;                               // of the pyramid
    int audio;                               // an enum record_audio_kind; -1: as can be
    int verb;                                // an enum record_verb; -1: this command records
    const char *output;                      // a movie or a folder; NULL: a name of its own
    struct weir_ratio rate;
    uint64_t frames; // of a window; 0: all
    uint64_t window; // its number; 0: all
    uint64_t served; // the process that is recorded; 0: this one starts it
    uint64_t slots, every, segment_bytes, verb_process;
    double duration, after, segment_s, replay_s, sync_s; // [s]
    bool steady, no_dither, constant_rate, paused, sidecar, gl, install, uninstall, quiet, json;
};

struct record_settings {
    struct link_setup setup;            // but for is_recording
    struct weir_capture_params capture; // but for the path
    uint64_t after_ns, duration_ns;     // 0 = at once; without end
    const struct record_options *options;
};

// Get the settings of options, which are borrowed. Options that contradict each other are
// reported; CLI_USAGE then.
enum cli_status record_settings_make(const struct record_options *options,
                                     struct record_settings *settings);

// Get why a stream of a layer cannot be recorded. NULL: it can.
const char *record_settings_refuse(const struct record_settings *settings,
                                   const struct link_stream *stream);

// Start the program of `arguments` and record it until it has ended. The answer is the exit status:
// the program's if there is a movie and all of it is well, else CLI_FAILED.
int record_run(const struct record_settings *settings, char **arguments);

// Write the manifest into the user's folder, or remove it. Prints what was done, or why not.
enum cli_status record_install(void);
enum cli_status record_uninstall(void);

#endif
