// SPDX-License-Identifier: MIT
// Recovers one movie.
#include "capture/weir/recover/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/file.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/movie.h"
#include "capture/weir/common/movie_write.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"

static bool show_progress(void *user, uint64_t bytes, size_t num_frames)
{
    struct recover_movie *movie = user;
    cli_progress_update(movie->progress, num_frames, 0, bytes);
    return !cli_interrupted();
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
        cli_report_error("another program is writing %s: wait until it has ended", movie->input);
        return false;
    }
    // After a power cut there are holes where the disk did not get the data any more.
    const off_t hole = lseek(movie->fd, 0, SEEK_HOLE);
    if (hole >= 0 && hole < status.st_size) {
        movie->params.checks_all = true;
    }
    movie->params.source = cli_read_source(&movie->fd, (uint64_t)status.st_size);
    return true;
}

static bool read_piece(void *user, uint32_t source, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct recover_movie *movie = user;
    (void)source;
    return cli_read_at(movie->fd, offset, bytes, size);
}

static const char *name_input(void *user, uint32_t source)
{
    const struct recover_movie *movie = user;
    (void)source;
    return movie->input;
}

// Make the file itself a plain movie: what follows the last frame is cut off, the index is appended
// and stored, and then 16 bytes of the head are changed in one write. A kill or a power cut in
// between leaves a file that is recovered as this one is.
static enum weir_result write_in_place(struct recover_movie *movie)
{
    const struct recover_found *found = &movie->found;
    struct stat status;
    if (fstat(movie->fd, &status) != 0 || (uint64_t)status.st_size != movie->params.source.size) {
        cli_report_error("%s has another size than before: another program is writing it",
                         movie->input);
        return WEIR_ERROR_IO;
    }
    size_t size;
    uint8_t *moov = weir_plain_make_moov(&found->movie, &size);
    if (!moov) {
        cli_report_error("there is no memory for the index");
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    struct weir_file file = {
        .path = (char *)movie->input, .fd = movie->fd, .size = found->end, .committed = found->end};
    struct weir_file_patch patch = {.offset = found->moov};
    memcpy(patch.before, found->before, sizeof(patch.before));
    weir_plain_write_patch(found->end - found->moov, patch.after);
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
        cli_report_error("%s cannot become a plain movie by itself: leave out --in-place, and its "
                         "frames go to a new file",
                         movie->input);
        return WEIR_ERROR_UNSUPPORTED;
    }
    if (movie->in_place) {
        return write_in_place(movie);
    }
    const struct cli_movie_target target = {
        .path = movie->output,
        .read = read_piece,
        .name = name_input,
        .progress = show_progress,
        .user = movie,
    };
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

static enum weir_result recover(struct recover_movie *movie)
{
    movie->params.progress = show_progress;
    movie->params.user = movie;
    if (!open_input(movie) ||
        (movie->output && !cli_output_check_new(movie->output, "the recovered movie"))) {
        return WEIR_ERROR_IO;
    }
    if (!recover_find(&movie->params, &movie->found)) {
        const char *refusal = movie->found.refusal;
        cli_report_error("%s: %s; nothing was changed", movie->input,
                         refusal[0] != 0 ? refusal : "interrupted");
        return WEIR_ERROR_DATA;
    }
    warn_unused(movie);
    if (movie->found.state == RECOVER_NOTHING_TO_DO || movie->dry_run) {
        return WEIR_OK;
    }
    const enum weir_result result = write_movie(movie);
    movie->is_written = result == WEIR_OK;
    return result;
}

void recover_movie_run(struct recover_movie *movie)
{
    movie->result = recover(movie);
}

void recover_movie_finish(struct recover_movie *movie)
{
    recover_found_finish(&movie->found);
    if (movie->fd >= 0) {
        close(movie->fd);
        movie->fd = -1;
    }
}
