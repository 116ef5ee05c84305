// SPDX-License-Identifier: MIT
// Standard input as a picture: "-" on a command line.
#include "capture/weir/common/standard_input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/weir/common/memory.h"
#include "capture/weir/common/report.h"

static char file_name[] = "/dev/stdin";
static char *const file_paths[] = {file_name, NULL};

// A redirected file is one already, if nobody has read from it.
static bool is_file(void)
{
    struct stat status;
    return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
           lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t num = write(fd, bytes, size);
        if (num < 0 && errno != EINTR) {
            return false;
        }
        bytes += num > 0 ? num : 0;
        size -= num > 0 ? (size_t)num : 0;
    }
    return true;
}

static enum weir_result copy(int fd, uint64_t limit)
{
    char bytes[1 << 16];
    for (uint64_t left = limit;;) {
        const ssize_t num = read(STDIN_FILENO, bytes, sizeof(bytes));
        if (num < 0 && errno == EINTR) {
            continue;
        }
        if (num < 0) {
            cli_report_error("cannot read standard input: %s", strerror(errno));
            return WEIR_ERROR_IO;
        }
        if (num == 0) {
            return WEIR_OK;
        }
        if ((uint64_t)num > left) {
            cli_report_error("standard input has more than the %" PRIu64
                             " MiB of memory that are allowed; put it into a file, or allow more "
                             "by --max-memory",
                             limit >> 20);
            return WEIR_ERROR_UNSUPPORTED;
        }
        if (!write_all(fd, bytes, (size_t)num)) {
            cli_report_error("no memory for standard input; put it into a file");
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
        left -= (uint64_t)num;
    }
}

enum weir_result cli_standard_input_take(struct cli_inputs *inputs, uint64_t max_memory)
{
    if (inputs->num != 1 || strcmp(inputs->paths[0], "-") != 0) {
        return WEIR_OK;
    }
    inputs->paths = file_paths;
    if (is_file()) {
        return WEIR_OK;
    }
    const int fd = memfd_create("weir", MFD_CLOEXEC);
    if (fd < 0) {
        cli_report_error("no memory for standard input: %s; put it into a file", strerror(errno));
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    enum weir_result result = copy(fd, cli_memory_use(max_memory, 0, 0).limit);
    if (result == WEIR_OK && dup2(fd, STDIN_FILENO) < 0) {
        cli_report_error("cannot take standard input: %s", strerror(errno));
        result = WEIR_ERROR_IO;
    }
    close(fd);
    return result;
}
