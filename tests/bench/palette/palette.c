// SPDX-License-Identifier: MIT
// weir-bench palette: how fast palette reduction is, stage by stage, beside a plain copy and the
// grid method.
#include "tests/bench/palette/palette.h"

#include <stdlib.h>

#include "capture/files/source/source.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "tests/bench/bench.h"
#include "tests/bench/json.h"
#include "tests/bench/stopwatch.h"

enum { REPEATS = 5, QUICK_REPEATS = 1 };

// By enum weir_palette_weight and enum weir_palette_light.
const char *const bench_palette_weight_names[] = {"equal", "frequency", NULL};
const char *const bench_palette_light_names[] = {"raw", "srgb", NULL};

#define FIELD(name) offsetof(struct bench_palette_options, name)
static const struct cli_option options[] = {
    {"colors", CLI_TEXT, FIELD(colors), "LIST",
     .help = "how many colours generated pictures have (six, 16755 to 1103347)"},
    {"radius", CLI_REAL, FIELD(radius), "R", .help = "in Oklab (0.02)",
     .real_max = WEIR_PALETTE_MAX_RADIUS},
    {"weight", CLI_CHOICE, FIELD(weight), "NAME", .help = "of a colour",
     .choices = bench_palette_weight_names, .hints = cli_weight_hints},
    {"light", CLI_CHOICE, FIELD(light), "NAME", .help = "how codes become light",
     .choices = bench_palette_light_names},
    {"picture", CLI_TEXT, FIELD(pictures), "LIST", .help = "pictures to measure too, A.png,B.png"},
    {"methods", CLI_LIST, FIELD(methods), "LIST", .help = "what to measure (all but live)",
     .choices = bench_palette_method_names},
    {"num-colors", CLI_NUMBER, FIELD(num_colors), "N", .help = "new colours of live (256)",
     .min = 1, .max = WEIR_PALETTE_MAX_NUM_COLORS},
    {"frame", CLI_FLAG, FIELD(frame),
     .help = "time the call of a render loop on every picture, not only on flat art"},
    {"repeats", CLI_NUMBER, FIELD(repeats), "N", .help = "of ours (5; 1 with --quick)", .min = 1,
     .max = 1000},
    BENCH_OPTION_JSON(struct bench_palette_options),
    CLI_OPTION_DEVICE(struct bench_palette_options),
    {"quick", CLI_FLAG, FIELD(quick), .help = "small pictures, for a first look or a slow device"},
    CLI_OPTION_VALIDATION(struct bench_palette_options),
};

static enum weir_result measure_rows(struct cli_gpu *gpu, struct bench_palette_result *result,
                                     FILE *table)
{
    enum weir_result status = WEIR_OK;
    for (uint32_t i = 0; i < result->num_rows && status == WEIR_OK; i++) {
        status = bench_palette_measure(gpu, result, &result->rows[i]);
        cli_progress_finish(result->progress);
        if (status == WEIR_OK) {
            bench_palette_table_times(table, &result->rows[i]);
        }
        fflush(table);
        if (status == WEIR_OK && cli_interrupted()) {
            cli_report_error("interrupted");
            status = WEIR_ERROR_IO;
        }
    }
    return status;
}

static enum weir_result measure(struct cli_gpu *gpu, struct bench_palette_result *result)
{
    const char *json = result->options->json;
    FILE *table = bench_json_table(json);
    struct cli_progress progress;
    result->gpu = gpu;
    result->progress = &progress;
    enum weir_result status = bench_stopwatch_check(gpu);
    if (status != WEIR_OK) {
        return status;
    }
    cli_progress_start(&progress, false);
    bench_palette_table_head(table, result);
    status = measure_rows(gpu, result, table);
    if (status == WEIR_OK) {
        bench_palette_table_work(table, result);
    }
    if (status == WEIR_OK && result->methods[BENCH_PALETTE_LIVE]) {
        bench_palette_table_live(table, result);
    }
    if (status == WEIR_OK && json && !bench_palette_json_write(json, result)) {
        status = WEIR_ERROR_IO;
    }
    return status;
}

static enum weir_result run_on_device(struct bench_palette_result *result)
{
    struct cli_gpu gpu;
    const enum weir_result status = cli_gpu_open(&gpu, (uint32_t)result->options->device,
                                                 result->options->validation);
    if (status != WEIR_OK) {
        return status;
    }
    return cli_gpu_close_behind(&gpu, bench_tell(measure(&gpu, result)));
}

static bool check_paths(const struct bench_palette_result *result)
{
    struct cli_paths paths = {0};
    for (uint32_t i = 0; i < result->num_rows; i++) {
        if (result->rows[i].kind == BENCH_PALETTE_FILE) {
            cli_paths_add_input(&paths, result->rows[i].name);
        }
    }
    cli_paths_add_output(&paths, result->options->json);
    return cli_paths_check(&paths) == WEIR_OK;
}

static enum cli_status run(char **arguments, const void *values)
{
    (void)arguments;
    struct bench_palette_options asked = *(const struct bench_palette_options *)values;
    if (asked.repeats == 0) {
        asked.repeats = asked.quick ? QUICK_REPEATS : REPEATS;
    }
    struct bench_palette_result *result = calloc(1, sizeof(*result));
    if (!result) {
        bench_tell(WEIR_ERROR_OUT_OF_MEMORY);
        return CLI_FAILED;
    }
    result->options = &asked;
    enum cli_status status = CLI_USAGE;
    if (bench_palette_parse(result)) {
        weir_source_silence_libav();
        cli_interrupt_catch();
        const bool ready = check_paths(result) && (!asked.json || bench_json_can_write(asked.json));
        status = ready && run_on_device(result) == WEIR_OK ? CLI_DONE : CLI_FAILED;
    }
    free(result);
    return status;
}

const struct cli_command bench_palette_command = {
    .name = "palette",
    .arguments = "",
    .summary = "measure palette reduction, stage by stage, and against the grid method",
    .about =
        "ours merges ways that meet; no_merge follows every colour to its end, with the same "
        "result;\n"
        "grid is plain mean shift over a grid of cells, in floats and with an invocation a colour, "
        "and its\n"
        "preparation is not timed. The last two run once. A plain copy of the image is the floor "
        "of\n"
        "counting and mapping. Flat art is 3840x2160 of 64 colours.\n"
        "live is k-means whose colours follow from frame to frame, on each picture repeated to "
        "3840x2160.\n",
    .example = "  weir-bench palette --json palette.json\n"
               "  weir-bench palette --colors 84860 --weight frequency --methods ours,grid\n"
               "  weir-bench palette --colors 300 --quick\n"
               "  weir-bench palette --methods live --colors 84860 --picture kodim05.png\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(
        const struct bench_palette_options){.colors = "16755,27868,84860,242931,328666,1103347",
                                            .radius = 0.02,
                                            .methods = "ours,no_merge,grid",
                                            .num_colors = WEIR_PALETTE_MAX_NUM_COLORS},
    .values_size = sizeof(struct bench_palette_options),
};
