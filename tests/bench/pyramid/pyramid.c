// SPDX-License-Identifier: MIT
// weir-bench pyramid: how fast each method is against the floor of the device.
#include "tests/bench/pyramid/pyramid.h"

#include <stdlib.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "tests/bench/commands.h"
#include "tests/bench/json.h"
#include "tests/bench/pyramid/floor.h"
#include "tests/bench/stopwatch.h"

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
     .help = "of each method (35; 3 on a software device)", .min = 1, .max = 100000},
    {"no-cold", CLI_FLAG, FIELD(no_cold), .help = "the same image again and again only"},
    {"filter-srgb", CLI_FLAG, FIELD(filter_srgb),
     .help = "let the sampler decode and average sRGB"},
    {"filter-half", CLI_FLAG, FIELD(filter_half), .help = "let the sampler average half floats"},
    {"exact-srgb", CLI_FLAG, FIELD(exact_srgb), .help = "decode sRGB in the kernel"},
    {"uint-views", CLI_FLAG, FIELD(uint_views),
     .help = "images allow views of words, which kernels gather"},
    {"graphics", CLI_FLAG, FIELD(graphics), .help = "on the graphics queue, which blit needs"},
    BENCH_OPTION_JSON(struct bench_pyramid_options),
    {"plot", CLI_TEXT, FIELD(plot), "FILE.png", .help = "draw the ratios to the floor",
     .files = "png"},
    CLI_OPTION_DEVICE(struct bench_pyramid_options),
    CLI_OPTION_VALIDATION(struct bench_pyramid_options),
};

static enum weir_result measure_sizes(struct cli_gpu *gpu, struct bench_pyramid_result *result,
                                      const struct bench_pyramid_methods *methods, FILE *table)
{
    VkFormatProperties format;
    vkGetPhysicalDeviceFormatProperties(gpu->import->physical_device, result->format->format,
                                        &format);
    struct bench_pyramid_kernels kernels;
    enum weir_result status = bench_pyramid_kernels_init(
        &kernels, gpu,
        (format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0);
    for (uint32_t i = 0; i < result->num_sizes && status == WEIR_OK; i++) {
        struct bench_pyramid_size *size = &result->sizes[i];
        status = bench_pyramid_measure(gpu, result, methods, &kernels, size);
        if (status == WEIR_OK) {
            bench_pyramid_table_size(table, result, size);
        }
        fflush(table);
    }
    bench_pyramid_kernels_finish(&kernels);
    return status;
}

static enum weir_result check_device(const struct cli_gpu *gpu)
{
    if (!gpu->import->features->features.shaderStorageImageWriteWithoutFormat) {
        cli_report_error("%s lacks shaderStorageImageWriteWithoutFormat, which pyramids need",
                         gpu->properties.deviceName);
        return WEIR_ERROR_UNSUPPORTED;
    }
    return bench_stopwatch_check(gpu);
}

static enum weir_result measure(struct cli_gpu *gpu, struct bench_pyramid_options *asked,
                                struct bench_pyramid_result *result, struct bench_pyramid_log *log)
{
    result->gpu = gpu;
    result->host_time = bench_stopwatch_is_host(gpu);
    if (asked->repeats == 0) {
        asked->repeats = result->host_time ? SOFTWARE_REPEATS : REPEATS;
    }
    if (asked->submits == 0) {
        asked->submits = result->host_time ? SOFTWARE_SUBMITS : SUBMITS;
    }
    if (result->num_sizes == 0) {
        bench_pyramid_default_sizes(result);
    }
    enum weir_result status = check_device(gpu);
    if (status != WEIR_OK) {
        return status;
    }
    FILE *table = bench_json_table(asked->json);
    struct bench_pyramid_methods methods;
    status = bench_pyramid_methods_init(&methods, result, log);
    if (status == WEIR_OK) {
        bench_pyramid_table_head(table, result);
        status = measure_sizes(gpu, result, &methods, table);
    }
    if (status == WEIR_OK && asked->json && !bench_pyramid_json_write(asked->json, result)) {
        status = WEIR_ERROR_IO;
    }
    if (status == WEIR_OK && asked->plot && !bench_pyramid_plot_write(asked->plot, result)) {
        status = WEIR_ERROR_IO;
    }
    bench_pyramid_methods_finish(&methods);
    return status;
}

static bool check_outputs(const struct bench_pyramid_options *asked)
{
    struct cli_paths paths = {0};
    cli_paths_add_output(&paths, asked->json);
    cli_paths_add_output(&paths, asked->plot);
    return cli_paths_check(&paths) == WEIR_OK &&
           (!asked->json || bench_json_can_write(asked->json)) &&
           (!asked->plot || bench_json_can_write(asked->plot));
}

static enum cli_status run(char **arguments, const void *values)
{
    (void)arguments;
    struct bench_pyramid_options asked = *(const struct bench_pyramid_options *)values;
    struct bench_pyramid_result *result = calloc(1, sizeof(*result));
    if (!result) {
        bench_tell(WEIR_ERROR_OUT_OF_MEMORY);
        return CLI_FAILED;
    }
    result->options = &asked;
    if (!bench_pyramid_parse(result)) {
        free(result);
        return CLI_USAGE;
    }
    if (!check_outputs(&asked)) {
        free(result);
        return CLI_FAILED;
    }
    cli_interrupt_catch();
    struct bench_pyramid_log log;
    struct cli_gpu gpu;
    enum weir_result status = cli_gpu_open_with(
        &gpu, &(const struct cli_gpu_params){.index = (uint32_t)asked.device,
                                             .validation = asked.validation,
                                             .graphics = asked.graphics || result->is_depth,
                                             .log = bench_pyramid_log_init(&log)});
    if (status == WEIR_OK) {
        status = cli_gpu_close_behind(&gpu, bench_tell(measure(&gpu, &asked, result, &log)));
    }
    free(result);
    return status == WEIR_OK ? CLI_DONE : CLI_FAILED;
}

const struct cli_command bench_pyramid_command = {
    .name = "pyramid",
    .arguments = "",
    .summary = "measure every way to make a mip pyramid against the floor",
    .about =
        "The floor is a kernel that reads level 0 once and writes every other level once, with "
        "wrong\n"
        "values and without waiting for anything; an empty dispatch stands beside it. Of an "
        "array of\n"
        "layers, one pyramid for all stands against one for each.\n",
    .example = "  weir-bench pyramid --sizes 1920x1080,4095x4095 --methods single,hybrid\n"
               "  weir-bench pyramid --json pyramid.json --plot pyramid.png\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct bench_pyramid_options){.format = -1},
    .values_size = sizeof(struct bench_pyramid_options),
};
