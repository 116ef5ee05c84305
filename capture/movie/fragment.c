// SPDX-License-Identifier: MIT
// A fragment of a movie, the boxes moof and mdat around a piece: written, and read from a file that
// may be damaged.
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

// The fields of a box whose payload is a version, flags, and numbers of 32 bits.
struct fields {
    uint32_t version_and_flags;
    uint32_t values[8];
    uint32_t num_values;
};

static bool read_fields(struct weir_view *view, const struct weir_box *box, struct fields *fields)
{
    const uint64_t size = box->end - box->payload;
    if (size < 4 || size % 4 != 0 || size > 4 + sizeof(fields->values)) {
        return false;
    }
    const uint8_t *bytes = weir_view_at(view, box->payload, (size_t)size);
    if (!bytes) {
        return false;
    }
    fields->version_and_flags = weir_boxes_read_u32(bytes);
    fields->num_values = (uint32_t)(size / 4 - 1);
    for (uint32_t i = 0; i < fields->num_values; i++) {
        fields->values[i] = weir_boxes_read_u32(bytes + 4 + (size_t)4 * i);
    }
    return true;
}

static bool read_child(struct weir_view *view, const struct weir_box *parent, uint32_t type,
                       struct fields *fields)
{
    struct weir_box box;
    return weir_box_find_in(view, parent, type, &box) && read_fields(view, &box, fields);
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

static bool read_time(const struct fields *tfdt, uint64_t *ticks)
{
    if (tfdt->version_and_flags != WEIR_FRAGMENT_VERSION_1 || tfdt->num_values != 2) {
        return false;
    }
    *ticks = (uint64_t)tfdt->values[0] << 32 | tfdt->values[1];
    return true;
}

// The data fills mdat, behind moof.
static bool read_place(uint32_t offset, uint64_t size, const struct weir_box *moof,
                       const struct weir_box *mdat, struct weir_fragment_found *found)
{
    found->piece.offset = moof->begin + offset;
    found->piece.size = (uint32_t)size;
    found->end = mdat->end;
    return size > 0 && size <= WEIR_PIECE_MAX_SIZE && found->piece.offset == mdat->payload &&
           found->end - found->piece.offset == size;
}

// The tables of a fragment.
struct tables {
    struct fields tfhd, tfdt, trun;
};

static bool read_frame(const struct tables *tables, const struct weir_box *moof,
                       const struct weir_box *mdat, struct weir_fragment_found *found)
{
    const struct fields *tfhd = &tables->tfhd, *trun = &tables->trun;
    const uint32_t wanted = WEIR_TFHD_BASE_IS_MOOF | WEIR_TFHD_DURATION | WEIR_TFHD_FLAGS;
    if (tfhd->version_and_flags != wanted || tfhd->num_values != 3 || tfhd->values[0] != 1 ||
        !read_time(&tables->tfdt, &found->piece.time) ||
        trun->version_and_flags != (WEIR_TRUN_OFFSET | WEIR_TRUN_SIZE) || trun->num_values != 3 ||
        trun->values[0] != 1) {
        return false;
    }
    found->duration = tfhd->values[1];
    return read_place(trun->values[1], trun->values[2], moof, mdat, found);
}

static bool read_samples(const struct tables *tables, const struct weir_box *moof,
                         const struct weir_box *mdat, struct weir_fragment_found *found)
{
    enum { MOST = 127 }; // a track beyond that is unknown in any movie
    const struct fields *tfhd = &tables->tfhd, *trun = &tables->trun;
    const uint32_t wanted = WEIR_TFHD_BASE_IS_MOOF | WEIR_TFHD_DURATION | WEIR_TFHD_SIZE |
                            WEIR_TFHD_FLAGS;
    if (tfhd->version_and_flags != wanted || tfhd->num_values != 4 || tfhd->values[0] < 2 ||
        tfhd->values[1] != 1 || !read_time(&tables->tfdt, &found->piece.time) ||
        trun->version_and_flags != WEIR_TRUN_OFFSET || trun->num_values != 2) {
        return false;
    }
    found->piece.track = tfhd->values[0] < MOST ? tfhd->values[0] - 1 : MOST;
    found->sample_size = tfhd->values[2];
    return read_place(trun->values[1], (uint64_t)trun->values[0] * found->sample_size, moof, mdat,
                      found);
}

enum weir_fragment_type weir_fragment_read(struct weir_view *view, uint64_t at,
                                           struct weir_fragment_found *found)
{
    const uint64_t limit = view->source.size;
    struct weir_box moof, traf, mdat;
    struct fields mfhd;
    struct tables tables;
    if (!weir_box_read(view, at, limit, &moof) || moof.type != WEIR_BOX('m', 'o', 'o', 'f') ||
        moof.end > limit || moof.end - moof.begin > view->room ||
        !weir_box_read(view, moof.end, limit, &mdat) || mdat.type != WEIR_BOX('m', 'd', 'a', 't') ||
        !weir_box_find_in(view, &moof, WEIR_BOX('t', 'r', 'a', 'f'), &traf) ||
        !read_child(view, &moof, WEIR_BOX('m', 'f', 'h', 'd'), &mfhd) || mfhd.num_values != 1 ||
        !is_full(view, &moof) || !is_full(view, &traf)) {
        return WEIR_FRAGMENT_NONE;
    }
    *found = (struct weir_fragment_found){.number = mfhd.values[0]};
    if (!read_child(view, &traf, WEIR_BOX('t', 'f', 'h', 'd'), &tables.tfhd) ||
        !read_child(view, &traf, WEIR_BOX('t', 'f', 'd', 't'), &tables.tfdt) ||
        !read_child(view, &traf, WEIR_BOX('t', 'r', 'u', 'n'), &tables.trun)) {
        return WEIR_FRAGMENT_OTHER;
    }
    return read_frame(&tables, &moof, &mdat, found)     ? WEIR_FRAGMENT_FRAME
           : read_samples(&tables, &moof, &mdat, found) ? WEIR_FRAGMENT_AUDIO
                                                        : WEIR_FRAGMENT_OTHER;
}
