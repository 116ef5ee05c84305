// SPDX-License-Identifier: MIT
// Sockets of the link: paths and modes, other users, listeners that do not listen.
#include "capture/link/link.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "testing.h"

enum { NOBODY = 65534 };

static int mode_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISSOCK(status.st_mode) ? (int)(status.st_mode & 07777)
                                                                : -1;
}

static bool is_kept(int fd)
{
    return fd >= 512 && (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
}

// Whatever the umask, the file is this user's alone.
static void test_modes(void)
{
    static const mode_t masks[] = {0, 022, 077, 0777, 0200};
    for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
        const char *path = test_path("socket");
        const mode_t before = umask(masks[i]);
        const int fd = link_listen(path);
        test_expect(umask(before) == masks[i], "the umask is as it was");
        test_expect(is_kept(fd), "a socket: %s", strerror(errno));
        test_expect(mode_of(path) == 0600, "umask %03o: mode %03o", (unsigned)masks[i],
                    (unsigned)mode_of(path));
        close(fd);
        unlink(path);
    }
}

static void test_paths(void)
{
    char path[sizeof(((struct sockaddr_un *)0)->sun_path) + 1];
    const char *folder = test_path("");
    snprintf(path, sizeof(path), "%s%0*d", folder, (int)(sizeof(path) - 1 - strlen(folder)), 1);
    test_expect(link_listen(path) == -1 && errno == ENAMETOOLONG, "a path that is too long");
    test_expect(link_connect(path) == -1 && errno == ENAMETOOLONG, "a path that is too long");
    path[sizeof(path) - 2] = '\0'; // the longest one that is allowed
    const int fd = link_listen(path);
    const int other = link_connect(path);
    test_expect(fd >= 0 && other >= 0, "a long path: %s", strerror(errno));
    test_expect(link_listen(path) == -1 && errno == EADDRINUSE, "one that exists");
    test_expect(mode_of(path) == 0600, "it is left as it was");
    close(fd);
    close(other);
    test_expect(link_connect(path) == -1 && errno == ECONNREFUSED, "nobody listens any more");
    test_expect(link_connect(test_path("none")) == -1 && errno == ENOENT, "no such path");
    test_expect(link_connect("") == -1 && link_listen("") == -1 && errno == EINVAL, "no path");
    test_expect(link_listen(test_path("none/socket")) == -1 && errno == ENOENT, "no folder");
}

static void test_connections(void)
{
    const char *path = test_path("meeting");
    const int listener = link_listen(path);
    struct link_message message = {.end = {.stream = 7}};
    int fd, ends[3][2];
    test_expect(link_accept_connection(listener) == -1 && errno == EAGAIN, "nobody is there");
    for (int i = 0; i < 3; i++) {
        ends[i][0] = link_connect(path);
        test_expect(is_kept(ends[i][0]), "connected: %s", strerror(errno));
    }
    for (int i = 0; i < 3; i++) {
        ends[i][1] = link_accept_connection(listener);
        test_expect(is_kept(ends[i][1]), "taken: %s", strerror(errno));
        message.end.stream = (uint32_t)i;
        test_expect(link_send(ends[i][0], LINK_END, &message, -1) == LINK_OK, "sent");
    }
    for (int i = 2; i >= 0; i--) {
        test_expect(link_receive(ends[i][1], -1, &message, &fd) == LINK_OK &&
                        message.end.stream == (uint32_t)i,
                    "from connection %d", i);
        close(ends[i][0]);
        test_expect(link_receive(ends[i][1], -1, &message, &fd) == LINK_CLOSED, "its end");
        close(ends[i][1]);
    }
    // One that is gone before it is taken is told as any other end.
    fd = link_connect(path);
    close(fd);
    const int taken = link_accept_connection(listener);
    test_expect(taken >= 0 && link_receive(taken, -1, &message, &fd) == LINK_CLOSED, "gone");
    close(taken);
    close(listener);
}

// A listener that takes nobody, since its process was stopped: connecting ends.
static void test_stopped(void)
{
    const char *path = test_path("stopped");
    int ready[2], status;
    char byte;
    test_must(pipe(ready) == 0, "a pipe");
    const pid_t child = fork();
    if (child == 0) {
        // A short queue, as that of link_listen() takes thousands.
        const int fd = link_listen(path);
        if (fd >= 0 && listen(fd, 2) == 0 && write(ready[1], "", 1) == 1) {
            pause();
        }
        _exit(1);
    }
    test_expect(read(ready[0], &byte, 1) == 1, "a listener");
    kill(child, SIGSTOP);
    waitpid(child, &status, WUNTRACED);
    int fds[8], num = 0;
    do {
        fds[num] = link_connect(path);
    } while (fds[num] >= 0 && ++num < 8);
    test_expect(num > 0 && num < 8 && errno == ETIMEDOUT, "%d wait, then: %s", num,
                strerror(errno));
    struct link_message message = {.hello = {.version = LINK_VERSION}};
    int fd;
    test_expect(link_send(fds[0], LINK_HELLO, &message, -1) == LINK_OK, "one says hello");
    test_expect(link_receive(fds[0], 20, &message, &fd) == LINK_AGAIN, "and hears nothing");
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    test_expect(link_receive(fds[0], -1, &message, &fd) == LINK_CLOSED, "until that one is gone");
    for (int i = 0; i < num; i++) {
        close(fds[i]);
    }
    close(ready[0]);
    close(ready[1]);
    test_expect(link_connect(path) == -1 && errno == ECONNREFUSED, "nobody is there");
}

// Another user that finds the path open connects, and is not taken. Nor does a program give its
// frames to another user's recorder.
static void test_other_user(void)
{
    if (geteuid() != 0) {
        printf("not root: no other user\n");
        return;
    }
    const char *path = test_path("users");
    const int listener = link_listen(path);
    chmod(path, 0666);
    const pid_t child = fork();
    if (child == 0) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        memcpy(address.sun_path, path, strlen(path));
        const int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
        const bool is_connected = setuid(NOBODY) == 0 &&
                                  connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
        _exit(is_connected && link_connect(path) == -1 && errno == EACCES ? 0 : 1);
    }
    test_expect(test_wait(child) == 0, "another user connects, but not by the link");
    for (int i = 0; i < 2; i++) {
        test_expect(link_accept_connection(listener) == -1 && errno == EACCES,
                    "another user is not taken: %s", strerror(errno));
    }
    test_expect(link_accept_connection(listener) == -1 && errno == EAGAIN, "and is gone");
    close(listener);
}

// A program without standard streams: none of the link's descriptors becomes one.
static void test_no_streams(void)
{
    const char *path = test_path("streams");
    const pid_t child = fork();
    if (child == 0) {
        close(STDIN_FILENO);
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        const struct link_accept accept = {.num_slots = 2, .slot_size = 4096};
        const int listener = link_listen(path), fd = link_connect(path);
        const int taken = link_accept_connection(listener);
        const int memory = link_memory_create(&accept);
        struct link_message message = {.accept = accept};
        message.accept.sizes[0] = 1;
        int got = -1;
        const bool is_good = link_send(taken, LINK_ACCEPT, &message, memory) == LINK_OK &&
                             link_receive(fd, -1, &message, &got) == LINK_OK;
        _exit(is_good && is_kept(listener) && is_kept(fd) && is_kept(taken) && is_kept(memory) &&
                      is_kept(got)
                  ? 0
                  : 1);
    }
    test_expect(test_wait(child) == 0, "descriptors from 512 on");
}

// Numbers from 512 on are not always allowed.
static void test_low_limit(void)
{
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {.rlim_cur = 64, .rlim_max = 64};
        const bool is_set = setrlimit(RLIMIT_NOFILE, &limit) == 0;
        const int fd = link_listen(test_path("low"));
        _exit(is_set && fd > STDERR_FILENO && fd < 64 ? 0 : 1);
    }
    test_expect(test_wait(child) == 0, "a low limit of descriptors");
}

// The program closes a number, or opens another file of the same type under it.
static void test_held(void)
{
    int ends[2], others[2];
    struct link_descriptor none = link_hold(-1);
    test_must(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0 &&
                  socketpair(AF_UNIX, SOCK_SEQPACKET, 0, others) == 0,
              "sockets");
    struct link_descriptor first = link_hold(ends[0]), second = link_hold(ends[1]);
    test_expect(link_is_held(&first) && link_is_held(&second) && !link_is_held(&none), "ours");
    close(ends[0]);
    test_expect(!link_is_held(&first) && link_hold(ends[0]).fd == -1, "a closed one");
    test_must(dup2(others[0], ends[0]) == ends[0] && dup2(others[1], ends[1]) == ends[1], "theirs");
    test_expect(!link_is_held(&first) && !link_is_held(&second), "replaced ones");
    link_drop(&first);
    link_drop(&none);
    test_expect(first.fd == -1 && fcntl(ends[0], F_GETFD) >= 0, "theirs stays open");
    first = link_hold(ends[0]);
    link_drop(&first);
    test_expect(fcntl(ends[0], F_GETFD) < 0, "ours is closed");
    close(ends[1]);
    close(others[0]);
    close(others[1]);
}

int main(void)
{
    test_modes();
    test_paths();
    test_connections();
    test_stopped();
    test_other_user();
    test_no_streams();
    test_low_limit();
    test_held();
    return test_finish();
}
