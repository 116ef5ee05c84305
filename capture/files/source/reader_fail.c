// SPDX-License-Identifier: MIT
// What a reader answers and says where it fails.
#include "capture/files/source/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/pixdesc.h>

static enum weir_result result_of(int error)
{
    switch (error) {
    case AVERROR(ENOMEM):
    case AVERROR(EAGAIN):
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
    case AVERROR(ENOBUFS):
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

// Get what an error means of which the libraries' own words mislead; NULL: any other one.
static const char *meaning_of(int error, const char *path)
{
    switch (error) {
    case AVERROR(EAGAIN): // of pthread_create()
        return "no thread can be started to decode it; the limit of processes (ulimit -u) may be "
               "reached";
    case AVERROR(ENOBUFS): // of weir_demux_read_video()
        return "more than 256 MiB of its audio come before their frames, and a pipe cannot be read "
               "twice; put it into a file, or leave out the audio by --no-audio";
    case AVERROR(EACCES): // also of the confinement that had no descriptor to look at the file
        return access(path, R_OK) == 0
                   ? "it cannot be opened; raise the limit of open files (ulimit -n)"
                   : "Permission denied; change the permissions of the file";
    default:
        return result_of(error) == WEIR_ERROR_DATA ? "FFmpeg cannot read it as a picture or movie, "
                                                     "or it is cut short; ffprobe says more"
               : result_of(error) == WEIR_ERROR_UNSUPPORTED
                   ? "this FFmpeg cannot decode what it holds"
                   : NULL;
    }
}

enum weir_result weir_reader_fail_av(const struct weir_reader *reader, int error)
{
    const enum weir_result result = result_of(error);
    const char *meaning = meaning_of(error, reader->params.path);
    return weir_reader_fail(reader, result,
                            result == WEIR_ERROR_DATA ? WEIR_LOG_CODE_NOT_A_PICTURE
                                                      : WEIR_LOG_CODE_OPEN_FAILED,
                            meaning ? meaning : av_err2str(error));
}

static _Thread_local unsigned refused_width, refused_height;
static _Thread_local bool refused_list, lost_block;

// av_image_check_size2() has said this since 2012, avformat_open_input() the second since 2014, the
// decoder of OpenEXR the third.
static void note(void *context, int level, const char *format, va_list values)
{
    static const char start[] = "Picture size %ux%u ", list[] = "Format not on whitelist";
    static const char block[] = "decode_block() failed";
    char text[128];
    (void)context;
    (void)level;
    if (strncmp(format, start, sizeof(start) - 1) == 0) {
        vsnprintf(text, sizeof(text), format, values);
        if (sscanf(text, start, &refused_width, &refused_height) != 2) {
            weir_libav_forget();
        }
    }
    refused_list = refused_list || strncmp(format, list, sizeof(list) - 1) == 0;
    lost_block = lost_block || strncmp(format, block, sizeof(block) - 1) == 0;
}

void weir_source_silence_libav(void)
{
    av_log_set_level(AV_LOG_QUIET); // what is costly to say is not made
    av_log_set_callback(note);
}

void weir_libav_forget(void)
{
    refused_width = refused_height = 0;
    refused_list = lost_block = false;
}

bool weir_libav_refused_list(void)
{
    return refused_list;
}

bool weir_libav_lost_block(void)
{
    return lost_block;
}

bool weir_libav_refused_size(uint64_t *width, uint64_t *height)
{
    *width = refused_width;
    *height = refused_height;
    return refused_width > 0 && refused_height > 0;
}

// How much memory a picture takes, and how much it may take.

enum {
    UNKNOWN_BITS = 32, // of a texel, where the format is not known
    MIB = 1 << 20,
};

uint32_t weir_memory_value_size(enum AVPixelFormat pixel_format)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(pixel_format);
    int depth = 8;
    for (int i = 0; format && i < format->nb_components; i++) {
        depth = format->comp[i].depth > depth ? format->comp[i].depth : depth;
    }
    return format && (format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0 ? 4 : depth > 8 ? 2 : 1;
}

uint64_t weir_memory_need(const struct weir_memory_use *use, uint64_t width, uint64_t height,
                          enum AVPixelFormat format)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    const int bits = description ? av_get_padded_bits_per_pixel(description) : UNKNOWN_BITS;
    const uint32_t value_size = weir_memory_value_size(format);
    const uint64_t work_size = (uint64_t)use->texel_size +
                               (value_size > 1 ? use->deep_texel_size : 0) +
                               4 * (uint64_t)use->num_copies * value_size;
    const uint64_t texel_bits = (uint64_t)bits + 8 * work_size;
    const bool fits = height == 0 || width <= UINT64_MAX / texel_bits / height;
    return fits ? width * height * texel_bits / 8 : UINT64_MAX;
}

enum weir_result weir_memory_check(const struct weir_memory_use *use, uint64_t width,
                                   uint64_t height, enum AVPixelFormat format,
                                   char reason[WEIR_REASON_SIZE])
{
    const uint64_t need = weir_memory_need(use, width, height, format);
    if (width == 0 || height == 0) {
        snprintf(reason, WEIR_REASON_SIZE, "it is damaged: its size is not valid");
        return WEIR_ERROR_DATA;
    }
    if (width > INT_MAX || height > INT_MAX ||
        av_image_check_size((unsigned)width, (unsigned)height, 0, NULL) < 0) {
        snprintf(reason, WEIR_REASON_SIZE,
                 "it has %" PRIu64 "x%" PRIu64 " texels, and FFmpeg's libraries read at most %d "
                 "million; cut it into parts with another program",
                 width, height, INT_MAX / 8 / 1000000);
        return WEIR_ERROR_UNSUPPORTED;
    }
    if (use->limit != 0 && need > use->limit) {
        snprintf(
            reason, WEIR_REASON_SIZE,
            "its %" PRIu64 "x%" PRIu64 " texels would take %" PRIu64 " MiB of memory, and %" PRIu64
            " MiB are allowed; make it smaller with another program, or allow more by --max-memory",
            width, height, need / MIB, use->limit / MIB);
        return WEIR_ERROR_UNSUPPORTED;
    }
    return WEIR_OK;
}

int weir_memory_max_texels(const struct weir_memory_use *use)
{
    // A decoded texel takes a bit at least.
    const uint64_t texel_bits = 1 + 8 * (uint64_t)use->texel_size + 32 * (uint64_t)use->num_copies;
    const uint64_t max = use->limit / texel_bits * 8;
    return use->limit == 0 || max > INT_MAX ? INT_MAX : (int)max;
}
