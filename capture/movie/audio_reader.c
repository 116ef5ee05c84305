// SPDX-License-Identifier: MIT
// A sound track of a movie that is not compressed, read from a file that may be damaged.
#include "capture/movie/audio_reader.h"

#include "capture/movie/movie.h"

// Behind the times of making and changing, which version 1 has in 64 bits, as the duration.
bool weir_media_read(struct weir_view *view, const struct weir_box *mdia, struct weir_media *media)
{
    struct weir_box mdhd;
    const uint8_t *bytes = weir_box_open(view, mdia, WEIR_BOX('m', 'd', 'h', 'd'), 24, &mdhd);
    const bool is_long = bytes && bytes[0] == 1;
    if (is_long) {
        bytes = weir_box_open(view, mdia, WEIR_BOX('m', 'd', 'h', 'd'), 34, &mdhd);
    }
    if (!bytes) {
        return false;
    }
    media->ticks_per_second = weir_boxes_read_u32(bytes + (is_long ? 20 : 12));
    media->duration = is_long ? weir_boxes_read_u64(bytes + 24) : weir_boxes_read_u32(bytes + 16);
    media->language = weir_boxes_read_u16(bytes + (is_long ? 32 : 20));
    return media->ticks_per_second > 0 && media->ticks_per_second <= INT32_MAX;
}

// Get the number of a track. 0: it is damaged.
static uint32_t read_id(struct weir_view *view, const struct weir_box *trak)
{
    struct weir_box tkhd;
    const uint8_t *bytes = weir_box_open(view, trak, WEIR_BOX('t', 'k', 'h', 'd'), 24, &tkhd);
    return bytes ? weir_boxes_read_u32(bytes + (bytes[0] == 1 ? 20 : 12)) : 0;
}

// Read a description of sound (QuickTime File Format, "Sound sample description"): version 0 has
// channels and bits, 1 bytes of a sample too, 2 channels and bytes of a packet, which is a sample.
static bool read_description(const uint8_t *entry, uint64_t size,
                             struct weir_audio_track_found *track)
{
    static const uint32_t formats[] = {WEIR_BOX('s', 'o', 'w', 't'), WEIR_BOX('t', 'w', 'o', 's'),
                                       WEIR_BOX('i', 'n', '2', '4'), WEIR_BOX('i', 'n', '3', '2'),
                                       WEIR_BOX('f', 'l', '3', '2'), WEIR_BOX('f', 'l', '6', '4'),
                                       WEIR_BOX('l', 'p', 'c', 'm')};
    enum { LPCM_FLOAT = 1 };
    bool is_known = false;
    track->tag = weir_boxes_read_u32(entry + 4);
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        is_known = is_known || track->tag == formats[i];
    }
    const uint32_t version = weir_boxes_read_u16(entry + 16);
    if (!is_known || version > 2 || (version == 1 && size < 52) || (version == 2 && size < 72)) {
        return false;
    }
    track->num_channels = version == 2 ? weir_boxes_read_u32(entry + 48)
                                       : weir_boxes_read_u16(entry + 24);
    track->sample_size = version == 0 ? track->num_channels * (weir_boxes_read_u16(entry + 26) / 8u)
                         : version == 1 ? weir_boxes_read_u32(entry + 44)
                                        : weir_boxes_read_u32(entry + 64);
    track->is_float = track->tag == WEIR_BOX('l', 'p', 'c', 'm')
                          ? version == 2 && (weir_boxes_read_u32(entry + 60) & LPCM_FLOAT) != 0
                          : track->tag == WEIR_BOX('f', 'l', '3', '2') ||
                                track->tag == WEIR_BOX('f', 'l', '6', '4');
    return true;
}

bool weir_audio_track_read(struct weir_view *view, const struct weir_box *trak,
                           const struct weir_box *mdia, struct weir_audio_track_found *track)
{
    enum { LEAST = 36, MOST = 72, MAX_SAMPLE = 128 };
    struct weir_box minf, *entry = &track->entry;
    struct weir_media media;
    if (!weir_media_read(view, mdia, &media) ||
        !weir_box_find_in(view, mdia, WEIR_BOX('m', 'i', 'n', 'f'), &minf) ||
        !weir_box_find_in(view, &minf, WEIR_BOX('s', 't', 'b', 'l'), &track->stbl) ||
        !weir_box_open_description(view, &track->stbl, LEAST, entry)) {
        return false;
    }
    const uint64_t size = entry->end - entry->begin < MOST ? entry->end - entry->begin : MOST;
    track->id = read_id(view, trak);
    track->trak = *trak;
    track->sample_rate = media.ticks_per_second;
    track->language = media.language;
    const uint8_t *bytes = weir_view_at(view, entry->begin, (size_t)size);
    return bytes && read_description(bytes, size, track) && track->sample_size > 0 &&
           track->sample_size <= MAX_SAMPLE && track->num_channels > 0 &&
           track->sample_size % track->num_channels == 0;
}

void weir_audio_language(const struct weir_audio_track_found *track, char language[4])
{
    const uint32_t code = track->language;
    bool is_said = code >= WEIR_LANGUAGE_LEAST_CODE && code != WEIR_LANGUAGE_UNKNOWN;
    for (int i = 0; i < 3; i++) {
        language[i] = (char)(0x60 + (code >> (10 - 5 * i) & 31));
        is_said = is_said && language[i] >= 'a' && language[i] <= 'z';
    }
    language[is_said ? 3 : 0] = 0;
}
