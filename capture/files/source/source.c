// SPDX-License-Identifier: MIT
// A source: reads pictures, sequences and movies through FFmpeg's libraries as RGBA8 frames.
#include "capture/files/source/source.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <libavutil/common.h>
#include <libavutil/imgutils.h>
#include <libavutil/mathematics.h>

#include "capture/files/source/ahead.h"
#include "capture/files/source/convert.h"
#include "capture/files/source/list.h"
#include "capture/files/source/memory.h"
#include "capture/files/source/orientation.h"
#include "capture/files/source/reader.h"

enum {
    MAX_SIDE = 65535, // of a QuickTime movie
    MAX_SHAPE = 4,    // of pixels: what is wider or higher is a mistake in the file
};
static const int64_t no_time = INT64_MIN, still_step_ns = 1000000;
static const AVRational nanoseconds = {1, 1000000000};

struct weir_source {
    struct weir_source_params params; // path: this struct's own copy
    struct weir_source_info info;
    struct weir_source_list list;
    struct weir_reader reader; // for a movie or a single picture
    struct weir_convert convert;
    AVFrame *frame;           // the next frame, if `pending`
    bool pending;             // a frame is decoded ahead, because opening needs the first one
    int64_t pending_ns;       // time of that frame
    AVFrame *shown;           // the frame that was given out last
    int64_t shown_ns, end_ns; // its time, and when it ends
    uint64_t num_read;        // frames given out
    bool held;                // the last frame was given out again, to last as long as it should
    struct weir_ahead *ahead; // decodes a sequence after its first picture
    AVRational frame_length;  // nominal, of the input [s]
    uint64_t num_given;       // frames decoded so far
    int64_t first_pts;
    int64_t last_ns;                // time of the last frame, as given out
    int64_t last_own_ns, offset_ns; // its own time stamp, and the number that was added to it
    int64_t furthest_ns;            // the latest own time stamp of a frame
    uint64_t num_errors;            // errors of readers that were closed
    bool warned_size, warned_time, warned_missing;
};

static struct weir_reader_params reader_params(const weir_source *source, const char *path)
{
    return (struct weir_reader_params){
        .path = path,
        .still = source->list.pictures,
        .interrupted = source->params.interrupted,
        .user = source->params.user,
        .memory = source->params.memory,
        .log = &source->params.log,
    };
}

static void set_names(weir_source *source, const struct weir_reader_names *names)
{
    struct weir_source_info *info = &source->info;
    snprintf(info->container, sizeof(info->container), "%s", names->container);
    snprintf(info->codec, sizeof(info->codec), "%s", names->codec);
}

// Decode the first picture that can be decoded, on this thread. Other threads decode later ones.
static enum weir_result decode_first_picture(weir_source *source, uint64_t *number, bool *end)
{
    size_t next = 0;
    bool decoded = false;
    while (!decoded && next < source->list.num_files) {
        const struct weir_source_file *file = &source->list.files[next++];
        struct weir_reader_params params = reader_params(source, file->path);
        struct weir_reader_names names;
        enum weir_result result = weir_reader_read_picture(&params, source->frame, &decoded,
                                                           &names);
        if (result != WEIR_OK) {
            return result;
        }
        if (decoded) {
            set_names(source, &names);
        } else {
            source->num_errors++;
        }
        *number = file->number;
    }
    *end = !decoded;
    if (!decoded) {
        return WEIR_OK;
    }
    int size = av_image_get_buffer_size((enum AVPixelFormat)source->frame->format,
                                        source->frame->width, source->frame->height, 1);
    const struct weir_ahead_params params = {
        .list = &source->list,
        .first = next,
        .picture_size = size > 0 ? (size_t)size : 0,
        .picture_need = weir_memory_need(&source->params.memory, (uint64_t)source->frame->width,
                                         (uint64_t)source->frame->height,
                                         (enum AVPixelFormat)source->frame->format),
        .reader = reader_params(source, NULL),
    };
    return weir_ahead_start(&params, &source->ahead);
}

// Get the next picture of the sequence that can be decoded.
static enum weir_result decode_picture(weir_source *source, uint64_t *number, bool *end)
{
    if (!source->ahead) {
        return decode_first_picture(source, number, end);
    }
    bool decoded = false;
    enum weir_result result = WEIR_OK;
    *end = false;
    while (result == WEIR_OK && !decoded && !*end) {
        if (source->params.interrupted && source->params.interrupted(source->params.user)) {
            return WEIR_ERROR_IO;
        }
        result = weir_ahead_next(source->ahead, source->frame, number, &decoded, end);
        source->num_errors += result == WEIR_OK && !decoded && !*end;
    }
    return result;
}

// Get the frame's own time since the first frame, or `no_time` if it has none.
static int64_t own_time(weir_source *source)
{
    int64_t pts = source->frame->best_effort_timestamp;
    if (source->num_given == 0) {
        source->first_pts = pts;
    }
    if (pts == AV_NOPTS_VALUE || source->first_pts == AV_NOPTS_VALUE) {
        return no_time;
    }
    return av_rescale_q(av_sat_sub64(pts, source->first_pts), source->reader.stream->time_base,
                        nanoseconds);
}

static void warn_of_time(weir_source *source)
{
    if (!source->warned_time) {
        weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_TIME_NOT_INCREASING,
                        "%s: time stamps stand still or start again; frames go on in order",
                        source->params.path);
    }
    source->warned_time = true;
}

// Turn a frame's own time into one that is later than that of the last frame. Own times that start
// again, as where two recordings were joined, continue after the last frame. An own time that
// stands still is moved by a millisecond. Sums are clamped to the largest time, because a file may
// state any time.
static int64_t increasing_time(weir_source *source, int64_t own_ns, int64_t frame_ns)
{
    if (own_ns == no_time) {
        return av_sat_add64(source->last_ns, frame_ns);
    }
    if (own_ns < source->last_own_ns) {
        source->offset_ns = av_sat_sub64(av_sat_add64(source->last_ns, frame_ns), own_ns);
    }
    int64_t time_ns = av_sat_add64(own_ns, source->offset_ns);
    if (own_ns <= source->last_own_ns) {
        warn_of_time(source);
    }
    return time_ns > source->last_ns ? time_ns : av_sat_add64(source->last_ns, still_step_ns);
}

// Get the time of a frame by its number. It is the largest time if the product is too large: the
// number is part of a file's name, and a header states the rate, so both may have any value.
static int64_t nominal_time(uint64_t number, AVRational frame_length)
{
    const int64_t time_ns = av_rescale_q((int64_t)number, frame_length, nanoseconds);
    return time_ns >= 0 ? time_ns : INT64_MAX;
}

static int64_t length_ns(const weir_source *source)
{
    return av_rescale_q(1, source->frame_length, nanoseconds);
}

// Get how long a frame is shown: as long as it states itself, else by the nominal rate.
static int64_t duration_of(const weir_source *source, const AVFrame *frame)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    const int64_t duration = frame->duration;
#else
    const int64_t duration = frame->pkt_duration;
#endif
    const AVStream *stream = source->reader.stream;
    const int64_t own = stream && duration > 0
                            ? av_rescale_q(duration, stream->time_base, nanoseconds)
                            : 0;
    return own > 0 ? own : length_ns(source);
}

static int64_t frame_time(weir_source *source, uint64_t number)
{
    int64_t time_ns = nominal_time(number, source->frame_length);
    if (source->list.pictures) {
        return time_ns;
    }
    const int64_t own_ns = own_time(source);
    if (source->num_given > 0) {
        time_ns = increasing_time(source, own_ns, length_ns(source));
    }
    if (own_ns != no_time) {
        source->last_own_ns = own_ns;
        source->furthest_ns = own_ns > source->furthest_ns ? own_ns : source->furthest_ns;
    }
    return time_ns;
}

// A movie that was cut short still plays. A warning says once that it ends before its header says.
static void warn_of_missing(weir_source *source)
{
    if (source->num_given == 0 || source->warned_missing || source->list.pictures) {
        return;
    }
    int64_t said = weir_reader_duration_ns(&source->reader);
    int64_t found = av_sat_add64(source->furthest_ns, length_ns(source));
    if (found >= said - said / 10) {
        return;
    }
    weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                    "%s: ends after %.2f s and should last %.2f s; it is damaged or cut short",
                    source->params.path, (double)found / 1e9, (double)said / 1e9);
    source->warned_missing = true;
}

// Decode the next frame into source->frame.
static enum weir_result advance(weir_source *source)
{
    bool end = false;
    uint64_t number = source->num_given;
    av_frame_unref(source->frame);
    enum weir_result result = source->list.pictures
                                  ? decode_picture(source, &number, &end)
                                  : weir_reader_read(&source->reader, source->frame, &end);
    source->pending = result == WEIR_OK && !end;
    if (end) {
        warn_of_missing(source);
    }
    if (!source->pending) {
        return result;
    }
    source->pending_ns = frame_time(source, number);
    source->last_ns = source->pending_ns;
    source->num_given++;
    return WEIR_OK;
}

// Get the size that the frame has when it is upright, and return how it is stored.
static int upright_size(const weir_source *source, const AVFrame *frame, uint32_t *width,
                        uint32_t *height)
{
    const int orientation = weir_orientation_get(frame, source->reader.stream);
    const bool swaps = weir_orientation_swaps_sides(orientation);
    *width = (uint32_t)(swaps ? frame->height : frame->width);
    *height = (uint32_t)(swaps ? frame->width : frame->height);
    return orientation;
}

// Players of HAP show texels as squares: make the picture wider, or higher, where they are not.
static void set_square_size(weir_source *source, int orientation)
{
    struct weir_source_info *info = &source->info;
    AVRational shape = source->frame->sample_aspect_ratio;
    if (shape.num <= 0 && source->reader.stream) {
        shape = source->reader.stream->sample_aspect_ratio;
    }
    if (weir_orientation_swaps_sides(orientation)) {
        shape = av_inv_q(shape);
    }
    const double ratio = shape.num > 0 && shape.den > 0 ? av_q2d(shape) : 1;
    const double width = info->native_width * fmax(ratio, 1);
    const double height = info->native_height / fmin(ratio, 1);
    info->width = info->native_width;
    info->height = info->native_height;
    if (ratio == 1 || ratio > MAX_SHAPE || ratio < 1.0 / MAX_SHAPE || width > MAX_SIDE ||
        height > MAX_SIDE) {
        return;
    }
    info->width = (uint32_t)lround(width);
    info->height = (uint32_t)lround(height);
    weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                    "%s: its pixels are %.4g times as wide as high; frames are scaled from %ux%u "
                    "to %ux%u, and --size chooses another size",
                    source->params.path, ratio, info->native_width, info->native_height,
                    info->width, info->height);
}

// Return true if two frames would have the same time, as times are whole nanoseconds.
static bool is_too_fast(uint32_t rate_num, uint32_t rate_den)
{
    return rate_num > (uint64_t)rate_den * (uint64_t)nanoseconds.den;
}

static bool is_pictures(const weir_source *source)
{
    return source->list.pictures || weir_reader_is_still(&source->reader);
}

// A movie gets a frame at each step of the rate that was asked for, and keeps its length.
static bool is_resampled(const weir_source *source)
{
    return source->params.rate_num != 0 && !is_pictures(source);
}

// The step of the rate that is nearest to a time.
static int64_t slot_of(const weir_source *source, int64_t time_ns)
{
    return av_rescale_q(time_ns, nanoseconds,
                        (AVRational){(int)source->params.rate_den, (int)source->params.rate_num});
}

static enum weir_result check_params(const struct weir_source_params *params)
{
    const char *fault = NULL;
    if (!params->path || params->path[0] == 0) {
        fault = "the path is empty; name a picture, sequence or movie";
    } else if ((params->width == 0) != (params->height == 0)) {
        fault = "width and height are given both or not at all";
    } else if (params->width > MAX_SIDE || params->height > MAX_SIDE) {
        fault = "width and height are at most 65535";
    } else if ((params->rate_num == 0) != (params->rate_den == 0) || params->rate_num > INT_MAX ||
               params->rate_den > INT_MAX) {
        fault = "rate_num and rate_den are a fraction of two 31-bit numbers above 0";
    } else if (is_too_fast(params->rate_num, params->rate_den)) {
        fault = "rate_num / rate_den is at most a frame in a nanosecond";
    }
    if (!fault) {
        return WEIR_OK;
    }
    weir_log_printf(&params->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_RANGE,
                    "weir_source_open: %s", fault);
    return WEIR_ERROR_INVALID;
}

static bool is_good_rate(AVRational rate)
{
    return rate.num > 0 && rate.den > 0 && !is_too_fast((uint32_t)rate.num, (uint32_t)rate.den);
}

static void set_rate(weir_source *source)
{
    const AVRational wanted = {(int)source->params.rate_num, (int)source->params.rate_den};
    AVRational own = is_pictures(source) ? wanted : weir_reader_rate(&source->reader);
    if (!is_good_rate(own)) {
        own = (AVRational){25, 1};
    }
    source->frame_length = av_inv_q(own);
    const AVRational rate = wanted.num != 0 ? wanted : own;
    source->info.rate_num = (uint32_t)rate.num;
    source->info.rate_den = (uint32_t)rate.den;
    if (is_resampled(source)) {
        const int64_t length = weir_reader_duration_ns(&source->reader);
        source->info.num_frames = (uint64_t)slot_of(source, length); // 0 if it is not known
    }
}

static enum weir_result open_first(weir_source *source)
{
    source->frame = av_frame_alloc();
    source->shown = av_frame_alloc();
    if (!source->frame || !source->shown) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (!source->list.pictures) {
        struct weir_reader_params params = reader_params(source, source->list.files[0].path);
        enum weir_result result = weir_reader_open(&source->reader, &params);
        if (result != WEIR_OK) {
            return result;
        }
        source->info.num_frames = weir_reader_num_frames(&source->reader);
        const struct weir_reader_names names = weir_reader_get_names(&source->reader);
        set_names(source, &names);
    } else {
        source->info.num_frames = source->list.num_files;
    }
    set_rate(source);
    enum weir_result result = advance(source);
    if (result == WEIR_OK && !source->pending) {
        weir_log_printf(&source->params.log, WEIR_LOG_ERROR, WEIR_LOG_CODE_NOT_A_PICTURE,
                        "%s: not one picture in it can be decoded; %s", source->params.path,
                        weir_reader_explain(&source->reader));
        result = WEIR_ERROR_DATA;
    }
    return result;
}

static enum weir_result tell_no_memory(const struct weir_source_params *params)
{
    weir_log_printf(&params->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                    "no memory to read %s; close other programs, or make it smaller", params->path);
    return WEIR_ERROR_OUT_OF_MEMORY;
}

enum weir_result weir_source_open(const struct weir_source_params *params, weir_source **out)
{
    *out = NULL;
    enum weir_result result = check_params(params);
    if (result != WEIR_OK) {
        return result;
    }
    weir_source *source = calloc(1, sizeof(*source));
    if (!source) {
        return tell_no_memory(params);
    }
    source->params = *params;
    source->params.path = strdup(params->path);
    result = source->params.path ? weir_source_list_find(&source->list, params->path, &params->log)
                                 : WEIR_ERROR_OUT_OF_MEMORY;
    if (result == WEIR_OK) {
        result = open_first(source);
    }
    if (result == WEIR_OK) {
        struct weir_source_info *info = &source->info;
        const int orientation = upright_size(source, source->frame, &info->native_width,
                                             &info->native_height);
        info->width = params->width;
        info->height = params->height;
        if (params->width == 0) {
            set_square_size(source, orientation);
        }
        result = weir_convert_init(&source->convert, source->params.path, info->width, info->height,
                                   params->tonemap, &source->params.log);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        tell_no_memory(params);
    }
    if (result != WEIR_OK) {
        weir_source_close(&source);
        return result;
    }
    *out = source;
    return WEIR_OK;
}

void weir_source_close(weir_source **source)
{
    if (!source || !*source) {
        return;
    }
    weir_ahead_stop(&(*source)->ahead);
    weir_convert_finish(&(*source)->convert);
    av_frame_free(&(*source)->frame);
    av_frame_free(&(*source)->shown);
    weir_reader_close(&(*source)->reader);
    weir_source_list_finish(&(*source)->list);
    free((char *)(*source)->params.path);
    free(*source);
    *source = NULL;
}

struct weir_source_info weir_source_get_info(const weir_source *source)
{
    return source->info;
}

static void warn_of_size(weir_source *source, uint32_t width, uint32_t height)
{
    const struct weir_source_info *info = &source->info;
    if (source->warned_size || (width == info->native_width && height == info->native_height)) {
        return;
    }
    weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FRAME_SIZE,
                    "%s: the size changes from %ux%u to %ux%u at frame %" PRIu64
                    "; all frames are scaled to %ux%u",
                    source->params.path, info->native_width, info->native_height, width, height,
                    source->num_read, info->width, info->height);
    source->warned_size = true;
}

// Take the next frame, if there is one, as the frame that is shown.
static enum weir_result take_next(weir_source *source)
{
    av_frame_unref(source->shown);
    av_frame_move_ref(source->shown, source->frame);
    source->shown_ns = source->pending_ns;
    source->end_ns = av_sat_add64(source->shown_ns, duration_of(source, source->shown));
    return advance(source);
}

// Find the frame of the next step of the rate. `*end`: the movie is over by then.
static enum weir_result take_at_rate(weir_source *source, int64_t *time_ns, bool *end)
{
    const int64_t step = (int64_t)source->num_read;
    enum weir_result result = step == 0 ? take_next(source) : WEIR_OK;
    while (result == WEIR_OK && source->pending && slot_of(source, source->pending_ns) <= step) {
        result = take_next(source);
    }
    *end = !source->pending && step > 0 && step >= slot_of(source, source->end_ns);
    *time_ns = nominal_time(
        source->num_read, (AVRational){(int)source->params.rate_den, (int)source->params.rate_num});
    return result;
}

// Take the next frame with its own time. The last one comes twice if it is shown for longer than
// others: a movie ends one frame after the time of its last frame.
static enum weir_result take_in_turn(weir_source *source, int64_t *time_ns, bool *end)
{
    if (source->pending) {
        const enum weir_result result = take_next(source);
        *time_ns = source->shown_ns;
        return result;
    }
    const int64_t again_ns = source->end_ns - length_ns(source);
    *end = source->held || is_pictures(source) ||
           again_ns - source->shown_ns < length_ns(source) / 2;
    source->held = true;
    *time_ns = again_ns;
    return WEIR_OK;
}

enum weir_result weir_source_read(weir_source *source, uint8_t *pixels, size_t pitch,
                                  int64_t *time_ns, bool *end)
{
    *end = false;
    if (pitch < 4 * (size_t)source->info.width || pitch % WEIR_SOURCE_ALIGNMENT != 0 ||
        pitch > INT_MAX) {
        return WEIR_ERROR_INVALID;
    }
    int64_t at_ns = 0;
    enum weir_result result = is_resampled(source) ? take_at_rate(source, &at_ns, end)
                                                   : take_in_turn(source, &at_ns, end);
    if (result != WEIR_OK || *end) {
        return result == WEIR_ERROR_OUT_OF_MEMORY ? tell_no_memory(&source->params) : result;
    }
    uint32_t width, height;
    const int orientation = upright_size(source, source->shown, &width, &height);
    warn_of_size(source, width, height);
    result = weir_convert_run(&source->convert, source->shown, orientation, pixels, pitch);
    source->num_read++;
    *time_ns = at_ns;
    return result == WEIR_ERROR_OUT_OF_MEMORY ? tell_no_memory(&source->params) : result;
}

uint64_t weir_source_num_errors(const weir_source *source)
{
    return source->num_errors + source->reader.num_errors;
}

bool weir_source_reads_file(const weir_source *source, const char *path)
{
    struct stat wanted, status;
    if (stat(path, &wanted) != 0) {
        return false;
    }
    for (size_t i = 0; i < source->list.num_files; i++) {
        if (weir_source_stat(source->list.files[i].path, &status) &&
            status.st_dev == wanted.st_dev && status.st_ino == wanted.st_ino) {
            return true;
        }
    }
    return false;
}
