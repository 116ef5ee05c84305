// SPDX-License-Identifier: MIT
// A movie that is made in a child process: a file may crash FFmpeg's libraries, and that ends
// neither the program nor what was recorded.
#define _XOPEN_SOURCE 700 // realpath()
#include "capture/weir/movie/apart.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/weir/common/child.h"
#include "capture/weir/common/report.h"

static uint32_t read_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// What a movie of this program holds.
struct content {
    bool is_closed;
    uint64_t num_frames; // of one that is not: the boxes moof before a whole box mdat
    uint64_t size;       // up to the end of the last such box [bytes]
};

static struct content read_content(int fd, uint64_t size)
{
    struct content content = {0};
    bool has_head = false;
    uint8_t box[8];
    uint64_t at = 0;
    while (pread(fd, box, sizeof(box), (off_t)at) == (ssize_t)sizeof(box)) {
        const uint64_t end = at + read_u32(box);
        const bool is_data = memcmp(box + 4, "mdat", 4) == 0;
        content.is_closed = is_data && read_u32(box) == 1; // all frames are in one box of 64 bits
        if (end < at + sizeof(box) || end > size) {
            break;
        }
        if (has_head && is_data) {
            content.num_frames++;
            content.size = end;
        }
        has_head = memcmp(box + 4, "moof", 4) == 0;
        at = end;
    }
    return content;
}

// Cut off the frame that was being written, and print what the output holds. `before`: what it was
// before; its st_ino is 0 if there was no file.
static void tell_of_output(const char *output, const struct stat *before)
{
    struct stat now;
    struct content content = {0};
    const int fd = open(output, O_RDWR | O_CLOEXEC);
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

// Remove the file that a process wrote before the output got its name: it is in the same folder.
static void remove_part(const char *output, pid_t process)
{
    char *path = realpath(output, NULL); // links are followed where it is written, too
    char *folder = path ? path : strdup(output);
    char prefix[64];
    snprintf(prefix, sizeof(prefix), ".weir-%ld-", (long)process);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash) {
        slash[1] = 0;
    }
    DIR *dir = opendir(slash ? folder : ".");
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
            unlinkat(dirfd(dir), entry->d_name, 0);
        }
    }
    if (dir) {
        closedir(dir);
    }
    free(folder);
}

static void tell_of_death(const struct cli_inputs *inputs, int signal_number)
{
    const char *input = inputs->num == 1 ? inputs->paths[0] : "one of the pictures";
    if (signal_number == SIGKILL) {
        cli_report_error("the process that read %s was killed, by the system if memory was short",
                         input);
    } else {
        cli_report_error("the process that read %s crashed (%s): it may be damaged in a way that "
                         "FFmpeg's libraries do not survive",
                         input, strsignal(signal_number));
    }
}

enum weir_result cli_movie_make_apart(const struct cli_inputs *inputs, const char *output,
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
    tell_of_death(inputs, end.signal);
    remove_part(output, end.id);
    tell_of_output(output, &before);
    return end.result;
}
