// SPDX-License-Identifier: MIT
// Ctrl-C: the first asks the program to end well, the second ends it.
#include "capture/weir/common/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool interrupted; // lock-free, so a handler may set it and any thread read it
static atomic_int child;

static void note(int signal_number)
{
    const int error = errno;
    atomic_store(&interrupted, true);
    if (atomic_load(&child) != 0) {
        kill(atomic_load(&child), signal_number);
    }
    errno = error;
}

void cli_interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct sigaction before;
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

void cli_interrupt_pass_on(int process)
{
    atomic_store(&child, process);
}

void cli_interrupt_only_note(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler == note) {
            action.sa_flags &= ~(int)SA_RESETHAND;
            sigaction(signals[i], &action, NULL);
        }
    }
}

bool cli_interrupted(void)
{
    return atomic_load(&interrupted);
}
