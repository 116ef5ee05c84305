// SPDX-License-Identifier: MIT
// Lines on the program's standard error.
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/layer/sender.h"

static struct link_descriptor error_output = {.fd = -1};

// A program that has closed standard error may have a file of its own there later.
__attribute__((constructor)) static void find_error_output(void)
{
    error_output = link_hold(STDERR_FILENO);
}

// True if a line can be written at once. A pipe that nobody reads would block, and one that nobody
// can read any more would end the program by SIGPIPE.
static bool has_room(void)
{
    enum { TURNS = 10, TURN_MS = 10 };
    struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};
    for (int i = 0; i < TURNS && poll(&output, 1, TURN_MS) <= 0; i++) { // 0, or a signal
    }
    return output.revents == POLLOUT && link_is_held(&error_output);
}

void layer_print(const char *format, ...)
{
    char line[1024] = "weir: ";
    const size_t begin = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + begin, sizeof(line) - begin - 1, format, arguments);
    va_end(arguments);
    strcat(line, "\n");
    if (has_room()) { // no buffer, whose lock a thread of the program may hold
        (void)!write(STDERR_FILENO, line, strlen(line));
    }
}
