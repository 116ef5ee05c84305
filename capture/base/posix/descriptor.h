// SPDX-License-Identifier: MIT
// Descriptors of POSIX: none is one of the standard streams.
#pragma once

#include <signal.h>
#include <sys/stat.h>

#include "capture/base/file_parts.h"

// openat() with O_CLOEXEC, and a descriptor of at least 3. A host that was started without standard
// streams has 0, 1 and 2 free, and what it prints there would end up in the file.
int weir_descriptor_open(int folder, const char *path, int flags);

// Give the file of the descriptor the mode and, where the system permits it, the group of another
// one of the same owner.
void weir_part_take_rights(int fd, const struct stat *from);

// Block SIGXFSZ on a thread of the host, and unblock it. A SIGXFSZ that was raised in between is
// discarded. Both calls keep errno.
void weir_thread_hold_xfsz(sigset_t *before);
void weir_thread_release_xfsz(const sigset_t *before);
