// SPDX-License-Identifier: MIT
// Samples of an audio track, from wherever they lie in the file, as floats.
#include <string.h>

#include "capture/base/size.h"
#include "capture/play/play.h"

// Get the value of `size` bytes.
static float value_of(const uint8_t *bytes, uint32_t size, bool is_big_endian, bool is_float)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < size; i++) {
        bits |= (uint64_t)bytes[is_big_endian ? size - 1 - i : i] << (8 * i);
    }
    if (is_float && size == 8) {
        double value;
        memcpy(&value, &bits, sizeof(value));
        return (float)value;
    }
    if (is_float) {
        const uint32_t low = (uint32_t)bits;
        float value;
        memcpy(&value, &low, sizeof(value));
        return value;
    }
    return (float)((int32_t)(uint32_t)(bits << (32 - 8 * size)) / 2147483648.0);
}

// Read samples that lie side by side.
static bool read_piece(const struct play_list *list, const struct weir_view_source *source,
                       uint32_t track, uint64_t offset, uint32_t num, float *out)
{
    enum { ROOM = 4096 };
    const struct weir_movie_audio *audio = &list->movie.audio[track];
    const uint32_t size = audio->sample_size / audio->num_channels;
    uint8_t bytes[ROOM];
    for (uint32_t part; num > 0; num -= part) {
        part = (uint32_t)weir_min(num, ROOM / audio->sample_size);
        if (!source->read(source->user, offset, bytes, (size_t)part * audio->sample_size)) {
            return false;
        }
        for (uint32_t i = 0; i < part * audio->num_channels; i++) {
            *out++ = value_of(bytes + (size_t)i * size, size, list->is_big_endian[track],
                              audio->is_float);
        }
        offset += (uint64_t)part * audio->sample_size;
    }
    return true;
}

// Get the first piece of a track that ends behind a position.
static uint32_t find_piece(const struct play_list *list, uint32_t track, uint64_t position)
{
    uint32_t first = list->begins[track + 1], num = list->begins[track + 2] - first;
    while (num > 0) {
        const struct weir_piece *middle = &list->pieces[first + num / 2];
        if (middle->time + weir_piece_num_samples(&list->movie, middle) <= position) {
            first += num / 2 + 1;
            num -= num / 2 + 1;
        } else {
            num /= 2;
        }
    }
    return first;
}

enum weir_result weir_play_list_read_audio(const struct play_list *list,
                                           const struct weir_view_source *source, uint32_t track,
                                           uint64_t position, uint32_t num_samples, float *samples)
{
    const struct weir_movie_audio *audio = &list->movie.audio[track];
    const uint32_t value_size = audio->sample_size / audio->num_channels;
    memset(samples, 0, (size_t)num_samples * audio->num_channels * sizeof(*samples));
    if (value_size != 2 && value_size != 3 && value_size != 4 && value_size != 8) {
        return WEIR_ERROR_UNSUPPORTED;
    }
    const uint64_t end = position + num_samples;
    for (uint32_t i = find_piece(list, track, position); i < list->begins[track + 2]; i++) {
        const struct weir_piece *piece = &list->pieces[i];
        const uint64_t from = weir_max(position, piece->time);
        const uint64_t to = weir_min(end,
                                     piece->time + weir_piece_num_samples(&list->movie, piece));
        if (from >= end) {
            break;
        }
        if (from < to &&
            !read_piece(list, source, track,
                        piece->offset + (from - piece->time) * audio->sample_size,
                        (uint32_t)(to - from), samples + (from - position) * audio->num_channels)) {
            return WEIR_ERROR_IO;
        }
    }
    return WEIR_OK;
}
