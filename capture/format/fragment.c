// SPDX-License-Identifier: MIT
// A fragment of a movie: the boxes moof and mdat around one frame.
//
// libavformat does not write it, for two reasons (docs/capture.md). Its muxer moves a frame that
// comes before the nominal end of the last one, as frames of a live capture do. And it copies every
// frame once more.
#include "capture/format/fragment.h"

#include "capture/format/boxes.h"

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
    weir_boxes_u32(&boxes, WEIR_TFHD_BASE_IS_MOOF | WEIR_TFHD_DURATION | WEIR_TFHD_FLAGS);
    weir_boxes_u32(&boxes, WEIR_FRAGMENT_TRACK);
    weir_boxes_u32(&boxes, fragment->duration);
    weir_boxes_u32(&boxes, WEIR_FRAGMENT_KEY_FRAME);
    weir_boxes_end(&boxes, tfhd);
    const size_t tfdt = weir_boxes_begin(&boxes, WEIR_BOX('t', 'f', 'd', 't'));
    weir_boxes_u32(&boxes, WEIR_FRAGMENT_VERSION_1);
    weir_boxes_u64(&boxes, fragment->ticks);
    weir_boxes_end(&boxes, tfdt);
    const size_t trun = weir_boxes_begin(&boxes, WEIR_BOX('t', 'r', 'u', 'n'));
    weir_boxes_u32(&boxes, WEIR_TRUN_OFFSET | WEIR_TRUN_SIZE);
    weir_boxes_u32(&boxes, 1);
    weir_boxes_u32(&boxes, WEIR_FRAGMENT_HEADER_SIZE); // from the first byte of moof
    weir_boxes_u32(&boxes, fragment->size);
    weir_boxes_end(&boxes, trun);
    weir_boxes_end(&boxes, traf);
    weir_boxes_end(&boxes, moof);
    weir_boxes_u32(&boxes, fragment->size + 8);
    weir_boxes_u32(&boxes, WEIR_BOX('m', 'd', 'a', 't'));
}
