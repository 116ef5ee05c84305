// SPDX-License-Identifier: MIT
// The head of a movie: the boxes ftyp and moov, written from what is known of it.
//
// Source: QuickTime File Format Specification (Apple); ISO/IEC 14496-12. Where these leave a choice
// it is that of libavformat, with which players are tried; tests/capture/head_test.c compares.
#include "capture/movie/head.h"

#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"

#define MOVIE_SCALE 1000u // ticks a second of mvhd and tkhd
#define FIXED_SIZE 1024u  // at most, of what is no track
#define TRACK_SIZE 1024u  // at most, of a track without a description of its own

// A track while its boxes are written. Numbers are those of the pieces; time code comes last.
struct track {
    const struct weir_movie *movie;
    unsigned number;
    const struct weir_movie_audio *audio; // NULL: pictures or time code
    bool is_timecode, is_plain;
    uint32_t ticks_per_second;
    uint64_t duration; // [ticks]; 0 while the movie grows
};

static bool has_timecode(const struct weir_movie *movie)
{
    return movie->timecode.first.frames_per_second > 0;
}

static struct track track_of(const struct weir_movie *movie, unsigned number, bool is_plain)
{
    const bool is_timecode = number > movie->num_audio;
    const struct weir_movie_audio *audio = number > 0 && !is_timecode ? &movie->audio[number - 1]
                                                                      : NULL;
    const uint64_t duration = audio ? audio->num_samples : weir_movie_end(movie);
    return (struct track){
        .movie = movie,
        .number = number,
        .audio = audio,
        .is_timecode = is_timecode,
        .is_plain = is_plain,
        .ticks_per_second = audio ? audio->sample_rate : movie->pictures.ticks_per_second,
        .duration = is_plain ? duration : 0,
    };
}

// Get how long a track is, in the ticks of the movie.
static uint32_t movie_duration(const struct track *track)
{
    const uint64_t duration = weir_scale(track->duration, MOVIE_SCALE, track->ticks_per_second);
    return duration < UINT32_MAX ? (uint32_t)duration : UINT32_MAX;
}

static uint32_t longest_duration(const struct weir_movie *movie, bool is_plain)
{
    uint64_t longest = 0;
    for (unsigned i = 0; i <= movie->num_audio; i++) {
        const struct track track = track_of(movie, i, is_plain);
        longest = weir_max(longest, movie_duration(&track));
    }
    return (uint32_t)longest;
}

#define UPRIGHT 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000

static void write_mvhd(struct weir_boxes *boxes, const struct weir_movie *movie, bool is_plain)
{
    const uint32_t speed = 0x10000, volume = 0x1000000;
    weir_boxes_numbers(boxes, "mvhd", 0, movie->metadata.creation_time, 0, MOVIE_SCALE,
                       longest_duration(movie, is_plain), speed, volume, 0, 0, UPRIGHT, 0, 0, 0, 0,
                       0, 0, 2 + movie->num_audio + has_timecode(movie)); // the next track
}

static void write_tkhd(struct weir_boxes *boxes, const struct track *track)
{
    enum { ENABLED = 1, IN_MOVIE = 2, FULL_VOLUME = 0x1000000, GROUP_OF_AUDIO = 1 };
    static const uint32_t upright[] = {UPRIGHT};
    const struct weir_movie_pictures *pictures = &track->movie->pictures;
    const bool is_audio = track->audio, has_size = track->number == 0;
    const bool is_enabled = track->number < 2 || track->is_timecode; // one audio track is heard
    const size_t tkhd = weir_boxes_begin(boxes, "tkhd");
    weir_boxes_u32(boxes, IN_MOVIE | (is_enabled ? ENABLED : 0));
    weir_boxes_zeros(boxes, 2);
    weir_boxes_u32(boxes, 1 + track->number);
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, movie_duration(track));
    weir_boxes_zeros(boxes, 2);
    weir_boxes_u32(boxes, is_audio ? GROUP_OF_AUDIO : 0); // of tracks of which one is played
    weir_boxes_u32(boxes, is_audio ? FULL_VOLUME : 0);
    for (int i = 0; i < 9; i++) {
        weir_boxes_u32(boxes,
                       has_size && pictures->matrix[8] != 0 ? pictures->matrix[i] : upright[i]);
    }
    weir_boxes_u32(boxes, has_size ? pictures->width << 16 : 0);
    weir_boxes_u32(boxes, has_size ? pictures->height << 16 : 0);
    weir_boxes_end(boxes, tkhd);
}

// Write mdhd, in version 1 with 64 bits only if 32 bits are too few: above 13 hours at 90 kHz.
static void write_mdhd(struct weir_boxes *boxes, const struct track *track)
{
    const uint64_t duration = track->is_timecode && !track->is_plain
                                  ? track->movie->pictures.ticks_per_frame
                                  : track->duration;
    const bool is_long = duration > UINT32_MAX;
    const size_t mdhd = weir_boxes_begin(boxes, "mdhd");
    weir_boxes_u32(boxes, is_long ? 0x01000000u : 0);
    weir_boxes_zeros(boxes, is_long ? 4 : 2);
    weir_boxes_u32(boxes, track->ticks_per_second);
    if (is_long) {
        weir_boxes_u64(boxes, duration);
    } else {
        weir_boxes_u32(boxes, (uint32_t)duration);
    }
    weir_boxes_u16(boxes, track->audio ? track->audio->language : WEIR_LANGUAGE_UNKNOWN);
    weir_boxes_u16(boxes, 0);
    weir_boxes_end(boxes, mdhd);
}

// The name is a Pascal string.
static void write_hdlr(struct weir_boxes *boxes, const char *type_and_subtype, const char *name)
{
    const uint8_t length = (uint8_t)strlen(name);
    const size_t hdlr = weir_boxes_begin_full(boxes, "hdlr");
    weir_boxes_copy(boxes, (const uint8_t *)type_and_subtype, 8);
    weir_boxes_zeros(boxes, 3);
    weir_boxes_copy(boxes, &length, 1);
    weir_boxes_copy(boxes, (const uint8_t *)name, length);
    weir_boxes_end(boxes, hdlr);
}

// The boxes hdlr and dinf of data that lies in this file.
static void write_data_in_file(struct weir_boxes *boxes)
{
    write_hdlr(boxes, "dhlrurl ", "DataHandler");
    const size_t dinf = weir_boxes_begin(boxes, "dinf");
    const size_t dref = weir_boxes_begin_full(boxes, "dref");
    weir_boxes_u32(boxes, 1);
    weir_boxes_numbers(boxes, "url ", 1);
    weir_boxes_end(boxes, dref);
    weir_boxes_end(boxes, dinf);
}

// How a player shows time code. MoviesFormat.h of QuickTime has the two bytes behind the size of
// the text (TCTextOptions).
static void write_gmhd(struct weir_boxes *boxes)
{
    enum { DITHER_COPY = 0x40, GREY = 0x8000, WHITE = 0xffff, TEXT_SIZE = 12 };
    static const char font[] = "\x0dLucida Grande";
    const size_t gmhd = weir_boxes_begin(boxes, "gmhd");
    weir_boxes_numbers(boxes, "gmin", 0, DITHER_COPY << 16 | GREY, (uint32_t)GREY << 16 | GREY, 0);
    const size_t tmcd = weir_boxes_begin(boxes, "tmcd");
    const size_t tcmi = weir_boxes_begin(boxes, "tcmi");
    weir_boxes_zeros(boxes, 2); // the font by number, and its face
    weir_boxes_u32(boxes, TEXT_SIZE << 16);
    weir_boxes_u32(boxes, 0); // black on white
    weir_boxes_u32(boxes, WHITE);
    weir_boxes_u32(boxes, (uint32_t)WHITE << 16 | WHITE);
    weir_boxes_copy(boxes, (const uint8_t *)font, sizeof(font) - 1);
    weir_boxes_end(boxes, tcmi);
    weir_boxes_end(boxes, tmcd);
    weir_boxes_end(boxes, gmhd);
}

static void write_media_header(struct weir_boxes *boxes, const struct track *track)
{
    if (track->audio) {
        weir_boxes_numbers(boxes, "smhd", 0, 0);
        return;
    }
    if (track->is_timecode) {
        write_gmhd(boxes);
        return;
    }
    weir_boxes_numbers(boxes, "vmhd", 1, (uint32_t)track->movie->pictures.graphics_mode << 16, 0);
}

static void write_mdia(struct weir_boxes *boxes, const struct track *track)
{
    const size_t mdia = weir_boxes_begin(boxes, "mdia");
    write_mdhd(boxes, track);
    if (track->is_timecode) {
        write_hdlr(boxes, "mhlrtmcd", "TimeCodeHandler");
    } else if (track->audio) {
        write_hdlr(boxes, "mhlrsoun", "SoundHandler");
    } else {
        write_hdlr(boxes, "mhlrvide", "VideoHandler");
    }
    const size_t minf = weir_boxes_begin(boxes, "minf");
    write_media_header(boxes, track);
    write_data_in_file(boxes);
    const size_t stbl = weir_boxes_begin(boxes, "stbl");
    weir_head_write_description(boxes, track->movie, track->number);
    weir_head_write_tables(boxes, track->movie, track->number, track->is_plain);
    weir_boxes_end(boxes, stbl);
    weir_boxes_end(boxes, minf);
    weir_boxes_end(boxes, mdia);
}

// Write the box tapt, the size of pictures whose pixels are not square: as they are shown, twice,
// and as they are stored (QuickTime File Format, "Track aperture mode dimensions").
static void write_tapt(struct weir_boxes *boxes, const struct weir_movie_pictures *pictures)
{
    static const char *const types[] = {"clef", "prof", "enof"};
    enum { STORED = 2, NUM = 3 };
    const uint64_t num = pictures->pixel_aspect_num, den = pictures->pixel_aspect_den;
    if (num == den) {
        return;
    }
    const uint32_t shown = (uint32_t)((pictures->width * num + den / 2) / den);
    const size_t tapt = weir_boxes_begin(boxes, "tapt");
    for (int i = 0; i < NUM; i++) {
        weir_boxes_numbers(boxes, types[i], 0, (i == STORED ? pictures->width : shown) << 16,
                           pictures->height << 16);
    }
    weir_boxes_end(boxes, tapt);
}

// Append the sample of a time code in a box of its own. A plain movie keeps a copy, for weir
// recover, where the head is lost. Returns where the sample lies.
static size_t write_sample(struct weir_boxes *boxes, const struct weir_movie *movie)
{
    const size_t data = weir_boxes_begin(boxes, "free");
    weir_boxes_u32(boxes, movie->timecode.first.start);
    weir_boxes_end(boxes, data);
    return data + 8;
}

// Returns where the sample of a time code lies; 0 for other tracks.
static size_t write_trak(struct weir_boxes *boxes, const struct track *track)
{
    const struct weir_movie *movie = track->movie;
    const size_t trak = weir_boxes_begin(boxes, "trak");
    write_tkhd(boxes, track);
    write_mdia(boxes, track);
    if (track->number == 0) {
        write_tapt(boxes, &movie->pictures);
    }
    if (track->number == 0 && has_timecode(movie)) { // pictures refer to their time code
        const size_t tref = weir_boxes_begin(boxes, "tref");
        weir_boxes_numbers(boxes, "tmcd", 2 + movie->num_audio);
        weir_boxes_end(boxes, tref);
    }
    const size_t sample = track->is_timecode ? write_sample(boxes, movie) : 0;
    weir_boxes_end(boxes, trak);
    return sample;
}

// Announce fragments of all tracks, and say what they leave out.
static void write_mvex(struct weir_boxes *boxes, uint32_t num_tracks)
{
    const size_t mvex = weir_boxes_begin(boxes, "mvex");
    for (uint32_t i = 1; i <= num_tracks; i++) {
        // The first sample description, and no defaults.
        weir_boxes_numbers(boxes, "trex", 0, i, 1, 0, 0, 0);
    }
    weir_boxes_end(boxes, mvex);
}

// Write the texts, and of a plain movie the chapters.
static void write_udta(struct weir_boxes *boxes, const struct weir_movie *movie, bool is_plain)
{
    const size_t udta = weir_boxes_begin(boxes, "udta"), empty = boxes->size;
    weir_metadata_write(&movie->metadata, boxes);
    if (is_plain) {
        weir_chapters_write(&movie->chapters, boxes);
    }
    if (boxes->size == empty) {
        boxes->size = udta;
    } else {
        weir_boxes_end(boxes, udta);
    }
}

size_t weir_head_write_moov(const struct weir_movie *movie, bool is_plain, struct weir_boxes *boxes)
{
    const uint32_t num_tracks = 1 + movie->num_audio + has_timecode(movie);
    const size_t moov = weir_boxes_begin(boxes, "moov");
    size_t sample = 0;
    write_mvhd(boxes, movie, is_plain);
    for (unsigned i = 0; i < num_tracks; i++) {
        const struct track track = track_of(movie, i, is_plain);
        if (!is_plain || track.duration > 0) {
            sample = write_trak(boxes, &track);
        }
    }
    if (!is_plain) {
        write_mvex(boxes, num_tracks);
    }
    write_udta(boxes, movie, is_plain);
    weir_boxes_end(boxes, moov);
    return sample;
}

size_t weir_head_room(const struct weir_movie *movie)
{
    size_t room = FIXED_SIZE + (2 + movie->num_audio) * (size_t)TRACK_SIZE +
                  movie->pictures.description.size + weir_metadata_size(&movie->metadata);
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        room += movie->audio[i].description.size;
    }
    return room;
}

void weir_segment_write(const struct weir_segment *segment, struct weir_boxes *boxes)
{
    const size_t begin = weir_boxes_begin(boxes, "uuid");
    weir_boxes_copy(boxes, weir_segment_type, sizeof(weir_segment_type));
    weir_boxes_copy(boxes, segment->recording, sizeof(segment->recording));
    weir_boxes_u32(boxes, segment->number);
    weir_boxes_u32(boxes, segment->ticks_per_second);
    weir_boxes_u64(boxes, segment->start_ticks);
    weir_boxes_end(boxes, begin);
}

static void write_ftyp(struct weir_boxes *boxes)
{
    weir_boxes_numbers(boxes, "ftyp", WEIR_BOX("qt  "), 0x200, WEIR_BOX("qt  "));
}

bool weir_head_make(struct weir_movie *movie, struct weir_head *head)
{
    struct weir_boxes boxes = {.room = weir_head_room(movie)};
    boxes.bytes = malloc(boxes.room);
    *head = (struct weir_head){.bytes = boxes.bytes};
    if (!boxes.bytes) {
        return false;
    }
    write_ftyp(&boxes);
    if (movie->segment.number > 0) {
        weir_segment_write(&movie->segment, &boxes);
    }
    head->moov = boxes.size;
    movie->timecode.offset = weir_head_write_moov(movie, false, &boxes);
    head->size = boxes.size;
    return true;
}
