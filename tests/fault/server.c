// SPDX-License-Identifier: MIT
// Starts a program once for many faults: each run is a child process of the program before main(),
// when all libraries are loaded and bound. That takes most of a run's time.
#include "fault.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 120000, NOT_ENDED = 128 + SIGKILL };
enum { PAUSE_US = 20000, MAX_PAUSES = 500 }; // until its own child processes have ended too

static void redirect(int fd, const char *folder, const char *name, int flags)
{
    char path[512];
    snprintf(path, sizeof(path), "%s%s", folder, name);
    const int file = open(path, flags, 0644);
    if (file < 0 || dup2(file, fd) < 0) {
        perror(path);
        _exit(126);
    }
    close(file);
}

static void become_program(const char *folder, const char *fault)
{
    setpgid(0, 0); // what does not end is killed with its own child processes
    setenv("WEIR_FAULT", fault, 1);
    redirect(STDIN_FILENO, "", "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, folder, "/out.txt", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, folder, "/err.txt", O_WRONLY | O_CREAT | O_TRUNC);
    if (chdir(folder) != 0 || chdir("out") != 0) {
        perror(folder);
        _exit(126);
    }
    unsetenv("WEIR_FAULT_SERVER");
}

// True if none of a group is left, of whose orphans this process is the parent.
static bool wait_for_group(pid_t group)
{
    pid_t process = 0;
    for (int i = 0; i < MAX_PAUSES && process >= 0; i++) {
        process = waitpid(-group, NULL, WNOHANG);
        if (process == 0) {
            usleep(PAUSE_US);
        }
    }
    if (process >= 0) {
        kill(-group, SIGKILL);
    }
    return process < 0;
}

static int wait_for(pid_t program)
{
    const int fd = pidfd_open(program, 0);
    struct pollfd end = {.fd = fd, .events = POLLIN};
    if (poll(&end, 1, PATIENCE_MS) == 0) {
        kill(-program, SIGKILL);
    }
    close(fd);
    int status = 0;
    if (waitpid(program, &status, 0) != program || !wait_for_group(program)) {
        return NOT_ENDED;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Read a line of standard input, a byte at a time: a buffer would be the program's too.
static bool read_line(char *line, size_t size)
{
    size_t length = 0;
    while (length + 1 < size && read(STDIN_FILENO, &line[length], 1) == 1 && line[length] != '\n') {
        length++;
    }
    line[length] = 0;
    return length > 0;
}

void fault_serve(void)
{
    const char *folder = getenv("WEIR_FAULT_SERVER");
    const char *driver = getenv("WEIR_FAULT_DRIVER");
    if (!folder) {
        return;
    }
    closefrom(STDERR_FILENO + 1);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (driver) { // what the Vulkan loader would load in each run; without it runs only take longer
        dlopen(driver, RTLD_LAZY | RTLD_LOCAL);
    }
    char fault[64];
    while (read_line(fault, sizeof(fault))) {
        const pid_t program = fork();
        if (program == 0) {
            become_program(folder, fault);
            return;
        }
        dprintf(STDOUT_FILENO, "%d\n", program < 0 ? 126 : wait_for(program));
    }
    _exit(0);
}
