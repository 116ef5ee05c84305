// SPDX-License-Identifier: MIT
// What the program and the process that decodes for it say to each other, over sockets.
#include "capture/weir/decoder/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

// Room for the descriptors of a message, as the system wants it to be aligned.
union control {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(CHANNEL_MAX_DESCRIPTORS * sizeof(int))];
};

static bool send_all(int socket, const void *bytes, size_t size, struct msghdr *message)
{
    struct iovec part = {(void *)(uintptr_t)bytes, size};
    message->msg_iov = &part;
    message->msg_iovlen = 1;
    while (part.iov_len > 0) {
        const ssize_t sent = sendmsg(socket, message, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR && errno != EAGAIN) {
            return false;
        }
        if (sent > 0) {
            part.iov_base = (char *)part.iov_base + sent;
            part.iov_len -= (size_t)sent;
            message->msg_controllen = 0; // they have gone
        }
    }
    return true;
}

bool channel_send_bytes(int socket, const void *bytes, size_t size)
{
    return send_all(socket, bytes, size, &(struct msghdr){.msg_iovlen = 0});
}

bool channel_send(int socket, const struct channel_message *message, const void *bytes,
                  const int *descriptors, uint32_t num_descriptors)
{
    union control control = {.bytes = {0}};
    struct msghdr head = {.msg_iovlen = 0};
    if (num_descriptors > 0) {
        const size_t size = num_descriptors * sizeof(int);
        head.msg_control = &control;
        head.msg_controllen = CMSG_SPACE(size);
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(&control.head), descriptors, size);
    }
    return send_all(socket, message, sizeof(*message), &head) &&
           channel_send_bytes(socket, bytes, message->size);
}

static void take_descriptors(struct msghdr *message, int *descriptors)
{
    const struct cmsghdr *head = CMSG_FIRSTHDR(message);
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
        memcpy(descriptors, CMSG_DATA(head), head->cmsg_len - CMSG_LEN(0));
    }
}

bool channel_receive(int socket, void *bytes, size_t size, int *descriptors, bool (*wait)(int))
{
    for (int i = 0; descriptors && i < CHANNEL_MAX_DESCRIPTORS; i++) {
        descriptors[i] = -1;
    }
    while (size > 0) {
        union control control;
        struct iovec part = {bytes, size};
        // Without room for them the system closes descriptors that come along.
        struct msghdr message = {.msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = descriptors ? &control : NULL,
                                 .msg_controllen = descriptors ? sizeof(control) : 0};
        if (wait && !wait(socket)) {
            return false;
        }
        const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
            return false;
        }
        if (got > 0) {
            bytes = (char *)bytes + got;
            size -= (size_t)got;
            if (descriptors) {
                take_descriptors(&message, descriptors);
            }
        }
    }
    return true;
}
