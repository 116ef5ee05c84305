// SPDX-License-Identifier: MIT
// weir transcode: one movie of all inputs, or one of each, in which is noted what it was made of.
#include "capture/weir/transcode/transcode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/fnv.h"
#include "capture/base/path.h"
#include "capture/base/place.h"
#include "capture/files/source/list.h"
#include "capture/movie/head.h"
#include "capture/weir/common/folder.h"
#include "capture/weir/common/report.h"

// What a movie was made of, which a box at its end says.
struct origin {
    uint64_t input;   // a number for the names, sizes and times of the input's files
    uint64_t options; // cli_options_digest()
};

// What there is of a movie.
enum state {
    TRANSCODE_MISSING,
    TRANSCODE_NOT_COMPLETE, // or made by another program
    TRANSCODE_OTHER_INPUT,  // it was another one, or has changed
    TRANSCODE_OTHER_OPTIONS,
    TRANSCODE_COMPLETE,
};

// The box, of type "uuid", which players pass over: its head, the type of 16 bytes, the size of the
// movie before it, and what struct origin has.
#define BOX_SIZE (8 + 16 + 8 + 8 + 8)

// Drawn at random: the type of a uuid box is its maker's own (ISO/IEC 14496-12, 4.2).
static const uint8_t box_type[16] = {0x84, 0x4e, 0xbc, 0x4b, 0x65, 0x91, 0x1f, 0x86,
                                     0x71, 0x6a, 0x3d, 0x54, 0xcd, 0x1b, 0x93, 0xd5};

static bool add_file(uint64_t *digest, uint64_t *size, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false;
    }
    const char *name = weir_path_name(path);
    const int64_t facts[] = {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    *digest = weir_fnv(*digest, name, strlen(name) + 1);
    *digest = weir_fnv(*digest, facts, sizeof(facts));
    *size += (uint64_t)status.st_size;
    return true;
}

// Fill in `input` and get the size of the files [bytes]. False if there are no files, as of a URL,
// or they cannot be read: nobody can tell whether such an input is the same later.
static bool find_origin(struct origin *origin, const char *path, uint64_t *size)
{
    const struct weir_log silent = {0};
    struct weir_source_list list;
    origin->input = WEIR_FNV_START;
    *size = 0;
    if (weir_source_list_find(&list, path, &silent) != WEIR_OK) {
        return false;
    }
    bool is_known = true;
    for (size_t i = 0; i < list.num_files && is_known; i++) {
        is_known = add_file(&origin->input, size, list.files[i].path);
    }
    weir_source_list_finish(&list);
    return is_known;
}

static void make_box(const struct origin *origin, uint64_t movie_size, uint8_t bytes[BOX_SIZE])
{
    struct weir_boxes boxes = {.bytes = bytes, .room = BOX_SIZE};
    const size_t begin = weir_boxes_begin(&boxes, "uuid");
    weir_boxes_copy(&boxes, box_type, sizeof(box_type));
    weir_boxes_u64(&boxes, movie_size);
    weir_boxes_u64(&boxes, origin->input);
    weir_boxes_u64(&boxes, origin->options);
    weir_boxes_end(&boxes, begin);
}

// Compare the last bytes of a movie with the box that would be there.
static enum state compare_box(const struct origin *origin, int fd)
{
    uint8_t found[BOX_SIZE], wanted[BOX_SIZE];
    struct stat status;
    if (fstat(fd, &status) != 0 || status.st_size < BOX_SIZE) {
        return TRANSCODE_NOT_COMPLETE;
    }
    const off_t at = status.st_size - BOX_SIZE;
    make_box(origin, (uint64_t)at, wanted);
    if (pread(fd, found, BOX_SIZE, at) != BOX_SIZE || memcmp(found, wanted, BOX_SIZE - 16) != 0) {
        return TRANSCODE_NOT_COMPLETE;
    }
    return memcmp(found + BOX_SIZE - 16, wanted + BOX_SIZE - 16, 8) != 0 ? TRANSCODE_OTHER_INPUT
           : memcmp(found + BOX_SIZE - 8, wanted + BOX_SIZE - 8, 8) != 0 ? TRANSCODE_OTHER_OPTIONS
                                                                         : TRANSCODE_COMPLETE;
}

static enum state compare_origin(const struct origin *origin, const char *movie)
{
    const int fd = weir_place_open(movie, O_RDONLY | O_NONBLOCK);
    if (fd < 0) {
        return errno == ENOENT ? TRANSCODE_MISSING : TRANSCODE_NOT_COMPLETE;
    }
    const enum state state = compare_box(origin, fd);
    close(fd);
    return state;
}

// Append bytes, or nothing. Returns 0 or an errno value.
static int append(int fd, off_t size, const uint8_t *bytes, size_t num)
{
    const ssize_t written = pwrite(fd, bytes, num, size);
    if (written == (ssize_t)num) {
        return 0;
    }
    const int error = written < 0 ? errno : ENOSPC;
    return ftruncate(fd, size) == 0 ? error : errno;
}

// Append the box to a complete movie. A failure is a warning, and leaves the movie as it is.
static void note_origin(const struct origin *origin, const char *movie)
{
    uint8_t box[BOX_SIZE];
    struct stat status;
    const int fd = weir_place_open(movie, O_RDWR);
    int error = fd >= 0 && fstat(fd, &status) == 0 ? 0 : errno;
    if (error == 0) {
        make_box(origin, (uint64_t)status.st_size, box);
        error = append(fd, status.st_size, box, BOX_SIZE);
    }
    if (fd >= 0 && close(fd) != 0 && error == 0) {
        error = errno;
    }
    if (error != 0) {
        cli_report_warning(
            "%s is complete, but that could not be stored in it: %s; --resume will make it again",
            movie, weir_place_error(error));
    }
}

// Append which part it is to a complete movie, as segments do. Prints the reason of a failure.
static enum weir_result note_part(const struct cli_movie *movie)
{
    const struct cli_part *part = &movie->params.part;
    struct weir_segment segment = {.number = part->number,
                                   .ticks_per_second = WEIR_PART_TICKS,
                                   .start_ticks = (uint64_t)movie->info.before_ns};
    struct weir_boxes id = {.bytes = segment.recording, .room = sizeof(segment.recording)};
    weir_boxes_copy(&id, (const uint8_t *)WEIR_PART_ID, strlen(WEIR_PART_ID));
    weir_boxes_u16(&id, part->num);
    weir_boxes_u16(&id, movie->params.sound_from != NULL);
    weir_boxes_u32(&id, part->job);
    uint8_t bytes[WEIR_SEGMENT_BOX_SIZE];
    struct weir_boxes boxes = {.bytes = bytes, .room = sizeof(bytes)};
    weir_segment_write(&segment, &boxes);
    const int fd = weir_place_open(movie->params.output, O_WRONLY | O_APPEND);
    const bool is_written = fd >= 0 && write(fd, bytes, boxes.size) == (ssize_t)boxes.size;
    const int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    return is_written ? WEIR_OK
                      : cli_fail(WEIR_ERROR_IO, "%s: which part it is cannot be stored: %s",
                                 movie->params.output, weir_place_error(error));
}

enum weir_result transcode_movie(struct cli_movie_params *params)
{
    const unsigned num_errors = cli_report_num_errors();
    struct cli_movie movie;
    enum weir_result result = cli_movie_open_input(&movie, params);
    if (result == WEIR_OK && (!params->copies || !transcode_cut(&movie, &result))) {
        result = cli_movie_open_output(&movie);
        result = result == WEIR_OK ? cli_movie_run(&movie, NULL) : result;
    }
    result = cli_movie_close(&movie, result);
    result = result == WEIR_OK && params->part.num > 0 ? note_part(&movie) : result;
    cli_report_no_memory(result, num_errors);
    return result;
}

// What becomes of an input.
struct work {
    struct origin origin;
    bool has_origin; // it is known later whether the input is the same
    uint64_t size;   // of the input [bytes]; 0 = not known
    enum state state;
};

// The movies of a folder.
struct each {
    struct cli_movie_params params; // of the current one, and of all
    struct cli_folder folder;
    struct work *works; // by input
    struct cli_progress_works progress;
    size_t number;   // of the current one, from 1 on
    size_t num_kept; // were complete
    bool resumes;
    struct weir_json json;
};

static void tell_state(const struct each *each, const struct work *work, const char *input,
                       const char *output)
{
    static const char *const texts[] = {
        [TRANSCODE_NOT_COMPLETE] = "was not complete",
        [TRANSCODE_OTHER_INPUT] = "was made of another input, or it has changed",
        [TRANSCODE_OTHER_OPTIONS] = "was made with other options",
    };
    if (each->params.quiet || work->state == TRANSCODE_MISSING) {
        return;
    }
    if (work->state == TRANSCODE_COMPLETE) {
        cli_print(stderr, "%s: complete, left as it is\n", output);
    } else {
        cli_print(stderr, "%s %s; it is made again from %s\n", output, texts[work->state], input);
    }
}

// Make a movie, and note in it what it was made of, if that is still what it was.
static enum weir_result make_noted(struct cli_movie_params *params, const struct work *work)
{
    const enum weir_result result = transcode_movie(params);
    struct origin now = work->origin;
    uint64_t size;
    if (result == WEIR_OK && work->has_origin &&
        find_origin(&now, params->inputs.paths[0], &size) && now.input == work->origin.input) {
        note_origin(&work->origin, params->output);
    }
    return result;
}

static enum weir_result make_one(void *user, const char *input, const char *output)
{
    struct each *each = user;
    const struct work *work = &each->works[each->number++];
    const bool is_kept = work->state == TRANSCODE_COMPLETE;
    char label[256];
    snprintf(label, sizeof(label), "%zu/%zu %.160s: ", each->number, each->folder.list.num_files,
             input);
    char *const paths[] = {(char *)input};
    struct cli_movie_params params = each->params;
    params.inputs = (struct cli_inputs){paths, 1};
    params.output = output;
    params.label = label;
    if (params.report) {
        memset(params.report, 0, sizeof(*params.report)); // of the movie before
    }
    if (each->resumes) {
        tell_state(each, work, input, output);
    }
    enum weir_result result = WEIR_OK;
    if (is_kept) {
        each->num_kept++;
    } else {
        params.works->size_of_this = work->size;
        result = make_noted(&params, work);
        params.works->ended_size += work->size;
        params.works->size_of_this = 0;
    }
    if (params.report) {
        transcode_report_json(&each->json, &params, result, is_kept);
    }
    return result;
}

// Find out of each input what it is, and whether there is a movie of it.
static enum weir_result look_at(struct each *each, uint64_t options)
{
    const size_t num = each->folder.list.num_files;
    each->works = calloc(num, sizeof(*each->works));
    each->params.works = &each->progress;
    CLI_FAIL_IF(!each->works, WEIR_ERROR_OUT_OF_MEMORY, "no memory for %zu inputs", num);
    each->params.works->start_ns = weir_clock_ns();
    for (size_t i = 0; i < num; i++) {
        struct work *work = &each->works[i];
        work->origin.options = options;
        work->has_origin = find_origin(&work->origin, each->folder.list.files[i].path, &work->size);
        if (each->resumes && work->has_origin) {
            work->state = compare_origin(&work->origin, each->folder.outputs[i]);
        }
        each->params.works->size += work->state == TRANSCODE_COMPLETE ? 0 : work->size;
    }
    return WEIR_OK;
}

static void summarize(const struct each *each)
{
    char kept[64] = "";
    if (each->num_kept > 0) {
        snprintf(kept, sizeof(kept), ", %zu of them as they were", each->num_kept);
    }
    cli_print(stderr, "%s: %zu of %zu movies%s\n", each->params.output, each->folder.num_done,
              each->folder.list.num_files, kept);
}

// What has no name of its own gives none to its movie.
static enum weir_result check_names(const struct cli_inputs *inputs)
{
    struct stat status;
    for (size_t i = 0; i < inputs->num; i++) {
        const char *path = inputs->paths[i];
        const bool is_there = stat(path, &status) == 0;
        CLI_FAIL_IF(strcmp(path, "-") == 0 ||
                        (!is_there && strpbrk(path, "%#") && !strstr(path, "://")),
                    WEIR_ERROR_INVALID,
                    "%s gives a movie in a folder no name; give it alone, and the output "
                    "a name that ends in .mov",
                    path);
    }
    return WEIR_OK;
}

enum weir_result transcode_each(struct cli_movie_params *params, uint64_t options, bool resumes)
{
    struct each each = {
        .params = *params,
        .folder = {.output = params->output,
                   .ending = "mov",
                   .wanted = "movies",
                   .takes_each = true},
        .resumes = resumes,
        .json = {.out = stdout},
    };
    enum weir_result result = check_names(&params->inputs);
    if (result != WEIR_OK) {
        return result;
    }
    result = cli_folder_open(&each.folder, &params->inputs);
    if (result == WEIR_OK) {
        result = look_at(&each, options);
    }
    if (result == WEIR_OK) {
        if (params->report) {
            weir_json_begin_array(&each.json, NULL);
        }
        result = cli_folder_run(&each.folder, make_one, &each);
        if (params->report) {
            weir_json_end_array(&each.json);
        }
        if (!params->quiet) {
            summarize(&each);
        }
    }
    free(each.works);
    cli_folder_close(&each.folder);
    return result;
}
