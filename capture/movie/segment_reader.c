// SPDX-License-Identifier: MIT
// What a movie says of the recording that it is a segment of.
#include "capture/movie/segment_reader.h"

#include <string.h>

// Fill in what the payload of a uuid box says. False: the box is somebody else's, or damaged.
static bool parse(const uint8_t *payload, struct weir_segment *segment)
{
    if (memcmp(payload, weir_segment_type, sizeof(weir_segment_type)) != 0) {
        return false;
    }
    const uint8_t *at = payload + sizeof(weir_segment_type);
    memcpy(segment->recording, at, sizeof(segment->recording));
    at += sizeof(segment->recording);
    segment->number = weir_boxes_read_u32(at);
    segment->ticks_per_second = weir_boxes_read_u32(at + 4);
    segment->start_ticks = weir_boxes_read_u64(at + 8);
    return segment->number > 0 && segment->ticks_per_second > 0;
}

bool weir_segment_read(struct weir_view *view, struct weir_segment *segment)
{
    struct weir_box box;
    for (uint64_t at = 0; weir_box_read(view, at, view->source.size, &box); at = box.end) {
        if (box.type == WEIR_BOX('m', 'o', 'o', 'v') || box.type == WEIR_BOX('m', 'd', 'a', 't')) {
            return false;
        }
        if (box.type == WEIR_BOX('u', 'u', 'i', 'd') &&
            box.end - box.begin == WEIR_SEGMENT_BOX_SIZE) {
            const uint8_t *payload = weir_view_at(view, box.payload,
                                                  (size_t)(box.end - box.payload));
            if (payload && parse(payload, segment)) {
                return true;
            }
        }
    }
    return false;
}
