// SPDX-License-Identifier: MIT
// The origin of a movie: a box at its end says that it is complete, and what it was made of.
#include "capture/weir/transcode/origin.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/fnv.h"
#include "capture/files/source/list.h"
#include "capture/movie/boxes.h"
#include "capture/weir/common/report.h"

// The box, of type "uuid", which players pass over: its head, the type of 16 bytes, the size of the
// movie before it, and what struct transcode_origin has.
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
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const int64_t facts[] = {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    *digest = weir_fnv(*digest, name, strlen(name) + 1);
    *digest = weir_fnv(*digest, facts, sizeof(facts));
    *size += (uint64_t)status.st_size;
    return true;
}

bool transcode_origin_find(struct transcode_origin *origin, const char *path, uint64_t *size)
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

static void make_box(const struct transcode_origin *origin, uint64_t movie_size,
                     uint8_t bytes[BOX_SIZE])
{
    struct weir_boxes boxes = {.bytes = bytes, .room = BOX_SIZE};
    const size_t begin = weir_boxes_begin(&boxes, WEIR_BOX('u', 'u', 'i', 'd'));
    weir_boxes_copy(&boxes, box_type, sizeof(box_type));
    weir_boxes_u64(&boxes, movie_size);
    weir_boxes_u64(&boxes, origin->input);
    weir_boxes_u64(&boxes, origin->options);
    weir_boxes_end(&boxes, begin);
}

// Compare the last bytes of a movie with the box that would be there.
static enum transcode_state compare_box(const struct transcode_origin *origin, int fd)
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

enum transcode_state transcode_origin_compare(const struct transcode_origin *origin,
                                              const char *movie)
{
    const int fd = open(movie, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT ? TRANSCODE_MISSING : TRANSCODE_NOT_COMPLETE;
    }
    const enum transcode_state state = compare_box(origin, fd);
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

void transcode_origin_write(const struct transcode_origin *origin, const char *movie)
{
    uint8_t box[BOX_SIZE];
    struct stat status;
    const int fd = open(movie, O_RDWR | O_CLOEXEC);
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
            "%s is complete, which could not be noted in it: %s; --resume will make it "
            "anew",
            movie, strerror(error));
    }
}
