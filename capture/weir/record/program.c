// SPDX-License-Identifier: MIT
// The program that is recorded: it is started with the layer, and its end is noticed.
#include "capture/weir/record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/link/link.h"
#include "capture/weir/common/layer.h"
#include "capture/weir/common/report.h"

// Set a variable, or append to what it has, with a colon.
static bool append(const char *name, const char *value)
{
    const char *before = getenv(name);
    char *whole = NULL;
    if (!before || before[0] == 0) {
        return setenv(name, value, 1) == 0;
    }
    const bool ok = asprintf(&whole, "%s:%s", before, value) >= 0 && setenv(name, whole, 1) == 0;
    free(whole);
    return ok;
}

static bool set_environment(const char *layer, const char *socket, bool is_open_gl)
{
    bool ok = setenv(LINK_SOCKET_VARIABLE, socket, 1) == 0 &&
              append("VK_INSTANCE_LAYERS", CLI_LAYER_NAME) && append("VK_ADD_LAYER_PATH", layer);
    // Where it says something, loaders look at no other folder.
    const char *only = getenv("VK_LAYER_PATH");
    if (only && only[0] != 0) {
        ok = ok && append("VK_LAYER_PATH", layer);
    }
    if (is_open_gl) {
        ok = ok && setenv("MESA_LOADER_DRIVER_OVERRIDE", "zink", 1) == 0 &&
             setenv("__GLX_VENDOR_LIBRARY_NAME", "mesa", 1) == 0;
    }
    return ok;
}

// In the child: becomes the program, or writes the error to `failure`.
static _Noreturn void become(char **arguments, const char *layer, const char *socket,
                             bool is_open_gl, const sigset_t *before, int failure)
{
    // These were ignored for the recorder's sake, and a program would inherit that.
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, before, NULL);
    errno = ENOMEM;
    if (set_environment(layer, socket, is_open_gl)) {
        execvp(arguments[0], arguments);
    }
    const int error = errno;
    (void)!write(failure, &error, sizeof(error));
    _exit(127);
}

bool record_program_start(struct record_program *program, char **arguments, const char *layer,
                          const char *socket, bool is_open_gl, const sigset_t *before)
{
    int ends[2], error = 0;
    *program = (struct record_program){.process = -1};
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    fflush(NULL); // else both processes would write what is waiting
    if (pipe2(ends, O_CLOEXEC) == 0) {
        program->process = fork();
        if (program->process == 0) {
            become(arguments, layer, socket, is_open_gl, before, ends[1]);
        }
        error = program->process < 0 ? errno : 0;
        close(ends[1]);
        ssize_t size;
        while (error == 0 && (size = read(ends[0], &error, sizeof(error))) < 0 && errno == EINTR) {
        }
        close(ends[0]);
    } else {
        error = errno;
    }
    if (error != 0) {
        cli_report_error("%s cannot be started: %s", arguments[0], strerror(error));
        if (program->process > 0) {
            waitpid(program->process, NULL, 0);
        }
    }
    program->has_children = error == 0;
    return error == 0;
}

bool record_program_attach(struct record_program *program, pid_t process, char *name,
                           size_t name_size)
{
    char path[64];
    *program = (struct record_program){.process = process, .is_foreign = true};
    program->file = (int)syscall(SYS_pidfd_open, process, 0);
    snprintf(path, sizeof(path), "/proc/%d/comm", (int)process);
    FILE *file = program->file >= 0 ? fopen(path, "re") : NULL;
    const bool is_read = file && fgets(name, (int)name_size, file);
    if (file) {
        fclose(file);
    }
    if (!is_read) {
        return cli_fail(false, "there is no process %d: %s", (int)process, strerror(errno));
    }
    name[strcspn(name, "\n")] = 0;
    return true;
}

// A program that this one did not start ends when its file says so.
static void look(struct record_program *program)
{
    struct pollfd event = {.fd = program->file, .events = POLLIN};
    program->has_ended = program->has_ended || poll(&event, 1, 0) > 0;
}

void record_program_reap(struct record_program *program)
{
    int status;
    pid_t process;
    if (program->is_foreign) {
        look(program);
        return;
    }
    while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
        if (process == program->process) {
            program->has_ended = true;
            program->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        }
    }
    program->has_children = process == 0;
}

void record_program_pass_on(const struct record_program *program, int signal, bool by_terminal)
{
    // The terminal signals all processes of its foreground group.
    const bool is_told = by_terminal && getpgid(program->process) == getpgrp();
    if (!program->has_ended && !program->is_foreign && !is_told) {
        kill(program->process, signal);
    }
}

int record_signals_open(sigset_t *before)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGUSR1);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        struct sigaction action;
        // One that is blocked would come though it is ignored.
        if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(&set, ends[i]);
        }
    }
    sigprocmask(SIG_BLOCK, &set, before);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int record_signals_read(int fd, bool *by_terminal)
{
    struct signalfd_siginfo info;
    if (read(fd, &info, sizeof(info)) != (ssize_t)sizeof(info)) {
        return 0;
    }
    *by_terminal = info.ssi_code == SI_KERNEL;
    return (int)info.ssi_signo;
}

enum { MAX_DEPTH = 256 }; // parents change while they are asked for

// Get the parent of a process, 0: it has none, or there is no such process.
static int64_t parent_of(int64_t process)
{
    char path[64], line[512];
    snprintf(path, sizeof(path), "/proc/%" PRId64 "/stat", process);
    FILE *file = fopen(path, "re");
    if (!file) {
        return 0;
    }
    const size_t size = fread(line, 1, sizeof(line) - 1, file);
    fclose(file);
    line[size] = 0;
    // The name stands in parentheses, and may have some itself.
    const char *end = strrchr(line, ')');
    int64_t parent = 0;
    return end && sscanf(end, ") %*c %" SCNd64, &parent) == 1 ? parent : 0;
}

bool record_program_has(int64_t process, int64_t program)
{
    const int64_t self = getpid();
    for (int i = 0; i < MAX_DEPTH && process > 1; i++) {
        if (process == program) {
            return true;
        }
        process = parent_of(process);
        if (process == self) {
            return true;
        }
    }
    return false;
}
