// SPDX-License-Identifier: MIT
// Gives the head of a movie that is put together a track of time code.
#include "capture/weir/remux/timecode.h"

#include <stdlib.h>

bool remux_timecode_insert(const struct weir_timecode *timecode,
                           const struct weir_timecode_head *head, uint8_t **bytes, size_t *size)
{
    const size_t room = head->size + WEIR_TIMECODE_TRACK_ROOM;
    struct weir_boxes boxes = {.bytes = malloc(room), .room = room};
    if (boxes.bytes) {
        weir_timecode_track_insert(timecode, head, &boxes);
    }
    if (!boxes.bytes || boxes.overflow) {
        free(boxes.bytes);
        return false;
    }
    free(*bytes);
    *bytes = boxes.bytes;
    *size = boxes.size;
    return true;
}
