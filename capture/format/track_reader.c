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
static bool read_mdhd(struct weir_view *view, const struct weir_box *mdia,
                      uint32_t *ticks_per_second)
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
    *ticks_per_second = weir_boxes_read_u32(bytes + (bytes[0] == 1 ? 20 : 12));
    return *ticks_per_second > 0 && *ticks_per_second <= INT32_MAX;
}

// Get the kind of a track's media, such as "vide". 0: it is damaged.
static uint32_t read_kind(struct weir_view *view, const struct weir_box *mdia)
{
    struct weir_box hdlr;
    if (!find_child(view, mdia, WEIR_BOX('h', 'd', 'l', 'r'), &hdlr) ||
        hdlr.end - hdlr.payload < 12) {
        return 0;
    }
    const uint8_t *bytes = weir_view_at(view, hdlr.payload, 12);
    return bytes ? weir_boxes_read_u32(bytes + 8) : 0;
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

static void read_pixels(struct weir_view *view, const struct weir_box *entry,
                        struct weir_track *track)
{
    struct weir_box pasp;
    if (!weir_box_find(view, entry->begin + DESCRIPTION_SIZE, entry->end,
                       WEIR_BOX('p', 'a', 's', 'p'), &pasp) ||
        pasp.end - pasp.payload < 8) {
        return;
    }
    const uint8_t *bytes = weir_view_at(view, pasp.payload, 8);
    const uint32_t num = bytes ? weir_boxes_read_u32(bytes) : 0;
    const uint32_t den = bytes ? weir_boxes_read_u32(bytes + 4) : 0;
    if (num > 0 && den > 0) {
        track->pixel_aspect_num = num;
        track->pixel_aspect_den = den;
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
    read_pixels(view, &entry, track);
    read_color(view, &entry, track);
    return track->width > 0 && track->height > 0;
}

// Get the size of a sample from a description of sound (QuickTime File Format, "Sound sample
// description"): version 0 has channels and bits, 1 bytes of a sample, 2 bytes of a packet, which
// is a sample. 0: it is damaged, or not of a format of Weir's.
static uint32_t read_sample_size(const uint8_t *entry, uint64_t size)
{
    static const uint32_t formats[] = {WEIR_BOX('s', 'o', 'w', 't'), WEIR_BOX('i', 'n', '2', '4'),
                                       WEIR_BOX('i', 'n', '3', '2'), WEIR_BOX('f', 'l', '3', '2'),
                                       WEIR_BOX('l', 'p', 'c', 'm')};
    const uint32_t format = weir_boxes_read_u32(entry + 4);
    bool is_known = false;
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        is_known = is_known || format == formats[i];
    }
    const uint32_t version = read_u16(entry + 16);
    if (!is_known || version > 2 || (version == 1 && size < 52) || (version == 2 && size < 72)) {
        return 0;
    }
    return version == 0   ? (uint32_t)read_u16(entry + 24) * (read_u16(entry + 26) / 8u)
           : version == 1 ? weir_boxes_read_u32(entry + 44)
                          : weir_boxes_read_u32(entry + 64);
}

static bool read_audio(struct weir_view *view, const struct weir_box *mdia,
                       struct weir_audio_track_found *track)
{
    enum { LEAST = 36, MOST = 72, MAX_SAMPLE = 64 };
    struct weir_box minf, stsd, entry;
    if (!read_mdhd(view, mdia, &track->sample_rate) ||
        !find_child(view, mdia, WEIR_BOX('m', 'i', 'n', 'f'), &minf) ||
        !find_child(view, &minf, WEIR_BOX('s', 't', 'b', 'l'), &track->stbl) ||
        !find_child(view, &track->stbl, WEIR_BOX('s', 't', 's', 'd'), &stsd) ||
        stsd.end - stsd.payload < 8 || !weir_box_read(view, stsd.payload + 8, stsd.end, &entry) ||
        entry.end > stsd.end || entry.end - entry.begin < LEAST) {
        return false;
    }
    const uint64_t size = entry.end - entry.begin < MOST ? entry.end - entry.begin : MOST;
    const uint8_t *bytes = weir_view_at(view, entry.begin, (size_t)size);
    track->sample_size = bytes ? read_sample_size(bytes, size) : 0;
    return track->sample_size > 0 && track->sample_size <= MAX_SAMPLE;
}

static bool read_pictures(struct weir_view *view, const struct weir_box *mdia,
                          struct weir_moov *moov)
{
    struct weir_box minf;
    return read_mdhd(view, mdia, &moov->track.ticks_per_second) &&
           find_child(view, mdia, WEIR_BOX('m', 'i', 'n', 'f'), &minf) &&
           find_child(view, &minf, WEIR_BOX('s', 't', 'b', 'l'), &moov->stbl) &&
           read_stsd(view, &moov->stbl, &moov->track);
}

// Read a track. `has_pictures`: one of pictures was read.
static void read_trak(struct weir_view *view, const struct weir_box *trak, struct weir_moov *moov,
                      bool *has_pictures)
{
    struct weir_box mdia;
    const bool is_first = moov->num_tracks++ == 0;
    bool is_ours = false;
    if (find_child(view, trak, WEIR_BOX('m', 'd', 'i', 'a'), &mdia)) {
        const uint32_t kind = read_kind(view, &mdia);
        if (kind == WEIR_BOX('v', 'i', 'd', 'e') && !*has_pictures) {
            *has_pictures = read_pictures(view, &mdia, moov);
            is_ours = is_first;
        } else if (kind == WEIR_BOX('s', 'o', 'u', 'n') && moov->num_audio < WEIR_MOOV_MAX_AUDIO) {
            is_ours = read_audio(view, &mdia, &moov->audio[moov->num_audio]);
            moov->num_audio += is_ours;
        }
    }
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
