// SPDX-License-Identifier: MIT
// Reads a movie from a file that may be damaged: what its moov box says of tracks, chapters and
// time code.
//
// Source: QuickTime File Format Specification (Apple); ISO/IEC 14496-12.
#include "capture/movie/read.h"

#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"

// With the head of its box ("Video sample description").
#define PICTURES_DESCRIPTION_SIZE 86

// The boxes of a track, and what mdhd says of it.
struct trak {
    struct weir_box box, mdia, minf, stbl;
    uint32_t ticks_per_second; // 1 .. INT32_MAX
    uint64_t duration;         // [ticks]
    uint16_t language;
};

// Keep a description of samples as it is, unless it is longer than a view. False: out of memory.
static bool copy_description(struct weir_view *view, const struct weir_box *entry,
                             struct weir_description *description)
{
    const uint64_t size = entry->end - entry->begin;
    const uint8_t *bytes = size <= view->room ? weir_view_at(view, entry->begin, (size_t)size)
                                              : NULL;
    *description = (struct weir_description){.bytes = bytes ? malloc((size_t)size) : NULL};
    if (description->bytes) {
        memcpy(description->bytes, bytes, (size_t)size);
        description->size = (size_t)size;
    }
    return !bytes || description->bytes;
}

// Open the header of a movie, a track or its media, and get the `size` bytes behind the times of
// making and changing. Version 1 has these and the duration, which is among them, in 64 bits.
static const uint8_t *open_header(struct weir_view *view, const struct weir_box *parent,
                                  const char *type, size_t size, bool *is_long)
{
    const uint8_t *bytes = weir_box_open(view, parent, type, 12 + size, NULL);
    *is_long = bytes && bytes[0] == 1;
    bytes = *is_long ? weir_box_open(view, parent, type, 24 + size, NULL) : bytes;
    return bytes ? bytes + (*is_long ? 20 : 12) : NULL;
}

static bool read_media(struct weir_view *view, struct trak *trak)
{
    bool is_long;
    const uint8_t *bytes = open_header(view, &trak->mdia, "mdhd", 10, &is_long);
    if (!bytes) {
        return false;
    }
    trak->ticks_per_second = weir_boxes_read_u32(bytes);
    trak->duration = is_long ? weir_boxes_read_u64(bytes + 4) : weir_boxes_read_u32(bytes + 4);
    trak->language = weir_boxes_read_u16(bytes + (is_long ? 12 : 8));
    return trak->ticks_per_second > 0 && trak->ticks_per_second <= INT32_MAX;
}

// Get the 32 bits that follow the times in mvhd and tkhd: the ticks a second of the movie, the
// number of the track. 0: the box is damaged.
static uint32_t read_behind_times(struct weir_view *view, const struct weir_box *parent,
                                  const char *type)
{
    bool is_long;
    const uint8_t *bytes = open_header(view, parent, type, 4, &is_long);
    return bytes ? weir_boxes_read_u32(bytes) : 0;
}

// Get the handler of a track's media, such as "vide". 0: it is damaged.
static uint32_t read_handler(struct weir_view *view, const struct weir_box *mdia)
{
    const uint8_t *bytes = weir_box_open(view, mdia, "hdlr", 12, NULL);
    return bytes ? weir_boxes_read_u32(bytes + 8) : 0;
}

static void read_color(struct weir_view *view, const struct weir_box *extensions,
                       struct weir_movie_pictures *pictures)
{
    const uint8_t *bytes = weir_box_open(view, extensions, "colr", 10, NULL);
    if (bytes && weir_boxes_read_u32(bytes) == WEIR_BOX("nclc")) {
        pictures->color_primaries = weir_boxes_read_u16(bytes + 4);
        pictures->color_transfer = weir_boxes_read_u16(bytes + 6);
        pictures->color_matrix = weir_boxes_read_u16(bytes + 8);
    }
}

static void read_pixel_aspect(struct weir_view *view, const struct weir_box *extensions,
                              struct weir_movie_pictures *pictures)
{
    const uint8_t *bytes = weir_box_open(view, extensions, "pasp", 8, NULL);
    const uint32_t num = bytes ? weir_boxes_read_u32(bytes) : 0;
    const uint32_t den = bytes ? weir_boxes_read_u32(bytes + 4) : 0;
    if (num > 0 && den > 0) {
        pictures->pixel_aspect_num = num;
        pictures->pixel_aspect_den = den;
    }
}

static void read_matrix(struct weir_view *view, const struct weir_box *trak,
                        struct weir_movie_pictures *pictures)
{
    bool is_long;
    const uint8_t *bytes = open_header(view, trak, "tkhd", 64, &is_long);
    for (uint32_t i = 0; bytes && i < 9; i++) {
        pictures->matrix[i] = weir_boxes_read_u32(bytes + (is_long ? 32 : 28) + (size_t)4 * i);
    }
}

static void read_graphics_mode(struct weir_view *view, const struct weir_box *minf,
                               struct weir_movie_pictures *pictures)
{
    const uint8_t *bytes = weir_box_open(view, minf, "vmhd", 6, NULL);
    pictures->graphics_mode = bytes ? weir_boxes_read_u16(bytes + 4) : 0;
}

static bool read_pictures(struct weir_view *view, const struct trak *trak,
                          struct weir_movie_pictures *pictures, struct weir_box *entry)
{
    const uint8_t *bytes = weir_box_open_description(view, &trak->stbl, PICTURES_DESCRIPTION_SIZE,
                                                     entry);
    if (!bytes) {
        return false;
    }
    *pictures = (struct weir_movie_pictures){
        .tag = entry->type,
        .width = weir_boxes_read_u16(bytes + 32),
        .height = weir_boxes_read_u16(bytes + 34),
        .ticks_per_second = trak->ticks_per_second,
    };
    const struct weir_box extensions = {.payload = entry->begin + PICTURES_DESCRIPTION_SIZE,
                                        .end = entry->end};
    read_pixel_aspect(view, &extensions, pictures);
    read_color(view, &extensions, pictures);
    read_graphics_mode(view, &trak->minf, pictures);
    read_matrix(view, &trak->box, pictures);
    return pictures->width > 0 && pictures->height > 0;
}

static bool is_float(uint32_t tag, uint32_t version, const uint8_t *entry)
{
    enum { LPCM_FLOAT = 1 };
    return tag == WEIR_BOX("lpcm")
               ? version == 2 && (weir_boxes_read_u32(entry + 60) & LPCM_FLOAT) != 0
               : weir_box_is(tag, "fl32 fl64");
}

// Version 0 of a description has channels and bits, 1 bytes of a sample too, 2 channels and bytes
// of a packet, which is a sample ("Sound sample description").
static bool parse_audio(const uint8_t *entry, uint64_t size, struct weir_movie_audio *audio)
{
    enum { MAX_SAMPLE = 128 };
    const uint32_t tag = weir_boxes_read_u32(entry + 4);
    const uint32_t version = weir_boxes_read_u16(entry + 16);
    if (!weir_box_is(tag, "sowt twos in24 in32 fl32 fl64 lpcm") || version > 2 ||
        (version == 1 && size < 52) || (version == 2 && size < 72)) {
        return false;
    }
    audio->tag = tag;
    audio->is_float = is_float(tag, version, entry);
    audio->num_channels = version == 2 ? weir_boxes_read_u32(entry + 48)
                                       : weir_boxes_read_u16(entry + 24);
    audio->sample_size = version == 0 ? audio->num_channels * (weir_boxes_read_u16(entry + 26) / 8u)
                         : version == 1 ? weir_boxes_read_u32(entry + 44)
                                        : weir_boxes_read_u32(entry + 64);
    return audio->sample_size > 0 && audio->sample_size <= MAX_SAMPLE && audio->num_channels > 0 &&
           audio->sample_size % audio->num_channels == 0;
}

static bool read_audio(struct weir_view *view, const struct trak *trak,
                       struct weir_movie_audio *audio, struct weir_box *entry)
{
    enum { LEAST = 36, MOST = 72 };
    if (!weir_box_open_description(view, &trak->stbl, LEAST, entry)) {
        return false;
    }
    const uint64_t size = entry->end - entry->begin < MOST ? entry->end - entry->begin : MOST;
    *audio = (struct weir_movie_audio){.sample_rate = trak->ticks_per_second,
                                       .language = trak->language};
    const uint8_t *bytes = weir_view_at(view, entry->begin, (size_t)size);
    if (!bytes || !parse_audio(bytes, size, audio)) {
        return false;
    }
    static const uint8_t sizes[] = {36, 52, 72};
    audio->layout = weir_layout_read(
        view, &(struct weir_box){.payload = entry->begin + sizes[weir_boxes_read_u16(bytes + 16)],
                                 .end = entry->end});
    return true;
}

static uint64_t read_number(const uint8_t *bytes, bool is_long)
{
    return is_long ? weir_boxes_read_u64(bytes) : weir_boxes_read_u32(bytes);
}

// Read how long after the movie's beginning a track begins: 0 without an edit list. False: the list
// is damaged, leaves out a part of the track, or plays it at another speed. It has one edit, or an
// empty one and another.
static bool read_delay(struct weir_view *view, const struct weir_box *moov, const struct trak *trak,
                       uint64_t *delay)
{
    enum { MAX_DELAY = 1 << 30, SPEED_1 = 0x10000 };
    struct weir_box edts, elst;
    *delay = 0;
    if (!weir_box_find_in(view, &trak->box, "edts", &edts) ||
        !weir_box_find_in(view, &edts, "elst", &elst)) {
        return true;
    }
    const uint32_t ticks_per_second = trak->ticks_per_second;
    const uint32_t movie_scale = read_behind_times(view, moov, "mvhd");
    const uint8_t *bytes = weir_box_open(view, &edts, "elst", 8, NULL);
    const bool is_long = bytes && bytes[0] == 1;
    const uint32_t num = bytes ? weir_boxes_read_u32(bytes + 4) : 0, number = is_long ? 8 : 4;
    const uint32_t each = 2 * number + 4; // duration, begin in the media, speed
    bytes = num == 1 || num == 2 ? weir_box_open(view, &edts, "elst", 8 + (size_t)num * each, NULL)
                                 : NULL;
    if (!bytes || movie_scale == 0) {
        return false;
    }
    const uint8_t *first = bytes + 8, *whole = first + (size_t)(num - 1) * each;
    const uint64_t wait = num == 2 ? read_number(first, is_long) : 0;
    const uint64_t nothing = is_long ? UINT64_MAX : UINT32_MAX;
    if (num == 2 && (read_number(first + number, is_long) != nothing || wait > MAX_DELAY)) {
        return false;
    }
    *delay = weir_scale(wait, ticks_per_second, movie_scale);
    // Durations are rounded to ticks of the movie, mostly a millisecond, in either direction.
    return read_number(whole + number, is_long) == 0 &&
           weir_boxes_read_u32(whole + 2 * (size_t)number) == SPEED_1 &&
           read_number(whole, is_long) + 1 >=
               weir_scale(trak->duration, movie_scale, ticks_per_second);
}

static bool find_boxes(struct weir_view *view, struct trak *trak)
{
    return read_media(view, trak) && weir_box_find_in(view, &trak->mdia, "minf", &trak->minf) &&
           weir_box_find_in(view, &trak->minf, "stbl", &trak->stbl);
}

// Fill in what a file says of the next track beside its description, and keep that.
static void place_track(struct weir_view *view, const struct trak *trak,
                        const struct weir_box *entry, struct weir_movie_found *found,
                        struct weir_track_place *place, struct weir_description *description)
{
    place->id = read_behind_times(view, &trak->box, "tkhd");
    place->stbl = trak->stbl;
    place->duration = trak->duration;
    place->is_edited = !read_delay(view, &found->moov, trak, &place->delay);
    found->movie.is_incomplete = !copy_description(view, entry, description) ||
                                 found->movie.is_incomplete;
}

static bool read_first_pictures(struct weir_view *view, const struct trak *trak,
                                struct weir_movie_found *found)
{
    struct weir_movie_pictures pictures;
    struct weir_box entry;
    if (found->movie.pictures.width > 0 || !read_pictures(view, trak, &pictures, &entry)) {
        return false;
    }
    place_track(view, trak, &entry, found, &found->tracks[0], &pictures.description);
    found->movie.pictures = pictures;
    return true;
}

static bool read_next_audio(struct weir_view *view, const struct trak *trak,
                            struct weir_movie_found *found)
{
    struct weir_movie *movie = &found->movie;
    struct weir_movie_audio audio;
    struct weir_box entry;
    if (movie->num_audio == WEIR_MOVIE_MAX_AUDIO || !read_audio(view, trak, &audio, &entry)) {
        return false;
    }
    place_track(view, trak, &entry, found, &found->tracks[1 + movie->num_audio],
                &audio.description);
    movie->audio[movie->num_audio++] = audio;
    return true;
}

// Note what an audio track is that read_next_audio() does not read.
static void note_other_audio(struct weir_view *view, const struct trak *trak,
                             struct weir_movie_found *found)
{
    enum { SIZE = 36, CHANNELS = 24 };
    struct weir_box entry;
    const uint8_t *bytes = weir_box_open_description(view, &trak->stbl, SIZE, &entry);
    if (bytes && found->num_others < WEIR_MOVIE_MAX_AUDIO) {
        found->others[found->num_others++] = (struct weir_movie_audio){
            .tag = entry.type,
            .sample_rate = trak->ticks_per_second,
            .num_channels = weir_boxes_read_u16(bytes + CHANNELS),
            .num_samples = (uint32_t)weir_min(trak->duration, UINT32_MAX),
        };
    }
}

// Read a track. False: it is no track as this program writes it, or not where it would be.
static bool read_track(struct weir_view *view, struct trak *trak, struct weir_movie_found *found,
                       uint32_t *handler)
{
    struct weir_movie *movie = &found->movie;
    const bool is_first = found->num_tracks++ == 0;
    *handler = 0;
    if (movie->timecode.first.frames_per_second > 0 || // nothing follows time code
        !weir_box_find_in(view, &trak->box, "mdia", &trak->mdia)) {
        return false;
    }
    *handler = read_handler(view, &trak->mdia);
    if (!find_boxes(view, trak)) {
        return false;
    }
    if (*handler == WEIR_BOX("soun") && !read_next_audio(view, trak, found)) {
        note_other_audio(view, trak, found);
        return false;
    }
    return *handler == WEIR_BOX("vide") ? read_first_pictures(view, trak, found) && is_first
           : *handler == WEIR_BOX("tmcd")
               ? weir_movie_read_timecode(view, &trak->box, &trak->stbl, found)
               : *handler == WEIR_BOX("soun");
}

enum weir_result weir_movie_read_moov(struct weir_view *view, const struct weir_box *moov,
                                      struct weir_movie_found *found)
{
    *found = (struct weir_movie_found){.moov = *moov, .is_ours = true};
    uint64_t at = moov->payload;
    struct trak trak;
    for (; weir_box_read(view, at, moov->end, &trak.box) && trak.box.end <= moov->end;
         at = trak.box.end) {
        uint32_t handler;
        found->is_fragmented = found->is_fragmented || trak.box.type == WEIR_BOX("mvex");
        if (trak.box.type == WEIR_BOX("trak") && !read_track(view, &trak, found, &handler)) {
            found->foreign = found->is_ours || handler == WEIR_BOX("vide") ? handler
                                                                           : found->foreign;
            found->is_ours = false;
        }
    }
    if (at != moov->end || found->movie.pictures.width == 0) {
        return WEIR_ERROR_DATA;
    }
    weir_metadata_read(view, moov, &found->movie.metadata);
    found->movie.is_incomplete = !weir_chapters_read(view, moov, &found->movie.chapters) ||
                                 found->movie.is_incomplete;
    return found->movie.is_incomplete ? WEIR_ERROR_OUT_OF_MEMORY : WEIR_OK;
}

enum weir_result weir_movie_read(struct weir_view *view, struct weir_movie_found *found)
{
    struct weir_box moov;
    *found = (struct weir_movie_found){.num_tracks = 0};
    if (!weir_box_find(view, 0, view->source.size, "moov", &moov)) {
        return WEIR_NOT_READY;
    }
    const enum weir_result result = weir_movie_read_moov(view, &moov, found);
    if (!weir_segment_read(view, &found->movie.segment)) {
        found->movie.segment = (struct weir_segment){.number = 0};
    }
    return result;
}

void weir_movie_language(const struct weir_movie_audio *audio, char language[4])
{
    const uint32_t code = audio->language;
    bool is_said = code >= WEIR_LANGUAGE_LEAST_CODE && code != WEIR_LANGUAGE_UNKNOWN;
    for (int i = 0; i < 3; i++) {
        language[i] = (char)(0x60 + (code >> (10 - 5 * i) & 31));
        is_said = is_said && language[i] >= 'a' && language[i] <= 'z';
    }
    language[is_said ? 3 : 0] = 0;
}
