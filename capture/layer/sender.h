// SPDX-License-Identifier: MIT
// The sender: the layer's one thread, which carries frames from the GPU to the recorder's memory,
// and alone uses the connection to the recorder.
//
// A transfer carries the frames of one stream through slots in memory that the recorder gave. The
// thread that presents gets a free slot and pushes the frame. The sender waits until the blocks are
// in host memory, copies them to the slot, and sends a message. A recorder that stops, hangs or
// dies costs frames, never the program: nothing here waits for it longer than a second. Nor does a
// program that closes every descriptor: threads wake each other by a condition alone.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <weir/readback.h>

#include "capture/link/link.h"

struct layer_transfer {
    struct layer_transfer *next;
    struct link_stream asked;  // with its number
    struct link_accept accept; // what the recorder gave
    // Under the sender's mutex:
    bool is_new;           // the recorder was not asked yet
    uint8_t *memory;       // NULL: the stream was refused
    uint64_t free_slots;   // a bit each
    uint32_t num_queued;   // frames that were pushed and are not done
    uint64_t num_frames;   // that were pushed
    int64_t unreported_ns; // when the last one was presented, if it had no room; else 0
    bool is_answered;
    bool is_refused;             // by the recorder, which has said so
    char reason[LINK_TEXT_SIZE]; // why the stream was refused
    // It was closed, but must stay: the thread waits for a GPU that has done nothing for ten
    // seconds, or it is that of the process which forked this one.
    bool is_kept;
};

// Where the blocks of a frame come from. `readback` NULL: the frame was dropped.
struct layer_blocks {
    weir_readback *readback;
    uint32_t readback_slot; // which the sender releases
    uint32_t slot;          // of the transfer, or LINK_NO_SLOT
    int64_t time_ns;
    bool has_preview;
};

// What is on its way to the recorder: LINK_FRAME, LINK_END of a transfer, or LINK_SAY.
struct layer_item {
    uint32_t type;
    struct layer_transfer *transfer; // NULL with a text
    struct layer_blocks blocks;      // of a frame
    uint64_t number;                 // of a frame
    struct link_say *say;            // the text, which the thread frees
};

// The thread waits so long for the recorder before it looks at its items again.
enum { LAYER_MAX_ITEMS = 1024, LAYER_WHILE_MS = 2 };

struct layer_sender {
    struct link_descriptor socket;
    int process;              // in a child that the program forks there is no thread
    atomic_int status;        // where the program's filters of system calls are read
    int filter;               // as link_filter_read() answers it at the start
    atomic_bool is_filtered;  // there is another by now
    struct link_setup setup;  // what the recorder wants; it does not change
    atomic_bool is_recording; // any thread may read it
    atomic_bool is_watched;   // small pictures are wanted
    pthread_t thread;

    pthread_mutex_t mutex; // of all that follows, and of transfers
    pthread_cond_t changed;
    struct layer_transfer *transfers;
    uint32_t num_streams; // that were opened
    struct layer_item items[LAYER_MAX_ITEMS];
    uint32_t head, tail; // counters, not wrapped
    bool is_ending;      // the thread is to end
    bool is_awaited;     // a thread waits for what the recorder says
    bool is_stuck;       // the thread makes no progress: it keeps what it has
    atomic_bool is_lost; // the recorder is gone
    bool is_stalled;     // the recorder let a frame wait too long; none waits until it releases one
    bool is_silent;      // as layer_sender_is_silent()
    bool is_drained;     // the program ends: no more frames are accepted
    struct timespec deadline; // while a transfer is closed: the end of waiting for the recorder
    bool has_deadline;
};

// Connect to the recorder that the environment names, and start the thread. NULL: there is none, or
// it does not answer, which one line on standard error says.
struct layer_sender *layer_sender_open(const char *device_name);
// End the thread and the connection. Transfers are closed. NULL is allowed; sets `*sender` to NULL.
void layer_sender_close(struct layer_sender **sender);

// Show the user a message: by the recorder, or on standard error where it is gone. NULL is allowed.
// Thread-safe.
void layer_sender_say(struct layer_sender *sender, bool is_error, const char *text);

// Give back the descriptors that the program may need now, where it has only a few left: it goes on
// unrecorded. Thread-safe.
void layer_sender_make_room(struct layer_sender *sender);

// False: the program has filtered its system calls since the start, or closed the file that says
// so. A filter may end the program for any call, so the recorder is lost. Its own call is pread().
// Thread-safe.
bool layer_sender_is_allowed(struct layer_sender *sender);

// True if frames are recorded now. Thread-safe.
bool layer_sender_is_recording(struct layer_sender *sender);

// The program ends: accept no more frames, and wait until the recorder has those that were pushed,
// or that time of CLOCK_MONOTONIC has come. Thread-safe.
void layer_sender_drain(struct layer_sender *sender, const struct timespec *until);

// True if the recorder did not answer for a stream in time and has said nothing since: it is not
// asked for another one. Thread-safe.
bool layer_sender_is_silent(struct layer_sender *sender);

// Ask the recorder for memory for a stream, whose number is chosen here, and wait for at most a
// second. False: it refused, which `reason` explains, or did not answer; `is_answered` says which.
bool layer_transfer_open(struct layer_sender *sender, struct layer_transfer *transfer,
                         const struct link_stream *stream);
// Wait for the frames that were pushed, and end the stream.
void layer_transfer_close(struct layer_sender *sender, struct layer_transfer *transfer);

// Get a free slot. With LINK_WAIT it sleeps until there is one, up to a second. False: there is
// none.
bool layer_transfer_get_slot(struct layer_sender *sender, struct layer_transfer *transfer,
                             uint32_t *slot);

// Push a frame. With LINK_WAIT it returns when the recorder's memory has the frame, or after a
// second.
void layer_transfer_push(struct layer_sender *sender, struct layer_transfer *transfer,
                         const struct layer_blocks *blocks);

// Give a slot back: its frame is dropped.
void layer_transfer_drop(struct layer_sender *sender, struct layer_transfer *transfer,
                         uint32_t slot, int64_t time_ns);

// Print a line on standard error, if the program has left that open.
__attribute__((format(printf, 1, 2))) void layer_print(const char *format, ...);

// Get the time that is so far from now, by CLOCK_MONOTONIC.
struct timespec layer_time_after_ms(unsigned ms);
bool layer_time_is_over(const struct timespec *time);

// Lock a mutex. False: a thread held it until that time.
bool layer_lock_until(pthread_mutex_t *mutex, const struct timespec *until);

// The rest is for the files of the sender.

// Get the path of the recorder's socket: that of the environment, or of a recorder that is started
// once for the program. NULL: none is wanted, or none can be started, which one line on standard
// error says. Thread-safe.
const char *layer_recorder_path(void);

// The recorder is gone, for that reason: the program goes on without it. Thread-safe.
void layer_sender_lose(struct layer_sender *sender, const char *why);

// Close what the layer holds in the program, unless a filter may forbid that.
void layer_sender_drop(struct layer_sender *sender);

// Print a line, unless the program has filtered its system calls. Thread-safe.
void layer_sender_print(struct layer_sender *sender, const char *text);

// True in a child that the program forked: it has no thread, and a mutex may be locked there.
bool layer_sender_is_forked(const struct layer_sender *sender);

// Wait for a change until a time. False: the time has come. Under the mutex.
bool layer_sender_sleep(struct layer_sender *sender, const struct timespec *until);

// Receive a message as link_receive() does. LINK_CLOSED too where the program has closed the
// connection.
enum link_result layer_sender_receive(struct layer_sender *sender, int timeout_ms,
                                      struct link_message *message, int *fd);

// What the thread runs.
void *layer_sender_run(void *sender);
