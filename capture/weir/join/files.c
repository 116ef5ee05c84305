// SPDX-License-Identifier: MIT
// The files of movies that are joined, of which one is open at a time: there may be thousands.
#include "capture/weir/join/files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/weir/common/read.h"
#include "capture/weir/common/report.h"

struct join_file {
    bool is_known;
    struct stat status; // when it was opened first
};

bool join_files_init(struct join_files *files, char *const *paths, size_t num)
{
    *files = (struct join_files){
        .paths = paths, .num = num, .list = calloc(num, sizeof(struct join_file)), .fd = -1};
    return files->list;
}

static void close_current(struct join_files *files)
{
    if (files->fd >= 0) {
        close(files->fd);
        files->fd = -1;
    }
}

void join_files_finish(struct join_files *files)
{
    close_current(files);
    free(files->list);
    files->list = NULL;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

bool join_files_open(struct join_files *files, size_t number)
{
    struct join_file *file = &files->list[number];
    const char *path = files->paths[number];
    struct stat status;
    if (files->fd >= 0 && files->current == number) {
        return true;
    }
    close_current(files);
    files->current = number;
    files->fd = cli_read_open("weir join", path, O_RDONLY, &status);
    if (files->fd < 0) {
        return false;
    }
    if (file->is_known && !is_same(&status, &file->status)) {
        cli_report_error("%s has changed: another program is writing it", path);
        close_current(files);
        return false;
    }
    file->is_known = true;
    file->status = status;
    return true;
}

bool join_files_read(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct join_files *files = user;
    return cli_read_at(files->fd, offset, bytes, size);
}

struct weir_view_source join_files_source(struct join_files *files)
{
    return (struct weir_view_source){.read = join_files_read,
                                     .user = files,
                                     .size = (uint64_t)files->list[files->current].status.st_size};
}
