// SPDX-License-Identifier: MIT
// Movies on a disk that fails: what cannot be stored is a failure, what has no room for its index
// is none, and what the host prints never gets into the file.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/movie/hap.h"
#include "reference.h"
#include "testing.h"

enum { WIDTH = 256, HEIGHT = 144, NUM_FRAMES = 20 };

// The calls of the file are wrapped. The n-th from now on fails; 0: none does.
struct fault {
    int countdown;
    int error;
    size_t num_bytes; // written before it fails
};
static struct fault pwrite_fault, fdatasync_fault;

ssize_t __real_pwrite(int fd, const void *data, size_t size, off_t offset);
ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t offset);
int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);

static bool is_due(struct fault *fault)
{
    return fault->countdown > 0 && --fault->countdown == 0;
}

ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t offset)
{
    if (!is_due(&pwrite_fault)) {
        return __real_pwrite(fd, data, size, offset);
    }
    if (pwrite_fault.num_bytes > 0) {
        pwrite_fault.countdown = 1; // the rest fails
        const size_t num_bytes = pwrite_fault.num_bytes;
        pwrite_fault.num_bytes = 0;
        return __real_pwrite(fd, data, num_bytes, offset);
    }
    errno = pwrite_fault.error;
    return -1;
}

int __wrap_fdatasync(int fd)
{
    if (is_due(&fdatasync_fault)) {
        errno = fdatasync_fault.error;
        return -1;
    }
    return __real_fdatasync(fd);
}

static struct weir_mux *begin_movie(const char *path)
{
    static uint8_t bytes[WIDTH * HEIGHT + 4];
    const uint32_t size = test_texture_size(WIDTH, HEIGHT);
    test_random_bytes(bytes + 4, size);
    weir_hap_write_header(bytes + 4, size, 0xaf);
    const struct weir_mux_params params = test_movie(path, WIDTH, HEIGHT);
    struct weir_mux *mux = NULL;
    test_expect(weir_mux_mov.open(&params, &mux) == WEIR_OK, "open '%s'", path);
    for (uint64_t i = 0; mux && i < NUM_FRAMES; i++) {
        const struct weir_mux_packet packet = {.data = bytes, .size = size + 4, .ticks = 1500 * i};
        test_expect(mux->ops->write(mux, &packet) == WEIR_OK, "frame %d", (int)i);
    }
    return mux;
}

// Close a movie under a fault, and expect its result, one message of that code with a text, and a
// file with every frame.
struct ending {
    const char *name;
    struct fault pwrite, fdatasync;
    enum weir_result result; // an error, or there is no room for an index
    const char *text;
};

static void test_ending(const struct ending *ending)
{
    const char *path = test_path("ending.mov");
    struct weir_mux *mux = begin_movie(path);
    const enum weir_log_code code = ending->result == WEIR_OK ? WEIR_LOG_CODE_NO_INDEX
                                                              : WEIR_LOG_CODE_WRITE_FAILED;
    const int before = test_log_count(code);
    pwrite_fault = ending->pwrite;
    fdatasync_fault = ending->fdatasync;
    const enum weir_result result = mux->ops->close(mux);
    pwrite_fault = fdatasync_fault = (struct fault){0};
    test_expect(result == ending->result, "%s: close says %s", ending->name,
                weir_result_name(result));
    test_expect(test_log_count(code) == before + 1, "%s: %d messages %d", ending->name,
                test_log_count(code) - before, code);
    test_expect(strstr(test_log_text(), ending->text), "%s: the text is: %s", ending->name,
                test_log_text());
    reference_expect_frames(ending->name, path, NUM_FRAMES);
    unlink(path);
}

static void test_endings(void)
{
    static const struct ending endings[] = {
        {"sync", {0}, {1, EIO, 0}, WEIR_ERROR_IO, "did not store"},
        {"thin disk", {0}, {1, ENOSPC, 0}, WEIR_ERROR_IO, "did not store"},
        {"index", {1, EIO, 0}, {0}, WEIR_ERROR_IO, "what was written is in it"},
        {"half an index", {1, EIO, 100}, {0}, WEIR_ERROR_IO, "what was written is in it"},
        {"no room", {1, ENOSPC, 100}, {0}, WEIR_OK, "no room"},
        {"head", {2, EIO, 0}, {0}, WEIR_ERROR_IO, "its end is missing"},
        {"half a head", {2, EIO, 5}, {0}, WEIR_ERROR_IO, "its end is missing"},
        {"no room for half a head", {2, ENOSPC, 9}, {0}, WEIR_OK, "no room"},
    };
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        test_ending(&endings[i]);
    }
}

static void close_streams(int which)
{
    for (int fd = 0; fd < 3; fd++) {
        if (which & 1 << fd) {
            close(fd);
        }
    }
}

// The host has no standard streams, and prints nevertheless.
static void print_beside(int which, const char *path)
{
    close_streams(which);
    struct weir_mux *mux = begin_movie(path);
    for (int fd = 0; fd < 3; fd++) {
        if (which & 1 << fd && write(fd, "a line of the host's\n", 21) >= 0) {
            _exit(2);
        }
    }
    _exit(mux->ops->close(mux) == WEIR_OK ? 0 : 1);
}

static void test_streams(void)
{
    for (int which = 1; which < 8; which++) {
        const char *path = test_path("streams.mov");
        test_random(); // prints the seed, while there is somewhere to print it
        const pid_t child = fork();
        if (child == 0) {
            print_beside(which, path);
        }
        test_expect(test_wait(child) == 0, "streams %d", which);
        reference_expect_frames("streams", path, NUM_FRAMES);
        unlink(path);
    }
}

int main(void)
{
    test_endings();
    test_streams();
    return test_finish();
}
