// SPDX-License-Identifier: MIT
// A source: reads pictures, sequences and movies through FFmpeg's libraries as frames of RGBA.
#include "capture/files/source/source.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include <libavutil/common.h>
#include <libavutil/mathematics.h>

#include "capture/files/source/source_parts.h"

static const AVRational nanoseconds = {1, 1000000000};

// A frame between decoding and RGBA.
struct weir_source_frame {
    weir_source *source;
    AVFrame *decoded;
    struct weir_meaning meaning;
    int orientation;
    struct weir_convert convert;
};

static void warn_of_time(weir_source *source)
{
    if (source->times.is_odd && !source->warned_time) {
        weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_TIME_NOT_INCREASING,
                        "%s: time stamps repeat or go back; frames keep their order", source->name);
        source->warned_time = true;
    }
}

// Pictures have no time base: 0/1.
static AVRational time_base(const weir_source *source)
{
    return source->reader.stream ? source->reader.stream->time_base : (AVRational){0, 1};
}

static int64_t frame_time(weir_source *source, uint64_t number)
{
    if (weir_source_is_pictures(source)) {
        source->times.num_frames++;
        return weir_times_nominal(number, source->times.frame_length);
    }
    const int64_t time_ns = weir_times_add(&source->times, source->frame, time_base(source));
    warn_of_time(source);
    return time_ns;
}

// A movie that was cut short still plays. A warning says once that it ends before its header says.
static void warn_of_missing(weir_source *source)
{
    if (source->times.num_frames == 0 || source->warned_missing || source->list.pictures) {
        return;
    }
    const int64_t said = weir_reader_duration_ns(&source->reader);
    const int64_t found = av_sat_add64(
        source->times.furthest_ns,
        weir_times_duration(&source->times, source->shown, time_base(source)));
    // Some containers count from the first frame on, others from 0.
    if (av_sat_add64(found, FFMAX(source->info.start_ns - source->info.before_ns, 0)) >=
        said - said / 10) {
        return;
    }
    weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                    "%s: ends after %.2f s and should last %.2f s; %sit is damaged or cut short",
                    source->name, (double)found / 1e9, (double)said / 1e9,
                    weir_reader_knows_duration(&source->reader) ? "" : "its audio is longer, or ");
    source->warned_missing = true;
}

enum weir_result weir_source_advance(weir_source *source)
{
    bool end = false;
    uint64_t number = source->times.num_frames;
    av_frame_unref(source->frame);
    enum weir_result result = source->list.pictures
                                  ? weir_sequence_next(&source->sequence, source->frame, &number,
                                                       &end)
                                  : weir_reader_read(&source->reader, source->frame, &end);
    source->pending = result == WEIR_OK && !end;
    if (end) {
        warn_of_missing(source);
    }
    if (!source->pending) {
        return result;
    }
    source->pending_ns = frame_time(source, number);
    return WEIR_OK;
}

bool weir_source_is_pictures(const weir_source *source)
{
    return source->list.pictures || weir_reader_is_still(&source->reader);
}

bool weir_source_is_resampled(const weir_source *source)
{
    return source->params.rate_num != 0 && !weir_source_is_pictures(source);
}

int64_t weir_source_slot(const weir_source *source, int64_t time_ns)
{
    return av_rescale_q(time_ns, nanoseconds, weir_source_step(source));
}

AVRational weir_source_step(const weir_source *source)
{
    return (AVRational){(int)source->params.rate_den, (int)source->params.rate_num};
}

enum weir_result weir_source_tell_no_memory(const struct weir_log *log, const char *name)
{
    return weir_fail(log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                     "no memory to read %s; close other programs, or make it smaller", name);
}

struct weir_source_info weir_source_get_info(const weir_source *source)
{
    struct weir_source_info info = source->info;
    info.is_read_once = source->reader.demux;
    info.counts.num_errors = source->sequence.num_errors + source->reader.num_errors +
                             source->num_made_up;
    return info;
}

void weir_source_give_16_bits(weir_source *source)
{
    source->convert.is_deep = true;
}

static void warn_of_size(weir_source *source, uint32_t width, uint32_t height)
{
    const struct weir_source_info *info = &source->info;
    if (source->warned_size || source->params.linear ||
        (width == info->native_width && height == info->native_height)) {
        return;
    }
    weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FRAME_SIZE,
                    "%s: the size changes from %ux%u to %ux%u at frame %" PRIu64
                    "; all frames are scaled to %ux%u",
                    source->name, info->native_width, info->native_height, width, height,
                    source->num_read, info->width, info->height);
    source->warned_size = true;
}

enum weir_result weir_source_take_next(weir_source *source)
{
    av_frame_unref(source->shown);
    av_frame_move_ref(source->shown, source->frame);
    source->shown_ns = source->pending_ns;
    source->end_ns = av_sat_add64(
        source->shown_ns, weir_times_duration(&source->times, source->shown, time_base(source)));
    return weir_source_advance(source);
}

// Find the frame of the next step of the rate. `*end`: the movie is over by then.
static enum weir_result take_at_rate(weir_source *source, int64_t *time_ns, bool *end)
{
    const int64_t step = (int64_t)(source->first_step + source->num_read);
    uint64_t num_taken = 0;
    enum weir_result result = WEIR_OK;
    while (result == WEIR_OK &&
           (!source->shown->buf[0] ||
            (source->pending && weir_source_slot(source, source->pending_ns) <= step))) {
        result = weir_source_take_next(source);
        num_taken++;
    }
    *time_ns = weir_times_nominal((uint64_t)step, weir_source_step(source));
    const bool is_behind = weir_range_is_over(source, *time_ns);
    *end = is_behind ||
           (!source->pending && step > 0 && step >= weir_source_slot(source, source->end_ns));
    source->info.counts.num_repeated += num_taken == 0 && !*end;
    // One of those that were taken is given out, unless the movie is over by then.
    source->info.counts.num_left_out += is_behind ? 0 : num_taken - (num_taken > 0 && !*end);
    return result;
}

// Take the next frame with its own time. The last one comes twice if it is shown for longer than
// others: a movie ends one frame after the time of its last frame.
static enum weir_result take_in_turn(weir_source *source, int64_t *time_ns, bool *end)
{
    if (source->pending) {
        *end = weir_range_is_over(source, source->pending_ns);
        const enum weir_result result = *end ? WEIR_OK : weir_source_take_next(source);
        *time_ns = source->shown_ns;
        return result;
    }
    const int64_t length_ns = weir_times_length(&source->times);
    const int64_t again_ns = source->end_ns - length_ns;
    *end = source->held || weir_source_is_pictures(source) ||
           weir_range_is_over(source, again_ns) || again_ns - source->shown_ns < length_ns / 2;
    source->held = true;
    *time_ns = again_ns;
    return WEIR_OK;
}

// Of some frames decoders make up what is damaged. They are shown, but not without a word.
static void warn_of_made_up(weir_source *source)
{
    if (source->shown->decode_error_flags == 0) {
        return;
    }
    if (source->num_made_up++ == 0) {
        weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                        "%s: parts of frame %" PRIu64 " are damaged, and FFmpeg made them up "
                        "(further ones are only counted)",
                        source->name, source->num_read);
    }
}

// Take a decoded frame, whose pixels are shared.
static enum weir_result set_frame(weir_source_frame *frame, const AVFrame *decoded, int orientation)
{
    weir_source *source = frame->source;
    av_frame_unref(frame->decoded);
    if (av_frame_ref(frame->decoded, decoded) < 0) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    frame->meaning = weir_convert_note(&source->notes, &source->convert, decoded);
    frame->orientation = orientation;
    return WEIR_OK;
}

enum weir_result weir_source_take(weir_source *source, weir_source_frame *frame, int64_t *time_ns,
                                  bool *end)
{
    int64_t at_ns = 0;
    *end = false;
    enum weir_result result = weir_source_is_resampled(source) ? take_at_rate(source, &at_ns, end)
                                                               : take_in_turn(source, &at_ns, end);
    if (result == WEIR_OK && !*end) {
        const struct weir_shape shape = weir_shape_get(source->shown, source->reader.stream);
        warn_of_size(source, shape.width, shape.height);
        warn_of_made_up(source);
        result = set_frame(frame, source->shown, shape.orientation);
        source->num_read++;
        *time_ns = at_ns - source->zero_ns;
    }
    return result == WEIR_ERROR_OUT_OF_MEMORY
               ? weir_source_tell_no_memory(&source->params.log, source->name)
               : result;
}

const char *weir_source_name(const weir_source *source)
{
    return source->name;
}

struct weir_demux *weir_source_get_demux(const weir_source *source)
{
    return source->reader.demux;
}

// Frames between decoding and RGBA.

enum weir_result weir_source_frame_create(weir_source *source, weir_source_frame **out)
{
    struct weir_convert_params params = source->convert;
    weir_source_frame *frame = calloc(1, sizeof(*frame));
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    *out = NULL;
    if (frame) {
        params.log = &source->error_log;
        frame->source = source;
        frame->decoded = av_frame_alloc();
        result = weir_convert_init(&frame->convert, &params);
    }
    if (result != WEIR_OK || !frame->decoded) {
        weir_source_frame_destroy(&frame);
        return weir_source_tell_no_memory(&source->params.log, source->name);
    }
    *out = frame;
    return WEIR_OK;
}

void weir_source_frame_destroy(weir_source_frame **frame)
{
    if (!frame || !*frame) {
        return;
    }
    av_frame_free(&(*frame)->decoded);
    weir_convert_finish(&(*frame)->convert);
    free(*frame);
    *frame = NULL;
}

static bool takes_pitch(const weir_source *source, size_t pitch)
{
    return pitch >= (size_t)weir_convert_texel_size(&source->convert) * source->info.width &&
           pitch % WEIR_SOURCE_ALIGNMENT == 0 && pitch <= INT_MAX;
}

enum weir_result weir_source_frame_convert(weir_source_frame *frame, uint8_t *pixels, size_t pitch)
{
    weir_source *source = frame->source;
    if (!takes_pitch(source, pitch)) {
        return WEIR_ERROR_INVALID;
    }
    const enum weir_result result = weir_convert_run(
        &frame->convert, frame->decoded, &frame->meaning, frame->orientation, pixels, pitch);
    av_frame_unref(frame->decoded); // the decoder may use its memory again
    return result == WEIR_ERROR_OUT_OF_MEMORY
               ? weir_source_tell_no_memory(&source->error_log, source->name)
               : result;
}
