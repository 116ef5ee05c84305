// SPDX-License-Identifier: MIT
// Judges frames by the bytes around them: which without a fragment are one, and which have lost a
// part.
#include "capture/movie/scan.h"

#include <string.h>

#include "capture/movie/boxes.h"
#include "capture/movie/fragment.h"

#define BOX_HEADER 8

// What every fragment of Weir's begins with.
static const uint8_t moof[BOX_HEADER] = {0,   0,   0,   WEIR_FRAGMENT_HEADER_SIZE - 8,
                                         'm', 'o', 'o', 'f'};

// True if the frame is one stored texture.
static bool is_plain(struct weir_scan *scan, uint64_t at, uint64_t end)
{
    struct weir_hap_frame frame;
    return weir_hap_frame_read(scan->near, at, end, &frame) && frame.num_textures == 1 &&
           (frame.type & 0xf0) == WEIR_HAP_NONE;
}

// True if these bytes contain the header of a fragment.
static bool has_fragment(struct weir_scan *scan, uint64_t at, uint64_t end)
{
    const size_t room = scan->near->room;
    while (end - at >= sizeof(moof)) {
        const size_t part = end - at < room ? (size_t)(end - at) : room;
        const uint8_t *bytes = weir_view_at(scan->near, at, part);
        if (bytes && memmem(bytes, part, moof, sizeof(moof))) {
            return true;
        }
        at += part - sizeof(moof) + 1;
    }
    return false;
}

// True if the head of an mdat box of the frame's size is before it.
static bool is_in_mdat(struct weir_scan *scan, uint64_t at, uint64_t end)
{
    struct weir_box box;
    return at >= BOX_HEADER &&
           weir_box_read(scan->near, at - BOX_HEADER, scan->near->source.size, &box) &&
           box.type == WEIR_BOX("mdat") && box.payload == at && box.end == end;
}

// True if a fragment begins at `at`, and one is missing between it and the last one that holds what
// its head says.
static bool is_before_fragment(struct weir_scan *scan, uint64_t at)
{
    struct weir_fragment found;
    const enum weir_fragment_type type = weir_fragment_read(scan->near, at, &found);
    return (type == WEIR_FRAGMENT_FRAME || type == WEIR_FRAGMENT_AUDIO) &&
           found.number - scan->last_filled > 1;
}

// True if the file ends at `at`, if need be in a fragment, or if a fragment, padding or the index
// begins there.
static bool is_before_box(struct weir_scan *scan, uint64_t at)
{
    const uint64_t size = scan->near->source.size;
    if (size - at < BOX_HEADER) {
        const size_t left = (size_t)(size - at);
        const uint8_t *rest = left > 0 ? weir_view_at(scan->near, at, left) : NULL;
        return left == 0 || (rest && memcmp(rest, moof, left) == 0);
    }
    struct weir_box box;
    return weir_box_read(scan->near, at, size, &box) && weir_box_is(box.type, "moof free moov");
}

// True if the bytes are where a frame would be.
static bool has_place(struct weir_scan *scan, uint64_t at, uint64_t end)
{
    bool is_place;
    if (at < scan->claimed_end) {
        // A frame begins in another fragment only where a part of that was lost, and behind it.
        is_place = is_in_mdat(scan, at, end) || is_before_fragment(scan, end);
    } else {
        is_place = !scan->has_audio || is_in_mdat(scan, at, end) || is_before_box(scan, end);
    }
    return is_place && !has_fragment(scan, at, end);
}

bool weir_scan_read_frame(struct weir_scan *scan, uint64_t at, uint64_t *end)
{
    const uint64_t size = scan->near->source.size;
    return weir_hap_check(scan->near, &scan->format, at, size, WEIR_HAP_HEADERS, end) &&
           *end - at <= WEIR_PIECE_MAX_SIZE &&
           (!is_plain(scan, at, *end) || has_place(scan, at, *end)) &&
           weir_hap_check(scan->near, &scan->format, at, size, WEIR_HAP_WHOLE, end);
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
    size_t num = 0;
    while (num < sizeof(moof) && num < size && bytes[num] == moof[num]) {
        num++;
    }
    return num;
}

bool weir_scan_is_torn(struct weir_scan *scan)
{
    enum { LOOKED_AT = 8 };
    const uint64_t left = scan->near->source.size - scan->end;
    const size_t size = left < LOOKED_AT ? (size_t)left : LOOKED_AT;
    const uint8_t *bytes = weir_view_at(scan->near, scan->end, size);
    return bytes && size > 0 && begins_fragment(bytes, size) == size;
}

static bool is_snappy(void *user, const struct weir_hap_piece *piece)
{
    (void)user;
    return piece->is_snappy;
}

// True if a part of the frame is stored: nothing in it says whether it is whole.
static bool is_stored(struct weir_scan *scan, uint64_t begin, uint64_t end)
{
    struct weir_hap_frame frame;
    bool is_compressed = weir_hap_frame_read(scan->near, begin, end, &frame);
    for (uint32_t i = 0; is_compressed && i < frame.num_textures; i++) {
        is_compressed = weir_hap_pieces_read(scan->near, &frame.textures[i], is_snappy, NULL);
    }
    return !is_compressed;
}

bool weir_scan_is_touched(struct weir_scan *scan, uint64_t begin, uint64_t end, uint64_t next)
{
    enum { LOOKED_AT = 64, A_FRAGMENT = 4, SOME_TEXT = 4, A_MESSAGE = 16 };
    uint8_t gap[LOOKED_AT];
    const size_t size = next - end < LOOKED_AT ? (size_t)(next - end) : LOOKED_AT;
    const uint8_t *bytes = weir_view_at(scan->near, end, size);
    if (!bytes || size == 0) {
        return false;
    }
    memcpy(gap, bytes, size);
    if (next == scan->near->source.size &&
        (size < BOX_HEADER || is_zero(gap, size) || is_before_box(scan, end))) {
        return false;
    }
    const size_t num_head = begins_fragment(gap, size);
    const size_t num_text = begins_text(gap + num_head, size - num_head);
    bytes = weir_view_at(scan->near, next - 1, 1);
    const bool is_line = bytes && bytes[0] == '\n' && num_head + num_text == size;
    if (num_head >= A_FRAGMENT || is_line || (num_head > 0 && num_text >= A_MESSAGE)) {
        return false;
    }
    if (!is_stored(scan, begin, end)) {
        return num_head == 0 && num_text >= SOME_TEXT;
    }
    bytes = weir_view_at(scan->near, end - 4, 4);
    return !bytes || !is_zero(gap, size) || is_zero(bytes, 4);
}

bool weir_scan_is_audio_touched(struct weir_scan *scan, uint64_t end, uint64_t next)
{
    enum { LOOKED_AT = 64, A_FRAGMENT = 4 };
    const size_t size = next - end < LOOKED_AT ? (size_t)(next - end) : LOOKED_AT;
    const uint8_t *bytes = weir_view_at(scan->near, end, size);
    // A few zeros are the upper bytes of a sample, not a hole.
    const bool is_hole = size >= BOX_HEADER && is_zero(bytes, size);
    return !bytes || (begins_fragment(bytes, size) < A_FRAGMENT && !is_hole);
}
