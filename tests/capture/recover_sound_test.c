// SPDX-License-Identifier: MIT
// What is recovered of movies with sound: cut anywhere in either form, and with a hole. Samples are
// numbered, so that each one that FFmpeg reads says where it belongs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"
#include "recover_movie.h"
#include "reference.h"
#include "testing.h"
#include "tests/sanitized.h"

enum { RATE = 8000, FPS = 25, NUM_FRAMES = 100, CALL = RATE / FPS, HEAD = 108 };

// Record numbered samples, beginning with 1, in one track of two; the other one has their halves.
static struct movie_bytes make_movie(const char *path, int num_frames)
{
    static const struct weir_audio_track tracks[] = {
        {.sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32},
        {.sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32},
    };
    struct recording recording;
    recording_open(&recording, &(struct weir_capture_params){
                                   .path = path, .audio = {.tracks = tracks, .num_tracks = 2}});
    int32_t samples[CALL], halves[CALL];
    for (int i = 0; i < num_frames; i++) {
        const int64_t time_ns = i * INT64_C(1000000000) / FPS;
        recording_present(&recording, time_ns, i % 2 == 0);
        for (int n = 0; n < CALL; n++) {
            samples[n] = i * CALL + n + 1;
            halves[n] = samples[n] / 2 + 1;
        }
        weir_capture_audio(recording.capture, 0, samples, CALL, time_ns);
        weir_capture_audio(recording.capture, 1, halves, CALL, time_ns);
    }
    struct weir_capture_stats stats;
    test_expect(recording_close(&recording, &stats) == WEIR_OK && stats.audio.silence == 0,
                "recorded");
    return movie_read(path);
}

static uint32_t read_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

struct content {
    uint32_t num_frames, num_samples[2];
};

// Count what lies in whole fragments before `cut`, by their bytes alone: the track's number and the
// size of the data stand at the same place in all of them.
static struct content count_before(const struct movie_bytes *movie, size_t cut)
{
    struct content content = {0};
    for (size_t at = 0; at + HEAD <= cut;) {
        if (memcmp(movie->bytes + at + 4, "moof", 4) != 0) {
            at++;
            continue;
        }
        const uint32_t track = read_u32(movie->bytes + at + 44);
        const uint32_t size = read_u32(movie->bytes + at + HEAD - 8) - 8;
        at += HEAD + size;
        if (at > cut) {
            break;
        }
        content.num_frames += track == 1;
        if (track > 1) {
            content.num_samples[track - 2] += size / 4;
        }
    }
    return content;
}

// Names that last.
static char output_path[256];

// Check that a track has its samples in their places, or zeros. Returns how many are not zero.
static uint32_t expect_track(const char *path, int track, const char *what)
{
    struct reference reference;
    reference_open(&reference, path);
    test_expect(!reference.complaint[0], "%s: FFmpeg says %s", what, reference.complaint);
    const struct reference_stream *sound = reference_stream(&reference, AVMEDIA_TYPE_AUDIO,
                                                            (unsigned)track);
    uint32_t num = 0, num_wrong = 0;
    for (size_t i = 0; i < sound->size / 4; i++) {
        int32_t sample;
        memcpy(&sample, sound->bytes + 4 * i, 4);
        const int32_t want = track == 0 ? (int32_t)i + 1 : ((int32_t)i + 1) / 2 + 1;
        num += sample != 0;
        num_wrong += sample != 0 && sample != want;
    }
    reference_close(&reference);
    test_expect(num_wrong == 0, "%s: track %d: %u samples are not in their places", what, track,
                num_wrong);
    return num;
}

static void test_cuts(const struct movie_bytes *movie)
{
    const char *output = output_path;
    for (int i = 0; i < 12; i++) {
        const size_t cut = movie->size / 8 + test_random() % (movie->size - movie->size / 8);
        const struct content want = count_before(movie, cut);
        struct movie_bytes file = movie_copy(movie, cut);
        struct recover_found found;
        remove(output);
        const bool is_done = movie_recover(&file, output, &found);
        if (test_expect(is_done && found.movie.num_audio == 2 &&
                            found.movie.pictures.num_frames == want.num_frames &&
                            found.num_lost == 0 && found.num_silent == 0,
                        "cut at %zu: %u frames of %u: %s", cut, found.movie.pictures.num_frames,
                        want.num_frames, found.refusal)) {
            for (int track = 0; track < 2; track++) {
                const uint32_t num = expect_track(output, track, "cut");
                test_expect(num == want.num_samples[track], "cut at %zu: track %d: %u of %u", cut,
                            track, num, want.num_samples[track]);
            }
            reference_expect_frames("cut", output, (int)want.num_frames);
        }
        recover_found_finish(&found);
        free(file.bytes);
    }
}

// A small movie that was closed, and as it grew, cut at each byte: every fragment that is whole
// before the cut is found, and nothing else.
static void test_every_byte(const struct movie_bytes *movie, const char *form)
{
    uint32_t num_found = 0, num_wrong = 0;
    for (size_t cut = 0; cut < movie->size; cut += SANITIZED_STRIDE) {
        const struct content want = count_before(movie, cut);
        struct movie_bytes file = movie_copy(movie, cut);
        struct recover_found found;
        const struct recover_params params = {.source = movie_source(&file)};
        const bool is_found = recover_find(&params, &found);
        bool is_right = is_found == (want.num_frames > 0);
        if (is_found) {
            num_found++;
            is_right = is_right && found.movie.pictures.num_frames == want.num_frames &&
                       found.num_lost == 0 && found.num_silent == 0 && found.is_in_place;
            for (uint32_t track = 0; track < found.movie.num_audio; track++) {
                is_right = is_right &&
                           found.movie.audio[track].num_samples == want.num_samples[track];
            }
        }
        num_wrong += !is_right;
        test_expect(is_right || num_wrong > 1, "%s, cut at %zu: %u frames of %u: %s", form, cut,
                    found.movie.pictures.num_frames, want.num_frames, found.refusal);
        recover_found_finish(&found);
        free(file.bytes);
    }
    test_expect(num_wrong == 0 && num_found * SANITIZED_STRIDE > movie->size / 2,
                "%s: %u cuts of %zu are wrong", form, num_wrong, movie->size);
}

// Turn the head of a closed movie back into that of one that grew. False: it has no index.
static bool make_grown(struct movie_bytes *movie)
{
    enum { MOOV = 20, HEAD_SIZE = 16 };
    struct movie_bytes cut = movie_copy(movie, movie->size - 1);
    struct recover_found found;
    const struct recover_params params = {.source = movie_source(&cut)};
    const bool is_found = recover_find(&params, &found);
    if (is_found) {
        memcpy(movie->bytes + MOOV, found.before, HEAD_SIZE);
        movie->size = (size_t)found.end;
    }
    recover_found_finish(&found);
    free(cut.bytes);
    return is_found;
}

static void test_small(const char *path)
{
    struct movie_bytes movie = make_movie(path, 8);
    test_every_byte(&movie, "closed");
    test_expect(make_grown(&movie), "its head is that of a movie that grows");
    test_every_byte(&movie, "as it grew");
    free(movie.bytes);
}

// Some kilobytes are gone, or zero: what is not touched is in its place.
static void test_holes(const struct movie_bytes *movie)
{
    const char *output = output_path;
    for (int i = 0; i < 12; i++) {
        const size_t begin = movie->size / 4 + test_random() % (movie->size / 4);
        const size_t size = 500 + test_random() % 8000;
        const bool is_zero = test_random() % 2;
        struct movie_bytes file = movie_copy(movie, movie->size - movie->size / 8);
        if (is_zero) {
            memset(file.bytes + begin, 0, size);
        } else {
            memmove(file.bytes + begin, file.bytes + begin + size, file.size - begin - size);
            file.size -= size;
        }
        struct recover_found found;
        remove(output);
        const bool is_done = movie_recover(&file, output, &found);
        if (test_expect(is_done && found.is_in_place == (found.num_silent == 0) &&
                            found.movie.pictures.num_frames > NUM_FRAMES / 2,
                        "hole at %zu: %u frames: %s", begin, found.movie.pictures.num_frames,
                        found.refusal)) {
            const uint32_t num = is_zero ? 0 : expect_track(output, 0, "hole");
            test_expect(is_zero || num > RATE * 2, "hole at %zu: %u samples", begin, num);
            reference_expect_frames("hole", output, (int)found.movie.pictures.num_frames);
        }
        recover_found_finish(&found);
        free(file.bytes);
    }
}

static void write_u32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

// Find the fragments of the first track of sound. Returns their number.
static size_t find_sound(const struct movie_bytes *movie, size_t *at, size_t room)
{
    size_t num = 0;
    for (size_t i = 0; i + HEAD <= movie->size && num < room; i++) {
        if (memcmp(movie->bytes + i + 4, "moof", 4) == 0 && read_u32(movie->bytes + i + 44) == 2) {
            at[num++] = i;
        }
    }
    return num;
}

// The position that one fragment says is damaged: all samples are where they were, none is lost.
static void test_positions(const struct movie_bytes *movie)
{
    enum { POSITION = 76, ROOM = 256 };
    size_t at[ROOM];
    struct movie_bytes cut = movie_copy(movie, movie->size - movie->size / 8);
    const size_t num = find_sound(&cut, at, ROOM);
    for (int i = 0; i < 12; i++) {
        // The extremes first: the first one and the last one, by much.
        const size_t which = i < 2 ? i * (num - 1) : test_random() % num;
        const uint32_t position = i < 2 ? UINT32_MAX / 2 : test_random();
        struct movie_bytes file = movie_copy(&cut, cut.size);
        struct recover_found found, whole;
        const struct recover_params params = {.source = movie_source(&cut)};
        write_u32(file.bytes + at[which] + POSITION, position);
        const bool is_found = recover_find(&params, &whole);
        remove(output_path);
        const bool is_done = movie_recover(&file, output_path, &found);
        if (test_expect(is_found && is_done && found.num_silent == 0 &&
                            found.movie.audio[0].num_samples == whole.movie.audio[0].num_samples,
                        "position %u in fragment %zu of %zu: %llu samples are lost", position,
                        which, num, (unsigned long long)found.num_silent)) {
            expect_track(output_path, 0, "position");
        }
        recover_found_finish(&found);
        recover_found_finish(&whole);
        free(file.bytes);
    }
    free(cut.bytes);
}

// The rate that the head says is damaged, and sound begins late: the list of silence stays short.
static void test_rate(const struct movie_bytes *movie)
{
    enum { POSITION = 76, RATE_IN_MDHD = 16 };
    struct movie_bytes file = movie_copy(movie, movie->size - movie->size / 8);
    size_t at[2], num_mdhd = 0;
    find_sound(&file, at, 2);
    for (size_t i = 0; i + HEAD <= at[0] && num_mdhd < 2; i++) {
        if (memcmp(file.bytes + i, "mdhd", 4) == 0 && ++num_mdhd == 2) {
            write_u32(file.bytes + i + RATE_IN_MDHD, 1);
        }
    }
    for (size_t i = at[0]; i + HEAD <= file.size; i++) {
        if (memcmp(file.bytes + i + 4, "moof", 4) == 0 && read_u32(file.bytes + i + 44) == 2) {
            write_u32(file.bytes + i + POSITION,
                      UINT32_MAX / 2 + read_u32(file.bytes + i + POSITION));
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

// What was recovered needs nothing, and a movie whose head is lost says that it has no sound.
static void test_twice(const struct movie_bytes *movie)
{
    struct movie_bytes file = movie_copy(movie, movie->size);
    struct recover_found found;
    const struct recover_params params = {.source = movie_source(&file)};
    test_expect(recover_find(&params, &found) && found.state == RECOVER_NOTHING_TO_DO, "whole");
    recover_found_finish(&found);
    memset(file.bytes, 1, 600);
    file.size -= file.size / 3;
    const struct recover_params salvage = {.source = movie_source(&file),
                                           .width = RECORDING_SIDE,
                                           .height = RECORDING_SIDE,
                                           .rate_num = FPS,
                                           .rate_den = 1};
    test_expect(recover_find(&salvage, &found) && found.state == RECOVER_SALVAGED &&
                    found.movie.num_audio == 0 && found.num_unknown_audio > 0,
                "headless: %s", found.refusal);
    recover_found_finish(&found);
    free(file.bytes);
}

int main(void)
{
    const char *path = test_path("movie.mov");
    snprintf(output_path, sizeof(output_path), "%s", test_path("recovered.mov"));
    struct movie_bytes movie = make_movie(path, NUM_FRAMES);
    test_small(test_path("small.mov"));
    test_cuts(&movie);
    test_holes(&movie);
    test_positions(&movie);
    test_rate(&movie);
    test_twice(&movie);
    const char *again = test_path("again.mov");
    struct movie_bytes cut = movie_copy(&movie, movie.size / 2);
    struct recover_found found;
    if (test_expect(movie_recover(&cut, again, &found), "half: %s", found.refusal)) {
        struct movie_bytes whole = movie_read(again);
        test_twice(&whole);
        free(whole.bytes);
    }
    recover_found_finish(&found);
    free(cut.bytes);
    free(movie.bytes);
    return test_finish();
}
