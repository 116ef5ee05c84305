// SPDX-License-Identifier: MIT
// A sequence: the pictures of a list that can be decoded, in order. The first one is decoded by the
// caller's thread, those after it ahead, on several threads.
#include "capture/files/source/sequence.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <libavutil/imgutils.h>

#include "capture/base/thread.h"
#include "capture/files/source/still_decoder.h"

enum { MAX_THREADS = 8, MAX_SLOTS = 2 * MAX_THREADS };
static const size_t memory_goal = (size_t)512 << 20; // for decoded pictures that wait [bytes]

// File i goes through slot i % num_slots.
struct slot {
    AVFrame *frame;
    enum weir_result result;
    bool decoded; // `frame` holds a picture
    bool done;    // a thread has left the slot
};

struct weir_sequence_ahead {
    const struct weir_source_list *list;
    struct weir_reader_params reader; // for every picture; `path` is not used
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

static void decode(struct weir_sequence_ahead *ahead, size_t file, struct slot *slot)
{
    struct weir_reader_params params = ahead->reader;
    params.path = ahead->list->files[file].path;
    slot->result = weir_reader_read_picture(&params, slot->frame, &slot->decoded, NULL);
}

static void *run(void *user)
{
    struct weir_sequence_ahead *ahead = user;
    pthread_mutex_lock(&ahead->lock);
    for (;;) {
        while (!ahead->stop && ahead->taken < ahead->list->num_files &&
               ahead->taken - ahead->given >= ahead->num_slots) {
            pthread_cond_wait(&ahead->changed, &ahead->lock);
        }
        if (ahead->stop || ahead->taken >= ahead->list->num_files) {
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

// `picture_size`: of a decoded picture [bytes].
static int choose_threads(size_t picture_size, size_t num_files)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t num = cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (size_t)cores;
    const size_t fit = memory_goal / (2 * picture_size + 1) + 1;
    return (int)FFMIN3(num, fit, num_files);
}

// Together the pictures that wait stay within the limit, but any may be as large as the first.
static uint64_t limit_of(const struct weir_memory_use *memory, const AVFrame *first,
                         size_t num_slots)
{
    const uint64_t need = weir_memory_need(memory, (uint64_t)first->width, (uint64_t)first->height,
                                           (enum AVPixelFormat)first->format);
    return num_slots > 0 && memory->limit / num_slots > need ? memory->limit / num_slots
           : memory->limit > 0                               ? need
                                                             : 0;
}

static enum weir_result fail_to_start(const struct weir_log *log, bool has_memory)
{
    return weir_fail(log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY, "%s",
                     has_memory ? "no thread can be started to decode pictures; the limit of "
                                  "processes (ulimit -u) may be reached"
                                : "no memory to decode pictures ahead");
}

// Decode the files from `next` on, behind the first picture.
static enum weir_result start(struct weir_sequence *sequence, size_t next, const AVFrame *first)
{
    struct weir_sequence_ahead *ahead = calloc(1, sizeof(*ahead));
    if (!ahead) {
        return fail_to_start(sequence->reader.log, false);
    }
    const int size = av_image_get_buffer_size((enum AVPixelFormat)first->format, first->width,
                                              first->height, 1);
    const int wanted = choose_threads(size > 0 ? (size_t)size : 0,
                                      sequence->list->num_files - next);
    sequence->ahead = ahead;
    ahead->list = sequence->list;
    ahead->reader = sequence->reader;
    ahead->taken = ahead->given = next;
    ahead->num_slots = 2 * (size_t)wanted;
    ahead->reader.memory.limit = limit_of(&sequence->reader.memory, first, ahead->num_slots);
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    bool has_memory = true;
    for (size_t i = 0; i < ahead->num_slots; i++) {
        ahead->slots[i].frame = av_frame_alloc();
        has_memory = has_memory && ahead->slots[i].frame;
    }
    while (has_memory && ahead->num_threads < wanted &&
           weir_thread_start(&ahead->threads[ahead->num_threads], "weir-picture", run, ahead)) {
        ahead->num_threads++;
    }
    return has_memory && (wanted == 0 || ahead->num_threads > 0)
               ? WEIR_OK
               : fail_to_start(sequence->reader.log, has_memory);
}

void weir_sequence_finish(struct weir_sequence *sequence)
{
    struct weir_sequence_ahead *a = sequence->ahead;
    if (!a) {
        return;
    }
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
    sequence->ahead = NULL;
}

// Get the next picture. `*decoded` is false if the file could not be decoded, which was logged.
static enum weir_result get_next(struct weir_sequence_ahead *ahead, AVFrame *frame,
                                 uint64_t *number, bool *decoded, bool *end)
{
    *end = ahead->given >= ahead->list->num_files;
    if (*end) {
        return WEIR_OK;
    }
    struct slot *slot = &ahead->slots[ahead->given % ahead->num_slots];
    pthread_mutex_lock(&ahead->lock);
    while (!slot->done) {
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    }
    slot->done = false;
    *number = ahead->list->files[ahead->given].number;
    *decoded = slot->decoded;
    av_frame_move_ref(frame, slot->frame);
    enum weir_result result = slot->result;
    ahead->given++;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    return result;
}

void weir_sequence_init(struct weir_sequence *sequence, const struct weir_source_list *list,
                        size_t first, const struct weir_reader_params *reader)
{
    *sequence = (struct weir_sequence){.list = list, .first = first, .reader = *reader};
}

static bool is_interrupted(const struct weir_sequence *sequence)
{
    const struct weir_reader_params *reader = &sequence->reader;
    return reader->interrupted && reader->interrupted(reader->user);
}

// Decode the first picture that can be decoded, on this thread. Other threads decode later ones.
static enum weir_result decode_first(struct weir_sequence *sequence, AVFrame *frame,
                                     uint64_t *number, bool *end)
{
    size_t next = sequence->first;
    bool decoded = false;
    while (!decoded && next < sequence->list->num_files) {
        const struct weir_source_file *file = &sequence->list->files[next++];
        struct weir_reader_params params = sequence->reader;
        params.path = file->path;
        WEIR_TRY(weir_reader_read_picture(&params, frame, &decoded, &sequence->names));
        if (!decoded && is_interrupted(sequence)) {
            return WEIR_ERROR_IO;
        }
        sequence->num_errors += !decoded;
        *number = file->number;
    }
    *end = !decoded;
    return decoded ? start(sequence, next, frame) : WEIR_OK;
}

enum weir_result weir_sequence_next(struct weir_sequence *sequence, AVFrame *frame,
                                    uint64_t *number, bool *end)
{
    if (!sequence->ahead) {
        return decode_first(sequence, frame, number, end);
    }
    bool decoded = false;
    enum weir_result result = WEIR_OK;
    *end = false;
    while (result == WEIR_OK && !decoded && !*end) {
        if (is_interrupted(sequence)) {
            return WEIR_ERROR_IO;
        }
        result = get_next(sequence->ahead, frame, number, &decoded, end);
        sequence->num_errors += result == WEIR_OK && !decoded && !*end;
    }
    return result;
}
