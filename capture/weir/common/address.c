// SPDX-License-Identifier: MIT
// Outputs that are no files: - for the standard output, and addresses of FFmpeg's.
#include "capture/weir/common/address.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/weir/common/report.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool cli_address_is(const char *output)
{
    return strcmp(output, "-") == 0 || begins(output, "pipe:") || cli_address_is_network(output);
}

bool cli_address_is_network(const char *output)
{
    return strstr(output, "://") || begins(output, "unix:");
}

enum cli_status cli_address_check(const char *output, const char *format)
{
    const char *url = strcmp(output, "-") == 0 ? "pipe:1" : output;
    weir_libav *libav = NULL;
    const enum weir_result result = weir_libav_create(
        weir_libav_params(.url = url, .format = format, .log = cli_log), &libav);
    weir_libav_destroy(&libav);
    return result == WEIR_OK ? CLI_DONE : CLI_USAGE;
}

const char *cli_address_take_stdout(void)
{
    static char url[32];
    if (isatty(STDOUT_FILENO)) {
        cli_report_error("the movie would go to the terminal; send it on, as in: weir record "
                         "--output - -- PROGRAM | mpv -");
        return NULL;
    }
    const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        cli_report_error("the standard output cannot be used: %s", strerror(errno));
        return NULL;
    }
    snprintf(url, sizeof(url), "pipe:%d", fd);
    return url;
}
