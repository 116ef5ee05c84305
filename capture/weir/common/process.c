// SPDX-License-Identifier: MIT
// What a program makes of the process that it was started in, before anything else.
#include "capture/weir/common/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void cli_process_begin(void)
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF) {
            // The lowest free number is this one. The mode is the one that nobody uses.
            open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
    // SIGXFSZ: also of a driver that keeps what it has compiled.
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}
