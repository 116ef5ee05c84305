// SPDX-License-Identifier: MIT
// Threads that do the parts of a work side by side.
#include <stdlib.h>

#include "capture/base/thread.h"
#include "capture/play/play.h"

struct play_pool {
    pthread_mutex_t lock;
    pthread_cond_t begun, done;
    pthread_t threads[PLAY_MAX_THREADS];
    uint32_t num_threads, num_started, num_busy; // besides the caller's
    uint64_t work;                               // counts them
    bool ends;
    void (*run)(void *user, uint32_t index, uint32_t thread);
    void *user;
    uint32_t num;
    atomic_uint next;
};

static void work(struct play_pool *pool, uint32_t thread)
{
    for (uint32_t i; (i = atomic_fetch_add(&pool->next, 1)) < pool->num;) {
        pool->run(pool->user, i, thread);
    }
}

static void *serve(void *user)
{
    struct play_pool *pool = user;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    const uint32_t number = ++pool->num_started;
    for (;;) {
        while (pool->work == seen && !pool->ends) {
            pthread_cond_wait(&pool->begun, &pool->lock);
        }
        if (pool->ends) {
            break;
        }
        seen = pool->work;
        pthread_mutex_unlock(&pool->lock);
        work(pool, number);
        pthread_mutex_lock(&pool->lock);
        if (--pool->num_busy == 0) {
            pthread_cond_signal(&pool->done);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct play_pool *weir_play_pool_create(uint32_t num)
{
    struct play_pool *pool = calloc(1, sizeof(*pool));
    if (!pool) {
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begun, NULL);
    pthread_cond_init(&pool->done, NULL);
    while (pool->num_threads + 1 < num) {
        if (!weir_thread_start(&pool->threads[pool->num_threads], "weir-unpack", serve, pool)) {
            weir_play_pool_destroy(&pool);
            return NULL;
        }
        pool->num_threads++;
    }
    return pool;
}

void weir_play_pool_destroy(struct play_pool **pool)
{
    struct play_pool *self = *pool;
    if (!self) {
        return;
    }
    pthread_mutex_lock(&self->lock);
    self->ends = true;
    pthread_cond_broadcast(&self->begun);
    pthread_mutex_unlock(&self->lock);
    for (uint32_t i = 0; i < self->num_threads; i++) {
        pthread_join(self->threads[i], NULL);
    }
    pthread_cond_destroy(&self->begun);
    pthread_cond_destroy(&self->done);
    pthread_mutex_destroy(&self->lock);
    free(self);
    *pool = NULL;
}

void weir_play_pool_run(struct play_pool *pool, uint32_t num,
                        void (*run)(void *user, uint32_t index, uint32_t thread), void *user)
{
    pthread_mutex_lock(&pool->lock);
    pool->run = run;
    pool->user = user;
    pool->num = num;
    atomic_store(&pool->next, 0);
    pool->num_busy = pool->num_threads;
    pool->work++;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    work(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->num_busy > 0) {
        pthread_cond_wait(&pool->done, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}
