// SPDX-License-Identifier: MIT
// Ctrl-C: the first asks the program to end well, the second ends it.
#include "capture/weir/common/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool interrupted; // lock-free, so a handler may set it and any thread read it

static void note(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupted, true);
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

bool cli_interrupted(void)
{
    return atomic_load(&interrupted);
}
