// SPDX-License-Identifier: MIT
// Files that are read by place, and that are written at once, as a report or a picture.
#include "capture/weir/common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <weir/still.h>

#include "capture/base/file.h"
#include "capture/base/place.h"
#include "capture/files/picture/picture.h"
#include "capture/weir/common/report.h"

// What is neither a file nor a folder is written as it is: /dev/null, the pipe of a shell's >(...).
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static enum weir_result fail(const char *path)
{
    return cli_fail(WEIR_ERROR_IO, "cannot write %s: %s", path, weir_place_error(errno));
}

int cli_read_open(const char *command, const char *path, int flags, struct stat *status)
{
    // Without O_NONBLOCK a pipe that nobody writes would hold the program up.
    flags |= O_NONBLOCK;
    const int fd = (flags & O_ACCMODE) == O_RDONLY ? open(path, flags | O_CLOEXEC)
                                                   : weir_place_open(path, flags);
    if (fd < 0 || fstat(fd, status) != 0) {
        cli_report_error("cannot open %s: %s; check its name and permissions", path,
                         weir_place_error(errno));
    } else if (!S_ISREG(status->st_mode)) {
        cli_report_error("%s is not a file, and %s reads files", path, command);
    } else {
        return fd;
    }
    if (fd >= 0) {
        close(fd);
    }
    return -1;
}

bool cli_read_at(int fd, uint64_t offset, uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t num = pread(fd, bytes, size, (off_t)offset);
        if (num < 0 && errno == EINTR) {
            continue;
        }
        if (num <= 0) {
            return false;
        }
        bytes += num;
        offset += (uint64_t)num;
        size -= (size_t)num;
    }
    return true;
}

// Write by one of the two calls.
struct content {
    const void *data;
    size_t size;
    void (*write)(struct weir_json *json, const void *user);
    const void *user;
};

static enum weir_result write_special(const char *path, const struct content *content)
{
    const int fd = weir_place_open(path, O_WRONLY);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!out) {
        const enum weir_result result = fail(path);
        if (fd >= 0) {
            close(fd);
        }
        return result;
    }
    if (content->write) {
        content->write(&(struct weir_json){.out = out}, content->user);
    } else {
        fwrite(content->data, 1, content->size, out);
    }
    const bool is_written = fflush(out) == 0 && !ferror(out);
    const enum weir_result result = is_written ? WEIR_OK : fail(path);
    return fclose(out) == 0 || result != WEIR_OK ? result : fail(path);
}

static enum weir_result write_file(const char *path, const struct content *content)
{
    if (is_special(path)) {
        return write_special(path, content);
    }
    struct weir_file file;
    WEIR_TRY(weir_file_open(&file, path, &cli_log));
    if (content->write) {
        content->write(&(struct weir_json){.file = &file}, content->user);
    } else {
        weir_file_write(&file, content->data, content->size);
    }
    weir_file_commit(&file);
    return weir_file_close(&file);
}

enum weir_result cli_file_write(const char *path, const void *data, size_t size)
{
    return write_file(path, &(const struct content){.data = data, .size = size});
}

enum weir_result cli_file_write_json(const char *path,
                                     void (*write)(struct weir_json *json, const void *user),
                                     const void *user)
{
    if (strcmp(path, "-") == 0) {
        write(&(struct weir_json){.out = stdout}, user);
        return fflush(stdout) == 0 ? WEIR_OK
                                   : WEIR_ERROR_IO; // which every program reports at its end
    }
    return write_file(path, &(const struct content){.write = write, .user = user});
}

bool cli_make_folders(char *path, mode_t mode)
{
    bool is_made = true;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        is_made = mkdir(path, mode) == 0 || errno == EEXIST;
        *slash = '/';
    }
    return is_made;
}

bool cli_still_allocate(struct cli_still *still)
{
    still->pixels = malloc((size_t)still->width * still->height * still->num_channels *
                           still->value_size);
    return still->pixels;
}

void cli_still_put_row(const struct cli_still *still, uint32_t y, const float *row)
{
    size_t index = (size_t)y * still->width * still->num_channels;
    for (uint32_t x = 0; x < still->width; x++, row += 4) {
        for (uint32_t c = 0; c < still->num_channels; c++, index++) {
            if (still->value_size == 1) {
                still->pixels[index] = (uint8_t)weir_texel_unorm(row[c], UINT8_MAX);
            } else if (still->value_size == 2) {
                ((uint16_t *)(void *)still->pixels)[index] = (uint16_t)weir_texel_unorm(row[c],
                                                                                        UINT16_MAX);
            } else {
                ((float *)(void *)still->pixels)[index] = row[c];
            }
        }
    }
}

enum weir_result cli_still_write(const struct cli_still *still, const char *path)
{
    const struct weir_still_float floats = {
        .width = still->width,
        .height = still->height,
        .num_channels = still->num_channels,
        .pixels = (const float *)(const void *)still->pixels,
    };
    const struct weir_still codes = {
        .width = still->width,
        .height = still->height,
        .num_channels = still->num_channels,
        .pixels = still->pixels,
        .num_bits = still->value_size * 8,
        .is_data = still->is_data,
    };
    return still->value_size == 4 ? weir_still_write_pfm(path, &floats, &cli_log)
                                  : weir_still_write_png(path, &codes, &cli_log);
}
