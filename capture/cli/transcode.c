// SPDX-License-Identifier: MIT
// weir transcode: any picture, sequence or movie becomes a HAP movie, compressed on the GPU.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <weir/capture.h>

#include "capture/cli/command.h"
#include "capture/cli/common_options.h"
#include "capture/cli/gpu.h"
#include "capture/cli/interrupt.h"
#include "capture/cli/progress.h"
#include "capture/cli/report.h"
#include "capture/cli/stream.h"
#include "capture/source/source.h"

struct transcode_options {
    int codec, decoder, compression; // indices into the tables below
    int level;                       // an enum weir_level
    struct cli_size size;
    struct cli_rate rate;
    uint64_t frames, device, chunks;
    bool validation, quiet;
};

static const char *const decoder_names[] = {"gpu", "ffmpeg", NULL};
static const enum weir_decoder_model decoders[] = {WEIR_DECODER_GPU, WEIR_DECODER_FFMPEG};
static const char *const compression_names[] = {"none", "snappy", NULL};
static const enum weir_compression compressions[] = {WEIR_COMPRESSION_NONE,
                                                     WEIR_COMPRESSION_SNAPPY};

#define FIELD(name) offsetof(struct transcode_options, name)
static const struct cli_option options[] = {
    CLI_OPTION_CODEC(struct transcode_options),
    {.name = "size",
     .kind = CLI_SIZE,
     .offset = FIELD(size),
     .argument = "WxH",
     .help = "scale every frame to this size"},
    {.name = "frames",
     .kind = CLI_NUMBER,
     .offset = FIELD(frames),
     .argument = "N",
     .help = "end after N frames",
     .min = 1,
     .max = INT64_MAX},
    {.name = "fps",
     .kind = CLI_RATE,
     .offset = FIELD(rate),
     .argument = "N",
     .help = "show frame k at k / N seconds (pictures: 25; movies: their own time stamps)"},
    CLI_OPTION_DEVICE(struct transcode_options),
    {.name = "decoder",
     .kind = CLI_CHOICE,
     .offset = FIELD(decoder),
     .argument = "NAME",
     .help = "whose decoding to be best for",
     .choices = decoder_names},
    CLI_OPTION_LEVEL(struct transcode_options),
    {.name = "compression",
     .kind = CLI_CHOICE,
     .offset = FIELD(compression),
     .argument = "NAME",
     .help = "second stage",
     .choices = compression_names},
    {.name = "chunks",
     .kind = CLI_NUMBER,
     .offset = FIELD(chunks),
     .argument = "N",
     .help = "snappy in N chunks, which decode in parallel (1)",
     .min = 1,
     .max = 64},
    CLI_OPTION_VALIDATION(struct transcode_options),
    {.name = "quiet",
     .kind = CLI_FLAG,
     .offset = FIELD(quiet),
     .argument = NULL,
     .help = "no progress and no summary"},
};

struct transcode {
    const struct transcode_options *options;
    const char *input, *output;
    weir_source *source;
    struct weir_source_info info;
    struct cli_gpu gpu;
    weir_capture *capture;
    struct cli_progress progress;
};

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

static uint64_t num_expected(const struct transcode *t)
{
    uint64_t wanted = t->options->frames, there = t->info.num_frames;
    return wanted != 0 && (there == 0 || wanted < there) ? wanted : there;
}

static void frame_done(void *user)
{
    struct transcode *t = user;
    if (!t->progress.shown)
        return;
    struct weir_capture_stats stats;
    weir_capture_get_stats(t->capture, &stats);
    cli_progress_update(&t->progress, stats.written, num_expected(t), stats.bytes);
}

static bool is_mov(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".mov") == 0;
}

static enum weir_result open_source(struct transcode *t)
{
    enum weir_result result = weir_source_open(
        &(struct weir_source_params){
            .path = t->input,
            .width = t->options->size.width,
            .height = t->options->size.height,
            .rate_num = t->options->rate.num,
            .rate_den = t->options->rate.den,
            .interrupted = interrupted,
            .log = cli_report_log(),
        },
        &t->source);
    if (result != WEIR_OK)
        return result;
    t->info = weir_source_get_info(t->source);
    if (weir_source_reads_file(t->source, t->output)) {
        cli_report_error("%s is the input itself; give the output another name", t->output);
        return WEIR_ERROR_INVALID;
    }
    return WEIR_OK;
}

static enum weir_result open_gpu(struct transcode *t)
{
    enum weir_result result = cli_gpu_open(&t->gpu, (uint32_t)t->options->device,
                                           t->options->validation);
    if (result != WEIR_OK)
        return result;
    uint32_t limit = t->gpu.properties.limits.maxImageDimension2D;
    limit = limit < cli_max_side ? limit : cli_max_side;
    if (t->info.width > limit || t->info.height > limit) {
        bool given = t->options->size.width != 0;
        cli_report_error("%s is %ux%u; %s takes at most %u a side: give a smaller size%s",
                         given ? "--size" : t->input, t->info.width, t->info.height,
                         t->gpu.properties.deviceName, limit, given ? "" : " by --size");
        return WEIR_ERROR_UNSUPPORTED;
    }
    return WEIR_OK;
}

static enum weir_result open_capture(struct transcode *t)
{
    return weir_capture_open(
        t->gpu.context,
        weir_capture_params(.path = t->output, .codec = cli_codec(t->options->codec),
                            .decoder = decoders[t->options->decoder],
                            .level = (enum weir_level)t->options->level,
                            .compression = compressions[t->options->compression],
                            .num_chunks = (uint32_t)t->options->chunks, .policy = WEIR_POLICY_WAIT,
                            .width = t->info.width, .height = t->info.height,
                            .format = VK_FORMAT_R8G8B8A8_UNORM, .frame_rate_num = t->info.rate_num,
                            .frame_rate_den = t->info.rate_den),
        &t->capture);
}

static void summarize(const struct transcode *t, const struct weir_capture_stats *stats,
                      double seconds)
{
    struct stat status;
    double megabytes = stat(t->output, &status) == 0 ? (double)status.st_size / 1e6 : 0;
    double rate = seconds > 0 ? (double)stats->written / seconds : 0;
    fprintf(stderr,
            "%s: %" PRIu64 " frame%s, %ux%u, HapY, %.1f MB, in %.1f s (%.1f fps, %.1f MB/s)",
            t->output, stats->written, stats->written == 1 ? "" : "s", t->info.width,
            t->info.height, megabytes, seconds, rate, seconds > 0 ? megabytes / seconds : 0);
    if (stats->dropped > 0)
        fprintf(stderr, ", dropped %" PRIu64, stats->dropped);
    if (weir_source_num_errors(t->source) > 0)
        fprintf(stderr, ", %" PRIu64 " damaged parts left out", weir_source_num_errors(t->source));
    fputc('\n', stderr);
}

// Without a frame the capture has not touched the output: what lies there is older and stays.
static void tell_of_output(const struct transcode *t, const struct weir_capture_stats *stats)
{
    if (stats->written > 0)
        cli_report_error("%s ends early: it holds %" PRIu64 " frame%s, and plays", t->output,
                         stats->written, stats->written == 1 ? "" : "s");
}

static enum weir_result run_stream(struct transcode *t)
{
    bool stopped = false;
    cli_progress_start(&t->progress, t->options->quiet);
    enum weir_result result = cli_stream_run(
        &(struct cli_stream_params){
            .gpu = &t->gpu,
            .source = t->source,
            .capture = t->capture,
            .max_frames = t->options->frames,
            .stop = stop,
            .frame_done = frame_done,
            .user = t,
        },
        &stopped);
    struct weir_capture_stats stats;
    enum weir_result closed = weir_capture_close(&t->capture, &stats);
    double seconds = cli_progress_finish(&t->progress);
    if (result >= WEIR_OK)
        result = closed;
    if (stopped)
        cli_report_error("interrupted");
    if (result < WEIR_OK || stopped || stats.written == 0) {
        tell_of_output(t, &stats);
        return result < WEIR_OK ? result : WEIR_ERROR_IO;
    }
    if (!t->options->quiet)
        summarize(t, &stats, seconds);
    return WEIR_OK;
}

static enum cli_status run(char **arguments, const void *values)
{
    struct transcode t = {.options = values, .input = arguments[0], .output = arguments[1]};
    if (!is_mov(t.output)) {
        fprintf(stderr,
                "weir transcode: %s: the output is a QuickTime movie, its name ends in .mov\n",
                t.output);
        return CLI_USAGE;
    }
    if (t.options->chunks != 0 && compressions[t.options->compression] != WEIR_COMPRESSION_SNAPPY) {
        fputs("weir transcode: --chunks goes with --compression snappy\n", stderr);
        return CLI_USAGE;
    }
    weir_source_silence_libav();
    cli_interrupt_catch();
    enum weir_result result = open_source(&t);
    if (result == WEIR_OK)
        result = open_gpu(&t);
    if (result == WEIR_OK)
        result = open_capture(&t);
    if (result == WEIR_OK)
        result = run_stream(&t);
    bool valid = cli_gpu_close(&t.gpu);
    weir_source_close(&t.source);
    return result == WEIR_OK && valid ? CLI_DONE : CLI_FAILED;
}

const struct cli_command cli_transcode_command = {
    .name = "transcode",
    .arguments = "INPUT OUTPUT.mov",
    .num_arguments = 2,
    .summary = "turn a picture, sequence or movie into a HAP movie",
    .about =
        "INPUT is a movie, a picture (a movie of one frame), a folder of pictures, or a numbered\n"
        "sequence such as frame_%04d.png: whatever FFmpeg's libraries read. Sound is left out.\n"
        "Time stamps are kept. Ctrl-C ends early with a movie that plays, and status 1.\n",
    .example = "  weir transcode clip.mp4 clip.mov\n"
               "  weir transcode frames/shot_%04d.png shot.mov --fps 30 --compression snappy\n",
    .options = options,
    .num_options = sizeof options / sizeof options[0],
    .run = run,
    .defaults = &(const struct transcode_options){0},
    .values_size = sizeof(struct transcode_options),
};
