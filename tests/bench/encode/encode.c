// SPDX-License-Identifier: MIT
// weir-bench encode: how fast the kernels are against the floor of the device, how good their
// blocks are, and the stream end to end.
#include "tests/bench/encode/encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "tests/bench/bench.h"
#include "tests/bench/bus.h"
#include "tests/bench/timing.h"

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
     .help = "keep what costs little of the frame before, where a codec has that", .is_rare = true},
    {"proxy", CLI_NUMBER, FIELD(proxy), "LEVEL",
     .help = "time encoders that write a proxy of that level too, and beside a kernel that does",
     .is_rare = true, .min = 1, .max = 2},
    {"quality", CLI_NUMBER, FIELD(quality), "N",
     .help = "with rate-distortion optimisation, where a codec has that (none)", .min = 1,
     .max = 100},
    {"snappy", CLI_FLAG, FIELD(snappy),
     .help = "time Snappy of the blocks too, into memory of the host"},
    {"picture", CLI_TEXT, FIELD(pictures), "LIST",
     .help = "pictures to encode, A.png,B.png, laid side by side for times (one is generated)"},
    {"milliseconds", CLI_NUMBER, FIELD(milliseconds), "N", .help = "length of each stream (3000)",
     .min = 1, .max = 600000},
    {"images", CLI_NUMBER, FIELD(images), "N",
     .help = "images that the frames of a stream take in turn (3, as a swapchain has)",
     .is_rare = true, .min = 1, .max = BENCH_MAX_STREAM_IMAGES},
    {"fps", CLI_RATE, FIELD(rate), "N",
     .help = "pace every stream (all but the last go as fast as they can)"},
    {"spin", CLI_FLAG, FIELD(spin),
     .help = "wait for the pace without sleeping, so that the processor stays awake",
     .is_rare = true},
    {"dir", CLI_TEXT, FIELD(dir), "FOLDER",
     .help = "measure streams into a movie there too, which is removed again (none)", .files = "/"},
    {"no-stream", CLI_FLAG, FIELD(no_stream), .help = "kernels only"},
    {"no-transfer", CLI_FLAG, FIELD(no_transfer),
     .help = "copy results behind the kernels, where there is a queue for copies too",
     .is_rare = true},
    {"quick", CLI_FLAG, FIELD(quick), .help = "few repetitions, for a first look or a slow device"},
    BENCH_OPTIONS(struct bench_options),
};

// The last is a live capture: what a render thread at 60 frames a second pays.
static const struct bench_stream streams[] = {
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
    WEIR_TRY(
        bench_bus_measure(gpu, frame_size, true, asked->milliseconds * 1000000 / 30, &size->bus));
    for (uint32_t i = 0; i < BENCH_COUNT(streams) && !cli_interrupted(); i++) {
        struct bench_stream stream = streams[i];
        if (asked->rate.num != 0) {
            stream.pace = asked->rate;
        }
        if (!asked->dir && stream.file && streams[i].pace.num == 0) {
            continue;
        }
        stream.file = stream.file && asked->dir;
        WEIR_TRY(bench_stream_measure(gpu, asked, row, images, &stream));
        bench_stream_put(size, &stream);
    }
    return WEIR_OK;
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

// Measure everything that reads images of one source: the kernels, and the stream of a codec of
// movies.
static enum weir_result measure_source(struct cli_gpu *gpu, const struct bench_result *result,
                                       enum bench_source source, struct bench_size *size)
{
    struct bench_images images = {0};
    enum weir_result status = bench_images_of_pictures(gpu, result, source, size->width,
                                                       size->height, &images);
    if (status == WEIR_OK) {
        size->num_images = images.num;
        status = bench_figures_measure(gpu, result, source, &images, size);
        cli_progress_finish(result->progress);
    }
    const struct bench_row *movie = find_movie(result);
    if (status == WEIR_OK && movie && movie->source == source && !result->options->no_stream) {
        status = measure_streams(gpu, result->options, movie, &images, size);
    }
    bench_images_finish(&images);
    return status;
}

static enum weir_result measure_size(struct cli_gpu *gpu, const struct bench_result *result,
                                     struct bench_size *size)
{
    char name[32];
    snprintf(name, sizeof(name), "%ux%u", size->width, size->height);
    WEIR_TRY(cli_gpu_check_side(gpu, name, size->width, size->height));
    for (int i = 0; i < BENCH_NUM_SOURCES && !cli_interrupted(); i++) {
        if (bench_rows_have(result, (enum bench_source)i, 0)) {
            WEIR_TRY(measure_source(gpu, result, (enum bench_source)i, size));
        }
    }
    return WEIR_OK;
}

static enum weir_result measure_sizes(struct cli_gpu *gpu, FILE *table, struct bench_value *json,
                                      struct bench_result *result)
{
    struct bench_value *sizes = bench_add(json, "sizes", BENCH_ARRAY);
    for (uint32_t i = 0; i < result->num_sizes && !cli_interrupted(); i++) {
        struct bench_size *size = &result->sizes[i];
        struct bench_value *object = bench_add(sizes, NULL, BENCH_OBJECT);
        bench_put_integer(object, "width", size->width);
        bench_put_integer(object, "height", size->height);
        size->kernels = bench_add(object, "kernels", BENCH_ARRAY);
        size->streams = bench_add(object, "streams", BENCH_ARRAY);
        WEIR_TRY(measure_size(gpu, result, size));
        bench_put_integer(object, "num_images", size->num_images);
        bench_put_number(object, "bus_gb_per_s", size->bus > 0 ? size->bus : (double)NAN);
        if (!cli_interrupted()) {
            bench_encode_print_size(table, result, size);
        }
        fflush(table);
    }
    return WEIR_OK;
}

static enum weir_result read_pictures(struct bench_result *result)
{
    const struct weir_memory_use memory = cli_memory_use(0, 2, 5);
    for (uint32_t i = 0; i < result->num_pictures; i++) {
        WEIR_TRY(weir_picture_read(result->picture_names[i], &memory, NULL, &cli_log,
                                   &result->pictures[i]));
    }
    return WEIR_OK;
}

static enum weir_result measure_all(struct cli_gpu *gpu, FILE *table, struct bench_value *json,
                                    struct bench_result *result)
{
    WEIR_TRY(bench_timing_check(gpu));
    WEIR_TRY(read_pictures(result));
    bench_print_head(table, gpu, result->options->codecs);
    WEIR_TRY(bench_rows_open(gpu, result));
    WEIR_TRY(bench_quality_measure(gpu, result));
    return measure_sizes(gpu, table, json, result);
}

static enum weir_result measure(struct cli_gpu *gpu, FILE *table, struct bench_value *json,
                                void *user)
{
    struct bench_result *result = user;
    struct cli_progress progress;
    cli_progress_start(&progress, false);
    result->progress = &progress;
    const enum weir_result status = measure_all(gpu, table, json, result);
    cli_progress_finish(&progress);
    bench_rows_close(result);
    return status;
}

static bool parse_sizes(struct bench_result *result)
{
    struct bench_area areas[BENCH_MAX_SIZES];
    const int num = bench_parse_areas("encode", result->options->sizes, false, areas,
                                      BENCH_MAX_SIZES);
    for (int i = 0; i < num; i++) {
        result->sizes[i].width = areas[i].width;
        result->sizes[i].height = areas[i].height;
    }
    result->num_sizes = num > 0 ? (uint32_t)num : 0;
    if (num == 0) {
        fputs("weir-bench encode: --sizes wants a size\n", stderr);
    }
    return num > 0;
}

// Split the list of --picture, which may be NULL.
static bool split_pictures(struct bench_result *result)
{
    static char names[BENCH_MAX_PICTURES][1024];
    const char *list = result->options->pictures;
    for (bool is_open = list; is_open;) {
        char *name = names[result->num_pictures];
        if (result->num_pictures == BENCH_MAX_PICTURES ||
            !bench_next_word(&list, name, sizeof(names[0]))) {
            fprintf(stderr,
                    "weir-bench encode: --picture: at most %d pictures are taken, each with "
                    "a name below %zu characters\n",
                    BENCH_MAX_PICTURES, sizeof(names[0]));
            return false;
        }
        result->picture_names[result->num_pictures++] = name;
        is_open = list > result->options->pictures && list[-1] == ',';
    }
    return true;
}

static enum cli_status run(char **arguments, const void *values)
{
    (void)arguments;
    static struct bench_result result; // a process runs one command
    struct bench_options asked = *(const struct bench_options *)values;
    if (asked.milliseconds == 0) {
        asked.milliseconds = asked.quick ? quick_milliseconds : 3000;
    }
    result.options = &asked;
    if (!parse_sizes(&result) || !split_pictures(&result)) {
        return CLI_USAGE;
    }
    bench_rows_init(&result);
    const enum cli_status status = bench_task_run(&(const struct bench_task){
        .name = "encode",
        .json = asked.json,
        .device = {.index = (uint32_t)asked.device,
                   .validation = asked.validation,
                   .no_transfer = asked.no_transfer},
        .inputs = result.picture_names,
        .num_inputs = result.num_pictures,
        .measure = measure,
        .user = &result,
    });
    for (uint32_t i = 0; i < result.num_pictures; i++) {
        weir_picture_free(&result.pictures[i]);
    }
    return status;
}

const struct cli_command bench_encode_command = {
    .name = "encode",
    .arguments = "",
    .summary = "measure encoders, their quality, and the stream end to end",
    .about =
        "The floor is a kernel that reads the image once and writes 8 or 16 bytes a block, as the\n"
        "codec does; a plain copy of the image stands beside it. Every codec and effort encodes\n"
        "the pictures, and its blocks are decoded and compared; times are of images that they\n"
        "fill.\n"
        "\n"
        "With a codec of movies, such as hap_q, its frames then run through the capture "
        "into\n"
        "the null sink, under both policies, and with --dir into a movie in that folder. No other\n"
        "file is written than those that options name.\n",
    .example = "  weir-bench encode --sizes 2160p --dir /mnt/fast --json bench.json\n"
               "  weir-bench encode --codec all --effort all --sizes 2160p --picture a.png,b.png\n"
               "  weir-bench encode --sizes 256x256 --quick\n",
    .options = options,
    .num_options = BENCH_COUNT(options),
    .run = run,
    .defaults = &(const struct bench_options){.sizes = "1080p,2160p,4320p",
                                              .codecs = "hap_q",
                                              .images = 3,
                                              .efforts = "default"},
    .values_size = sizeof(struct bench_options),
};
