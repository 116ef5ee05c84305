// SPDX-License-Identifier: MIT
// A movie that is made in a child process: a file may crash FFmpeg's libraries, and that ends
// neither the program nor what was recorded.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/place.h"
#include "capture/movie/boxes.h"
#include "capture/movie/fragment.h"
#include "capture/weir/common/child.h"
#include "capture/weir/common/movie.h"
#include "capture/weir/common/report.h"
#include "capture/weir/movie/movie.h"

// Heads of boxes fit into it [bytes].
#define WINDOW_SIZE 4096u

// What a movie of this program holds.
struct content {
    bool is_closed;
    uint64_t num_frames; // of one that is not: its whole fragments
    uint64_t size;       // up to the end of the last of them [bytes]
};

static struct content read_content(int fd, uint64_t size)
{
    struct content content = {0};
    struct weir_view view;
    const struct weir_view_source source = cli_read_source(&fd, size);
    if (!weir_view_init(&view, &source, WINDOW_SIZE)) {
        return content;
    }
    struct weir_box box;
    struct weir_fragment found;
    for (uint64_t at = 0; !content.is_closed && weir_box_read(&view, at, size, &box);) {
        const enum weir_fragment_type type = weir_fragment_read(&view, at, &found);
        if (type == WEIR_FRAGMENT_FRAME || type == WEIR_FRAGMENT_AUDIO) {
            if (found.end <= size) {
                content.num_frames += type == WEIR_FRAGMENT_FRAME;
                content.size = found.end;
            }
            at = found.end;
        } else {
            content.is_closed = box.type == WEIR_BOX("mdat");
            at = box.end;
        }
    }
    weir_view_finish(&view);
    return content;
}

// Cut off the frame that was being written, and print what the output holds. `before`: what it was
// before; its st_ino is 0 if there was no file.
static void report_output(const char *output, const struct stat *before)
{
    struct stat now;
    struct content content = {0};
    const int fd = weir_place_open(output, O_RDWR);
    if (fd >= 0 && fstat(fd, &now) == 0 && now.st_ino != before->st_ino) {
        content = read_content(fd, (uint64_t)now.st_size);
    }
    if (content.num_frames > 0 && !content.is_closed && ftruncate(fd, (off_t)content.size) != 0) {
        cli_report_error("%s: the frame that was being written could not be cut off: %s", output,
                         strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    if (content.is_closed) {
        cli_report_error("%s is whole: it was closed before that", output);
    } else if (content.num_frames > 0) {
        cli_report_error("%s ends early: it holds the %" PRIu64 " frame%s before that, and plays",
                         output, content.num_frames, content.num_frames == 1 ? "" : "s");
    } else {
        cli_report_error("%s was not written", output);
    }
}

enum weir_result cli_movie_make_in_subprocess(const struct cli_inputs *inputs, const char *output,
                                              enum weir_result (*make)(void *user), void *user)
{
    struct stat before = {0};
    struct cli_child_end end;
    if (stat(output, &before) != 0) {
        before.st_ino = 0;
    }
    const enum weir_result result = cli_child_run(make, user, &end);
    if (result != WEIR_OK || end.signal == 0) {
        return result == WEIR_OK ? end.result : result;
    }
    cli_child_report(&end, inputs->num == 1 ? inputs->paths[0] : "one of the pictures", output);
    report_output(output, &before);
    return end.result;
}
