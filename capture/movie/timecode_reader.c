// SPDX-License-Identifier: MIT
// The track of a time code, read from a file that may be damaged.
//
// Source: QuickTime File Format Specification (Apple), "Timecode Media".
#include "capture/movie/timecode_reader.h"

#include "capture/movie/timecode_track.h"

#define DESCRIPTION_SIZE 33 // with the head of its box
#define SAMPLE_SIZE 4u
#define MOST_FRAMES 1e18 // what 64 bits hold

static bool read_description(struct weir_view *view, const struct weir_box *stbl,
                             struct weir_timecode_found *found)
{
    struct weir_box entry;
    const uint8_t *bytes = weir_box_open_description(view, stbl, DESCRIPTION_SIZE, &entry);
    if (!bytes) {
        return false;
    }
    const uint32_t flags = weir_boxes_read_u32(bytes + 20), rate = bytes[32];
    found->rate_num = weir_boxes_read_u32(bytes + 24);
    found->rate_den = weir_boxes_read_u32(bytes + 28);
    found->timecode = (struct weir_timecode){
        .frames_per_second = rate,
        .is_drop = (flags & WEIR_TIMECODE_DROP_FRAME) != 0 && rate > 0 && rate % 30 == 0,
    };
    return rate > 0 && found->rate_num > 0 && found->rate_den > 0;
}

// Find where the one sample lies, by a table of offsets.
static bool find_sample(struct weir_view *view, const struct weir_box *stbl, uint64_t *sample)
{
    struct weir_box stsz, table;
    const bool is_long = weir_box_find_in(view, stbl, WEIR_BOX('c', 'o', '6', '4'), &table);
    const size_t size = is_long ? 16 : 12;
    if (!weir_box_find_in(view, stbl, WEIR_BOX('s', 't', 's', 'z'), &stsz) ||
        stsz.end - stsz.payload != 12 ||
        (!is_long && !weir_box_find_in(view, stbl, WEIR_BOX('s', 't', 'c', 'o'), &table)) ||
        table.end - table.payload != size) {
        return false;
    }
    const uint8_t *bytes = weir_view_at(view, stsz.payload, 12);
    const bool is_one = bytes && weir_boxes_read_u32(bytes + 4) == SAMPLE_SIZE &&
                        weir_boxes_read_u32(bytes + 8) == 1;
    bytes = is_one ? weir_view_at(view, table.payload, size) : NULL;
    if (!bytes || weir_boxes_read_u32(bytes + 4) != 1) {
        return false;
    }
    *sample = is_long ? weir_boxes_read_u64(bytes + 8) : weir_boxes_read_u32(bytes + 8);
    return true;
}

// True for the box that Weir keeps the sample in.
static bool is_mark(struct weir_view *view, uint64_t at, uint64_t limit)
{
    struct weir_box box;
    return weir_box_read(view, at, limit, &box) && box.type == WEIR_BOX('f', 'r', 'e', 'e') &&
           box.end <= limit && box.end - box.payload == SAMPLE_SIZE;
}

// Find where to read the sample: in the track itself, else where the track says.
static void find_place(struct weir_view *view, const struct weir_box *trak,
                       struct weir_timecode_found *found)
{
    struct weir_box box;
    const bool is_in_track = weir_box_find_in(view, trak, WEIR_BOX('f', 'r', 'e', 'e'), &box) &&
                             box.end - box.payload == SAMPLE_SIZE;
    found->at = is_in_track ? box.payload : found->sample;
    found->is_marked = is_in_track ||
                       (found->sample >= 8 && is_mark(view, found->sample - 8, view->source.size));
}

bool weir_timecode_track_read(struct weir_view *view, const struct weir_box *trak,
                              const struct weir_box *mdia, struct weir_timecode_found *found)
{
    struct weir_box minf, stbl;
    *found = (struct weir_timecode_found){.sample = 0};
    if (!weir_box_find_in(view, mdia, WEIR_BOX('m', 'i', 'n', 'f'), &minf) ||
        !weir_box_find_in(view, &minf, WEIR_BOX('s', 't', 'b', 'l'), &stbl) ||
        !read_description(view, &stbl, found) || !find_sample(view, &stbl, &found->sample)) {
        return false;
    }
    find_place(view, trak, found);
    const uint8_t *bytes = weir_view_at(view, found->at, SAMPLE_SIZE);
    if (bytes) {
        found->timecode.start = weir_boxes_read_u32(bytes);
        found->timecode = weir_timecode_after(&found->timecode, 0); // within a day
    }
    return bytes;
}

uint64_t weir_timecode_num_frames(const struct weir_timecode_found *found, uint64_t ticks,
                                  uint32_t ticks_per_second)
{
    // One division of what is exact up to 2^53, so that halves are rounded up as by the capture.
    const double num = (double)ticks * found->rate_num /
                       ((double)found->rate_den * ticks_per_second);
    return num < MOST_FRAMES ? (uint64_t)(num + 0.5) : 0; // more are damage
}
