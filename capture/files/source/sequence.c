// SPDX-License-Identifier: MIT
// A sequence: the pictures of a list that can be decoded, in order. The first one is decoded by the
// caller's thread, those after it ahead, on several threads.
#include "capture/files/source/reader.h"

#include <libavutil/imgutils.h>

#include "capture/base/system.h"
#include "capture/base/thread.h"

static const size_t memory_goal = (size_t)512 << 20; // for decoded pictures that wait [bytes]

static enum weir_result decode(const struct weir_sequence *sequence, size_t file, AVFrame *frame,
                               bool *decoded, const struct weir_still_decoder **still)
{
    struct weir_reader_params params = sequence->reader;
    params.path = sequence->list->files[file].path;
    return weir_reader_read_picture(&params, frame, decoded, still);
}

static void *run(void *user)
{
    struct weir_sequence *sequence = user;
    const struct weir_still_decoder *still;
    pthread_mutex_lock(&sequence->lock);
    for (;;) {
        while (!sequence->stop && sequence->taken < sequence->list->num_files &&
               sequence->taken - sequence->given >= sequence->num_slots) {
            pthread_cond_wait(&sequence->changed, &sequence->lock);
        }
        if (sequence->stop || sequence->taken >= sequence->list->num_files) {
            break;
        }
        size_t file = sequence->taken++;
        struct weir_sequence_slot *slot = &sequence->slots[file % sequence->num_slots];
        pthread_mutex_unlock(&sequence->lock);
        slot->result = decode(sequence, file, slot->frame, &slot->decoded, &still);
        pthread_mutex_lock(&sequence->lock);
        slot->done = true;
        pthread_cond_broadcast(&sequence->changed);
    }
    pthread_mutex_unlock(&sequence->lock);
    return NULL;
}

// `picture_size`: of a decoded picture [bytes].
static int choose_threads(size_t picture_size, size_t num_files)
{
    const size_t num = FFMIN(weir_num_processors(), WEIR_SEQUENCE_MAX_THREADS);
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
    const int size = av_image_get_buffer_size((enum AVPixelFormat)first->format, first->width,
                                              first->height, 1);
    const int wanted = choose_threads(size > 0 ? (size_t)size : 0,
                                      sequence->list->num_files - next);
    bool has_memory = true;
    sequence->has_begun = true;
    sequence->taken = sequence->given = next;
    sequence->num_slots = 2 * (size_t)wanted;
    sequence->reader.memory.limit = limit_of(&sequence->reader.memory, first, sequence->num_slots);
    pthread_mutex_init(&sequence->lock, NULL);
    pthread_cond_init(&sequence->changed, NULL);
    for (size_t i = 0; i < sequence->num_slots; i++) {
        sequence->slots[i].frame = av_frame_alloc();
        has_memory = has_memory && sequence->slots[i].frame;
    }
    while (has_memory && sequence->num_threads < wanted &&
           weir_thread_start(&sequence->threads[sequence->num_threads], "weir-picture", run,
                             sequence)) {
        sequence->num_threads++;
    }
    return has_memory && (wanted == 0 || sequence->num_threads > 0)
               ? WEIR_OK
               : fail_to_start(sequence->reader.log, has_memory);
}

void weir_sequence_finish(struct weir_sequence *sequence)
{
    if (!sequence->has_begun) {
        return;
    }
    pthread_mutex_lock(&sequence->lock);
    sequence->stop = true;
    pthread_cond_broadcast(&sequence->changed);
    pthread_mutex_unlock(&sequence->lock);
    for (int i = 0; i < sequence->num_threads; i++) {
        pthread_join(sequence->threads[i], NULL);
    }
    for (size_t i = 0; i < sequence->num_slots; i++) {
        av_frame_free(&sequence->slots[i].frame);
    }
    pthread_cond_destroy(&sequence->changed);
    pthread_mutex_destroy(&sequence->lock);
    sequence->has_begun = false;
}

// Get the next picture. `*decoded` is false if the file could not be decoded, which was logged.
static enum weir_result get_next(struct weir_sequence *sequence, AVFrame *frame, uint64_t *number,
                                 bool *decoded, bool *end)
{
    *end = sequence->given >= sequence->list->num_files;
    if (*end) {
        return WEIR_OK;
    }
    struct weir_sequence_slot *slot = &sequence->slots[sequence->given % sequence->num_slots];
    pthread_mutex_lock(&sequence->lock);
    while (!slot->done) {
        pthread_cond_wait(&sequence->changed, &sequence->lock);
    }
    slot->done = false;
    *number = sequence->list->files[sequence->given].number;
    *decoded = slot->decoded;
    av_frame_move_ref(frame, slot->frame);
    enum weir_result result = slot->result;
    sequence->given++;
    pthread_cond_broadcast(&sequence->changed);
    pthread_mutex_unlock(&sequence->lock);
    return result;
}

// Decode the first picture that can be decoded, on this thread. Other threads decode later ones.
static enum weir_result decode_first(struct weir_sequence *sequence, AVFrame *frame,
                                     uint64_t *number, bool *end)
{
    size_t next = sequence->first;
    bool decoded = false;
    while (!decoded && next < sequence->list->num_files) {
        *number = sequence->list->files[next].number;
        WEIR_TRY(decode(sequence, next++, frame, &decoded, &sequence->still));
        sequence->num_errors += !decoded;
    }
    *end = !decoded;
    return decoded ? start(sequence, next, frame) : WEIR_OK;
}

enum weir_result weir_sequence_next(struct weir_sequence *sequence, AVFrame *frame,
                                    uint64_t *number, bool *end)
{
    if (!sequence->has_begun) {
        return decode_first(sequence, frame, number, end);
    }
    bool decoded = false;
    enum weir_result result = WEIR_OK;
    *end = false;
    while (result == WEIR_OK && !decoded && !*end) {
        result = get_next(sequence, frame, number, &decoded, end);
        sequence->num_errors += result == WEIR_OK && !decoded && !*end;
    }
    return result;
}
