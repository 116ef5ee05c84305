// SPDX-License-Identifier: MIT
// FFmpeg's libraries that crash, for the program that this is loaded into by LD_PRELOAD: packet
// WEIR_CRASH_AT of an input whose name has WEIR_CRASH_INPUT in it raises WEIR_CRASH_SIGNAL. Or that
// happens just when half of the data of the write number WEIR_CRASH_WRITE is in its file.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <libavformat/avformat.h>

typedef int read_function(AVFormatContext *format, AVPacket *packet);

static int number(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

// As a fault of the processor's: whether the thread blocks signals, or a sanitizer makes a status
// of it, does not count.
static void die(int signal_number)
{
    sigset_t all;
    sigfillset(&all);
    signal(signal_number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    raise(signal_number);
}

ssize_t writev(int fd, const struct iovec *parts, int num_parts)
{
    static int num_writes;
    struct stat status;
    const bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    const bool is_last = is_file && ++num_writes == number("WEIR_CRASH_WRITE");
    size_t left = 0; // to be written
    for (int i = 0; i < num_parts; i++) {
        left += parts[i].iov_len;
    }
    left = is_last ? left / 2 : left;
    ssize_t total = 0;
    for (int i = 0; i < num_parts; i++) {
        const size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
        const ssize_t written = write(fd, parts[i].iov_base, size);
        if (written != (ssize_t)size) {
            return total > 0 ? total : written;
        }
        total += written;
        left -= size;
    }
    if (is_last) {
        die(number("WEIR_CRASH_SIGNAL"));
    }
    return total;
}

int av_read_frame(AVFormatContext *format, AVPacket *packet)
{
    static int num_packets;
    const char *input = getenv("WEIR_CRASH_INPUT");
    if (input && strstr(format->url, input) && ++num_packets == number("WEIR_CRASH_AT")) {
        die(number("WEIR_CRASH_SIGNAL"));
    }
    void *symbol = dlsym(RTLD_NEXT, "av_read_frame");
    read_function *next;
    memcpy(&next, &symbol, sizeof(next));
    return next(format, packet);
}
