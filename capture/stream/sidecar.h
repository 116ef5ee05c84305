// SPDX-License-Identifier: MIT
// The sidecar: a file of JSON beside a movie that says what it is, and which frames it lacks.
// docs/capture.md has its fields.
#pragma once

#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/stream/mux/mux.h"
#include "capture/stream/ring/ring.h"

struct weir_sidecar;

// A frame that was dropped.
struct weir_sidecar_drop {
    uint64_t number;
    int64_t time_ns; // since the movie's first frame
    enum weir_drop_reason reason;
};

// Begin the file `path`.json, which gets its name when it is closed. `ring` is borrowed: what the
// writer waits for. Errors: those of weir_file_open().
enum weir_result weir_sidecar_open(const char *path, const struct weir_capture_params *params,
                                   const struct weir_mux_params *movie, struct weir_ring *ring,
                                   struct weir_sidecar **out);

// All take NULL, and do nothing.

// The thread that submits frames: send a drop to the writer. What finds no room is counted.
// Takes no lock, allocates nothing.
void weir_sidecar_send(struct weir_sidecar *sidecar, const struct weir_sidecar_drop *drop);

// The writer: write a drop of its own, and those that were sent.
void weir_sidecar_write(struct weir_sidecar *sidecar, const struct weir_sidecar_drop *drop);
void weir_sidecar_write_sent(struct weir_sidecar *sidecar);

// What is known at the end.
struct weir_sidecar_end {
    struct weir_capture_stats stats;
    enum weir_result result;   // of the movie
    int64_t first_ns, last_ns; // weir_frame.time_ns of the first and the last frame taken
};

// Complete the file and free everything; no other thread runs. Without a written frame there is
// neither a movie nor a file. A failure is logged, and is none of the movie.
void weir_sidecar_close(struct weir_sidecar **sidecar, const struct weir_sidecar_end *end);
