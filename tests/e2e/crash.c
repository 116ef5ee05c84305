// SPDX-License-Identifier: MIT
// FFmpeg's libraries that crash, for the program that this is loaded into by LD_PRELOAD: packet
// WEIR_CRASH_AT of an input whose name has WEIR_CRASH_INPUT in it raises WEIR_CRASH_SIGNAL. Or that
// happens when half of message WEIR_CRASH_MESSAGE of the process that decodes has been sent.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <libavformat/avformat.h>

typedef int read_function(AVFormatContext *format, AVPacket *packet);
typedef ssize_t send_function(int fd, const struct msghdr *message, int flags);

static bool is_decoder;

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

// Called by the process that decodes with one part, and by others with what it likes.
ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    static int num_messages;
    void *symbol = dlsym(RTLD_NEXT, "sendmsg");
    send_function *next;
    memcpy(&next, &symbol, sizeof(next));
    if (!is_decoder || ++num_messages != number("WEIR_CRASH_MESSAGE")) {
        return next(fd, message, flags);
    }
    struct msghdr half = *message;
    struct iovec part = message->msg_iov[0];
    part.iov_len /= 2;
    half.msg_iov = &part;
    next(fd, &half, flags);
    die(number("WEIR_CRASH_SIGNAL"));
    return -1;
}

__attribute__((constructor)) static void begin(int argc, char **arguments)
{
    is_decoder = argc == 3 && strcmp(arguments[1], "decode-for-weir") == 0;
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
