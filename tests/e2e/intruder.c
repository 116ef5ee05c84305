// SPDX-License-Identifier: MIT
// A file that has taken over FFmpeg's libraries, for the program that this is loaded into by
// LD_PRELOAD: before the first packet it tries what WEIR_INTRUDER says, a line each, and prints
// what it got. The lines are "read PATH", "write PATH", "make PATH", "remove PATH", "run PATH",
// "take GIBIBYTES" of memory, and "limits".
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libavformat/avformat.h>

typedef int read_function(AVFormatContext *format, AVPacket *packet);

static bool open_file(const char *path, int flags)
{
    const int fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0;
}

static bool run(char *path)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        execv(path, (char *[]){path, NULL});
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool take(const char *gibibytes)
{
    void *memory = mmap(NULL, (size_t)atoi(gibibytes) << 30, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED;
}

static bool has_limits(void)
{
    struct rlimit core, time;
    return getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_max == 0 &&
           getrlimit(RLIMIT_CPU, &time) == 0 && time.rlim_cur != RLIM_INFINITY &&
           prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
}

static void attempt(const char *verb, char *what)
{
    errno = 0;
    const bool done = strcmp(verb, "read") == 0     ? open_file(what, O_RDONLY)
                      : strcmp(verb, "write") == 0  ? open_file(what, O_WRONLY)
                      : strcmp(verb, "make") == 0   ? open_file(what, O_WRONLY | O_CREAT | O_EXCL)
                      : strcmp(verb, "remove") == 0 ? unlink(what) == 0
                      : strcmp(verb, "run") == 0    ? run(what)
                      : strcmp(verb, "take") == 0   ? take(what)
                                                    : has_limits();
    fprintf(stderr, "intruder %s %s: %s\n", verb, what, done ? "done" : "refused");
}

int av_read_frame(AVFormatContext *format, AVPacket *packet)
{
    static atomic_bool has_tried;
    const char *wanted = getenv("WEIR_INTRUDER");
    char *lines = wanted && !atomic_exchange(&has_tried, true) ? strdup(wanted) : NULL,
         *rest = NULL;
    for (char *line = lines ? strtok_r(lines, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        char *space = strchr(line, ' ');
        if (space) {
            *space = 0;
        }
        attempt(line, space ? space + 1 : line);
    }
    free(lines);
    errno = 0; // Weir asks whether memory failed
    void *symbol = dlsym(RTLD_NEXT, "av_read_frame");
    read_function *next;
    memcpy(&next, &symbol, sizeof(next));
    return next(format, packet);
}
