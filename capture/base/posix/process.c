// SPDX-License-Identifier: MIT
// Standard streams and signals.
#include "capture/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

void weir_process_prepare(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF) {
            // The lowest free number is this one. The mode is the one that nobody uses.
            open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
    // SIGXFSZ: also of a driver that keeps what it has compiled.
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); // whoever ignores it is not told how a process ended
}

static void (*note_interrupt)(void);

static void handle(int signal_number)
{
    (void)signal_number;
    note_interrupt();
}

void weir_process_on_interrupt(void (*note)(void))
{
    note_interrupt = note;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct sigaction before;
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}
