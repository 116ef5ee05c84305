// SPDX-License-Identifier: MIT
// Sends and receives messages, each of which is a packet.
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture/link/link.h"

enum { MAX_SIDE = 65535 };

// The same for programs of 32 and of 64 bits.
_Static_assert(offsetof(struct link_message, hello) == 8, "the header");
_Static_assert(sizeof(struct link_hello) == 8 + 3 * LINK_TEXT_SIZE, "hello");
_Static_assert(sizeof(struct link_setup) == 64, "setup");
_Static_assert(sizeof(struct link_stream) == 40, "stream");
_Static_assert(sizeof(struct link_accept) == 64, "accept");
_Static_assert(sizeof(struct link_frame) == 40, "frame");
_Static_assert(sizeof(struct link_say) == 8 + LINK_TEXT_SIZE, "say");

// Get the size of a message of a type, with its header; 0 of an unknown type [bytes].
static uint32_t message_size(uint32_t type)
{
    static const uint32_t sizes[] = {
        [LINK_HELLO] = sizeof(struct link_hello),   [LINK_STREAM] = sizeof(struct link_stream),
        [LINK_FRAME] = sizeof(struct link_frame),   [LINK_END] = sizeof(struct link_end),
        [LINK_SAY] = sizeof(struct link_say),       [LINK_SETUP] = sizeof(struct link_setup),
        [LINK_RECORD] = sizeof(struct link_record), [LINK_ACCEPT] = sizeof(struct link_accept),
        [LINK_REFUSE] = sizeof(struct link_refuse), [LINK_RELEASE] = sizeof(struct link_release),
    };
    const bool is_known = type < sizeof(sizes) / sizeof(sizes[0]) && sizes[type] > 0;
    return is_known ? (uint32_t)offsetof(struct link_message, hello) + sizes[type] : 0;
}

uint64_t link_memory_size(const struct link_accept *accept)
{
    if (accept->num_slots < 2 || accept->num_slots > LINK_MAX_SLOTS || accept->slot_size == 0 ||
        accept->slot_size % LINK_ALIGNMENT != 0 ||
        accept->slot_size > LINK_MAX_MEMORY / accept->num_slots) {
        return 0;
    }
    return accept->num_slots * accept->slot_size;
}

static bool is_bool(uint32_t value)
{
    return value <= 1;
}

static bool is_text(const char text[LINK_TEXT_SIZE])
{
    return memchr(text, '\0', LINK_TEXT_SIZE) != NULL;
}

static bool is_hello(const struct link_hello *hello)
{
    return hello->version == LINK_VERSION && is_text(hello->program) && is_text(hello->device) &&
           is_text(hello->release);
}

// Codecs, effort and decoder are checked by the encoders that are made of them.
static bool is_setup(const struct link_setup *setup)
{
    return setup->version == LINK_VERSION && setup->num_textures >= 1 &&
           setup->num_textures <= LINK_MAX_TEXTURES && is_bool(setup->steady) &&
           is_bool(setup->no_dither) && setup->policy <= LINK_WAIT && setup->num_slots >= 2 &&
           setup->num_slots <= LINK_MAX_SLOTS && is_bool(setup->is_recording) &&
           is_bool(setup->is_linear) && setup->every >= 1 && setup->level <= LINK_MAX_LEVEL &&
           setup->resize <= LINK_MAX_RESIZE && setup->preview <= LINK_MAX_PREVIEW;
}

// A format and a color space are what enums of Vulkan can hold.
static bool is_stream(const struct link_stream *stream)
{
    return stream->width >= 1 && stream->width <= MAX_SIDE && stream->height >= 1 &&
           stream->height <= MAX_SIDE && stream->format <= INT32_MAX &&
           stream->color_space <= INT32_MAX && stream->preview_width <= LINK_MAX_PREVIEW &&
           stream->preview_height <= LINK_MAX_PREVIEW;
}

// There is at least one texture, and no part lies on another. All lie in the slot.
static bool is_accept(const struct link_accept *accept)
{
    const uint64_t *offsets = accept->offsets, *sizes = accept->sizes;
    for (int i = 0; i < LINK_NUM_PARTS; i++) {
        if (offsets[i] > accept->slot_size || sizes[i] > accept->slot_size - offsets[i]) {
            return false;
        }
        for (int j = 0; j < i; j++) {
            if (sizes[i] > 0 && sizes[j] > 0 && offsets[j] + sizes[j] > offsets[i] &&
                offsets[i] + sizes[i] > offsets[j]) {
                return false;
            }
        }
    }
    return link_memory_size(accept) > 0 && sizes[0] > 0;
}

static bool is_frame(const struct link_frame *frame)
{
    return (frame->slot < LINK_MAX_SLOTS || frame->slot == LINK_NO_SLOT) && frame->time_ns >= 0 &&
           is_bool(frame->has_preview);
}

bool link_is_valid(const struct link_message *message, uint32_t size)
{
    // The size comes first: of a shorter packet there is nothing else to read.
    if (size < offsetof(struct link_message, hello) || size != message->size ||
        size != message_size(message->type)) {
        return false;
    }
    switch (message->type) {
    case LINK_HELLO:
        return is_hello(&message->hello);
    case LINK_STREAM:
        return is_stream(&message->stream);
    case LINK_FRAME:
        return is_frame(&message->frame);
    case LINK_END:
        return true;
    case LINK_SAY:
        return is_bool(message->say.is_error) && is_text(message->say.text);
    case LINK_SETUP:
        return is_setup(&message->setup);
    case LINK_RECORD:
        return is_bool(message->record.is_recording) && is_bool(message->record.is_watched);
    case LINK_ACCEPT:
        return is_accept(&message->accept);
    case LINK_REFUSE:
        return is_text(message->refuse.reason);
    default: // LINK_RELEASE: a type without a size is none
        return message->release.slot < LINK_MAX_SLOTS;
    }
}

// Packets.

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
    message->size = message_size(type);
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
