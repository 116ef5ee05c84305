// SPDX-License-Identifier: MIT
// A source: reads pictures, sequences and movies through FFmpeg's libraries as RGBA8 frames.
#include "capture/files/source/source.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <libavutil/common.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>

#include "capture/files/source/ahead.h"
#include "capture/files/source/convert.h"
#include "capture/files/source/list.h"
#include "capture/files/source/reader.h"
#include "capture/files/source/rotate.h"

enum { MAX_SIDE = 65535 }; // of a QuickTime movie
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
    struct weir_ahead *ahead; // decodes a sequence after its first picture
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

static int64_t frame_time(weir_source *source, uint64_t number)
{
    const AVRational frame_length = {(int)source->info.rate_den, (int)source->info.rate_num};
    int64_t time_ns = nominal_time(number, frame_length);
    if (source->list.pictures) {
        return time_ns;
    }
    const int64_t own_ns = own_time(source);
    if (source->params.rate_num == 0 && source->num_given > 0) {
        time_ns = increasing_time(source, own_ns, av_rescale_q(1, frame_length, nanoseconds));
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
    const AVRational frame_length = {(int)source->info.rate_den, (int)source->info.rate_num};
    int64_t said = weir_reader_duration_ns(&source->reader);
    int64_t found = av_sat_add64(source->furthest_ns, av_rescale_q(1, frame_length, nanoseconds));
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

// Get the size that the frame has when it is upright, and return the turns that make it so.
static int upright_size(const weir_source *source, uint32_t *width, uint32_t *height)
{
    int turns = weir_rotate_turns(source->frame, source->reader.stream);
    *width = (uint32_t)(turns % 2 != 0 ? source->frame->height : source->frame->width);
    *height = (uint32_t)(turns % 2 != 0 ? source->frame->width : source->frame->height);
    return turns;
}

// Return true if two frames would have the same time, as times are whole nanoseconds.
static bool is_too_fast(uint32_t rate_num, uint32_t rate_den)
{
    return rate_num > (uint64_t)rate_den * (uint64_t)nanoseconds.den;
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

static void set_rate(weir_source *source)
{
    AVRational rate = {(int)source->params.rate_num, (int)source->params.rate_den};
    if (rate.num == 0 && !source->list.pictures) {
        rate = weir_reader_rate(&source->reader);
    }
    if (rate.num <= 0 || rate.den <= 0 || is_too_fast((uint32_t)rate.num, (uint32_t)rate.den)) {
        rate = (AVRational){25, 1};
    }
    source->info.rate_num = (uint32_t)rate.num;
    source->info.rate_den = (uint32_t)rate.den;
}

static enum weir_result open_first(weir_source *source)
{
    source->frame = av_frame_alloc();
    if (!source->frame) {
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

enum weir_result weir_source_open(const struct weir_source_params *params, weir_source **out)
{
    *out = NULL;
    enum weir_result result = check_params(params);
    if (result != WEIR_OK) {
        return result;
    }
    weir_source *source = calloc(1, sizeof(*source));
    if (!source) {
        return WEIR_ERROR_OUT_OF_MEMORY;
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
        upright_size(source, &info->native_width, &info->native_height);
        info->width = params->width != 0 ? params->width : info->native_width;
        info->height = params->height != 0 ? params->height : info->native_height;
        result = weir_convert_init(&source->convert, source->params.path, info->width, info->height,
                                   &source->params.log);
        // A caller that sets the size has chosen the shape of the picture: no warning.
        source->convert.warned_shape = params->width != 0;
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
                    source->num_given - 1, info->width, info->height);
    source->warned_size = true;
}

enum weir_result weir_source_read(weir_source *source, uint8_t *pixels, size_t pitch,
                                  int64_t *time_ns, bool *end)
{
    *end = false;
    if (pitch < 4 * (size_t)source->info.width || pitch % WEIR_SOURCE_ALIGNMENT != 0 ||
        pitch > INT_MAX) {
        return WEIR_ERROR_INVALID;
    }
    if (!source->pending) {
        enum weir_result result = advance(source);
        if (result != WEIR_OK) {
            return result;
        }
        *end = !source->pending;
        if (*end) {
            return WEIR_OK;
        }
    }
    uint32_t width, height;
    int turns = upright_size(source, &width, &height);
    warn_of_size(source, width, height);
    enum weir_result result = weir_convert_run(&source->convert, source->frame, turns, pixels,
                                               pitch);
    source->pending = false;
    av_frame_unref(source->frame);
    *time_ns = source->pending_ns;
    return result;
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
        if (stat(source->list.files[i].path, &status) == 0 && status.st_dev == wanted.st_dev &&
            status.st_ino == wanted.st_ino) {
            return true;
        }
    }
    return false;
}

void weir_source_silence_libav(void)
{
    av_log_set_level(AV_LOG_QUIET);
}
