// SPDX-License-Identifier: MIT
// The link with one who does not keep to it: an empty packet, numbers of memory that are out of
// their ranges, descriptors that have no room or are of another kind than memory. tests/fuzz/link.c
// has packets that are no messages.
#include "capture/link/link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "testing.h"
#include "tests/capture/link_fields.h"

static int ends[2]; // the hostile one, and this one
static int sent;    // a descriptor to send

// Send bytes, and the descriptor `num` times.
static void send_raw(const void *bytes, size_t size, int num)
{
    test_expect(link_send_raw(ends[0], bytes, size, sent, num), "raw bytes go out");
}

static void test_empty(void)
{
    struct link_message message;
    const int num_before = test_num_entries("/proc/self/fd");
    int fd = -2;
    send_raw(&message, 0, 2);
    test_expect(link_receive(ends[1], 1000, &message, &fd) == LINK_CLOSED && fd == -1,
                "an empty packet is the end");
    test_expect(test_num_entries("/proc/self/fd") == num_before, "no descriptor is left");
}

// Two descriptors, and this process may open one more: the one that came is closed.
static void test_no_room(void)
{
    struct link_message message;
    struct rlimit before;
    const int next = dup(sent);
    close(next);
    link_fields_draw(LINK_ACCEPT, test_random, &message);
    getrlimit(RLIMIT_NOFILE, &before);
    const struct rlimit little = {(rlim_t)next + 1, before.rlim_max};
    for (int num = 1; num <= 2; num++) {
        int fd;
        send_raw(&message, message.size, num);
        setrlimit(RLIMIT_NOFILE, &little);
        const enum link_result result = link_receive(ends[1], 1000, &message, &fd);
        setrlimit(RLIMIT_NOFILE, &before);
        test_expect(result == (num == 1 ? LINK_OK : LINK_BROKEN) && fd == (num == 1 ? next : -1),
                    "%d descriptors where there is room for one", num);
        close(fd);
        test_expect(fcntl(next, F_GETFD) == -1, "no descriptor is left");
    }
}

// What is not valid does not go out either.
static void test_sender(void)
{
    struct link_message message = {.release = {.slot = LINK_MAX_SLOTS}};
    test_expect(link_send(ends[0], LINK_RELEASE, &message, -1) == LINK_BROKEN, "a slot");
    test_expect(link_send(ends[0], LINK_END, &message, sent) == LINK_BROKEN, "a descriptor");
    test_expect(link_send(ends[0], 6, &message, -1) == LINK_BROKEN, "an unknown type");
    link_fields_draw(LINK_ACCEPT, test_random, &message);
    test_expect(link_send(ends[0], LINK_ACCEPT, &message, -1) == LINK_BROKEN, "no memory");
    int fd;
    test_expect(link_receive(ends[1], 0, &message, &fd) == LINK_AGAIN, "nothing went out");
    test_expect(link_send(-1, LINK_END, &message, -1) == LINK_CLOSED, "no socket");
    test_expect(link_receive(-1, -1, &message, &fd) == LINK_CLOSED, "no socket");
}

static int make_file(off_t size, int seals)
{
    const int fd = memfd_create("hostile", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    test_must(fd >= 0 && ftruncate(fd, size) == 0 && fcntl(fd, F_ADD_SEALS, seals) == 0,
              "memfd_create");
    return fd;
}

static void expect_unmapped(int fd, const struct link_accept *accept, const char *what)
{
    errno = 0;
    void *memory = link_memory_map(fd, accept);
    test_expect(!memory && errno != 0, "%s is not mapped", what);
    link_memory_unmap(memory, accept);
    close(fd);
}

// Descriptors of anything but memory of the right size that stays as it is.
static void test_kinds(void)
{
    const int good = F_SEAL_SHRINK | F_SEAL_GROW;
    const struct link_accept accept = {.num_slots = 3, .slot_size = 8192};
    const off_t size = 3 * 8192;
    int fds[2];
    test_expect(pipe(fds) == 0, "a pipe");
    expect_unmapped(fds[0], &accept, "the end of a pipe");
    expect_unmapped(fds[1], &accept, "the end of a pipe");
    expect_unmapped(make_file(size, 0), &accept, "memory without seals");
    expect_unmapped(make_file(size, F_SEAL_SHRINK), &accept, "memory that grows");
    expect_unmapped(make_file(size, F_SEAL_GROW), &accept, "memory that shrinks");
    expect_unmapped(make_file(size - 4096, good), &accept, "memory that is too small");
    expect_unmapped(make_file(size - 1, good), &accept, "memory that is too small");
    expect_unmapped(make_file(size + 4096, good), &accept, "memory that is too large");
    expect_unmapped(make_file(0, good), &accept, "memory without bytes");
    expect_unmapped(make_file(size, good | F_SEAL_WRITE), &accept, "memory for readers");
    expect_unmapped(open("/dev/zero", O_RDWR), &accept, "a device");
    expect_unmapped(open("/", O_RDONLY), &accept, "a folder");
    expect_unmapped(socket(AF_UNIX, SOCK_STREAM, 0), &accept, "a socket");
    expect_unmapped(-1, &accept, "nothing");
    const char *path = test_path("file");
    const int file = open(path, O_RDWR | O_CREAT, 0600);
    test_expect(ftruncate(file, size) == 0, "a file");
    expect_unmapped(file, &accept, "a file of a disk, which others cut");

    const int fd = make_file(size, good);
    void *memory = link_memory_map(fd, &accept);
    test_expect(memory != NULL, "the right one is mapped");
    link_memory_unmap(memory, &accept);
    close(fd);
}

// Numbers of memory that nobody may ask for.
static void test_numbers(void)
{
    static const struct link_accept wrong[] = {
        {.num_slots = 1, .slot_size = 4096},
        {.num_slots = 65, .slot_size = 4096},
        {.num_slots = 2, .slot_size = 0},
        {.num_slots = 2, .slot_size = 4097},
        {.num_slots = 2, .slot_size = ((uint64_t)8 << 30) + 4096},
        {.num_slots = 64, .slot_size = (uint64_t)1 << 58}, // times 64 is 2^64
        {.num_slots = 64, .slot_size = ((uint64_t)1 << 58) + 4096},
        {.num_slots = 0, .slot_size = UINT64_MAX - 4095},
    };
    const int num_before = test_num_entries("/proc/self/fd");
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        test_expect(link_memory_create(&wrong[i]) == -1 && errno == EINVAL, "case %zu", i);
        expect_unmapped(make_file(4096, F_SEAL_SHRINK | F_SEAL_GROW), &wrong[i], "wrong numbers");
    }
    // The largest takes no memory until it is used.
    const struct link_accept most = {.num_slots = 64, .slot_size = (uint64_t)256 << 20};
    const int fd = link_memory_create(&most);
    test_expect(fd >= 0, "16 GiB: %s", strerror(errno));
    close(fd);
    test_expect(test_num_entries("/proc/self/fd") == num_before, "no descriptor is left");
}

int main(void)
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        perror("socketpair");
        return 1;
    }
    sent = open("/dev/null", O_RDWR | O_CLOEXEC);
    test_empty();
    test_no_room();
    test_sender();
    test_kinds();
    test_numbers();
    return test_finish();
}
