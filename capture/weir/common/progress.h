// SPDX-License-Identifier: MIT
// The progress line: on a terminal only, drawn anew five times a second or at each step.
#ifndef WEIR_CAPTURE_WEIR_COMMON_PROGRESS_H
#define WEIR_CAPTURE_WEIR_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

// Several works, one after the other, that are one for who looks on. How many frames the later ones
// have is estimated from the sizes of their inputs. In memory that processes share.
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

#endif
