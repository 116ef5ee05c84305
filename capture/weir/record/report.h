// SPDX-License-Identifier: MIT
// What is said of a recording: a line while it runs, a line of each movie, and JSON.
#ifndef WEIR_CAPTURE_WEIR_RECORD_REPORT_H
#define WEIR_CAPTURE_WEIR_RECORD_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "capture/weir/common/progress.h"
#include "capture/weir/record/recording.h"

// The line that is drawn while it runs, on a terminal.
struct record_live {
    struct cli_progress progress;
    uint64_t frames_before, bytes_before; // when it was drawn last
};

void record_live_begin(struct record_live *live, bool quiet);
// Draw the line anew, once a second.
void record_live_update(struct record_live *live, const struct record_recording *recording);
void record_live_end(struct record_live *live);

// Print a line on each movie that is closed, once.
void record_report_closed(const struct record_recording *recording);

// Write what is recorded now: a line for each movie, or JSON.
void record_report_status(FILE *out, const struct record_recording *recording, bool json);

// Print JSON on all movies and the program to standard output.
void record_report_json(const struct record_recording *recording, const char *program, int status);

#endif
