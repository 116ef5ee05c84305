// SPDX-License-Identifier: MIT
// A fragment of a movie: the boxes moof and mdat around one frame, or around samples of sound.
//
// libavformat does not write it, for two reasons (docs/capture.md). Its muxer moves a frame that
// comes before the nominal end of the last one, as frames of a live capture do. And it copies every
// frame once more.
#include "capture/movie/fragment.h"

#include "capture/movie/boxes.h"

// The boxes that are open while a fragment is written.
struct open {
    struct weir_boxes boxes;
    size_t moof, traf;
};

static struct open begin(uint8_t *bytes, uint32_t number)
{
    struct open open = {.boxes = {.bytes = bytes, .room = WEIR_FRAGMENT_HEADER_SIZE}};
    open.moof = weir_boxes_begin(&open.boxes, WEIR_BOX('m', 'o', 'o', 'f'));
    weir_boxes_numbers(&open.boxes, WEIR_BOX('m', 'f', 'h', 'd'), 0, number);
    open.traf = weir_boxes_begin(&open.boxes, WEIR_BOX('t', 'r', 'a', 'f'));
    return open;
}

static void write_tfdt(struct weir_boxes *boxes, uint64_t ticks)
{
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'f', 'd', 't'), WEIR_FRAGMENT_VERSION_1,
                       (uint32_t)(ticks >> 32), (uint32_t)ticks);
}

static void end(struct open *open, uint32_t size)
{
    weir_boxes_end(&open->boxes, open->traf);
    weir_boxes_end(&open->boxes, open->moof);
    weir_boxes_u32(&open->boxes, size + 8);
    weir_boxes_u32(&open->boxes, WEIR_BOX('m', 'd', 'a', 't'));
}

void weir_fragment_write(const struct weir_fragment *fragment,
                         uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE])
{
    struct open open = begin(bytes, fragment->number);
    struct weir_boxes *boxes = &open.boxes;
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'f', 'h', 'd'),
                       WEIR_TFHD_BASE_IS_MOOF | WEIR_TFHD_DURATION | WEIR_TFHD_FLAGS,
                       WEIR_FRAGMENT_TRACK, fragment->duration, WEIR_FRAGMENT_KEY_FRAME);
    write_tfdt(boxes, fragment->ticks);
    // Its offset counts from the first byte of moof.
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'r', 'u', 'n'), WEIR_TRUN_OFFSET | WEIR_TRUN_SIZE, 1,
                       WEIR_FRAGMENT_HEADER_SIZE, fragment->size);
    end(&open, fragment->size);
}

void weir_audio_fragment_write(const struct weir_audio_fragment *fragment,
                               uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE])
{
    struct open open = begin(bytes, fragment->number);
    struct weir_boxes *boxes = &open.boxes;
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'f', 'h', 'd'),
                       WEIR_TFHD_BASE_IS_MOOF | WEIR_TFHD_DURATION | WEIR_TFHD_SIZE |
                           WEIR_TFHD_FLAGS,
                       fragment->track, 1, fragment->sample_size, WEIR_FRAGMENT_KEY_FRAME);
    write_tfdt(boxes, fragment->position);
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'r', 'u', 'n'), WEIR_TRUN_OFFSET, fragment->num_samples,
                       WEIR_FRAGMENT_HEADER_SIZE);
    end(&open, fragment->num_samples * fragment->sample_size);
}
