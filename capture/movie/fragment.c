// SPDX-License-Identifier: MIT
// A fragment of a movie: the boxes moof and mdat around one frame, or around samples of sound.
//
// libavformat does not write it, for two reasons (docs/capture.md). Its muxer moves a frame that
// comes before the nominal end of the last one, as frames of a live capture do. And it copies every
// frame once more.
#include "capture/movie/fragment.h"

#include "capture/movie/boxes.h"

static void write_tfdt(struct weir_boxes *boxes, uint64_t time)
{
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'f', 'd', 't'), WEIR_FRAGMENT_VERSION_1,
                       (uint32_t)(time >> 32), (uint32_t)time);
}

static void write_frame(struct weir_boxes *boxes, const struct weir_movie *movie,
                        const struct weir_piece *piece)
{
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'f', 'h', 'd'),
                       WEIR_TFHD_BASE_IS_MOOF | WEIR_TFHD_DURATION | WEIR_TFHD_FLAGS, 1,
                       movie->pictures.ticks_per_frame, WEIR_FRAGMENT_KEY_FRAME);
    write_tfdt(boxes, piece->time);
    // Its offset counts from the first byte of moof.
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'r', 'u', 'n'), WEIR_TRUN_OFFSET | WEIR_TRUN_SIZE, 1,
                       WEIR_FRAGMENT_HEADER_SIZE, piece->size);
}

// Samples all have one size, and last one tick.
static void write_samples(struct weir_boxes *boxes, const struct weir_movie *movie,
                          const struct weir_piece *piece)
{
    weir_boxes_numbers(
        boxes, WEIR_BOX('t', 'f', 'h', 'd'),
        WEIR_TFHD_BASE_IS_MOOF | WEIR_TFHD_DURATION | WEIR_TFHD_SIZE | WEIR_TFHD_FLAGS,
        1 + piece->track, 1, movie->audio[piece->track - 1].sample_size, WEIR_FRAGMENT_KEY_FRAME);
    write_tfdt(boxes, piece->time);
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'r', 'u', 'n'), WEIR_TRUN_OFFSET,
                       weir_piece_num_samples(movie, piece), WEIR_FRAGMENT_HEADER_SIZE);
}

void weir_fragment_write(const struct weir_movie *movie, const struct weir_piece *piece,
                         uint32_t number, uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE])
{
    struct weir_boxes boxes = {.bytes = bytes, .room = WEIR_FRAGMENT_HEADER_SIZE};
    const size_t moof = weir_boxes_begin(&boxes, WEIR_BOX('m', 'o', 'o', 'f'));
    weir_boxes_numbers(&boxes, WEIR_BOX('m', 'f', 'h', 'd'), 0, number);
    const size_t traf = weir_boxes_begin(&boxes, WEIR_BOX('t', 'r', 'a', 'f'));
    if (piece->track == 0) {
        write_frame(&boxes, movie, piece);
    } else {
        write_samples(&boxes, movie, piece);
    }
    weir_boxes_end(&boxes, traf);
    weir_boxes_end(&boxes, moof);
    weir_boxes_u32(&boxes, piece->size + 8);
    weir_boxes_u32(&boxes, WEIR_BOX('m', 'd', 'a', 't'));
}
