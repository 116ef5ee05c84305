// SPDX-License-Identifier: MIT
// The recording as a whole: when frames are recorded, into which takes, and when it ends.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <weir/blocks.h>
#include <weir/libav.h>

#include "capture/weir/record/audio/audio.h"
#include "capture/weir/record/record.h"

// A stream of frames of one size: the memory in which a layer hands them over, and who has which
// slot of it.

enum record_slot_state {
    RECORD_SLOT_FREE, // the layer's
    RECORD_SLOT_USED, // the capture's
    RECORD_SLOT_DONE, // the capture has given it back, and the layer does not know yet
};

struct record_slot {
    atomic_int state; // enum record_slot_state
    uint32_t number;
};

struct record_window;
struct record_page;

struct record_stream {
    struct record_stream *next; // of those that have ended
    struct record_window *window;
    uint32_t number, width, height;
    uint32_t preview_width, preview_height; // of the small picture of each frame
    uint64_t num_frames;                    // that were presented while it was recorded
    int64_t last_ns;                        // when the last of them was
    struct link_accept accept;
    uint8_t *memory;
    struct record_slot slots[LINK_MAX_SLOTS];
};

// Make the memory of a stream. `*fd` is for the layer; the caller closes it. NULL: there is none,
// or more than `most` would be needed [bytes].
struct record_stream *record_stream_create(const struct record_settings *settings,
                                           const struct link_stream *facts, uint64_t most, int *fd);
// Destroy a stream of which the capture has no slot. NULL is allowed.
void record_stream_destroy(struct record_stream *stream);

uint64_t record_stream_size(const struct record_stream *stream); // of its memory [bytes]

// Take a slot with a frame from the layer. NULL: there is no such slot, or it is not the layer's.
struct record_slot *record_stream_take(struct record_stream *stream, uint32_t slot);
uint8_t *record_stream_data(const struct record_stream *stream, const struct record_slot *slot);

// Note that the capture has given a slot back. Any thread.
void record_slot_release(struct record_slot *slot);

// Get a free slot to be sent to the layer, and make it the layer's. NULL: there is none.
struct record_slot *record_stream_next_done(struct record_stream *stream);

// True if the capture has no slot.
bool record_stream_is_idle(const struct record_stream *stream);

// The names of movies: where they are not given, and where one is there already.

// Get the folder of the user's videos, as user-dirs.dirs of XDG names it, if it is there. NULL: it
// is not. The caller frees it.
char *record_name_videos(void);

// Get the path of the first movie. `output`: a movie, or a folder; NULL: the folder of videos, else
// the current one. In a folder it is PROGRAM-YYYY-MM-DD-HHMMSS.mov, by local time. NULL: no memory.
// The caller frees it.
char *record_name_first(const char *output, const char *program, time_t now);

// Get a path at which no movie is, no segment of one and no sidecar: `first` itself, or with -2, -3
// and so on before its ending, from `*number` on, which becomes that of the next one to try.
// NULL: no memory. The caller frees it.
char *record_name_free(const char *first, uint32_t *number);

// The same, and hold the path by an empty file in the place of the first segment, so that no other
// recorder takes it. The capture replaces that file.
char *record_name_hold(const char *first, uint32_t *number);
// Remove that file if it is still empty.
void record_name_drop(const char *path);

// Get the name of the first segment of a movie. NULL: no memory. The caller frees it.
char *record_name_segment(const char *path);

// A take: what is recorded of a window from a start to the next stop, and becomes a movie.

struct record_take_params {
    const struct record_settings *settings;
    char *path;      // of the movie, whose segments have names that are made of it; the take's
    uint32_t number; // of all takes, from 1 on
    uint32_t window; // its number
    uint32_t width, height;          // of the last frame
    int wake;                        // an eventfd, written to when a slot or the take is done
    const struct record_ring *audio; // NULL: none
    int64_t start_ns;                // the time of the first frame
};

struct record_take {
    struct record_take *next;
    struct record_take_params params;
    weir_capture *capture;
    weir_libav *receiver; // NULL: none
    struct weir_libav_stats sent;
    atomic_int_least64_t closing_ns; // when closing began; 0: it has not
    struct record_feed *feed;        // of its audio; NULL: it has none
    int64_t end_ns;                  // when it ends, picture and audio, once it is being closed
    uint64_t num_frames;             // that the capture has taken
    int64_t first_ns, last_ns;
    int64_t pause_ns, pauses_ns; // when the last pause began; how long those were that have ended
    bool is_paused, keeps_segments;
    bool is_reported;                // its line was printed
    enum weir_result result;         // the first failure
    struct weir_capture_stats stats; // when it is closed
    pthread_t closer;
    bool has_closer;
    atomic_bool is_closed;
};

// Open the capture of a take. Prints the reason of a failure; NULL then, and the path is freed.
struct record_take *record_take_open(const struct record_take_params *params);

// Hand over a frame: blocks->owner is a struct record_slot, which comes back by
// record_slot_release() whatever the answer is. Errors: those of weir_capture_blocks().
enum weir_result record_take_frame(struct record_take *take, const struct weir_blocks *blocks);

// Pause and resume at a time of CLOCK_MONOTONIC. Frames that were presented before are recorded.
void record_take_pause(struct record_take *take, int64_t now_ns);
void record_take_resume(struct record_take *take, int64_t now_ns);

// Let audio from a time on be left out. INT64_MAX: none is.
void record_take_limit_audio(struct record_take *take, int64_t end_ns);

// Begin to close the movie, which ends at that time, on a thread, since the disk may take its time
// for it. is_closed is set when that is done.
void record_take_close(struct record_take *take, int64_t end_ns);
// What is left then: names the movie of a single segment as was asked for, and answers the first
// failure, which was printed.
enum weir_result record_take_finish(struct record_take *take);

void record_take_destroy(struct record_take *take);

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
    uint32_t num_streams;       // that are open; without one it is not shown
    int64_t left_ns;            // when the last of them ended
    bool has_failed;            // nothing of it is recorded any more
    struct record_take *take;   // NULL: none has begun
};

struct record_recording {
    const struct record_settings *settings;
    enum record_state state;
    bool has_begun;   // it was started once
    char *first_path; // of the first movie
    uint32_t path_number;
    int wake;                        // an eventfd: a slot is free, or a take closed
    const struct record_ring *audio; // of all takes; NULL: none
    struct record_page *page;        // NULL: none
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

// Get a window of a connection, which is added if it is new. If it has `most` already, the one that
// was left first is forgotten. NULL: there is no memory.
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
