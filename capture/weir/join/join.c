// SPDX-License-Identifier: MIT
// weir join: puts movies together, without encoding anything anew.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/weir/commands.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/movie.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/join/plan.h"

struct join_options {
    bool gaps, end_to_end, dry_run, json, quiet;
};

#define FIELD(name) offsetof(struct join_options, name)
static const struct cli_option options[] = {
    {"gaps", CLI_FLAG, FIELD(gaps),
     .help = "accept missing segments: frames keep their times, audio is silent in gaps"},
    {"end-to-end", CLI_FLAG, FIELD(end_to_end),
     .help = "join in the order given, whatever the segments say"},
    {"dry-run", CLI_FLAG, FIELD(dry_run), .help = "only say what would be joined"},
    CLI_OPTION_JSON(struct join_options),
    CLI_OPTION_QUIET(struct join_options),
};

struct join {
    const struct join_options *options;
    const char *output;
    struct cli_inputs given;
    // One file is open at a time: there may be thousands.
    size_t current;        // its number
    int fd;                // -1: none is
    struct stat *statuses; // by number, when they were opened first; st_mode is 0 before
    struct join_plan plan;
    struct cli_progress progress;
};

static void close_current(struct join *join)
{
    if (join->fd >= 0) {
        close(join->fd);
        join->fd = -1;
    }
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

// Open a file, unless it is the current one. What is not what it was when it was opened first is
// refused. False: the reason was printed.
static bool open_file(struct join *join, size_t number)
{
    const char *path = join->given.paths[number];
    struct stat *first = &join->statuses[number], status;
    if (join->fd >= 0 && join->current == number) {
        return true;
    }
    close_current(join);
    join->current = number;
    join->fd = cli_read_open("weir join", path, O_RDONLY, &status);
    if (join->fd < 0) {
        return false;
    }
    if (first->st_mode != 0 && !is_same(&status, first)) {
        cli_report_error("%s has changed: another program is writing it", path);
        close_current(join);
        return false;
    }
    *first = status;
    return true;
}

static bool check_output(const struct join *join)
{
    struct cli_paths paths = {0};
    for (size_t i = 0; i < join->given.num; i++) {
        cli_paths_add_input(&paths, join->given.paths[i]);
    }
    cli_paths_add_output(&paths, join->output);
    return cli_paths_check(&paths) == WEIR_OK &&
           cli_output_check_new(join->output, "the whole movie, as the last one");
}

static bool open_source(void *user, size_t number, struct weir_view_source *source)
{
    struct join *join = user;
    CLI_FAIL_IF(cli_interrupted(), false, "interrupted: %s was not made", join->output);
    if (!open_file(join, number)) {
        return false;
    }
    *source = cli_read_source(&join->fd, (uint64_t)join->statuses[number].st_size);
    return true;
}

// Find out where everything goes. False: the reason was printed.
static bool make_plan(struct join *join)
{
    const struct join_sources sources = {.open = open_source, .user = join};
    struct join_plan *plan = &join->plan;
    plan->is_end_to_end = join->options->end_to_end;
    plan->allows_gaps = join->options->gaps;
    if (join_plan_make(plan, &sources)) {
        return true;
    }
    cli_progress_finish(&join->progress);
    if (plan->refusal[0] != 0) {
        cli_report_error("%s; nothing was written", plan->refusal);
    }
    return false;
}

static int open_input(void *user, uint32_t source, const char **name)
{
    struct join *join = user;
    *name = join->plan.inputs[source].path;
    return open_file(join, join->plan.inputs[source].number) ? join->fd : -1;
}

static enum weir_result write_movie(struct join *join)
{
    const struct cli_movie_target target = {
        .path = join->output, .open = open_input, .user = join, .progress = &join->progress};
    return join->options->dry_run ? WEIR_OK : cli_movie_write(&join->plan.movie, &target);
}

static void report(const struct join *join)
{
    const bool is_written = !join->options->dry_run;
    join_report_warn(&join->plan, join->output);
    if (join->options->json) {
        join_report_print_json(&join->plan, is_written ? join->output : NULL);
    } else if (!join->options->quiet) {
        join_report_print(&join->plan, join->output, is_written);
    }
}

static enum weir_result join_movies(struct join *join)
{
    join->statuses = calloc(join->given.num, sizeof(join->statuses[0]));
    if (!join_plan_init(&join->plan, join->given.paths, join->given.num) || !join->statuses) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (!make_plan(join)) {
        return WEIR_ERROR_DATA;
    }
    const enum weir_result result = write_movie(join);
    cli_progress_finish(&join->progress);
    if (result == WEIR_OK) {
        report(join);
    }
    return result;
}

static enum cli_status run(char **arguments, const void *values)
{
    struct join join = {.options = values, .fd = -1};
    join.given = cli_inputs_get(arguments, &join.output);
    cli_interrupt_catch();
    cli_progress_start(&join.progress, join.options->quiet);
    const enum weir_result result = check_output(&join) ? join_movies(&join) : WEIR_ERROR_INVALID;
    join_plan_finish(&join.plan);
    close_current(&join);
    free(join.statuses);
    return cli_status_of(result);
}

const struct cli_command cli_join_command = {
    .name = "join",
    .arguments = "INPUT.mov... OUTPUT.mov",
    .num_arguments = 2,
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "join the segments of a recording, or movies, without encoding",
    .about =
        "Segments of one recording are joined in the order of their numbers, with the gaps\n"
        "between them; other movies in the order given, one after the other. Frames and audio\n"
        "are copied.\n\n"
        "All movies must have the same codec, size, time base and audio tracks. No file is\n"
        "replaced, and OUTPUT gets its name when it is complete.\n",
    .example = "  weir join take.001.mov take.002.mov take.003.mov take.mov\n"
               "  weir join take.*.mov whole.mov\n"
               "  weir join intro.mov main.mov outro.mov show.mov --dry-run\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct join_options){.gaps = false},
    .values_size = sizeof(struct join_options),
    .files = {"mov", "mov"},
};
