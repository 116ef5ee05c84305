// SPDX-License-Identifier: MIT
// FFmpeg's libraries that crash, for the program that this is loaded into by LD_PRELOAD: packet
// WEIR_CRASH_AT of an input whose name has WEIR_CRASH_INPUT in it raises WEIR_CRASH_SIGNAL.
#define _GNU_SOURCE // RTLD_NEXT
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

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
