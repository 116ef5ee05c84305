// SPDX-License-Identifier: MIT
// A movie as one value: its tracks and where their data lies.
#include "capture/movie/movie.h"

#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/movie/hap.h"

#define FIRST_ROOM 65536u

bool weir_movie_reserve(struct weir_movie *movie)
{
    movie->pieces = malloc(FIRST_ROOM * sizeof(movie->pieces[0]));
    if (movie->pieces) {
        movie->room = FIRST_ROOM;
        memset(movie->pieces, 1, FIRST_ROOM * sizeof(movie->pieces[0])); // touched before use
    }
    return movie->pieces;
}

void weir_movie_finish(struct weir_movie *movie)
{
    free(movie->pieces);
    free(movie->pictures.description.bytes);
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        free(movie->audio[i].description.bytes);
    }
    weir_chapters_finish(&movie->chapters);
    *movie = (struct weir_movie){.pieces = NULL};
}

void weir_movie_clear(struct weir_movie *movie)
{
    movie->num_pieces = movie->pictures.num_frames = 0;
    movie->pictures.last_time = 0;
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        movie->audio[i].num_pieces = movie->audio[i].num_samples = 0;
    }
}

bool weir_movie_add(struct weir_movie *movie, const struct weir_piece *piece)
{
    struct weir_piece *pieces = movie->is_incomplete || movie->num_pieces == UINT32_MAX
                                    ? NULL
                                    : weir_grow(movie->pieces, movie->num_pieces, &movie->room,
                                                sizeof(pieces[0]));
    if (!pieces) {
        movie->is_incomplete = true;
        return false;
    }
    movie->pieces = pieces;
    pieces[movie->num_pieces++] = *piece;
    if (piece->track == 0) {
        movie->pictures.num_frames++;
        movie->pictures.last_time = piece->time;
    } else {
        struct weir_movie_audio *audio = &movie->audio[piece->track - 1];
        audio->num_pieces++;
        audio->num_samples += weir_piece_num_samples(movie, piece);
    }
    return true;
}

bool weir_movie_add_silence(struct weir_movie *movie, struct weir_piece piece, uint64_t end,
                            uint32_t most)
{
    const uint32_t sample_size = movie->audio[piece.track - 1].sample_size;
    piece.is_silence = 1;
    while (piece.time < end) {
        const uint64_t num = weir_min(end - piece.time, most);
        piece.size = (uint32_t)num * sample_size;
        if (!weir_movie_add(movie, &piece)) {
            return false;
        }
        piece.time += num;
    }
    return true;
}

uint32_t weir_movie_last_duration(const struct weir_movie *movie)
{
    const struct weir_movie_pictures *pictures = &movie->pictures;
    return pictures->last_duration > 0 ? pictures->last_duration : pictures->ticks_per_frame;
}

uint64_t weir_movie_end(const struct weir_movie *movie)
{
    return movie->pictures.last_time + weir_movie_last_duration(movie);
}

// Three letters of five bits each (QuickTime File Format, "ISO Language Codes").
static uint16_t code_of(const char language[4])
{
    return language[0] ? (uint16_t)((language[0] - 0x60) << 10 | (language[1] - 0x60) << 5 |
                                    (language[2] - 0x60))
                       : WEIR_LANGUAGE_UNKNOWN;
}

struct weir_movie_audio weir_movie_audio_of(const struct weir_audio_track *track)
{
    static const char *const tags[] = {[WEIR_SAMPLE_S16] = "sowt",
                                       [WEIR_SAMPLE_S24] = "in24",
                                       [WEIR_SAMPLE_S32] = "in32",
                                       [WEIR_SAMPLE_F32] = "fl32"};
    return (struct weir_movie_audio){
        .tag = WEIR_BOX(tags[track->format]),
        .sample_rate = track->sample_rate,
        .num_channels = track->num_channels,
        .layout = track->layout != 0 ? track->layout : weir_layout_usual(track->num_channels),
        .is_float = track->format == WEIR_SAMPLE_F32,
        .sample_size = weir_audio_sample_size(track->format, track->num_channels),
        .language = code_of(track->language),
    };
}

uint32_t weir_piece_num_samples(const struct weir_movie *movie, const struct weir_piece *piece)
{
    return piece->track == 0 ? 1 : piece->size / movie->audio[piece->track - 1].sample_size;
}

// Get the first piece of a track from number `i` on.
static const struct weir_piece *find(const struct weir_movie *movie, size_t i, unsigned track)
{
    while (i < movie->num_pieces && movie->pieces[i].track != track) {
        i++;
    }
    return i < movie->num_pieces ? &movie->pieces[i] : NULL;
}

const struct weir_piece *weir_piece_next(const struct weir_movie *movie,
                                         const struct weir_piece *piece)
{
    return find(movie, (size_t)(piece - movie->pieces) + 1, piece->track);
}

const struct weir_piece *weir_piece_first(const struct weir_movie *movie, unsigned track)
{
    return find(movie, 0, track);
}

uint64_t weir_segment_position(uint64_t ticks, uint32_t ticks_per_second, uint32_t sample_rate)
{
    return weir_scale_round(ticks, sample_rate, ticks_per_second);
}

uint64_t weir_movie_audio_due(uint64_t ticks, uint32_t ticks_per_second, uint32_t sample_rate)
{
    const uint32_t chunk = WEIR_AUDIO_CHUNK(sample_rate);
    const uint64_t num = weir_segment_position(ticks, ticks_per_second, sample_rate) / chunk;
    return num > 1 ? (num - 1) * chunk : 0;
}

uint32_t weir_movie_padding(const struct weir_movie *movie, uint64_t end,
                            uint8_t bytes[2 * WEIR_MOVIE_BLOCK])
{
    const struct weir_movie_pictures *pictures = &movie->pictures;
    const struct weir_movie_codec_info *codec = weir_hap_codec_of_tag(pictures->tag);
    const uint32_t size = weir_boxes_padding(end, WEIR_MOVIE_BLOCK);
    if (!codec || size == 0 ||
        weir_movie_codec_frame_size(codec->codec, pictures->width, pictures->height) <
            WEIR_MOVIE_DIRECT_SIZE) {
        return 0;
    }
    struct weir_boxes boxes = {.bytes = bytes, .room = 2 * WEIR_MOVIE_BLOCK};
    memset(bytes, 0, size);
    weir_boxes_u32(&boxes, size);
    weir_boxes_u32(&boxes, WEIR_BOX("free"));
    return size;
}

// Drawn at random: the type of a uuid box is its maker's own (ISO/IEC 14496-12, 4.2).
const uint8_t weir_segment_type[16] = {0x5b, 0x1e, 0x8d, 0xc2, 0x37, 0x90, 0x4f, 0x6a,
                                       0xa4, 0xe9, 0x02, 0x73, 0xd8, 0x16, 0x4b, 0xf5};
