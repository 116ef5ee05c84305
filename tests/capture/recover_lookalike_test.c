// SPDX-License-Identifier: MIT
// Audio whose samples read like headers of frames, of every kind and anywhere in it: whatever
// happens to the movie, no frame is found in it, and every frame that is whole is found.
#include <stdlib.h>
#include <string.h>

#include "capture/base/little_endian.h"
#include "capture/movie/hap.h"
#include "recover_movie.h"
#include "testing.h"

// The audio behind a frame is longer than a texture, so that all of a frame could be in it.
enum { SIDE = 16, NUM_FRAMES = 10, AUDIO_SIZE = 1200 };

// The header of a section of `size` bytes. Returns its length.
static size_t put_section(uint8_t *bytes, uint32_t size, uint32_t type)
{
    weir_put_u32(bytes, size | type << 24);
    return 4;
}

// The beginning of a frame that agrees with the codec as far as it goes, in at most 32 bytes.
static void put_head(const struct weir_movie_codec_info *codec, uint8_t *bytes)
{
    const uint32_t index = codec->num_textures > 1 ? (uint32_t)test_random() & 1 : 0;
    const enum weir_hap_texture texture = weir_hap_texture_of(codec, index);
    const uint32_t size = (uint32_t)weir_hap_texture_size(texture, SIDE, SIDE);
    const uint32_t less = (20 + (uint32_t)test_random() % (size - 20)) | 1; // no texture has that
    switch (test_random() % 4) {
    case 0: // compressed: begins with the size of what it becomes
        bytes += put_section(bytes, less, WEIR_HAP_SNAPPY | texture);
        bytes[0] = (uint8_t)(size | 0x80);
        bytes[1] = (uint8_t)(size >> 7);
        break;
    case 1: // in chunks: tables of one
        bytes += put_section(bytes, 17 + less, WEIR_HAP_COMPLEX | texture);
        bytes += put_section(bytes, 13, WEIR_HAP_DECODE_INSTRUCTIONS);
        bytes += put_section(bytes, 1, WEIR_HAP_CHUNK_COMPRESSORS);
        *bytes++ = WEIR_HAP_CHUNK_SNAPPY;
        bytes += put_section(bytes, 4, WEIR_HAP_CHUNK_SIZES);
        weir_put_u32(bytes, less);
        break;
    case 2: // of two textures, the first of them stored
        bytes += put_section(bytes, size + less, WEIR_HAP_MULTIPLE);
        put_section(bytes, size, WEIR_HAP_NONE | texture);
        break;
    default:
        put_section(bytes, size, WEIR_HAP_NONE | texture);
        break;
    }
}

static void draw_audio(void *user, uint32_t track, uint32_t frame, uint8_t *bytes, uint32_t size)
{
    (void)track;
    (void)frame;
    test_random_bytes(bytes, size);
    for (size_t at = test_random() % 16; at + 32 < size; at += 8 + test_random() % 40) {
        put_head(user, bytes + at);
    }
}

static void test_cuts(const struct movie *movie, const struct movie_bytes *form)
{
    enum { HEAD = 400 };
    for (int i = 0; i < 60; i++) {
        const size_t cut = movie->moofs[0] + 1 + test_random() % (form->size - movie->moofs[0]);
        struct movie_change change = {"cut at", cut, SIZE_MAX, 0};
        movie_check(movie, &change, movie_copy(form, cut));
        // Without a head the first frame says what frames are.
        if (cut >= movie->moofs[1]) {
            struct movie_bytes file = movie_copy(form, cut);
            memset(file.bytes, 1, HEAD);
            change.what = "no head, cut at";
            movie_check(movie, &change, file);
        }
    }
}

static bool is_frame(const struct movie *movie, const struct movie_change *change, uint64_t at)
{
    for (uint32_t k = 0; k < movie->num_frames; k++) {
        if (movie_place_of(change, movie->frames[k].offset) == at) {
            return true;
        }
    }
    return false;
}

static bool is_like_frame_before(const struct movie *movie,
                                 const struct weir_movie_codec_info *codec,
                                 const struct movie_change *change, const struct movie_bytes *file,
                                 size_t end)
{
    for (uint32_t i = 0; i < codec->num_textures; i++) {
        const enum weir_hap_texture texture = weir_hap_texture_of(codec, i);
        const uint32_t size = (uint32_t)weir_hap_texture_size(texture, SIDE, SIDE);
        uint8_t header[4];
        put_section(header, size, WEIR_HAP_NONE | texture);
        const size_t at = end - size - sizeof(header);
        if (memcmp(file->bytes + at, header, sizeof(header)) == 0 && !is_frame(movie, change, at)) {
            return true;
        }
    }
    return false;
}

// True if samples, which may have lost their header, fill the place of a frame: they end where a
// fragment begins, or where less than the head of a box follows in the file. Nothing tells them
// from a frame then.
static bool fills_place(const struct movie *movie, const struct weir_movie_codec_info *codec,
                        const struct movie_change *change, const struct movie_bytes *file)
{
    static const uint8_t moof[] = {0, 0, 0, 100, 'm', 'o', 'o', 'f'};
    for (size_t at = change->begin - sizeof(moof); at + sizeof(moof) <= file->size; at++) {
        if (memcmp(file->bytes + at, moof, sizeof(moof)) == 0 &&
            is_like_frame_before(movie, codec, change, file, at)) {
            return true;
        }
    }
    for (size_t left = 0; left < sizeof(moof); left++) {
        if (is_like_frame_before(movie, codec, change, file, file->size - left)) {
            return true;
        }
    }
    return false;
}

static void test_losses(const struct movie *movie, const struct weir_movie_codec_info *codec)
{
    for (int i = 0; i < 120; i++) {
        const size_t size = movie->growing.size, first = movie->moofs[0];
        struct movie_change change = {.what = i % 2 ? "garbage" : "gone"};
        change.begin = first + test_random() % (size - first);
        change.end = change.begin + 1 + test_random() % 1500;
        change.end = change.end < size ? change.end : size;
        change.size = i % 2 ? change.end - change.begin : 0;
        struct movie_bytes file = movie_changed(&movie->growing, &change);
        if (fills_place(movie, codec, &change, &file)) {
            free(file.bytes);
        } else {
            movie_check(movie, &change, file);
        }
    }
}

int main(void)
{
    static const struct weir_audio_track stereo = {
        .sample_rate = 48000, .num_channels = 2, .format = WEIR_SAMPLE_S16};
    size_t num_codecs;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num_codecs);
    for (size_t i = 0; i < num_codecs * 3; i++) {
        struct weir_movie_codec_info codec = codecs[i / 3];
        struct movie movie;
        movie_make(&movie, &(struct movie_params){.codec = codec.codec,
                                                  .width = SIDE,
                                                  .height = SIDE,
                                                  .num_frames = NUM_FRAMES,
                                                  .packing = (enum movie_packing)(i % 3),
                                                  .tracks = &stereo,
                                                  .num_tracks = 1,
                                                  .draw_audio = draw_audio,
                                                  .user = &codec,
                                                  .audio_size = AUDIO_SIZE});
        test_cuts(&movie, &movie.growing);
        test_cuts(&movie, &movie.closed);
        test_losses(&movie, &codec);
        movie_finish(&movie);
    }
    return test_finish();
}
