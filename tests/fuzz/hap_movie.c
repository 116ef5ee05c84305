// SPDX-License-Identifier: MIT
// Small movies as the capture writes them, in memory: with sound, as segments, closed or not.
#include "tests/fuzz/hap_movie.h"

#include <stdlib.h>
#include <string.h>

#include "capture/movie/boxes.h"
#include "capture/movie/fragment.h"
#include "capture/movie/hap.h"
#include "capture/movie/head.h"
#include "capture/movie/read.h"
#include "capture/stream/mux/mux.h"

enum { TEXTURE_SIZE = 96, RATE = 6000, SAMPLES = 100, TICKS_PER_SECOND = 90000, MAX_AUDIO = 2 };

// A frame that is stored, or one of two chunks that are stored.
static uint32_t put_frame(struct fuzz_random *random, bool is_complex, uint8_t *data)
{
    static const uint8_t tables[] = {14, 0, 0,    0x01, 2, 0, 0, 0x02, 0x0a, 0x0a, 8,
                                     0,  0, 0x03, 48,   0, 0, 0, 48,   0,    0,    0};
    const uint32_t num_tables = is_complex ? sizeof(tables) : 0;
    uint8_t *payload = data + 4;
    weir_hap_write_header(payload, num_tables + TEXTURE_SIZE, is_complex ? 0xcf : 0xaf);
    memcpy(payload, tables, num_tables);
    payload[0] = is_complex ? (uint8_t)(num_tables - 4) : payload[0];
    fuzz_fill(random, payload + num_tables, TEXTURE_SIZE);
    return 4 + num_tables + TEXTURE_SIZE;
}

static struct weir_timecode timecode_of(const struct hap_movie *movie)
{
    const struct weir_timecode first = {
        .frames_per_second = movie->has_timecode ? TICKS_PER_SECOND / HAP_MOVIE_TICKS : 0};
    return weir_timecode_after(
        &first, movie->segment > 0 ? (uint64_t)(movie->segment - 1) * movie->num_frames : 0);
}

static void make_head(const struct hap_movie *movie, struct weir_head *head,
                      struct weir_movie *described)
{
    static const struct weir_audio_track tracks[MAX_AUDIO] = {
        {.sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S16},
        {.sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S16, .language = "fra"},
    };
    const struct weir_segment segment = {.recording = "a recording",
                                         .number = movie->segment,
                                         .ticks_per_second = TICKS_PER_SECOND,
                                         .start_ticks = (uint64_t)(movie->segment - 1) *
                                                        movie->num_frames * HAP_MOVIE_TICKS};
    const struct weir_mux_params params =
        TEST_LIST(.path = "fuzz.mov", .segment = &segment, .codec = WEIR_MOVIE_CODEC_HAP_Q,
                  .format = {.width = HAP_MOVIE_WIDTH, .height = HAP_MOVIE_HEIGHT},
                  .rate_num = TICKS_PER_SECOND / HAP_MOVIE_TICKS, .rate_den = 1,
                  .ticks_per_second = TICKS_PER_SECOND, .ticks_per_frame = HAP_MOVIE_TICKS,
                  .audio_tracks = tracks, .num_audio_tracks = movie->num_audio,
                  .timecode = timecode_of(movie), .log = fuzz_log);
    weir_mux_mov_describe(&params, described);
    fuzz_expect(weir_head_make(described, head), "memory");
}

struct making {
    const struct hap_movie *movie;
    struct weir_boxes boxes;
    struct fuzz_random random;
    struct weir_movie made;
    uint32_t num_fragments;
};

static void put_piece(struct making *making, struct weir_piece piece, const uint8_t *data)
{
    uint8_t head[WEIR_FRAGMENT_HEADER_SIZE];
    weir_fragment_write(&making->made, &piece, ++making->num_fragments, head);
    weir_boxes_copy(&making->boxes, head, sizeof(head));
    piece.offset = making->boxes.size;
    fuzz_expect(weir_movie_add(&making->made, &piece), "memory");
    weir_boxes_copy(&making->boxes, data, piece.size);
}

static void put_frame_fragment(struct making *making, uint32_t i)
{
    uint8_t frame[2 * TEXTURE_SIZE];
    const uint32_t size = put_frame(&making->random, making->movie->is_complex, frame);
    put_piece(making,
              (struct weir_piece){.time = (uint64_t)i * HAP_MOVIE_TICKS + (i & 1), .size = size},
              frame);
}

static void put_audio_fragment(struct making *making, uint32_t i, uint32_t track)
{
    uint8_t samples[2 * SAMPLES];
    fuzz_fill(&making->random, samples, sizeof(samples));
    put_piece(making,
              (struct weir_piece){
                  .time = (uint64_t)i * SAMPLES, .size = sizeof(samples), .track = 1 + track},
              samples);
}

// Change the head of moov, which lies at `at`, as closing does, and append the index if it is kept.
static void close_movie(struct making *making, size_t at)
{
    struct weir_chapters *chapters = &making->made.chapters;
    if (making->movie->has_chapters) {
        fuzz_expect(weir_chapters_add(chapters, 0, "first") == WEIR_OK &&
                        weir_chapters_add(chapters, 200000, "zw\xc3\xb6lf") == WEIR_OK,
                    "memory");
    }
    size_t size;
    uint8_t *moov = weir_plain_make_moov(&making->made, &size);
    fuzz_expect(moov, "an index");
    weir_plain_write_patch(making->boxes.size - at, making->boxes.bytes + at);
    if (making->movie->form == HAP_MOVIE_CLOSED) {
        weir_boxes_copy(&making->boxes, moov, size);
    }
    free(moov);
}

size_t hap_movie_make(const struct hap_movie *movie, uint8_t *data, size_t room)
{
    struct making making = {
        .movie = movie, .boxes = {.bytes = data, .room = room}, .random = fuzz_random(movie->seed)};
    struct weir_head head;
    make_head(movie, &head, &making.made);
    if (movie->form != HAP_MOVIE_HEADLESS) {
        weir_boxes_copy(&making.boxes, head.bytes, head.size);
    }
    for (uint32_t i = 0; i < movie->num_frames; i++) {
        put_frame_fragment(&making, i);
        for (uint32_t track = 0; track < movie->num_audio; track++) {
            put_audio_fragment(&making, i, track);
        }
    }
    if ((movie->form == HAP_MOVIE_CLOSED || movie->form == HAP_MOVIE_CUT) &&
        !making.boxes.overflow) {
        close_movie(&making, head.moov);
    }
    weir_movie_finish(&making.made);
    free(head.bytes);
    return making.boxes.overflow ? 0 : making.boxes.size;
}

static bool read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct fuzz_bytes *file = user;
    fuzz_expect(offset <= file->size && size <= file->size - offset, "reads lie in the file");
    memcpy(bytes, file->data + offset, size);
    return true;
}

struct weir_view_source hap_movie_source(const struct fuzz_bytes *bytes)
{
    return (struct weir_view_source){
        .read = read_bytes, .user = (void *)bytes, .size = bytes->size};
}

void hap_movie_check_chapters(const struct weir_chapters *chapters, const uint8_t *moov,
                              size_t size)
{
    const struct fuzz_bytes file = {moov, size};
    const struct weir_view_source source = hap_movie_source(&file);
    const struct weir_box box = {.payload = 8, .end = size};
    struct weir_chapters read = {.items = NULL};
    struct weir_view view;
    fuzz_expect(weir_view_init(&view, &source, size) && weir_chapters_read(&view, &box, &read),
                "memory");
    fuzz_expect(read.num == chapters->num, "%u of %u chapters", read.num, chapters->num);
    weir_chapters_finish(&read);
    weir_view_finish(&view);
}
