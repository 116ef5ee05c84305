// SPDX-License-Identifier: MIT
// A movie that is made of an input: from the source over the device into the capture.
#include "capture/weir/movie/movie.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture/base/thread.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/gpu/scaler.h"

static uint64_t num_expected(const struct cli_movie *movie)
{
    uint64_t wanted = movie->params.max_frames, there = movie->info.num_frames;
    return wanted != 0 && (there == 0 || wanted < there) ? wanted : there;
}

void cli_movie_frame_done(struct cli_movie *movie)
{
    if (!movie->progress.shown && !movie->params.report) {
        return;
    }
    const struct weir_capture_stats stats = weir_capture_get_stats(movie->capture);
    if (movie->params.report) {
        movie->params.report->stats = stats;
    }
    cli_progress_update(&movie->progress, stats.written, num_expected(movie), stats.bytes);
}

// The source leaves it to the scaling to multiply codes by alpha: light is averaged before.
static bool multiplies_late(const struct cli_movie *movie)
{
    return movie->params.capture.movie.premultiplied && cli_scale_is_given(&movie->params.scale);
}

static bool is_scaled(const struct cli_movie *movie)
{
    return movie->shape.width != movie->info.width || movie->shape.height != movie->info.height ||
           multiplies_late(movie);
}

// Frames of more than 8 bits keep them, for dithering. A filter of the caller's takes 8.
static void choose_format(struct cli_movie *movie, bool has_filter)
{
    const VkFormat deep = VK_FORMAT_R16G16B16A16_UNORM;
    movie->format = movie->params.codec->is_linear ? VK_FORMAT_R16G16B16A16_SFLOAT
                                                   : VK_FORMAT_R8G8B8A8_UNORM;
    if (!movie->params.codec->is_linear && movie->info.is_deep && !has_filter &&
        cli_gpu_has_format(&movie->gpu, deep) &&
        (!is_scaled(movie) || cli_scaler_writes(&movie->gpu, deep))) {
        movie->format = deep;
        cli_source_give_16_bits(movie->source);
    }
}

// What a texel of a frame takes, of 4 or 8 bytes [bytes]: two slots of the stream, each with a
// staging buffer, an image and, of 4 bytes, the planes of the conversion; and what the capture has
// of its own.
static uint32_t work_size(uint32_t texel_size)
{
    const uint32_t planes = texel_size == 4 ? 4 : 0;
    return 2 * (2 * texel_size + planes) + 4;
}

// The most that a texel takes for the scaling [bytes]: light as floats, and two results.
static uint32_t scaling_size(const struct cli_movie *movie, uint32_t texel_size)
{
    return cli_scale_is_given(&movie->params.scale) ? 16 + 2 * texel_size : 0;
}

// What frames take that are as large as those of the source. Codes of more than 8 bits may go
// through others of 16.
static struct weir_memory_use memory_use(const struct cli_movie *movie)
{
    struct weir_memory_use use = cli_memory_use(movie->params.max_memory, 0, 0);
    const bool is_linear = movie->params.codec->is_linear;
    if (movie->params.size.width == 0) {
        const uint32_t texel_size = is_linear ? 8 : 4;
        use.texel_size = work_size(texel_size) + scaling_size(movie, texel_size);
        use.deep_texel_size = is_linear ? 0
                                        : work_size(8) + 16 - work_size(4) +
                                              scaling_size(movie, 8) - scaling_size(movie, 4);
    }
    return use;
}

static enum weir_result check_size(const struct cli_movie *movie)
{
    const struct cli_size *size = &movie->params.size;
    const uint64_t limit = memory_use(movie).limit;
    const bool is_large = movie->params.codec->is_linear || movie->info.is_deep;
    const uint64_t need = (uint64_t)work_size(is_large ? 8 : 4) * size->width * size->height;
    if (need <= limit) {
        return WEIR_OK;
    }
    return cli_fail(WEIR_ERROR_UNSUPPORTED,
                    "--size %ux%u: frames would take %" PRIu64 " MiB of memory, and %" PRIu64
                    " MiB are allowed; choose a smaller size, or allow more by --max-memory",
                    size->width, size->height, need >> 20, limit >> 20);
}

static struct weir_source_params source_params(const struct cli_movie *movie)
{
    const struct cli_movie_params *wanted = &movie->params;
    struct weir_source_params params = wanted->source;
    params.paths = wanted->inputs.paths;
    params.num_paths = wanted->inputs.num;
    params.width = wanted->size.width;
    params.height = wanted->size.height;
    params.rate_num = wanted->rate.num;
    params.rate_den = wanted->rate.den;
    params.from_ns = wanted->range.from_ns;
    params.to_ns = wanted->range.to_ns;
    params.part = wanted->part.number;
    params.num_parts = wanted->part.num;
    params.keeps_alpha = wanted->codec->has_alpha;
    params.premultiplies = wanted->capture.movie.premultiplied && !multiplies_late(movie);
    params.linear = wanted->codec->is_linear;
    params.keeps_audio = !wanted->no_audio && !wanted->sound_from;
    params.memory = memory_use(movie);
    params.log = cli_log;
    return params;
}

// Print what the movie will not have, in one line.
static void tell_of_what_is_left(struct cli_movie *movie)
{
    char *text = movie->info.not_kept;
    const size_t length = strlen(text);
    if (movie->info.timecode[0] != 0 && !movie->params.timecode) {
        snprintf(text + length, sizeof(movie->info.not_kept) - length,
                 "%sits time code (--timecode keep)", length > 0 ? ", " : "");
    }
    if (text[0] != 0) {
        cli_report_warning("%s: left out: %s", cli_source_name(movie->source), text);
    }
}

// True if a path is a file that is read, whatever name that is called by.
static bool is_input(const struct cli_inputs *inputs, const char *path)
{
    static const struct weir_log silent;
    struct weir_source_list list;
    bool is = false;
    if (weir_source_list_find_all(&list, inputs->paths, inputs->num, &silent) != WEIR_OK) {
        return false;
    }
    for (size_t i = 0; i < list.num_files && !is; i++) {
        is = cli_is_same_file(list.files[i].path, path);
    }
    weir_source_list_finish(&list);
    return is;
}

static enum weir_result open_source(struct cli_movie *movie)
{
    const struct weir_source_params params = source_params(movie);
    WEIR_TRY(cli_source_open(&params, movie->params.max_memory, &movie->source));
    movie->info = cli_source_get_info(movie->source);
    tell_of_what_is_left(movie);
    if (movie->params.report) {
        movie->params.report->is_read = true;
        movie->params.report->input = movie->info;
    }
    CLI_FAIL_IF(is_input(&movie->params.inputs, movie->params.output), WEIR_ERROR_INVALID,
                "%s is the input itself; give the output another name", movie->params.output);
    WEIR_TRY(cli_movie_choose_shape(movie));
    return check_size(movie);
}

enum weir_result cli_movie_open_again(const struct cli_movie *movie, cli_source **source)
{
    struct weir_source_params params = source_params(movie);
    params.log.least_severity = WEIR_LOG_ERROR;
    params.keeps_audio = false;
    CLI_FAIL_IF(movie->info.is_read_once, WEIR_ERROR_UNSUPPORTED,
                "%s can be read only once, but this has to read it several times; store it "
                "in a file first",
                cli_source_name(movie->source));
    WEIR_TRY(cli_source_open(&params, movie->params.max_memory, source));
    const struct weir_source_info info = cli_source_get_info(*source);
    return info.width == movie->info.width && info.height == movie->info.height
               ? WEIR_OK
               : cli_fail(WEIR_ERROR_IO,
                          "%s was changed while it was read: its frames have another size",
                          cli_source_name(*source));
}

// Go on to the time code of the first frame, where a range leaves out others before it.
static void keep_timecode(struct cli_movie *movie, const struct weir_timecode *timecode)
{
    const struct weir_source_info *info = &movie->info;
    const double seconds = (double)info->before_ns * 1e-9;
    const double num_frames = seconds * info->rate_num / info->rate_den + 0.5;
    const struct weir_timecode first = weir_timecode_after(timecode, (uint64_t)num_frames);
    weir_timecode_format(&first, movie->kept_timecode);
    movie->timecode = movie->kept_timecode;
}

// Choose the time code, which counts frames of the movie's nominal rate.
static enum weir_result choose_timecode(struct cli_movie *movie)
{
    const struct weir_source_info *info = &movie->info;
    const char *given = movie->params.timecode;
    const bool keeps = given && strcmp(given, "keep") == 0;
    movie->timecode = keeps ? info->timecode : given;
    if (keeps && info->timecode[0] == 0) {
        movie->timecode = NULL;
        cli_report_warning("%s has no time code, so the movie gets none; --timecode HH:MM:SS:FF "
                           "gives it one",
                           cli_source_name(movie->source));
    }
    struct weir_timecode timecode;
    const char *wrong = movie->timecode ? weir_timecode_parse(movie->timecode, info->rate_num,
                                                              info->rate_den, &timecode)
                                        : NULL;
    CLI_FAIL_IF(wrong, WEIR_ERROR_INVALID, "--timecode %s%s%s, for %s of %.6g frames a second: %s",
                given, keeps ? ": " : "", keeps ? movie->timecode : "",
                cli_source_name(movie->source), (double)info->rate_num / info->rate_den, wrong);
    if (keeps && movie->timecode) {
        keep_timecode(movie, &timecode);
    }
    return WEIR_OK;
}

static void *open_gpu(void *user)
{
    struct cli_movie *movie = user;
    return (void *)(intptr_t)cli_gpu_open(
        &movie->gpu,
        weir_device_params(.index = movie->params.device, .validation = movie->params.validation));
}

static enum weir_result finish_opening(struct cli_movie *movie)
{
    void *result;
    if (!movie->is_opening || pthread_join(movie->opener, &result) != 0) {
        result = open_gpu(movie);
    }
    movie->is_opening = false;
    return (enum weir_result)(intptr_t)result;
}

static enum weir_result check_side(const struct cli_movie *movie)
{
    uint32_t limit = movie->gpu.properties.limits.maxImageDimension2D;
    limit = limit < CLI_MAX_SIDE ? limit : CLI_MAX_SIDE;
    if (movie->info.width > limit || movie->info.height > limit) {
        bool given = movie->params.size.width != 0;
        return cli_fail(WEIR_ERROR_UNSUPPORTED,
                        "%s is %ux%u; %s takes at most %u a side: give a smaller size%s",
                        given ? "--size" : cli_source_name(movie->source), movie->info.width,
                        movie->info.height, movie->gpu.properties.deviceName, limit,
                        given ? "" : " by --size");
    }
    return WEIR_OK;
}

uint64_t cli_movie_memory_limit(const struct cli_movie *movie)
{
    return memory_use(movie).limit;
}

static void note_end(struct cli_movie *movie, const struct weir_capture_stats *stats,
                     double seconds)
{
    struct cli_movie_report *report = movie->params.report;
    report->stats = *stats;
    report->counts = cli_source_get_info(movie->source).counts;
    report->early_seconds = (double)movie->audio.early_ns / 1e9;
    report->seconds = seconds;
    snprintf(report->timecode, sizeof(report->timecode), "%s",
             movie->timecode ? movie->timecode : "");
}

enum weir_result cli_movie_run(struct cli_movie *movie, const struct cli_stream_filter *filter)
{
    bool stopped = false;
    choose_format(movie, filter != NULL);
    cli_progress_start(&movie->progress, movie->params.quiet);
    movie->progress.label = movie->params.label;
    movie->progress.works = movie->params.works;
    enum weir_result result = is_scaled(movie)
                                  ? cli_movie_stream_scaled(movie, multiplies_late(movie), &stopped)
                                  : cli_movie_stream(movie, filter, &stopped);
    struct weir_capture_stats stats;
    enum weir_result closed = weir_capture_close(&movie->capture, &stats);
    movie->sent = cli_receiver_close(&movie->libav);
    double seconds = cli_progress_finish(&movie->progress);
    if (movie->params.report) {
        note_end(movie, &stats, seconds);
    }
    if (movie->params.works) {
        movie->params.works->num_frames += stats.written;
        movie->params.works->num_bytes += stats.bytes;
    }
    result = result >= WEIR_OK ? closed : result;
    if (stopped) {
        cli_report_error("interrupted");
    }
    if (result < WEIR_OK || stopped || stats.written == 0) {
        cli_movie_tell_of_output(movie, &stats, closed);
        return result < WEIR_OK ? result : WEIR_ERROR_IO;
    }
    if (!movie->params.quiet) {
        cli_movie_summarize(movie, &stats, seconds);
    }
    if (stats.dropped > 0) {
        cli_movie_tell_of_losses(movie, &stats);
        return WEIR_ERROR_DATA;
    }
    return WEIR_OK;
}

enum weir_result cli_movie_open_input(struct cli_movie *movie,
                                      const struct cli_movie_params *params)
{
    *movie = (struct cli_movie){.params = *params};
    // Beside the source: each takes some tenths of a second.
    movie->is_opening = !params->copies &&
                        weir_thread_start(&movie->opener, "weir-device", open_gpu, movie);
    enum weir_result result = open_source(movie);
    if (result == WEIR_OK && params->tells_input && !params->quiet) {
        cli_movie_tell_of_input(movie);
    }
    result = result == WEIR_OK ? choose_timecode(movie) : result;
    if (result != WEIR_OK && movie->is_opening) {
        finish_opening(movie);
    }
    return result;
}

enum weir_result cli_movie_open_output(struct cli_movie *movie)
{
    enum weir_result result = movie->params.no_audio ? WEIR_OK : cli_audio_open(movie);
    if (result == WEIR_OK || movie->is_opening) {
        const enum weir_result opened = finish_opening(movie);
        result = result == WEIR_OK ? opened : result;
    }
    return result == WEIR_OK ? check_side(movie) : result;
}

enum weir_result cli_movie_close(struct cli_movie *movie, enum weir_result result)
{
    const enum weir_result closed = cli_gpu_close_behind(&movie->gpu, result);
    cli_audio_source_close(&movie->audio.source);
    cli_source_close(&movie->source);
    return closed;
}
