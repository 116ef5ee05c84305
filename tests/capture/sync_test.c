// SPDX-License-Identifier: MIT
// Movies that the disk is made to have: when it is asked, that nobody waits for it, and what
// happens when it fails.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/movie/hap.h"
#include "reference.h"
#include "testing.h"

enum { WIDTH = 256, HEIGHT = 144 };
static const uint64_t millisecond = 1000000, hour = 3600000000000;

// What the disk was asked for. The calls of the file are wrapped.
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_stuck; // fdatasync() does not come back
    int error;     // of fdatasync(); 0 = none
    int num_data, num_folder;
    int num_waiting;    // calls that are stuck
    int64_t size;       // of the file when the last fdatasync() began that went well
    int num_after_head; // calls of fdatasync() since the last pwrite()
} disk = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
ssize_t __real_pwrite(int fd, const void *data, size_t size, off_t offset);
ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t offset);

int __wrap_fdatasync(int fd)
{
    struct stat status;
    fstat(fd, &status);
    pthread_mutex_lock(&disk.mutex);
    disk.num_data++;
    disk.num_after_head++;
    disk.num_waiting++;
    pthread_cond_broadcast(&disk.changed);
    while (disk.is_stuck) {
        pthread_cond_wait(&disk.changed, &disk.mutex);
    }
    disk.num_waiting--;
    errno = disk.error;
    const int result = disk.error != 0 ? -1 : 0;
    disk.size = result == 0 ? status.st_size : disk.size;
    pthread_cond_broadcast(&disk.changed);
    pthread_mutex_unlock(&disk.mutex);
    return result;
}

int __wrap_fsync(int fd)
{
    struct stat status;
    pthread_mutex_lock(&disk.mutex);
    disk.num_folder += fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    pthread_cond_broadcast(&disk.changed);
    pthread_mutex_unlock(&disk.mutex);
    return __real_fsync(fd);
}

ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t offset)
{
    pthread_mutex_lock(&disk.mutex);
    disk.num_after_head = 0;
    pthread_mutex_unlock(&disk.mutex);
    return __real_pwrite(fd, data, size, offset);
}

static void set_disk(bool is_stuck, int error)
{
    pthread_mutex_lock(&disk.mutex);
    disk.is_stuck = is_stuck;
    disk.error = error;
    pthread_cond_broadcast(&disk.changed);
    pthread_mutex_unlock(&disk.mutex);
}

static int num_syncs(void)
{
    pthread_mutex_lock(&disk.mutex);
    const int num = disk.num_data;
    pthread_mutex_unlock(&disk.mutex);
    return num;
}

// Sleep until the disk has that many bytes, and the folder.
static void wait_until_stored(int64_t size)
{
    pthread_mutex_lock(&disk.mutex);
    while (disk.size < size || disk.num_folder == 0) {
        pthread_cond_wait(&disk.changed, &disk.mutex);
    }
    pthread_mutex_unlock(&disk.mutex);
}

static void wait_until_stuck(void)
{
    pthread_mutex_lock(&disk.mutex);
    while (disk.num_waiting == 0) {
        pthread_cond_wait(&disk.changed, &disk.mutex);
    }
    pthread_mutex_unlock(&disk.mutex);
}

static struct weir_mux *open_movie(const char *path, uint64_t sync_ns)
{
    struct weir_mux_params params = test_movie(path, WIDTH, HEIGHT);
    params.sync_ns = sync_ns;
    struct weir_mux *mux = NULL;
    disk.num_data = disk.num_folder = disk.num_after_head = 0;
    disk.size = 0;
    test_expect(weir_mux_mov.open(&params, &mux) == WEIR_OK, "open: %s", test_log_text());
    return mux;
}

static enum weir_result write_frame(struct weir_mux *mux, int frame)
{
    static uint8_t bytes[WIDTH * HEIGHT + 4];
    const uint32_t size = test_texture_size(WIDTH, HEIGHT);
    weir_hap_write_header(bytes + 4, size, 0xaf);
    return mux->ops->write(mux, &(struct weir_mux_packet){.data = bytes,
                                                          .size = size + 4,
                                                          .ticks = 1500 * (uint64_t)frame});
}

// Every frame gets to the disk though no other follows it.
static void test_low_rate(void)
{
    const char *path = test_path("low.mov");
    struct weir_mux *mux = open_movie(path, 5 * millisecond);
    for (int i = 0; i < 10; i++) {
        test_expect(write_frame(mux, i) == WEIR_OK, "frame %d", i);
        wait_until_stored(test_file_size(path));
    }
    test_expect(disk.num_folder == 1, "the folder: %d times", disk.num_folder);
    test_expect(mux->ops->close(mux) == WEIR_OK, "close");
    test_expect(disk.num_after_head == 1 && disk.size == test_file_size(path),
                "the disk has the last step of closing too");
}

// The first frame at once; then one sync an interval however many frames there are.
static void test_high_rate(void)
{
    const char *path = test_path("high.mov");
    struct weir_mux *mux = open_movie(path, hour);
    write_frame(mux, 0);
    wait_until_stored(test_file_size(path));
    for (int i = 1; i < 500; i++) {
        write_frame(mux, i);
    }
    test_expect(num_syncs() == 1, "%d syncs in the first hour", num_syncs());
    test_expect(mux->ops->close(mux) == WEIR_OK, "close");
    test_expect(num_syncs() == 3, "%d syncs: of the first frame, the index, its head", num_syncs());
    reference_expect_frames("many frames", path, 500);
}

static void test_never(void)
{
    struct weir_mux *mux = open_movie(test_path("never.mov"), 0);
    for (int i = 0; i < 100; i++) {
        write_frame(mux, i);
    }
    test_expect(num_syncs() == 0, "%d syncs before the end", num_syncs());
    test_expect(mux->ops->close(mux) == WEIR_OK, "close");
    test_expect(num_syncs() == 1, "%d syncs for the index", num_syncs());
}

// While the disk does not come back, frames are written.
static void test_slow_disk(void)
{
    const char *path = test_path("slow.mov");
    struct weir_mux *mux = open_movie(path, millisecond);
    set_disk(true, 0);
    write_frame(mux, 0);
    wait_until_stuck();
    for (int i = 1; i < 200; i++) {
        test_expect(write_frame(mux, i) == WEIR_OK, "frame %d", i);
    }
    set_disk(false, 0);
    wait_until_stored(test_file_size(path));
    test_expect(mux->ops->close(mux) == WEIR_OK, "close");
    reference_expect_frames("a slow disk", path, 200);
}

// A failure ends the recording, is told once, and is not tried again: that would succeed.
static void test_failure(int error)
{
    const enum weir_log_code code = WEIR_LOG_CODE_WRITE_FAILED;
    const char *path = test_path("failing.mov");
    struct weir_mux *mux = open_movie(path, millisecond);
    int64_t stored = 0;
    for (int i = 0; i < 3; i++) {
        write_frame(mux, i);
        stored = test_file_size(path);
        wait_until_stored(stored);
    }
    const int before = test_log_count(code), num_before = num_syncs();
    set_disk(false, error);
    enum weir_result result;
    int num = 3;
    while ((result = write_frame(mux, num)) == WEIR_OK) {
        num++;
        sched_yield();
    }
    set_disk(false, 0);
    test_expect(result == WEIR_ERROR_IO, "a frame: %s", weir_result_name(result));
    test_expect(write_frame(mux, num) == WEIR_ERROR_IO, "it is sticky");
    test_expect(mux->ops->close(mux) == WEIR_ERROR_IO, "close repeats it");
    test_expect(test_log_count(code) == before + 1, "told %d times", test_log_count(code) - before);
    char bytes[64];
    snprintf(bytes, sizeof(bytes), "the first %lld are stored", (long long)stored);
    test_expect(strstr(test_log_text(), bytes), "not '%s': %s", bytes, test_log_text());
    test_expect(num_syncs() == num_before + 1, "%d syncs more", num_syncs() - num_before);
    reference_expect_frames("a failure", path, num);
    unlink(path);
}

int main(void)
{
    test_low_rate();
    test_high_rate();
    test_never();
    test_slow_disk();
    test_failure(EIO);
    test_failure(ENOSPC);
    return test_finish();
}
