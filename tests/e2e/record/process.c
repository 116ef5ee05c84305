// SPDX-License-Identifier: MIT
// What a process does besides presenting: forks, and ends of all kinds.
#include "process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void process_fork(bool becomes_other)
{
    const struct timespec moment = {.tv_nsec = 200000000};
    const pid_t child = fork();
    if (child < 0) {
        perror("e2e_present: fork");
        exit(1);
    }
    if (child == 0) {
        if (becomes_other) {
            execlp("true", "true", (char *)NULL);
        }
        nanosleep(&moment, NULL);
        _exit(0);
    }
}

void process_wait(void)
{
    while (wait(NULL) > 0) {
    }
}

void process_end(enum end end)
{
    switch (end) {
    case END_ABORT:
        abort();
    case END_SEGV:
        raise(SIGSEGV);
        break;
    case END_KILL:
        raise(SIGKILL);
        break;
    case END_EXEC:
        execlp("true", "true", (char *)NULL);
        perror("e2e_present: true");
        _exit(1);
    default:
        break;
    }
}
