// SPDX-License-Identifier: MIT
// The chapters of a movie that is recovered.
#include "capture/weir/recover/chapters.h"

#include "capture/movie/chapters_reader.h"

bool recover_chapters_take(struct recover_found *found, struct weir_view *view,
                           const struct weir_moov *moov)
{
    if (moov->is_fragmented) {
        return true;
    }
    weir_chapters_finish(&found->chapters);
    return weir_chapters_read(view, &moov->box, &found->chapters);
}

void recover_chapters_settle(struct recover_found *found)
{
    weir_chapters_rebase(&found->chapters, found->frames.start, found->track.ticks_per_second);
}
