// SPDX-License-Identifier: MIT
// What is found in damaged movies: cut at every byte, with holes, with messages written into them,
// without a head. Every whole frame is found, where it is and with its own time, and nothing else.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recover_movie.h"
#include "testing.h"
#include "tests/sanitized.h"

static bool find(struct movie_bytes *file, struct recover_found *found)
{
    const struct recover_params params = {.source = movie_source(file)};
    return recover_find(&params, found);
}

static void expect_frame(const struct movie *movie, const struct recover_found *found, size_t i,
                         const char *what, size_t where)
{
    const struct weir_piece *got = movie_found_frame(found, i), *want = &movie->frames[i];
    test_expect(got->offset == want->offset && got->size == want->size && got->time == want->time,
                "%s %zu: frame %zu is at %llu, %u bytes, %llu ticks", what, where, i,
                (unsigned long long)got->offset, got->size, (unsigned long long)got->time);
}

static uint32_t frames_before(const struct movie *movie, size_t cut)
{
    uint32_t num = 0;
    while (num < movie->num_frames && movie->frames[num].offset + movie->frames[num].size <= cut) {
        num++;
    }
    return num;
}

static void test_cut(const struct movie *movie, const struct movie_bytes *whole, size_t cut,
                     const char *what)
{
    struct movie_bytes file = movie_copy(whole, cut);
    struct recover_found found;
    const bool is_found = find(&file, &found);
    const uint32_t want = frames_before(movie, cut);
    const bool is_closed = whole == &movie->closed;
    if (test_expect(is_found == (want > 0), "%s %zu: %s", what, cut, found.refusal) && is_found) {
        const enum recover_state state = !is_closed          ? RECOVER_NOT_CLOSED
                                         : cut < whole->size ? RECOVER_CUT
                                                             : RECOVER_NOTHING_TO_DO;
        test_expect(found.movie.pictures.num_frames == want && found.num_lost == 0 &&
                        found.num_parts == 0,
                    "%s %zu: %u frames of %u", what, cut, found.movie.pictures.num_frames, want);
        test_expect(found.state == state, "%s %zu: state %d", what, cut, found.state);
        test_expect(found.movie.pictures.width == movie->width &&
                        found.movie.pictures.height == movie->height,
                    "%s %zu: %ux%u", what, cut, found.movie.pictures.width,
                    found.movie.pictures.height);
        const size_t end = (size_t)movie->frames[want - 1].offset + movie->frames[want - 1].size;
        // Of an index, eight bytes are needed to know it.
        test_expect(found.is_torn == (cut > end && cut < movie->growing.size) ||
                        (cut > movie->growing.size && cut < movie->growing.size + 8),
                    "%s %zu: torn is %d", what, cut, found.is_torn);
        for (size_t i = 0; i < found.movie.pictures.num_frames && i < want; i++) {
            expect_frame(movie, &found, i, what, cut);
        }
    } else {
        test_expect(is_found || found.refusal[0] != 0, "%s %zu: a reason is given", what, cut);
    }
    recover_found_finish(&found);
    free(file.bytes);
}

static void test_every_cut(const struct movie *movie)
{
    for (size_t cut = 0; cut <= movie->growing.size; cut += SANITIZED_STRIDE) {
        test_cut(movie, &movie->growing, cut, "growing, cut at");
    }
    for (size_t cut = 0; cut <= movie->closed.size; cut += SANITIZED_STRIDE) {
        test_cut(movie, &movie->closed, cut, "closed, cut at");
    }
}

// Killed while the index was written: it is there in part, and the head is still that of a movie
// that grows.
static void test_cut_in_close(const struct movie *movie)
{
    for (size_t cut = movie->growing.size; cut <= movie->closed.size; cut++) {
        struct movie_bytes file = movie_copy(&movie->closed, cut);
        memcpy(file.bytes, movie->growing.bytes, movie->moofs[0]);
        struct recover_found found;
        const bool is_found = find(&file, &found);
        test_expect(is_found && found.movie.pictures.num_frames == movie->num_frames &&
                        found.num_lost == 0 && found.state == RECOVER_NOT_CLOSED &&
                        found.end == movie->growing.size,
                    "closing, cut at %zu: %u frames, %s", cut, found.movie.pictures.num_frames,
                    found.refusal);
        test_expect(cut < movie->growing.size + 8 || !found.is_torn, "closing, cut at %zu: torn",
                    cut);
        recover_found_finish(&found);
        free(file.bytes);
    }
}

enum damage { ZEROS, GARBAGE, NUM_DAMAGES };

static void overwrite(struct movie_bytes *file, size_t begin, size_t end, enum damage damage)
{
    if (damage == ZEROS) {
        memset(file->bytes + begin, 0, end - begin);
    } else {
        test_random_bytes(file->bytes + begin, end - begin);
    }
}

// The index of the frame of `movie` at that offset; num_frames: none is there.
static uint32_t frame_at(const struct movie *movie, uint64_t offset)
{
    uint32_t i = 0;
    while (i < movie->num_frames && movie->frames[i].offset != offset) {
        i++;
    }
    return i;
}

// Expect of the bytes [begin, end): no other frame is missing, and none is there that was not.
// Only where the head of a fragment is gone may its frame have another time.
static void expect_others(const struct movie *movie, const struct recover_found *found,
                          size_t begin, size_t end, const char *what)
{
    bool is_there[MOVIE_MAX_FRAMES] = {false}, is_shifted = false;
    uint64_t shift = 0;
    for (size_t i = 0; i < found->movie.pictures.num_frames; i++) {
        const struct weir_piece *frame = movie_found_frame(found, i);
        const uint32_t k = frame_at(movie, frame->offset);
        if (!test_expect(k < movie->num_frames && frame->size == movie->frames[k].size,
                         "%s [%zu, %zu): no frame is at %llu", what, begin, end,
                         (unsigned long long)frame->offset)) {
            continue;
        }
        is_there[k] = true;
        if (movie->moofs[k] < end && frame->offset > begin) {
            continue;
        }
        if (!is_shifted) {
            // The movie begins with the first frame that is left.
            shift = movie->frames[k].time - frame->time;
            is_shifted = true;
            test_expect(shift == 0 ||
                            movie_found_frame(found, 0)->offset != movie->frames[0].offset,
                        "%s [%zu, %zu): the movie begins as it did", what, begin, end);
        }
        test_expect(frame->time == movie->frames[k].time - shift, "%s [%zu, %zu): frame %u at %llu",
                    what, begin, end, k, (unsigned long long)frame->time);
    }
    for (uint32_t k = 0; k < movie->num_frames; k++) {
        const uint64_t frame_begin = movie->frames[k].offset;
        const uint64_t frame_end = frame_begin + movie->frames[k].size;
        // Nothing tells if what follows a stored frame has hit its end as well.
        const bool is_touched = frame_begin < end && begin < frame_end + 8;
        test_expect(is_there[k] || is_touched, "%s [%zu, %zu): frame %u is lost", what, begin, end,
                    k);
    }
}

static void test_holes(const struct movie *movie)
{
    static const char *const names[] = {[ZEROS] = "zeros at", [GARBAGE] = "garbage at"};
    const size_t head = movie->moofs[0];
    const size_t last = movie->moofs[movie->num_frames - 1];
    for (int i = 0; i < 400; i++) {
        const enum damage damage = (enum damage)(i % NUM_DAMAGES);
        const size_t begin = head + test_random() % (last - head);
        const size_t end = begin + 1 + test_random() % (last - begin < 3000 ? last - begin : 3000);
        struct movie_bytes file = movie_copy(&movie->growing, movie->growing.size);
        overwrite(&file, begin, end, damage);
        struct recover_found found;
        if (test_expect(find(&file, &found), "[%zu, %zu): %s", begin, end, found.refusal)) {
            expect_others(movie, &found, begin, end, names[damage]);
        }
        recover_found_finish(&found);
        free(file.bytes);
    }
}

// One fragment says a time that is damaged, too late or too early: the others keep theirs.
static void test_damaged_times(const struct movie *movie)
{
    const size_t tfdt = 68; // where the time of a fragment stands in it, in 64 bits
    for (uint32_t k = 0; k < movie->num_frames; k++) {
        for (size_t place = 0; place < 8; place++) {
            struct movie_bytes file = movie_copy(&movie->growing, movie->growing.size);
            const size_t at = movie->moofs[k] + tfdt + place;
            file.bytes[at] ^= 0x40;
            struct recover_found found;
            if (test_expect(find(&file, &found) &&
                                found.movie.pictures.num_frames == movie->num_frames,
                            "a time at %zu: %s", at, found.refusal)) {
                expect_others(movie, &found, at, at + 1, "a time at");
            }
            recover_found_finish(&found);
            free(file.bytes);
        }
    }
}

// A hole of zeros of some blocks in one frame, whose fragment is sound: the frame goes, and with
// the fast look at a movie that has no other damage it may stay.
static void test_hole_in_a_frame(const struct movie *movie)
{
    for (uint32_t k = 0; k < movie->num_frames; k++) {
        struct movie_bytes file = movie_copy(&movie->growing, movie->growing.size);
        const size_t at = (size_t)movie->frames[k].offset + 8 + test_random() % 100;
        overwrite(&file, at, at + 64, ZEROS);
        struct recover_found found;
        const struct recover_params params = {.source = movie_source(&file), .checks_all = true};
        if (test_expect(recover_find(&params, &found), "%s", found.refusal)) {
            test_expect(found.movie.pictures.num_frames == movie->num_frames - 1 &&
                            found.num_lost == 1,
                        "a hole in frame %u: %u frames, %llu lost", k,
                        found.movie.pictures.num_frames, (unsigned long long)found.num_lost);
            test_expect(k == movie->num_frames - 1 || k >= found.movie.pictures.num_frames ||
                            movie_found_frame(&found, k)->offset != movie->frames[k].offset,
                        "frame %u is gone", k);
        }
        recover_found_finish(&found);
        free(file.bytes);
    }
}

// A message that another part of the program wrote where the movie was open.
static void test_messages(const struct movie *movie)
{
    static const char text[] = "host: warning: the texture cache is full (14 of 14 MB)\n";
    const size_t length = sizeof(text) - 1;
    const size_t head = movie->moofs[0];
    for (int round = 0; round < 200; round++) {
        const size_t at = head + test_random() % (movie->growing.size - head);
        struct movie_bytes file = {.bytes = malloc(movie->growing.size + length),
                                   .size = movie->growing.size + length};
        memcpy(file.bytes, movie->growing.bytes, at);
        memcpy(file.bytes + at, text, length);
        memcpy(file.bytes + at + length, movie->growing.bytes + at, movie->growing.size - at);
        struct recover_found found;
        const bool is_found = find(&file, &found);
        test_expect(is_found, "a message at %zu: %s", at, found.refusal);
        for (uint32_t k = 0, i = 0; is_found && k < movie->num_frames; k++) {
            const uint64_t offset = movie->frames[k].offset, end = offset + movie->frames[k].size;
            const uint64_t place = offset >= at ? offset + length : offset;
            const bool is_there = i < found.movie.pictures.num_frames &&
                                  movie_found_frame(&found, i)->offset == place;
            const bool is_last = k + 1 == movie->num_frames;
            test_expect(is_there || (at > offset && at < end),
                        "a message at %zu: frame %u of [%zu, %zu) is lost", at, k, (size_t)offset,
                        (size_t)end);
            // Behind the last frame nothing tells that it has moved.
            test_expect(!is_there || is_last || at <= offset || at >= end,
                        "a message at %zu: it is in frame %u of [%zu, %zu)", at, k, (size_t)offset,
                        (size_t)end);
            i += is_there;
        }
        recover_found_finish(&found);
        free(file.bytes);
    }
}

// A movie whose beginning is lost: by the index where it was closed, else one by one, for which
// size and rate must be given.
static void test_headless(const struct movie *movie)
{
    const size_t head = movie->moofs[0];
    struct recover_found found;
    struct movie_bytes file = movie_copy(&movie->closed, movie->closed.size);
    overwrite(&file, 0, head, ZEROS);
    test_expect(find(&file, &found) && found.movie.pictures.num_frames == movie->num_frames &&
                    found.state == RECOVER_SALVAGED && !found.is_in_place,
                "a closed movie without a head: %s", found.refusal);
    for (size_t i = 0; i < found.movie.pictures.num_frames; i++) {
        expect_frame(movie, &found, i, "closed, no head of", head);
    }
    recover_found_finish(&found);
    free(file.bytes);

    file = movie_copy(&movie->growing, movie->growing.size);
    overwrite(&file, 0, head, GARBAGE);
    test_expect(!find(&file, &found) && strstr(found.refusal, "--size"), "size is asked for: %s",
                found.refusal);
    recover_found_finish(&found);
    const struct recover_params params = {.source = movie_source(&file),
                                          .width = movie->width,
                                          .height = movie->height,
                                          .rate_num = 60,
                                          .rate_den = 1};
    test_expect(recover_find(&params, &found) &&
                    found.movie.pictures.num_frames == movie->num_frames &&
                    found.movie.pictures.ticks_per_second == 90000,
                "without a head: %u frames, %s", found.movie.pictures.num_frames, found.refusal);
    for (size_t i = 0; i < found.movie.pictures.num_frames; i++) {
        expect_frame(movie, &found, i, "no head of", head);
    }
    recover_found_finish(&found);
    free(file.bytes);
}

// A piece of a movie that begins anywhere in it: every frame that is whole in it.
static void test_piece(const struct movie *movie)
{
    for (int round = 0; round < 20; round++) {
        const uint32_t first = test_random() % (movie->num_frames / 2);
        const size_t begin = (size_t)movie->frames[first].offset;
        const size_t cut = begin + 1 + test_random() % (movie->frames[first].size - 1);
        struct movie_bytes file = {.bytes = malloc(movie->growing.size - cut),
                                   .size = movie->growing.size - cut};
        memcpy(file.bytes, movie->growing.bytes + cut, file.size);
        const struct recover_params params = {.source = movie_source(&file),
                                              .width = movie->width,
                                              .height = movie->height,
                                              .rate_num = 60,
                                              .rate_den = 1};
        struct recover_found found;
        const bool is_found = recover_find(&params, &found);
        const uint32_t num = movie->num_frames - first - 1;
        test_expect(is_found && found.movie.pictures.num_frames == num,
                    "a piece from %zu in frame %u: %u of %u frames, %s", cut - begin, first,
                    found.movie.pictures.num_frames, num, found.refusal);
        for (uint32_t i = 0; is_found && i < num && i < found.movie.pictures.num_frames; i++) {
            test_expect(movie_found_frame(&found, i)->offset ==
                            movie->frames[first + 1 + i].offset - cut,
                        "a piece from %zu in frame %u: frame %u", cut - begin, first, i);
        }
        recover_found_finish(&found);
        free(file.bytes);
    }
}

// Nothing but frames among garbage: they come at the nominal rate.
static void test_frames_alone(const struct movie *movie)
{
    struct movie_bytes file = movie_copy(&movie->growing, movie->growing.size);
    overwrite(&file, 0, movie->moofs[0], GARBAGE);
    for (uint32_t i = 0; i < movie->num_frames; i++) {
        overwrite(&file, movie->moofs[i], (size_t)movie->frames[i].offset, GARBAGE);
    }
    struct recover_found found;
    const struct recover_params params = {.source = movie_source(&file),
                                          .width = movie->width,
                                          .height = movie->height,
                                          .rate_num = 30000,
                                          .rate_den = 1001};
    test_expect(recover_find(&params, &found) &&
                    found.movie.pictures.num_frames == movie->num_frames,
                "frames alone: %u, %s", found.movie.pictures.num_frames, found.refusal);
    for (size_t i = 0; i < found.movie.pictures.num_frames; i++) {
        const uint64_t ticks = movie_found_frame(&found, i)->time;
        test_expect(movie_found_frame(&found, i)->offset == movie->frames[i].offset &&
                        ticks * 30000 == i * 1001 * found.movie.pictures.ticks_per_second,
                    "frames alone: %zu at %llu", i, (unsigned long long)ticks);
    }
    recover_found_finish(&found);
    free(file.bytes);
}

static uint64_t num_read;

static bool read_counted(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    struct movie_bytes *movie = user;
    num_read += size;
    memcpy(bytes, movie->bytes + offset, size);
    return true;
}

// Of a movie that was cut, the pixels of its last frame are read, and of the others the headers.
static void test_reads_little(void)
{
    struct movie movie;
    movie_make(&movie, WEIR_MOVIE_CODEC_HAP_Q, 640, 480, 60, MOVIE_STORED);
    const struct movie_bytes *files[] = {&movie.growing, &movie.closed};
    for (int i = 0; i < 2; i++) {
        struct movie_bytes file = movie_copy(files[i], (size_t)movie.frames[58].offset + 1000);
        struct recover_found found;
        struct recover_params params = {.source = movie_source(&file)};
        params.source.read = read_counted;
        num_read = 0;
        test_expect(recover_find(&params, &found) && found.movie.pictures.num_frames == 58,
                    "%u frames, %s", found.movie.pictures.num_frames, found.refusal);
        test_expect(num_read < 60 * 16384 + (4u << 20), "%llu bytes were read",
                    (unsigned long long)num_read);
        recover_found_finish(&found);
        free(file.bytes);
    }
    movie_finish(&movie);
}

// A disk that cannot read a sector: the frame on it is lost, the others are not.
static uint64_t bad_sector;

static bool read_damaged_disk(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct movie_bytes *movie = user;
    if (offset < bad_sector + 512 && bad_sector < offset + size) {
        return false;
    }
    memcpy(bytes, movie->bytes + offset, size);
    return true;
}

static void test_bad_sectors(void)
{
    struct movie movie;
    movie_make(&movie, WEIR_MOVIE_CODEC_HAP_Q, 320, 240, 30, MOVIE_STORED);
    for (int i = 0; i < 30; i++) {
        struct recover_found found;
        struct recover_params params = {.source = movie_source(&movie.growing), .checks_all = true};
        params.source.read = read_damaged_disk;
        bad_sector = movie.moofs[1] +
                     test_random() % (movie.moofs[29] - movie.moofs[1]) / 512 * 512;
        if (test_expect(recover_find(&params, &found), "a bad sector at %llu: %s",
                        (unsigned long long)bad_sector, found.refusal)) {
            // A block of 4096 bytes around it is left out of the search.
            expect_others(&movie, &found, (size_t)bad_sector - 4096,
                          (size_t)bad_sector + 4096 + 512, "a bad sector in");
            test_expect(found.movie.pictures.num_frames >= 28, "a bad sector: %u frames",
                        found.movie.pictures.num_frames);
        }
        recover_found_finish(&found);
    }
    movie_finish(&movie);
}

static void test_codec(enum weir_movie_codec codec, enum movie_packing packing)
{
    struct movie movie;
    movie_make(&movie, codec, 32, 20, 12, packing);
    test_every_cut(&movie);
    test_cut_in_close(&movie);
    test_holes(&movie);
    test_messages(&movie);
    test_headless(&movie);
    test_piece(&movie);
    test_frames_alone(&movie);
    test_damaged_times(&movie);
    // In other blocks zeros are black or transparent.
    const enum weir_codec blocks = weir_movie_codec_get_info(codec)->textures[0];
    if (blocks == WEIR_CODEC_YCOCG_BC3 || blocks == WEIR_CODEC_BC7) {
        test_hole_in_a_frame(&movie);
    }
    movie_finish(&movie);
}

int main(void)
{
    for (int packing = MOVIE_STORED; packing <= MOVIE_CHUNKS; packing++) {
        test_codec(WEIR_MOVIE_CODEC_HAP_Q, (enum movie_packing)packing);
        test_codec(WEIR_MOVIE_CODEC_HAP_Q_ALPHA, (enum movie_packing)packing);
    }
    size_t num_codecs;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num_codecs);
    for (size_t i = 0; i < num_codecs; i++) {
        test_codec(codecs[i].codec, (enum movie_packing)(i % 3));
    }
    test_reads_little();
    test_bad_sectors();
    return test_finish();
}
