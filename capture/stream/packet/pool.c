// SPDX-License-Identifier: MIT
// A pool of threads that share out the parts of one job.
#include "capture/stream/packet/packet.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "capture/base/thread.h"

struct weir_pool {
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    void (*part)(void *user, uint32_t index);
    void *user;
    uint32_t num_parts, next, num_done;
    bool quit;
    uint32_t num_workers;
    pthread_t workers[];
};

// Take parts until none is left. The mutex is held on entry and on return.
static void work(struct weir_pool *pool)
{
    while (pool->next < pool->num_parts) {
        const uint32_t index = pool->next++;
        pthread_mutex_unlock(&pool->mutex);
        pool->part(pool->user, index);
        pthread_mutex_lock(&pool->mutex);
        if (++pool->num_done == pool->num_parts) {
            pthread_cond_signal(&pool->done);
        }
    }
}

static void *worker(void *user)
{
    struct weir_pool *pool = user;
    pthread_mutex_lock(&pool->mutex);
    while (!pool->quit) {
        if (pool->next < pool->num_parts) {
            work(pool);
        } else {
            pthread_cond_wait(&pool->work, &pool->mutex);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

struct weir_pool *weir_pool_create(uint32_t num_workers)
{
    struct weir_pool *pool = calloc(1, sizeof(*pool) + num_workers * sizeof(pool->workers[0]));
    if (!pool) {
        return NULL;
    }
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    while (pool->num_workers < num_workers) {
        if (!weir_thread_start(&pool->workers[pool->num_workers], "weir-pack", worker, pool)) {
            weir_pool_destroy(pool);
            return NULL;
        }
        pool->num_workers++;
    }
    return pool;
}

void weir_pool_destroy(struct weir_pool *pool)
{
    if (!pool) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->num_workers; i++) {
        pthread_join(pool->workers[i], NULL);
    }
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

void weir_pool_run(struct weir_pool *pool, void (*part)(void *user, uint32_t index), void *user,
                   uint32_t num_parts)
{
    pthread_mutex_lock(&pool->mutex);
    pool->part = part;
    pool->user = user;
    pool->num_done = 0;
    pool->next = 0;
    pool->num_parts = num_parts;
    pthread_cond_broadcast(&pool->work);
    work(pool);
    while (pool->num_done < num_parts) {
        pthread_cond_wait(&pool->done, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}
