// SPDX-License-Identifier: MIT
// The progress line: on a terminal only, drawn anew five times a second or at each step.
#ifndef WEIR_CAPTURE_WEIR_COMMON_PROGRESS_H
#define WEIR_CAPTURE_WEIR_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct cli_progress {
    bool shown;
    uint64_t start_ns, last_ns;
    const char *label; // stands before the numbers; NULL: nothing. Borrowed
};

void cli_progress_start(struct cli_progress *progress, bool quiet);

// `num_frames`: how many there will be, 0 = unknown.
void cli_progress_update(struct cli_progress *progress, uint64_t frames, uint64_t num_frames,
                         uint64_t bytes);

// Show the progress of a work of few long steps: the number of the current one, and what it does.
void cli_progress_step(struct cli_progress *progress, uint64_t step, uint64_t num_steps,
                       const char *what);

// Clear the line and return the seconds since the start.
double cli_progress_finish(struct cli_progress *progress);

// Get the text that erases the line on standard error: a control sequence on a terminal, else "".
const char *cli_progress_erase(void);

#endif
