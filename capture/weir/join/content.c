// SPDX-License-Identifier: MIT
// What lies in a movie that is joined: its frames and samples, by its tables.
#include "capture/weir/join/content.h"

#include <stdlib.h>

#include "capture/base/grow.h"

// What a fragment can hold [bytes].
#define MAX_PIECE (UINT32_MAX - 8)

struct reading {
    const struct join_input *input;
    struct join_content *content;
    uint64_t file_size;
    uint64_t total; // of all pieces [bytes]
    struct join_list *list;
    uint32_t sample_size, most_samples; // of sound
    uint64_t position;
    bool is_out_of_memory, is_damaged;
};

static bool add(struct reading *reading, const struct remux_piece *piece)
{
    struct join_list *list = reading->list;
    struct remux_piece *items = weir_grow(list->items, list->num, &list->room, sizeof(items[0]));
    reading->is_out_of_memory = !items;
    if (items) {
        list->items = items;
        list->items[list->num++] = *piece;
    }
    return items;
}

// No two pieces share bytes: tables that say so are damaged, or want to fill the disk.
static bool lies_in_file(struct reading *reading, uint64_t offset, uint64_t size)
{
    reading->total += size;
    reading->is_damaged = size == 0 || offset > reading->file_size ||
                          size > reading->file_size - offset || reading->total > reading->file_size;
    return !reading->is_damaged;
}

static bool visit_frame(void *user, const struct weir_sample *sample)
{
    struct reading *reading = user;
    struct join_content *content = reading->content;
    if (!lies_in_file(reading, sample->offset, sample->size) || sample->size > MAX_PIECE ||
        sample->duration == 0 || sample->duration > INT32_MAX) {
        reading->is_damaged = true;
        return false;
    }
    content->end_ticks = sample->ticks + sample->duration;
    content->last_duration = sample->duration;
    return add(reading, &(const struct remux_piece){
                            .offset = sample->offset, .time = sample->ticks, .size = sample->size});
}

static bool visit_chunk(void *user, const struct weir_audio_chunk *chunk)
{
    struct reading *reading = user;
    const uint64_t size = (uint64_t)chunk->num_samples * reading->sample_size;
    if (!lies_in_file(reading, chunk->offset, size)) {
        return false;
    }
    bool has_memory = true;
    for (uint32_t done = 0, num; has_memory && done < chunk->num_samples; done += num) {
        const uint32_t left = chunk->num_samples - done;
        num = left < reading->most_samples ? left : reading->most_samples;
        has_memory = add(reading,
                         &(const struct remux_piece){
                             .offset = chunk->offset + (uint64_t)done * reading->sample_size,
                             .time = reading->position,
                             .num_samples = num});
        reading->position += num;
    }
    return has_memory;
}

static enum weir_result read_audio(struct weir_view *view, struct reading *reading, uint32_t index)
{
    const struct weir_audio_track_found *track = &reading->input->moov.audio[index];
    reading->list = &reading->content->audio[index];
    reading->sample_size = track->sample_size;
    reading->most_samples = track->sample_rate; // a fragment has a second at most
    reading->position = reading->input->audio_delays[index];
    return weir_audio_chunks_read(view, track, visit_chunk, reading);
}

bool join_content_read(struct weir_view *view, const struct join_input *input,
                       struct join_content *content, char refusal[JOIN_REFUSAL_SIZE])
{
    *content = (struct join_content){.num_audio = input->moov.num_audio};
    struct reading reading = {
        .input = input,
        .content = content,
        .file_size = view->source.size,
        .list = &content->frames,
    };
    enum weir_result result = weir_samples_read(view, &input->moov, visit_frame, &reading);
    for (uint32_t i = 0; i < content->num_audio; i++) {
        if (result == WEIR_OK && !reading.is_damaged && !reading.is_out_of_memory) {
            result = read_audio(view, &reading, i);
        }
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY || reading.is_out_of_memory) {
        return join_refuse(refusal, "there is no memory for the list of what is in %s",
                           input->path);
    }
    if (result != WEIR_OK || reading.is_damaged) {
        return join_refuse(refusal,
                           "%s: its index does not agree with what is in it; weir recover finds "
                           "its frames",
                           input->path);
    }
    return content->frames.num > 0 || join_refuse(refusal, "%s has no frames", input->path);
}

void join_content_finish(struct join_content *content)
{
    free(content->frames.items);
    for (uint32_t i = 0; i < WEIR_MOOV_MAX_AUDIO; i++) {
        free(content->audio[i].items);
    }
    *content = (struct join_content){.num_audio = 0};
}

const struct remux_piece *join_content_next(struct join_content *content, uint32_t *list)
{
    struct join_list *best = NULL;
    for (uint32_t i = 0; i <= content->num_audio; i++) {
        struct join_list *each = i == 0 ? &content->frames : &content->audio[i - 1];
        if (each->at < each->num &&
            (!best || each->items[each->at].offset < best->items[best->at].offset)) {
            best = each;
            *list = i;
        }
    }
    return best ? &best->items[best->at++] : NULL;
}
