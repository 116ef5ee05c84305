// SPDX-License-Identifier: MIT
// Sync: a thread that makes the disk have what was committed to a file, at regular times, so that
// nobody who writes waits for it.
#include "capture/base/file_parts.h"

#include <stdbool.h>
#include <stdlib.h>

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

// Wait for a commit that is not on the disk, and for the time of the next sync. False: quit.
static bool wait_for_work(struct weir_sync *sync, uint64_t next_ns)
{
    while (!sync->quit && (sync->committed == sync->synced || weir_clock_ns() < next_ns)) {
        if (sync->committed == sync->synced) {
            pthread_cond_wait(&sync->changed, &sync->mutex);
        } else {
            weir_thread_wait_until(&sync->changed, &sync->mutex, next_ns);
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
    weir_thread_condition_init(&sync->changed);
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
