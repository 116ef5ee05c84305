// SPDX-License-Identifier: MIT
// weir recover: makes a plain movie of one that was cut, by a kill, a power cut or a full disk.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/size.h"
#include "capture/weir/commands.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/movie.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/recover/recover.h"

struct recover_options {
    struct recover_params params; // but for their source
    bool in_place, dry_run, json, quiet;
};

#define FIELD(name) offsetof(struct recover_options, name)
static const struct cli_option options[] = {
    {"in-place", CLI_FLAG, FIELD(in_place),
     .help = "change the file itself: its index is appended, its frames stay in place"},
    {"dry-run", CLI_FLAG, FIELD(dry_run), .help = "only say what is in it"},
    {"check", CLI_FLAG, FIELD(params.checks_all),
     .help = "read every frame, and leave out the damaged ones"},
    {"size", CLI_SIZE, FIELD(params.size), "WxH",
     .help = "size of the pictures, if the file has lost it"},
    {"fps", CLI_RATE, FIELD(params.rate), "N",
     .help = "frames a second, if the file has lost them"},
    {"timecode", CLI_TEXT, FIELD(params.timecode), "TIME",
     .help = "time code of the first frame, if it is lost: HH:MM:SS:FF, or ;FF for drop frame"},
    {"premultiplied", CLI_FLAG, FIELD(params.premultiplied),
     .help = "colours are multiplied by alpha, if the file has lost that"},
    CLI_OPTION_JSON(struct recover_options),
    CLI_OPTION_QUIET(struct recover_options),
};

// Read for the search, a megabyte at a time, so that Ctrl-C is answered at once.
static bool read_input(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    enum { MEGABYTE = 1 << 20 };
    struct recover_movie *movie = user;
    for (size_t done = 0, part; done < size; done += part) {
        part = weir_min(size - done, MEGABYTE);
        cli_progress_update(movie->progress, movie->found.movie.pictures.num_frames, 0, offset);
        if (cli_interrupted() || !cli_read_at(movie->fd, offset + done, bytes + done, part)) {
            return false;
        }
    }
    return true;
}

static bool has_ended(void *user)
{
    (void)user;
    return cli_interrupted();
}

static bool open_input(struct recover_movie *movie)
{
    struct stat status;
    const bool writes = movie->in_place && !movie->dry_run;
    movie->fd = cli_read_open("weir recover", movie->input, writes ? O_RDWR : O_RDONLY, &status);
    if (movie->fd < 0) {
        return false;
    }
    if (writes && flock(movie->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return cli_fail(false, "another program is writing %s: wait until it has ended",
                        movie->input);
    }
    // After a power cut there are holes where the disk did not get the data any more.
    const off_t hole = lseek(movie->fd, 0, SEEK_HOLE);
    if (hole >= 0 && hole < status.st_size) {
        movie->params.checks_all = true;
    }
    movie->params.source = (struct weir_view_source){.read = read_input,
                                                     .has_ended = has_ended,
                                                     .user = movie,
                                                     .size = (uint64_t)status.st_size};
    return true;
}

static int get_input(void *user, uint32_t source, const char **name)
{
    const struct recover_movie *movie = user;
    (void)source;
    *name = movie->input;
    return movie->fd;
}

// Make the file itself a plain movie: what follows the last frame is cut off, the index is appended
// and stored, and then 16 bytes of the head are changed in one write. A kill or a power cut in
// between leaves a file that is recovered as this one is.
static enum weir_result write_in_place(struct recover_movie *movie)
{
    const struct recover_found *found = &movie->found;
    struct stat status;
    if (fstat(movie->fd, &status) != 0 || (uint64_t)status.st_size != movie->params.source.size) {
        return cli_fail(WEIR_ERROR_IO, "%s has changed its size: another program is writing it",
                        movie->input);
    }
    size_t size;
    uint8_t *moov = weir_plain_make_moov(&found->movie, &size);
    if (!moov) {
        return cli_fail(WEIR_ERROR_OUT_OF_MEMORY, "no memory is left for the index");
    }
    struct weir_file file = {
        .path = (char *)movie->input, .fd = movie->fd, .size = found->end, .committed = found->end};
    struct weir_file_patch patch = found->patch;
    weir_plain_write_patch(found->end - patch.offset, patch.after);
    const bool is_done = ftruncate(movie->fd, (off_t)found->end) == 0 &&
                         weir_file_seal(&file, moov, size, &patch) == WEIR_OK &&
                         fdatasync(movie->fd) == 0;
    if (!is_done) {
        cli_report_error("%s: %s; its frames are as they were, and weir recover can be run again",
                         movie->input, strerror(errno));
    }
    free(moov);
    return is_done ? WEIR_OK : WEIR_ERROR_IO;
}

static enum weir_result write_movie(struct recover_movie *movie)
{
    if (movie->in_place && !movie->found.is_in_place) {
        return cli_fail(WEIR_ERROR_UNSUPPORTED,
                        "%s cannot become a plain movie by itself: leave out --in-place, and its "
                        "frames go to a new file",
                        movie->input);
    }
    if (movie->in_place) {
        return write_in_place(movie);
    }
    const struct cli_movie_target target = {
        .path = movie->output, .open = get_input, .user = movie, .progress = movie->progress};
    return cli_movie_write(&movie->found.movie, &target);
}

static void warn_unused(const struct recover_movie *movie)
{
    if (movie->found.is_timecode_unused) {
        cli_report_warning(
            "%s: --timecode is for movies whose head is lost; the file says that this "
            "one has %s",
            movie->input,
            movie->found.movie.timecode.first.frames_per_second > 0 ? "a time code of its own"
                                                                    : "none");
    }
}

// Find what is left of a movie, and write that. A failure is reported, and changes nothing.
static enum weir_result recover(struct recover_movie *movie)
{
    if (!open_input(movie) ||
        (movie->output && !cli_output_check_new(movie->output, "the recovered movie"))) {
        return WEIR_ERROR_IO;
    }
    const bool is_found = recover_find(&movie->params, &movie->found);
    if (!is_found || cli_interrupted()) {
        return cli_fail(WEIR_ERROR_DATA, "%s: %s; nothing was changed", movie->input,
                        cli_interrupted() ? "interrupted" : movie->found.refusal);
    }
    warn_unused(movie);
    if (movie->found.state == RECOVER_NOTHING_TO_DO || movie->dry_run) {
        return WEIR_OK;
    }
    const enum weir_result result = write_movie(movie);
    movie->is_written = result == WEIR_OK;
    return result;
}

// What became of all movies.
struct outcome {
    enum weir_result first_failure;
    size_t num_written, num_whole, num_failed;
};

static void count(struct outcome *outcome, const struct recover_movie *movie)
{
    if (movie->result != WEIR_OK) {
        outcome->first_failure = outcome->num_failed > 0 ? outcome->first_failure : movie->result;
        outcome->num_failed++;
    } else if (movie->is_written) {
        outcome->num_written++;
    } else if (movie->found.state == RECOVER_NOTHING_TO_DO) {
        outcome->num_whole++;
    }
}

static void recover_one(const struct recover_options *chosen, const struct recover_job *job,
                        struct cli_progress *progress, struct weir_json *json,
                        struct outcome *outcome)
{
    struct recover_movie movie = {
        .input = job->input,
        .output = job->output,
        .in_place = chosen->in_place,
        .dry_run = chosen->dry_run,
        .params = chosen->params,
        .progress = progress,
        .fd = -1,
    };
    movie.result = recover(&movie);
    cli_progress_finish(progress);
    count(outcome, &movie);
    if (chosen->json) {
        recover_report_print_json(&movie, json);
    } else if (movie.result == WEIR_OK && !chosen->quiet) {
        recover_report_print(&movie);
    }
    recover_found_finish(&movie.found);
    if (movie.fd >= 0) {
        close(movie.fd);
    }
}

static void recover_all(const struct recover_options *chosen, const struct recover_jobs *jobs,
                        struct outcome *outcome)
{
    struct weir_json json = {.out = stdout};
    const bool has_list = chosen->json && jobs->are_several;
    if (has_list) {
        weir_json_begin_array(&json, NULL);
    }
    for (size_t i = 0; i < jobs->num && !cli_interrupted(); i++) {
        struct cli_progress progress;
        cli_progress_start(&progress, chosen->quiet);
        recover_one(chosen, &jobs->list[i], &progress, &json, outcome);
    }
    if (has_list) {
        weir_json_end_array(&json);
    } else if (jobs->are_several && !chosen->quiet) {
        printf("%zu movie%s: %zu made whole, %zu that need nothing, %zu failed\n", jobs->num,
               jobs->num == 1 ? "" : "s", outcome->num_written, outcome->num_whole,
               outcome->num_failed);
    }
}

static enum cli_status run(char **arguments, const void *values)
{
    const struct recover_options *chosen = values;
    struct recover_jobs jobs = {.num = 0};
    struct outcome outcome = {.first_failure = WEIR_OK};
    cli_interrupt_catch();
    enum weir_result result = recover_jobs_make(&jobs, arguments,
                                                !chosen->in_place && !chosen->dry_run);
    if (result == WEIR_OK) {
        recover_all(chosen, &jobs, &outcome);
        result = outcome.first_failure;
    }
    if (result == WEIR_OK && cli_interrupted()) {
        result = WEIR_ERROR_IO;
    }
    recover_jobs_finish(&jobs);
    return cli_status_of(result);
}

const struct cli_command cli_recover_command = {
    .name = "recover",
    .arguments = "INPUT... [OUTPUT]",
    .num_arguments = 1,
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "repair movies cut short by a kill, a power cut or a full disk",
    .about = "Finds every complete frame of a movie that Weir wrote, with its time stamp and\n"
             "audio, and writes a new file: OUTPUT.mov, or INPUT.recovered.mov. INPUT does not\n"
             "change, except with --in-place. No file is replaced.\n\n"
             "A movie that needs no repair is left alone, with status 0. INPUT may be a folder of\n"
             "movies; with several movies the last argument is the folder for the new ones. With\n"
             "--in-place or --dry-run every argument is a movie or a folder. If one cannot be\n"
             "recovered, the others still are, and the status is 1.\n\n"
             "If the head of a movie is lost, its frames are searched one by one. If the file has\n"
             "lost their size and rate too, give --size and --fps.\n",
    .example = "  weir recover take.mov\n"
               "  weir recover take.*.mov --in-place\n"
               "  weir recover recordings/ recovered/\n"
               "  weir recover piece.mov found.mov --size 1920x1080 --fps 60\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct recover_options){.in_place = false},
    .values_size = sizeof(struct recover_options),
    .files = {"*", "mov"},
};
