// SPDX-License-Identifier: MIT
// The times of a source's frames: they rise, whatever the input states.
#include "capture/files/source/source_parts.h"

#include <libavutil/common.h>
#include <libavutil/mathematics.h>

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
