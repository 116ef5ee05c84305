// SPDX-License-Identifier: MIT
// weir-bench pyramid: how fast each method is against the floor of the device.
#include "tests/bench/pyramid/pyramid.h"

#include <inttypes.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "tests/bench/timing.h"

enum { REPEATS = 8, SUBMITS = 35, SOFTWARE_REPEATS = 1, SOFTWARE_SUBMITS = 3 };

#define FIELD(name) offsetof(struct bench_pyramid_options, name)
static const struct cli_option options[] = {
    {"sizes", CLI_TEXT, FIELD(sizes), "LIST",
     .help = "as in 1920x1080,256x256x256 (screens, powers of two, others, an array)"},
    {"methods", CLI_LIST, FIELD(methods), "LIST", .help = "what to measure (all)",
     .choice = bench_pyramid_method_choice},
    {"format", CLI_CHOICE, FIELD(format), "NAME",
     .help =
         "of the levels (rgba8_srgb); d32_sfloat: of a depth buffer, above levels of r32_sfloat",
     .choice = bench_pyramid_format_choice},
    {"reduction", CLI_CHOICE, FIELD(reduction), "NAME", .help = "how texels join (mean)",
     .choice = bench_pyramid_reduction_choice},
    {"layers", CLI_NUMBER, FIELD(layers), "N", .help = "of every size that names none (1)",
     .min = 1, .max = 2048},
    {"repeats", CLI_NUMBER, FIELD(repeats), "N",
     .help = "of each submission (8; 1 on a software device)", .min = 1, .max = 256},
    {"submits", CLI_NUMBER, FIELD(submits), "N",
     .help = "of each method (35; 3 on a software device)", .min = 1, .max = BENCH_MAX_SAMPLES},
    {"no-cold", CLI_FLAG, FIELD(no_cold), .help = "the same image again and again only"},
    {"filter-srgb", CLI_FLAG, FIELD(filter_srgb),
     .help = "let the sampler decode and average sRGB"},
    {"filter-half", CLI_FLAG, FIELD(filter_half), .help = "let the sampler average half floats"},
    {"exact-srgb", CLI_FLAG, FIELD(exact_srgb), .help = "decode sRGB in the kernel"},
    {"uint-views", CLI_FLAG, FIELD(uint_views),
     .help = "images allow views of words, which kernels gather"},
    {"graphics", CLI_FLAG, FIELD(graphics), .help = "on the graphics queue, which blit needs"},
    BENCH_OPTIONS(struct bench_pyramid_options),
};

// What a run has on the device for all sizes.
struct run {
    struct bench_pyramid_options asked;
    struct bench_pyramid_result result;
    struct bench_pyramid_log log;
    struct bench_pyramid_methods methods;
    struct bench_kernel kernel;
};

static void print_or_keep(void *user, const struct weir_log_message *message)
{
    struct bench_pyramid_log *log = user;
    if (!log->keep) {
        cli_log.print(cli_log.user, message);
    } else if (log->text[0] == 0) {
        snprintf(log->text, sizeof(log->text), "%s", message->text);
    }
}

// Make the pyramid of a method. If the device does not allow it, the table says so.
static enum weir_result make_method(struct run *run, weir_context *context,
                                    enum weir_pyramid_method method)
{
    const struct bench_pyramid_options *asked = &run->asked;
    char *refused = run->methods.refused[method];
    if (method == WEIR_PYRAMID_BLIT && weir_context_is_async(context)) {
        // The device may have graphics, but blits recorded for a queue without them hang it.
        snprintf(refused, BENCH_REASON_SIZE, "blits need a queue with graphics: --graphics");
        return WEIR_OK;
    }
    run->log = (struct bench_pyramid_log){.keep = true};
    const enum weir_result result = weir_pyramid_create(
        context,
        weir_pyramid_params(.method = method, .filter_srgb = asked->filter_srgb,
                            .filter_half = asked->filter_half, .exact_srgb = asked->exact_srgb,
                            .uint_views = asked->uint_views, .reduction = run->result.reduction,
                            .format = run->result.format->format,
                            .source_format = run->result.is_depth ? VK_FORMAT_D32_SFLOAT : 0),
        &run->methods.pyramids[method]);
    run->log.keep = false;
    if (result == WEIR_OK) {
        return WEIR_OK;
    }
    snprintf(refused, BENCH_REASON_SIZE, "%s",
             run->log.text[0] != 0 ? run->log.text : weir_result_name(result));
    if (result == WEIR_ERROR_UNSUPPORTED || result == WEIR_ERROR_INVALID) {
        return WEIR_OK;
    }
    cli_report_error("%s: %s", weir_pyramid_method_get_info(method)->name, refused);
    return result;
}

static enum weir_result prepare(struct run *run, struct cli_gpu *gpu)
{
    VkFormatProperties format;
    if (!gpu->import->features->features.shaderStorageImageWriteWithoutFormat) {
        cli_report_error("%s lacks shaderStorageImageWriteWithoutFormat, which pyramids need",
                         gpu->properties.deviceName);
        return WEIR_ERROR_UNSUPPORTED;
    }
    WEIR_TRY(bench_timing_check(gpu));
    run->result.methods[WEIR_PYRAMID_AUTO] = true; // to say what it takes
    for (int i = WEIR_PYRAMID_AUTO; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        if (run->result.methods[i]) {
            WEIR_TRY(make_method(run, gpu->context, (enum weir_pyramid_method)i));
        }
    }
    vkGetPhysicalDeviceFormatProperties(gpu->import->physical_device, run->result.format->format,
                                        &format);
    return bench_pyramid_kernel_init(
        &run->kernel, gpu,
        (format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0);
}

static void complete_options(struct run *run, const struct cli_gpu *gpu)
{
    struct bench_pyramid_options *asked = &run->asked;
    const bool host = bench_timing_is_host(gpu);
    run->result.host_time = host;
    if (asked->repeats == 0) {
        asked->repeats = host ? SOFTWARE_REPEATS : REPEATS;
    }
    if (asked->submits == 0) {
        asked->submits = host ? SOFTWARE_SUBMITS : SUBMITS;
    }
    if (run->result.num_sizes == 0) {
        bench_pyramid_default_sizes(&run->result);
    }
}

static enum weir_result measure(struct cli_gpu *gpu, FILE *table, void *user)
{
    struct run *run = user;
    struct bench_pyramid_result *result = &run->result;
    char what[128];
    complete_options(run, gpu);
    enum weir_result status = prepare(run, gpu);
    if (status == WEIR_OK) {
        snprintf(what, sizeof(what), "%s, %s", bench_pyramid_format_name(result),
                 weir_pyramid_reduction_get_info(result->reduction)->name);
        bench_print_head(table, gpu, what);
        fprintf(table, "%" PRIu64 " submissions of %" PRIu64 " repetitions\n", run->asked.submits,
                run->asked.repeats);
    }
    for (uint32_t i = 0; i < result->num_sizes && status == WEIR_OK && !cli_interrupted(); i++) {
        status = bench_pyramid_measure(gpu, result, &run->methods, &run->kernel, &result->sizes[i]);
        if (status == WEIR_OK && !cli_interrupted()) {
            bench_pyramid_print_size(table, result, &result->sizes[i]);
        }
        fflush(table);
    }
    bench_kernel_finish(&run->kernel);
    for (int i = 0; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        weir_pyramid_destroy(&run->methods.pyramids[i]);
    }
    return status;
}

static void report(struct bench_report *json, const void *user)
{
    bench_pyramid_report(json, &((const struct run *)user)->result);
}

static enum cli_status run_command(char **arguments, const void *values)
{
    (void)arguments;
    static struct run only; // a process runs one command
    struct run *run = &only;
    run->asked = *(const struct bench_pyramid_options *)values;
    run->result.options = &run->asked;
    run->methods.log = &run->log;
    if (!bench_pyramid_parse(&run->result)) {
        return CLI_USAGE;
    }
    return bench_task_run(&(const struct bench_task){
        .name = "pyramid",
        .json = run->asked.json,
        .device = {.index = (uint32_t)run->asked.device,
                   .validation = run->asked.validation,
                   .no_async = run->asked.graphics || run->result.is_depth,
                   .log = {.print = print_or_keep,
                           .user = &run->log,
                           .least_severity = cli_log.least_severity}},
        .measure = measure,
        .report = report,
        .user = run,
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
