// SPDX-License-Identifier: MIT
// The track of a movie, read from its moov box: what it holds.
#include "capture/format/track_reader.h"

// Of the description of a picture's samples (QuickTime File Format, "Video sample description").
#define DESCRIPTION_SIZE 86

static uint16_t read_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static bool find_child(struct weir_view *view, const struct weir_box *parent, uint32_t type,
                       struct weir_box *box)
{
    return weir_box_find(view, parent->payload, parent->end, type, box);
}

// Ticks a second: behind the times of making and changing, which version 1 has in 64 bits.
static bool read_mdhd(struct weir_view *view, const struct weir_box *mdia, struct weir_track *track)
{
    struct weir_box mdhd;
    if (!find_child(view, mdia, WEIR_BOX('m', 'd', 'h', 'd'), &mdhd) ||
        mdhd.end - mdhd.payload < 24) {
        return false;
    }
    const uint8_t *bytes = weir_view_at(view, mdhd.payload, 24);
    if (!bytes) {
        return false;
    }
    track->ticks_per_second = weir_boxes_read_u32(bytes + (bytes[0] == 1 ? 20 : 12));
    return track->ticks_per_second > 0 && track->ticks_per_second <= INT32_MAX;
}

static bool is_of_pictures(struct weir_view *view, const struct weir_box *mdia)
{
    struct weir_box hdlr;
    if (!find_child(view, mdia, WEIR_BOX('h', 'd', 'l', 'r'), &hdlr) ||
        hdlr.end - hdlr.payload < 12) {
        return false;
    }
    const uint8_t *bytes = weir_view_at(view, hdlr.payload, 12);
    return bytes && weir_boxes_read_u32(bytes + 8) == WEIR_BOX('v', 'i', 'd', 'e');
}

static void read_color(struct weir_view *view, const struct weir_box *entry,
                       struct weir_track *track)
{
    struct weir_box colr;
    if (!weir_box_find(view, entry->begin + DESCRIPTION_SIZE, entry->end,
                       WEIR_BOX('c', 'o', 'l', 'r'), &colr) ||
        colr.end - colr.payload < 10) {
        return;
    }
    const uint8_t *bytes = weir_view_at(view, colr.payload, 10);
    if (bytes && weir_boxes_read_u32(bytes) == WEIR_BOX('n', 'c', 'l', 'c')) {
        track->color_primaries = read_u16(bytes + 4);
        track->color_transfer = read_u16(bytes + 6);
        track->color_matrix = read_u16(bytes + 8);
    }
}

static bool read_stsd(struct weir_view *view, const struct weir_box *stbl, struct weir_track *track)
{
    struct weir_box stsd, entry;
    if (!find_child(view, stbl, WEIR_BOX('s', 't', 's', 'd'), &stsd) ||
        stsd.end - stsd.payload < 8 || !weir_box_read(view, stsd.payload + 8, stsd.end, &entry) ||
        entry.end > stsd.end || entry.end - entry.begin < DESCRIPTION_SIZE) {
        return false;
    }
    const uint8_t *bytes = weir_view_at(view, entry.begin, DESCRIPTION_SIZE);
    if (!bytes) {
        return false;
    }
    track->tag = entry.type;
    track->width = read_u16(bytes + 32);
    track->height = read_u16(bytes + 34);
    read_color(view, &entry, track);
    return track->width > 0 && track->height > 0;
}

static bool read_trak(struct weir_view *view, const struct weir_box *trak, struct weir_moov *moov)
{
    struct weir_box mdia, minf;
    return find_child(view, trak, WEIR_BOX('m', 'd', 'i', 'a'), &mdia) &&
           is_of_pictures(view, &mdia) && read_mdhd(view, &mdia, &moov->track) &&
           find_child(view, &mdia, WEIR_BOX('m', 'i', 'n', 'f'), &minf) &&
           find_child(view, &minf, WEIR_BOX('s', 't', 'b', 'l'), &moov->stbl) &&
           read_stsd(view, &moov->stbl, &moov->track);
}

bool weir_moov_read(struct weir_view *view, const struct weir_box *box, struct weir_moov *moov)
{
    *moov = (struct weir_moov){.box = *box};
    bool has_track = false;
    uint64_t at = box->payload;
    struct weir_box child;
    while (weir_box_read(view, at, box->end, &child) && child.end <= box->end) {
        if (child.type == WEIR_BOX('t', 'r', 'a', 'k')) {
            moov->num_tracks++;
            has_track = has_track || read_trak(view, &child, moov);
        }
        moov->is_fragmented = moov->is_fragmented || child.type == WEIR_BOX('m', 'v', 'e', 'x');
        at = child.end;
    }
    return at == box->end && has_track;
}
