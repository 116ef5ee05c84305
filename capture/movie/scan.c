// SPDX-License-Identifier: MIT
// Finds the frames and samples of a movie without an index: from fragment to fragment, and behind
// damaged parts by searching for the next fragment or frame.
#include "capture/movie/scan.h"

#include <string.h>

#include "capture/base/size.h"
#include "capture/movie/boxes.h"
#include "capture/movie/fragment.h"

// A box that fills up a block has less than this [bytes].
#define MAX_PADDING 65536u
// The first fragment begins so soon behind any place, or the movie has none [bytes].
#define FAR_ENOUGH (256u << 20)
// So many fragments of another program's, and none of Weir's, are no damage.
#define ENOUGH_FOREIGN 8
// Where no head says if a movie has sound, so many fragments do.
#define ENOUGH_FRAGMENTS 16

// The fragment before, if it was one: a damaged part may begin in it.
struct before {
    bool is_fragment;
    bool is_audio;
    bool is_added;
    uint64_t data, end;
};

static bool add(struct weir_scan *scan, const struct weir_piece *piece,
                const struct weir_scan_mark *mark)
{
    struct weir_scan_mark *marks = weir_grow(scan->marks, scan->movie->num_pieces, &scan->room,
                                             sizeof(marks[0]));
    if (marks) {
        scan->marks = marks;
        marks[scan->movie->num_pieces] = *mark;
    }
    const bool has_memory = marks && weir_movie_add(scan->movie, piece);
    scan->is_out_of_memory = scan->is_out_of_memory || !has_memory;
    scan->stopped = scan->stopped || !has_memory;
    return has_memory;
}

static void add_frame(struct weir_scan *scan, const struct weir_piece *frame,
                      const struct weir_scan_mark *mark)
{
    const uint64_t end = frame->offset + frame->size;
    if (!add(scan, frame, mark)) {
        return;
    }
    scan->end = scan->claimed_end = end;
    if (!scan->format.codec) {
        const uint8_t *head = weir_view_at(scan->near, frame->offset, 4);
        scan->format.codec = head ? weir_hap_codec_of_type(head[3]) : NULL;
    }
}

// Read the fragment at `at`, which may end behind the file. NONE: there is none of Weir's.
static enum weir_fragment_type read_fragment(struct weir_scan *scan, uint64_t at,
                                             struct weir_fragment *found)
{
    const enum weir_fragment_type type = weir_fragment_read(scan->near, at, found);
    scan->num_foreign += type == WEIR_FRAGMENT_OTHER;
    scan->stopped = scan->stopped ||
                    (scan->num_foreign >= ENOUGH_FOREIGN && scan->ticks_per_frame == 0);
    return type == WEIR_FRAGMENT_OTHER ? WEIR_FRAGMENT_NONE : type;
}

static bool is_in_file(const struct weir_scan *scan, const struct weir_fragment *found)
{
    return found->end <= scan->near->source.size;
}

// Samples are where their header says, as far as the file goes.
static void claim(struct weir_scan *scan, const struct weir_fragment *found)
{
    scan->has_audio = true;
    scan->last_filled = found->number;
    scan->claimed_end = found->end;
}

static bool has_frame(struct weir_scan *scan, const struct weir_fragment *found)
{
    uint64_t end;
    return weir_hap_check(scan->near, &scan->format, found->piece.offset, found->end,
                          WEIR_HAP_HEADERS, &end) &&
           end == found->end;
}

// Believe the number of a fragment that follows the one before, or if there is room for those that
// are missing: it may be damaged.
static void learn_number(struct weir_scan *scan, uint32_t number, uint64_t at,
                         const struct before *before)
{
    const uint64_t room = at > before->end ? (at - before->end) / WEIR_FRAGMENT_HEADER_SIZE : 0;
    if (number > scan->num_known && number - scan->last_number <= 1 + room) {
        scan->num_known = number;
    }
    scan->last_number = number;
}

// The length of a frame is what most fragments say: one of them may be damaged.
static void vote(struct weir_scan *scan, uint32_t duration)
{
    if (scan->num_votes == 0) {
        scan->ticks_per_frame = duration;
    }
    scan->num_votes += duration == scan->ticks_per_frame ? 1 : -1;
}

static void add_found_frame(struct weir_scan *scan, const struct weir_fragment *found,
                            struct before *before)
{
    vote(scan, found->duration);
    if (!has_frame(scan, found)) {
        scan->num_parts++;
        return;
    }
    before->is_added = true;
    scan->last_filled = found->number;
    add_frame(scan, &found->piece, &(const struct weir_scan_mark){.number = found->number});
}

static void add_found_audio(struct weir_scan *scan, const struct weir_fragment *found,
                            struct before *before)
{
    const uint32_t track = found->piece.track;
    scan->end = found->end;
    if (track > scan->movie->num_audio ||
        found->sample_size != scan->movie->audio[track - 1].sample_size) {
        scan->num_unknown_audio++;
        return;
    }
    before->is_added = add(scan, &found->piece,
                           &(const struct weir_scan_mark){.number = found->number});
}

// True if fragments are missing between the one before and the one right behind it: what was lost
// of that one moved them into it.
static bool hides_others(const struct weir_scan *scan, uint32_t number, uint64_t at,
                         const struct before *before)
{
    return before->is_fragment && before->end == at && number - scan->last_number > 1;
}

static bool read_piece(struct weir_scan *scan, uint64_t *at, struct before *before)
{
    struct weir_fragment found;
    const enum weir_fragment_type type = read_fragment(scan, *at, &found);
    if (type == WEIR_FRAGMENT_NONE || hides_others(scan, found.number, *at, before)) {
        return false;
    }
    if (type == WEIR_FRAGMENT_AUDIO) {
        claim(scan, &found);
    }
    if (!is_in_file(scan, &found)) {
        return false;
    }
    learn_number(scan, found.number, *at, before);
    *before = (struct before){.is_fragment = true,
                              .is_audio = type == WEIR_FRAGMENT_AUDIO,
                              .data = found.piece.offset,
                              .end = found.end};
    if (before->is_audio) {
        add_found_audio(scan, &found, before);
    } else {
        add_found_frame(scan, &found, before);
    }
    *at = found.end;
    return true;
}

static bool skip_padding(struct weir_scan *scan, uint64_t *at)
{
    struct weir_box box;
    if (!weir_box_read(scan->near, *at, scan->near->source.size, &box) ||
        box.type != WEIR_BOX("free") || box.end - box.begin > MAX_PADDING ||
        box.end > scan->near->source.size) {
        return false;
    }
    if (scan->end == *at) {
        scan->end = box.end;
    }
    *at = box.end;
    return true;
}

struct candidate {
    uint64_t at;
    uint64_t end; // of a frame without its fragment; 0: a fragment
};

// Look for a fragment or a frame that begins with these eight bytes.
static bool examine(struct weir_scan *scan, const uint8_t *bytes, struct candidate *candidate)
{
    struct weir_fragment found;
    const bool is_moof = memcmp(bytes + 4, "moof", 4) == 0;
    if ((!is_moof && !scan->is_type[bytes[3]]) || !weir_view_affords(scan->near, candidate->at)) {
        return false;
    }
    candidate->end = 0;
    if (is_moof) {
        const enum weir_fragment_type type = read_fragment(scan, candidate->at, &found);
        if (type == WEIR_FRAGMENT_AUDIO) {
            claim(scan, &found);
        }
        return type != WEIR_FRAGMENT_NONE && is_in_file(scan, &found) &&
               (type == WEIR_FRAGMENT_AUDIO || has_frame(scan, &found));
    }
    return weir_scan_read_frame(scan, candidate->at, &candidate->end);
}

// Find the next fragment or frame that begins from `at` on, and before `limit`.
static bool search(struct weir_scan *scan, uint64_t at, uint64_t limit, struct candidate *candidate)
{
    enum { LOOKED_AT = 8 };
    while (at < limit && limit - at > LOOKED_AT) {
        size_t part;
        const uint8_t *bytes = weir_view_stretch(scan->far, at, &part);
        for (size_t i = 0; bytes && i + LOOKED_AT <= part; i++) {
            candidate->at = at + i;
            if (examine(scan, bytes + i, candidate)) {
                return true;
            }
        }
        at += bytes && part >= LOOKED_AT ? part - LOOKED_AT + 1 : part;
    }
    return false;
}

// Take back the last piece, which a fragment has.
static void remove_last(struct weir_scan *scan)
{
    struct weir_movie *movie = scan->movie;
    const struct weir_piece *last = &movie->pieces[--movie->num_pieces];
    scan->end = last->offset - WEIR_FRAGMENT_HEADER_SIZE;
    if (last->track == 0) {
        movie->pictures.num_frames--;
    } else {
        movie->audio[last->track - 1].num_pieces--;
        movie->audio[last->track - 1].num_samples -= weir_piece_num_samples(movie, last);
    }
}

// Go on behind a damaged part. The frame before it is searched as well: what was lost of it moved
// the next fragment forward. False: nothing follows.
static bool find_next(struct weir_scan *scan, uint64_t *at, struct before *before)
{
    struct candidate next;
    const bool is_behind = before->is_fragment && before->end == *at;
    const bool is_last = is_behind && before->is_added;
    if (is_last && !before->is_audio) {
        scan->marks[scan->movie->num_pieces - 1].is_doubtful = true;
    }
    if (!search(scan, is_behind ? before->data + 1 : *at, scan->far->source.size, &next)) {
        if (is_last && !before->is_audio &&
            weir_scan_is_touched(scan, before->data, before->end, scan->far->source.size)) {
            remove_last(scan);
        }
        return false;
    }
    if (is_last &&
        (next.at < before->end ||
         (before->is_audio ? weir_scan_is_audio_touched(scan, before->end, next.at)
                           : weir_scan_is_touched(scan, before->data, before->end, next.at)))) {
        remove_last(scan);
    }
    scan->num_parts += next.at != *at;
    *at = next.at;
    before->is_fragment = false;
    if (next.end > 0) {
        const struct weir_piece frame = {.offset = next.at, .size = (uint32_t)(next.end - next.at)};
        add_frame(scan, &frame, &(const struct weir_scan_mark){.is_untimed = true});
        *at = next.end;
    }
    return true;
}

// Where no head says the codec, and if there is sound, the first fragments do. A frame before them
// may be a part of one: the alpha of hap_q_alpha alone is a frame of hap_alpha_only.
static void learn_format(struct weir_scan *scan, uint64_t at)
{
    const uint64_t size = scan->far->source.size;
    struct candidate first;
    struct weir_fragment found;
    const uint64_t limit = size > at && size - at > FAR_ENOUGH ? at + FAR_ENOUGH : size;
    for (int num = 0;
         (!scan->format.codec || num < ENOUGH_FRAGMENTS) && search(scan, at, limit, &first);
         num++) {
        const enum weir_fragment_type type = read_fragment(scan, first.at, &found);
        at = type == WEIR_FRAGMENT_NONE ? first.at + 1 : found.end;
        if (type == WEIR_FRAGMENT_FRAME && !scan->format.codec) {
            const uint8_t *head = weir_view_at(scan->near, found.piece.offset, 4);
            scan->format.codec = head ? weir_hap_codec_of_type(head[3]) : NULL;
        }
    }
    scan->num_foreign = 0; // the scan counts them itself
    scan->stopped = false;
}

static void allow_types(struct weir_scan *scan)
{
    for (int i = 0; i < 256; i++) {
        const struct weir_movie_codec_info *codec = weir_hap_codec_of_type((uint8_t)i);
        scan->is_type[i] = codec && (!scan->format.codec || scan->format.codec == codec);
    }
}

void weir_scan_run(struct weir_scan *scan, uint64_t at)
{
    struct before before = {.end = at};
    scan->has_audio = scan->movie->num_audio > 0;
    scan->near->work = 0;
    if (!scan->format.codec) {
        learn_format(scan, at); // of fragments alone: no type is allowed yet
        scan->near->work = 0;
    }
    scan->claimed_end = at;
    scan->last_filled = 0;
    allow_types(scan);
    while (!scan->stopped && at < scan->near->source.size &&
           (read_piece(scan, &at, &before) || skip_padding(scan, &at) ||
            find_next(scan, &at, &before))) {
    }
    scan->is_torn = weir_scan_is_torn(scan);
}
