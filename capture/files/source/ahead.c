// SPDX-License-Identifier: MIT
// Decoding ahead: the pictures of a sequence on several threads, handed out in order.
#include "capture/files/source/ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/base/thread.h"

enum { MAX_THREADS = 8, MAX_SLOTS = 2 * MAX_THREADS };
static const size_t memory_goal = (size_t)512 << 20; // for decoded pictures that wait [bytes]

// File i goes through slot i % num_slots.
struct slot {
    AVFrame *frame;
    enum weir_result result;
    bool decoded; // `frame` holds a picture
    bool done;    // a thread has left the slot
};

struct weir_ahead {
    struct weir_ahead_params params;
    struct slot slots[MAX_SLOTS];
    size_t num_slots;
    pthread_t threads[MAX_THREADS];
    int num_threads;
    pthread_mutex_t lock; // protects the members from here on, and `done` of all slots
    pthread_cond_t changed;
    size_t taken; // number of files that threads have taken: the next file to decode
    size_t given; // number of files that the caller has got: the next file to hand out
    bool stop;
};

static void decode(struct weir_ahead *ahead, size_t file, struct slot *slot)
{
    struct weir_reader_params params = ahead->params.reader;
    params.path = ahead->params.list->files[file].path;
    slot->result = weir_reader_read_picture(&params, slot->frame, &slot->decoded, NULL);
}

static void *run(void *user)
{
    struct weir_ahead *ahead = user;
    pthread_mutex_lock(&ahead->lock);
    for (;;) {
        while (!ahead->stop && ahead->taken < ahead->params.list->num_files &&
               ahead->taken - ahead->given >= ahead->num_slots) {
            pthread_cond_wait(&ahead->changed, &ahead->lock);
        }
        if (ahead->stop || ahead->taken >= ahead->params.list->num_files) {
            break;
        }
        size_t file = ahead->taken++;
        struct slot *slot = &ahead->slots[file % ahead->num_slots];
        pthread_mutex_unlock(&ahead->lock);
        decode(ahead, file, slot);
        pthread_mutex_lock(&ahead->lock);
        slot->done = true;
        pthread_cond_broadcast(&ahead->changed);
    }
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

static int choose_threads(const struct weir_ahead_params *params)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t num = cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (size_t)cores;
    size_t fit = memory_goal / (2 * params->picture_size + 1) + 1;
    size_t files = params->list->num_files - params->first;
    num = num < fit ? num : fit;
    return (int)(num < files ? num : files);
}

enum weir_result weir_ahead_start(const struct weir_ahead_params *params, struct weir_ahead **out)
{
    *out = NULL;
    const struct weir_log *log = params->reader.log;
    struct weir_ahead *ahead = calloc(1, sizeof(*ahead));
    if (!ahead) {
        return weir_fail(log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory to decode pictures ahead");
    }
    ahead->params = *params;
    ahead->taken = ahead->given = params->first;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    int wanted = choose_threads(params);
    ahead->num_slots = 2 * (size_t)wanted;
    // Together those that wait stay within the limit, but any may be as large as the first.
    uint64_t *limit = &ahead->params.reader.memory.limit;
    if (wanted > 0 && *limit / ahead->num_slots > params->picture_need) {
        *limit /= ahead->num_slots;
    } else if (*limit > 0) {
        *limit = params->picture_need;
    }
    bool good = true;
    for (size_t i = 0; i < ahead->num_slots; i++) {
        ahead->slots[i].frame = av_frame_alloc();
        good = good && ahead->slots[i].frame;
    }
    for (int i = 0; i < wanted && good; i++) {
        if (!weir_thread_start(&ahead->threads[i], "weir-picture", run, ahead)) {
            break;
        }
        ahead->num_threads++;
    }
    if (!good || (wanted > 0 && ahead->num_threads == 0)) {
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                        good ? "no thread can be started to decode pictures; the limit of "
                               "processes (ulimit -u) may be reached"
                             : "no memory to decode pictures ahead");
        weir_ahead_stop(&ahead);
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *out = ahead;
    return WEIR_OK;
}

void weir_ahead_stop(struct weir_ahead **ahead)
{
    if (!ahead || !*ahead) {
        return;
    }
    struct weir_ahead *a = *ahead;
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    for (int i = 0; i < a->num_threads; i++) {
        pthread_join(a->threads[i], NULL);
    }
    for (size_t i = 0; i < a->num_slots; i++) {
        av_frame_free(&a->slots[i].frame);
    }
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    free(a);
    *ahead = NULL;
}

enum weir_result weir_ahead_next(struct weir_ahead *ahead, AVFrame *frame, uint64_t *number,
                                 bool *decoded, bool *end)
{
    *end = ahead->given >= ahead->params.list->num_files;
    if (*end) {
        return WEIR_OK;
    }
    struct slot *slot = &ahead->slots[ahead->given % ahead->num_slots];
    pthread_mutex_lock(&ahead->lock);
    while (!slot->done) {
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    }
    slot->done = false;
    *number = ahead->params.list->files[ahead->given].number;
    *decoded = slot->decoded;
    av_frame_move_ref(frame, slot->frame);
    enum weir_result result = slot->result;
    ahead->given++;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    return result;
}
