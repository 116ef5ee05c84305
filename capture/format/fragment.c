// SPDX-License-Identifier: MIT
// A fragment of a movie: the boxes moof and mdat around one frame.
//
// libavformat does not write it, for two reasons (docs/capture.md). Its muxer moves a frame that
// comes before the nominal end of the last one, as frames of a live capture do. And it copies every
// frame once more.
#include "capture/format/fragment.h"

#include "capture/format/boxes.h"

// ISO/IEC 14496-12, 8.8.7, 8.8.8 and 8.8.3.1.
#define DEFAULT_BASE_IS_MOOF 0x020000u
#define DEFAULT_DURATION 0x000008u
#define DEFAULT_FLAGS 0x000020u
#define TRUN_DATA_OFFSET 0x000001u
#define TRUN_SIZE 0x000200u
#define DEPENDS_ON_NO_OTHER 0x02000000u // a key frame
#define VERSION_1 0x01000000u
#define TRACK_ID 1

void weir_fragment_write(const struct weir_fragment *fragment,
                         uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE])
{
    struct weir_boxes boxes = {.bytes = bytes, .room = WEIR_FRAGMENT_HEADER_SIZE};
    const size_t moof = weir_boxes_begin(&boxes, WEIR_BOX('m', 'o', 'o', 'f'));
    const size_t mfhd = weir_boxes_begin(&boxes, WEIR_BOX('m', 'f', 'h', 'd'));
    weir_boxes_u32(&boxes, 0);
    weir_boxes_u32(&boxes, fragment->number);
    weir_boxes_end(&boxes, mfhd);
    const size_t traf = weir_boxes_begin(&boxes, WEIR_BOX('t', 'r', 'a', 'f'));
    const size_t tfhd = weir_boxes_begin(&boxes, WEIR_BOX('t', 'f', 'h', 'd'));
    weir_boxes_u32(&boxes, DEFAULT_BASE_IS_MOOF | DEFAULT_DURATION | DEFAULT_FLAGS);
    weir_boxes_u32(&boxes, TRACK_ID);
    weir_boxes_u32(&boxes, fragment->duration);
    weir_boxes_u32(&boxes, DEPENDS_ON_NO_OTHER);
    weir_boxes_end(&boxes, tfhd);
    const size_t tfdt = weir_boxes_begin(&boxes, WEIR_BOX('t', 'f', 'd', 't'));
    weir_boxes_u32(&boxes, VERSION_1);
    weir_boxes_u64(&boxes, fragment->ticks);
    weir_boxes_end(&boxes, tfdt);
    const size_t trun = weir_boxes_begin(&boxes, WEIR_BOX('t', 'r', 'u', 'n'));
    weir_boxes_u32(&boxes, TRUN_DATA_OFFSET | TRUN_SIZE);
    weir_boxes_u32(&boxes, 1);
    weir_boxes_u32(&boxes, WEIR_FRAGMENT_HEADER_SIZE); // from the first byte of moof
    weir_boxes_u32(&boxes, fragment->size);
    weir_boxes_end(&boxes, trun);
    weir_boxes_end(&boxes, traf);
    weir_boxes_end(&boxes, moof);
    weir_boxes_u32(&boxes, fragment->size + 8);
    weir_boxes_u32(&boxes, WEIR_BOX('m', 'd', 'a', 't'));
}
