// SPDX-License-Identifier: MIT
// Preloaded into a program, makes it a server that holds it loaded and bound, which is most of what
// a short run of it takes: each run is a child process that begins at main(), with the arguments,
// the environment, the folder and the files of a client (client.c). WEIR_LAUNCH_SERVER is its name,
// WEIR_LAUNCH_DRIVERS libraries that the program would load in each run, with a colon behind each.
// WEIR_LAUNCH_SCRIPT is the process that starts it, with which it ends.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

typedef int main_function(int argc, char **argv, char **variables);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

start_function __libc_start_main; // of the C library, which this one takes the place of

enum { MAX_RUNS = 64 };
static struct {
    pid_t id;
    int end, client; // tells that it has ended, and is told so
} runs[MAX_RUNS];
static int num_runs;
static main_function *program;
extern char **environ;

static bool receive(int client, struct launch_message *message, int *files)
{
    union {
        char bytes[CMSG_SPACE(LAUNCH_MAX_FILES * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {.iov_base = message, .iov_len = sizeof(*message)};
    struct msghdr header = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof(control.bytes)};
    if (recvmsg(client, &header, MSG_WAITALL) != (ssize_t)sizeof(*message)) {
        return false;
    }
    const struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
    if (rights) {
        memcpy(files, CMSG_DATA(rights), message->num_files * sizeof(int));
    }
    return rights != NULL;
}

// Give the files the numbers that they have in the client.
static void take_files(const int *files, const int *numbers, uint32_t num_files)
{
    int high[LAUNCH_MAX_FILES];
    for (uint32_t i = 0; i < num_files; i++) {
        high[i] = fcntl(files[i], F_DUPFD, 512);
    }
    close_range(0, 511, 0);
    for (uint32_t i = 0; i < num_files; i++) {
        dup2(high[i], numbers[i]);
    }
    closefrom(512);
}

static char **take_texts(char **next, uint32_t num)
{
    char **texts = calloc((size_t)num + 1, sizeof(*texts));
    for (uint32_t i = 0; texts && i < num; i++) {
        texts[i] = *next;
        *next += strlen(*next) + 1;
    }
    return texts;
}

// What a run is: the program's main() in the place of the client.
static int be_program(int client)
{
    struct launch_message message;
    int files[LAUNCH_MAX_FILES];
    if (!receive(client, &message, files)) {
        _exit(126);
    }
    char *bytes = malloc(message.size);
    const pid_t id = getpid();
    if (!bytes || recv(client, bytes, message.size, MSG_WAITALL) != (ssize_t)message.size ||
        send(client, &id, sizeof(id), MSG_NOSIGNAL) != sizeof(id)) {
        _exit(126);
    }
    char *next = bytes + message.num_files * sizeof(int);
    if (chdir(next) != 0) {
        _exit(126);
    }
    next += strlen(next) + 1;
    char **arguments = take_texts(&next, message.num_arguments);
    environ = take_texts(&next, message.num_variables);
    if (!arguments || !environ) {
        _exit(126);
    }
    take_files(files, (const int *)(const void *)bytes, message.num_files);
    return program((int)message.num_arguments, arguments, environ);
}

// Tell the client of a run that has ended; kill one whose client has gone.
static void look_at_run(int i, short of_end, short of_client)
{
    int status = 0;
    if (of_end) {
        waitpid(runs[i].id, &status, 0);
        send(runs[i].client, &status, sizeof(status), MSG_NOSIGNAL);
        close(runs[i].end);
        close(runs[i].client);
        runs[i] = runs[--num_runs];
    } else if (of_client & POLLHUP) {
        kill(runs[i].id, SIGKILL);
    }
}

// Wait until a run or a client has gone, or a client has come: true.
static bool wait_for_any(int door)
{
    struct pollfd ends[2 * MAX_RUNS + 1] = {{.fd = door, .events = POLLIN}};
    const int num = num_runs;
    for (int i = 0; i < num; i++) {
        ends[2 * i + 1] = (struct pollfd){.fd = runs[i].end, .events = POLLIN};
        ends[2 * i + 2] = (struct pollfd){.fd = runs[i].client};
    }
    while (poll(ends, (nfds_t)(2 * num + 1), -1) < 0 && errno == EINTR) {
    }
    for (int i = num - 1; i >= 0; i--) {
        look_at_run(i, ends[2 * i + 1].revents, ends[2 * i + 2].revents);
    }
    return ends[0].revents != 0;
}

static int open_door(const char *name)
{
    struct sockaddr_un address;
    const socklen_t size = launch_address(name, &address);
    const int door = socket(AF_UNIX, SOCK_STREAM, 0);
    if (door < 0 || bind(door, (const struct sockaddr *)&address, size) != 0 ||
        listen(door, 8) != 0) {
        perror(name);
        exit(1);
    }
    return door;
}

static void load(const char *libraries)
{
    char path[512];
    while (libraries && *libraries) {
        const int length = (int)strcspn(libraries, ":");
        snprintf(path, sizeof(path), "%.*s", length, libraries);
        dlopen(path, RTLD_LAZY | RTLD_LOCAL);
        libraries += length + (libraries[length] == ':');
    }
}

static int serve(int argc, char **argv, char **variables)
{
    const char *name = getenv("WEIR_LAUNCH_SERVER");
    if (!name) {
        return program(argc, argv, variables);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); // it ends with the script that started it
    const char *script = getenv("WEIR_LAUNCH_SCRIPT");
    if (!script || getppid() != atoi(script)) { // which has ended before it could be told
        return 1;
    }
    closefrom(STDERR_FILENO + 1);
    load(getenv("WEIR_LAUNCH_DRIVERS"));
    const int door = open_door(name);
    while (true) {
        if (!wait_for_any(door)) {
            continue;
        }
        const int client = accept(door, NULL, NULL);
        const pid_t id = client < 0 || num_runs == MAX_RUNS ? -1 : fork();
        if (id == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            return be_program(client);
        }
        if (id < 0) {
            close(client); // who says that the server is gone
            continue;
        }
        runs[num_runs].id = id;
        runs[num_runs].client = client;
        runs[num_runs++].end = pidfd_open(id, 0);
    }
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    start_function *start;
    memcpy(&start, &symbol, sizeof(start));
    program = main;
    return start(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
