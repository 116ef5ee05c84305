// SPDX-License-Identifier: MIT
// The closer: completes a sink on a thread of its own, so that who writes the next one does not
// wait for the disk.
#ifndef WEIR_CAPTURE_STREAM_MUX_CLOSER_H
#define WEIR_CAPTURE_STREAM_MUX_CLOSER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "capture/stream/mux/mux.h"

// Zero it. For one thread.
struct weir_mux_closer {
    pthread_t thread;
    bool is_started;      // and not joined
    struct weir_mux *mux; // the thread's
    atomic_int failure;   // enum weir_result: the first one
};

// Wait for the sink before, and begin with this one. Where the system gives no thread it is closed
// at once.
void weir_mux_closer_begin(struct weir_mux_closer *closer, struct weir_mux *mux);

// Get the first failure of what is closed so far.
enum weir_result weir_mux_closer_failure(const struct weir_mux_closer *closer);

// Wait for the last sink, and get the first failure of all.
enum weir_result weir_mux_closer_finish(struct weir_mux_closer *closer);

#endif
