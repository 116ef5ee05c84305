// SPDX-License-Identifier: MIT
// What a segment is a part of: a box at the head of a movie that is one of several of a recording.
#include "capture/movie/segment.h"

// Drawn at random: the type of a uuid box is its maker's own (ISO/IEC 14496-12, 4.2).
const uint8_t weir_segment_type[16] = {0x5b, 0x1e, 0x8d, 0xc2, 0x37, 0x90, 0x4f, 0x6a,
                                       0xa4, 0xe9, 0x02, 0x73, 0xd8, 0x16, 0x4b, 0xf5};

void weir_segment_write(const struct weir_segment *segment, struct weir_boxes *boxes)
{
    const size_t begin = weir_boxes_begin(boxes, WEIR_BOX('u', 'u', 'i', 'd'));
    weir_boxes_copy(boxes, weir_segment_type, sizeof(weir_segment_type));
    weir_boxes_copy(boxes, segment->recording, sizeof(segment->recording));
    weir_boxes_u32(boxes, segment->number);
    weir_boxes_u32(boxes, segment->ticks_per_second);
    weir_boxes_u64(boxes, segment->start_ticks);
    weir_boxes_end(boxes, begin);
}

uint64_t weir_segment_position(uint64_t ticks, uint32_t ticks_per_second, uint32_t sample_rate)
{
    return ticks / ticks_per_second * sample_rate +
           (ticks % ticks_per_second * sample_rate + ticks_per_second / 2) / ticks_per_second;
}
