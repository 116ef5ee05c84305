// SPDX-License-Identifier: MIT
// weir-bench palette: how fast palette reduction is, stage by stage, beside a plain copy.
#include "tests/bench/palette/palette.h"

#include <inttypes.h>

#include "capture/weir/common/interrupt.h"
#include "tests/bench/timing.h"

enum { REPEATS = 5, QUICK_REPEATS = 1 };

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
    {"quick", CLI_FLAG, FIELD(quick), .help = "small pictures, for a first look or a slow device"},
    BENCH_OPTIONS(struct bench_palette_options),
};

static void print_head(FILE *out, const struct cli_gpu *gpu,
                       const struct bench_palette_options *asked)
{
    char what[128];
    snprintf(what, sizeof(what), "radius %g, weight %s, light %s", asked->radius,
             bench_palette_weight_names[asked->weight], bench_palette_light_names[asked->light]);
    bench_print_head(out, gpu, what);
    fprintf(out, "median GPU time of %" PRIu64 " repetitions [ms]%s\n\n", asked->repeats,
            bench_timing_is_host(gpu) ? "; a SOFTWARE device: they say nothing of a GPU" : "");
}

static enum weir_result measure(struct cli_gpu *gpu, FILE *out, void *user)
{
    struct bench_palette_result *result = user;
    struct cli_progress progress;
    enum weir_result status = bench_timing_check(gpu);
    if (status != WEIR_OK) {
        return status;
    }
    result->progress = &progress;
    cli_progress_start(&progress, false);
    print_head(out, gpu, result->options);
    struct bench_report table = bench_palette_table(out);
    for (uint32_t i = 0; i < result->num_rows && status == WEIR_OK && !cli_interrupted(); i++) {
        status = bench_palette_measure(gpu, result, &result->rows[i]);
        cli_progress_finish(&progress);
        if (status == WEIR_OK) {
            bench_palette_put_row(&table, &result->rows[i]);
        }
        fflush(out);
    }
    if (status == WEIR_OK && !cli_interrupted()) {
        bench_palette_print_work(out, result);
    }
    if (status == WEIR_OK && !cli_interrupted() && result->methods[BENCH_PALETTE_LIVE]) {
        bench_palette_print_live(out, result);
    }
    return status;
}

static enum cli_status run_task(struct bench_palette_result *result)
{
    const struct bench_palette_options *asked = result->options;
    const char *inputs[BENCH_PALETTE_MAX_ROWS];
    struct bench_task task = {
        .name = "palette",
        .json = asked->json,
        .device = {.index = (uint32_t)asked->device, .validation = asked->validation},
        .inputs = inputs,
        .measure = measure,
        .report = bench_palette_report,
        .user = result,
    };
    for (uint32_t i = 0; i < result->num_rows; i++) {
        if (result->rows[i].source == BENCH_PALETTE_FILE) {
            inputs[task.num_inputs++] = result->rows[i].name;
        }
    }
    return bench_task_run(&task);
}

static enum cli_status run(char **arguments, const void *values)
{
    (void)arguments;
    struct bench_palette_options asked = *(const struct bench_palette_options *)values;
    if (asked.repeats == 0) {
        asked.repeats = asked.quick ? QUICK_REPEATS : REPEATS;
    }
    static struct bench_palette_result result; // a process runs one command
    result.options = &asked;
    return bench_palette_parse(&result) ? run_task(&result) : CLI_USAGE;
}

const struct cli_command bench_palette_command = {
    .name = "palette",
    .arguments = "",
    .summary = "measure palette reduction, stage by stage",
    .about =
        "ours merges paths that meet; no_merge follows every colour to its end, once, with the\n"
        "same result. A plain copy of the image is the floor of counting and mapping. Flat art\n"
        "is 3840x2160 of 64 colours.\n"
        "live is k-means whose colours follow from frame to frame, on each picture repeated to\n"
        "3840x2160.\n",
    .example = "  weir-bench palette --json palette.json\n"
               "  weir-bench palette --colors 84860 --weight frequency --methods ours\n"
               "  weir-bench palette --methods live --colors 84860 --picture kodim05.png\n",
    .options = options,
    .num_options = BENCH_COUNT(options),
    .run = run,
    .defaults = &(
        const struct bench_palette_options){.colors = "16755,27868,84860,242931,328666,1103347",
                                            .radius = 0.02,
                                            .methods = "ours,no_merge",
                                            .num_colors = WEIR_PALETTE_MAX_NUM_COLORS},
    .values_size = sizeof(struct bench_palette_options),
};
