// SPDX-License-Identifier: MIT
// The path of an output: its ending, and that it is not the input.
#include "capture/weir/common/output.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "capture/weir/common/report.h"

bool cli_output_ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), size = strlen(ending);
    return length > size && strcasecmp(path + length - size, ending) == 0;
}

enum weir_result cli_output_check(const char *input, const char *output)
{
    struct stat first, second;
    if (stat(input, &first) != 0 || stat(output, &second) != 0 || first.st_dev != second.st_dev ||
        first.st_ino != second.st_ino) {
        return WEIR_OK;
    }
    cli_report_error("%s is the input itself; give the output another name", output);
    return WEIR_ERROR_INVALID;
}
