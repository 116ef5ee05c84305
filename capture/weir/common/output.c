// SPDX-License-Identifier: MIT
// The path of an output: its ending, and whether it is a folder.
#include "capture/weir/common/output.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "capture/weir/common/program.h"
#include "capture/weir/common/report.h"

bool cli_output_ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), size = strlen(ending);
    return length > size && strcasecmp(path + length - size, ending) == 0;
}

static bool has_ending(const char *name)
{
    const char *dot = strrchr(name, '.');
    bool has_letter = false;
    if (!dot || dot == name) {
        return false;
    }
    for (const char *at = dot + 1; *at != 0; at++) {
        if (!isalnum((unsigned char)*at)) {
            return false;
        }
        has_letter = has_letter || isalpha((unsigned char)*at);
    }
    return has_letter;
}

bool cli_output_is_named_folder(const char *path)
{
    struct stat status;
    const size_t length = strlen(path);
    return (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) ||
           (length > 0 && path[length - 1] == '/');
}

bool cli_output_is_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return cli_output_is_named_folder(path) || !has_ending(slash ? slash + 1 : path);
}

bool cli_output_check_new(const char *path, const char *what)
{
    struct stat status;
    if (lstat(path, &status) == 0) {
        cli_report_error("%s is there already, and is not replaced: remove it, or give another "
                         "name for %s",
                         path, what);
        return false;
    }
    return true;
}

bool cli_output_check_folder(const char *output, const char *what)
{
    return cli_output_is_folder(output) ||
           cli_usage(output,
                     "%s, and this is the name of a file; name a folder, with a slash at the end "
                     "if there is a dot in it: %s/",
                     what, output) == CLI_DONE;
}
