// SPDX-License-Identifier: MIT
// The index of a sound track: where its samples lie in a movie, in runs that lie side by side.
#include "capture/movie/audio_index.h"

#include <stdlib.h>
#include <string.h>

#include "capture/base/grow.h"

#define FIRST_ROOM 4096u

bool weir_audio_index_init(struct weir_audio_index *index, uint32_t sample_rate,
                           uint32_t sample_size)
{
    *index = (struct weir_audio_index){
        .room = FIRST_ROOM, .sample_rate = sample_rate, .sample_size = sample_size};
    index->runs = malloc(index->room * sizeof(index->runs[0]));
    if (index->runs) {
        memset(index->runs, 1, index->room * sizeof(index->runs[0])); // touched before use
    }
    return index->runs;
}

void weir_audio_index_finish(struct weir_audio_index *index)
{
    free(index->runs);
    index->runs = NULL;
}

void weir_audio_index_add(struct weir_audio_index *index, uint64_t offset, uint32_t num_samples)
{
    struct weir_audio_run *runs = index->is_incomplete || index->num_runs == UINT32_MAX
                                      ? NULL
                                      : weir_grow(index->runs, index->num_runs, &index->room,
                                                  sizeof(runs[0]));
    index->is_incomplete = !runs;
    if (runs) {
        index->runs = runs;
        runs[index->num_runs++] = (struct weir_audio_run){offset, num_samples};
        index->num_samples += num_samples;
    }
}

// Runs become chunks; chunks of one length are said once.
static void write_stsc(const struct weir_audio_index *index, struct weir_boxes *boxes)
{
    const struct weir_audio_run *runs = index->runs;
    const size_t stsc = weir_boxes_begin_full(boxes, WEIR_BOX('s', 't', 's', 'c'));
    uint32_t num_entries = index->num_runs > 0;
    for (uint32_t i = 1; i < index->num_runs; i++) {
        num_entries += runs[i].num_samples != runs[i - 1].num_samples;
    }
    weir_boxes_u32(boxes, num_entries);
    for (uint32_t i = 0; i < index->num_runs; i++) {
        if (i == 0 || runs[i].num_samples != runs[i - 1].num_samples) {
            weir_boxes_u32(boxes, i + 1);
            weir_boxes_u32(boxes, runs[i].num_samples);
            weir_boxes_u32(boxes, 1); // the sample description
        }
    }
    weir_boxes_end(boxes, stsc);
}

void weir_audio_index_write(const struct weir_audio_index *index, struct weir_boxes *boxes)
{
    // A tick each.
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 't', 's'), 0, 1, index->num_samples, 1);
    write_stsc(index, boxes);
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 's', 'z'), 0, index->sample_size,
                       index->num_samples);
    const size_t co64 = weir_boxes_begin_full(boxes, WEIR_BOX('c', 'o', '6', '4'));
    weir_boxes_u32(boxes, index->num_runs);
    for (uint32_t i = 0; i < index->num_runs; i++) {
        weir_boxes_u64(boxes, index->runs[i].offset);
    }
    weir_boxes_end(boxes, co64);
}

size_t weir_audio_index_size(const struct weir_audio_index *index)
{
    return 128 + (size_t)index->num_runs * (12 + 8);
}
