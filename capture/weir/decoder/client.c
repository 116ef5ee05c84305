// SPDX-License-Identifier: MIT
// The process that decodes, as the program has it: its start, its requests, and its end.
#include "capture/weir/decoder/client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/decoder/decoder.h"

// Messages of a process beyond this number are not printed: a hostile one could fill a disk.
enum { MAX_LOGS = 10000 };

// Ctrl-C comes to all processes of a terminal. This one ends with its socket. It prints nothing but
// what sanitizers find.
static int spawn(pid_t *id, int socket)
{
    extern char **environ;
    char number[16];
    char *arguments[] = {"weir", DECODER_ARGUMENT, number, NULL};
    sigset_t held;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    snprintf(number, sizeof(number), "%d", socket);
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &held);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&files);
    int error = posix_spawn_file_actions_adddup2(&files, socket, socket); // stays open so
    for (int fd = STDOUT_FILENO; error == 0 && fd <= STDERR_FILENO && !WEIR_SANITIZED; fd++) {
        error = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
    }
    if (error == 0) {
        error = posix_spawn(id, "/proc/self/exe", &files, &attributes, arguments, environ);
    }
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return error;
}

// Say what it may read.
static bool send_start(const struct decoder_process *process, char *const *paths, size_t num_paths,
                       uint64_t max_memory)
{
    struct channel_message start = {.type = CHANNEL_START, .max_memory = max_memory};
    for (size_t i = 0; i < num_paths; i++) {
        start.size += strlen(paths[i]) + 1;
    }
    bool is_sent = channel_send_bytes(process->socket, &start, sizeof(start));
    for (size_t i = 0; is_sent && i < num_paths; i++) {
        is_sent = channel_send_bytes(process->socket, paths[i], strlen(paths[i]) + 1);
    }
    return is_sent;
}

// One that is computing does not see the end of its socket.
static int reap(struct decoder_process *process)
{
    int status = 0;
    process->is_over = true;
    if (process->id > 0) {
        kill(process->id, SIGKILL); // which changes nothing where it is ending by itself
        while (waitpid(process->id, &status, 0) < 0 && errno == EINTR) {
        }
    }
    return status;
}

void client_stop(struct decoder_process *process)
{
    pthread_mutex_lock(&process->lock);
    if (!process->is_over) {
        reap(process);
    }
    pthread_mutex_unlock(&process->lock);
}

void client_finish(struct decoder_process **process)
{
    if (*process) {
        client_stop(*process);
        close((*process)->socket);
        pthread_mutex_destroy(&(*process)->lock);
        free(*process);
        *process = NULL;
    }
}

static void report_end(const char *input, int status)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (number == SIGXCPU) {
        cli_report_error("the process that read %s was ended: it took very much time without a "
                         "picture; the file may be damaged",
                         input);
    } else if (number == SIGKILL) {
        cli_report_error("the process that read %s was killed, by the system if memory was short",
                         input);
    } else {
        cli_report_error(
            "the process that read %s crashed (%s): the file may be damaged, or memory was short",
            input, number != 0 ? strsignal(number) : "it ended by itself");
    }
}

// Nothing can be asked any more. Threads that find it out later say nothing.
static enum weir_result lose(struct decoder_process *process, bool is_wrong)
{
    pthread_mutex_lock(&process->lock);
    const bool is_told = process->is_over || cli_interrupted();
    const int status = process->is_over ? 0 : reap(process);
    pthread_mutex_unlock(&process->lock);
    if (!is_told && is_wrong) {
        cli_report_error("the process that read %s gave an answer that no decoder gives; the file "
                         "may be made to do harm",
                         process->input);
    } else if (!is_told) {
        report_end(process->input, status);
    }
    return WEIR_ERROR_IO;
}

enum weir_result client_start(char *const *paths, size_t num_paths, uint64_t max_memory,
                              struct decoder_process **out)
{
    int ends[2];
    *out = calloc(1, sizeof(**out));
    if (!*out) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    int error = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
    if (error == 0) {
        error = spawn(&(*out)->id, ends[1]);
        close(ends[1]);
        (*out)->socket = ends[0];
        if (error != 0) {
            close(ends[0]);
        }
    }
    if (error != 0) {
        free(*out);
        *out = NULL;
        return cli_fail(WEIR_ERROR_OUT_OF_MEMORY,
                        "the process that decodes cannot be started: %s; it takes /proc, and room "
                        "for one more process",
                        strerror(error));
    }
    pthread_mutex_init(&(*out)->lock, NULL);
    (*out)->input = num_paths == 1 ? paths[0] : "one of the pictures";
    return send_start(*out, paths, num_paths, max_memory) ? WEIR_OK : lose(*out, false);
}

enum weir_result client_refuse(struct decoder_process *process)
{
    return lose(process, true);
}

// Wait for something to read. After Ctrl-C, what is at hand for a second, as the audio of the last
// frames, still comes.
static bool wait_for(int socket)
{
    static atomic_uint_fast64_t end_ns;
    struct pollfd wanted = {.fd = socket, .events = POLLIN};
    for (;;) {
        if (cli_interrupted()) {
            uint_fast64_t none = 0;
            const uint64_t now = weir_clock_ns();
            atomic_compare_exchange_strong(&end_ns, &none, now + 1000000000);
            if (now > atomic_load(&end_ns)) {
                return false;
            }
        }
        const int num = poll(&wanted, 1, 100);
        if (num > 0 || (num < 0 && errno != EINTR)) {
            return true;
        }
    }
}

enum weir_result client_receive(struct decoder_process *process, int socket, void *bytes,
                                size_t size)
{
    return channel_receive(socket, bytes, size, NULL, wait_for) ? WEIR_OK : lose(process, false);
}

static enum weir_result print_log(struct decoder_process *process, int socket,
                                  const struct channel_message *log)
{
    char text[CHANNEL_MAX_TEXT] = "";
    if (log->size >= sizeof(text)) {
        return client_refuse(process);
    }
    WEIR_TRY(client_receive(process, socket, text, log->size));
    const unsigned num = atomic_fetch_add(&process->num_logs, 1);
    if (num < MAX_LOGS) {
        cli_report(log->severity == WEIR_LOG_ERROR ? WEIR_LOG_ERROR : WEIR_LOG_WARNING, "%s", text);
    } else if (num == MAX_LOGS) {
        cli_report_warning("%s: further messages are left out", process->input);
    }
    return WEIR_OK;
}

enum weir_result client_ask(struct decoder_process *process, int socket,
                            struct channel_message *message, const struct client_request *request)
{
    static const struct client_request none = {.bytes = NULL};
    const struct client_request *more = request ? request : &none;
    const uint32_t type = message->type;
    if (process->is_over ||
        !channel_send(socket, message, more->bytes, more->descriptors, more->num_descriptors)) {
        return lose(process, false);
    }
    WEIR_TRY(client_receive(process, socket, message, sizeof(*message)));
    while (message->type == CHANNEL_LOG) {
        WEIR_TRY(print_log(process, socket, message));
        WEIR_TRY(client_receive(process, socket, message, sizeof(*message)));
    }
    return message->type == type && reply_is_result(message) ? WEIR_OK : client_refuse(process);
}

// Limit the time of the processors, unless the user has done that. What was decoded before may be
// converted on all of them meanwhile.
static void limit_time(struct decoder_process *process, bool begins)
{
    clockid_t clock;
    struct timespec used;
    struct rlimit limit;
    pthread_mutex_lock(&process->lock); // its number is its own until it is reaped
    if (!process->is_over && getrlimit(RLIMIT_CPU, &limit) == 0 &&
        limit.rlim_cur == RLIM_INFINITY && clock_getcpuclockid(process->id, &clock) == 0 &&
        clock_gettime(clock, &used) == 0) {
        if (begins) {
            limit.rlim_cur = (rlim_t)(used.tv_sec + 60 * (10 + sysconf(_SC_NPROCESSORS_ONLN)));
        }
        prlimit(process->id, RLIMIT_CPU, &limit, NULL);
    }
    pthread_mutex_unlock(&process->lock);
}

enum weir_result client_ask_timed(struct decoder_process *process, struct channel_message *message,
                                  const struct client_request *request)
{
    limit_time(process, true);
    const enum weir_result result = client_ask(process, process->socket, message, request);
    limit_time(process, false);
    return result;
}
