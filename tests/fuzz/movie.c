// SPDX-License-Identifier: MIT
// The plain movie that is made of a description: its boxes nest, and its tables say where frames
// are.
#include <stdlib.h>
#include <string.h>

#include "capture/movie/boxes.h"
#include "capture/movie/head.h"
#include "capture/stream/mux/mux.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_FRAMES = 64, MAX_AUDIO = 2, MAX_RUNS = 32, FIELDS_SIZE = 64 };

// Sides, rate, ticks, if there is time code, sound tracks, how many frames of which sizes and
// times, how many runs of samples; what is left changes the head.
static size_t seed(unsigned index, uint8_t *data)
{
    struct fuzz_random random = fuzz_random(index);
    if (index >= 48) {
        return 0;
    }
    fuzz_fill(&random, data, FIELDS_SIZE);
    data[1] &= index & 1 ? 0xff : 0x07; // small and large sides
    data[3] &= index & 1 ? 0xff : 0x07;
    return FIELDS_SIZE + (index >= 24 ? 3 * (index - 23) : 0);
}

static uint32_t take_in(struct fuzz_bytes *bytes, uint32_t low, uint32_t high)
{
    return low + fuzz_take_u32(bytes) % (high - low + 1);
}

// The sum of boxes, inside and out: returns where the `number`-th box of that type begins, counted
// from 0; NULL without one.
static const uint8_t *find(const uint8_t *at, const uint8_t *end, uint32_t type, uint32_t number)
{
    const uint8_t *found = NULL;
    while (end - at >= 8) {
        const uint32_t size = weir_boxes_read_u32(at);
        fuzz_expect(size >= 8 && size <= (size_t)(end - at), "a box lies in its box");
        const bool is_type = weir_boxes_read_u32(at + 4) == type;
        found = is_type && number == 0 ? at : found;
        number -= is_type;
        at += size;
    }
    fuzz_expect(at == end, "boxes fill their box");
    return found;
}

static const uint8_t *inside(const uint8_t *box, uint32_t type)
{
    const uint8_t *found = find(box + 8, box + weir_boxes_read_u32(box), type, 0);
    fuzz_expect(found, "the box %#x is there", type);
    return found;
}

static void check_tables(const uint8_t *stbl, const struct weir_movie *movie)
{
    const uint32_t num = movie->pictures.num_frames;
    const uint8_t *stts = inside(stbl, WEIR_BOX("stts"));
    const uint8_t *stsz = inside(stbl, WEIR_BOX("stsz"));
    const uint8_t *co64 = inside(stbl, WEIR_BOX("co64"));
    const uint32_t num_runs = weir_boxes_read_u32(stts + 12);
    const uint32_t same = weir_boxes_read_u32(stsz + 12);
    fuzz_expect(weir_boxes_read_u32(stts) == 16 + 8 * num_runs, "stts is full");
    fuzz_expect(weir_boxes_read_u32(stsz + 16) == num && weir_boxes_read_u32(co64 + 12) == num &&
                    weir_boxes_read_u32(co64) == 16 + 8 * num,
                "all frames are there");
    uint64_t num_frames = 0, ticks = 0;
    for (uint32_t i = 0; i < num_runs; i++) {
        num_frames += weir_boxes_read_u32(stts + 16 + (size_t)8 * i);
        ticks += (uint64_t)weir_boxes_read_u32(stts + 16 + (size_t)8 * i) *
                 weir_boxes_read_u32(stts + 20 + (size_t)8 * i);
    }
    fuzz_expect(num_frames == num, "all frames have a time");
    fuzz_expect(ticks >= movie->pictures.last_time, "the last frame comes after the others");
    const struct weir_piece *piece = weir_piece_first(movie, 0);
    for (uint32_t i = 0; piece; piece = weir_piece_next(movie, piece), i++) {
        const uint32_t size = same != 0 ? same : weir_boxes_read_u32(stsz + 20 + (size_t)4 * i);
        const uint8_t *offset = co64 + 16 + (size_t)8 * i;
        fuzz_expect(size == piece->size, "the size of frame %u", i);
        fuzz_expect(weir_boxes_read_u64(offset) == piece->offset, "the place of frame %u", i);
    }
}

static void check_audio(const uint8_t *stbl, const struct weir_movie *movie, unsigned track)
{
    const struct weir_movie_audio *audio = &movie->audio[track - 1];
    const uint8_t *stsc = inside(stbl, WEIR_BOX("stsc"));
    const uint8_t *stsz = inside(stbl, WEIR_BOX("stsz"));
    const uint8_t *co64 = inside(stbl, WEIR_BOX("co64"));
    const uint32_t num_entries = weir_boxes_read_u32(stsc + 12);
    fuzz_expect(weir_boxes_read_u32(stsz + 12) == audio->sample_size &&
                    weir_boxes_read_u32(stsz + 16) == audio->num_samples,
                "all samples are there");
    fuzz_expect(weir_boxes_read_u32(co64 + 12) == audio->num_pieces && num_entries > 0,
                "all runs are there");
    const struct weir_piece *piece = weir_piece_first(movie, track);
    for (uint32_t i = 0, entry = 0; piece; piece = weir_piece_next(movie, piece), i++) {
        const uint8_t *next = stsc + 16 + (size_t)12 * (entry + 1);
        entry += entry + 1 < num_entries && weir_boxes_read_u32(next) == i + 1;
        const uint8_t *offset = co64 + 16 + (size_t)8 * i;
        fuzz_expect(weir_boxes_read_u32(stsc + 20 + (size_t)12 * entry) ==
                            weir_piece_num_samples(movie, piece) &&
                        weir_boxes_read_u64(offset) == piece->offset,
                    "the place of run %u", i);
    }
}

static const uint8_t *tables_of(const uint8_t *trak)
{
    const uint8_t *mdia = inside(trak, WEIR_BOX("mdia"));
    const uint8_t *minf = inside(mdia, WEIR_BOX("minf"));
    return inside(minf, WEIR_BOX("stbl"));
}

// A sound track without samples is left out. That of time code comes last.
static void check_movie(const uint8_t *moov, size_t size, const struct weir_movie *movie)
{
    const bool has_timecode = movie->timecode.first.frames_per_second > 0;
    const uint32_t trak = WEIR_BOX("trak");
    const uint8_t *end = moov + size;
    fuzz_expect(find(moov, end, WEIR_BOX("moov"), 0) == moov, "one moov");
    fuzz_expect(!find(moov + 8, end, WEIR_BOX("mvex"), 0), "no fragments");
    const uint8_t *frames = inside(moov, trak);
    check_tables(tables_of(frames), movie);
    const uint8_t *tref = find(frames + 8, frames + weir_boxes_read_u32(frames), WEIR_BOX("tref"),
                               0);
    fuzz_expect(!tref == !has_timecode, "frames refer to their time code");
    uint32_t num_tracks = 1;
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        if (movie->audio[i].num_samples > 0) {
            const uint8_t *track = find(moov + 8, end, trak, num_tracks++);
            fuzz_expect(track, "sound track %u is there", i);
            check_audio(tables_of(track), movie, 1 + i);
        }
    }
    fuzz_expect(!find(moov + 8, end, trak, num_tracks) == !has_timecode, "the track of time code");
    fuzz_expect(!find(moov + 8, end, trak, num_tracks + 1), "no other track");
}

static void add_frames(struct weir_movie *movie, struct fuzz_bytes *bytes)
{
    struct fuzz_random random = fuzz_random(fuzz_take_u32(bytes));
    const uint32_t num_frames = fuzz_take_u8(bytes) % MAX_FRAMES;
    const bool same_size = (fuzz_take_u8(bytes) & 1) != 0;
    const uint32_t longest = take_in(bytes, 1, INT32_MAX);
    uint64_t offset = fuzz_take_u32(bytes), ticks = 0;
    for (uint32_t i = 0; i < num_frames; i++) {
        const uint32_t size = same_size ? 4096 : 1 + fuzz_below(&random, UINT32_MAX - 16);
        const struct weir_piece piece = {.offset = offset, .size = size, .time = ticks};
        fuzz_expect(weir_movie_add(movie, &piece), "memory");
        offset += size;
        ticks += 1 + fuzz_below(&random, longest);
    }
}

static uint32_t take_tracks(struct fuzz_bytes *bytes, struct weir_audio_track tracks[MAX_AUDIO])
{
    const uint32_t num = fuzz_take_u8(bytes) % (MAX_AUDIO + 1);
    for (uint32_t i = 0; i < num; i++) {
        tracks[i] = (struct weir_audio_track){
            .sample_rate = take_in(bytes, 1000, 768000),
            .num_channels = 1 + fuzz_take_u8(bytes) % 16,
            .format = (enum weir_sample_format)(fuzz_take_u8(bytes) % 4),
        };
    }
    return num;
}

static void add_samples(struct weir_movie *movie, unsigned track, struct fuzz_bytes *bytes)
{
    const uint32_t sample_size = movie->audio[track - 1].sample_size;
    struct fuzz_random random = fuzz_random(fuzz_take_u32(bytes));
    const uint32_t num_runs = fuzz_take_u8(bytes) % MAX_RUNS;
    uint64_t offset = fuzz_take_u32(bytes);
    for (uint32_t i = 0; i < num_runs; i++) {
        const struct weir_piece piece = {
            .offset = offset, .size = (1 + fuzz_below(&random, 3)) * sample_size, .track = track};
        fuzz_expect(weir_movie_add(movie, &piece), "memory");
        offset += piece.size;
    }
}

static void run(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct weir_audio_track tracks[MAX_AUDIO];
    struct weir_mux_params params = {
        .path = "fuzz.mov",
        .codec = WEIR_MOVIE_CODEC_HAP_Q,
        .format = {.width = take_in(&bytes, 1, 65535), .height = take_in(&bytes, 1, 65535)},
        .rate_num = take_in(&bytes, 1, INT32_MAX),
        .rate_den = take_in(&bytes, 1, INT32_MAX),
        .ticks_per_second = take_in(&bytes, 1, INT32_MAX),
        .ticks_per_frame = take_in(&bytes, 1, INT32_MAX),
        .timecode = {.frames_per_second = fuzz_take_u8(&bytes) & 1 ? 30 : 0},
        .audio_tracks = tracks,
        .log = fuzz_log,
    };
    params.num_audio_tracks = take_tracks(&bytes, tracks);
    struct weir_movie movie;
    weir_mux_mov_describe(&params, &movie);
    add_frames(&movie, &bytes);
    for (uint32_t i = 0; i < params.num_audio_tracks; i++) {
        add_samples(&movie, 1 + i, &bytes);
    }
    size_t moov_size = 0;
    uint8_t *moov = weir_plain_make_moov(&movie, &moov_size);
    fuzz_expect(!moov == (movie.pictures.num_frames == 0), "a movie with frames is made");
    if (moov) {
        check_movie(moov, moov_size, &movie);
    }
    free(moov);
    weir_movie_finish(&movie);
}

const struct fuzz_target fuzz_target = {
    .name = "movie",
    .num_runs = 3000,
    .seed = seed,
    .run = run,
};
