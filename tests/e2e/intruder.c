// SPDX-License-Identifier: MIT
// A file that has taken over FFmpeg's libraries, for the program that this is loaded into by
// LD_PRELOAD: before the first packet it tries what WEIR_INTRUDER says, a line each, and what it
// got becomes a message of the process that decodes. The lines are a word of attempt() and a path,
// "take GIBIBYTES" of memory, "say NUMBER" of messages, and "limits".
// Of the program itself, WEIR_MEANWHILE "NUMBER FROM TO" renames a file before that process of it
// starts, as another program may.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libavformat/avformat.h>

#include "capture/weir/decoder/channel.h"

typedef int spawn_function(pid_t *id, const char *path, const posix_spawn_file_actions_t *files,
                           const posix_spawnattr_t *attributes, char *const *arguments,
                           char *const *environment);
typedef int read_function(AVFormatContext *format, AVPacket *packet);

static int channel = -1; // the socket of the process that decodes

__attribute__((constructor)) static void begin(int argc, char **arguments)
{
    channel = argc == 3 ? atoi(arguments[2]) : -1;
}

static void tell(const char *verb, const char *what, bool done)
{
    char text[1024];
    const int size = snprintf(text, sizeof(text), "intruder %s %s: %s", verb, what,
                              done ? "done" : "refused");
    const struct channel_message log = {
        .type = CHANNEL_LOG, .size = (uint64_t)size, .severity = WEIR_LOG_WARNING};
    if (write(channel, &log, sizeof(log)) != sizeof(log) || write(channel, text, size) != size) {
        abort();
    }
}

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

// Not a program that starts: one that may not be started.
static bool become(char *path)
{
    execv(path, (char *[]){path, NULL});
    return errno != EPERM;
}

static bool get_socket(int family)
{
    const int fd = socket(family, SOCK_STREAM, 0);
    return fd >= 0 && close(fd) == 0;
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
           getrlimit(RLIMIT_FSIZE, &core) == 0 && core.rlim_max == 0 &&
           getrlimit(RLIMIT_CPU, &time) == 0 && time.rlim_cur != RLIM_INFINITY &&
           write(STDERR_FILENO, "intruder\n", 9) == 9; // it is no file
}

static bool say(int num)
{
    for (int i = 0; i < num; i++) {
        tell("is", "talking", true);
    }
    return true;
}

static void attempt(const char *verb, char *what)
{
    errno = 0;
    const bool done = strcmp(verb, "read") == 0       ? open_file(what, O_RDONLY)
                      : strcmp(verb, "write") == 0    ? open_file(what, O_WRONLY)
                      : strcmp(verb, "make") == 0     ? open_file(what, O_WRONLY | O_CREAT | O_EXCL)
                      : strcmp(verb, "truncate") == 0 ? truncate(what, 0) == 0
                      : strcmp(verb, "remove") == 0   ? unlink(what) == 0
                      : strcmp(verb, "rename") == 0   ? rename(what, "renamed") == 0
                      : strcmp(verb, "mode") == 0     ? chmod(what, 0777) == 0
                      : strcmp(verb, "folder") == 0   ? mkdir(what, 0777) == 0
                      : strcmp(verb, "run") == 0      ? run(what)
                      : strcmp(verb, "become") == 0   ? become(what)
                      : strcmp(verb, "kill") == 0     ? kill(getppid(), SIGURG) == 0
                      : strcmp(verb, "trace") == 0    ? ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0
                      : strcmp(verb, "socket") == 0   ? get_socket(AF_INET)
                      : strcmp(verb, "unix") == 0     ? get_socket(AF_UNIX)
                      : strcmp(verb, "take") == 0     ? take(what)
                      : strcmp(verb, "say") == 0      ? say(atoi(what))
                      : strcmp(verb, "get") == 0      ? fcntl(atoi(what), F_GETFD) >= 0
                                                      : has_limits();
    tell(verb, what, done);
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

int posix_spawn(pid_t *id, const char *path, const posix_spawn_file_actions_t *files,
                const posix_spawnattr_t *attributes, char *const *arguments,
                char *const *environment)
{
    static int num;
    int number = 0;
    char from[256], to[256];
    const char *wanted = getenv("WEIR_MEANWHILE");
    num++;
    if (wanted && sscanf(wanted, "%d %255s %255s", &number, from, to) == 3 && number == num &&
        rename(from, to) != 0) {
        abort();
    }
    void *symbol = dlsym(RTLD_NEXT, "posix_spawn");
    spawn_function *next;
    memcpy(&next, &symbol, sizeof(next));
    return next(id, path, files, attributes, arguments, environment);
}
