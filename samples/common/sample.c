// SPDX-License-Identifier: MIT
// Running a sample: in a window, or headless. Its process: standard streams, and signals.
#include "sample.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "report.h"

static atomic_bool interrupted, wants_replay; // lock-free, so that a handler may set them

static void note(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
}

// Opens those of standard input, output and error that are closed, so that no file gets their
// numbers and then our messages. A write to a closed pipe or beyond a limit of the file's size
// becomes an error instead of a signal. SIGINT, SIGTERM and SIGHUP are noted, the first of each,
// unless they are ignored already, as by nohup.
static void begin(void)
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF) {
            // The lowest free number is this one. The mode is the one that nobody uses.
            open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before, action = {.sa_handler = note, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); ++i) {
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

static void note_replay(int signal_number)
{
    (void)signal_number;
    atomic_store(&wants_replay, true);
}

void process_note_replay(void)
{
    struct sigaction action = {.sa_handler = note_replay, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
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
    begin();
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
