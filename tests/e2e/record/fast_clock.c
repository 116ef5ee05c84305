// SPDX-License-Identifier: MIT
// A monotonic clock that runs twice as fast as everybody else's, for a program that this is loaded
// into.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
    static const long second = 1000000000;
    const int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_MONOTONIC) {
        const long ns = 2 * time->tv_nsec;
        time->tv_sec = 2 * time->tv_sec + ns / second;
        time->tv_nsec = ns % second;
    }
    return result;
}
