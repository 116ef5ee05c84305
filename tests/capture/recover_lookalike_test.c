// SPDX-License-Identifier: MIT
// Sound whose samples read like headers of frames, of every kind and anywhere in it: whatever
// happens to the movie, no frame is found in it, and every frame that is whole is found.
#include <stdlib.h>
#include <string.h>

#include "capture/base/little_endian.h"
#include "capture/movie/codec.h"
#include "recover_movie.h"
#include "testing.h"

// The sound behind a frame is longer than a texture, so that all of a frame could be in it.
enum { SIDE = 16, NUM_FRAMES = 10, SOUND_SIZE = 1200 };

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

static void draw_sound(void *user, uint8_t *bytes, uint32_t size)
{
    test_random_bytes(bytes, size);
    for (size_t at = test_random() % 16; at + 32 < size; at += 8 + test_random() % 40) {
        put_head(user, bytes + at);
    }
}

// A part of a movie that is lost.
struct loss {
    const char *what;
    size_t begin, end;
    bool is_gone; // what is behind it has moved forward; false: there are other bytes
};

static uint64_t place_after(const struct loss *loss, uint64_t offset)
{
    if (!loss->is_gone || offset < loss->begin) {
        return offset;
    }
    return offset < loss->end ? UINT64_MAX : offset - (loss->end - loss->begin);
}

static bool has_frame_at(const struct recover_found *found, uint64_t offset, uint32_t size)
{
    for (size_t i = 0; i < found->movie.pictures.num_frames; i++) {
        if (movie_found_frame(found, i)->offset == offset &&
            movie_found_frame(found, i)->size == size) {
            return true;
        }
    }
    return false;
}

// Expect all frames that end before `cut` and which the loss does not touch, and nothing else but
// those that it touches.
static void expect_frames(const struct movie *movie, struct movie_bytes *file, size_t cut,
                          const struct loss *loss)
{
    const struct recover_params params = {
        .source = movie_source(file), .width = SIDE, .height = SIDE, .rate_num = 60, .rate_den = 1};
    struct recover_found found;
    recover_find(&params, &found);
    size_t num_there = 0;
    for (uint32_t k = 0; k < movie->num_frames; k++) {
        const struct weir_piece *frame = &movie->frames[k];
        const uint64_t end = frame->offset + frame->size;
        const bool is_there = has_frame_at(&found, place_after(loss, frame->offset), frame->size);
        // Nothing tells if what follows a stored frame has hit its end as well.
        const bool is_touched = frame->offset < loss->end && loss->begin < end + 8;
        test_expect(is_there || is_touched || end > cut, "%s [%zu, %zu), cut at %zu: frame %u lost",
                    loss->what, loss->begin, loss->end, cut, k);
        num_there += is_there;
    }
    test_expect(found.movie.pictures.num_frames == num_there,
                "%s [%zu, %zu), cut at %zu: %zu are no frames", loss->what, loss->begin, loss->end,
                cut, found.movie.pictures.num_frames - num_there);
    recover_found_finish(&found);
}

static void test_cuts(const struct movie *movie, const struct movie_bytes *form)
{
    static const struct loss none = {.what = "nothing"};
    static const struct loss head = {.what = "no head", .begin = 0, .end = 400};
    for (int i = 0; i < 60; i++) {
        const size_t cut = movie->moofs[0] + 1 + test_random() % (form->size - movie->moofs[0]);
        struct movie_bytes file = movie_copy(form, cut);
        expect_frames(movie, &file, cut, &none);
        memset(file.bytes, 1, head.end);
        // Without a head the first frame says what frames are.
        if (cut >= movie->moofs[1]) {
            expect_frames(movie, &file, cut, &head);
        }
        free(file.bytes);
    }
}

static struct loss draw_loss(const struct movie *movie, bool is_gone)
{
    const size_t size = movie->growing.size, first = movie->moofs[0];
    struct loss loss = {.what = is_gone ? "gone" : "garbage", .is_gone = is_gone};
    loss.begin = first + test_random() % (size - first);
    loss.end = loss.begin + 1 + test_random() % 1500;
    loss.end = loss.end < size ? loss.end : size;
    return loss;
}

static struct movie_bytes damage(const struct movie *movie, const struct loss *loss)
{
    struct movie_bytes file = movie_copy(&movie->growing, movie->growing.size);
    if (loss->is_gone) {
        memmove(file.bytes + loss->begin, file.bytes + loss->end, file.size - loss->end);
        file.size -= loss->end - loss->begin;
    } else {
        test_random_bytes(file.bytes + loss->begin, loss->end - loss->begin);
    }
    return file;
}

static bool is_frame(const struct movie *movie, const struct loss *loss, uint64_t at)
{
    for (uint32_t k = 0; k < movie->num_frames; k++) {
        if (place_after(loss, movie->frames[k].offset) == at) {
            return true;
        }
    }
    return false;
}

static bool is_like_frame_before(const struct movie *movie,
                                 const struct weir_movie_codec_info *codec, const struct loss *loss,
                                 const struct movie_bytes *file, size_t end)
{
    for (uint32_t i = 0; i < codec->num_textures; i++) {
        const enum weir_hap_texture texture = weir_hap_texture_of(codec, i);
        const uint32_t size = (uint32_t)weir_hap_texture_size(texture, SIDE, SIDE);
        uint8_t header[4];
        put_section(header, size, WEIR_HAP_NONE | texture);
        const size_t at = end - size - sizeof(header);
        if (memcmp(file->bytes + at, header, sizeof(header)) == 0 && !is_frame(movie, loss, at)) {
            return true;
        }
    }
    return false;
}

// True if samples, which may have lost their header, fill the place of a frame: they end where a
// fragment begins, or the file ends. Nothing tells them from a frame then.
static bool fills_place(const struct movie *movie, const struct weir_movie_codec_info *codec,
                        const struct loss *loss, const struct movie_bytes *file)
{
    static const uint8_t moof[] = {0, 0, 0, 100, 'm', 'o', 'o', 'f'};
    for (size_t at = loss->begin - sizeof(moof); at + sizeof(moof) <= file->size; at++) {
        if (memcmp(file->bytes + at, moof, sizeof(moof)) == 0 &&
            is_like_frame_before(movie, codec, loss, file, at)) {
            return true;
        }
    }
    return is_like_frame_before(movie, codec, loss, file, file->size);
}

static void test_losses(const struct movie *movie, const struct weir_movie_codec_info *codec)
{
    for (int i = 0; i < 120; i++) {
        const struct loss loss = draw_loss(movie, i % 2 == 0);
        struct movie_bytes file = damage(movie, &loss);
        if (!fills_place(movie, codec, &loss, &file)) {
            expect_frames(movie, &file, movie->growing.size, &loss);
        }
        free(file.bytes);
    }
}

int main(void)
{
    size_t num_codecs;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num_codecs);
    for (size_t i = 0; i < num_codecs * 3; i++) {
        struct weir_movie_codec_info codec = codecs[i / 3];
        struct movie movie;
        movie_make_with(&movie, &(const struct movie_params){.codec = codec.codec,
                                                             .width = SIDE,
                                                             .height = SIDE,
                                                             .num_frames = NUM_FRAMES,
                                                             .packing = (enum movie_packing)(i % 3),
                                                             .draw_sound = draw_sound,
                                                             .user = &codec,
                                                             .sound_size = SOUND_SIZE});
        test_cuts(&movie, &movie.growing);
        test_cuts(&movie, &movie.closed);
        test_losses(&movie, &codec);
        movie_finish(&movie);
    }
    return test_finish();
}
