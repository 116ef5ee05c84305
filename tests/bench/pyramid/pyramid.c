// SPDX-License-Identifier: MIT
// weir-bench pyramid: how fast each method is against the floor of the device.
#include "tests/bench/pyramid/pyramid.h"

#include <inttypes.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "tests/bench/timing.h"

enum { REPEATS = 8, SUBMITS = 35, SOFTWARE_REPEATS = 1, SOFTWARE_SUBMITS = 3 };

// Screens, powers of two, their neighbours, pictures and an array.
static const struct bench_area default_sizes[] = {
    {1366, 768, 1},  {1920, 1080, 1}, {2560, 1440, 1}, {3840, 2160, 1},   {2048, 2048, 1},
    {4096, 4096, 1}, {8192, 8192, 1}, {2052, 2052, 1}, {2047, 2047, 1},   {4094, 4094, 1},
    {4095, 4095, 1}, {3095, 990, 1},  {6000, 4000, 1}, {16384, 16384, 1}, {256, 256, 256},
};
// The default sizes on a software device, which take it some seconds.
static const struct bench_area software_sizes[] = {
    {256, 256, 1},
    {255, 255, 1},
    {640, 360, 1},
    {64, 64, 16},
};

static void add_sizes(struct bench_pyramid_result *result, const struct bench_area *areas,
                      size_t num)
{
    for (const struct bench_area *area = areas; area < areas + num; area++) {
        struct bench_pyramid_size *size = &result->sizes[result->num_sizes++];
        *size = (struct bench_pyramid_size){
            .width = area->width,
            .height = area->height,
            .layers = area->layers,
            .levels = weir_pyramid_full_chain(area->width, area->height),
        };
        for (uint32_t i = 0; i < size->levels; i++) {
            const VkExtent2D extent = weir_pyramid_level_extent(area->width, area->height, i);
            size->bytes += (double)extent.width * extent.height;
        }
        size->bytes *= (double)result->format->texel_size * size->layers;
    }
}

static const char *method_choice(int index)
{
    const int method = WEIR_PYRAMID_AUTO + 1 + index;
    return method < BENCH_PYRAMID_NUM_METHODS
               ? weir_pyramid_method_get_info((enum weir_pyramid_method)method)->name
               : NULL;
}

// A kernel of the user's own cannot be given on a command line.
static const char *reduction_choice(int index)
{
    return index < WEIR_PYRAMID_CUSTOM
               ? weir_pyramid_reduction_get_info((enum weir_pyramid_reduction)index)->name
               : NULL;
}

static const char *format_choice(int index)
{
    size_t num = 0;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num);
    return (size_t)index < num ? formats[index].name : NULL;
}

static const char *precision_choice(int index)
{
    static const char *const names[] = {"fast", "nearest", "exact"};
    return index < 3 ? names[index] : NULL;
}

#define FIELD(name) offsetof(struct bench_pyramid_options, name)
static const struct cli_option options[] = {
    {"sizes", CLI_TEXT, FIELD(sizes), "LIST",
     .help = "as in 1920x1080,256x256x256 (screens, powers of two, others, an array)"},
    {"methods", CLI_LIST, FIELD(methods), "LIST", .help = "what to measure (all)",
     .choice = method_choice},
    {"format", CLI_CHOICE, FIELD(format), "NAME", .help = "of the levels (rgba8_srgb)",
     .choice = format_choice},
    {"reduction", CLI_CHOICE, FIELD(reduction), "NAME", .help = "how texels join (mean)",
     .choice = reduction_choice},
    {"repeats", CLI_NUMBER, FIELD(repeats), "N",
     .help = "of each submission (8; 1 on a software device)", .min = 1, .max = 256},
    {"submits", CLI_NUMBER, FIELD(submits), "N",
     .help = "of each method (35; 3 on a software device)", .min = 1, .max = BENCH_MAX_SAMPLES},
    {"no-cold", CLI_FLAG, FIELD(no_cold), .help = "the same image again and again only"},
    {"precision", CLI_CHOICE, FIELD(precision), "NAME", .help = "how exact the levels are (fast)",
     .choice = precision_choice},
    {"uint-views", CLI_FLAG, FIELD(uint_views),
     .help = "images allow views of words, which kernels gather", .is_rare = true},
    {"graphics", CLI_FLAG, FIELD(graphics), .help = "on the graphics queue, which blit needs"},
    BENCH_OPTIONS(struct bench_pyramid_options),
};

// Fill methods and sizes from the options. False after a message. There are no sizes where none
// are asked for: they depend on the device.
static bool parse(struct bench_pyramid_result *result)
{
    const struct bench_pyramid_options *asked = &result->options;
    size_t num = 0;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num);
    result->format = asked->format >= 0 ? &formats[asked->format]
                                        : weir_pyramid_format_get_info(VK_FORMAT_R8G8B8A8_SRGB);
    result->reduction = (enum weir_pyramid_reduction)asked->reduction;
    for (int i = WEIR_PYRAMID_AUTO + 1; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        result->methods[i] = !asked->methods;
    }
    bench_choose(&(const struct cli_option){.choice = method_choice}, asked->methods,
                 result->methods + WEIR_PYRAMID_AUTO + 1);
    struct bench_area areas[BENCH_PYRAMID_MAX_SIZES];
    const int num_areas = asked->sizes ? bench_parse_areas("pyramid", asked->sizes, true, areas,
                                                           BENCH_PYRAMID_MAX_SIZES)
                                       : 0;
    if (num_areas > 0) {
        add_sizes(result, areas, (size_t)num_areas);
    }
    return num_areas >= 0;
}

static void print_or_keep(void *user, const struct weir_log_message *message)
{
    const struct bench_pyramid_run *run = user;
    if (!run->reason) {
        cli_log.print(cli_log.user, message);
    } else if (run->reason[0] == 0) {
        snprintf(run->reason, BENCH_REASON_SIZE, "%s", message->text);
    }
}

// Make the pyramid of a method. If the device does not allow it, the table says so.
static enum weir_result make_method(struct bench_pyramid_run *run, weir_context *context,
                                    enum weir_pyramid_method method)
{
    const struct bench_pyramid_options *asked = &run->result->options;
    char *refused = run->refused[method];
    if (method == WEIR_PYRAMID_BLIT && weir_context_is_async(context)) {
        // The device may have graphics, but blits recorded for a queue without them hang it.
        snprintf(refused, BENCH_REASON_SIZE, "blits need a queue with graphics: --graphics");
        return WEIR_OK;
    }
    run->reason = refused;
    const enum weir_result result = weir_pyramid_create(
        context,
        weir_pyramid_params(.method = method, .reduction = run->result->reduction,
                            .precision = (enum weir_pyramid_precision)asked->precision,
                            .format = run->result->format->format),
        &run->pyramids[method]);
    run->reason = NULL;
    if (result != WEIR_OK && refused[0] == 0) {
        snprintf(refused, BENCH_REASON_SIZE, "%s", weir_result_name(result));
    }
    if (result == WEIR_OK || result == WEIR_ERROR_UNSUPPORTED || result == WEIR_ERROR_INVALID) {
        return WEIR_OK;
    }
    cli_report_error("%s: %s", weir_pyramid_method_get_info(method)->name, refused);
    return result;
}

static enum weir_result prepare(struct bench_pyramid_run *run, struct cli_gpu *gpu)
{
    VkFormatProperties format;
    if (!gpu->import->features->features.shaderStorageImageWriteWithoutFormat) {
        cli_report_error("%s lacks shaderStorageImageWriteWithoutFormat, which pyramids need",
                         gpu->properties.deviceName);
        return WEIR_ERROR_UNSUPPORTED;
    }
    WEIR_TRY(bench_timing_check(gpu));
    run->result->methods[WEIR_PYRAMID_AUTO] = true; // to say what it takes
    for (int i = WEIR_PYRAMID_AUTO; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        if (run->result->methods[i]) {
            WEIR_TRY(make_method(run, gpu->context, (enum weir_pyramid_method)i));
        }
    }
    vkGetPhysicalDeviceFormatProperties(gpu->import->physical_device, run->result->format->format,
                                        &format);
    return bench_pyramid_kernel_init(
        &run->kernel, gpu,
        (format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0);
}

static void complete_options(struct bench_pyramid_run *run, const struct cli_gpu *gpu)
{
    struct bench_pyramid_options *asked = &run->result->options;
    const bool host = bench_timing_is_host(gpu);
    run->result->host_time = host;
    if (asked->repeats == 0) {
        asked->repeats = host ? SOFTWARE_REPEATS : REPEATS;
    }
    if (asked->submits == 0) {
        asked->submits = host ? SOFTWARE_SUBMITS : SUBMITS;
    }
    if (run->result->num_sizes == 0) {
        add_sizes(run->result, host ? software_sizes : default_sizes,
                  host ? BENCH_COUNT(software_sizes) : BENCH_COUNT(default_sizes));
    }
}

static void put_head(FILE *table, struct bench_value *json, const struct bench_pyramid_run *run)
{
    const struct bench_pyramid_result *result = run->result;
    const struct bench_pyramid_options *asked = &result->options;
    const char *reduction = weir_pyramid_reduction_get_info(result->reduction)->name;
    char what[128];
    bench_put_text(json, "clock", result->host_time ? "host" : "gpu");
    bench_put_text(json, "format", result->format->name);
    bench_put_text(json, "reduction", reduction);
    bench_put_integer(json, "repeats", asked->repeats);
    bench_put_integer(json, "submits", asked->submits);
    snprintf(what, sizeof(what), "%s, %s", result->format->name, reduction);
    bench_print_head(table, run->gpu, what);
    fprintf(table, "%" PRIu64 " submissions of %" PRIu64 " repetitions\n", asked->submits,
            asked->repeats);
}

static enum weir_result measure_sizes(struct bench_pyramid_run *run, FILE *table,
                                      struct bench_value *json)
{
    struct bench_pyramid_result *result = run->result;
    WEIR_TRY(prepare(run, run->gpu));
    put_head(table, json, run);
    struct bench_value *sizes = bench_add(json, "sizes", BENCH_ARRAY);
    for (uint32_t i = 0; i < result->num_sizes && !cli_interrupted(); i++) {
        WEIR_TRY(bench_pyramid_measure(run, &result->sizes[i]));
        if (!cli_interrupted()) {
            bench_pyramid_report(table, result, &result->sizes[i], sizes);
        }
        fflush(table);
    }
    return WEIR_OK;
}

static enum weir_result measure(struct cli_gpu *gpu, FILE *table, struct bench_value *json,
                                void *user)
{
    struct bench_pyramid_run *run = user;
    run->gpu = gpu;
    complete_options(run, gpu);
    const enum weir_result status = measure_sizes(run, table, json);
    bench_kernel_finish(&run->kernel);
    for (int i = 0; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        weir_pyramid_destroy(&run->pyramids[i]);
    }
    return status;
}

static enum cli_status run_command(char **arguments, const void *values)
{
    (void)arguments;
    static struct bench_pyramid_result result; // a process runs one command
    static struct bench_pyramid_run run;
    const struct bench_pyramid_options *asked = &result.options;
    run.result = &result;
    result.options = *(const struct bench_pyramid_options *)values;
    if (!parse(&result)) {
        return CLI_USAGE;
    }
    return bench_task_run(&(const struct bench_task){
        .name = "pyramid",
        .json = asked->json,
        .device = {.index = (uint32_t)asked->device,
                   .validation = asked->validation,
                   .no_async = asked->graphics,
                   .log = {.print = print_or_keep,
                           .user = &run,
                           .least_severity = cli_log.least_severity}},
        .measure = measure,
        .user = &run,
    });
}

const struct cli_command bench_pyramid_command = {
    .name = "pyramid",
    .arguments = "",
    .summary = "measure every way to make a mip pyramid against the floor",
    .about =
        "The floor is a kernel that reads level 0 once and writes every other level once, with\n"
        "wrong values and without waiting for anything; an empty dispatch stands beside it. Of an\n"
        "array of layers, one pyramid for all stands against one for each.\n",
    .example = "  weir-bench pyramid --sizes 1920x1080,4095x4095 --methods single,hybrid\n"
               "  weir-bench pyramid --json pyramid.json\n",
    .options = options,
    .num_options = BENCH_COUNT(options),
    .run = run_command,
    .defaults = &(const struct bench_pyramid_options){.format = -1},
    .values_size = sizeof(struct bench_pyramid_options),
};
