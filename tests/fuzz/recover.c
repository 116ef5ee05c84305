// SPDX-License-Identifier: MIT
// Damaged movies: what is found in them lies in the file, is whole, and can be made a plain movie.
#include "capture/weir/recover/find.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/hap_movie.h"

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
    const struct hap_movie movie = {
        .form = (enum hap_movie_form)(index % NUM_FORMS),
        .num_frames = num_audio == 2 ? 2 : NUM_FRAMES - num_audio,
        .num_audio = num_audio,
        .segment = num_audio == 2 ? 3 : 0,
        .is_complex = index / (NUM_FORMS * NUM_KINDS) % 2 == 1,
        .has_timecode = index >= NUM_SEEDS / 2,
        .has_chapters = true,
        .seed = index,
    };
    const size_t size = hap_movie_make(&movie, data, FUZZ_MAX_SIZE);
    fuzz_expect(size > 0, "movie %u fits", index);
    return size;
}

static void check_frames(const struct recover_params *params, const struct recover_found *found)
{
    uint64_t last = 0;
    fuzz_expect(found->frames.num > 0 && found->end <= params->source.size, "there are frames");
    for (size_t i = 0; i < found->frames.num; i++) {
        const struct recover_frame *frame = &found->frames.items[i];
        fuzz_expect(frame->offset <= params->source.size &&
                        frame->size <= params->source.size - frame->offset && frame->size > 4,
                    "frame %zu lies in the file", i);
        fuzz_expect(i > 0 ? frame->ticks > last && frame->ticks - last <= INT32_MAX
                          : frame->ticks == 0,
                    "frame %zu comes after the one before", i);
        last = frame->ticks;
    }
}

// Samples follow each other, and lie in the file.
static void check_sound(const struct recover_params *params, const struct recover_found *found)
{
    uint64_t next[WEIR_MOOV_MAX_AUDIO] = {0};
    for (size_t i = 0; i < found->sound.num; i++) {
        const struct recover_run *run = &found->sound.runs[i];
        fuzz_expect(run->track < found->sound.num_tracks, "run %zu has a track", i);
        const uint64_t size = (uint64_t)run->num_samples *
                              found->sound.tracks[run->track].sample_size;
        fuzz_expect(run->is_silence || (run->offset <= params->source.size &&
                                        size <= params->source.size - run->offset),
                    "run %zu lies in the file", i);
        fuzz_expect(run->num_samples > 0 && run->position == next[run->track],
                    "run %zu follows those before", i);
        next[run->track] += run->num_samples;
    }
}

// The time code that is read of the head and the index behind it is the one that was found.
static void check_timecode(const struct recover_found *found, const uint8_t *moov, size_t size)
{
    struct weir_view view;
    struct weir_box box;
    struct weir_moov read;
    uint8_t *bytes = malloc(found->head_size + size);
    const struct fuzz_bytes file = {bytes, found->head_size + size};
    const struct weir_view_source source = hap_movie_source(&file);
    fuzz_expect(bytes && weir_view_init(&view, &source, file.size), "memory");
    memcpy(bytes, found->head, found->head_size);
    memcpy(bytes + found->head_size, moov, size);
    fuzz_expect(weir_box_read(&view, found->head_size, file.size, &box) &&
                    weir_moov_read(&view, &box, &read) &&
                    read.has_timecode == found->has_timecode &&
                    read.timecode.timecode.start == found->timecode.timecode.start,
                "the index has the time code %u", found->timecode.timecode.start);
    weir_view_finish(&view);
    free(bytes);
}

static void check_index(const struct recover_found *found)
{
    struct remux_movie list;
    size_t size;
    fuzz_expect(found->moov < found->head_size, "moov lies in the head");
    fuzz_expect(recover_found_list(found, &list), "memory");
    fuzz_expect(list.num_pieces == found->frames.num + found->sound.num, "the list has all");
    uint8_t *moov = remux_make_moov(&list, found->head_size, &size);
    if (moov && found->has_timecode) {
        check_timecode(found, moov, size);
    }
    if (moov && found->state == RECOVER_DAMAGED) { // the head is Weir's
        hap_movie_check_chapters(&found->chapters, moov, size);
    }
    free(moov);
    remux_movie_finish(&list);
}

static void run(const uint8_t *data, size_t size)
{
    struct fuzz_bytes file = {data, size};
    for (int round = 0; round < 2; round++) {
        const struct recover_params params = {
            .source = hap_movie_source(&file),
            .width = round == 0 ? 0 : HAP_MOVIE_WIDTH,
            .height = round == 0 ? 0 : HAP_MOVIE_HEIGHT,
            .rate_num = round == 0 ? 0 : 60000,
            .rate_den = round == 0 ? 0 : 1001,
            .checks_all = round > 0,
            .timecode = round == 0 ? NULL : "10:00:00:00",
            .premultiplied = round > 0,
        };
        struct recover_found found;
        if (recover_find(&params, &found)) {
            check_frames(&params, &found);
            check_sound(&params, &found);
            check_index(&found);
        } else {
            fuzz_expect(found.refusal[0] != 0, "a reason is given");
        }
        recover_found_finish(&found);
    }
}

const struct fuzz_target fuzz_target = {
    .name = "recover",
    .num_runs = 3000,
    .seed = seed,
    .run = run,
};
