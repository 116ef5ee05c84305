// SPDX-License-Identifier: MIT
// What the program prints: lines, messages on standard error, and the progress line, which they do
// not tear: on a terminal only, drawn anew five times a second or at each step.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <weir/log.h>
#include <weir/result.h>

#include "capture/base/check.h"

// A log for Weir's libraries that prints warnings and errors as "weir: error: text".
extern const struct weir_log cli_log;

// Print a line, or a part of one, as printf does. What is in it of names of files is escaped as by
// weir_log_escape(); only a newline that ends `format` is one.
void cli_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Print a message of the program itself, as printf does, in the same form.
void cli_report(enum weir_log_severity severity, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define cli_report_error(...) cli_report(WEIR_LOG_ERROR, __VA_ARGS__)
// The same in a value: that of `result`, which the function returns then.
#define cli_fail(result, ...) (cli_report_error(__VA_ARGS__), (result))
#define CLI_FAIL_IF(condition, ...) WEIR_RETURN_IF(condition, cli_fail(__VA_ARGS__))
#define cli_report_warning(...) cli_report(WEIR_LOG_WARNING, __VA_ARGS__)
// A line that is neither, unless `quiet`.
#define cli_report_note(quiet, ...) ((quiet) ? (void)0 : cli_report(WEIR_LOG_INFO, __VA_ARGS__))

// Warnings and errors that were printed.
struct cli_notes {
    uint32_t num_left; // that had no room
    size_t size;       // of the notes [bytes]
    char notes[32768]; // each a byte, enum weir_log_severity, and a text that ends with 0
};

// Keep what is printed from now on; NULL: no longer.
void cli_report_keep(struct cli_notes *notes);

// Get how many errors have been printed so far.
unsigned cli_report_num_errors(void);

// Print that no memory is left if that is what `result` says and no error has been printed since
// their number was `num_before`. Most calls that fail for want of memory say nothing themselves.
void cli_report_no_memory(enum weir_result result, unsigned num_before);

// Several works, one after the other, that are one for who looks on. How many frames the later ones
// have is estimated from the sizes of their inputs.
struct cli_progress_works {
    uint64_t start_ns;
    uint64_t num_frames, num_bytes;    // made by those that have ended
    uint64_t ended_size, size_of_this; // of their inputs, and of that of the current one [bytes]
    uint64_t size;                     // of all inputs [bytes]
};

struct cli_progress {
    bool shown;
    uint64_t start_ns, last_ns;
    const char *label;                      // stands before the numbers; NULL: nothing. Borrowed
    const struct cli_progress_works *works; // this work is one of several; NULL: the only one
};

void cli_progress_start(struct cli_progress *progress, bool quiet);

// `num_frames`: how many there will be, 0 = unknown. Of several works all frames are shown.
void cli_progress_update(struct cli_progress *progress, uint64_t frames, uint64_t num_frames,
                         uint64_t bytes);

// Show the progress of a work of few long steps: the number of the current one, and what it does.
// `num_steps`: 0 = unknown.
void cli_progress_step(struct cli_progress *progress, uint64_t step, uint64_t num_steps,
                       const char *what);

// Clear the line and return the seconds since the start.
double cli_progress_finish(struct cli_progress *progress);

// Get the text that erases the line on standard error: a control sequence on a terminal, else "".
const char *cli_progress_erase(void);
