// SPDX-License-Identifier: MIT
// The chapters of a movie that a source reads.
#include "capture/files/source/source_parts.h"

#include <stdlib.h>
#include <string.h>

#include <libavutil/common.h>
#include <libavutil/mathematics.h>

#include "capture/base/utf8.h"

static int compare(const void *a, const void *b)
{
    const struct weir_source_chapter *first = a, *second = b;
    return (first->time_ns > second->time_ns) - (first->time_ns < second->time_ns);
}

// A title that is no UTF-8 is left empty.
static void take(struct weir_source_chapter *to, const AVChapter *from)
{
    const AVDictionaryEntry *title = av_dict_get(from->metadata, "title", NULL, 0);
    size_t size;
    to->time_ns = av_rescale_q(from->start, from->time_base, (AVRational){1, 1000000000});
    if (title && weir_utf8_fit(title->value, WEIR_MAX_CHAPTER_TITLE, &size)) {
        memcpy(to->title, title->value, size);
    }
}

bool weir_source_chapters_read(struct weir_source_chapters *chapters, const AVFormatContext *format)
{
    *chapters = (struct weir_source_chapters){.items = NULL};
    if (!format || format->nb_chapters == 0) {
        return true;
    }
    chapters->items = calloc(format->nb_chapters, sizeof(chapters->items[0]));
    if (!chapters->items) {
        return false;
    }
    for (unsigned i = 0; i < format->nb_chapters; i++) {
        take(&chapters->items[chapters->num++], format->chapters[i]);
    }
    qsort(chapters->items, chapters->num, sizeof(chapters->items[0]), compare);
    return true;
}

void weir_source_chapters_finish(struct weir_source_chapters *chapters)
{
    free(chapters->items);
    *chapters = (struct weir_source_chapters){.items = NULL};
}

void weir_source_chapters_settle(struct weir_source_chapters *chapters, int64_t start_ns,
                                 int64_t end_ns)
{
    size_t first = 0, num = 0;
    while (first + 1 < chapters->num && chapters->items[first].time_ns < start_ns &&
           chapters->items[first + 1].time_ns <= start_ns) {
        first++; // it ends where the next one begins
    }
    for (size_t i = first; i < chapters->num; i++) {
        struct weir_source_chapter chapter = chapters->items[i];
        chapter.time_ns = av_sat_sub64(chapter.time_ns, start_ns);
        chapter.time_ns = chapter.time_ns > 0 ? chapter.time_ns : 0;
        if (chapter.time_ns < end_ns) {
            chapters->items[num++] = chapter;
        }
    }
    chapters->num = num;
}
