// SPDX-License-Identifier: MIT
// The walk through a movie that grew: from fragment to fragment, and over damaged parts to the next
// one.
#include "capture/weir/recover/walk.h"

#include <string.h>

#include "capture/movie/box_reader.h"
#include "capture/movie/fragment_reader.h"
#include "capture/movie/hap_reader.h"
#include "capture/weir/recover/alone.h"

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

static bool add(struct recover_walk *walk, const struct remux_piece *piece)
{
    const bool has_memory = remux_movie_add(walk->movie, piece);
    walk->is_out_of_memory = walk->is_out_of_memory || !has_memory;
    walk->stopped = walk->stopped || !has_memory;
    return has_memory;
}

static void add_frame(struct recover_walk *walk, const struct remux_piece *frame, uint64_t end)
{
    if (!add(walk, frame)) {
        return;
    }
    walk->num_frames++;
    walk->end = walk->claimed_end = end;
    if (!walk->kind.codec) {
        const uint8_t *head = weir_view_at(walk->near, frame->offset, 4);
        walk->kind.codec = head ? weir_hap_codec_of_type(head[3]) : NULL;
    }
    if (walk->progress && !walk->progress(walk->user, end, walk->num_frames)) {
        walk->stopped = true;
    }
}

// Read the fragment at `at`, which may end behind the file. NONE: there is none of Weir's.
static enum weir_fragment_kind read_fragment(struct recover_walk *walk, uint64_t at,
                                             struct weir_fragment_found *found)
{
    const enum weir_fragment_kind kind = weir_fragment_read(walk->near, at, found);
    walk->num_foreign += kind == WEIR_FRAGMENT_OTHER;
    walk->stopped = walk->stopped ||
                    (walk->num_foreign >= ENOUGH_FOREIGN && walk->ticks_per_frame == 0);
    return kind == WEIR_FRAGMENT_OTHER ? WEIR_FRAGMENT_NONE : kind;
}

static bool is_in_file(const struct recover_walk *walk, const struct weir_fragment_found *found)
{
    return found->end <= walk->near->source.size;
}

// Samples are where their header says, as far as the file goes.
static void claim(struct recover_walk *walk, const struct weir_fragment_found *sound)
{
    walk->has_sound = true;
    walk->last_filled = sound->audio.number;
    walk->claimed_end = sound->end;
}

static bool has_frame(struct recover_walk *walk, const struct weir_fragment_found *found)
{
    uint64_t end;
    return recover_check(walk->near, &walk->kind, found->data, found->end, RECOVER_HEADERS, &end) &&
           end == found->end && found->fragment.size <= RECOVER_MAX_FRAME;
}

// Believe the number of a fragment that follows the one before, or if there is room for those that
// are missing: it may be damaged.
static void learn_number(struct recover_walk *walk, uint32_t number, uint64_t at,
                         const struct before *before)
{
    const uint64_t room = at > before->end ? (at - before->end) / WEIR_FRAGMENT_HEADER_SIZE : 0;
    if (number > walk->num_known && number - walk->last_number <= 1 + room) {
        walk->num_known = number;
    }
    walk->last_number = number;
}

// The length of a frame is what most fragments say: one of them may be damaged.
static void vote(struct recover_walk *walk, uint32_t duration)
{
    if (walk->num_votes == 0) {
        walk->ticks_per_frame = duration;
    }
    walk->num_votes += duration == walk->ticks_per_frame ? 1 : -1;
}

static void take_frame(struct recover_walk *walk, const struct weir_fragment_found *found,
                       struct before *before)
{
    const struct weir_fragment *fragment = &found->fragment;
    vote(walk, fragment->duration);
    if (!has_frame(walk, found)) {
        walk->num_parts++;
        return;
    }
    before->is_added = true;
    walk->last_filled = fragment->number;
    add_frame(walk,
              &(const struct remux_piece){.offset = found->data,
                                          .size = fragment->size,
                                          .number = fragment->number,
                                          .time = fragment->ticks},
              found->end);
}

static void take_audio(struct recover_walk *walk, const struct weir_fragment_found *found,
                       struct before *before)
{
    const struct weir_audio_fragment *audio = &found->audio;
    const uint32_t index = audio->track - WEIR_FRAGMENT_FIRST_AUDIO;
    walk->end = found->end;
    if (index >= walk->movie->num_audio ||
        audio->sample_size != walk->movie->audio[index].sample_size ||
        found->end - found->data > RECOVER_MAX_FRAME) {
        walk->num_unknown_audio++;
        return;
    }
    before->is_added = add(
        walk, &(const struct remux_piece){.offset = found->data,
                                          .size = audio->num_samples * audio->sample_size,
                                          .number = audio->number,
                                          .time = audio->position,
                                          .track = (uint8_t)(1 + index)});
}

// True if fragments are missing between the one before and the one right behind it: what was lost
// of that one moved them into it.
static bool hides_others(const struct recover_walk *walk, uint32_t number, uint64_t at,
                         const struct before *before)
{
    return before->is_fragment && before->end == at && number - walk->last_number > 1;
}

static bool take_fragment(struct recover_walk *walk, uint64_t *at, struct before *before)
{
    struct weir_fragment_found found;
    const enum weir_fragment_kind kind = read_fragment(walk, *at, &found);
    if (kind == WEIR_FRAGMENT_NONE || hides_others(walk, found.fragment.number, *at, before)) {
        return false;
    }
    if (kind == WEIR_FRAGMENT_AUDIO) {
        claim(walk, &found);
    }
    if (!is_in_file(walk, &found)) {
        return false;
    }
    learn_number(walk, found.fragment.number, *at, before);
    *before = (struct before){.is_fragment = true,
                              .is_audio = kind == WEIR_FRAGMENT_AUDIO,
                              .data = found.data,
                              .end = found.end};
    if (before->is_audio) {
        take_audio(walk, &found, before);
    } else {
        take_frame(walk, &found, before);
    }
    *at = found.end;
    return true;
}

static bool skip_padding(struct recover_walk *walk, uint64_t *at)
{
    struct weir_box box;
    if (!weir_box_read(walk->near, *at, walk->near->source.size, &box) ||
        box.type != WEIR_BOX('f', 'r', 'e', 'e') || box.end - box.begin > MAX_PADDING ||
        box.end > walk->near->source.size) {
        return false;
    }
    if (walk->end == *at) {
        walk->end = box.end;
    }
    *at = box.end;
    return true;
}

struct candidate {
    uint64_t at;
    uint64_t end; // of a frame without its fragment; 0: a fragment
};

// Look for a fragment or a frame where these eight bytes stand.
static bool examine(struct recover_walk *walk, const uint8_t *bytes, struct candidate *candidate)
{
    struct weir_fragment_found found;
    candidate->end = 0;
    if (memcmp(bytes + 4, "moof", 4) == 0) {
        const enum weir_fragment_kind kind = read_fragment(walk, candidate->at, &found);
        if (kind == WEIR_FRAGMENT_AUDIO) {
            claim(walk, &found);
        }
        return kind != WEIR_FRAGMENT_NONE && is_in_file(walk, &found) &&
               (kind == WEIR_FRAGMENT_AUDIO || has_frame(walk, &found));
    }
    return walk->is_type[bytes[3]] && recover_alone_read(walk, candidate->at, &candidate->end);
}

// Find the next fragment or frame that begins from `at` on, and before `limit`.
static bool search(struct recover_walk *walk, uint64_t at, uint64_t limit,
                   struct candidate *candidate)
{
    enum { LOOKED_AT = 8 };
    while (at < limit && limit - at > LOOKED_AT) {
        size_t part;
        const uint8_t *bytes = weir_view_stretch(walk->far, at, &part);
        if (walk->progress && !walk->progress(walk->user, at, walk->num_frames)) {
            walk->stopped = true;
            return false;
        }
        for (size_t i = 0; bytes && i + LOOKED_AT <= part; i++) {
            candidate->at = at + i;
            if (examine(walk, bytes + i, candidate)) {
                return true;
            }
        }
        at += bytes && part >= LOOKED_AT ? part - LOOKED_AT + 1 : part;
    }
    return false;
}

// Get how many of the bytes are text in ASCII, from the first one on.
static size_t begins_text(const uint8_t *bytes, size_t size)
{
    size_t num = 0;
    while (num < size && ((bytes[num] >= ' ' && bytes[num] <= '~') ||
                          (bytes[num] != 0 && strchr("\n\t\r\033", bytes[num])))) {
        num++;
    }
    return num;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

// Get how many of the bytes are those that a fragment begins with.
static size_t begins_fragment(const uint8_t *bytes, size_t size)
{
    static const uint8_t moof[] = {0, 0, 0, WEIR_FRAGMENT_HEADER_SIZE - 8, 'm', 'o', 'o', 'f'};
    size_t num = 0;
    while (num < sizeof(moof) && num < size && bytes[num] == moof[num]) {
        num++;
    }
    return num;
}

// True if a fragment begins behind the last frame.
static bool ends_in_fragment(struct recover_walk *walk)
{
    enum { LOOKED_AT = 8 };
    const uint64_t left = walk->near->source.size - walk->end;
    const size_t size = left < LOOKED_AT ? (size_t)left : LOOKED_AT;
    const uint8_t *bytes = weir_view_at(walk->near, walk->end, size);
    return bytes && size > 0 && begins_fragment(bytes, size) == size;
}

static bool is_snappy(void *user, const struct weir_hap_piece *piece)
{
    (void)user;
    return piece->is_snappy;
}

// True if a part of the frame is stored, of which no data tells whether it is whole.
static bool is_stored(struct recover_walk *walk, const struct before *before)
{
    struct weir_hap_frame frame;
    bool is_compressed = weir_hap_frame_read(walk->near, before->data, before->end, &frame);
    for (uint32_t i = 0; is_compressed && i < frame.num_textures; i++) {
        is_compressed = weir_hap_pieces_read(walk->near, &frame.textures[i], is_snappy, NULL);
    }
    return !is_compressed;
}

// Judge a frame by what stands between it and the next one, which is no box. True: it is the end of
// the frame, which a message that was written into it has moved, or the rest of a part that was
// overwritten and may begin in the frame. Lines of text, the beginning of a fragment, and zeros
// where the frame itself does not end with zeros, stand behind a frame that is as it was. Of a
// compressed frame its data tells that, unless a message stands in its last bytes.
static bool is_touched(struct recover_walk *walk, const struct before *before, uint64_t next)
{
    enum { LOOKED_AT = 64, A_FRAGMENT = 4, SOME_TEXT = 4, A_MESSAGE = 16 };
    uint8_t gap[LOOKED_AT];
    const size_t size = next - before->end < LOOKED_AT ? (size_t)(next - before->end) : LOOKED_AT;
    const uint8_t *bytes = weir_view_at(walk->near, before->end, size);
    if (!bytes || size == 0) {
        return false;
    }
    memcpy(gap, bytes, size);
    const size_t num_head = begins_fragment(gap, size);
    const size_t num_text = begins_text(gap + num_head, size - num_head);
    bytes = weir_view_at(walk->near, next - 1, 1);
    const bool is_line = bytes && bytes[0] == '\n' && num_head + num_text == size;
    if (num_head >= A_FRAGMENT || is_line || (num_head > 0 && num_text >= A_MESSAGE)) {
        return false;
    }
    if (!is_stored(walk, before)) {
        return num_head == 0 && num_text >= SOME_TEXT;
    }
    bytes = weir_view_at(walk->near, before->end - 4, 4);
    return !bytes || !is_zero(gap, size) || is_zero(bytes, 4);
}

// True if samples may have lost a part, and have that of others at their end: nothing in sound
// tells. The beginning of a fragment and zeros stand behind samples that are as they were.
static bool is_sound_touched(struct recover_walk *walk, const struct before *before, uint64_t next)
{
    enum { LOOKED_AT = 64, A_FRAGMENT = 4 };
    if (next < before->end) {
        return true;
    }
    const size_t size = next - before->end < LOOKED_AT ? (size_t)(next - before->end) : LOOKED_AT;
    const uint8_t *bytes = weir_view_at(walk->near, before->end, size);
    return !bytes || (begins_fragment(bytes, size) < A_FRAGMENT && !is_zero(bytes, size));
}

// Go on behind a damaged part. The frame before it is searched as well: what was lost of it moved
// the next fragment forward. False: nothing follows.
static bool find_next(struct recover_walk *walk, uint64_t *at, struct before *before)
{
    struct candidate next;
    struct remux_movie *movie = walk->movie;
    const bool is_behind = before->is_fragment && before->end == *at;
    const bool is_frame = is_behind && before->is_added && !before->is_audio;
    const bool is_sound = is_behind && before->is_added && before->is_audio;
    if (is_frame) {
        movie->pieces[movie->num_pieces - 1].is_doubtful = true;
    }
    if (!search(walk, is_behind ? before->data + 1 : *at, walk->far->source.size, &next)) {
        return false;
    }
    if (is_frame && (next.at < before->end || is_touched(walk, before, next.at))) {
        movie->num_pieces--;
        walk->num_frames--;
    } else if (is_sound && is_sound_touched(walk, before, next.at)) {
        movie->num_pieces--;
    }
    walk->num_parts += next.at != *at;
    *at = next.at;
    before->is_fragment = false;
    if (next.end > 0) {
        const struct remux_piece frame = {
            .offset = next.at, .size = (uint32_t)(next.end - next.at), .is_untimed = true};
        add_frame(walk, &frame, next.end);
        *at = next.end;
    }
    return true;
}

// Where no head says the codec, and if there is sound, the first fragments do. A frame before them
// may be a part of one: the alpha of hap_q_alpha alone is a frame of hap_alpha_only.
static void learn_kind(struct recover_walk *walk, uint64_t at)
{
    const uint64_t size = walk->far->source.size;
    struct candidate first;
    struct weir_fragment_found found;
    const uint64_t limit = size > at && size - at > FAR_ENOUGH ? at + FAR_ENOUGH : size;
    for (int num = 0;
         (!walk->kind.codec || num < ENOUGH_FRAGMENTS) && search(walk, at, limit, &first); num++) {
        const enum weir_fragment_kind kind = read_fragment(walk, first.at, &found);
        at = kind == WEIR_FRAGMENT_NONE ? first.at + 1 : found.end;
        if (kind == WEIR_FRAGMENT_FRAME && !walk->kind.codec) {
            const uint8_t *head = weir_view_at(walk->near, found.data, 4);
            walk->kind.codec = head ? weir_hap_codec_of_type(head[3]) : NULL;
        }
    }
    walk->num_foreign = 0; // the walk counts them itself, and progress() is asked again
    walk->stopped = false;
}

static void allow_types(struct recover_walk *walk)
{
    for (int i = 0; i < 256; i++) {
        const struct weir_movie_codec_info *codec = weir_hap_codec_of_type((uint8_t)i);
        walk->is_type[i] = codec && (!walk->kind.codec || walk->kind.codec == codec);
    }
}

void recover_walk_run(struct recover_walk *walk, uint64_t at)
{
    struct before before = {.end = at};
    walk->has_sound = walk->movie->num_audio > 0;
    if (!walk->kind.codec) {
        learn_kind(walk, at); // of fragments alone: no type is allowed yet
    }
    walk->claimed_end = at;
    walk->last_filled = 0;
    allow_types(walk);
    while (!walk->stopped && at < walk->near->source.size &&
           (take_fragment(walk, &at, &before) || skip_padding(walk, &at) ||
            find_next(walk, &at, &before))) {
    }
    walk->is_torn = ends_in_fragment(walk);
}
