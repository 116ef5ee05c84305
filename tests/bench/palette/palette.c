// SPDX-License-Identifier: MIT
// weir-bench palette: how fast palette reduction is, stage by stage, beside a plain copy.
#include "tests/bench/palette/palette.h"

#include <inttypes.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "tests/bench/timing.h"

enum { REPEATS = 5, QUICK_REPEATS = 1 };

#define FIELD(name) offsetof(struct bench_palette_options, name)
static const struct cli_option options[] = {
    {"colors", CLI_TEXT, FIELD(colors), "LIST",
     .help = "how many colours generated pictures have (six, 16755 to 1103347)"},
    {"radius", CLI_REAL, FIELD(radius), "R", .help = "in Oklab (0.02)",
     .real_max = WEIR_PALETTE_MAX_RADIUS},
    {"weight", CLI_CHOICE, FIELD(weight), "NAME", .help = "of a colour",
     .choices = bench_palette_weight_names},
    {"light", CLI_CHOICE, FIELD(light), "NAME", .help = "how codes become light",
     .choices = bench_palette_light_names},
    {"picture", CLI_TEXT, FIELD(pictures), "LIST", .help = "pictures to measure too, A.png,B.png"},
    {"methods", CLI_LIST, FIELD(methods), "LIST", .help = "what to measure (ours)",
     .choices = bench_palette_method_names},
    {"num-colors", CLI_NUMBER, FIELD(num_colors), "N", .help = "new colours of live (256)",
     .min = 1, .max = WEIR_PALETTE_MAX_NUM_COLORS},
    {"repeats", CLI_NUMBER, FIELD(repeats), "N", .help = "of ours (5; 1 with --quick)", .min = 1,
     .max = 1000},
    {"quick", CLI_FLAG, FIELD(quick), .help = "small pictures, for a first look or a slow device"},
    BENCH_OPTIONS(struct bench_palette_options),
};

#define MS(key, title, width, decimals)                                                            \
    {                                                                                              \
        key ".median_us", title, width, decimals, 1e-3                                             \
    }
#define NAME                                                                                       \
    {                                                                                              \
        ".name", "", -24, 0, 0                                                                     \
    }

static const struct bench_column time_columns[] = {
    NAME,
    {"size", "", 10, 0, 0},
    MS("ours.stages.count", "count", 8, 3),
    MS("ours.stages.start", "start", 8, 3),
    MS("ours.stages.iterate", "iterate", 8, 3),
    MS("ours.stages.finish", "finish", 8, 3),
    MS("ours.stages.map", "map", 8, 3),
    MS("ours.stages.total", "total", 8, 3),
    MS("ours.stages.copy", "copy", 8, 3),
    BENCH_BAR,
    {"count_ratio_to_copy", "count x copy", 12, 2, 0},
    {"map_ratio_to_copy", "map x copy", 10, 2, 0},
};
static const struct bench_column work_columns[] = {
    NAME,
    {"colors", "colours", 8, 0, 0},
    {"ours.new_colors", "new", 8, 0, 0},
    {"ours.max_steps", "steps", 6, 0, 0},
    {"ours.evaluations", "evaluations", 11, 0, 0},
    {"ours.ns_per_evaluation", "ns each", 8, 1, 0},
};
static const struct bench_column live_columns[] = {
    NAME,
    MS("live.copy", "copy", 8, 4),
    BENCH_BAR,
    MS("live.anew.count", "count", 8, 4),
    MS("live.anew.choose", "choose", 8, 4),
    MS("live.anew.map", "map", 8, 4),
    {"live.anew.decibels", "dB", 6, 2, 0},
    BENCH_BAR,
    MS("live.anew_of_table.count", "count", 8, 4),
    MS("live.anew_of_table.choose", "choose", 8, 4),
    MS("live.anew_of_table.map", "map", 8, 4),
    {"live.anew_of_table.decibels", "dB", 6, 2, 0},
    BENCH_BAR,
    MS("live.look", "look", 8, 4),
    MS("live.move", "move", 8, 4),
    MS("live.fill", "fill", 8, 4),
    {"live.decibels", "dB", 6, 2, 0},
    BENCH_BAR,
    {"live.look_ratio_to_copy", "look", 6, 2, 0},
    {"live.move_ratio_to_copy", "move", 6, 2, 0},
    {"live.fill_ratio_to_copy", "fill", 6, 2, 0},
};

static void put_head(FILE *out, struct bench_value *json, const struct cli_gpu *gpu,
                     const struct bench_palette_options *asked)
{
    const char *weight = bench_palette_weight_names[asked->weight];
    const char *light = bench_palette_light_names[asked->light];
    char what[128];
    bench_put_number(json, "radius", asked->radius);
    bench_put_text(json, "weight", weight);
    bench_put_text(json, "light", light);
    bench_put_integer(json, "repeats", asked->repeats);
    snprintf(what, sizeof(what), "radius %g, weight %s, light %s", asked->radius, weight, light);
    bench_print_head(out, gpu, what);
    fprintf(out, "median GPU time of %" PRIu64 " repetitions [ms]%s\n\n", asked->repeats,
            bench_timing_is_host(gpu) ? "; a SOFTWARE device: they say nothing of a GPU" : "");
}

// A row of times for each picture as it is measured.
static enum weir_result measure_rows(struct cli_gpu *gpu, FILE *out,
                                     struct bench_palette_result *result,
                                     struct bench_value *pictures)
{
    bench_print_row(out, time_columns, BENCH_COUNT(time_columns), NULL);
    for (uint32_t i = 0; i < result->num_rows && !cli_interrupted(); i++) {
        struct bench_value *row = bench_add(pictures, NULL, BENCH_OBJECT);
        const enum weir_result status = bench_palette_measure(gpu, result, &result->rows[i], row);
        cli_progress_finish(result->progress);
        if (status != WEIR_OK || !row) {
            return status;
        }
        bench_print_row(out, time_columns, BENCH_COUNT(time_columns), row);
        fflush(out);
    }
    return WEIR_OK;
}

// The tables of the work and of live.
static void print_rest(FILE *out, const struct bench_palette_result *result,
                       const struct bench_value *pictures)
{
    const VkExtent2D size = bench_palette_frame_size(result->options);
    fputc('\n', out);
    bench_print_table(out, work_columns, BENCH_COUNT(work_columns), pictures);
    if (result->methods[BENCH_PALETTE_LIVE]) {
        fprintf(out,
                "\n  k-means to %" PRIu64 " colours of frames of %ux%u [ms, dB]\n"
                "  %-33s | %-33s | %-33s | %-33s | live x copy\n",
                result->options->num_colors, size.width, size.height, "", "anew, of all codes",
                "anew, of a table", "live");
        bench_print_table(out, live_columns, BENCH_COUNT(live_columns), pictures);
    }
}

static enum weir_result measure(struct cli_gpu *gpu, FILE *out, struct bench_value *json,
                                void *user)
{
    struct bench_palette_result *result = user;
    struct cli_progress progress;
    WEIR_TRY(bench_timing_check(gpu));
    result->progress = &progress;
    cli_progress_start(&progress, false);
    put_head(out, json, gpu, result->options);
    struct bench_value *pictures = bench_add(json, "pictures", BENCH_ARRAY);
    WEIR_TRY(measure_rows(gpu, out, result, pictures));
    if (!cli_interrupted()) {
        print_rest(out, result, pictures);
    }
    return WEIR_OK;
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
        "ours is mean shift. A plain copy of the image is the floor of counting and mapping.\n"
        "Flat art is 3840x2160 of 64 colours.\n"
        "live is k-means whose colours follow from frame to frame, on each picture repeated to\n"
        "3840x2160.\n",
    .example = "  weir-bench palette --json palette.json\n"
               "  weir-bench palette --colors 84860 --weight frequency\n"
               "  weir-bench palette --methods live --colors 84860 --picture kodim05.png\n",
    .options = options,
    .num_options = BENCH_COUNT(options),
    .run = run,
    .defaults = &(
        const struct bench_palette_options){.colors = "16755,27868,84860,242931,328666,1103347",
                                            .radius = 0.02,
                                            .methods = "ours",
                                            .num_colors = WEIR_PALETTE_MAX_NUM_COLORS},
    .values_size = sizeof(struct bench_palette_options),
};
