// SPDX-License-Identifier: MIT
// The inputs of a command: every argument but the last, which is the output.
#include "capture/weir/common/inputs.h"

#include <string.h>
#include <sys/stat.h>

#include "capture/weir/common/output.h"

struct cli_inputs cli_inputs_get(char *const *arguments, const char **output)
{
    size_t last = 1;
    while (arguments[last + 1]) {
        last++;
    }
    *output = arguments[last];
    return (struct cli_inputs){arguments, last};
}

// True if the path is a folder or a numbered sequence, false if it is one file.
static bool has_several(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        return S_ISDIR(status.st_mode);
    }
    return strchr(path, '%') && !strstr(path, "://");
}

bool cli_inputs_are_several(const struct cli_inputs *inputs, const char *output)
{
    return inputs->num > 1 || has_several(inputs->paths[0]) || cli_output_is_named_folder(output);
}
