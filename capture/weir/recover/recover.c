// SPDX-License-Identifier: MIT
// weir recover: makes a plain movie of one that was cut, by a kill, a power cut or a full disk.
#define _GNU_SOURCE // flock, SEEK_HOLE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/weir/commands.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/output.h"
#include "capture/weir/common/progress.h"
#include "capture/weir/common/read.h"
#include "capture/weir/common/report.h"
#include "capture/weir/recover/in_place.h"
#include "capture/weir/recover/report.h"
#include "capture/weir/remux/write.h"

struct recover_options {
    struct cli_size size;
    struct cli_rate rate;
    bool in_place, dry_run, check, json, quiet;
};

#define FIELD(name) offsetof(struct recover_options, name)
static const struct cli_option options[] = {
    {.name = "in-place",
     .kind = CLI_FLAG,
     .offset = FIELD(in_place),
     .help = "change the file itself: its index is appended, its frames stay where they are"},
    {.name = "dry-run",
     .kind = CLI_FLAG,
     .offset = FIELD(dry_run),
     .help = "only say what is in it"},
    {.name = "check",
     .kind = CLI_FLAG,
     .offset = FIELD(check),
     .help = "read every frame whole, and leave out the damaged ones"},
    {.name = "size",
     .kind = CLI_SIZE,
     .offset = FIELD(size),
     .argument = "WxH",
     .help = "the size of its pictures, where the file does not say it any more"},
    {.name = "fps",
     .kind = CLI_RATE,
     .offset = FIELD(rate),
     .argument = "N",
     .help = "its frames a second, likewise"},
    {.name = "json", .kind = CLI_FLAG, .offset = FIELD(json), .help = "print JSON"},
    {.name = "quiet",
     .kind = CLI_FLAG,
     .offset = FIELD(quiet),
     .help = "no progress, and no line at the end"},
};

struct recover {
    const struct recover_options *options;
    const char *input;
    char *output; // the new file; NULL: the input itself
    int fd;
    struct recover_params params;
    struct recover_found found;
    struct cli_progress progress;
};

static bool read_file(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct recover *recover = user;
    return cli_read_at(recover->fd, offset, bytes, size);
}

static bool show_progress(void *user, uint64_t bytes, size_t num_frames)
{
    struct recover *recover = user;
    cli_progress_update(&recover->progress, num_frames, 0, bytes);
    return !cli_interrupted();
}

// The output that was given, or FOLDER/NAME.recovered.mov for FOLDER/NAME.mov. False: out of
// memory.
static bool name_output(struct recover *recover, const char *given)
{
    static const char ending[] = ".recovered.mov";
    size_t length = strlen(recover->input);
    if (given) {
        recover->output = strdup(given);
        return recover->output;
    }
    length -= cli_output_ends_in(recover->input, ".mov") ? 4 : 0;
    recover->output = malloc(length + sizeof(ending));
    if (recover->output) {
        memcpy(recover->output, recover->input, length);
        memcpy(recover->output + length, ending, sizeof(ending));
    }
    return recover->output;
}

// A take is never replaced by another.
static bool check_output(const struct recover *recover)
{
    struct stat status;
    if (lstat(recover->output, &status) == 0) {
        cli_report_error("%s is there already, and is not replaced: remove it, or give another "
                         "name for the recovered movie",
                         recover->output);
        return false;
    }
    return true;
}

static bool open_input(struct recover *recover)
{
    struct stat status;
    const bool writes = recover->options->in_place && !recover->options->dry_run;
    recover->fd = open(recover->input, (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK);
    if (recover->fd < 0 || fstat(recover->fd, &status) != 0) {
        cli_report_error("cannot open %s: %s", recover->input, strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        cli_report_error("%s is no file: weir recover takes one movie", recover->input);
        return false;
    }
    if (writes && flock(recover->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        cli_report_error("another program is writing %s: wait until it has ended", recover->input);
        return false;
    }
    // After a power cut there are holes where the disk did not get the data any more.
    const off_t hole = lseek(recover->fd, 0, SEEK_HOLE);
    if (hole >= 0 && hole < status.st_size) {
        recover->params.checks_all = true;
    }
    recover->params.source = (struct weir_view_source){
        .read = read_file, .user = recover, .size = (uint64_t)status.st_size};
    return true;
}

static bool read_piece(void *user, uint32_t source, uint64_t offset, uint8_t *bytes, size_t size)
{
    (void)source;
    return read_file(user, offset, bytes, size);
}

static const char *name_input(void *user, uint32_t source)
{
    const struct recover *recover = user;
    (void)source;
    return recover->input;
}

static enum weir_result write_list(struct recover *recover, const struct remux_movie *movie)
{
    if (recover->options->in_place) {
        return recover_in_place(&recover->params, &recover->found, movie, recover->fd,
                                recover->input);
    }
    const struct remux_target target = {
        .path = recover->output,
        .read = read_piece,
        .name = name_input,
        .progress = show_progress,
        .user = recover,
    };
    return remux_write(movie, &target);
}

static enum weir_result write_movie(struct recover *recover)
{
    if (recover->options->in_place && !recover->found.is_in_place) {
        cli_report_error("%s cannot become a plain movie by itself: leave out --in-place, and its "
                         "frames go to a new file",
                         recover->input);
        return WEIR_ERROR_UNSUPPORTED;
    }
    struct remux_movie movie;
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (recover_found_list(&recover->found, &movie)) {
        result = write_list(recover, &movie);
    }
    remux_movie_finish(&movie);
    return result;
}

static void tell(const struct recover *recover, bool is_written)
{
    const struct recover_report report = {
        .input = recover->input,
        .output = !is_written       ? NULL
                  : recover->output ? recover->output
                                    : recover->input,
        .found = &recover->found,
    };
    if (recover->options->json) {
        recover_report_print_json(&report);
    } else if (!recover->options->quiet) {
        recover_report_print(&report);
    }
}

static enum weir_result recover_movie(struct recover *recover)
{
    if (!recover_find(&recover->params, &recover->found)) {
        cli_progress_finish(&recover->progress);
        const char *refusal = recover->found.refusal;
        cli_report_error("%s: %s; nothing was changed", recover->input,
                         refusal[0] != 0 ? refusal : "interrupted");
        return WEIR_ERROR_DATA;
    }
    const bool writes = recover->found.state != RECOVER_NOTHING_TO_DO && !recover->options->dry_run;
    const enum weir_result result = writes ? write_movie(recover) : WEIR_OK;
    cli_progress_finish(&recover->progress);
    if (result == WEIR_OK) {
        tell(recover, writes);
    }
    return result;
}

static enum cli_status run(char **arguments, const void *values)
{
    struct recover recover = {
        .options = values,
        .input = arguments[0],
        .fd = -1,
    };
    const struct recover_options *chosen = recover.options;
    if (arguments[1] && (chosen->in_place || chosen->dry_run)) {
        fprintf(stderr, "weir recover: %s: --%s writes no other file\n", arguments[1],
                chosen->in_place ? "in-place" : "dry-run");
        return CLI_USAGE;
    }
    recover.params = (struct recover_params){
        .width = chosen->size.width,
        .height = chosen->size.height,
        .rate_num = chosen->rate.num,
        .rate_den = chosen->rate.den,
        .checks_all = chosen->check,
        .progress = show_progress,
        .user = &recover,
    };
    cli_interrupt_catch();
    cli_progress_start(&recover.progress, chosen->quiet);
    enum weir_result result = WEIR_ERROR_IO;
    if (!chosen->in_place && !name_output(&recover, arguments[1])) {
        result = WEIR_ERROR_OUT_OF_MEMORY;
    } else if (open_input(&recover) &&
               (chosen->in_place || chosen->dry_run || check_output(&recover))) {
        result = recover_movie(&recover);
    }
    recover_found_finish(&recover.found);
    if (recover.fd >= 0) {
        close(recover.fd);
    }
    free(recover.output);
    return cli_status_of(result);
}

const struct cli_command cli_recover_command = {
    .name = "recover",
    .arguments = "INPUT.mov [OUTPUT.mov]",
    .num_arguments = 1,
    .max_arguments = 2,
    .summary = "make a plain movie of one that was cut by a kill, a power cut or a full disk",
    .about =
        "Every whole frame of a movie that Weir wrote is found again, with its time stamp, and\n"
        "goes to a new file: OUTPUT.mov, or INPUT.recovered.mov without one. A file that is\n"
        "there is never replaced, and INPUT stays as it is unless --in-place is given. A movie\n"
        "that needs nothing is left alone, with status 0.\n"
        "Where the head of the movie is lost, its frames are searched for one by one; where no\n"
        "box is left that tells their size and rate, give --size and --fps.\n",
    .example = "  weir recover take.mov\n"
               "  weir recover take.mov --in-place\n"
               "  weir recover piece.mov found.mov --size 1920x1080 --fps 60\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct recover_options){.in_place = false},
    .values_size = sizeof(struct recover_options),
    .files = {"*", "mov"},
};
