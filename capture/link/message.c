// SPDX-License-Identifier: MIT
// Sends and receives messages, each of which is a packet.
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture/link/parts.h"

// Of one descriptor; the union aligns it.
union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

static void put_descriptor(struct msghdr *packet, union control *control, int fd)
{
    *control = (union control){.header.cmsg_len = 0};
    packet->msg_control = control;
    packet->msg_controllen = sizeof(*control);
    struct cmsghdr *header = CMSG_FIRSTHDR(packet);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(fd));
    memcpy(CMSG_DATA(header), &fd, sizeof(fd));
}

enum link_result link_send(int socket, uint32_t type, struct link_message *message, int fd)
{
    message->type = type;
    message->size = link_message_size(type);
    if (!link_is_valid(message, message->size) || (type == LINK_ACCEPT) != (fd >= 0)) {
        return LINK_BROKEN;
    }
    struct iovec bytes = {.iov_base = message, .iov_len = message->size};
    struct msghdr packet = {.msg_iov = &bytes, .msg_iovlen = 1};
    union control control;
    if (fd >= 0) {
        put_descriptor(&packet, &control, fd);
    }
    while (sendmsg(socket, &packet, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        switch (errno) {
        case EINTR:
            break;
        case EAGAIN:
        case ENOBUFS:
        case ENOMEM:
        case ETOOMANYREFS: // descriptors that are on their way
            return LINK_AGAIN;
        default:
            return LINK_CLOSED;
        }
    }
    return LINK_OK;
}

// Take the descriptor that came with a packet, -1 = none. False: more than one came, or one for
// which there is no room; all are closed then.
static bool take_descriptor(struct msghdr *packet, int *fd)
{
    bool is_good = (packet->msg_flags & MSG_CTRUNC) == 0;
    *fd = -1;
    for (struct cmsghdr *at = CMSG_FIRSTHDR(packet); at; at = CMSG_NXTHDR(packet, at)) {
        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        const size_t num = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < num; i++) {
            if (*fd >= 0) {
                is_good = false;
                close(*fd);
            }
            memcpy(fd, CMSG_DATA(at) + i * sizeof(int), sizeof(int));
        }
    }
    if (!is_good && *fd >= 0) {
        close(*fd);
        *fd = -1;
    }
    return is_good;
}

// Look at the packet that came, of `size` bytes.
static enum link_result take_packet(struct msghdr *packet, size_t size, int *fd)
{
    const struct link_message *message = packet->msg_iov->iov_base;
    const bool is_good = take_descriptor(packet, fd);
    // An empty packet looks like the end, and is one.
    enum link_result result = size == 0 ? LINK_CLOSED : LINK_BROKEN;
    if (size > 0 && is_good && (packet->msg_flags & MSG_TRUNC) == 0 &&
        link_is_valid(message, (uint32_t)size) && (message->type == LINK_ACCEPT) == (*fd >= 0)) {
        *fd = link_raise(*fd);
        result = message->type == LINK_ACCEPT && *fd < 0 ? LINK_BROKEN : LINK_OK;
    } else if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
    return result;
}

// Receive what is there. LINK_AGAIN: nothing.
static enum link_result receive(int socket, struct link_message *message, int *fd)
{
    for (;;) {
        union control control;
        struct iovec bytes = {.iov_base = message, .iov_len = sizeof(*message)};
        struct msghdr packet = {
            .msg_iov = &bytes,
            .msg_iovlen = 1,
            .msg_control = &control,
            .msg_controllen = sizeof(control),
        };
        const ssize_t size = recvmsg(socket, &packet, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
        if (size >= 0) {
            return take_packet(&packet, (size_t)size, fd);
        }
        if (errno == EAGAIN || errno == ENOMEM) {
            return LINK_AGAIN;
        }
        // ECONNRESET: the other side ended and did not read all that it was sent. It is reported
        // once, and what that side has sent is still there.
        if (errno != EINTR && errno != ECONNRESET) {
            return LINK_CLOSED;
        }
    }
}

enum link_result link_receive(int socket, int timeout_ms, struct link_message *message, int *fd)
{
    const int64_t end_ms = timeout_ms > 0 ? link_now_ms() + timeout_ms : 0;
    *fd = -1;
    for (;;) {
        const enum link_result result = receive(socket, message, fd);
        if (result != LINK_AGAIN || timeout_ms == 0) {
            return result;
        }
        int left_ms = -1;
        if (timeout_ms > 0) {
            const int64_t left = end_ms - link_now_ms();
            if (left <= 0) {
                return LINK_AGAIN;
            }
            left_ms = (int)left;
        }
        // Whatever it answers, a signal too: the next turn sees what there is.
        struct pollfd wanted = {.fd = socket, .events = POLLIN};
        poll(&wanted, 1, left_ms);
    }
}
