// SPDX-License-Identifier: MIT
// The times of a source's frames: they rise, whatever the input states.
#include "capture/files/source/source_parts.h"

#include <stdlib.h>
#include <string.h>

#include <libavutil/common.h>
#include <libavutil/mathematics.h>

#include "capture/base/utf8.h"

static const int64_t no_time = INT64_MIN, still_step_ns = 1000000;
static const AVRational nanoseconds = {1, 1000000000};

// Get the frame's own time since the first frame, or `no_time` if it has none.
static int64_t own_time(struct weir_times *times, const AVFrame *frame, AVRational time_base)
{
    const int64_t pts = frame->best_effort_timestamp;
    if (times->num_frames == 0) {
        times->first_pts = pts;
    }
    if (pts == AV_NOPTS_VALUE || times->first_pts == AV_NOPTS_VALUE) {
        return no_time;
    }
    return av_rescale_q(av_sat_sub64(pts, times->first_pts), time_base, nanoseconds);
}

// Turn a frame's own time into one that is later than that of the last frame. Own times that start
// again, as where two recordings were joined, continue after the last frame. An own time that
// stands still is moved by a millisecond. Sums are clamped to the largest time, because a file may
// state any time.
static int64_t increasing_time(struct weir_times *times, int64_t own_ns)
{
    const int64_t next_ns = av_sat_add64(times->last_ns, weir_times_length(times));
    if (own_ns == no_time) {
        return next_ns;
    }
    if (own_ns < times->last_own_ns) {
        times->offset_ns = av_sat_sub64(next_ns, own_ns);
    }
    const int64_t time_ns = av_sat_add64(own_ns, times->offset_ns);
    times->is_odd = times->is_odd || own_ns <= times->last_own_ns;
    return time_ns > times->last_ns ? time_ns : av_sat_add64(times->last_ns, still_step_ns);
}

int64_t weir_times_nominal(uint64_t number, AVRational frame_length)
{
    const int64_t time_ns = av_rescale_q((int64_t)number, frame_length, nanoseconds);
    return time_ns >= 0 ? time_ns : INT64_MAX;
}

int64_t weir_times_length(const struct weir_times *times)
{
    return av_rescale_q(1, times->frame_length, nanoseconds);
}

int64_t weir_times_duration(const struct weir_times *times, const AVFrame *frame,
                            AVRational time_base)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    const int64_t duration = frame->duration;
#else
    const int64_t duration = frame->pkt_duration;
#endif
    const int64_t own = duration > 0 && time_base.num > 0
                            ? av_rescale_q(duration, time_base, nanoseconds)
                            : 0;
    return own > 0 ? own : weir_times_length(times);
}

int64_t weir_times_add(struct weir_times *times, const AVFrame *frame, AVRational time_base)
{
    const int64_t own_ns = own_time(times, frame, time_base);
    times->last_ns = times->num_frames > 0 ? increasing_time(times, own_ns) : 0;
    if (own_ns != no_time) {
        times->last_own_ns = own_ns;
        times->furthest_ns = own_ns > times->furthest_ns ? own_ns : times->furthest_ns;
    }
    times->num_frames++;
    return times->last_ns;
}

// The chapters of a movie.

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
