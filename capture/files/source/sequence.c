// SPDX-License-Identifier: MIT
// A sequence: the pictures of a list that can be decoded, in order.
#include "capture/files/source/sequence.h"

#include <libavutil/imgutils.h>

#include "capture/files/source/memory.h"

void weir_sequence_init(struct weir_sequence *sequence, const struct weir_source_list *list,
                        size_t first, const struct weir_reader_params *reader)
{
    *sequence = (struct weir_sequence){.list = list, .first = first, .reader = *reader};
}

void weir_sequence_finish(struct weir_sequence *sequence)
{
    weir_ahead_stop(&sequence->ahead);
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
    if (!decoded) {
        return WEIR_OK;
    }
    const int size = av_image_get_buffer_size((enum AVPixelFormat)frame->format, frame->width,
                                              frame->height, 1);
    const struct weir_ahead_params params = {
        .list = sequence->list,
        .first = next,
        .picture_size = size > 0 ? (size_t)size : 0,
        .picture_need = weir_memory_need(&sequence->reader.memory, (uint64_t)frame->width,
                                         (uint64_t)frame->height,
                                         (enum AVPixelFormat)frame->format),
        .reader = sequence->reader,
    };
    return weir_ahead_start(&params, &sequence->ahead);
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
        result = weir_ahead_next(sequence->ahead, frame, number, &decoded, end);
        sequence->num_errors += result == WEIR_OK && !decoded && !*end;
    }
    return result;
}
