// SPDX-License-Identifier: MIT
// What a reader answers and says where it fails.
#include "capture/files/source/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/error.h>
#include <libavutil/log.h>

#include "capture/files/source/source.h"

static enum weir_result result_of(int error)
{
    switch (error) {
    case AVERROR(ENOMEM):
        return WEIR_ERROR_OUT_OF_MEMORY;
    case AVERROR_INVALIDDATA:
    case AVERROR(EINVAL): // of a decoder: numbers in the file that it cannot work with
    case AVERROR_EOF:
        return WEIR_ERROR_DATA;
    case AVERROR_DECODER_NOT_FOUND:
    case AVERROR_DEMUXER_NOT_FOUND:
    case AVERROR_PROTOCOL_NOT_FOUND:
    case AVERROR_PATCHWELCOME:
    case AVERROR(ENOSYS):
        return WEIR_ERROR_UNSUPPORTED;
    default:
        return WEIR_ERROR_IO;
    }
}

int weir_reader_memory_error(int error)
{
    const bool is_state = error == AVERROR(EAGAIN) || error == AVERROR_EOF;
    return error < 0 && !is_state && errno == ENOMEM ? AVERROR(ENOMEM) : error;
}

int weir_reader_file_error(const AVFormatContext *format)
{
    const AVIOContext *io = format->pb;
    return io && io->error != AVERROR_EOF ? io->error : 0;
}

bool weir_reader_is_failure(enum weir_result result)
{
    return result == WEIR_ERROR_OUT_OF_MEMORY || result == WEIR_ERROR_IO;
}

enum weir_result weir_reader_fail(const struct weir_reader *reader, enum weir_result result,
                                  enum weir_log_code code, const char *reason)
{
    // One picture of many is left out, and the rest goes on, if it is the picture that is wrong.
    const bool goes_on = reader->params.still && !weir_reader_is_failure(result);
    weir_log_printf(reader->params.log, goes_on ? WEIR_LOG_WARNING : WEIR_LOG_ERROR, code, "%s: %s",
                    reader->params.path, reason);
    return result;
}

enum weir_result weir_reader_fail_av(const struct weir_reader *reader, int error)
{
    if (error == AVERROR_EXIT) {
        return weir_reader_fail(reader, WEIR_ERROR_IO, WEIR_LOG_CODE_READ_FAILED,
                                "reading was interrupted");
    }
    if (result_of(error) == WEIR_ERROR_DATA) {
        return weir_reader_fail(
            reader, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
            "no picture or movie that FFmpeg can read, or one that was cut short; "
            "ffprobe says more");
    }
    if (error == AVERROR(EAGAIN)) { // of pthread_create()
        return weir_reader_fail(
            reader, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
            "no thread can be started to decode it; the limit of processes (ulimit -u) may "
            "be reached");
    }
    if (error == AVERROR(ENOBUFS) && reader->demux) {
        return weir_reader_fail(
            reader, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_READ_FAILED,
            "more than 256 MiB of its sound come before their frames, and what comes by a pipe "
            "cannot be read twice; put it into a file, or leave out the sound by --no-audio");
    }
    if (error == AVERROR(EACCES)) {
        return weir_reader_fail(reader, WEIR_ERROR_IO, WEIR_LOG_CODE_OPEN_FAILED,
                                "Permission denied; change the permissions of the file");
    }
    char text[AV_ERROR_MAX_STRING_SIZE] = {0};
    av_strerror(error, text, sizeof(text));
    return weir_reader_fail(reader, result_of(error), WEIR_LOG_CODE_OPEN_FAILED, text);
}

static _Thread_local unsigned refused_width, refused_height;

// av_image_check_size2() has said this since 2012.
static void note(void *context, int level, const char *format, va_list values)
{
    static const char start[] = "Picture size %ux%u ";
    char text[128];
    (void)context;
    (void)level;
    if (strncmp(format, start, sizeof(start) - 1) == 0) {
        vsnprintf(text, sizeof(text), format, values);
        if (sscanf(text, start, &refused_width, &refused_height) != 2) {
            weir_libav_forget_size();
        }
    }
}

void weir_source_silence_libav(void)
{
    av_log_set_level(AV_LOG_QUIET); // what is costly to say is not made
    av_log_set_callback(note);
}

void weir_libav_forget_size(void)
{
    refused_width = refused_height = 0;
}

bool weir_libav_refused_size(uint64_t *width, uint64_t *height)
{
    *width = refused_width;
    *height = refused_height;
    return refused_width > 0 && refused_height > 0;
}
