// SPDX-License-Identifier: MIT
// weir bench encode: how fast the kernel is against the floor of the device, and the stream end to end.
#include "capture/cli/bench.h"

#include <stdlib.h>
#include <string.h>

#include "capture/cli/command.h"
#include "capture/cli/common_options.h"
#include "capture/cli/interrupt.h"
#include "capture/cli/report.h"

static const uint64_t quick_milliseconds = 300;

enum weir_codec bench_codec(const struct bench_options *options)
{
    return cli_codec(options->codec);
}

#define FIELD(name) offsetof(struct bench_options, name)
static const struct cli_option options[] = {
    {.name = "sizes",
     .kind = CLI_TEXT,
     .offset = FIELD(sizes),
     .argument = "LIST",
     .help = "as in 1080p,2160p,4320p or 640x480 (the three)"},
    CLI_OPTION_CODEC(struct bench_options),
    CLI_OPTION_DEVICE(struct bench_options),
    {.name = "json",
     .kind = CLI_TEXT,
     .offset = FIELD(json),
     .argument = "FILE",
     .help = "write the figures there too; - is standard output"},
    {.name = "milliseconds",
     .kind = CLI_NUMBER,
     .offset = FIELD(milliseconds),
     .argument = "N",
     .help = "length of each stream (3000)",
     .min = 1,
     .max = 600000},
    {.name = "fps",
     .kind = CLI_RATE,
     .offset = FIELD(rate),
     .argument = "N",
     .help = "pace every stream (all but the last go as fast as they can)"},
    {.name = "spin",
     .kind = CLI_FLAG,
     .offset = FIELD(spin),
     .argument = NULL,
     .help = "wait for the pace without sleeping, so that the processor stays awake"},
    {.name = "dir",
     .kind = CLI_TEXT,
     .offset = FIELD(dir),
     .argument = "FOLDER",
     .help = "where the movie is written, and removed (.)"},
    {.name = "no-file",
     .kind = CLI_FLAG,
     .offset = FIELD(no_file),
     .argument = NULL,
     .help = "write no movie, only into the null sink"},
    {.name = "no-stream",
     .kind = CLI_FLAG,
     .offset = FIELD(no_stream),
     .argument = NULL,
     .help = "kernels only"},
    {.name = "quick",
     .kind = CLI_FLAG,
     .offset = FIELD(quick),
     .argument = NULL,
     .help = "few repetitions, for a first look or a slow device"},
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
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, name) == 0) {
            *size = names[i].size;
            return true;
        }
    return cli_parse_size(name, size) && size->width >= 1 && size->height >= 1 &&
           size->width <= cli_max_side && size->height <= cli_max_side;
}

static bool parse_sizes(const char *list, struct bench_result *result)
{
    while (*list != 0) {
        char name[32];
        size_t length = strcspn(list, ",");
        struct cli_size size;
        bool fits = length < sizeof name && result->num_sizes < bench_max_sizes;
        if (fits) {
            memcpy(name, list, length);
            name[length] = 0;
        }
        if (!fits || !size_by_name(name, &size)) {
            fprintf(stderr,
                    "weir bench encode: --sizes %.*s: at most %d of 720p, 1080p, 1440p, 2160p, "
                    "4320p or WxH are wanted, each side 1 to %d\n",
                    (int)length, list, bench_max_sizes, cli_max_side);
            return false;
        }
        result->sizes[result->num_sizes++] = (struct bench_size){.width = size.width,
                                                                 .height = size.height};
        list += length + (list[length] == ',');
    }
    if (result->num_sizes == 0)
        fputs("weir bench encode: --sizes wants a size\n", stderr);
    return result->num_sizes > 0;
}

// The last is a live capture: what a render thread at 60 frames a second pays.
static const struct bench_stream streams[bench_max_streams] = {
    {.file = false, .policy = WEIR_POLICY_WAIT},
    {.file = false, .policy = WEIR_POLICY_DROP},
    {.file = true, .policy = WEIR_POLICY_WAIT},
    {.file = true, .policy = WEIR_POLICY_DROP},
    {.file = true, .policy = WEIR_POLICY_DROP, .pace = {60, 1}},
};

static enum weir_result measure_streams(struct cli_gpu *gpu, const struct bench_options *asked,
                                        const struct bench_images *images, struct bench_size *size)
{
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < bench_max_streams && result == WEIR_OK && !cli_interrupted(); i++) {
        struct bench_stream *stream = &size->streams[size->num_streams];
        *stream = streams[i];
        if (asked->rate.num != 0)
            stream->pace = asked->rate;
        if (asked->no_file && stream->file && streams[i].pace.num == 0)
            continue;
        stream->file = stream->file && !asked->no_file;
        result = bench_stream_measure(gpu, asked, images, stream);
        size->num_streams += result == WEIR_OK;
    }
    return result;
}

static enum weir_result measure_size(struct cli_gpu *gpu, const struct bench_options *asked,
                                     struct bench_size *size)
{
    const uint32_t limit = gpu->properties.limits.maxImageDimension2D;
    if (size->width > limit || size->height > limit) {
        cli_report_error("%ux%u: %s takes at most %u texels a side", size->width, size->height,
                         gpu->properties.deviceName, limit);
        return WEIR_ERROR_UNSUPPORTED;
    }
    struct bench_images *images = malloc(sizeof *images);
    if (images == NULL)
        return WEIR_ERROR_OUT_OF_MEMORY;
    enum weir_result result = bench_images_init(gpu, size->width, size->height, images);
    if (result == WEIR_OK) {
        size->num_images = images->num;
        result = bench_kernels_measure(gpu, asked, images, size);
        if (result == WEIR_OK && !asked->no_stream)
            result = measure_streams(gpu, asked, images, size);
        bench_images_finish(gpu, images);
    }
    free(images);
    return result;
}

static enum weir_result measure(struct cli_gpu *gpu, struct bench_result *result)
{
    // With --json - the table would be in the way of the reader of the JSON.
    const struct bench_options *asked = result->options;
    FILE *table = asked->json != NULL && strcmp(asked->json, "-") == 0 ? stderr : stdout;
    result->gpu = gpu;
    result->async = weir_context_is_async(gpu->context);
    result->codec = cli_codec_names[asked->codec];
    bench_table_head(table, result);
    enum weir_result status = WEIR_OK;
    for (uint32_t i = 0; i < result->num_sizes && status == WEIR_OK; i++) {
        status = measure_size(gpu, asked, &result->sizes[i]);
        if (status == WEIR_OK && !cli_interrupted())
            bench_table_size(table, &result->sizes[i]);
        fflush(table);
        if (cli_interrupted()) {
            cli_report_error("interrupted");
            status = WEIR_ERROR_IO;
        }
    }
    if (status == WEIR_OK && asked->json != NULL && !bench_json_write(asked->json, result))
        status = WEIR_ERROR_IO;
    return status;
}

static enum cli_status run(char **arguments, const void *values)
{
    (void)arguments;
    struct bench_options asked = *(const struct bench_options *)values;
    if (asked.milliseconds == 0)
        asked.milliseconds = asked.quick ? quick_milliseconds : 3000;
    struct bench_result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return CLI_FAILED;
    result->options = &asked;
    if (!parse_sizes(asked.sizes, result)) {
        free(result);
        return CLI_USAGE;
    }
    if (asked.json != NULL && !bench_json_can_write(asked.json)) {
        free(result);
        return CLI_FAILED;
    }
    cli_interrupt_catch();
    struct cli_gpu gpu;
    enum weir_result status = cli_gpu_open(&gpu, (uint32_t)asked.device, asked.validation);
    if (status == WEIR_OK) {
        status = measure(&gpu, result);
        if (!cli_gpu_close(&gpu))
            status = WEIR_ERROR_VULKAN;
    }
    free(result);
    return status == WEIR_OK ? CLI_DONE : CLI_FAILED;
}

const struct cli_command cli_bench_encode_command = {
    .name = "bench encode",
    .arguments = "",
    .summary = "measure the encoder against the floor, and the stream end to end",
    .about = "The floor is a kernel that reads the image once and writes 16 bytes a block; a plain "
             "copy\n"
             "of the image stands beside it. Frames then run through the capture into the null "
             "sink and\n"
             "into a movie, under both policies. The movie is removed again.\n",
    .example = "  weir bench encode --sizes 2160p --json bench.json\n"
               "  weir bench encode --sizes 256x256 --quick\n",
    .options = options,
    .num_options = sizeof options / sizeof options[0],
    .run = run,
    .defaults = &(const struct bench_options){.sizes = "1080p,2160p,4320p", .dir = "."},
    .values_size = sizeof(struct bench_options),
};
