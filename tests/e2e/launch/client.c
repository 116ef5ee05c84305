// SPDX-License-Identifier: MIT
// Stands in for a program that a server holds loaded (server.c): under the program's name, it lets
// the server run it with the arguments, the environment, the folder and the open files that it has
// itself, and ends as that run ends. WEIR_LAUNCH is the server's name without that of the program.
// Without a server, or where another library is preloaded, it becomes the program, which is found
// in WEIR_LAUNCH_PATH.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

extern char **environ;
static pid_t run;

static void pass_on(int number)
{
    kill(run, number);
}

static _Noreturn void become(const char *name, char **arguments)
{
    char path[1024];
    const char *folders = getenv("WEIR_LAUNCH_PATH");
    while (folders && *folders) {
        const int length = (int)strcspn(folders, ":");
        snprintf(path, sizeof(path), "%.*s/%s", length, folders, name);
        execv(path, arguments);
        folders += length + (folders[length] == ':');
    }
    perror(name);
    _exit(127);
}

static bool append(char **bytes, size_t *size, const void *more, size_t more_size)
{
    char *grown = realloc(*bytes, *size + more_size);
    if (!grown) {
        return false;
    }
    memcpy(grown + *size, more, more_size);
    *bytes = grown;
    *size += more_size;
    return true;
}

static uint32_t append_texts(char **bytes, size_t *size, char **texts)
{
    uint32_t num = 0;
    for (; texts[num]; num++) {
        if (!append(bytes, size, texts[num], strlen(texts[num]) + 1)) {
            return 0;
        }
    }
    return num;
}

static bool send_message(int server, struct launch_message *message, const int *files)
{
    union {
        char bytes[CMSG_SPACE(LAUNCH_MAX_FILES * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {.iov_base = message, .iov_len = sizeof(*message)};
    const size_t files_size = message->num_files * sizeof(int);
    struct msghdr header = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = CMSG_SPACE(files_size)};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(files_size);
    memcpy(CMSG_DATA(rights), files, files_size);
    return sendmsg(server, &header, MSG_NOSIGNAL) == (ssize_t)sizeof(*message);
}

// Send the files as such and their numbers as bytes.
static bool send_all(int server, char **arguments)
{
    int files[LAUNCH_MAX_FILES], num_files = 0;
    for (int fd = 0; fd < 256 && num_files < LAUNCH_MAX_FILES; fd++) {
        if (fd != server && fcntl(fd, F_GETFD) != -1) {
            files[num_files++] = fd;
        }
    }
    char folder[1024], *bytes = NULL;
    size_t size = 0;
    struct launch_message message = {.num_files = (uint32_t)num_files};
    if (!getcwd(folder, sizeof(folder)) ||
        !append(&bytes, &size, files, sizeof(files[0]) * (size_t)num_files) ||
        !append(&bytes, &size, folder, strlen(folder) + 1)) {
        return false;
    }
    message.num_arguments = append_texts(&bytes, &size, arguments);
    message.num_variables = append_texts(&bytes, &size, environ);
    message.size = (uint32_t)size;
    const bool is_sent = send_message(server, &message, files) &&
                         send(server, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
    free(bytes);
    return is_sent;
}

static void end_as(int status)
{
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    const char *launch = getenv("WEIR_LAUNCH");
    char full[96];
    struct sockaddr_un address;
    snprintf(full, sizeof(full), "%s-%s", launch ? launch : "", name);
    const socklen_t size = launch_address(full, &address);
    const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!launch || getenv("LD_PRELOAD") || server < 0 ||
        connect(server, (const struct sockaddr *)&address, size) != 0) {
        become(name, argv);
    }
    int status = 0;
    if (!send_all(server, argv) || recv(server, &run, sizeof(run), MSG_WAITALL) != sizeof(run)) {
        fprintf(stderr, "%s: its server is gone\n", name);
        return 126;
    }
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        signal(signals[i], pass_on);
    }
    for (int fd = 0; fd < 256; fd++) { // the run's ends of pipes are its own
        if (fd != server) {
            close(fd);
        }
    }
    while (recv(server, &status, sizeof(status), MSG_WAITALL) != sizeof(status)) {
        if (errno != EINTR) {
            return 126;
        }
    }
    end_as(status);
}
