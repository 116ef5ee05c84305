// SPDX-License-Identifier: MIT
// Sockets of the link: the recorder listens, layers connect, both of one user. The memory of a
// stream's frames: a file without a name, sealed, which both sides map.
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "capture/link/link.h"

int64_t link_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum { MAX_CONNECT_MS = 1000, CONNECT_PAUSE_MS = 5, MODE = 0600 };

// A socket that never blocks; EINVAL of errno: an empty path.
static int make(const char *path, struct sockaddr_un *address)
{
    const size_t length = strlen(path);
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (length == 0 || length >= sizeof(address->sun_path)) {
        errno = length == 0 ? EINVAL : ENAMETOOLONG;
        return -1;
    }
    memcpy(address->sun_path, path, length);
    return link_raise(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Of a socket that is connected: the other side had the rights of this user then.
static bool is_of_user(int socket)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        return false;
    }
    if (peer.uid != geteuid()) {
        errno = EACCES;
        return false;
    }
    return true;
}

int link_connect(const char *path)
{
    const int64_t end_ms = link_now_ms() + MAX_CONNECT_MS;
    struct sockaddr_un address;
    struct link_descriptor own = link_hold(make(path, &address));
    while (own.fd >= 0 && connect(own.fd, (const struct sockaddr *)&address, sizeof(address))) {
        // EAGAIN: so many wait to be taken that there is no room for another.
        if (errno != EINTR && errno != EAGAIN) {
            return link_fail(own.fd);
        }
        if (link_now_ms() >= end_ms) {
            errno = ETIMEDOUT;
            return link_fail(own.fd);
        }
        const struct timespec pause = {.tv_nsec = CONNECT_PAUSE_MS * 1000000L};
        nanosleep(&pause, NULL);
        if (!link_is_held(&own)) {
            errno = EBADF;
            return -1;
        }
    }
    return own.fd < 0 || is_of_user(own.fd) ? own.fd : link_fail(own.fd);
}

int link_listen(const char *path)
{
    struct sockaddr_un address;
    const int fd = make(path, &address);
    if (fd < 0) {
        return -1;
    }
    // The file gets the mode of the socket, less what the umask takes away: at no time has it more,
    // and chmod() gives it the rest.
    if (fchmod(fd, MODE) != 0 ||
        bind(fd, (const struct sockaddr *)&address, sizeof(address)) != 0) {
        return link_fail(fd);
    }
    if (chmod(path, MODE) != 0 || listen(fd, SOMAXCONN) != 0) {
        const int error = errno;
        unlink(path);
        errno = error;
        return link_fail(fd);
    }
    return fd;
}

int link_accept_connection(int socket)
{
    int fd;
    do {
        fd = accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    } while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    fd = link_raise(fd);
    if (fd < 0) {
        return -1;
    }
    return is_of_user(fd) ? fd : link_fail(fd);
}

// The memory of a stream.

// Without these the other side could take pages away, and whoever touches them next would die.
enum { NEEDED_SEALS = F_SEAL_SHRINK | F_SEAL_GROW };

int link_memory_create(const struct link_accept *accept)
{
    const uint64_t size = link_memory_size(accept);
    if (size == 0) {
        errno = EINVAL;
        return -1;
    }
    if ((uint64_t)(off_t)size != size) {
        errno = EFBIG;
        return -1;
    }
    const int fd = link_raise(memfd_create("weir-record", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (fd < 0) {
        return -1;
    }
    if (ftruncate(fd, (off_t)size) != 0 ||
        fcntl(fd, F_ADD_SEALS, NEEDED_SEALS | F_SEAL_SEAL) != 0) {
        return link_fail(fd);
    }
    return fd;
}

void *link_memory_map(int fd, const struct link_accept *accept)
{
    const uint64_t size = link_memory_size(accept);
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return NULL;
    }
    const int seals = fcntl(fd, F_GET_SEALS); // -1: not of a kind that has seals
    if (size == 0 || !S_ISREG(status.st_mode) || status.st_size < 0 ||
        (uint64_t)status.st_size != size || seals < 0 || (seals & NEEDED_SEALS) != NEEDED_SEALS) {
        errno = EINVAL;
        return NULL;
    }
    if ((size_t)size != size) {
        errno = ENOMEM;
        return NULL;
    }
    void *memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void link_memory_unmap(void *memory, const struct link_accept *accept)
{
    if (memory) {
        munmap(memory, (size_t)link_memory_size(accept));
    }
}
