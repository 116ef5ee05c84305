// SPDX-License-Identifier: MIT
// A movie that is made of an input: from the source over the device into the capture.
#include "capture/weir/movie/movie.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/base/size.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/memory.h"
#include "capture/weir/common/output.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"

static int interrupted(void *user)
{
    (void)user;
    return cli_interrupted();
}

static bool stop(void *user)
{
    (void)user;
    return cli_interrupted();
}

static uint64_t num_expected(const struct cli_movie *movie)
{
    uint64_t wanted = movie->params.max_frames, there = movie->info.num_frames;
    return wanted != 0 && (there == 0 || wanted < there) ? wanted : there;
}

static void frame_done(void *user)
{
    struct cli_movie *movie = user;
    if (!movie->progress.shown) {
        return;
    }
    const struct weir_capture_stats stats = weir_capture_get_stats(movie->capture);
    cli_progress_update(&movie->progress, stats.written, num_expected(movie), stats.bytes);
}

bool cli_movie_is(const char *path)
{
    return cli_output_ends_in(path, ".mov");
}

// Frames of more than 8 bits keep them, so that the encoder dithers. A filter takes 8.
static void choose_format(struct cli_movie *movie, bool has_filter)
{
    movie->format = movie->params.codec->is_linear ? VK_FORMAT_R16G16B16A16_SFLOAT
                                                   : VK_FORMAT_R8G8B8A8_UNORM;
    if (!movie->params.codec->is_linear && movie->info.is_deep && !has_filter &&
        cli_gpu_has_format(&movie->gpu, VK_FORMAT_R16G16B16A16_UNORM)) {
        movie->format = VK_FORMAT_R16G16B16A16_UNORM;
        weir_source_give_16_bits(movie->source);
    }
}

// What a texel of a frame takes, of 4 or 8 bytes [bytes]: two slots of the stream, each with a
// staging buffer and an image, what the capture has of its own, and of 4 bytes the planes of the
// conversion.
static uint32_t work_size(uint32_t texel_size)
{
    const uint32_t planes = texel_size == 4 ? 4 : 0;
    return 4 * texel_size + 4 + planes;
}

// What frames take that are as large as those of the source. Codes of more than 8 bits may go
// through others of 16.
static struct weir_memory_use memory_use(const struct cli_movie *movie)
{
    struct weir_memory_use use = cli_memory_use(movie->params.max_memory, 0, 0);
    const bool is_linear = movie->params.codec->is_linear;
    if (movie->params.size.width == 0) {
        use.texel_size = work_size(is_linear ? 8 : 4);
        use.deep_texel_size = is_linear ? 0 : work_size(8) + 8 - work_size(4);
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
    cli_report_error("--size %ux%u: frames would take %" PRIu64 " MiB of memory, and %" PRIu64
                     " MiB are allowed; choose a smaller size, or allow more by --max-memory",
                     size->width, size->height, need >> 20, limit >> 20);
    return WEIR_ERROR_UNSUPPORTED;
}

static enum weir_result open_source(struct cli_movie *movie)
{
    enum weir_result result = weir_source_open(
        &(struct weir_source_params){
            .paths = movie->params.inputs.paths,
            .num_paths = movie->params.inputs.num,
            .width = movie->params.size.width,
            .height = movie->params.size.height,
            .keeps_pixels = movie->params.keeps_pixels,
            .rate_num = movie->params.rate.num,
            .rate_den = movie->params.rate.den,
            .from_ns = movie->params.range.from_ns,
            .to_ns = movie->params.range.to_ns,
            .tonemap = movie->params.tonemap,
            .keeps_alpha = movie->params.codec->has_alpha,
            .alpha = movie->params.alpha,
            .premultiplies = movie->params.premultiplies,
            .linear = movie->params.codec->is_linear,
            .keeps_sound = !movie->params.no_audio,
            .memory = memory_use(movie),
            .interrupted = interrupted,
            .log = cli_report_log(),
        },
        &movie->source);
    if (result != WEIR_OK) {
        return result;
    }
    movie->info = weir_source_get_info(movie->source);
    if (weir_source_reads_file(movie->source, movie->params.output)) {
        cli_report_error("%s is the input itself; give the output another name",
                         movie->params.output);
        return WEIR_ERROR_INVALID;
    }
    return check_size(movie);
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
        const struct weir_log log = cli_report_log();
        weir_log_printf(&log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "%s has no time code, so the movie gets none; --timecode HH:MM:SS:FF "
                        "gives it one",
                        weir_source_name(movie->source));
    }
    struct weir_timecode timecode;
    const char *wrong = movie->timecode ? weir_timecode_parse(movie->timecode, info->rate_num,
                                                              info->rate_den, &timecode)
                                        : NULL;
    if (wrong) {
        cli_report_error("--timecode %s%s%s, for %s of %.6g frames a second: %s", given,
                         keeps ? ": " : "", keeps ? movie->timecode : "",
                         weir_source_name(movie->source), (double)info->rate_num / info->rate_den,
                         wrong);
        return WEIR_ERROR_INVALID;
    }
    if (keeps && movie->timecode) {
        keep_timecode(movie, &timecode);
    }
    return WEIR_OK;
}

static enum weir_result open_gpu(struct cli_movie *movie)
{
    enum weir_result result = cli_gpu_open(&movie->gpu, movie->params.device,
                                           movie->params.validation);
    if (result != WEIR_OK) {
        return result;
    }
    uint32_t limit = movie->gpu.properties.limits.maxImageDimension2D;
    limit = limit < CLI_MAX_SIDE ? limit : CLI_MAX_SIDE;
    if (movie->info.width > limit || movie->info.height > limit) {
        bool given = movie->params.size.width != 0;
        cli_report_error("%s is %ux%u; %s takes at most %u a side: give a smaller size%s",
                         given ? "--size" : weir_source_name(movie->source), movie->info.width,
                         movie->info.height, movie->gpu.properties.deviceName, limit,
                         given ? "" : " by --size");
        return WEIR_ERROR_UNSUPPORTED;
    }
    return WEIR_OK;
}

static enum weir_result open_capture(void *user, const weir_image *like, weir_capture **capture)
{
    struct cli_movie *movie = user;
    const enum weir_result result = weir_capture_open(
        movie->gpu.context,
        weir_capture_params(.path = movie->params.output, .codec = movie->params.codec->codec,
                            .decoder = movie->params.decoder, .effort = movie->params.effort,
                            .compression = movie->params.compression,
                            .num_chunks = movie->params.num_chunks,
                            .premultiplied = movie->params.premultiplies, .pad = movie->params.pad,
                            .sync_ms = movie->params.sync_ms, .timecode = movie->timecode,
                            .sidecar = movie->params.sidecar, .policy = WEIR_POLICY_WAIT,
                            .like = like, .pixel_aspect_num = movie->info.pixel_aspect_num,
                            .pixel_aspect_den = movie->info.pixel_aspect_den,
                            .frame_rate_num = movie->info.rate_num,
                            .frame_rate_den = movie->info.rate_den,
                            .audio_tracks = movie->sound.tracks,
                            .num_audio_tracks = movie->sound.num_tracks),
        capture);
    movie->capture = *capture;
    return result;
}

static void print_size(const struct cli_movie *movie)
{
    const uint32_t width = movie->info.width, height = movie->info.height;
    const uint32_t whole_width = (uint32_t)weir_round_up(width, 4);
    const uint32_t whole_height = (uint32_t)weir_round_up(height, 4);
    if (movie->params.pad && (whole_width > width || whole_height > height)) {
        fprintf(stderr, "%ux%u (padded from %ux%u)", whole_width, whole_height, width, height);
    } else {
        fprintf(stderr, "%ux%u", width, height);
    }
}

static enum weir_result send_sound(void *user, int64_t time_ns, enum cli_stream_end end)
{
    struct cli_movie *movie = user;
    const int64_t frame_ns = (int64_t)movie->info.rate_den * 1000000000 / movie->info.rate_num;
    const int64_t until_ns = end == CLI_STREAM_GOES_ON ? time_ns
                             : end == CLI_STREAM_LEFT  ? time_ns + frame_ns
                                                       : INT64_MAX / 4;
    const int64_t end_ns = movie->info.end_ns;
    return cli_sound_send(&movie->sound, movie->capture, until_ns < end_ns ? until_ns : end_ns,
                          end != CLI_STREAM_GOES_ON);
}

static void summarize(const struct cli_movie *movie, const struct weir_capture_stats *stats,
                      double seconds)
{
    struct stat status;
    double megabytes = stat(movie->params.output, &status) == 0 ? (double)status.st_size / 1e6 : 0;
    double rate = seconds > 0 ? (double)stats->written / seconds : 0;
    cli_print(stderr, "%s: %" PRIu64 " frame%s, ", movie->params.output, stats->written,
              stats->written == 1 ? "" : "s");
    print_size(movie);
    fprintf(stderr, ", %s, %.1f MB, in %.1f s (%.1f fps, %.1f MB/s)",
            cli_movie_codec_fourcc(movie->params.codec).text, megabytes, seconds, rate,
            seconds > 0 ? megabytes / seconds : 0);
    if (movie->sound.num_tracks > 0) {
        fprintf(stderr, ", %u sound track%s", movie->sound.num_tracks,
                movie->sound.num_tracks == 1 ? "" : "s");
    }
    if (weir_source_num_errors(movie->source) > 0) {
        fprintf(stderr, ", %" PRIu64 " damaged parts left out",
                weir_source_num_errors(movie->source));
    }
    fputc('\n', stderr);
}

// Print the state of the output after a failure. Without a frame the capture has not touched it: a
// file that is there is older, and stays. Where the disk failed (WEIR_ERROR_IO) the capture has
// said what can be relied on.
static void tell_of_output(const struct cli_movie *movie, const struct weir_capture_stats *stats,
                           enum weir_result closed)
{
    if (stats->written > 0 && closed != WEIR_ERROR_IO) {
        cli_report_error("%s ends early: it holds %" PRIu64 " frame%s, and plays",
                         movie->params.output, stats->written, stats->written == 1 ? "" : "s");
    }
}

// Print how many frames are not in the movie, and why. The capture waits for room, so none is lost
// for that.
static void tell_of_losses(const struct cli_movie *movie, const struct weir_capture_stats *stats)
{
    const uint64_t num_jumps = stats->dropped_by_reason[WEIR_DROP_TIME];
    cli_report_error("%s lacks %" PRIu64 " of %" PRIu64 " frames%s", movie->params.output,
                     stats->dropped, stats->received,
                     num_jumps == stats->dropped
                         ? ": their times jump by more than a movie can say; make a movie of each "
                           "part"
                         : "; the messages above say why");
}

static void tell_of_input(const struct cli_movie *movie)
{
    const struct weir_source_info *info = &movie->info;
    cli_print(stderr, "%s: %ux%u %s\n", weir_source_name(movie->source), info->native_width,
              info->native_height, info->coding);
}

enum weir_result cli_movie_run(struct cli_movie *movie, const struct cli_stream_filter *filter)
{
    bool stopped = false;
    choose_format(movie, filter != NULL);
    if (movie->params.tells_input && !movie->params.quiet) {
        tell_of_input(movie);
    }
    cli_progress_start(&movie->progress, movie->params.quiet);
    movie->progress.label = movie->params.label;
    movie->progress.works = movie->params.works;
    enum weir_result result = cli_stream_run(
        &(struct cli_stream_params){
            .gpu = &movie->gpu,
            .source = movie->source,
            .format = movie->format,
            .open = open_capture,
            .max_frames = movie->params.max_frames,
            .stop = stop,
            .frame_done = frame_done,
            .sound = send_sound,
            .filter = filter,
            .user = movie,
        },
        &stopped);
    struct weir_capture_stats stats;
    enum weir_result closed = weir_capture_close(&movie->capture, &stats);
    double seconds = cli_progress_finish(&movie->progress);
    if (movie->params.works) {
        movie->params.works->num_frames += stats.written;
        movie->params.works->num_bytes += stats.bytes;
    }
    if (result >= WEIR_OK) {
        result = closed;
    }
    if (stopped) {
        cli_report_error("interrupted");
    }
    if (result < WEIR_OK || stopped || stats.written == 0) {
        tell_of_output(movie, &stats, closed);
        return result < WEIR_OK ? result : WEIR_ERROR_IO;
    }
    if (!movie->params.quiet) {
        summarize(movie, &stats, seconds);
    }
    if (stats.dropped > 0) {
        tell_of_losses(movie, &stats);
        return WEIR_ERROR_DATA;
    }
    return WEIR_OK;
}

enum weir_result cli_movie_open(struct cli_movie *movie, const struct cli_movie_params *params)
{
    *movie = (struct cli_movie){.params = *params};
    enum weir_result result = open_source(movie);
    if (result == WEIR_OK) {
        result = choose_timecode(movie);
    }
    if (result == WEIR_OK && !params->no_audio) {
        result = cli_sound_open(&movie->sound, params->inputs.paths[0], movie->source, interrupted);
    }
    return result == WEIR_OK ? open_gpu(movie) : result;
}

enum weir_result cli_movie_close(struct cli_movie *movie, enum weir_result result)
{
    const enum weir_result closed = cli_gpu_close_behind(&movie->gpu, result);
    cli_sound_close(&movie->sound);
    weir_source_close(&movie->source);
    return closed;
}
