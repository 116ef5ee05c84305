// SPDX-License-Identifier: MIT
// The numbers of the link's messages and their ranges, written out a second time.
#include "tests/capture/link_fields.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "tests/expect.h"

enum { SLOTS = 64, PREVIEW = 1024, PARTS = 3, MAX_ENUM = 0x7fffffff };

#define NUMBER(kind, part, field)                                                                  \
    .type = (kind), .name = #part "." #field, .offset = offsetof(struct link_message, part.field), \
    .size = sizeof(((struct link_message *)0)->part.field)
#define TEXT(kind, part, field)                                                                    \
    {                                                                                              \
        NUMBER(kind, part, field), .is_text = true                                                 \
    }

const struct link_field link_fields[] = TEST_LIST(
    {NUMBER(LINK_HELLO, hello, version), .least = 2, .most = 2}, TEXT(LINK_HELLO, hello, program),
    TEXT(LINK_HELLO, hello, device), TEXT(LINK_HELLO, hello, release),
    {NUMBER(LINK_STREAM, stream, width), .least = 1, .most = 65535},
    {NUMBER(LINK_STREAM, stream, height), .least = 1, .most = 65535},
    {NUMBER(LINK_STREAM, stream, format), .most = MAX_ENUM},
    {NUMBER(LINK_STREAM, stream, color_space), .most = MAX_ENUM},
    {NUMBER(LINK_STREAM, stream, preview_width), .most = PREVIEW},
    {NUMBER(LINK_STREAM, stream, preview_height), .most = PREVIEW},
    {NUMBER(LINK_FRAME, frame, slot), .most = SLOTS - 1, .has_no_slot = true},
    {NUMBER(LINK_FRAME, frame, time_ns), .most = INT64_MAX},
    {NUMBER(LINK_FRAME, frame, has_preview), .most = 1},
    {NUMBER(LINK_SAY, say, is_error), .most = 1}, TEXT(LINK_SAY, say, text),
    {NUMBER(LINK_SETUP, setup, version), .least = 2, .most = 2},
    {NUMBER(LINK_SETUP, setup, num_textures), .least = 1, .most = 2},
    {NUMBER(LINK_SETUP, setup, codecs[0]), .most = UINT32_MAX},
    {NUMBER(LINK_SETUP, setup, codecs[1]), .most = UINT32_MAX},
    {NUMBER(LINK_SETUP, setup, effort), .most = UINT32_MAX},
    {NUMBER(LINK_SETUP, setup, decoder), .most = UINT32_MAX},
    {NUMBER(LINK_SETUP, setup, steady), .most = 1},
    {NUMBER(LINK_SETUP, setup, no_dither), .most = 1},
    {NUMBER(LINK_SETUP, setup, policy), .most = LINK_WAIT},
    {NUMBER(LINK_SETUP, setup, num_slots), .least = 2, .most = SLOTS},
    {NUMBER(LINK_SETUP, setup, is_recording), .most = 1},
    {NUMBER(LINK_SETUP, setup, is_linear), .most = 1},
    {NUMBER(LINK_SETUP, setup, every), .least = 1, .most = UINT32_MAX},
    {NUMBER(LINK_SETUP, setup, level), .most = LINK_MAX_LEVEL},
    {NUMBER(LINK_SETUP, setup, resize), .most = LINK_MAX_RESIZE},
    {NUMBER(LINK_SETUP, setup, preview), .most = PREVIEW},
    {NUMBER(LINK_RECORD, record, is_recording), .most = 1},
    {NUMBER(LINK_RECORD, record, is_watched), .most = 1},
    {NUMBER(LINK_ACCEPT, accept, num_slots), .least = 2, .most = SLOTS},
    TEXT(LINK_REFUSE, refuse, reason), {NUMBER(LINK_RELEASE, release, slot), .most = SLOTS - 1});
const unsigned link_num_fields = sizeof(link_fields) / sizeof(link_fields[0]);

const uint32_t link_types[LINK_NUM_TYPES] = {LINK_HELLO,  LINK_STREAM, LINK_FRAME,  LINK_END,
                                             LINK_SAY,    LINK_SETUP,  LINK_RECORD, LINK_ACCEPT,
                                             LINK_REFUSE, LINK_RELEASE};

uint32_t link_fields_size(uint32_t type)
{
    static const uint32_t sizes[LINK_RELEASE + 1] = {
        [LINK_HELLO] = 784,  [LINK_STREAM] = 48,  [LINK_FRAME] = 48,  [LINK_END] = 16,
        [LINK_SAY] = 272,    [LINK_SETUP] = 72,   [LINK_RECORD] = 16, [LINK_ACCEPT] = 72,
        [LINK_REFUSE] = 272, [LINK_RELEASE] = 16,
    };
    return type <= LINK_RELEASE ? sizes[type] : 0;
}

void link_field_put(const struct link_field *field, struct link_message *message, uint64_t value)
{
    // Little endian.
    memcpy((uint8_t *)message + field->offset, &value, field->size);
}

uint64_t link_field_get(const struct link_field *field, const struct link_message *message)
{
    uint64_t value = 0;
    memcpy(&value, (const uint8_t *)message + field->offset, field->size);
    return value;
}

static uint64_t draw_between(uint64_t least, uint64_t most, uint64_t (*draw)(void))
{
    const uint64_t num = most - least + 1, kind = draw() % 4;
    if (kind < 2) {
        return kind == 0 ? least : most;
    }
    return least + (num > 0 ? draw() % num : draw());
}

// Up to three parts in a slot, in any order, of which the first is not empty.
static void draw_accept(struct link_accept *accept, uint64_t (*draw)(void))
{
    const uint64_t room = ((uint64_t)16 << 30) / 4096 / accept->num_slots;
    accept->slot_size = 4096 * draw_between(1, draw() % 2 ? room : 16, draw);
    const int first = (int)(draw() % PARTS);
    uint64_t cut = 0;
    for (int i = 0; i < PARTS; i++) {
        const int part = (first + i) % PARTS;
        accept->offsets[part] = draw_between(cut, accept->slot_size - 1, draw);
        cut = draw_between(accept->offsets[part], accept->slot_size - 1, draw);
        accept->sizes[part] = cut - accept->offsets[part];
    }
    if (accept->sizes[0] == 0) { // there is always room for a byte at the end
        *accept = (struct link_accept){.stream = accept->stream,
                                       .num_slots = accept->num_slots,
                                       .slot_size = accept->slot_size,
                                       .offsets = {accept->slot_size - 1},
                                       .sizes = {1}};
    }
}

void link_fields_draw(uint32_t type, uint64_t (*draw)(void), struct link_message *message)
{
    uint8_t *bytes = (uint8_t *)message;
    for (size_t i = 0; i < sizeof(*message); i++) {
        bytes[i] = (uint8_t)draw();
    }
    message->type = type;
    message->size = link_fields_size(type);
    for (unsigned i = 0; i < link_num_fields; i++) {
        const struct link_field *field = &link_fields[i];
        if (field->type != type) {
            continue;
        }
        if (field->is_text) {
            bytes[field->offset + draw_between(0, LINK_TEXT_SIZE - 1, draw)] = 0;
        } else if (field->has_no_slot && draw() % 4 == 0) {
            link_field_put(field, message, LINK_NO_SLOT);
        } else {
            link_field_put(field, message, draw_between(field->least, field->most, draw));
        }
    }
    if (type == LINK_ACCEPT) {
        draw_accept(&message->accept, draw);
    }
}

static bool judge_accept(const struct link_accept *accept)
{
    const uint64_t *offsets = accept->offsets, *sizes = accept->sizes;
    const uint64_t slot = accept->slot_size, most = (uint64_t)16 << 30;
    bool is_right = slot > 0 && slot % 4096 == 0 && slot <= most &&
                    slot * accept->num_slots <= most && sizes[0] > 0;
    for (int i = 0; i < PARTS && is_right; i++) {
        is_right = offsets[i] <= slot && sizes[i] <= slot && offsets[i] + sizes[i] <= slot;
    }
    // No sum of these overflows.
    for (int pair = 0; pair < PARTS && is_right; pair++) {
        const int a = pair, b = (pair + 1) % PARTS;
        const uint64_t begin = offsets[a] > offsets[b] ? offsets[a] : offsets[b];
        const uint64_t end_a = offsets[a] + sizes[a], end_b = offsets[b] + sizes[b];
        is_right = begin >= (end_a < end_b ? end_a : end_b);
    }
    return is_right;
}

bool link_fields_judge(const struct link_message *message, size_t size)
{
    if (size < 8 || message->size != size || link_fields_size(message->type) != size) {
        return false;
    }
    for (unsigned i = 0; i < link_num_fields; i++) {
        const struct link_field *field = &link_fields[i];
        if (field->type != message->type) {
            continue;
        }
        const uint64_t value = field->is_text ? 0 : link_field_get(field, message);
        const char *text = (const char *)message + field->offset;
        const bool is_good = field->is_text ? strnlen(text, LINK_TEXT_SIZE) < LINK_TEXT_SIZE
                                            : (value >= field->least && value <= field->most) ||
                                                  (field->has_no_slot && value == LINK_NO_SLOT);
        if (!is_good) {
            return false;
        }
    }
    return message->type != LINK_ACCEPT || judge_accept(&message->accept);
}

bool link_send_raw(int socket, const void *bytes, size_t size, int fd, int num)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(LINK_MAX_SENT * sizeof(int))];
    } control = {.header.cmsg_len = 0};
    struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = size};
    struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};
    if (num > 0) {
        packet.msg_control = &control;
        packet.msg_controllen = CMSG_SPACE((size_t)num * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&packet);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN((size_t)num * sizeof(int));
        for (int i = 0; i < num; i++) {
            memcpy(CMSG_DATA(header) + (size_t)i * sizeof(int), &fd, sizeof(int));
        }
    }
    return sendmsg(socket, &packet, MSG_NOSIGNAL) == (ssize_t)size;
}
