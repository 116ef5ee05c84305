// SPDX-License-Identifier: MIT
// Opens a TIFF file with libtiff, whose messages are kept.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/files/source/reader.h"
#include "capture/files/source/tiff_file.h"

// The first message is the cause of those that follow.
static int keep_error(TIFF *tiff, void *user, const char *module, const char *format, va_list list)
{
    (void)tiff, (void)module;
    char *reason = user;
    if (reason[0] == 0) {
        const int size = snprintf(reason, WEIR_REASON_SIZE, "it is damaged or cut short: ");
        vsnprintf(reason + size, WEIR_REASON_SIZE - (size_t)size, format, list);
    }
    return 1;
}

static int drop_warning(TIFF *tiff, void *user, const char *module, const char *format,
                        va_list list)
{
    (void)tiff, (void)user, (void)module, (void)format, (void)list;
    return 1;
}

TIFF *weir_tiff_open(const char *path, char *reason)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    TIFFOpenOptions *options = fd >= 0 ? TIFFOpenOptionsAlloc() : NULL;
    TIFF *tiff = NULL;
    if (fd < 0) {
        snprintf(reason, WEIR_REASON_SIZE, "%s", strerror(errno));
    }
    if (options) {
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, WEIR_TIFF_MAX_ALLOCATION);
        TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, reason);
        TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, NULL);
        tiff = TIFFFdOpenExt(fd, "TIFF", "r", options);
        TIFFOpenOptionsFree(options);
    }
    if (!tiff && fd >= 0) {
        close(fd);
    }
    return tiff;
}
