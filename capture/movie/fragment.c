// SPDX-License-Identifier: MIT
// A fragment of a movie, the boxes moof and mdat around a piece: written, and read from a file that
// may be damaged.
//
// libavformat does not write it, for two reasons (docs/capture.md). Its muxer moves a frame that
// comes before the nominal end of the last one, as frames of a live capture do. And it copies every
// frame once more.
#include "capture/movie/fragment.h"

#include <string.h>

// Flags of the boxes in moof (ISO/IEC 14496-12, 8.8.7, 8.8.8, 8.8.12 and 8.8.3.1).
enum {
    TFHD_DURATION = 0x000008,
    TFHD_SIZE = 0x000010,
    TFHD_FLAGS = 0x000020,
    TFHD_BASE_IS_MOOF = 0x020000,
    TFHD_ALL = TFHD_BASE_IS_MOOF | TFHD_DURATION | TFHD_FLAGS,
    TRUN_OFFSET = 0x000001,
    TRUN_SIZE = 0x000200,
    VERSION_1 = 0x01000000,
    KEY_FRAME = 0x02000000, // depends on no other frame
};

static void write_track(struct weir_boxes *boxes, const struct weir_fragment *fragment)
{
    const uint32_t sample_size = fragment->sample_size, size = fragment->piece.size;
    const uint32_t id = fragment->id;
    if (sample_size > 0) { // samples all have one size, and last one tick
        weir_boxes_numbers(boxes, "tfhd", TFHD_ALL | TFHD_SIZE, id, 1, sample_size, KEY_FRAME);
    } else {
        weir_boxes_numbers(boxes, "tfhd", TFHD_ALL, id, fragment->duration, KEY_FRAME);
    }
    weir_boxes_numbers(boxes, "tfdt", VERSION_1, (uint32_t)(fragment->piece.time >> 32),
                       (uint32_t)fragment->piece.time);
    // The offset counts from the first byte of moof.
    if (sample_size > 0) {
        weir_boxes_numbers(boxes, "trun", TRUN_OFFSET, size / sample_size,
                           WEIR_FRAGMENT_HEADER_SIZE);
    } else {
        weir_boxes_numbers(boxes, "trun", TRUN_OFFSET | TRUN_SIZE, 1, WEIR_FRAGMENT_HEADER_SIZE,
                           size);
    }
}

static void write_header(const struct weir_fragment *fragment,
                         uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE])
{
    struct weir_boxes boxes = {.bytes = bytes, .room = WEIR_FRAGMENT_HEADER_SIZE};
    const size_t moof = weir_boxes_begin(&boxes, "moof");
    weir_boxes_numbers(&boxes, "mfhd", 0, fragment->number);
    const size_t traf = weir_boxes_begin(&boxes, "traf");
    write_track(&boxes, fragment);
    weir_boxes_end(&boxes, traf);
    weir_boxes_end(&boxes, moof);
    weir_boxes_u32(&boxes, fragment->piece.size + 8);
    weir_boxes_u32(&boxes, WEIR_BOX("mdat"));
}

void weir_fragment_write(const struct weir_movie *movie, const struct weir_piece *piece,
                         uint32_t number, uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE])
{
    const unsigned track = piece->track;
    write_header(
        &(struct weir_fragment){.piece = *piece,
                                .id = 1 + track,
                                .number = number,
                                .duration = movie->pictures.ticks_per_frame,
                                .sample_size = track > 0 ? movie->audio[track - 1].sample_size : 0},
        bytes);
}

// True if the boxes in `parent` fill it.
static bool is_full(struct weir_view *view, const struct weir_box *parent)
{
    uint64_t at = parent->payload;
    struct weir_box box;
    while (weir_box_read(view, at, parent->end, &box) && box.end <= parent->end) {
        at = box.end;
    }
    return at == parent->end;
}

// True if a fragment is at `at`, whoever wrote it.
static bool is_fragment(struct weir_view *view, uint64_t at)
{
    const uint64_t limit = view->source.size;
    struct weir_box moof, traf, mdat;
    return weir_box_read(view, at, limit, &moof) && moof.type == WEIR_BOX("moof") &&
           moof.end <= limit && moof.end - moof.begin <= view->room &&
           weir_box_read(view, moof.end, limit, &mdat) && mdat.type == WEIR_BOX("mdat") &&
           weir_box_find_in(view, &moof, "traf", &traf) &&
           weir_box_open(view, &moof, "mfhd", 8, NULL) && is_full(view, &moof) &&
           is_full(view, &traf);
}

// Where numbers are in the head of a fragment; those behind the size of samples are later by that.
enum { VERSION = 16, NUMBER = 20, FLAGS = 40, ID = 44, DURATION = 48, KEY = 52, TIME = 68 };
enum { SAMPLE_SIZE = 52, SIZE = 100 };

// A fragment of Weir's is one that would be written so. Its version and the key flag of its frame
// may be damaged.
enum weir_fragment_type weir_fragment_read(struct weir_view *view, uint64_t at,
                                           struct weir_fragment *found)
{
    enum { MOST = 127 }; // a track beyond that is unknown in any movie
    uint8_t written[WEIR_FRAGMENT_HEADER_SIZE];
    const uint8_t *bytes = weir_view_at(view, at, sizeof(written));
    if (!bytes) {
        return WEIR_FRAGMENT_NONE;
    }
    const bool is_audio = (weir_boxes_read_u32(bytes + FLAGS) & TFHD_SIZE) != 0;
    const size_t later = is_audio ? 4 : 0;
    const uint32_t mdat_size = weir_boxes_read_u32(bytes + SIZE);
    *found = (struct weir_fragment){
        .piece = {.offset = at + sizeof(written),
                  .time = weir_boxes_read_u64(bytes + TIME + later),
                  .size = mdat_size - 8},
        .id = weir_boxes_read_u32(bytes + ID),
        .number = weir_boxes_read_u32(bytes + NUMBER),
        .duration = is_audio ? 1 : weir_boxes_read_u32(bytes + DURATION),
        .sample_size = is_audio ? weir_boxes_read_u32(bytes + SAMPLE_SIZE) : 0,
        .end = at + SIZE + mdat_size,
    };
    found->piece.track = found->id < MOST ? found->id - 1 : MOST;
    write_header(found, written);
    memcpy(written + VERSION, bytes + VERSION, 4);
    memcpy(written + KEY + later, bytes + KEY + later, 4);
    if (mdat_size <= 8 || memcmp(bytes, written, sizeof(written)) != 0 ||
        (is_audio ? found->id < 2 || found->piece.size % found->sample_size != 0
                  : found->id != 1)) {
        return is_fragment(view, at) ? WEIR_FRAGMENT_OTHER : WEIR_FRAGMENT_NONE;
    }
    return is_audio ? WEIR_FRAGMENT_AUDIO : WEIR_FRAGMENT_FRAME;
}
