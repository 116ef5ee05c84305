// SPDX-License-Identifier: MIT
// Running a sample: in a window, or headless; and what ends it.
#include "sample.h"

#include <stdatomic.h>
#include <stdio.h>

#include "process.h"
#include "report.h"

static atomic_bool interrupted, wants_replay; // lock-free, so that a handler may set them

static void note(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
}

static void note_replay(int signal_number)
{
    (void)signal_number;
    atomic_store(&wants_replay, true);
}

void process_note_replay(void)
{
    process_on_replay(note_replay);
}

bool process_wants_replay(void)
{
    return atomic_exchange(&wants_replay, false);
}

bool process_interrupted(void)
{
    return atomic_load(&interrupted);
}

// Return true if all that was printed has been written. Otherwise print an error.
static bool has_printed(void)
{
    return (fflush(stdout) == 0 && !ferror(stdout)) || report("cannot write to standard output");
}

int sample_main(struct sample *sample, int argc, char **argv)
{
    process_begin(note);
    report_as(sample->program);
    const enum options_result parsed = options_parse(sample, argc, argv);
    if (parsed == OPTIONS_BAD) {
        return 2;
    }
    bool ok = true;
    if (parsed == OPTIONS_RUN) {
        ok = sample->options.headless ? offscreen_run(sample) : window_run(sample);
    }
    if (process_interrupted()) {
        ok = report("interrupted");
    }
    return has_printed() && ok ? 0 : 1;
}
