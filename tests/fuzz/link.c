// SPDX-License-Identifier: MIT
// Packets of the link, with descriptors of any kind: what is received is what the ranges allow, no
// descriptor is left, and memory that is mapped is there.
#include "capture/link/link.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/capture/link_fields.h"
#include "tests/fuzz/fuzz.h"

// The first byte of an input: how many descriptors go with the packet, and of which kind they are.
enum { MAX_SENT = 3, NUM_KINDS = 4, FITTING = 0, LOOSE = 1, SHORT = 2, OTHER = 3 };

static int ends[2] = {-1, -1};

static void init(void)
{
    fuzz_expect(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "sockets");
}

static uint64_t drawn;

static uint64_t draw(void)
{
    drawn = drawn * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
    return drawn >> 32 | drawn << 32;
}

// Each type of message with each number of descriptors of each kind.
static size_t seed(unsigned index, uint8_t *data)
{
    if (index >= (MAX_SENT + 1) * NUM_KINDS * LINK_NUM_TYPES) {
        return 0;
    }
    struct link_message message;
    drawn = index;
    link_fields_draw(link_types[index % LINK_NUM_TYPES], draw, &message);
    data[0] = (uint8_t)(index / LINK_NUM_TYPES);
    memcpy(data + 1, &message, message.size);
    return message.size + 1;
}

// Set a number of the message to an end of its range, or beside it.
static size_t mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room)
{
    struct link_message message;
    const struct link_field *field = &link_fields[fuzz_below(random, link_num_fields)];
    if (size <= 8 || size > sizeof(message)) {
        return fuzz_mutate_bytes(random, data, size, room);
    }
    memcpy(&message, data + 1, size - 1);
    if (field->is_text || field->type != message.type || field->offset + field->size > size - 1) {
        return fuzz_mutate_bytes(random, data, size, room);
    }
    const uint64_t ends_of[] = {field->least, field->most, field->least - 1, field->most + 1};
    link_field_put(field, &message, ends_of[fuzz_below(random, 4)]);
    memcpy(data + 1, &message, size - 1);
    return size;
}

static uint64_t size_of(const struct link_accept *accept)
{
    return accept->num_slots * accept->slot_size;
}

// A descriptor for a packet. Memory is of the size that the packet says, where that is allowed.
static int make(int kind, const struct link_message *message, bool is_accept)
{
    if (kind == OTHER) {
        return dup(ends[0]);
    }
    const uint64_t size = is_accept ? size_of(&message->accept) : 4096;
    const int fd = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    fuzz_expect(fd >= 0 && ftruncate(fd, (off_t)(kind == SHORT ? size - 1 : size)) == 0 &&
                    fcntl(fd, F_ADD_SEALS, kind == LOOSE ? 0 : F_SEAL_SHRINK | F_SEAL_GROW) == 0,
                "memory");
    return fd;
}

// Touch the ends of all that the message says of the memory.
static void check_memory(int fd, const struct link_accept *accept, int kind)
{
    errno = 0;
    uint8_t *memory = link_memory_map(fd, accept);
    // Programs with sanitizers may have no room for much of it.
    fuzz_expect((memory != NULL) == (kind == FITTING) || errno == ENOMEM,
                "kind %d is mapped or not, error %d", kind, errno);
    for (uint32_t i = 0; memory && i < LINK_NUM_PARTS; i++) {
        if (accept->sizes[i] == 0) {
            continue;
        }
        uint8_t *slot = memory + (accept->num_slots - 1) * accept->slot_size;
        slot[accept->offsets[i]] = 1;
        slot[accept->offsets[i] + accept->sizes[i] - 1] = 2;
    }
    link_memory_unmap(memory, accept);
}

// The descriptor that would be opened next: it tells if one is left open.
static int next_descriptor(void)
{
    const int fd = fcntl(ends[0], F_DUPFD_CLOEXEC, 3);
    close(fd);
    return fd;
}

static void run(const uint8_t *data, size_t size)
{
    struct link_message message = {.type = 0}, got;
    if (size < 2) {
        return;
    }
    const int num = data[0] % (MAX_SENT + 1), kind = data[0] / (MAX_SENT + 1) % NUM_KINDS;
    memcpy(&message, data + 1, size - 1 < sizeof(message) ? size - 1 : sizeof(message));
    const bool is_valid = link_fields_judge(&message, size - 1);
    const bool is_accept = is_valid && message.type == LINK_ACCEPT;
    const int next = next_descriptor();
    const int sent = make(kind, &message, is_accept);
    fuzz_expect(link_send_raw(ends[0], data + 1, size - 1, sent, num), "it goes out");
    close(sent);
    int fd;
    const enum link_result result = link_receive(ends[1], 0, &got, &fd);
    fuzz_expect((result == LINK_OK) == (is_valid && num == is_accept),
                "result %d of a packet that is valid %d with %d descriptors", (int)result, is_valid,
                num);
    fuzz_expect(result == LINK_OK || (result == LINK_BROKEN && fd == -1), "it is broken");
    if (result == LINK_OK) {
        fuzz_expect(memcmp(&got, data + 1, size - 1) == 0, "it is what was sent");
        fuzz_expect((fd >= 0) == is_accept, "memory has a descriptor");
    }
    if (fd >= 0) {
        check_memory(fd, &got.accept, kind);
        close(fd);
    }
    fuzz_expect(next_descriptor() == next, "no descriptor is left");
    fuzz_expect(link_receive(ends[1], 0, &got, &fd) == LINK_AGAIN, "one packet came");
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "link", .num_runs = 20000, .init = init,
                                                 .seed = seed, .mutate = mutate, .run = run);
