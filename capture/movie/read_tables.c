// SPDX-License-Identifier: MIT
// The tables of a plain movie: where each frame lies, and when it is shown; where samples lie
// (ISO/IEC 14496-12, 8.6.1.2 and 8.7).
#include "capture/movie/read.h"

// The tables of more frames than a disk holds are damaged.
#define MAX_TABLES_SIZE (1u << 30)

// A damaged rate makes no list of single samples.
#define LEAST_RATE 1000u

struct table {
    uint64_t at;   // of its first entry; 0: the table is not there
    uint32_t num;  // entries
    uint32_t size; // of an entry [bytes]
};

// Reads the tables of a track, piece by piece.
struct reader {
    struct weir_view view; // of all its tables at once
    struct table times, chunk_runs, sizes, offsets;
    uint32_t same_size;                       // of all frames; 0: they are in `sizes`
    uint32_t sample_size, most_samples;       // of sound; of one piece; 0: frames
    uint64_t file_size, room;                 // what more can lie in the file [bytes]
    uint32_t num, left;                       // frames, or samples
    uint32_t run, left_in_run;                // of times
    uint32_t chunk, left_in_chunk, chunk_run; // the next chunk, and the run of chunks that it is of
    uint32_t size;                            // of `next`, wherever it lies [bytes]
    uint32_t length;                          // of `next` [ticks]
    struct weir_piece next;
    bool has_next, is_damaged;
};

// Find a table whose number of entries is `skipped` bytes behind its version and flags.
static bool find_table(struct weir_view *view, const struct weir_box *stbl, const char *type,
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
static uint32_t read_u32(struct reader *reader, const struct table *table, uint32_t entry,
                         uint32_t place)
{
    const uint8_t *bytes = weir_view_at(&reader->view,
                                        table->at + (uint64_t)entry * table->size + place, 4);
    return bytes ? weir_boxes_read_u32(bytes) : 0;
}

// The sizes are all in one number, or in a table behind it.
static bool find_sizes(struct reader *reader, const struct weir_box *stbl)
{
    const uint8_t *bytes = weir_box_open(&reader->view, stbl, "stsz", 12, NULL);
    if (!bytes) {
        return false;
    }
    reader->same_size = weir_boxes_read_u32(bytes + 4);
    reader->num = reader->left = weir_boxes_read_u32(bytes + 8);
    return reader->same_size > 0 || find_table(&reader->view, stbl, "stsz", 4, 4, &reader->sizes);
}

static bool find_tables(struct reader *reader, const struct weir_box *stbl)
{
    struct weir_view *view = &reader->view;
    return weir_view_at(view, stbl->begin, view->room) && find_sizes(reader, stbl) &&
           find_table(view, stbl, "stts", 0, 8, &reader->times) &&
           find_table(view, stbl, "stsc", 0, 12, &reader->chunk_runs) &&
           (find_table(view, stbl, "co64", 0, 8, &reader->offsets) ||
            find_table(view, stbl, "stco", 0, 4, &reader->offsets));
}

static bool enter_chunk(struct reader *reader)
{
    if (reader->chunk >= reader->offsets.num || reader->chunk_runs.num == 0) {
        return false;
    }
    while (reader->chunk_run + 1 < reader->chunk_runs.num &&
           read_u32(reader, &reader->chunk_runs, reader->chunk_run + 1, 0) <= reader->chunk + 1) {
        reader->chunk_run++;
    }
    reader->left_in_chunk = read_u32(reader, &reader->chunk_runs, reader->chunk_run, 4);
    const uint32_t description = read_u32(reader, &reader->chunk_runs, reader->chunk_run, 8);
    reader->next.offset = read_u32(reader, &reader->offsets, reader->chunk, 0);
    if (reader->offsets.size == 8) {
        reader->next.offset = reader->next.offset << 32 |
                              read_u32(reader, &reader->offsets, reader->chunk, 4);
    }
    reader->chunk++;
    return reader->left_in_chunk > 0 && description == 1; // the first, which is read
}

static bool read_length(struct reader *reader)
{
    while (reader->left_in_run == 0) {
        if (reader->run >= reader->times.num) {
            return false;
        }
        reader->left_in_run = read_u32(reader, &reader->times, reader->run, 0);
        reader->length = read_u32(reader, &reader->times, reader->run, 4);
        reader->run++;
    }
    reader->left_in_run--;
    return true;
}

static bool lies_in_file(const struct reader *reader, uint64_t size)
{
    const uint64_t offset = reader->next.offset;
    return size <= WEIR_PIECE_MAX_SIZE && offset <= reader->file_size &&
           size <= reader->file_size - offset;
}

static bool read_frame(struct reader *reader)
{
    if (!read_length(reader)) {
        return false;
    }
    reader->size = reader->same_size > 0
                       ? reader->same_size
                       : read_u32(reader, &reader->sizes, reader->num - reader->left, 0);
    reader->next.size = lies_in_file(reader, reader->size) ? reader->size : 0;
    reader->left_in_chunk--;
    reader->left--;
    return true;
}

static void read_samples(struct reader *reader)
{
    const uint32_t left = reader->left_in_chunk < reader->left ? reader->left_in_chunk
                                                               : reader->left;
    const uint32_t num = left < reader->most_samples ? left : reader->most_samples;
    const bool is_there = lies_in_file(reader, (uint64_t)num * reader->sample_size);
    reader->length = is_there ? num : left;
    reader->next.size = reader->size = is_there ? num * reader->sample_size : 0;
    reader->left_in_chunk -= reader->length;
    reader->left -= reader->length;
}

static void read_next(struct reader *reader)
{
    reader->next.time += reader->length;
    reader->next.offset += reader->size;
    reader->has_next = reader->left > 0 && !reader->is_damaged;
    if (!reader->has_next) {
        return;
    }
    reader->is_damaged = reader->left_in_chunk == 0 && !enter_chunk(reader);
    if (!reader->is_damaged && reader->sample_size > 0) {
        read_samples(reader);
    } else if (!reader->is_damaged) {
        reader->is_damaged = !read_frame(reader);
    }
    // No two pieces share bytes.
    reader->is_damaged = reader->is_damaged || reader->next.size > reader->room;
    reader->room -= reader->next.size;
    reader->has_next = !reader->is_damaged;
}

// True if all samples have one size and last one tick.
static bool are_regular(struct reader *reader)
{
    for (uint32_t i = 0; i < reader->times.num; i++) {
        if (read_u32(reader, &reader->times, i, 4) != 1) {
            return false;
        }
    }
    return reader->num == 0 || reader->same_size == reader->sample_size;
}

// True if the first run of chunks begins with the first one, and each sample has one time.
static bool are_complete(struct reader *reader)
{
    uint64_t num = 0;
    for (uint32_t i = 0; i < reader->times.num; i++) {
        num += read_u32(reader, &reader->times, i, 0);
    }
    return num == reader->num &&
           (reader->chunk_runs.num == 0 || read_u32(reader, &reader->chunk_runs, 0, 0) == 1);
}

// Begin with a track, numbered as in pieces. False: out of memory.
static bool begin(struct reader *reader, const struct weir_view *view,
                  const struct weir_movie *movie, const struct weir_box *stbl, uint32_t track)
{
    const uint64_t size = stbl->end - stbl->begin;
    *reader = (struct reader){.next = {.track = track},
                              .file_size = view->source.size,
                              .room = view->source.size,
                              .is_damaged = size > MAX_TABLES_SIZE};
    if (reader->is_damaged) {
        return true;
    }
    if (!weir_view_init(&reader->view, &view->source, (size_t)size)) {
        return false;
    }
    if (track > 0) {
        const struct weir_movie_audio *audio = &movie->audio[track - 1];
        reader->sample_size = audio->sample_size;
        reader->most_samples = audio->sample_rate > LEAST_RATE ? audio->sample_rate : LEAST_RATE;
    }
    reader->is_damaged = !find_tables(reader, stbl) ||
                         (track > 0 ? !are_regular(reader) : reader->num > reader->file_size);
    read_next(reader);
    return true;
}

// Get the reader of the piece that comes next in the file. NULL: there is none.
static struct reader *find_first(struct reader *readers, uint32_t num)
{
    struct reader *first = NULL;
    for (uint32_t i = 0; i < num; i++) {
        if (readers[i].has_next && (!first || readers[i].next.offset < first->next.offset)) {
            first = &readers[i];
        }
    }
    return first;
}

enum weir_result weir_movie_read_tables(struct weir_view *view, struct weir_track_place *tracks,
                                        struct weir_movie *movie)
{
    struct reader readers[1 + WEIR_MOVIE_MAX_AUDIO] = {0}, *first;
    const uint32_t num = 1 + movie->num_audio;
    bool has_memory = true;
    for (uint32_t i = 0; has_memory && i < num; i++) {
        has_memory = begin(&readers[i], view, movie, &tracks[i].stbl, i);
    }
    while (has_memory && (first = find_first(readers, num))) {
        has_memory = weir_movie_add(movie, &first->next);
        read_next(first);
    }
    movie->pictures.ticks_per_frame = readers[0].length;
    for (uint32_t i = 0; i < num; i++) {
        tracks[i].is_damaged = readers[i].is_damaged || !are_complete(&readers[i]);
        weir_view_finish(&readers[i].view);
    }
    return has_memory ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

bool weir_movie_is_sound(const struct weir_movie_found *found, uint64_t file_size)
{
    const struct weir_movie *movie = &found->movie;
    const uint32_t duration = movie->pictures.ticks_per_frame;
    uint64_t total = 0, next = 0;
    bool are = duration > 0 && duration <= INT32_MAX;
    for (uint32_t i = 0; i <= movie->num_audio; i++) {
        are = are && !found->tracks[i].is_damaged;
    }
    for (uint32_t i = 0; are && i < movie->num_pieces; i++) {
        const struct weir_piece *piece = &movie->pieces[i];
        total += piece->size;
        are = piece->size > 0 && total <= file_size;
        if (piece->track == 0) {
            are = are && piece->time >= next && piece->time - next < INT32_MAX;
            next = piece->time + 1;
        }
    }
    return are;
}
