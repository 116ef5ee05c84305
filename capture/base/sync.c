// SPDX-License-Identifier: MIT
// Sync: a thread that makes the disk have what was committed to a file, at regular times, so that
// nobody who writes waits for it.
#include "capture/base/file_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/thread.h"

struct weir_sync {
    int fd, folder;
    uint64_t interval_ns;
    pthread_t thread;
    pthread_mutex_t mutex; // protects the members from here on
    pthread_cond_t changed;
    uint64_t committed, synced; // [bytes]
    int failure;
    bool quit;
};

static int failure_of(int (*call)(int), int fd)
{
    int result;
    do {
        result = call(fd);
    } while (result != 0 && errno == EINTR);
    const bool is_unknown = errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
    return result == 0 || is_unknown ? 0 : errno;
}

int weir_sync_data(int fd)
{
    return failure_of(fdatasync, fd);
}

int weir_sync_folder(int folder)
{
    const int fd = weir_descriptor_open(folder, ".", O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        return errno == EIO ? EIO : 0; // a folder that may not be read can still be written to
    }
    const int failure = failure_of(fsync, fd);
    close(fd);
    return failure;
}

// Wait for a commit that is not on the disk, and for the time of the next sync. False: quit.
static bool wait_for_work(struct weir_sync *sync, uint64_t next_ns)
{
    const struct timespec next = {.tv_sec = (time_t)(next_ns / 1000000000u),
                                  .tv_nsec = (long)(next_ns % 1000000000u)};
    while (!sync->quit && (sync->committed == sync->synced || weir_clock_ns() < next_ns)) {
        if (sync->committed == sync->synced) {
            pthread_cond_wait(&sync->changed, &sync->mutex);
        } else {
            pthread_cond_timedwait(&sync->changed, &sync->mutex, &next);
        }
    }
    return !sync->quit;
}

static void *run(void *user)
{
    struct weir_sync *sync = user;
    uint64_t next_ns = 0;
    pthread_mutex_lock(&sync->mutex);
    while (sync->failure == 0 && wait_for_work(sync, next_ns)) {
        const uint64_t size = sync->committed, begin_ns = weir_clock_ns();
        const bool is_first = sync->synced == 0;
        pthread_mutex_unlock(&sync->mutex);
        int failure = weir_sync_data(sync->fd);
        if (failure == 0 && is_first) {
            failure = weir_sync_folder(sync->folder);
        }
        const uint64_t took_ns = weir_clock_ns() - begin_ns;
        // What was committed at begin_ns + 1 has to wait for the next one to end, which may take
        // twice as long as this one did.
        next_ns = begin_ns +
                  (took_ns < sync->interval_ns / 2 ? sync->interval_ns - 2 * took_ns : 0);
        pthread_mutex_lock(&sync->mutex);
        sync->failure = failure;
        sync->synced = failure == 0 ? size : sync->synced;
    }
    pthread_mutex_unlock(&sync->mutex);
    return NULL;
}

static void free_sync(struct weir_sync *sync)
{
    pthread_cond_destroy(&sync->changed);
    pthread_mutex_destroy(&sync->mutex);
    free(sync);
}

struct weir_sync *weir_sync_create(int fd, int folder, uint64_t interval_ns)
{
    struct weir_sync *sync = calloc(1, sizeof(*sync));
    if (!sync) {
        return NULL;
    }
    sync->fd = fd;
    sync->folder = folder;
    sync->interval_ns = interval_ns;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&sync->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&sync->mutex, NULL);
    if (!weir_thread_start(&sync->thread, "weir-sync", run, sync)) {
        free_sync(sync);
        return NULL;
    }
    return sync;
}

void weir_sync_commit(struct weir_sync *sync, uint64_t size)
{
    pthread_mutex_lock(&sync->mutex);
    if (sync->committed == sync->synced) {
        pthread_cond_signal(&sync->changed);
    }
    sync->committed = size;
    pthread_mutex_unlock(&sync->mutex);
}

int weir_sync_failure(struct weir_sync *sync)
{
    pthread_mutex_lock(&sync->mutex);
    const int failure = sync->failure;
    pthread_mutex_unlock(&sync->mutex);
    return failure;
}

int weir_sync_destroy(struct weir_sync *sync, uint64_t *synced)
{
    pthread_mutex_lock(&sync->mutex);
    sync->quit = true;
    pthread_cond_signal(&sync->changed);
    pthread_mutex_unlock(&sync->mutex);
    pthread_join(sync->thread, NULL);
    const int failure = sync->failure;
    *synced = sync->synced;
    free_sync(sync);
    return failure;
}
