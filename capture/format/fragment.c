// SPDX-License-Identifier: MIT
// A fragment of a movie: the boxes moof and mdat around one frame, or around samples of sound.
//
// libavformat does not write it, for two reasons (docs/capture.md). Its muxer moves a frame that
// comes before the nominal end of the last one, as frames of a live capture do. And it copies every
// frame once more.
#include "capture/format/fragment.h"

#include "capture/format/boxes.h"

// The boxes that are open while a fragment is written.
struct open {
    struct weir_boxes boxes;
    size_t moof, traf;
};

static struct open begin(uint8_t *bytes, uint32_t number)
{
    struct open open = {.boxes = {.bytes = bytes, .room = WEIR_FRAGMENT_HEADER_SIZE}};
    struct weir_boxes *boxes = &open.boxes;
    open.moof = weir_boxes_begin(boxes, WEIR_BOX('m', 'o', 'o', 'f'));
    const size_t mfhd = weir_boxes_begin(boxes, WEIR_BOX('m', 'f', 'h', 'd'));
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, number);
    weir_boxes_end(boxes, mfhd);
    open.traf = weir_boxes_begin(boxes, WEIR_BOX('t', 'r', 'a', 'f'));
    return open;
}

static void write_tfdt(struct weir_boxes *boxes, uint64_t ticks)
{
    const size_t tfdt = weir_boxes_begin(boxes, WEIR_BOX('t', 'f', 'd', 't'));
    weir_boxes_u32(boxes, WEIR_FRAGMENT_VERSION_1);
    weir_boxes_u64(boxes, ticks);
    weir_boxes_end(boxes, tfdt);
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
    const size_t tfhd = weir_boxes_begin(boxes, WEIR_BOX('t', 'f', 'h', 'd'));
    weir_boxes_u32(boxes, WEIR_TFHD_BASE_IS_MOOF | WEIR_TFHD_DURATION | WEIR_TFHD_FLAGS);
    weir_boxes_u32(boxes, WEIR_FRAGMENT_TRACK);
    weir_boxes_u32(boxes, fragment->duration);
    weir_boxes_u32(boxes, WEIR_FRAGMENT_KEY_FRAME);
    weir_boxes_end(boxes, tfhd);
    write_tfdt(boxes, fragment->ticks);
    const size_t trun = weir_boxes_begin(boxes, WEIR_BOX('t', 'r', 'u', 'n'));
    weir_boxes_u32(boxes, WEIR_TRUN_OFFSET | WEIR_TRUN_SIZE);
    weir_boxes_u32(boxes, 1);
    weir_boxes_u32(boxes, WEIR_FRAGMENT_HEADER_SIZE); // from the first byte of moof
    weir_boxes_u32(boxes, fragment->size);
    weir_boxes_end(boxes, trun);
    end(&open, fragment->size);
}

void weir_audio_fragment_write(const struct weir_audio_fragment *fragment,
                               uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE])
{
    struct open open = begin(bytes, fragment->number);
    struct weir_boxes *boxes = &open.boxes;
    const size_t tfhd = weir_boxes_begin(boxes, WEIR_BOX('t', 'f', 'h', 'd'));
    weir_boxes_u32(boxes,
                   WEIR_TFHD_BASE_IS_MOOF | WEIR_TFHD_DURATION | WEIR_TFHD_SIZE | WEIR_TFHD_FLAGS);
    weir_boxes_u32(boxes, fragment->track);
    weir_boxes_u32(boxes, 1);
    weir_boxes_u32(boxes, fragment->sample_size);
    weir_boxes_u32(boxes, WEIR_FRAGMENT_KEY_FRAME);
    weir_boxes_end(boxes, tfhd);
    write_tfdt(boxes, fragment->position);
    const size_t trun = weir_boxes_begin(boxes, WEIR_BOX('t', 'r', 'u', 'n'));
    weir_boxes_u32(boxes, WEIR_TRUN_OFFSET);
    weir_boxes_u32(boxes, fragment->num_samples);
    weir_boxes_u32(boxes, WEIR_FRAGMENT_HEADER_SIZE);
    weir_boxes_end(boxes, trun);
    end(&open, fragment->num_samples * fragment->sample_size);
}
