// SPDX-License-Identifier: MIT
// The chapters of a movie, read from a file that may be damaged.
#include "capture/movie/chapters_reader.h"

#include <string.h>

// Find the first chapter, and how many there are. A later version has a field of 4 bytes more.
static bool find_first(struct weir_view *view, const struct weir_box *chpl, uint64_t *at,
                       uint32_t *num)
{
    const uint8_t *bytes = weir_view_at(view, chpl->payload, 1);
    const size_t head = bytes && bytes[0] > 0 ? 9 : 5;
    if (!bytes || chpl->end - chpl->payload < head) {
        return false;
    }
    bytes = weir_view_at(view, chpl->payload, head);
    *at = chpl->payload + head;
    *num = bytes ? bytes[head - 1] : 0;
    return bytes;
}

bool weir_chapters_read(struct weir_view *view, const struct weir_box *moov,
                        struct weir_chapters *chapters)
{
    struct weir_box udta, chpl;
    uint64_t at;
    uint32_t num;
    *chapters = (struct weir_chapters){.items = NULL};
    if (!weir_box_find_in(view, moov, WEIR_BOX('u', 'd', 't', 'a'), &udta) ||
        !weir_box_find_in(view, &udta, WEIR_BOX('c', 'h', 'p', 'l'), &chpl) ||
        !find_first(view, &chpl, &at, &num)) {
        return true;
    }
    for (uint32_t i = 0; i < num && chpl.end - at >= WEIR_CHAPTER_FIXED_SIZE; i++) {
        const uint8_t *bytes = weir_view_at(view, at, WEIR_CHAPTER_FIXED_SIZE);
        const size_t size = bytes ? WEIR_CHAPTER_FIXED_SIZE + bytes[WEIR_CHAPTER_FIXED_SIZE - 1]
                                  : 0;
        bytes = bytes && chpl.end - at >= size ? weir_view_at(view, at, size) : NULL;
        if (!bytes) {
            break;
        }
        char title[WEIR_MAX_CHAPTER_TITLE + 1] = {0};
        memcpy(title, bytes + WEIR_CHAPTER_FIXED_SIZE, size - WEIR_CHAPTER_FIXED_SIZE);
        if (weir_chapters_add(chapters, weir_boxes_read_u64(bytes), title) < WEIR_OK) {
            return false;
        }
        at += size;
    }
    return true;
}
