// SPDX-License-Identifier: MIT
// Recordings with sound, and segments of them, for tests of what puts segments together.
#include "segments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/format/segment.h"
#include "capture/weir/remux/write.h"
#include "stage.h"
#include "testing.h"

enum { FRAME_NS = 40000000, CALL = SEGMENTS_RATE / 25, SECOND_TRACK = 1000000 };

static struct movie_bytes read_file(const char *path)
{
    struct movie_bytes file = {.size = (size_t)test_file_size(path)};
    file.bytes = malloc(file.size + 1);
    FILE *stream = fopen(path, "rb");
    test_expect(stream && fread(file.bytes, 1, file.size, stream) == file.size, "read %s", path);
    fclose(stream);
    return file;
}

static void record(const char *path, uint32_t num_frames, uint32_t first_of_second)
{
    static const struct weir_audio_track tracks[SEGMENTS_TRACKS] = {
        {.sample_rate = SEGMENTS_RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32},
        {.sample_rate = SEGMENTS_RATE,
         .num_channels = 1,
         .format = WEIR_SAMPLE_S32,
         .language = "fra"},
    };
    struct stage stage;
    stage_open(&stage, &(struct stage_params){.ops = &weir_mux_mov,
                                              .path = path,
                                              .tracks = tracks,
                                              .num_tracks = SEGMENTS_TRACKS,
                                              .waits = true});
    int32_t samples[CALL];
    for (uint32_t i = 0; i < num_frames; i++) {
        const int64_t time_ns = (int64_t)i * FRAME_NS;
        const int64_t jitter = i > 0 ? (int64_t)(test_random() % (FRAME_NS / 2)) : 0;
        stage_frame(&stage, time_ns + jitter, test_random() % 2);
        for (uint32_t track = 0; track < SEGMENTS_TRACKS; track++) {
            for (uint32_t n = 0; n < CALL; n++) {
                samples[n] = (int32_t)(i * CALL + n + 1 + track * SECOND_TRACK);
            }
            if (track == 0 || i >= first_of_second) {
                stage_audio(&stage, track, samples, CALL, time_ns);
            }
        }
    }
    struct weir_capture_stats stats;
    test_expect(stage_close(&stage, &stats) == WEIR_OK && stats.audio.dropped == 0, "recorded");
}

// The movie is read as one that was not closed, which gives the head of a movie that grows.
void recording_make(struct recording *recording, const char *path, uint32_t num_frames,
                    uint32_t first_of_second)
{
    *recording = (struct recording){.num_frames = num_frames};
    record(path, num_frames, first_of_second);
    recording->file = read_file(path);
    test_random_bytes(recording->id, sizeof(recording->id));
    struct movie_bytes cut = movie_copy(&recording->file, recording->file.size - 8);
    const struct recover_params params = {.source = movie_source(&cut)};
    test_expect(recover_find(&params, &recording->found) &&
                    recover_found_list(&recording->found, &recording->list) &&
                    recording->found.frames.num == num_frames,
                "the recording is found: %s", recording->found.refusal);
    for (uint32_t i = 0; i < num_frames; i++) {
        recording->ticks[i] = recording->found.frames.items[i].ticks;
    }
    free(cut.bytes);
}

void recording_finish(struct recording *recording)
{
    remux_movie_finish(&recording->list);
    recover_found_finish(&recording->found);
    free(recording->file.bytes);
}

uint64_t recording_position(const struct recording *recording, uint32_t frame)
{
    const uint64_t scale = recording->list.ticks_per_second;
    return (recording->ticks[frame] * SEGMENTS_RATE + scale / 2) / scale;
}

static bool read_piece(void *user, uint32_t source, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct recording *recording = user;
    (void)source;
    memcpy(bytes, recording->file.bytes + offset, size);
    return true;
}

static const char *name_input(void *user, uint32_t source)
{
    (void)user;
    (void)source;
    return "recording";
}

static bool go_on(void *user, uint64_t bytes, size_t num_frames)
{
    (void)user;
    (void)bytes;
    (void)num_frames;
    return true;
}

// Add the part of samples that lies between two positions, the first of which becomes 0.
static void add_samples(struct remux_movie *movie, struct remux_piece piece, uint64_t begin,
                        uint64_t end)
{
    const uint64_t first = piece.time > begin ? piece.time : begin;
    const uint64_t last = piece.time + piece.num_samples < end ? piece.time + piece.num_samples
                                                               : end;
    if (first < last) {
        piece.offset += (first - piece.time) * sizeof(int32_t);
        piece.num_samples = (uint32_t)(last - first);
        piece.time = first - begin;
        test_expect(remux_movie_add(movie, &piece), "memory");
    }
}

static uint8_t *make_head(const struct recording *recording, uint32_t number, uint32_t begin,
                          struct remux_movie *movie)
{
    const struct remux_movie *list = &recording->list;
    uint8_t *head = malloc(list->head_size + WEIR_SEGMENT_BOX_SIZE);
    struct weir_boxes boxes = {.bytes = head, .room = list->head_size + WEIR_SEGMENT_BOX_SIZE};
    struct weir_segment segment = {.number = number,
                                   .ticks_per_second = list->ticks_per_second,
                                   .start_ticks = recording->ticks[begin]};
    memcpy(segment.recording, recording->id, sizeof(segment.recording));
    weir_boxes_copy(&boxes, list->head, list->moov);
    if (number > 0) {
        weir_segment_write(&segment, &boxes);
    }
    movie->moov = boxes.size;
    weir_boxes_copy(&boxes, list->head + list->moov, list->head_size - list->moov);
    movie->head = head;
    movie->head_size = boxes.size;
    return head;
}

void recording_write_segment(struct recording *recording, const char *path, uint32_t number,
                             uint32_t begin, uint32_t end)
{
    const struct remux_movie *list = &recording->list;
    const bool is_last = end == recording->num_frames;
    struct remux_movie movie = *list;
    movie.pieces = NULL;
    movie.num_pieces = movie.room = 0;
    uint8_t *head = make_head(recording, number, begin, &movie);
    const uint64_t first = recording_position(recording, begin);
    const uint64_t last = is_last ? UINT64_MAX : recording_position(recording, end);
    uint32_t frame = 0;
    for (size_t i = 0; i < list->num_pieces; i++) {
        struct remux_piece piece = list->pieces[i];
        if (piece.num_samples > 0) {
            add_samples(&movie, piece, first, last);
        } else if (frame >= begin && frame < end) {
            piece.time -= recording->ticks[begin];
            test_expect(remux_movie_add(&movie, &piece), "memory");
        }
        frame += piece.num_samples == 0;
    }
    if (!is_last) {
        movie.ticks_per_frame = (uint32_t)(recording->ticks[end] - recording->ticks[end - 1]);
    }
    const struct remux_target target = {
        .path = path, .read = read_piece, .name = name_input, .progress = go_on, .user = recording};
    test_expect(remux_write(&movie, &target) == WEIR_OK, "a segment is written");
    remux_movie_finish(&movie);
    free(head);
}
