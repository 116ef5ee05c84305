// SPDX-License-Identifier: MIT
// The recording as a whole: when frames are recorded, into which takes, and when it ends.
#ifndef WEIR_CAPTURE_WEIR_RECORD_RECORDING_H
#define WEIR_CAPTURE_WEIR_RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/weir/record/record.h"
#include "capture/weir/record/stream.h"
#include "capture/weir/record/take.h"

enum record_state {
    RECORD_WAITING, // --after, --paused: no take has begun
    RECORD_ON,
    RECORD_PAUSED,
    RECORD_STOPPED, // takes are closed; another may be begun
    RECORD_OVER,    // none may be begun any more
};

// A window of a connection.
struct record_window {
    struct record_window *next; // of the recording
    uint64_t id, connection;    // as the layer calls it; the number of its connection
    uint32_t number;            // of all windows, from 1 on
    bool has_failed;            // nothing of it is recorded any more
    struct record_take *take;   // NULL: none has begun
};

struct record_recording {
    const struct record_settings *settings;
    enum record_state state;
    char *first_path; // of the first movie
    uint32_t path_number;
    int wake;                        // an eventfd: a slot is free, or a take closed
    const struct record_ring *audio; // of all takes; NULL: none
    struct record_window *windows;
    uint32_t num_windows, num_takes;
    uint64_t num_frames;          // that were taken, of all takes
    uint64_t memory, most_memory; // of all streams [bytes]
    struct record_take *closing;  // being closed
    struct record_take *closed;   // in the order in which they were begun
    bool has_failed;              // a movie is not what it should be
    bool has_limit;               // a first frame has come: the times below count
    int64_t first_ns;             // when that was
    int64_t paused_ns, pause_ns;  // length of all pauses since; begin of the current one
};

// Begin without a take. False if there is no memory.
bool record_recording_init(struct record_recording *recording,
                           const struct record_settings *settings, const char *program, int wake);
void record_recording_finish(struct record_recording *recording);

// Change what is recorded. False where the state does not allow it.
bool record_start(struct record_recording *recording); // or resume
bool record_pause(struct record_recording *recording);
bool record_stop(struct record_recording *recording); // the movies are closed
void record_end(struct record_recording *recording);  // and no other is begun

// Begin a chapter of all movies. Returns how many have it.
unsigned record_mark(struct record_recording *recording, const char *title);
// Save the last seconds of every movie; of a second one with -2 in its name. Returns how many were
// begun.
unsigned record_replay(struct record_recording *recording, const char *path);

// Get a window of a connection, which is added if it is new. NULL: it has `most` already, or there
// is no memory.
struct record_window *record_window_get(struct record_recording *recording, uint64_t connection,
                                        uint64_t id, unsigned most);
// Close and forget the windows of a connection.
void record_window_remove_all(struct record_recording *recording, uint64_t connection);
// True if one of them can be recorded, or there is none.
bool record_window_any_left(const struct record_recording *recording, uint64_t connection);

// Hand over a frame that a layer has sent.
void record_frame(struct record_recording *recording, struct record_stream *stream,
                  const struct link_frame *frame, struct record_slot *slot);

// Do what is due by now: the end by --duration; what is left of takes that were closed.
void record_tick(struct record_recording *recording);

#endif
