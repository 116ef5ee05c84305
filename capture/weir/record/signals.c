// SPDX-License-Identifier: MIT
// The signals that the recorder listens to, as a file that can be polled.
#include "capture/weir/record/signals.h"

#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

int record_signals_open(sigset_t *before)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGUSR1);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        struct sigaction action;
        // One that is blocked would come though it is ignored.
        if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(&set, ends[i]);
        }
    }
    sigprocmask(SIG_BLOCK, &set, before);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int record_signals_read(int fd, bool *by_terminal)
{
    struct signalfd_siginfo info;
    if (read(fd, &info, sizeof(info)) != (ssize_t)sizeof(info)) {
        return 0;
    }
    *by_terminal = info.ssi_code == SI_KERNEL;
    return (int)info.ssi_signo;
}
