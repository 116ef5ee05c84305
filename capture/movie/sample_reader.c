// SPDX-License-Identifier: MIT
// The tables of a plain movie: where each frame lies, and when it is shown; where samples lie
// (ISO/IEC 14496-12, 8.6.1.2 and 8.7).
#include "capture/movie/track_reader.h"

// The tables of more frames than a disk holds are damaged.
#define MAX_TABLES_SIZE (1u << 30)

struct table {
    uint64_t at;   // of its first entry; 0: the table is not there
    uint32_t num;  // entries
    uint32_t size; // of an entry [bytes]
};

struct tables {
    struct weir_view view; // of all the tables at once
    struct table times, chunk_runs, sizes, offsets;
    uint32_t same_size; // of all frames; 0: they are in `sizes`
    uint32_t num_frames;
};

// Find a table whose number of entries stands `skipped` bytes behind its version and flags.
static bool find_table(struct weir_view *view, const struct weir_box *stbl, uint32_t type,
                       uint32_t skipped, uint32_t entry_size, struct table *table)
{
    struct weir_box box;
    const size_t head = 8 + (size_t)skipped;
    const uint8_t *bytes = weir_box_open(view, stbl, type, head, &box);
    if (!bytes) {
        return false;
    }
    *table = (struct table){.at = box.payload + head,
                            .num = weir_boxes_read_u32(bytes + 4 + skipped),
                            .size = entry_size};
    return table->num <= (box.end - table->at) / entry_size;
}

// A number of 32 bits of an entry. The entry lies in the table, and the table in the view.
static uint32_t read_u32(struct tables *tables, const struct table *table, uint32_t entry,
                         uint32_t place)
{
    const uint8_t *bytes = weir_view_at(&tables->view,
                                        table->at + (uint64_t)entry * table->size + place, 4);
    return bytes ? weir_boxes_read_u32(bytes) : 0;
}

// The sizes are all in one number, or in a table behind it.
static bool find_sizes(struct tables *tables, const struct weir_box *stbl)
{
    struct weir_box box;
    const uint8_t *bytes = weir_box_open(&tables->view, stbl, WEIR_BOX('s', 't', 's', 'z'), 12,
                                         &box);
    if (!bytes) {
        return false;
    }
    tables->same_size = weir_boxes_read_u32(bytes + 4);
    tables->num_frames = weir_boxes_read_u32(bytes + 8);
    return tables->same_size > 0 ||
           find_table(&tables->view, stbl, WEIR_BOX('s', 't', 's', 'z'), 4, 4, &tables->sizes);
}

static bool find_tables(struct tables *tables, const struct weir_box *stbl)
{
    struct weir_view *view = &tables->view;
    return find_sizes(tables, stbl) &&
           find_table(view, stbl, WEIR_BOX('s', 't', 't', 's'), 0, 8, &tables->times) &&
           find_table(view, stbl, WEIR_BOX('s', 't', 's', 'c'), 0, 12, &tables->chunk_runs) &&
           (find_table(view, stbl, WEIR_BOX('c', 'o', '6', '4'), 0, 8, &tables->offsets) ||
            find_table(view, stbl, WEIR_BOX('s', 't', 'c', 'o'), 0, 4, &tables->offsets));
}

// Where the walk through the tables is.
struct cursor {
    uint32_t run, left_in_run;                // of times
    uint32_t chunk, left_in_chunk, chunk_run; // the next chunk, and the run of chunks that it is of
    struct weir_sample sample;
};

static bool enter_chunk(struct tables *tables, struct cursor *cursor)
{
    if (cursor->chunk >= tables->offsets.num || tables->chunk_runs.num == 0) {
        return false;
    }
    while (cursor->chunk_run + 1 < tables->chunk_runs.num &&
           read_u32(tables, &tables->chunk_runs, cursor->chunk_run + 1, 0) <= cursor->chunk + 1) {
        cursor->chunk_run++;
    }
    cursor->left_in_chunk = read_u32(tables, &tables->chunk_runs, cursor->chunk_run, 4);
    cursor->sample.offset = read_u32(tables, &tables->offsets, cursor->chunk, 0);
    if (tables->offsets.size == 8) {
        cursor->sample.offset = cursor->sample.offset << 32 |
                                read_u32(tables, &tables->offsets, cursor->chunk, 4);
    }
    cursor->chunk++;
    return cursor->left_in_chunk > 0;
}

// Complete the sample of frame `i`.
static bool step(struct tables *tables, struct cursor *cursor, uint32_t i)
{
    struct weir_sample *sample = &cursor->sample;
    sample->ticks += sample->duration;
    while (cursor->left_in_run == 0) {
        if (cursor->run >= tables->times.num) {
            return false;
        }
        cursor->left_in_run = read_u32(tables, &tables->times, cursor->run, 0);
        sample->duration = read_u32(tables, &tables->times, cursor->run, 4);
        cursor->run++;
    }
    cursor->left_in_run--;
    sample->offset += sample->size;
    if (cursor->left_in_chunk == 0 && !enter_chunk(tables, cursor)) {
        return false;
    }
    cursor->left_in_chunk--;
    sample->size = tables->same_size > 0 ? tables->same_size
                                         : read_u32(tables, &tables->sizes, i, 0);
    return true;
}

// Read the tables of a track into a view of their own.
static enum weir_result open_tables(struct tables *tables, const struct weir_view *view,
                                    const struct weir_box *stbl)
{
    const uint64_t size = stbl->end - stbl->begin;
    *tables = (struct tables){.num_frames = 0};
    if (size > MAX_TABLES_SIZE) {
        return WEIR_ERROR_DATA;
    }
    if (!weir_view_init(&tables->view, &view->source, (size_t)size)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const bool is_right = weir_view_at(&tables->view, stbl->begin, (size_t)size) &&
                          find_tables(tables, stbl);
    return is_right ? WEIR_OK : WEIR_ERROR_DATA;
}

enum weir_result weir_samples_read(struct weir_view *view, const struct weir_moov *moov,
                                   bool (*visit)(void *user, const struct weir_sample *sample),
                                   void *user)
{
    struct tables tables;
    struct cursor cursor = {.run = 0};
    enum weir_result result = open_tables(&tables, view, &moov->stbl);
    for (uint32_t i = 0; result == WEIR_OK && i < tables.num_frames; i++) {
        result = step(&tables, &cursor, i) ? WEIR_OK : WEIR_ERROR_DATA;
        if (result == WEIR_OK && !visit(user, &cursor.sample)) {
            break;
        }
    }
    weir_view_finish(&tables.view);
    return result;
}

// True if all samples have one size and last one tick.
static bool are_regular(struct tables *tables, uint32_t sample_size)
{
    for (uint32_t i = 0; i < tables->times.num; i++) {
        if (read_u32(tables, &tables->times, i, 4) != 1) {
            return false;
        }
    }
    return tables->num_frames == 0 || tables->same_size == sample_size;
}

enum weir_result weir_audio_chunks_read(
    struct weir_view *view, const struct weir_audio_track_found *track,
    bool (*visit)(void *user, const struct weir_audio_chunk *chunk), void *user)
{
    struct tables tables;
    struct cursor cursor = {.run = 0};
    enum weir_result result = open_tables(&tables, view, &track->stbl);
    if (result == WEIR_OK && !are_regular(&tables, track->sample_size)) {
        result = WEIR_ERROR_DATA;
    }
    for (uint32_t left = tables.num_frames, num; result == WEIR_OK && left > 0; left -= num) {
        result = enter_chunk(&tables, &cursor) ? WEIR_OK : WEIR_ERROR_DATA;
        num = cursor.left_in_chunk < left ? cursor.left_in_chunk : left;
        const struct weir_audio_chunk chunk = {.offset = cursor.sample.offset, .num_samples = num};
        if (result == WEIR_OK && !visit(user, &chunk)) {
            break;
        }
    }
    weir_view_finish(&tables.view);
    return result;
}
