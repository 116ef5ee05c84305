// SPDX-License-Identifier: MIT
// The link between two processes that keep to it: all messages, memory, a full socket, a dead peer,
// waiting, and sockets of a path.
#include "capture/link/link.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "testing.h"
#include "tests/capture/link_fields.h"
#include "tests/sanitized.h"

enum { NUM_ROUNDS = 400, SLOW_MS = 20000 };

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void make_pair(int pair[2])
{
    test_must(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0, "socketpair");
}

static int num_descriptors(void)
{
    return test_num_entries("/proc/self/fd");
}

static void send_frame(int socket, uint64_t number)
{
    struct link_message message = {.frame = {.slot = LINK_NO_SLOT, .number = number}};
    test_expect(link_send(socket, LINK_FRAME, &message, -1) == LINK_OK, "a frame goes out");
}

static void expect_frame(int socket, uint64_t number)
{
    struct link_message message;
    int fd;
    test_expect(link_receive(socket, SLOW_MS, &message, &fd) == LINK_OK &&
                    message.type == LINK_FRAME && message.frame.number == number,
                "frame %d arrives", (int)number);
}

// Every number at the ends of its range, within it and beside it; every text with and without end.
static void test_ranges(void)
{
    struct link_message message;
    for (unsigned i = 0; i < link_num_fields; i++) {
        const struct link_field *field = &link_fields[i];
        link_fields_draw(field->type, test_random, &message);
        test_expect(link_is_valid(&message, message.size), "%s: valid", field->name);
        if (field->is_text) {
            memset((char *)&message + field->offset, 'x', LINK_TEXT_SIZE);
            test_expect(!link_is_valid(&message, message.size), "%s without an end", field->name);
            continue;
        }
        const uint64_t most = field->size == 8 ? UINT64_MAX : UINT32_MAX;
        const uint64_t values[] = {field->least,     field->most,         field->most / 2,
                                   field->least - 1, field->most + 1,     most,
                                   most - 1,         test_random() & most};
        for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
            link_field_put(field, &message, values[k] & most);
            test_expect(link_is_valid(&message, message.size) ==
                            link_fields_judge(&message, message.size),
                        "%s of %#llx", field->name, (unsigned long long)(values[k] & most));
        }
    }
}

// What must fit together: one or two numbers are changed to others, mostly near a limit.
static void test_fit(void)
{
    int num_valid = 0;
    for (int i = 0; i < 20000 / SANITIZED_STRIDE; i++) {
        struct link_message message;
        link_fields_draw(LINK_ACCEPT, test_random, &message);
        struct link_accept *accept = &message.accept;
        uint64_t *const numbers[] = {&accept->slot_size,  &accept->offsets[0], &accept->offsets[1],
                                     &accept->offsets[2], &accept->sizes[0],   &accept->sizes[1],
                                     &accept->sizes[2]};
        const uint64_t near[] = {0,
                                 accept->slot_size,
                                 accept->offsets[0],
                                 accept->offsets[1],
                                 accept->offsets[2],
                                 accept->offsets[0] + accept->sizes[0],
                                 accept->offsets[1] + accept->sizes[1],
                                 accept->slot_size - accept->sizes[0],
                                 ((uint64_t)16 << 30) / accept->num_slots,
                                 UINT64_MAX / accept->num_slots,
                                 UINT64_MAX - accept->offsets[0],
                                 (uint64_t)1 << 63,
                                 test_random()};
        for (int left = (int)(test_random() % 3); left > 0; left--) {
            const uint64_t value = near[test_random() % (sizeof(near) / sizeof(near[0]))];
            uint64_t *number = numbers[test_random() % 7];
            *number = number == numbers[0] && test_random() % 2 ? value / 4096 * 4096
                                                                : value + test_random() % 3 - 1;
        }
        const bool is_valid = link_fields_judge(&message, message.size);
        num_valid += is_valid;
        test_expect(link_is_valid(&message, message.size) == is_valid,
                    "slots of %#llx with %#llx at %#llx, %#llx at %#llx",
                    (unsigned long long)accept->slot_size, (unsigned long long)accept->sizes[0],
                    (unsigned long long)accept->offsets[0], (unsigned long long)accept->sizes[1],
                    (unsigned long long)accept->offsets[1]);
    }
    test_expect(num_valid > 100, "%d are valid", num_valid);
}

// The other process sends back all that it receives.
static void echo(int socket)
{
    struct link_message message;
    int fd;
    while (link_receive(socket, SLOW_MS, &message, &fd) == LINK_OK) {
        if (link_send(socket, message.type, &message, fd) != LINK_OK) {
            _exit(1);
        }
        if (fd >= 0) {
            close(fd);
        }
    }
    _exit(0);
}

static void expect_echo(int socket, const struct link_message *sent, int fd)
{
    struct link_message copy = *sent, got;
    struct stat before, after;
    int back;
    copy.type = copy.size = 0; // filled in
    if (!test_expect(link_send(socket, sent->type, &copy, fd) == LINK_OK &&
                         link_receive(socket, SLOW_MS, &got, &back) == LINK_OK,
                     "a message of type %u comes back", sent->type)) {
        return;
    }
    test_expect(memcmp(&got, sent, sent->size) == 0, "type %u: the same bytes", sent->type);
    test_expect((back >= 0) == (fd >= 0), "type %u: its descriptor", sent->type);
    if (back >= 0) {
        test_expect(fstat(fd, &before) == 0 && fstat(back, &after) == 0 &&
                        before.st_ino == after.st_ino && (fcntl(back, F_GETFD) & FD_CLOEXEC) != 0,
                    "the same file, and no other program's");
        close(back);
    }
}

static void test_round_trips(void)
{
    int pair[2];
    make_pair(pair);
    const pid_t child = fork();
    if (child == 0) {
        close(pair[0]);
        echo(pair[1]);
    }
    close(pair[1]);
    const int file = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int num_before = num_descriptors();
    for (int i = 0; i < NUM_ROUNDS / SANITIZED_STRIDE; i++) {
        struct link_message message;
        const uint32_t type = link_types[i % LINK_NUM_TYPES];
        link_fields_draw(type, test_random, &message);
        expect_echo(pair[0], &message, type == LINK_ACCEPT ? file : -1);
    }
    test_expect(num_descriptors() == num_before, "no descriptor is left");
    close(file);
    close(pair[0]);
    test_expect(test_wait(child) == 0, "the other process saw the end");
}

// The other process takes the memory and writes to the last byte of each slot.
static void fill_memory(int socket)
{
    struct link_message message;
    int fd;
    if (link_receive(socket, SLOW_MS, &message, &fd) != LINK_OK || fd < 0) {
        _exit(1);
    }
    uint8_t *memory = link_memory_map(fd, &message.accept);
    if (!memory || close(fd) != 0) {
        _exit(1);
    }
    for (uint32_t i = 0; i < message.accept.num_slots; i++) {
        memory[(i + 1) * message.accept.slot_size - 1] = (uint8_t)(i + 1);
    }
    link_memory_unmap(memory, &message.accept);
    _exit(0);
}

static void test_memory(void)
{
    struct link_message message = {.accept = {.stream = 3,
                                              .num_slots = 2 + (uint32_t)(test_random() % 63),
                                              .slot_size = 4096 * (1 + test_random() % 300),
                                              .sizes = {16}}};
    const struct link_accept *accept = &message.accept;
    const int fd = link_memory_create(accept);
    uint8_t *memory = link_memory_map(fd, accept);
    if (!test_expect(fd > STDERR_FILENO && memory, "memory of %u slots", accept->num_slots)) {
        return;
    }
    test_expect((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, "no other program gets it");
    test_expect(ftruncate(fd, 4096) != 0 && errno == EPERM, "it does not shrink");
    test_expect(ftruncate(fd, (off_t)1 << 34) != 0 && errno == EPERM, "it does not grow");
    test_expect(fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) != 0 && errno == EPERM,
                "no other seal goes on it");
    int pair[2];
    make_pair(pair);
    const pid_t child = fork();
    if (child == 0) {
        fill_memory(pair[1]);
    }
    test_expect(link_send(pair[0], LINK_ACCEPT, &message, fd) == LINK_OK, "memory goes out");
    test_expect(test_wait(child) == 0, "the other process has the memory");
    for (uint32_t i = 0; i < accept->num_slots; i++) {
        test_expect(memory[(i + 1) * accept->slot_size - 1] == i + 1, "slot %u", i);
    }
    link_memory_unmap(memory, accept);
    link_memory_unmap(NULL, accept);
    close(fd);
    close(pair[0]);
    close(pair[1]);
}

// A socket that nobody reads from becomes full. All that it took arrives.
static void test_full(void)
{
    int pair[2];
    make_pair(pair);
    uint64_t num = 0;
    struct link_message message = {.frame = {.slot = 1}};
    enum link_result result;
    do {
        message.frame.number = num++;
        result = link_send(pair[0], LINK_FRAME, &message, -1);
    } while (result == LINK_OK && num < 1000000);
    test_expect(result == LINK_AGAIN, "a full socket answers %d", (int)result);
    for (uint64_t i = 0; i + 1 < num; i++) {
        expect_frame(pair[1], i);
    }
    int fd;
    test_expect(link_receive(pair[1], 0, &message, &fd) == LINK_AGAIN, "nothing is left");
    send_frame(pair[0], 17);
    expect_frame(pair[1], 17);
    close(pair[0]);
    close(pair[1]);
}

// A process that is killed, with messages in both directions: what it sent arrives, then the end.
static void test_dead(void)
{
    int pair[2];
    make_pair(pair);
    const int num_frames = (int)(test_random() % 20), num_unread = (int)(test_random() % 3);
    for (int i = 0; i < num_unread; i++) {
        struct link_message message = {.release = {.slot = 1}};
        test_expect(link_send(pair[0], LINK_RELEASE, &message, -1) == LINK_OK, "a release");
    }
    const pid_t child = fork();
    if (child == 0) {
        close(pair[0]);
        for (int i = 0; i < num_frames; i++) {
            send_frame(pair[1], (uint64_t)i);
        }
        raise(SIGKILL);
    }
    close(pair[1]);
    test_wait(child);
    for (int i = 0; i < num_frames; i++) {
        expect_frame(pair[0], (uint64_t)i);
    }
    struct link_message message = {.release = {.slot = 1}};
    int fd;
    test_expect(link_receive(pair[0], -1, &message, &fd) == LINK_CLOSED && fd == -1,
                "the end, after %d frames and %d unread messages", num_frames, num_unread);
    message = (struct link_message){.release = {.slot = 1}};
    test_expect(link_send(pair[0], LINK_RELEASE, &message, -1) == LINK_CLOSED,
                "nothing goes to a dead process");
    close(pair[0]);
}

static void ignore(int number)
{
    (void)number;
}

// Waiting ends at its time, which signals do not change, and when a message comes.
static void test_waiting(void)
{
    int pair[2], fd;
    make_pair(pair);
    struct link_message message;
    const struct sigaction action = {.sa_handler = ignore};
    const struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    int64_t begin = now_ms();
    test_expect(link_receive(pair[0], 50, &message, &fd) == LINK_AGAIN && now_ms() - begin >= 50,
                "nothing came in %d ms", (int)(now_ms() - begin));
    const pid_t child = fork();
    if (child == 0) {
        const struct timespec pause = {.tv_nsec = 30000000};
        nanosleep(&pause, NULL);
        send_frame(pair[1], 5);
        _exit(0);
    }
    test_expect(link_receive(pair[0], -1, &message, &fd) == LINK_OK && message.frame.number == 5,
                "a message that was waited for");
    setitimer(ITIMER_REAL, &never, NULL);
    test_wait(child);
    close(pair[0]);
    close(pair[1]);
}

int main(void)
{
    test_ranges();
    test_fit();
    test_round_trips();
    test_memory();
    test_full();
    test_dead();
    test_waiting();
    return test_finish();
}
