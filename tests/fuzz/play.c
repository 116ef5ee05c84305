// SPDX-License-Identifier: MIT
// Movies that are played, without a device: frames lie in the file, those that are whole fill their
// textures and nothing else, and audio is read from any position.
#include <stdlib.h>

#include "capture/play/play.h"
#include "tests/fuzz/hap_movie.h"

// Each form, without sound and with it, stored and in chunks.
static size_t seed(unsigned index, uint8_t *data)
{
    enum { NUM_FORMS = 2, NUM_SEEDS = 4 * NUM_FORMS };
    const struct hap_movie movie = {.form = (enum hap_movie_form)(index % NUM_FORMS),
                                    .num_frames = 4,
                                    .num_audio = index / NUM_FORMS % 2,
                                    .is_complex = index / NUM_FORMS / 2 == 1,
                                    .seed = index};
    return index < NUM_SEEDS ? hap_movie_make(&movie, data, FUZZ_MAX_SIZE) : 0;
}

// Unpack a frame into memory of its size, so that a sanitizer sees what goes beyond it.
static void check_frame(const struct play_list *list, struct weir_view *view, uint32_t number)
{
    const struct weir_hap_format *format = &list->format;
    const struct weir_piece *piece = &list->pieces[number];
    struct weir_hap_unpacker unpacker = {.view = view};
    struct weir_hap_frame frame;
    const bool is_read = weir_hap_frame_read(view, piece->offset, piece->offset + piece->size,
                                             &frame);
    for (uint32_t i = 0; is_read && i < frame.num_textures; i++) {
        const uint64_t size = weir_hap_texture_size(
            (enum weir_hap_texture)(frame.textures[i].type & 0x0f), format->width, format->height);
        uint8_t *out = size <= 1u << 20 ? malloc((size_t)size) : NULL;
        if (out) {
            const enum weir_result result = weir_hap_unpack(&unpacker, &frame.textures[i], out,
                                                            size);
            fuzz_expect(result == WEIR_OK || result == WEIR_ERROR_DATA, "it is whole, or damaged");
        }
        free(out);
    }
    free(unpacker.packed);
}

static void check_audio(const struct play_list *list, const struct weir_view_source *source)
{
    enum { NUM = 300 };
    for (uint32_t track = 0; track < list->movie.num_audio; track++) {
        const uint32_t num_channels = list->movie.audio[track].num_channels;
        float *samples = malloc(sizeof(*samples) * NUM * num_channels);
        fuzz_expect(samples, "memory");
        for (uint64_t position = 0; position < 4 * NUM; position += NUM / 2) {
            weir_play_list_read_audio(list, source, track, position, NUM, samples);
        }
        free(samples);
    }
}

static void run(const uint8_t *data, size_t size)
{
    struct fuzz_bytes file = {data, size};
    const struct weir_view_source source = hap_movie_source(&file);
    struct play_list list;
    struct weir_view view;
    fuzz_expect(weir_view_init(&view, &source, 4096), "memory");
    if (weir_play_list_read(&list, &source, "movie", &fuzz_log) == WEIR_OK) {
        const uint32_t num = weir_play_list_num_frames(&list);
        int64_t before = -1;
        fuzz_expect(num > 0, "there are frames");
        for (uint32_t i = 0; i < num; i++) {
            const struct weir_piece *piece = &list.pieces[i];
            fuzz_expect(piece->offset <= size && piece->size <= size - piece->offset,
                        "frame %u lies in the file", i);
            fuzz_expect(weir_play_list_time(&list, i) >= before, "time does not go back");
            before = weir_play_list_time(&list, i);
            check_frame(&list, &view, i);
        }
        fuzz_expect(weir_play_list_time(&list, num) >= before, "the end is behind all frames");
        check_audio(&list, &source);
    }
    weir_play_list_finish(&list);
    weir_view_finish(&view);
}

const struct fuzz_target fuzz_target = {.name = "play", .num_runs = 4000, .seed = seed, .run = run};
