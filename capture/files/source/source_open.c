// SPDX-License-Identifier: MIT
// Opens a source: finds its files, and decodes its first frame.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/mathematics.h>

#include "capture/files/source/source_parts.h"

static struct weir_reader_params reader_params(const weir_source *source, const char *path)
{
    return (struct weir_reader_params){
        .path = path,
        .still = source->list.pictures,
        .keeps_audio = source->params.keeps_audio,
        .video_track = source->params.video_track,
        .memory = source->params.memory,
        .picture = source->params.still,
        .log = &source->params.log,
    };
}

// Get the decoder of its own that the first picture has; NULL: FFmpeg's.
static const struct weir_still_decoder *still_of(const weir_source *source)
{
    return source->list.pictures ? source->sequence.still : source->reader.still;
}

// Set the size of the frames that are given out.
static void set_size(weir_source *source)
{
    struct weir_source_info *info = &source->info;
    const struct weir_source_params *params = &source->params;
    const AVFrame *first = source->shown->buf[0] ? source->shown : source->frame;
    const struct weir_shape shape = weir_shape_get(first, source->reader.stream);
    info->is_deep = weir_memory_value_size((enum AVPixelFormat)first->format) > 1;
    weir_describe_frame(first, info->coding, sizeof(info->coding));
    info->native_width = shape.width;
    info->native_height = shape.height;
    info->width = params->width;
    info->height = params->height;
    info->pixel_aspect_num = info->pixel_aspect_den = 1;
    if (params->keeps_pixels) {
        info->width = params->width != 0 ? params->width : shape.width;
        info->height = params->height != 0 ? params->height : shape.height;
        const AVRational ratio = weir_shape_pixels(&shape, info->width, info->height);
        info->pixel_aspect_num = (uint32_t)ratio.num;
        info->pixel_aspect_den = (uint32_t)ratio.den;
    } else if (params->width == 0 && weir_shape_make_square(&shape, &info->width, &info->height)) {
        weir_log_printf(&params->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "%s: its pixels are %.4g times as wide as high; frames are scaled from "
                        "%ux%u to %ux%u, and --size chooses another size",
                        source->name, av_q2d(shape.ratio), shape.width, shape.height, info->width,
                        info->height);
    }
}

static void set_rate(weir_source *source)
{
    const AVRational wanted = {(int)source->params.rate_num, (int)source->params.rate_den};
    source->times.frame_length = weir_rate_length(wanted);
    if (!weir_source_is_pictures(source)) {
        source->times.grid = weir_rate_of_movie(&source->reader);
        source->times.frame_length = source->times.grid;
    }
    if (source->times.frame_length.num == 0) {
        source->times.frame_length = (AVRational){1, 25};
    }
    const AVRational rate = wanted.num != 0 ? wanted : av_inv_q(source->times.frame_length);
    source->info.rate_num = (uint32_t)rate.num;
    source->info.rate_den = (uint32_t)rate.den;
    if (weir_source_is_resampled(source)) {
        const int64_t length = weir_reader_duration_ns(&source->reader);
        source->info.num_frames = (uint64_t)weir_source_slot(source,
                                                             length); // 0 if it is not known
    }
}

// The time of the first frame, which the audio of a movie needs to know.
static void set_start(weir_source *source)
{
    if (!source->list.pictures && source->reader.stream &&
        source->times.first_pts != AV_NOPTS_VALUE) {
        source->info.start_ns = av_rescale_q(
            source->times.first_pts, source->reader.stream->time_base, (AVRational){1, 1000000000});
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
        WEIR_TRY(weir_reader_open(&source->reader, &params));
        weir_reader_describe(&source->reader, &source->info);
        set_rate(source);
        WEIR_TRY(weir_range_choose_part(source));
        // Before the first read: a demuxer that reads on may change them.
        if (!weir_source_read_chapters(source)) {
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
    } else {
        source->info.num_frames = source->list.num_files;
        set_rate(source);
        WEIR_TRY(weir_range_choose_part(source));
        source->sequence = (struct weir_sequence){
            .list = &source->list,
            .reader = reader_params(source, NULL),
            .first = weir_range_first_file(source),
        };
    }
    enum weir_result result = weir_source_advance(source);
    const bool is_part = source->params.from_ns > 0 || source->params.to_ns < INT64_MAX;
    const bool is_behind = source->list.pictures &&
                           source->sequence.first == source->list.num_files;
    if (result == WEIR_OK && !source->pending && !is_behind) {
        result = weir_fail(&source->params.log, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
                           "%s: not one picture in it can be decoded; it is damaged, cut short, or "
                           "of a kind that this FFmpeg does not read",
                           source->name);
    }
    if (result == WEIR_OK) {
        weir_reader_warn_of_unused(&source->params.still, source->name, still_of(source),
                                   weir_source_is_pictures(source), &source->params.log);
        set_start(source);
    }
    result = result == WEIR_OK && is_part ? weir_range_enter(source) : result;
    weir_source_settle_chapters(source);
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
    WEIR_TRY(
        weir_source_list_find_all(&source->list, params->paths, params->num_paths, &params->log));
    if (num_others > 0) {
        weir_source_list_warn_of_order(&source->list, &params->log);
    }
    return WEIR_OK;
}

static bool is_premultiplied(const weir_source *source)
{
    return source->params.alpha == WEIR_SOURCE_ALPHA_AUTO
               ? still_of(source) && still_of(source)->is_associated
               : source->params.alpha == WEIR_SOURCE_ALPHA_PREMULTIPLIED;
}

static void print_one_error(void *user, const struct weir_log_message *message)
{
    weir_source *source = user;
    if (message->severity != WEIR_LOG_ERROR || !atomic_exchange(&source->has_told_error, true)) {
        source->params.log.print(source->params.log.user, message);
    }
}

static void set_conversion(weir_source *source)
{
    const struct weir_source_params *params = &source->params;
    source->error_log = params->log;
    if (params->log.print) {
        source->error_log.print = print_one_error;
        source->error_log.user = source;
    }
    source->convert = (struct weir_convert_params){
        .path = source->name,
        .log = &params->log,
        .width = source->info.width,
        .height = source->info.height,
        .tonemap = params->tonemap,
        .keeps_alpha = params->keeps_alpha,
        .is_premultiplied = is_premultiplied(source),
        .premultiplies = params->premultiplies,
        .linear = params->linear,
    };
}

enum weir_result weir_source_open(const struct weir_source_params *params, weir_source **out)
{
    *out = NULL;
    if (params->paths[0][0] == 0) {
        return weir_fail(&params->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "the path is empty; name a picture, sequence or movie");
    }
    weir_source *source = calloc(1, sizeof(*source));
    if (!source) {
        return weir_source_tell_no_memory(&params->log, params->paths[0]);
    }
    source->params = *params;
    source->params.to_ns = params->to_ns == 0 ? INT64_MAX : params->to_ns;
    source->info.end_ns = INT64_MAX;
    enum weir_result result = make_list(source);
    if (result == WEIR_OK) {
        result = open_first(source);
    }
    if (result == WEIR_OK) {
        set_size(source);
        set_conversion(source);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        weir_source_tell_no_memory(&params->log, params->paths[0]);
    }
    *out = source;
    return result;
}

void weir_source_close(weir_source **source)
{
    if (!source || !*source) {
        return;
    }
    weir_sequence_finish(&(*source)->sequence);
    av_frame_free(&(*source)->frame);
    av_frame_free(&(*source)->shown);
    weir_reader_close(&(*source)->reader);
    free((*source)->chapters);
    weir_source_list_finish(&(*source)->list);
    free((*source)->name);
    free(*source);
    *source = NULL;
}
