// SPDX-License-Identifier: MIT
// The edit list of a track: whether it plays as its tables have it (QuickTime File Format, "Edit
// atoms"; ISO/IEC 14496-12, 8.6.6).
#include "capture/movie/edit_reader.h"

#include "capture/movie/audio_reader.h"

#define SPEED_1 0x10000u

struct edit {
    uint64_t duration; // [ticks of the movie]
    uint64_t begin;    // in the media; EMPTY: nothing is played
    uint32_t speed;
};

#define EMPTY UINT64_MAX

// Get the ticks a second of the movie. 0: it is damaged.
static uint32_t read_movie_scale(struct weir_view *view, const struct weir_box *moov)
{
    struct weir_box mvhd;
    const uint8_t *bytes = weir_box_open(view, moov, WEIR_BOX('m', 'v', 'h', 'd'), 24, &mvhd);
    return bytes ? weir_boxes_read_u32(bytes + (bytes[0] == 1 ? 20 : 12)) : 0;
}

static struct edit parse(const uint8_t *bytes, bool is_long)
{
    if (is_long) {
        return (struct edit){.duration = weir_boxes_read_u64(bytes),
                             .begin = weir_boxes_read_u64(bytes + 8),
                             .speed = weir_boxes_read_u32(bytes + 16)};
    }
    const uint32_t begin = weir_boxes_read_u32(bytes + 4);
    return (struct edit){.duration = weir_boxes_read_u32(bytes),
                         .begin = begin == UINT32_MAX ? EMPTY : begin,
                         .speed = weir_boxes_read_u32(bytes + 8)};
}

// Read one edit, or an empty one and another. Returns how many these are; 0: there are others.
static uint32_t read_edits(struct weir_view *view, const struct weir_box *elst,
                           struct edit edits[2])
{
    const uint64_t size = elst->end - elst->payload;
    const uint8_t *bytes = size >= 8 ? weir_view_at(view, elst->payload, 8) : NULL;
    if (!bytes) {
        return 0;
    }
    const bool is_long = bytes[0] == 1;
    const uint32_t num = weir_boxes_read_u32(bytes + 4), each = is_long ? 20 : 12;
    if (num < 1 || num > 2 || size < 8 + (uint64_t)num * each) {
        return 0;
    }
    bytes = weir_view_at(view, elst->payload + 8, (size_t)num * each);
    for (uint32_t i = 0; bytes && i < num; i++) {
        edits[i] = parse(bytes + (size_t)i * each, is_long);
    }
    return bytes ? num : 0;
}

// a * b / c without overflow, where a / c * b has none.
static uint64_t scale(uint64_t a, uint64_t b, uint64_t c)
{
    return a / c * b + a % c * b / c;
}

bool weir_edit_read_delay(struct weir_view *view, const struct weir_box *moov,
                          const struct weir_box *trak, uint64_t *delay)
{
    enum { MAX_DELAY = 1 << 30 };
    struct weir_box edts, elst, mdia;
    struct weir_media media;
    struct edit edits[2];
    *delay = 0;
    if (!weir_box_find_in(view, trak, WEIR_BOX('e', 'd', 't', 's'), &edts) ||
        !weir_box_find_in(view, &edts, WEIR_BOX('e', 'l', 's', 't'), &elst)) {
        return true;
    }
    const uint32_t movie_scale = read_movie_scale(view, moov);
    const uint32_t num = read_edits(view, &elst, edits);
    if (num == 0 || movie_scale == 0 ||
        !weir_box_find_in(view, trak, WEIR_BOX('m', 'd', 'i', 'a'), &mdia) ||
        !weir_media_read(view, &mdia, &media)) {
        return false;
    }
    const struct edit *whole = &edits[num - 1];
    if (num == 2 && (edits[0].begin != EMPTY || edits[0].duration > MAX_DELAY)) {
        return false;
    }
    *delay = num == 2 ? scale(edits[0].duration, media.ticks_per_second, movie_scale) : 0;
    // Durations are rounded to ticks of the movie, mostly a millisecond, in either direction.
    return whole->begin == 0 && whole->speed == SPEED_1 &&
           whole->duration + 1 >= scale(media.duration, movie_scale, media.ticks_per_second);
}
