// SPDX-License-Identifier: MIT
// Standard input and named pipes: a read that waits for more ends where it is asked to.
#include "capture/files/source/reader_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavutil/error.h>
#include <libavutil/mem.h>

enum { BUFFER_SIZE = 1 << 16, WAIT_MS = 100 };

struct pipe {
    int fd;
    AVIOInterruptCB interrupted;
};

static int wait_for_bytes(const struct pipe *pipe)
{
    struct pollfd wanted = {.fd = pipe->fd, .events = POLLIN};
    for (;;) {
        if (pipe->interrupted.callback && pipe->interrupted.callback(pipe->interrupted.opaque)) {
            return AVERROR_EXIT;
        }
        const int num = poll(&wanted, 1, WAIT_MS);
        if (num > 0) {
            return 0; // or the end, or an error, which a read reports
        }
        if (num < 0 && errno != EINTR) {
            return AVERROR(errno);
        }
    }
}

static int read_bytes(void *user, uint8_t *bytes, int size)
{
    const struct pipe *pipe = user;
    for (;;) {
        const int error = wait_for_bytes(pipe);
        if (error < 0) {
            return error;
        }
        const ssize_t num = read(pipe->fd, bytes, (size_t)size);
        if (num >= 0) {
            return num > 0 ? (int)num : AVERROR_EOF;
        }
        if (errno != EINTR && errno != EAGAIN) {
            return AVERROR(errno);
        }
    }
}

static bool is_standard_input(const char *path)
{
    return strcmp(path, "pipe:0") == 0 || strcmp(path, "pipe:") == 0;
}

static bool is_pipe(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

int weir_pipe_open(const char *path, AVIOInterruptCB interrupted, AVIOContext **out)
{
    *out = NULL;
    if (!is_standard_input(path) && !is_pipe(path)) {
        return 0;
    }
    const int fd = is_standard_input(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return AVERROR(errno);
    }
    struct pipe *pipe = av_mallocz(sizeof(*pipe));
    uint8_t *buffer = av_malloc(BUFFER_SIZE);
    if (pipe && buffer) {
        *pipe = (struct pipe){fd, interrupted};
        *out = avio_alloc_context(buffer, BUFFER_SIZE, 0, pipe, read_bytes, NULL, NULL);
    }
    if (!*out) {
        av_free(buffer);
        av_free(pipe);
        if (fd != STDIN_FILENO) {
            close(fd);
        }
        return AVERROR(ENOMEM);
    }
    return 0;
}

void weir_pipe_close(AVIOContext **pipe)
{
    if (!*pipe) {
        return;
    }
    struct pipe *own = (*pipe)->opaque;
    if (own->fd != STDIN_FILENO) {
        close(own->fd);
    }
    av_free(own);
    av_freep(&(*pipe)->buffer); // which may be another one than at first
    avio_context_free(pipe);
}
