// SPDX-License-Identifier: MIT
// Tables of a head and of an index whose fields are damaged one by one: every frame comes back with
// its time, all audio and the time code, and no movie with a wrong index needs nothing.
#include <stdlib.h>
#include <string.h>

#include "capture/movie/boxes.h"
#include "recover_movie.h"
#include "testing.h"
#include "tests/sanitized.h"

enum { NUM_TRACKS = 2, AUDIO_SIZE = 400, TIMECODE = 1234 };

static void draw_audio(void *user, uint32_t track, uint32_t frame, uint8_t *bytes, uint32_t size)
{
    (void)user;
    (void)track;
    (void)frame;
    test_random_bytes(bytes, size);
}

static void make(struct movie *movie, enum movie_packing packing)
{
    static const struct weir_audio_track tracks[NUM_TRACKS] = {
        {.sample_rate = 48000, .num_channels = 2, .format = WEIR_SAMPLE_S16},
        {.sample_rate = 44100, .num_channels = 1, .format = WEIR_SAMPLE_S32},
    };
    movie_make(movie, &(struct movie_params){
                          .width = 32,
                          .height = 20,
                          .num_frames = 8,
                          .packing = packing,
                          .tracks = tracks,
                          .num_tracks = NUM_TRACKS,
                          .audio_size = AUDIO_SIZE,
                          .draw_audio = draw_audio,
                          .timecode = {.start = TIMECODE, .frames_per_second = 60},
                      });
}

static void check(const struct movie *movie, struct movie_bytes *file, const char *type, size_t at,
                  uint32_t value, bool must_be_wrong)
{
    const struct recover_params params = {.source = movie_source(file)};
    struct recover_found found;
    const bool is_found = recover_find(&params, &found);
    const struct weir_movie *got = &found.movie;
    uint32_t num = 0;
    while (is_found && num < got->pictures.num_frames && num < movie->num_frames) {
        const struct weir_piece *piece = movie_found_frame(&found, num);
        const struct weir_piece *frame = &movie->frames[num];
        if (piece->offset != frame->offset || piece->size != frame->size ||
            piece->time != frame->time) {
            break;
        }
        num++;
    }
    test_expect(num == movie->num_frames && got->pictures.num_frames == num && found.num_lost == 0,
                "%s at %zu is %#x: %u of %u frames, %s", type, at, value, num,
                got->pictures.num_frames, found.refusal);
    for (uint32_t i = 0; is_found && i < NUM_TRACKS; i++) {
        test_expect(got->audio[i].num_samples == movie->num_frames * AUDIO_SIZE / 4,
                    "%s at %zu is %#x: %u samples", type, at, value, got->audio[i].num_samples);
    }
    test_expect(!is_found || got->timecode.first.start == TIMECODE,
                "%s at %zu is %#x: the time code is %u", type, at, value,
                got->timecode.first.start);
    test_expect(!must_be_wrong || found.state == RECOVER_DAMAGED, "%s at %zu is %#x: state %d",
                type, at, value, found.state);
    recover_found_finish(&found);
}

// Damage every field of a table, but for its version and flags, which nothing reads.
static void damage(const struct movie *movie, const struct movie_bytes *whole, size_t box,
                   bool must_be_wrong)
{
    enum { HEAD = 12 };
    struct movie_bytes file = movie_copy(whole, whole->size);
    const char type[] = {(char)file.bytes[box + 4], (char)file.bytes[box + 5],
                         (char)file.bytes[box + 6], (char)file.bytes[box + 7], 0};
    const size_t end = box + weir_boxes_read_u32(file.bytes + box);
    for (size_t at = box + HEAD; at < end; at += 4) {
        const uint32_t was = weir_boxes_read_u32(file.bytes + at);
        const uint32_t values[] = {0, 1, UINT32_MAX, was + 1, was - 1};
        for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
            struct weir_boxes field = {.bytes = file.bytes + at, .room = 4};
            weir_boxes_u32(&field, values[i]);
            check(movie, &file, type, at, values[i], must_be_wrong && values[i] != was);
        }
        struct weir_boxes field = {.bytes = file.bytes + at, .room = 4};
        weir_boxes_u32(&field, was);
    }
    free(file.bytes);
}

// Damage the tables between two places. The last four are those of the time code.
static void test_tables(const struct movie *movie, const struct movie_bytes *whole, size_t begin,
                        size_t end, bool is_index)
{
    uint32_t num = 0;
    for (size_t at = begin; at + 8 < end; at++) {
        if (weir_box_is(weir_boxes_read_u32(whole->bytes + at + 4), "stts stsc stsz stco co64")) {
            damage(movie, whole, at, is_index && num < (1 + NUM_TRACKS) * 4);
            num++;
        }
    }
    test_expect(num == (2 + NUM_TRACKS) * 4, "%u tables", num);
}

// A single fragment of a closed movie that has another time than the index is wrong itself.
static void test_fragments(const struct movie *movie)
{
    enum { TIME = 72 }; // its lower half
    for (uint32_t i = 1; i + 1 < movie->num_frames; i++) {
        struct movie_bytes file = movie_copy(&movie->closed, movie->closed.size);
        const size_t at = movie->moofs[i] + TIME;
        struct weir_boxes field = {.bytes = file.bytes + at, .room = 4};
        weir_boxes_u32(&field, (uint32_t)movie->frames[i].time + 100);
        check(movie, &file, "the time of a fragment", at, 100, false);
        free(file.bytes);
    }
}

int main(void)
{
    for (int packing = MOVIE_STORED; packing <= MOVIE_CHUNKS; packing++) {
        struct movie movie;
        make(&movie, (enum movie_packing)packing);
        test_fragments(&movie);
        test_tables(&movie, &movie.growing, 0, movie.moofs[0], false);
        test_tables(&movie, &movie.closed, 0, movie.moofs[0], false);
        test_tables(&movie, &movie.closed, movie.growing.size, movie.closed.size, true);
        // The head is lost, so the index says what the tracks are.
        memset(movie.closed.bytes, 1, movie.moofs[0]);
        test_tables(&movie, &movie.closed, movie.growing.size, movie.closed.size, false);
        movie_finish(&movie);
    }
    return test_finish();
}
