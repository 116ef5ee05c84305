// SPDX-License-Identifier: MIT
// Starts a recorder for a program that was not started by one.
//
// The recorder is `weir record --serve`. It leaves the program's session and parents at once, so
// that the program never sees a child that it does not know, and says the path of its socket.
#include "capture/layer/sender.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 64, PATH_ROOM = 128, START_MS = 5000, KILL_MS = 1000, TURN_MS = 5 };

// The program's environment, without what would change the recorder: libraries that a launcher
// brings along, and layers.
static char **make_environment(void)
{
    static const char *const left_out[] = {
        "LD_PRELOAD=", "LD_LIBRARY_PATH=", "VK_INSTANCE_LAYERS=", "WEIR_RECORD="};
    size_t num = 0;
    while (environ[num]) {
        num++;
    }
    char **kept = calloc(num + 1, sizeof(kept[0]));
    for (size_t i = 0, end = 0; kept && i < num; i++) {
        bool is_kept = true;
        for (size_t n = 0; n < sizeof(left_out) / sizeof(left_out[0]); n++) {
            is_kept = is_kept && strncmp(environ[i], left_out[n], strlen(left_out[n])) != 0;
        }
        if (is_kept) {
            kept[end++] = environ[i];
        }
    }
    return kept;
}

// Run the recorder with its standard output at `output`. Returns 0 or an error number.
static int spawn(int output, char **arguments, char **environment, pid_t *process)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", 0, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    const int failure = posix_spawnp(process, arguments[0], &files, &attributes, arguments,
                                     environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}

// Read the path that the recorder says. False: it says none in time.
static bool read_path(const struct link_descriptor *input, int64_t end_ms, char path[PATH_ROOM])
{
    size_t size = 0;
    while (size + 1 < PATH_ROOM && link_now_ms() < end_ms && link_is_held(input)) {
        struct pollfd event = {.fd = input->fd, .events = POLLIN};
        if (poll(&event, 1, TURN_MS) <= 0 || !link_is_held(input)) {
            continue; // nothing yet, or a signal of the program's
        }
        const ssize_t part = read(input->fd, path + size, PATH_ROOM - 1 - size);
        if (part == 0 || (part < 0 && errno != EINTR)) {
            break;
        }
        size += part > 0 ? (size_t)part : 0;
        path[size] = 0;
        char *end = strchr(path, '\n');
        if (end) {
            *end = 0;
            return end > path;
        }
    }
    return false;
}

// Wait until the process has ended. False: it has not in time.
static bool wait_for_end(pid_t process, int64_t end_ms)
{
    // -1: the program has waited for it already, or wants to know of no child.
    while (waitpid(process, NULL, WNOHANG) == 0) {
        if (link_now_ms() >= end_ms) {
            return false;
        }
        nanosleep(&(const struct timespec){.tv_nsec = TURN_MS * 1000000L}, NULL);
    }
    return true;
}

// Read the path of a recorder that was started, and leave no process that the program does not
// know. False: it says none in time.
static bool meet(pid_t process, const struct link_descriptor *input, char path[PATH_ROOM])
{
    const int64_t end_ms = link_now_ms() + START_MS;
    const bool is_started = read_path(input, end_ms, path);
    if (!wait_for_end(process, end_ms)) {
        // Without a path all that it has started goes too; it leads a group.
        kill(is_started ? process : -process, SIGKILL);
        wait_for_end(process, link_now_ms() + KILL_MS);
    }
    return is_started;
}

// `options` is cut in pieces, and `process` is this one.
static void split(char *options, char *process, char *arguments[MAX_ARGUMENTS])
{
    static char program[] = "weir", command[] = "record", serve[] = "--serve";
    size_t num = 0;
    arguments[num++] = program;
    arguments[num++] = command;
    arguments[num++] = serve;
    arguments[num++] = process;
    for (char *rest, *piece = strtok_r(options, " ", &rest); piece && num + 1 < MAX_ARGUMENTS;
         piece = strtok_r(NULL, " ", &rest)) {
        arguments[num++] = piece;
    }
    arguments[num] = NULL;
}

static bool start(char path[PATH_ROOM])
{
    char *arguments[MAX_ARGUMENTS], number[16];
    const char *given = getenv("WEIR_RECORD_OPTIONS");
    char *options = strdup(given ? given : "");
    char **environment = make_environment();
    int ends[2] = {-1, -1};
    int failure = options && environment ? 0 : ENOMEM;
    if (!failure && pipe2(ends, O_CLOEXEC) != 0) {
        failure = errno;
    }
    struct link_descriptor input = link_hold(link_raise(ends[0]));
    struct link_descriptor output = link_hold(link_raise(ends[1]));
    bool is_started = false;
    if (!failure) {
        pid_t process;
        snprintf(number, sizeof(number), "%d", (int)getpid());
        split(options, number, arguments);
        failure = spawn(output.fd, arguments, environment, &process);
        link_drop(&output);
        is_started = !failure && meet(process, &input, path);
    }
    link_drop(&input);
    free(environment);
    free(options);
    if (!is_started) {
        layer_print("cannot start 'weir record --serve': %s; nothing is recorded",
                    failure ? strerror(failure) : "it did not report its socket");
    }
    return is_started;
}

const char *layer_recorder_path(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static char started[PATH_ROOM];
    static bool was_tried;
    const char *path = getenv(LINK_SOCKET_VARIABLE);
    if (path && path[0] != 0) {
        return path;
    }
    const char *wish = getenv("WEIR_RECORD");
    if (!wish || strcmp(wish, "1") != 0) {
        return NULL;
    }
    pthread_mutex_lock(&mutex);
    if (!was_tried) {
        was_tried = true;
        if (!start(started)) {
            started[0] = 0;
        }
    }
    pthread_mutex_unlock(&mutex);
    return started[0] != 0 ? started : NULL;
}
