// SPDX-License-Identifier: MIT
// The times of a source: those of frames, which rise whatever the input states, those of chapters,
// and the range, the part of the input that frames are given out of.
#include "capture/files/source/source_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/common.h>
#include <libavutil/mathematics.h>

#include "capture/base/utf8.h"

static const int64_t no_time = INT64_MIN, still_step_ns = 1000000;
enum { ROUNDING_NS = 1000 }; // of times
static const AVRational nanoseconds = {1, 1000000000};

int64_t weir_times_number(struct weir_times *times, int64_t ticks, AVRational time_base)
{
    enum { LEAST_TICKS = 3 }; // of a frame: with fewer any time is near a whole number of them
    const double tick = 1.0001 * av_q2d(time_base), time = (double)ticks * av_q2d(time_base);
    const bool is_known = av_q2d(times->grid) >= LEAST_TICKS * av_q2d(time_base);
    const int64_t nearest = is_known ? av_rescale_q(ticks, time_base, times->grid) : 1;
    const int64_t number = nearest > 0 ? nearest : 1;
    if (times->has_own || ticks <= 0) {
        return 0;
    }
    const double least = (time - tick) / (double)number, most = (time + tick) / (double)number;
    times->least = least > times->least ? least : times->least;
    times->most = times->most == 0 || most < times->most ? most : times->most;
    const double length = av_q2d(times->grid);
    if (!is_known || length < times->least || length > times->most) {
        times->grid = weir_times_usual_length(times->least, times->most);
    }
    times->has_own = av_q2d(times->grid) < LEAST_TICKS * av_q2d(time_base);
    return times->has_own ? 0 : number;
}

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
    const int64_t ticks = av_sat_sub64(pts, times->first_pts);
    const int64_t number = weir_times_number(times, ticks, time_base);
    return number > 0 ? weir_times_nominal((uint64_t)number, times->grid)
                      : av_rescale_q(ticks, time_base, nanoseconds);
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
    const bool is_exact = !times->has_own && times->grid.num > 0;
    const int64_t own_ns = duration > 0 && time_base.num > 0
                               ? av_rescale_q(duration, time_base, nanoseconds)
                               : 0;
    if (own_ns <= 0) {
        return is_exact ? weir_times_nominal(1, times->grid) : weir_times_length(times);
    }
    const int64_t number = is_exact ? av_rescale_q(duration, time_base, times->grid) : 0;
    const int64_t whole_ns = weir_times_nominal((uint64_t)number, times->grid);
    return number > 0 && llabs(whole_ns - own_ns) <= av_rescale_q(1, time_base, nanoseconds)
               ? whole_ns
               : own_ns;
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

bool weir_source_read_chapters(weir_source *source)
{
    const AVFormatContext *format = source->reader.format;
    const size_t num = format ? format->nb_chapters : 0;
    struct weir_source_chapter *chapters = num > 0 ? calloc(num, sizeof(*chapters)) : NULL;
    if (!chapters) {
        return num == 0;
    }
    for (size_t i = 0; i < num; i++) {
        take(&chapters[i], format->chapters[i]);
    }
    qsort(chapters, num, sizeof(*chapters), compare);
    source->info.chapters = source->chapters = chapters;
    source->info.num_chapters = num;
    return true;
}

void weir_source_settle_chapters(weir_source *source)
{
    struct weir_source_chapter *chapters = source->chapters;
    const int64_t start_ns = source->info.start_ns;
    // A part ends half a frame before the first frame of the next one.
    const int64_t rest_ns = source->params.part < source->params.num_parts
                                ? weir_times_length(&source->times) / 2 - ROUNDING_NS
                                : 0;
    const int64_t end_ns = av_sat_add64(source->info.end_ns, rest_ns);
    size_t first = 0, num = 0;
    while (first + 1 < source->info.num_chapters && chapters[first].time_ns < start_ns &&
           chapters[first + 1].time_ns <= start_ns) {
        first++; // it ends where the next one begins
    }
    while (source->params.part > 1 && first < source->info.num_chapters &&
           chapters[first].time_ns < start_ns - ROUNDING_NS) {
        first++; // the part before has it
    }
    for (size_t i = first; i < source->info.num_chapters; i++) {
        const int64_t time_ns = FFMAX(av_sat_sub64(chapters[i].time_ns, start_ns), 0);
        if (time_ns < end_ns) {
            chapters[num] = chapters[i];
            chapters[num++].time_ns = time_ns;
        }
    }
    source->info.num_chapters = num;
}

// The range of a source.

bool weir_range_is_over(const weir_source *source, int64_t time_ns)
{
    const int64_t to_ns = source->params.to_ns;
    return to_ns < INT64_MAX && time_ns >= to_ns;
}

enum weir_result weir_range_choose_part(weir_source *source)
{
    struct weir_source_params *params = &source->params;
    const struct weir_source_list *list = &source->list;
    const AVRational length = {(int)source->info.rate_den, (int)source->info.rate_num};
    const AVFormatContext *format = source->reader.format;
    const bool is_pipe = format && format->pb && format->pb->seekable == 0;
    const int64_t num = is_pipe          ? 0
                        : list->pictures ? (int64_t)list->files[list->num_files - 1].number + 1
                                         : av_rescale_q(weir_reader_duration_ns(&source->reader),
                                                        nanoseconds, length);
    if (params->num_parts == 0) {
        return WEIR_OK;
    }
    if (num < params->num_parts) {
        return weir_fail(&params->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         num > 0 ? "%s: it has %" PRId64 " frames, which are no %u parts; use fewer"
                                 : "%s: it is a pipe or does not say how long it is, so it has no "
                                   "parts; store it in a movie first",
                         source->name, num, params->num_parts);
    }
    // Times may be rounded, so a part begins between two frames.
    const AVRational half = {length.num, 2 * length.den};
    const int64_t first = av_rescale(num, params->part - 1, params->num_parts);
    const int64_t end = av_rescale(num, params->part, params->num_parts);
    params->from_ns = params->part > 1 ? av_rescale_q(2 * first - 1, half, nanoseconds) : 0;
    params->to_ns = end < num ? av_rescale_q(2 * end - 1, half, nanoseconds) : INT64_MAX;
    return WEIR_OK;
}

size_t weir_range_first_file(const weir_source *source)
{
    const struct weir_source_list *list = &source->list;
    size_t first = 0;
    while (first < list->num_files &&
           weir_times_nominal(list->files[first].number, source->times.frame_length) <
               source->params.from_ns) {
        first++;
    }
    return first;
}

// Go to a key frame before the range. Some decoders show nothing for a while after a key frame, so
// it may take an earlier one. `*found`: all frames of the range are still to come.
static enum weir_result seek(weir_source *source, bool *found)
{
    static const int64_t earlier_ns[] = {0, 10000000000};
    const struct weir_times before = source->times;
    *found = false;
    for (size_t i = 0; i < sizeof(earlier_ns) / sizeof(earlier_ns[0]); i++) {
        const int64_t at_ns = source->params.from_ns - earlier_ns[i];
        const int64_t pts = av_sat_add64(
            before.first_pts,
            av_rescale_q_rnd(at_ns, nanoseconds, source->reader.stream->time_base, AV_ROUND_DOWN));
        if (at_ns <= 0 || !weir_reader_seek(&source->reader, pts)) {
            return WEIR_OK;
        }
        source->times = before;
        source->times.last_ns = source->times.last_own_ns = -1; // the first frame may come again
        const enum weir_result result = weir_source_advance(source);
        *found = source->pending && source->pending_ns <= source->params.from_ns;
        if (result != WEIR_OK || *found) {
            return result;
        }
    }
    return WEIR_OK;
}

// Go there by the shortest way.
static enum weir_result approach(weir_source *source)
{
    bool found = false;
    const struct weir_times before = {.frame_length = source->times.frame_length,
                                      .grid = source->times.grid};
    if (source->params.from_ns == 0 || source->list.pictures ||
        source->times.first_pts == AV_NOPTS_VALUE ||
        !weir_reader_is_seekable(source->reader.format)) {
        return WEIR_OK;
    }
    enum weir_result result = seek(source, &found);
    if (result != WEIR_OK || found) {
        return result;
    }
    source->times = before;
    const struct weir_reader_params params = source->reader.params;
    weir_reader_close(&source->reader);
    WEIR_TRY(weir_reader_open(&source->reader, &params));
    return weir_source_advance(source);
}

// Get the length of the input as far as it is known [ns]; 0: it is not.
static int64_t length_of(const weir_source *source)
{
    const struct weir_source_list *list = &source->list;
    const AVRational frame_length = source->times.frame_length;
    if (list->pictures) {
        return weir_times_nominal(list->files[list->num_files - 1].number + 1, frame_length);
    }
    return source->pending
               ? weir_reader_duration_ns(&source->reader)
               : av_sat_add64(source->times.furthest_ns, weir_times_length(&source->times));
}

static enum weir_result refuse(const weir_source *source)
{
    const struct weir_source_params *params = &source->params;
    const int64_t length_ns = length_of(source);
    char part[64], length[64] = "";
    if (params->to_ns == INT64_MAX) {
        snprintf(part, sizeof(part), "at or after %.9g s", (double)params->from_ns / 1e9);
    } else {
        snprintf(part, sizeof(part), "at or after %.9g s and before %.9g s",
                 (double)params->from_ns / 1e9, (double)params->to_ns / 1e9);
    }
    if (length_ns > 0) {
        snprintf(length, sizeof(length), "; it lasts %.9g s", (double)length_ns / 1e9);
    }
    return weir_fail(&params->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                     "%s: no frame begins %s%s", source->name, part, length);
}

// The steps of a rate go on in the range as they are outside it: the frame of its first step may
// be an earlier one.
static enum weir_result enter_at_rate(weir_source *source, bool *is_empty)
{
    const AVRational step = weir_source_step(source);
    enum weir_result result = WEIR_OK;
    const int64_t first = av_rescale_q_rnd(source->params.from_ns, nanoseconds, step, AV_ROUND_UP);
    source->first_step = (uint64_t)first;
    do {
        result = weir_source_take_next(source);
    } while (result == WEIR_OK && source->pending &&
             weir_source_slot(source, source->pending_ns) <= first);
    source->zero_ns = weir_times_nominal(source->first_step, step);
    *is_empty = !source->pending && first > 0 && first >= weir_source_slot(source, source->end_ns);
    return result;
}

static enum weir_result enter_in_turn(weir_source *source, bool *is_empty)
{
    enum weir_result result = WEIR_OK;
    while (result == WEIR_OK && source->pending && source->pending_ns < source->params.from_ns) {
        result = weir_source_advance(source);
    }
    source->zero_ns = source->pending_ns;
    *is_empty = !source->pending;
    return result;
}

// Set the facts of the input to those of the range.
static void limit(weir_source *source)
{
    struct weir_source_info *info = &source->info;
    const struct weir_source_list *list = &source->list;
    const int64_t to_ns = source->params.to_ns, length_ns = length_of(source);
    const int64_t end_ns = length_ns > 0 && length_ns < to_ns ? length_ns : to_ns;
    if (list->pictures) {
        size_t end = weir_range_first_file(source), first = end;
        while (end < list->num_files &&
               !weir_range_is_over(source, weir_times_nominal(list->files[end].number,
                                                              source->times.frame_length))) {
            end++;
        }
        info->num_frames = end - first;
    } else if (end_ns < INT64_MAX) {
        info->num_frames = (uint64_t)av_rescale_q(
            end_ns - source->zero_ns, nanoseconds,
            (AVRational){(int)info->rate_den, (int)info->rate_num});
    }
    info->start_ns = av_sat_add64(info->start_ns, source->zero_ns);
    info->before_ns = source->zero_ns;
    info->end_ns = to_ns == INT64_MAX ? to_ns : to_ns - source->zero_ns;
}

enum weir_result weir_range_enter(weir_source *source)
{
    bool is_empty = false;
    WEIR_TRY(approach(source));
    WEIR_TRY(weir_source_is_resampled(source) ? enter_at_rate(source, &is_empty)
                                              : enter_in_turn(source, &is_empty));
    if (is_empty || weir_range_is_over(source, source->zero_ns)) {
        return refuse(source);
    }
    limit(source);
    return WEIR_OK;
}
