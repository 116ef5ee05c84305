// SPDX-License-Identifier: MIT
// What is found in damaged movies: cut at every byte, with holes, with messages written into them,
// without a head. Every whole frame is found, where it is and with its own time, and nothing else.
#include <stdlib.h>
#include <string.h>

#include "recover_movie.h"
#include "testing.h"
#include "tests/sanitized.h"

static void test_cut(const struct movie *movie, const struct movie_bytes *whole, size_t cut,
                     enum recover_state state, const char *what)
{
    struct movie_bytes file = movie_copy(whole, cut);
    const struct movie_change change = {what, cut, SIZE_MAX, 0};
    const struct recover_params params = {.source = movie_source(&file)};
    const size_t index = movie->growing.size;
    struct recover_found found;
    const bool is_found = recover_find(&params, &found);
    movie_expect(movie, &change, is_found, &found);
    if (is_found) {
        const struct weir_piece *last = &movie->frames[found.movie.pictures.num_frames - 1];
        const size_t end = (size_t)last->offset + last->size;
        test_expect(found.num_lost == 0 && found.num_parts == 0 && found.state == state,
                    "%s %zu: state %d", what, cut, found.state);
        test_expect(found.movie.pictures.width == movie->width &&
                        found.movie.pictures.height == movie->height,
                    "%s %zu: %ux%u", what, cut, found.movie.pictures.width,
                    found.movie.pictures.height);
        // Of an index, eight bytes are needed to know it.
        test_expect(found.is_torn == (cut > end && cut < index) || (cut > index && cut < index + 8),
                    "%s %zu: torn is %d", what, cut, found.is_torn);
        test_expect(state != RECOVER_NOT_CLOSED || found.end == end, "%s %zu: it ends at %llu",
                    what, cut, (unsigned long long)found.end);
    } else {
        test_expect(found.refusal[0] != 0, "%s %zu: a reason is given", what, cut);
    }
    recover_found_finish(&found);
    free(file.bytes);
}

static void test_every_cut(const struct movie *movie)
{
    // Killed while the index was written: the head is still that of a movie that grows.
    struct movie_bytes closing = movie_copy(&movie->closed, movie->closed.size);
    memcpy(closing.bytes, movie->growing.bytes, movie->moofs[0]);
    for (size_t cut = 0; cut <= closing.size; cut += SANITIZED_STRIDE) {
        test_cut(movie, &movie->closed, cut,
                 cut < closing.size ? RECOVER_CUT : RECOVER_NOTHING_TO_DO, "closed, cut at");
        test_cut(movie, &closing, cut, RECOVER_NOT_CLOSED, "growing or closing, cut at");
    }
    free(closing.bytes);
}

static void test_holes(const struct movie *movie)
{
    const size_t head = movie->moofs[0], last = movie->moofs[movie->num_frames - 1];
    for (int i = 0; i < 400; i++) {
        const size_t begin = head + test_random() % (last - head);
        const size_t size = 1 + test_random() % (last - begin < 3000 ? last - begin : 3000);
        const struct movie_change change = {i % 2 ? "garbage at" : "zeros at", begin, begin + size,
                                            size};
        struct movie_bytes file = movie_changed(&movie->growing, &change);
        if (i % 2 == 0) {
            memset(file.bytes + begin, 0, size);
        }
        movie_check(movie, &change, file);
    }
}

// One fragment says a time that is damaged, too late or too early: the others keep theirs.
static void test_time(const struct movie *movie, uint32_t frame, uint64_t time)
{
    enum { TFDT = 68 }; // where the time of a fragment stands in it, in 64 bits
    const size_t at = movie->moofs[frame] + TFDT;
    const struct movie_change change = {"a time at", at, at + 8, 8};
    struct movie_bytes file = movie_changed(&movie->growing, &change);
    struct recover_found found;
    for (int i = 0; i < 8; i++) {
        file.bytes[at + i] = (uint8_t)(time >> (56 - 8 * i));
    }
    const bool is_found = movie_find(movie, movie_source(&file), false, &found);
    test_expect(found.movie.pictures.num_frames == movie->num_frames, "a time at %zu: %u frames",
                at, found.movie.pictures.num_frames);
    movie_expect(movie, &change, is_found, &found);
    recover_found_finish(&found);
    free(file.bytes);
}

static void test_damaged_times(const struct movie *movie)
{
    const struct weir_piece *frames = movie->frames;
    for (uint32_t i = 0; i < movie->num_frames; i++) {
        for (int bit = 6; bit < 64; bit += 8) {
            test_time(movie, i, frames[i].time ^ (uint64_t)1 << bit);
        }
        // A little, so that only two frames are not in order.
        if (i >= 2 && i + 2 < movie->num_frames) {
            test_time(movie, i, (frames[i + 1].time + frames[i + 2].time) / 2);
            test_time(movie, i, (frames[i - 2].time + frames[i - 1].time) / 2);
        }
    }
}

// A hole of zeros of some blocks in one frame, whose fragment is sound: the frame goes, and with
// the fast look at a movie that has no other damage it may stay.
static void test_hole_in_a_frame(const struct movie *movie)
{
    for (uint32_t k = 0; k < movie->num_frames; k++) {
        const size_t at = (size_t)movie->frames[k].offset + 8 + test_random() % 100;
        const struct movie_change change = {"a hole in a frame", at, at + 64, 64};
        struct movie_bytes file = movie_changed(&movie->growing, &change);
        struct recover_found found;
        memset(file.bytes + at, 0, 64);
        const bool is_found = movie_find(movie, movie_source(&file), true, &found);
        movie_expect(movie, &change, is_found, &found);
        test_expect(found.movie.pictures.num_frames == movie->num_frames - 1 && found.num_lost == 1,
                    "a hole in frame %u: %u frames, %llu lost", k, found.movie.pictures.num_frames,
                    (unsigned long long)found.num_lost);
        recover_found_finish(&found);
        free(file.bytes);
    }
}

// A message that another part of the program wrote where the movie was open.
static void test_messages(const struct movie *movie)
{
    static const char text[] = "host: warning: the texture cache is full (14 of 14 MB)\n";
    for (int round = 0; round < 100; round++) {
        const size_t head = movie->moofs[0];
        const size_t at = head + test_random() % (movie->growing.size - head);
        const struct movie_change change = {"a message at", at, at, sizeof(text) - 1};
        struct movie_bytes file = movie_changed(&movie->growing, &change);
        memcpy(file.bytes + at, text, sizeof(text) - 1);
        movie_check(movie, &change, file);
    }
}

// A movie whose beginning is lost: by the index where it was closed, else one by one, for which
// size and rate must be given.
static void test_headless(const struct movie *movie)
{
    const struct movie_change change = {"no head", 0, movie->moofs[0], movie->moofs[0]};
    struct movie_bytes file = movie_changed(&movie->closed, &change);
    struct recover_params params = {.source = movie_source(&file)};
    struct recover_found found;
    memset(file.bytes, 0, change.size);
    movie_expect(movie, &change, recover_find(&params, &found), &found);
    test_expect(found.state == RECOVER_SALVAGED && !found.is_in_place, "a closed movie: state %d",
                found.state);
    recover_found_finish(&found);
    free(file.bytes);

    file = movie_changed(&movie->growing, &change);
    params.source = movie_source(&file);
    test_expect(!recover_find(&params, &found) && strstr(found.refusal, "--size"),
                "size is asked for: %s", found.refusal);
    recover_found_finish(&found);
    movie_expect(movie, &change, movie_find(movie, params.source, false, &found), &found);
    test_expect(found.movie.pictures.ticks_per_second == 90000, "without a head: its ticks");
    recover_found_finish(&found);
    free(file.bytes);
}

// A piece of a movie that begins anywhere in it: every frame that is whole in it.
static void test_piece(const struct movie *movie)
{
    for (int round = 0; round < 20; round++) {
        const struct weir_piece *first = &movie->frames[test_random() % (movie->num_frames / 2)];
        const size_t cut = (size_t)first->offset + 1 + test_random() % (first->size - 1);
        const struct movie_change change = {"a piece behind", 0, cut, 0};
        movie_check(movie, &change, movie_changed(&movie->growing, &change));
    }
}

// Nothing but frames among garbage: they come at the nominal rate.
static void test_frames_alone(const struct movie *movie)
{
    struct movie_bytes file = movie_copy(&movie->growing, movie->growing.size);
    test_random_bytes(file.bytes, movie->moofs[0]);
    for (uint32_t i = 0; i < movie->num_frames; i++) {
        test_random_bytes(file.bytes + movie->moofs[i], MOVIE_MOOF_SIZE);
    }
    struct recover_found found;
    const struct recover_params params = {.source = movie_source(&file),
                                          .size = {movie->width, movie->height},
                                          .rate = {30000, 1001}};
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

static void make(struct movie *movie, enum weir_movie_codec codec, uint32_t width, uint32_t height,
                 uint32_t num_frames, int packing)
{
    movie_make(movie, &(struct movie_params){.codec = codec,
                                             .width = width,
                                             .height = height,
                                             .num_frames = num_frames,
                                             .packing = (enum movie_packing)packing});
}

// A disk that counts what is read, and that cannot read one sector.
static uint64_t num_read, bad_sector = UINT64_MAX - 512;

static bool read_disk(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct movie_bytes *movie = user;
    num_read += size;
    if (offset < bad_sector + 512 && bad_sector < offset + size) {
        return false;
    }
    memcpy(bytes, movie->bytes + offset, size);
    return true;
}

// Of a movie that was cut, the pixels of its last frame are read, and of the others the headers.
static void test_reads_little(void)
{
    struct movie movie;
    make(&movie, WEIR_MOVIE_CODEC_HAP_Q, 640, 480, 60, MOVIE_STORED);
    const struct movie_bytes *files[] = {&movie.growing, &movie.closed};
    for (int i = 0; i < 2; i++) {
        struct movie_bytes file = movie_copy(files[i], (size_t)movie.frames[58].offset + 1000);
        struct recover_found found;
        struct recover_params params = {.source = movie_source(&file)};
        params.source.read = read_disk;
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

// The frame on the sector is lost, the others are not.
static void test_bad_sectors(void)
{
    struct movie movie;
    make(&movie, WEIR_MOVIE_CODEC_HAP_Q, 320, 240, 30, MOVIE_STORED);
    for (int i = 0; i < 30; i++) {
        struct recover_found found;
        struct weir_view_source source = movie_source(&movie.growing);
        source.read = read_disk;
        bad_sector = movie.moofs[1] +
                     test_random() % (movie.moofs[29] - movie.moofs[1]) / 512 * 512;
        // A block of 4096 bytes around it is left out of the search.
        const struct movie_change change = {"a bad sector in", (size_t)bad_sector - 4096,
                                            (size_t)bad_sector + 4096 + 512, 8192 + 512};
        const bool is_found = movie_find(&movie, source, true, &found);
        movie_expect(&movie, &change, is_found, &found);
        test_expect(found.movie.pictures.num_frames >= 28, "a bad sector: %u frames",
                    found.movie.pictures.num_frames);
        recover_found_finish(&found);
    }
    movie_finish(&movie);
}

static void test_codec(enum weir_movie_codec codec, int packing)
{
    struct movie movie;
    make(&movie, codec, 32, 20, 12, packing);
    test_every_cut(&movie);
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
        test_codec(WEIR_MOVIE_CODEC_HAP_Q, packing);
        test_codec(WEIR_MOVIE_CODEC_HAP_Q_ALPHA, packing);
    }
    size_t num_codecs;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num_codecs);
    for (size_t i = 0; i < num_codecs; i++) {
        test_codec(codecs[i].codec, (int)(i % 3));
    }
    test_reads_little();
    test_bad_sectors();
    return test_finish();
}
