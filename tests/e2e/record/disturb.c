// SPDX-License-Identifier: MIT
// What programs do that harms a library in them which does not expect it.
#include "disturb.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 2048, NUM_FILES = 16 };

// The program's own, from the time on when the others were closed.
static struct {
    bool is_socket, is_open[MOST];
    int ends[2]; // of a socket
    struct stat status;
} own;

static void check(bool is_done, const char *what)
{
    if (!is_done) {
        perror(what);
        exit(1);
    }
}

static int open_file(void)
{
    const int file = open("own.txt", O_RDWR | O_CREAT | O_TRUNC, 0666);
    check(file >= 0 && write(file, "own", 3) == 3, "e2e_present: own.txt");
    return file;
}

// Two ends, one of which has a message that nobody but the program may take.
static int open_socket(void)
{
    check(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, own.ends) == 0 &&
              send(own.ends[1], "own", 3, 0) == 3,
          "e2e_present: a socket");
    return own.ends[0];
}

void disturb_close(enum closing closing, int kept)
{
    own.is_socket = closing == CLOSE_FOR_SOCKET;
    for (int fd = STDERR_FILENO + (closing != CLOSE_ERROR); fd < MOST; fd++) {
        own.is_open[fd] = closing != CLOSE_ALL && fd != kept && fcntl(fd, F_GETFD) >= 0;
        if (closing == CLOSE_ALL && fd != kept) {
            close(fd);
        }
    }
    const int fd = own.is_socket ? open_socket() : open_file();
    for (int i = 0; i < MOST; i++) {
        check(!own.is_open[i] || dup2(fd, i) == i, "e2e_present: dup2");
    }
    for (int i = 0; closing == CLOSE_ALL && i < NUM_FILES; i++) {
        own.is_open[dup(fd)] = true;
    }
    check(fstat(fd, &own.status) == 0, "e2e_present: fstat");
}

bool disturb_is_untouched(void)
{
    char bytes[8];
    struct stat status;
    for (int fd = 0; fd < MOST; fd++) {
        if (own.is_open[fd] && (fstat(fd, &status) != 0 || status.st_ino != own.status.st_ino ||
                                status.st_size != own.status.st_size)) {
            return false;
        }
    }
    return !own.is_socket || (recv(own.ends[0], bytes, sizeof(bytes), MSG_DONTWAIT) == 3 &&
                              recv(own.ends[1], bytes, sizeof(bytes), MSG_DONTWAIT) < 0);
}

static void handle(int signal)
{
    while (signal == SIGCHLD && waitpid(-1, NULL, WNOHANG) > 0) {
    }
}

void disturb_by_signals(enum signals signals)
{
    const struct itimerval often = {{.tv_usec = 1000}, {.tv_usec = 1000}};
    const struct sigaction action = {.sa_handler = handle,
                                     .sa_flags = signals == SIGNALS_RESTART ? SA_RESTART : 0};
    if (signals != SIGNALS_NONE) {
        check(sigaction(SIGCHLD, &action, NULL) == 0 && sigaction(SIGALRM, &action, NULL) == 0 &&
                  setitimer(ITIMER_REAL, &often, NULL) == 0,
              "e2e_present: a timer");
    }
}
