// SPDX-License-Identifier: MIT
// The inside of the sender, for the files that are it.
#ifndef WEIR_CAPTURE_LAYER_SENDER_PARTS_H
#define WEIR_CAPTURE_LAYER_SENDER_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "capture/layer/sender.h"

// A frame on its way to the recorder.
struct layer_item {
    struct layer_transfer *transfer;
    struct layer_blocks blocks;
    uint64_t number;
};

enum { LAYER_MAX_ITEMS = 1024 };

struct layer_sender {
    int socket;
    int wake;    // an eventfd: the thread has something to do
    int process; // in a child that the program forks there is no thread
    struct link_setup setup;
    atomic_bool is_recording;
    pthread_t thread;

    pthread_mutex_t mutex; // of all that follows, and of transfers
    pthread_cond_t changed;
    struct layer_transfer *transfers;
    uint32_t num_streams; // that were opened
    struct layer_item items[LAYER_MAX_ITEMS];
    uint32_t head, tail; // counters, not wrapped
    bool is_ending;      // the thread is to end
    bool is_lost;        // the recorder is gone
    bool is_stalled;     // the recorder let a frame wait too long; none waits until it releases one
    bool is_silent;      // as layer_sender_is_silent()
    bool is_drained;     // the program ends: no more frames are accepted
    struct timespec deadline; // while a transfer is closed: the end of waiting for the recorder
    bool has_deadline;
};

// Get the path of the recorder's socket: that of the environment, or of a recorder that is started
// once for the program. NULL: none is wanted, or none can be started, which one line on standard
// error says. Thread-safe.
const char *layer_recorder_path(void);

// Wait for a change until a time. False: the time has come. Under the mutex.
bool layer_sender_wait(struct layer_sender *sender, const struct timespec *until);

// Get the time that is so far from now, by CLOCK_MONOTONIC.
struct timespec layer_time_after_ms(unsigned ms);

// True if the time has come.
bool layer_time_is_over(const struct timespec *time);

// Let the thread look for work.
void layer_sender_wake(struct layer_sender *sender);

// Report the last frames of a transfer to the recorder, if they were dropped and had no room. Under
// the mutex.
void layer_transfer_report_last(struct layer_sender *sender, struct layer_transfer *transfer);

// Send a message, and wait until the socket accepts it. False: the recorder is gone.
bool layer_sender_send(struct layer_sender *sender, uint32_t type, struct link_message *message);

// What the thread runs.
void *layer_sender_run(void *sender);

#endif
