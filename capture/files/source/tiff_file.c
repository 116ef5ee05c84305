// SPDX-License-Identifier: MIT
// A TIFF file in memory, as libtiff reads it.
#include "capture/files/source/tiff_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "capture/files/source/still_decoder.h"

static tmsize_t read_file(thandle_t user, void *buffer, tmsize_t size)
{
    struct weir_tiff_file *file = user;
    const uint64_t left = file->at < file->size ? file->size - file->at : 0;
    const uint64_t given = (uint64_t)size < left ? (uint64_t)size : left;
    memcpy(buffer, file->data + (given > 0 ? file->at : 0), given);
    file->at += given;
    return (tmsize_t)given;
}

static tmsize_t write_file(thandle_t user, void *buffer, tmsize_t size)
{
    (void)user, (void)buffer, (void)size;
    return 0;
}

static toff_t seek_file(thandle_t user, toff_t offset, int whence)
{
    struct weir_tiff_file *file = user;
    const uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->at : file->size;
    return file->at = base + offset;
}

static toff_t size_file(thandle_t user)
{
    return ((const struct weir_tiff_file *)user)->size;
}

static int close_file(thandle_t user)
{
    (void)user;
    return 0;
}

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

TIFF *weir_tiff_open(struct weir_tiff_file *file, char *reason)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) {
        return NULL;
    }
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, WEIR_TIFF_MAX_ALLOCATION);
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, reason);
    TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, NULL);
    TIFF *tiff = TIFFClientOpenExt("TIFF", "rm", file, read_file, write_file, seek_file, close_file,
                                   size_file, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}
