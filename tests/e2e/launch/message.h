// SPDX-License-Identifier: MIT
// What a client tells a server of a run: this, with all its open files, then `size` bytes: the
// number of each file (int), then strings with a zero behind each: the folder, the arguments and
// the environment.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { LAUNCH_MAX_FILES = 64 };

struct launch_message {
    uint32_t size, num_files, num_arguments, num_variables;
};

// The address of the server of that name, which is no file.
static inline socklen_t launch_address(const char *name, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    const int length = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, "%s", name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}
