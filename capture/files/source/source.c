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
#include <libavutil/mathematics.h>

#include "capture/files/source/convert.h"
#include "capture/files/source/list.h"
#include "capture/files/source/reader.h"
#include "capture/files/source/sequence.h"
#include "capture/files/source/shape.h"
#include "capture/files/source/times.h"

static const AVRational nanoseconds = {1, 1000000000};

struct weir_source {
    struct weir_source_params params; // `paths` is of no use any more
    char *name;                       // of the input, for messages
    struct weir_source_info info;
    struct weir_source_list list;
    struct weir_reader reader;     // for a movie or a single picture
    struct weir_sequence sequence; // for several pictures
    struct weir_convert convert;
    AVFrame *frame;           // the next frame, if `pending`
    bool pending;             // a frame is decoded ahead, because opening needs the first one
    int64_t pending_ns;       // time of that frame
    AVFrame *shown;           // the frame that was given out last
    int64_t shown_ns, end_ns; // its time, and when it ends
    uint64_t num_read;        // frames given out
    bool held;                // the last frame was given out again, to last as long as it should
    struct weir_times times;  // of the frames decoded so far
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

static void set_names(weir_source *source)
{
    struct weir_source_info *info = &source->info;
    const struct weir_reader_names names = source->list.pictures
                                               ? source->sequence.names
                                               : weir_reader_get_names(&source->reader);
    snprintf(info->container, sizeof(info->container), "%s", names.container);
    snprintf(info->codec, sizeof(info->codec), "%s", names.codec);
}

static void warn_of_time(weir_source *source)
{
    if (source->times.is_odd && !source->warned_time) {
        weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_TIME_NOT_INCREASING,
                        "%s: time stamps stand still or start again; frames go on in order",
                        source->name);
        source->warned_time = true;
    }
}

// Pictures have no time base: 0/1.
static AVRational time_base(const weir_source *source)
{
    return source->reader.stream ? source->reader.stream->time_base : (AVRational){0, 1};
}

// What the sound of a movie needs to know.
static void set_sound(weir_source *source)
{
    struct weir_source_info *info = &source->info;
    const AVFormatContext *format = source->reader.format;
    if (source->list.pictures || !source->reader.stream) {
        return;
    }
    if (source->times.first_pts != AV_NOPTS_VALUE) {
        info->start_ns = av_rescale_q(source->times.first_pts, time_base(source), nanoseconds);
    }
    for (unsigned i = 0; i < format->nb_streams; i++) {
        info->num_audio += format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    }
}

static int64_t frame_time(weir_source *source, uint64_t number)
{
    if (source->list.pictures || !source->reader.stream) {
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
    int64_t said = weir_reader_duration_ns(&source->reader);
    int64_t found = av_sat_add64(source->times.furthest_ns, weir_times_length(&source->times));
    if (found >= said - said / 10) {
        return;
    }
    weir_log_printf(&source->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                    "%s: ends after %.2f s and should last %.2f s; it is damaged or cut short",
                    source->name, (double)found / 1e9, (double)said / 1e9);
    source->warned_missing = true;
}

// Decode the next frame into source->frame.
static enum weir_result advance(weir_source *source)
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

static struct weir_shape shape_of(const weir_source *source, const AVFrame *frame)
{
    return weir_shape_get(frame, source->reader.stream);
}

// Set the size of the frames that are given out.
static void set_size(weir_source *source)
{
    struct weir_source_info *info = &source->info;
    const struct weir_source_params *params = &source->params;
    const struct weir_shape shape = shape_of(source, source->frame);
    info->native_width = shape.width;
    info->native_height = shape.height;
    info->width = params->width;
    info->height = params->height;
    if (params->width == 0 && weir_shape_make_square(&shape, &info->width, &info->height)) {
        weir_log_printf(&params->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "%s: its pixels are %.4g times as wide as high; frames are scaled from "
                        "%ux%u to %ux%u, and --size chooses another size",
                        source->name, shape.ratio, shape.width, shape.height, info->width,
                        info->height);
    }
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
    if (params->num_paths == 0 || params->paths[0][0] == 0) {
        fault = "the path is empty; name a picture, sequence or movie";
    } else if ((params->width == 0) != (params->height == 0)) {
        fault = "width and height are given both or not at all";
    } else if (params->width > WEIR_SHAPE_MAX_SIDE || params->height > WEIR_SHAPE_MAX_SIDE) {
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
    source->times.frame_length = av_inv_q(own);
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
    } else {
        source->info.num_frames = source->list.num_files;
        const struct weir_reader_params params = reader_params(source, NULL);
        weir_sequence_init(&source->sequence, &source->list, &params);
    }
    set_rate(source);
    enum weir_result result = advance(source);
    if (result == WEIR_OK && !source->pending) {
        weir_log_printf(&source->params.log, WEIR_LOG_ERROR, WEIR_LOG_CODE_NOT_A_PICTURE,
                        "%s: not one picture in it can be decoded; %s", source->name,
                        weir_reader_explain(&source->reader));
        result = WEIR_ERROR_DATA;
    }
    if (result == WEIR_OK) {
        set_names(source);
        set_sound(source);
    }
    return result;
}

static enum weir_result make_list(weir_source *source)
{
    const struct weir_source_params *params = &source->params;
    const char *first = params->paths[0];
    const size_t num_others = params->num_paths - 1, size = strlen(first) + 64;
    source->name = malloc(size);
    if (!source->name) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    snprintf(source->name, size, "%s", first);
    if (num_others > 0) {
        snprintf(source->name, size, "%s and %zu other%s", first, num_others,
                 num_others == 1 ? "" : "s");
    }
    const enum weir_result result = weir_source_list_find_all(&source->list, params->paths,
                                                              params->num_paths, &params->log);
    if (result == WEIR_OK && num_others > 0) {
        weir_source_list_warn_of_order(&source->list, &params->log);
    }
    return result;
}

static enum weir_result tell_no_memory(const struct weir_log *log, const char *name)
{
    weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                    "no memory to read %s; close other programs, or make it smaller", name);
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
        return tell_no_memory(&params->log, params->paths[0]);
    }
    source->params = *params;
    result = make_list(source);
    if (result == WEIR_OK) {
        result = open_first(source);
    }
    if (result == WEIR_OK) {
        set_size(source);
        result = weir_convert_init(&source->convert, source->name, source->info.width,
                                   source->info.height, params->tonemap, &source->params.log);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        tell_no_memory(&params->log, params->paths[0]);
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
    weir_sequence_finish(&(*source)->sequence);
    weir_convert_finish(&(*source)->convert);
    av_frame_free(&(*source)->frame);
    av_frame_free(&(*source)->shown);
    weir_reader_close(&(*source)->reader);
    weir_source_list_finish(&(*source)->list);
    free((*source)->name);
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
                    source->name, info->native_width, info->native_height, width, height,
                    source->num_read, info->width, info->height);
    source->warned_size = true;
}

// Take the next frame, if there is one, as the frame that is shown.
static enum weir_result take_next(weir_source *source)
{
    av_frame_unref(source->shown);
    av_frame_move_ref(source->shown, source->frame);
    source->shown_ns = source->pending_ns;
    source->end_ns = av_sat_add64(
        source->shown_ns, weir_times_duration(&source->times, source->shown, time_base(source)));
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
    *time_ns = weir_times_nominal(
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
    const int64_t length_ns = weir_times_length(&source->times);
    const int64_t again_ns = source->end_ns - length_ns;
    *end = source->held || is_pictures(source) || again_ns - source->shown_ns < length_ns / 2;
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
        return result == WEIR_ERROR_OUT_OF_MEMORY
                   ? tell_no_memory(&source->params.log, source->name)
                   : result;
    }
    const struct weir_shape shape = shape_of(source, source->shown);
    warn_of_size(source, shape.width, shape.height);
    result = weir_convert_run(&source->convert, source->shown, shape.orientation, pixels, pitch);
    source->num_read++;
    *time_ns = at_ns;
    return result == WEIR_ERROR_OUT_OF_MEMORY ? tell_no_memory(&source->params.log, source->name)
                                              : result;
}

const char *weir_source_name(const weir_source *source)
{
    return source->name;
}

uint64_t weir_source_num_errors(const weir_source *source)
{
    return source->sequence.num_errors + source->reader.num_errors;
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
