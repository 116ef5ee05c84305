// SPDX-License-Identifier: MIT
// What is recovered of movies with audio: cut anywhere in either form, and with a hole. Samples are
// numbered, so that each one that FFmpeg reads says where it belongs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/movie/boxes.h"
#include "recover_movie.h"
#include "reference.h"
#include "testing.h"
#include "tests/sanitized.h"

enum { SIDE = 16, NUM_FRAMES = 100, RATE = 19200, CALL = RATE / 60, NUM_TRACKS = 2 };

// Names that last.
static char output_path[256];

static int32_t sample_at(uint32_t track, uint32_t position)
{
    const int32_t number = (int32_t)position + 1;
    return track == 0 ? number : number / 2 + 1;
}

static void draw_audio(void *user, uint32_t track, uint32_t frame, uint8_t *bytes, uint32_t size)
{
    (void)user;
    for (uint32_t i = 0; i < size / 4; i++) {
        const int32_t sample = sample_at(track, frame * CALL + i);
        memcpy(bytes + (size_t)4 * i, &sample, 4);
    }
}

static void make(struct movie *movie, uint32_t num_frames)
{
    static const struct weir_audio_track tracks[NUM_TRACKS] = {
        {.sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32},
        {.sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32},
    };
    movie_make(movie, &(struct movie_params){.width = SIDE,
                                             .height = SIDE,
                                             .num_frames = num_frames,
                                             .tracks = tracks,
                                             .num_tracks = NUM_TRACKS,
                                             .draw_audio = draw_audio,
                                             .audio_size = 4 * CALL});
}

static uint32_t content_size(const struct movie_fragment *fragment)
{
    return (uint32_t)(fragment->end - fragment->begin) - MOVIE_MOOF_SIZE;
}

// Check that what was found lies in whole fragments before `cut`: frames, and samples of a track.
static bool is_all_before(const struct movie *movie, size_t cut, bool is_found,
                          const struct recover_found *found)
{
    uint32_t num_frames = 0, num_samples[NUM_TRACKS] = {0};
    for (uint32_t i = 0; i < movie->num_fragments && movie->fragments[i].end <= cut; i++) {
        const struct movie_fragment *fragment = &movie->fragments[i];
        num_frames += fragment->track == 1;
        if (fragment->track > 1) {
            num_samples[fragment->track - 2] += content_size(fragment) / 4;
        }
    }
    bool is_right = is_found == (num_frames > 0);
    if (is_found) {
        is_right = is_right && found->movie.pictures.num_frames == num_frames &&
                   found->num_lost == 0 && found->num_silent == 0 && found->is_in_place &&
                   found->movie.num_audio == NUM_TRACKS;
        for (uint32_t track = 0; is_right && track < NUM_TRACKS; track++) {
            is_right = found->movie.audio[track].num_samples == num_samples[track];
        }
    }
    return is_right;
}

// Check that FFmpeg reads what was found, with all samples in their places, or zeros. Returns how
// many samples of the first track are not zero.
static uint32_t expect_output(const struct recover_found *found, const char *what)
{
    struct reference reference;
    uint32_t nums[NUM_TRACKS] = {0};
    reference_open(&reference, output_path);
    test_expect(!reference.complaint[0], "%s: FFmpeg says %s", what, reference.complaint);
    for (uint32_t track = 0; track < NUM_TRACKS; track++) {
        const struct reference_stream *sound = reference_stream(&reference, AVMEDIA_TYPE_AUDIO,
                                                                track);
        uint32_t num_wrong = 0;
        for (uint32_t i = 0; i < sound->size / 4; i++) {
            int32_t sample;
            memcpy(&sample, sound->bytes + (size_t)4 * i, 4);
            nums[track] += sample != 0;
            num_wrong += sample != 0 && sample != sample_at(track, i);
        }
        test_expect(num_wrong == 0, "%s: track %u: %u samples are not in their places", what, track,
                    num_wrong);
        test_expect(found->num_silent > 0 || nums[track] == found->movie.audio[track].num_samples,
                    "%s: track %u: %u samples", what, track, nums[track]);
    }
    reference_close(&reference);
    reference_expect_frames(what, output_path, (int)found->movie.pictures.num_frames);
    return nums[0];
}

static bool recover(struct movie_bytes *file, struct recover_found *found)
{
    remove(output_path);
    return movie_recover(file, output_path, found);
}

static void test_cuts(const struct movie *movie)
{
    const size_t size = movie->closed.size;
    for (int i = 0; i < 12; i++) {
        const size_t cut = size / 8 + test_random() % (size - size / 8);
        struct movie_bytes file = movie_copy(&movie->closed, cut);
        struct recover_found found;
        const bool is_done = recover(&file, &found);
        if (test_expect(is_done && is_all_before(movie, cut, true, &found),
                        "cut at %zu: %u frames: %s", cut, found.movie.pictures.num_frames,
                        found.refusal)) {
            expect_output(&found, "cut");
        }
        recover_found_finish(&found);
        free(file.bytes);
    }
}

// A small movie cut at each byte: every fragment that is whole before the cut is found, and nothing
// else.
static void test_every_byte(void)
{
    struct movie movie;
    make(&movie, 8);
    const struct movie_bytes *const forms[] = {&movie.closed, &movie.growing};
    for (int i = 0; i < 2; i++) {
        for (size_t cut = 0; cut < forms[i]->size; cut += SANITIZED_STRIDE) {
            struct movie_bytes file = movie_copy(forms[i], cut);
            struct recover_found found;
            const struct recover_params params = {.source = movie_source(&file)};
            const bool is_found = recover_find(&params, &found);
            test_expect(is_all_before(&movie, cut, is_found, &found),
                        "form %d, cut at %zu: %u frames: %s", i, cut,
                        found.movie.pictures.num_frames, found.refusal);
            recover_found_finish(&found);
            free(file.bytes);
        }
    }
    movie_finish(&movie);
}

// Some kilobytes are gone, or zero: what is not touched is in its place.
static void test_holes(const struct movie *movie)
{
    const size_t size = movie->closed.size;
    for (int i = 0; i < 12; i++) {
        struct movie_change change = {.what = "hole"};
        change.begin = size / 4 + test_random() % (size / 4);
        // An odd number: at the distance of two fragments, the head of one has the data of the
        // other, which nothing tells from a whole one.
        change.end = change.begin + ((500 + test_random() % 8000) | 1);
        const bool is_zero = test_random() % 2;
        change.size = is_zero ? change.end - change.begin : 0;
        struct movie_bytes file = movie_changed(&movie->closed, &change);
        struct recover_found found;
        memset(file.bytes + change.begin, 0, change.size);
        file.size -= size / 8;
        const bool is_done = recover(&file, &found);
        if (test_expect(is_done && found.is_in_place == (found.num_silent == 0) &&
                            found.movie.pictures.num_frames > NUM_FRAMES / 2,
                        "hole at %zu: %u frames: %s", change.begin, found.movie.pictures.num_frames,
                        found.refusal)) {
            if (is_zero) { // where samples are zero they are not in their places
                reference_expect_frames("hole", output_path, (int)found.movie.pictures.num_frames);
            } else {
                const uint32_t num = expect_output(&found, "hole");
                test_expect(num > NUM_FRAMES / 2 * CALL, "hole at %zu: %u samples", change.begin,
                            num);
            }
        }
        recover_found_finish(&found);
        free(file.bytes);
    }
}

enum { POSITION = 76 }; // where a fragment of audio says the lower half of its position

static void write_u32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

// The position that one fragment says is damaged: all samples are where they were, none is lost.
static void test_positions(const struct movie *movie)
{
    const size_t size = movie->closed.size - movie->closed.size / 8;
    uint32_t at[MOVIE_MAX_FRAGMENTS], num = 0;
    for (uint32_t i = 0; i < movie->num_fragments && movie->fragments[i].end <= size; i++) {
        at[num] = i;
        num += movie->fragments[i].track == 2;
    }
    for (int i = 0; i < 12; i++) {
        // The extremes first: the first one and the last one, by much.
        const uint32_t which = i < 2 ? (uint32_t)i * (num - 1) : (uint32_t)(test_random() % num);
        const uint32_t position = i < 2 ? UINT32_MAX / 2 : (uint32_t)test_random();
        struct movie_bytes file = movie_copy(&movie->closed, size);
        struct recover_found found;
        write_u32(file.bytes + movie->fragments[at[which]].begin + POSITION, position);
        const bool is_done = recover(&file, &found);
        if (test_expect(is_done && is_all_before(movie, size, true, &found),
                        "position %u in fragment %u of %u: %llu samples are lost", position, which,
                        num, (unsigned long long)found.num_silent)) {
            expect_output(&found, "position");
        }
        recover_found_finish(&found);
        free(file.bytes);
    }
}

// The rate that the head says is damaged, and audio begins late: the list of silence stays short.
static void test_rate(const struct movie *movie)
{
    enum { RATE_IN_MDHD = 16 };
    struct movie_bytes file = movie_copy(&movie->closed, movie->closed.size * 7 / 8);
    uint32_t num_mdhd = 0;
    for (size_t i = 0; i < movie->fragments[0].begin && num_mdhd < 2; i++) {
        if (memcmp(file.bytes + i, "mdhd", 4) == 0 && ++num_mdhd == 2) {
            write_u32(file.bytes + i + RATE_IN_MDHD, 1);
        }
    }
    for (uint32_t i = 0; i < movie->num_fragments; i++) {
        const struct movie_fragment *fragment = &movie->fragments[i];
        uint8_t *position = file.bytes + fragment->begin + POSITION;
        if (fragment->track == 2 && fragment->end <= file.size) {
            write_u32(position, UINT32_MAX / 2 + weir_boxes_read_u32(position));
        }
    }
    struct recover_found found;
    const struct recover_params params = {.source = movie_source(&file)};
    test_expect(recover_find(&params, &found) && found.num_silent > UINT32_MAX / 4 &&
                    found.movie.num_pieces < 20000,
                "rate 1: %u pieces, %llu samples of silence: %s", found.movie.num_pieces,
                (unsigned long long)found.num_silent, found.refusal);
    recover_found_finish(&found);
    free(file.bytes);
}

// What was recovered needs nothing, and a movie whose head is lost says that it has no audio.
static void test_again(const struct movie *movie, const struct movie_bytes *whole)
{
    struct movie_bytes file = movie_copy(whole, whole->size);
    struct recover_found found;
    const struct recover_params params = {.source = movie_source(&file)};
    test_expect(recover_find(&params, &found) && found.state == RECOVER_NOTHING_TO_DO, "whole");
    recover_found_finish(&found);
    memset(file.bytes, 1, 600);
    file.size -= file.size / 3;
    test_expect(movie_find(movie, movie_source(&file), false, &found) &&
                    found.state == RECOVER_SALVAGED && found.movie.num_audio == 0 &&
                    found.num_unknown_audio > 0,
                "headless: %s", found.refusal);
    recover_found_finish(&found);
    free(file.bytes);
}

static void test_twice(const struct movie *movie)
{
    struct movie_bytes cut = movie_copy(&movie->closed, movie->closed.size / 2);
    struct recover_found found;
    test_again(movie, &movie->closed);
    if (test_expect(recover(&cut, &found), "half: %s", found.refusal)) {
        struct movie_bytes whole = movie_read(output_path);
        test_again(movie, &whole);
        free(whole.bytes);
    }
    recover_found_finish(&found);
    free(cut.bytes);
}

int main(void)
{
    struct movie movie;
    snprintf(output_path, sizeof(output_path), "%s", test_path("recovered.mov"));
    make(&movie, NUM_FRAMES);
    test_every_byte();
    test_cuts(&movie);
    test_holes(&movie);
    test_positions(&movie);
    test_rate(&movie);
    test_twice(&movie);
    movie_finish(&movie);
    return test_finish();
}
