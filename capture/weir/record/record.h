// SPDX-License-Identifier: MIT
// weir record: its options, the program that it runs, the settings of a recording, which are what
// layers and captures get of them, and what the command does: it records, or lets WEIR_RECORD=1
// record.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <weir/capture.h>

#include "capture/link/link.h"
#include "capture/weir/common/address.h"
#include "capture/weir/common/options.h"
#include "capture/weir/common/program.h"
#include "capture/weir/record/audio/audio.h"

struct record_options {
    int codec, decoder, policy, compression; // indices into tables of names
    int effort;                              // of cli_movie_efforts
    int level;                               // of the pyramid
    int resize;                              // enum weir_resize
    int audio;                               // an enum record_audio_kind; -1: as can be
    int verb;                                // an enum record_verb; -1: this command records
    const char *output; // a movie, a folder or an address; NULL: a name of its own
    const char *also;   // an address beside the movie; NULL: none
    const char *live;   // where the page listens; NULL: there is none
    const char *format; // of what goes to an address; NULL: as libavformat chooses
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
    struct cli_receiver receiver;
    uint64_t window;                // the only one, by its number; 0: all
    uint64_t after_ns, duration_ns; // 0 = at once; without end
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

struct record_program {
    pid_t process;
    bool is_foreign; // this one did not start it, and it gets no signals of it
    int file;        // of a foreign one: it can be read when that has ended
    bool has_ended;
    bool has_children; // processes of the program that go on, or did when it was asked last
    int status;        // as a shell has it: of its exit, or 128 and the signal that killed it
};

// Start the program of `arguments`, which end with NULL, with the layer of that folder and the
// recorder's socket in its environment, and signals as they were `before`. Its processes become
// those of this one when their parents end. Prints the reason of a failure; false then.
bool record_program_start(struct record_program *program, char **arguments, const char *layer,
                          const char *socket, bool is_open_gl, const sigset_t *before);

// Watch a program that runs, and get its name. Prints the reason of a failure; false then.
bool record_program_attach(struct record_program *program, pid_t process, char *name,
                           size_t name_size);

// Note which processes have ended.
void record_program_reap(struct record_program *program);

// Pass on a signal that came to the recorder, unless the program has it from the terminal too.
void record_program_pass_on(const struct record_program *program, int signal, bool by_terminal);

// True if a process is `program`, or a child of that or of this one, or a child's child and so on.
// A recorder that starts the program has no other child, and becomes the parent of those of its
// processes whose own has ended: it has 0 for `program`.
bool record_program_has(int64_t process, int64_t program);

// Block SIGCHLD, SIGUSR1, SIGINT, SIGTERM and SIGHUP, and get a file descriptor that they come
// from; -1 with errno. Of the last three one that was ignored when the program was started stays
// so. `*before` is for a program that is started.
int record_signals_open(sigset_t *before);

// Get a signal that has come; 0: none. `*by_terminal`: the terminal sent it to all processes of
// its foreground group.
int record_signals_read(int fd, bool *by_terminal);
