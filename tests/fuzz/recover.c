// SPDX-License-Identifier: MIT
// Damaged movies: what is found in them lies in the file, is whole, and can be made a plain movie.
// The time that it takes is in proportion to their size.
#include "capture/weir/recover/recover.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/movie/head.h"
#include "capture/movie/read.h"
#include "tests/fuzz/hap_movie.h"
#include "tests/fuzz/hostile_movie.h"
#include "tests/sanitized.h"

enum { NUM_FRAMES = 5 };

// Each form: without sound, with it, with two tracks of it as a segment; stored, and in chunks;
// without time code, and with it.
static size_t seed(unsigned index, uint8_t *data)
{
    enum { NUM_FORMS = 4, NUM_KINDS = 3, NUM_SEEDS = 4 * NUM_FORMS * NUM_KINDS };
    if (index >= NUM_SEEDS) {
        return 0;
    }
    const uint32_t num_audio = index / NUM_FORMS % NUM_KINDS;
    const struct hap_movie movie =
        TEST_LIST(.form = (enum hap_movie_form)(index % NUM_FORMS),
                  .num_frames = num_audio == 2 ? 2 : NUM_FRAMES - num_audio, .num_audio = num_audio,
                  .segment = num_audio == 2 ? 3 : 0,
                  .is_complex = index / (NUM_FORMS * NUM_KINDS) % 2 == 1,
                  .has_timecode = index >= NUM_SEEDS / 2, .has_chapters = true, .seed = index);
    const size_t size = hap_movie_make(&movie, data, FUZZ_MAX_SIZE);
    fuzz_expect(size > 0, "movie %u fits", index);
    return size;
}

// Frames rise in time, samples follow each other, and all lie in the file.
static void check_pieces(const struct recover_params *params, const struct recover_found *found)
{
    const struct weir_movie *movie = &found->movie;
    uint64_t next[1 + WEIR_MOVIE_MAX_AUDIO] = {0};
    fuzz_expect(movie->pictures.num_frames > 0 && found->end <= params->source.size,
                "there are frames");
    for (size_t i = 0; i < movie->num_pieces; i++) {
        const struct weir_piece *piece = &movie->pieces[i];
        uint64_t *least = &next[piece->track];
        fuzz_expect(piece->track <= movie->num_audio && piece->size > 0, "piece %zu is one", i);
        fuzz_expect(piece->is_silence || (piece->offset <= params->source.size &&
                                          piece->size <= params->source.size - piece->offset),
                    "piece %zu lies in the file", i);
        if (piece->track == 0) {
            fuzz_expect(piece->size > 4 && piece->time >= *least &&
                            piece->time - *least <= (*least > 0 ? INT32_MAX : 0),
                        "frame %zu comes after the one before", i);
            *least = piece->time + 1;
        } else {
            fuzz_expect(piece->time == *least, "samples %zu follow those before", i);
            *least += weir_piece_num_samples(movie, piece);
        }
    }
}

// The time code that is read of the index of a new file is the one that was found.
static void check_timecode(const struct weir_movie *movie, const struct weir_head *head,
                           const uint8_t *moov, size_t size)
{
    struct weir_view view;
    struct weir_box box;
    struct weir_movie_found read;
    uint8_t *bytes = malloc(head->size + size);
    const struct fuzz_bytes file = {bytes, head->size + size};
    const struct weir_view_source source = hap_movie_source(&file);
    fuzz_expect(bytes && weir_view_init(&view, &source, file.size), "memory");
    memcpy(bytes, head->bytes, head->size);
    memcpy(bytes + head->size, moov, size);
    fuzz_expect(weir_box_read(&view, head->size, file.size, &box) &&
                    weir_movie_read_moov(&view, &box, &read) == WEIR_OK &&
                    read.movie.timecode.first.frames_per_second ==
                        movie->timecode.first.frames_per_second &&
                    read.movie.timecode.first.start == movie->timecode.first.start,
                "the index has the time code %u", movie->timecode.first.start);
    weir_movie_finish(&read.movie);
    weir_view_finish(&view);
    free(bytes);
}

static void check_index(struct recover_found *found)
{
    struct weir_movie *movie = &found->movie;
    struct weir_head head;
    size_t size;
    fuzz_expect(weir_head_make(movie, &head), "memory");
    uint8_t *moov = weir_plain_make_moov(movie, &size);
    fuzz_expect(moov, "an index of what was found");
    check_timecode(movie, &head, moov, size);
    hap_movie_check_chapters(&movie->chapters, moov, size);
    free(moov);
    free(head.bytes);
}

static void check(const struct recover_params *params)
{
    struct recover_found found;
    if (recover_find(params, &found)) {
        check_pieces(params, &found);
        check_index(&found);
    } else {
        fuzz_expect(found.refusal[0] != 0, "a reason is given");
    }
    recover_found_finish(&found);
}

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Of a few inputs a large file: what keeps a search busy, with the input at its beginning or in it.
static void run_large(const uint8_t *data, size_t size)
{
    enum { SHARE = 512, SIZE = 1 << 20, NS_PER_BYTE = 2000 };
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum += data[i];
    }
    if (sum % SHARE != 0 || size > SIZE) {
        return;
    }
    struct fuzz_random random = fuzz_random(sum);
    uint8_t *bytes = malloc(SIZE);
    fuzz_expect(bytes, "memory");
    hostile_movie_fill(fuzz_below(&random, HOSTILE_MOVIE_NUM_KINDS), bytes, SIZE);
    memcpy(bytes + (fuzz_below(&random, 2) ? fuzz_below(&random, SIZE - (uint32_t)size) : 0), data,
           size);
    struct fuzz_bytes file = {bytes, SIZE};
    const double began = processor_seconds();
    check(&(const struct recover_params){.source = hap_movie_source(&file),
                                         .size = {HOSTILE_MOVIE_WIDTH, HOSTILE_MOVIE_HEIGHT},
                                         .rate = {60, 1}});
    const double seconds = processor_seconds() - began;
    fuzz_expect(seconds < (double)SIZE * NS_PER_BYTE / 1e9 * SANITIZED_STRIDE,
                "%.2f s of the processor for a megabyte", seconds);
    free(bytes);
}

static void run(const uint8_t *data, size_t size)
{
    struct fuzz_bytes file = {data, size};
    for (int round = 0; round < 2; round++) {
        check(&(const struct recover_params){
            .source = hap_movie_source(&file),
            .size = {round == 0 ? 0 : HAP_MOVIE_WIDTH, round == 0 ? 0 : HAP_MOVIE_HEIGHT},
            .rate = {round == 0 ? 0 : 60000, round == 0 ? 0 : 1001},
            .checks_all = round > 0,
            .timecode = round == 0 ? NULL : "10:00:00:00",
            .premultiplied = round > 0,
        });
    }
    run_large(data, size);
}

const struct fuzz_target fuzz_target = {
    .name = "recover",
    .num_runs = 3000,
    .seed = seed,
    .run = run,
};
