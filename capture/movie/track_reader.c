// SPDX-License-Identifier: MIT
// The tracks of a movie, read from its moov box: what they hold.
#include "capture/movie/track_reader.h"

// Of the description of a picture's samples (QuickTime File Format, "Video sample description").
#define DESCRIPTION_SIZE 86

// Get the kind of a track's media, such as "vide". 0: it is damaged.
static uint32_t read_kind(struct weir_view *view, const struct weir_box *mdia)
{
    struct weir_box hdlr;
    const uint8_t *bytes = weir_box_open(view, mdia, WEIR_BOX('h', 'd', 'l', 'r'), 12, &hdlr);
    return bytes ? weir_boxes_read_u32(bytes + 8) : 0;
}

static void read_color(struct weir_view *view, const struct weir_box *extensions,
                       struct weir_track *track)
{
    struct weir_box colr;
    const uint8_t *bytes = weir_box_open(view, extensions, WEIR_BOX('c', 'o', 'l', 'r'), 10, &colr);
    if (bytes && weir_boxes_read_u32(bytes) == WEIR_BOX('n', 'c', 'l', 'c')) {
        track->color_primaries = weir_boxes_read_u16(bytes + 4);
        track->color_transfer = weir_boxes_read_u16(bytes + 6);
        track->color_matrix = weir_boxes_read_u16(bytes + 8);
    }
}

static void read_pixels(struct weir_view *view, const struct weir_box *extensions,
                        struct weir_track *track)
{
    struct weir_box pasp;
    const uint8_t *bytes = weir_box_open(view, extensions, WEIR_BOX('p', 'a', 's', 'p'), 8, &pasp);
    const uint32_t num = bytes ? weir_boxes_read_u32(bytes) : 0;
    const uint32_t den = bytes ? weir_boxes_read_u32(bytes + 4) : 0;
    if (num > 0 && den > 0) {
        track->pixel_aspect_num = num;
        track->pixel_aspect_den = den;
    }
}

static bool read_stsd(struct weir_view *view, const struct weir_box *stbl, struct weir_track *track)
{
    struct weir_box entry;
    const uint8_t *bytes = weir_box_open_description(view, stbl, DESCRIPTION_SIZE, &entry);
    if (!bytes) {
        return false;
    }
    track->tag = entry.type;
    track->width = weir_boxes_read_u16(bytes + 32);
    track->height = weir_boxes_read_u16(bytes + 34);
    const struct weir_box extensions = {.payload = entry.begin + DESCRIPTION_SIZE,
                                        .end = entry.end};
    read_pixels(view, &extensions, track);
    read_color(view, &extensions, track);
    return track->width > 0 && track->height > 0;
}

static void read_graphics_mode(struct weir_view *view, const struct weir_box *minf,
                               struct weir_track *track)
{
    struct weir_box vmhd;
    const uint8_t *bytes = weir_box_open(view, minf, WEIR_BOX('v', 'm', 'h', 'd'), 6, &vmhd);
    track->graphics_mode = bytes ? weir_boxes_read_u16(bytes + 4) : 0;
}

static bool read_pictures(struct weir_view *view, const struct weir_box *mdia,
                          struct weir_moov *moov)
{
    struct weir_box minf;
    struct weir_media media;
    if (!weir_media_read(view, mdia, &media) ||
        !weir_box_find_in(view, mdia, WEIR_BOX('m', 'i', 'n', 'f'), &minf) ||
        !weir_box_find_in(view, &minf, WEIR_BOX('s', 't', 'b', 'l'), &moov->stbl) ||
        !read_stsd(view, &moov->stbl, &moov->track)) {
        return false;
    }
    moov->track.ticks_per_second = media.ticks_per_second;
    read_graphics_mode(view, &minf, &moov->track);
    return true;
}

// Read a track. `has_pictures`: one of pictures was read.
static void read_trak(struct weir_view *view, const struct weir_box *trak, struct weir_moov *moov,
                      bool *has_pictures)
{
    struct weir_box mdia;
    const bool is_first = moov->num_tracks++ == 0;
    bool is_ours = false; // nothing follows time code
    uint32_t kind = 0;
    if (!moov->has_timecode && weir_box_find_in(view, trak, WEIR_BOX('m', 'd', 'i', 'a'), &mdia)) {
        kind = read_kind(view, &mdia);
        if (kind == WEIR_BOX('v', 'i', 'd', 'e') && !*has_pictures) {
            *has_pictures = read_pictures(view, &mdia, moov);
            moov->trak = *trak;
            is_ours = is_first;
        } else if (kind == WEIR_BOX('s', 'o', 'u', 'n') && moov->num_audio < WEIR_MOOV_MAX_AUDIO) {
            is_ours = weir_audio_track_read(view, trak, &mdia, &moov->audio[moov->num_audio]);
            moov->num_audio += is_ours;
        } else if (kind == WEIR_BOX('t', 'm', 'c', 'd')) {
            is_ours = moov->has_timecode = weir_timecode_track_read(view, trak, &mdia,
                                                                    &moov->timecode);
        }
    }
    moov->foreign = moov->is_ours && !is_ours ? kind : moov->foreign;
    moov->is_ours = moov->is_ours && is_ours;
}

bool weir_moov_read(struct weir_view *view, const struct weir_box *box, struct weir_moov *moov)
{
    *moov = (struct weir_moov){.box = *box, .is_ours = true};
    bool has_pictures = false;
    uint64_t at = box->payload;
    struct weir_box child;
    while (weir_box_read(view, at, box->end, &child) && child.end <= box->end) {
        if (child.type == WEIR_BOX('t', 'r', 'a', 'k')) {
            read_trak(view, &child, moov, &has_pictures);
        }
        moov->is_fragmented = moov->is_fragmented || child.type == WEIR_BOX('m', 'v', 'e', 'x');
        at = child.end;
    }
    return at == box->end && has_pictures;
}
