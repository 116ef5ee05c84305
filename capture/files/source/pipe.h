// SPDX-License-Identifier: MIT
// Standard input and named pipes: a read that waits for more ends where it is asked to.
#ifndef WEIR_CAPTURE_FILES_SOURCE_PIPE_H
#define WEIR_CAPTURE_FILES_SOURCE_PIPE_H

#include <libavformat/avio.h>

// Open a path that is standard input ("pipe:0", "pipe:") or a named pipe. `*out` is NULL for every
// other. A read asks `interrupted` some times a second while nothing comes. Returns an AVERROR.
int weir_pipe_open(const char *path, AVIOInterruptCB interrupted, AVIOContext **out);

// NULL is allowed; sets `*pipe` to NULL. Standard input stays open.
void weir_pipe_close(AVIOContext **pipe);

#endif
