// SPDX-License-Identifier: MIT
// Damaged movies that are joined: what goes into the whole lies in its movie, rises in time, and
// can be made a plain movie. What is whole is joined.
#include "capture/weir/join/plan.h"

#include <stdlib.h>
#include <string.h>

#include "capture/movie/head.h"
#include "tests/fuzz/hap_movie.h"

enum { MAX_MOVIES = 3, HEAD_SIZE = 6 };

// Flags of an input's first byte. Then follow how many movies there are, and the sizes of the first
// two, in 16 bits.
enum { GAPS = 1, END_TO_END = 2 };

static void put_size(size_t size, uint8_t *bytes)
{
    bytes[0] = (uint8_t)(size >> 8);
    bytes[1] = (uint8_t)size;
}

struct movies {
    struct fuzz_bytes list[MAX_MOVIES];
    size_t num;
};

static struct movies take_movies(struct fuzz_bytes *bytes)
{
    struct movies movies = {.num = 1 + fuzz_take_u8(bytes) % MAX_MOVIES};
    size_t sizes[MAX_MOVIES] = {0};
    for (int i = 0; i < 2; i++) {
        sizes[i] = (size_t)fuzz_take_u8(bytes) << 8;
        sizes[i] |= fuzz_take_u8(bytes);
    }
    for (size_t i = 0; i < movies.num; i++) {
        const bool is_last = i + 1 == movies.num;
        const size_t size = is_last || sizes[i] > bytes->size ? bytes->size : sizes[i];
        movies.list[i] = (struct fuzz_bytes){bytes->data, size};
        *bytes = (struct fuzz_bytes){bytes->data + size, bytes->size - size};
    }
    return movies;
}

static bool open_movie(void *user, size_t number, struct weir_view_source *source)
{
    struct movies *movies = user;
    fuzz_expect(number < movies->num, "a movie that is there");
    *source = hap_movie_source(&movies->list[number]);
    return true;
}

static void check_piece(const struct join_plan *plan, const struct movies *movies,
                        const struct weir_piece *piece)
{
    const struct weir_movie *movie = &plan->movie;
    const uint64_t size = piece->size;
    fuzz_expect(piece->track <= movie->num_audio, "a track");
    fuzz_expect(piece->source < plan->num_inputs && size > 0 && size < UINT32_MAX - 8, "a piece");
    const uint64_t room = movies->list[plan->inputs[piece->source].number].size;
    fuzz_expect(piece->is_silence || (piece->offset <= room && size <= room - piece->offset),
                "a piece lies in its movie");
}

static void check(const struct join_plan *plan, const struct movies *movies)
{
    const struct weir_movie *movie = &plan->movie;
    uint64_t next[WEIR_MOVIE_MAX_AUDIO] = {0}, last = 0;
    size_t num_frames = 0;
    for (size_t i = 0; i < movie->num_pieces; i++) {
        const struct weir_piece *piece = &movie->pieces[i];
        check_piece(plan, movies, piece);
        if (piece->track > 0) {
            fuzz_expect(piece->time == next[piece->track - 1], "samples follow those before");
            next[piece->track - 1] += weir_piece_num_samples(movie, piece);
        } else {
            fuzz_expect(num_frames == 0 ? piece->time == 0
                                        : piece->time > last && piece->time - last <= INT32_MAX,
                        "frame %zu comes after the one before", num_frames);
            last = piece->time;
            num_frames++;
        }
    }
    fuzz_expect(num_frames == movie->pictures.num_frames && num_frames > 0, "frames are counted");
    size_t size;
    uint8_t *moov = weir_plain_make_moov(movie, &size);
    fuzz_expect(moov, "an index of all");
    fuzz_expect(plan->num_other_timecodes < plan->num_inputs, "the first one has its own");
    hap_movie_check_chapters(&movie->chapters, moov, size);
    free(moov);
}

// Join what an input has. Returns whether it was joined.
static bool join(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    const uint8_t flags = fuzz_take_u8(&bytes);
    struct movies movies = take_movies(&bytes);
    const struct join_sources sources = {.open = open_movie, .user = &movies};
    char *paths[MAX_MOVIES] = {"a.mov", "b.mov", "c.mov"};
    struct join_plan plan;
    fuzz_expect(join_plan_init(&plan, paths, movies.num), "memory");
    plan.is_end_to_end = (flags & END_TO_END) != 0;
    plan.allows_gaps = (flags & GAPS) != 0;
    const bool is_joined = join_plan_make(&plan, &sources);
    if (is_joined) {
        check(&plan, &movies);
    } else {
        fuzz_expect(plan.refusal[0] != 0, "a reason is given");
    }
    join_plan_finish(&plan);
    return is_joined;
}

static void run(const uint8_t *data, size_t size)
{
    join(data, size);
}

// Two or three segments or movies, in their order or not, with sound or time code or without.
static size_t seed(unsigned index, uint8_t *data)
{
    enum { NUM_SEEDS = 32 };
    if (index >= NUM_SEEDS) {
        return 0;
    }
    const bool has_sound = (index & 1) != 0, are_segments = (index & 2) != 0;
    const uint32_t num = has_sound ? 2 : 3;
    size_t size = HEAD_SIZE;
    data[0] = (uint8_t)(index >> 2 & (GAPS | END_TO_END));
    data[1] = (uint8_t)(num - 1);
    memset(data + 2, 0, HEAD_SIZE - 2);
    for (uint32_t i = 0; i < num; i++) {
        const struct hap_movie movie =
            TEST_LIST(.form = HAP_MOVIE_CLOSED, .num_frames = 2, .num_audio = has_sound,
                      .has_timecode = (index & 16) != 0, .has_chapters = (index & 8) != 0,
                      .segment = are_segments ? (index & 4) != 0 ? num - i : 1 + i : 0,
                      .seed = index * 4 + i);
        const size_t each = hap_movie_make(&movie, data + size, FUZZ_MAX_SIZE - size);
        fuzz_expect(each > 0, "movie %u of %u fits", i, index);
        if (i < 2) {
            put_size(each, data + 2 + 2 * (size_t)i);
        }
        size += each;
    }
    fuzz_expect(join(data, size), "movies %u are joined", index);
    return size;
}

const struct fuzz_target fuzz_target = {
    .name = "join",
    .num_runs = 3000,
    .seed = seed,
    .run = run,
};
