// SPDX-License-Identifier: MIT
// weir-bench encode: how fast the kernels are against the floor of the device, how good their
// blocks are, and the stream end to end.
#include "tests/bench/encode/encode.h"

#include <stdlib.h>
#include <string.h>

#include "capture/files/source/source.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "tests/bench/bench.h"
#include "tests/bench/json.h"

static const uint64_t quick_milliseconds = 300;

#define FIELD(name) offsetof(struct bench_options, name)
static const struct cli_option options[] = {
    {"sizes", CLI_TEXT, FIELD(sizes), "LIST",
     .help = "as in 1080p,2160p,4320p or 640x480 (the three)"},
    {"codec", CLI_LIST, FIELD(codecs), "LIST", .help = "the codecs (hap_q)",
     .choice = bench_codec_choice},
    {"effort", CLI_LIST, FIELD(efforts), "LIST",
     .help = "the efforts of codecs that have them (default)", .choice = bench_effort_choice},
    {"steady", CLI_FLAG, FIELD(steady),
     .help = "keep what costs little of the frame before, where a codec has that"},
    {"proxy", CLI_NUMBER, FIELD(proxy), "LEVEL",
     .help = "time encoders that write a proxy of that level too, and beside a kernel that does",
     .min = 1, .max = 2},
    {"quality", CLI_NUMBER, FIELD(quality), "N",
     .help = "with rate-distortion optimisation, where a codec has that (none)", .min = 1,
     .max = 100},
    {"snappy", CLI_FLAG, FIELD(snappy),
     .help = "time Snappy of the blocks too, into memory of the host"},
    {"picture", CLI_TEXT, FIELD(pictures), "LIST",
     .help = "pictures to encode, A.png,B.png, laid side by side for times (one is generated)"},
    CLI_OPTION_DEVICE(struct bench_options),
    BENCH_OPTION_JSON(struct bench_options),
    {"milliseconds", CLI_NUMBER, FIELD(milliseconds), "N", .help = "length of each stream (3000)",
     .min = 1, .max = 600000},
    {"images", CLI_NUMBER, FIELD(images), "N",
     .help = "images that the frames of a stream take in turn (3, as a swapchain has)", .min = 1,
     .max = BENCH_MAX_STREAM_IMAGES},
    {"fps", CLI_RATE, FIELD(rate), "N",
     .help = "pace every stream (all but the last go as fast as they can)"},
    {"spin", CLI_FLAG, FIELD(spin),
     .help = "wait for the pace without sleeping, so that the processor stays awake"},
    {"dir", CLI_TEXT, FIELD(dir), "FOLDER",
     .help = "measure streams into a movie there too, which is removed again (none)", .files = "/"},
    {"no-stream", CLI_FLAG, FIELD(no_stream), .help = "kernels only"},
    {"no-transfer", CLI_FLAG, FIELD(no_transfer),
     .help = "copy results behind the kernels, where there is a queue for copies too"},
    {"quick", CLI_FLAG, FIELD(quick), .help = "few repetitions, for a first look or a slow device"},
    CLI_OPTION_VALIDATION(struct bench_options),
};

static bool size_by_name(const char *name, struct cli_size *size)
{
    static const struct {
        const char *name;
        struct cli_size size;
    } names[] = {
        {"720p", {1280, 720}},   {"1080p", {1920, 1080}}, {"1440p", {2560, 1440}},
        {"2160p", {3840, 2160}}, {"4320p", {7680, 4320}},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i].name, name) == 0) {
            *size = names[i].size;
            return true;
        }
    }
    return cli_parse_size(name, size) && size->width >= 1 && size->height >= 1 &&
           size->width <= CLI_MAX_SIDE && size->height <= CLI_MAX_SIDE;
}

static bool parse_sizes(const char *list, struct bench_result *result)
{
    while (*list != 0) {
        char name[32];
        size_t length = strcspn(list, ",");
        struct cli_size size;
        bool fits = length < sizeof(name) && result->num_sizes < BENCH_MAX_SIZES;
        if (fits) {
            memcpy(name, list, length);
            name[length] = 0;
        }
        if (!fits || !size_by_name(name, &size)) {
            cli_print(stderr,
                      "weir-bench encode: --sizes %.*s: at most %d of 720p, 1080p, 1440p, 2160p, "
                      "4320p or WxH are wanted, each side 1 to %d\n",
                      (int)length, list, BENCH_MAX_SIZES, CLI_MAX_SIDE);
            return false;
        }
        result->sizes[result->num_sizes++] = (struct bench_size){.width = size.width,
                                                                 .height = size.height};
        list += length + (list[length] == ',');
    }
    if (result->num_sizes == 0) {
        fputs("weir-bench encode: --sizes wants a size\n", stderr);
    }
    return result->num_sizes > 0;
}

// The last is a live capture: what a render thread at 60 frames a second pays.
static const struct bench_stream streams[BENCH_MAX_STREAMS] = {
    {.file = false, .policy = WEIR_POLICY_WAIT},
    {.file = false, .policy = WEIR_POLICY_DROP},
    {.file = true, .policy = WEIR_POLICY_WAIT},
    {.file = true, .policy = WEIR_POLICY_DROP},
    {.file = true, .policy = WEIR_POLICY_DROP, .pace = {60, 1}},
};

static enum weir_result measure_streams(struct cli_gpu *gpu, const struct bench_options *asked,
                                        const struct bench_row *row,
                                        const struct bench_images *images, struct bench_size *size)
{
    const uint64_t frame_size = weir_movie_codec_frame_size(row->movie->codec, size->width,
                                                            size->height);
    enum weir_result result = bench_bus_measure(gpu, frame_size, asked->milliseconds * 1000000 / 30,
                                                &size->bus);
    for (uint32_t i = 0; i < BENCH_MAX_STREAMS && result == WEIR_OK && !cli_interrupted(); i++) {
        struct bench_stream *stream = &size->streams[size->num_streams];
        *stream = streams[i];
        if (asked->rate.num != 0) {
            stream->pace = asked->rate;
        }
        if (!asked->dir && stream->file && streams[i].pace.num == 0) {
            continue;
        }
        stream->file = stream->file && asked->dir;
        result = bench_stream_measure(gpu, asked, row, images, stream);
        size->num_streams += result == WEIR_OK;
    }
    return result;
}

static const struct bench_row *find_movie(const struct bench_result *result)
{
    for (uint32_t i = 0; i < result->num_rows; i++) {
        if (result->rows[i].movie) {
            return &result->rows[i];
        }
    }
    return NULL;
}

// Measure everything that reads images of one kind: the kernels, and the stream of a codec of
// movies.
static enum weir_result measure_source(struct cli_gpu *gpu, const struct bench_result *result,
                                       enum bench_source source, struct bench_size *size)
{
    struct bench_images *images = malloc(sizeof(*images));
    if (!images) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    enum weir_result status = bench_images_init(gpu, result, source, size->width, size->height,
                                                images);
    if (status == WEIR_OK) {
        size->num_images = images->num;
        size->generated[source] = images->generated;
        status = bench_kernels_measure(gpu, result, images, size);
        cli_progress_finish(result->progress);
        const struct bench_row *movie = find_movie(result);
        if (status == WEIR_OK && movie && movie->source == source && !result->options->no_stream) {
            status = measure_streams(gpu, result->options, movie, images, size);
        }
        bench_images_finish(gpu, images);
    }
    free(images);
    return status;
}

static enum weir_result measure_size(struct cli_gpu *gpu, const struct bench_result *result,
                                     struct bench_size *size)
{
    const uint32_t limit = gpu->properties.limits.maxImageDimension2D;
    if (size->width > limit || size->height > limit) {
        cli_report_error("%ux%u: %s takes at most %u texels a side", size->width, size->height,
                         gpu->properties.deviceName, limit);
        return WEIR_ERROR_UNSUPPORTED;
    }
    enum weir_result status = WEIR_OK;
    for (int i = 0; i < BENCH_NUM_SOURCES && status == WEIR_OK; i++) {
        if (bench_rows_have(result, (enum bench_source)i, 0)) {
            status = measure_source(gpu, result, (enum bench_source)i, size);
        }
    }
    return status;
}

static enum weir_result measure_sizes(struct cli_gpu *gpu, FILE *table, struct bench_result *result)
{
    enum weir_result status = WEIR_OK;
    for (uint32_t i = 0; i < result->num_sizes && status == WEIR_OK && !cli_interrupted(); i++) {
        status = measure_size(gpu, result, &result->sizes[i]);
        if (status == WEIR_OK && !cli_interrupted()) {
            bench_table_size(table, result, &result->sizes[i]);
        }
        fflush(table);
    }
    return status;
}

static enum weir_result measure(struct cli_gpu *gpu, struct bench_result *result)
{
    const struct bench_options *asked = result->options;
    FILE *table = bench_json_table(asked->json);
    struct cli_progress progress;
    cli_progress_start(&progress, false);
    result->gpu = gpu;
    result->async = weir_context_is_async(gpu->context);
    result->progress = &progress;
    bench_table_head(table, result);
    enum weir_result status = bench_rows_open(gpu, result);
    if (status == WEIR_OK) {
        status = bench_quality_measure(gpu, result);
    }
    if (status == WEIR_OK) {
        status = measure_sizes(gpu, table, result);
    }
    cli_progress_finish(&progress);
    bench_rows_close(result);
    if (cli_interrupted()) {
        cli_report_error("interrupted");
        status = WEIR_ERROR_IO;
    }
    if (status == WEIR_OK && asked->json && !bench_encode_json_write(asked->json, result)) {
        status = WEIR_ERROR_IO;
    }
    return status;
}

static enum weir_result run_on_device(struct bench_result *result)
{
    struct cli_gpu gpu;
    const enum weir_result status = cli_gpu_open_with(
        &gpu, &(const struct cli_gpu_params){.index = (uint32_t)result->options->device,
                                             .validation = result->options->validation,
                                             .no_transfer = result->options->no_transfer,
                                             .log = cli_log});
    if (status != WEIR_OK) {
        return status;
    }
    return cli_gpu_close_behind(&gpu, bench_tell(measure(&gpu, result)));
}

static bool check_paths(const struct bench_result *result)
{
    struct cli_paths paths = {0};
    for (uint32_t i = 0; i < result->num_pictures; i++) {
        cli_paths_add_input(&paths, result->picture_names[i]);
    }
    cli_paths_add_output(&paths, result->options->json);
    return cli_paths_check(&paths) == WEIR_OK;
}

static enum cli_status run(char **arguments, const void *values)
{
    (void)arguments;
    struct bench_options asked = *(const struct bench_options *)values;
    if (asked.milliseconds == 0) {
        asked.milliseconds = asked.quick ? quick_milliseconds : 3000;
    }
    struct bench_result *result = calloc(1, sizeof(*result));
    if (!result) {
        bench_tell(WEIR_ERROR_OUT_OF_MEMORY);
        return CLI_FAILED;
    }
    result->options = &asked;
    enum cli_status status = CLI_USAGE;
    if (parse_sizes(asked.sizes, result)) {
        bench_rows_init(result);
        weir_source_silence_libav();
        cli_interrupt_catch();
        const bool ready = (!asked.json || bench_json_can_write(asked.json)) &&
                           bench_pictures_read(result) && check_paths(result);
        status = ready && run_on_device(result) == WEIR_OK ? CLI_DONE : CLI_FAILED;
        bench_pictures_free(result);
    }
    free(result);
    return status;
}

const struct cli_command bench_encode_command = {
    .name = "encode",
    .arguments = "",
    .summary = "measure the encoders against the floor, their quality, and the stream end to end",
    .about =
        "The floor is a kernel that reads the image once and writes 8 or 16 bytes a block, as the\n"
        "codec does; a plain copy of the image stands beside it. Every codec and effort encodes "
        "the\n"
        "pictures, and its blocks are decoded and compared; times are of images that they fill. "
        "With a codec of movies, such as\n"
        "hap_q, its frames then run through the capture into the null sink, "
        "under\n"
        "both policies, and with --dir into a movie in that folder. No other file is written than\n"
        "those that options name.\n",
    .example = "  weir-bench encode --sizes 2160p --dir /mnt/fast --json bench.json\n"
               "  weir-bench encode --codec all --effort all --sizes 2160p --picture a.png,b.png\n"
               "  weir-bench encode --sizes 256x256 --quick\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct bench_options){.sizes = "1080p,2160p,4320p",
                                              .codecs = "hap_q",
                                              .images = 3,
                                              .efforts = "default"},
    .values_size = sizeof(struct bench_options),
};
