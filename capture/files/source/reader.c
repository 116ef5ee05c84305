// SPDX-License-Identifier: MIT
// A reader: the decoded video frames of one file or URL, in order.
#include "capture/files/source/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <libavutil/error.h>
#include <libavutil/file.h>
#include <libavutil/mathematics.h>
#include <libavutil/mem.h>

#include "capture/files/source/libav_log.h"
#include "capture/files/source/memory.h"
#include "capture/files/source/orientation.h"
#include "capture/files/source/pfm.h"
#include "capture/files/texture/container.h"

enum { MAX_ERROR_MESSAGES = 3 };

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

// The libraries answer a failure of memory in many ways. In this thread the system has noted it, if
// errno was 0 before the call.
static int find_memory_error(int error)
{
    const bool is_state = error == AVERROR(EAGAIN) || error == AVERROR_EOF;
    return error < 0 && !is_state && errno == ENOMEM ? AVERROR(ENOMEM) : error;
}

// True if not the file but the machine is at fault: another attempt may read it.
static bool is_failure(enum weir_result result)
{
    return result == WEIR_ERROR_OUT_OF_MEMORY || result == WEIR_ERROR_IO;
}

static enum weir_result fail(const struct weir_reader *reader, enum weir_result result,
                             enum weir_log_code code, const char *reason)
{
    // One picture of many is left out, and the rest goes on, if it is the picture that is wrong.
    const bool goes_on = reader->params.still && !is_failure(result);
    weir_log_printf(reader->params.log, goes_on ? WEIR_LOG_WARNING : WEIR_LOG_ERROR, code, "%s: %s",
                    reader->params.path, reason);
    return result;
}

static enum weir_result fail_av(const struct weir_reader *reader, int error)
{
    if (error == AVERROR_EXIT) {
        return fail(reader, WEIR_ERROR_IO, WEIR_LOG_CODE_READ_FAILED, "reading was interrupted");
    }
    if (result_of(error) == WEIR_ERROR_DATA) {
        return fail(reader, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
                    "no picture or movie that FFmpeg can read, or one that was cut short; "
                    "ffprobe says more");
    }
    if (error == AVERROR(EAGAIN)) { // of pthread_create()
        return fail(reader, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                    "no thread can be started to decode it; the limit of processes (ulimit -u) may "
                    "be reached");
    }
    if (error == AVERROR(EACCES)) {
        return fail(reader, WEIR_ERROR_IO, WEIR_LOG_CODE_OPEN_FAILED,
                    "Permission denied; change the permissions of the file");
    }
    char text[AV_ERROR_MAX_STRING_SIZE] = {0};
    av_strerror(error, text, sizeof(text));
    return fail(reader, result_of(error), WEIR_LOG_CODE_OPEN_FAILED, text);
}

// A name such as "a:b.png" is a file where there is one, not the protocol "a".
static int open_format(struct weir_reader *reader)
{
    const char *path = reader->params.path;
    char url[4096 + 8];
    struct stat status;
    const char *protocol = stat(path, &status) == 0 ? "file:" : "";
    if (snprintf(url, sizeof(url), "%s%s", protocol, path) >= (int)sizeof(url)) {
        return AVERROR(ENAMETOOLONG);
    }
    reader->format = avformat_alloc_context();
    if (!reader->format) {
        return AVERROR(ENOMEM);
    }
    reader->format->interrupt_callback = (AVIOInterruptCB){.callback = reader->params.interrupted,
                                                           .opaque = reader->params.user};
    AVDictionary *options = NULL;
    av_dict_set(&options, "pattern_type", "none", 0); // the name of a picture is no pattern here
    errno = 0;
    const int error = find_memory_error(avformat_open_input(&reader->format, url, NULL, &options));
    reader->lacks_memory = errno == ENOMEM;
    av_dict_free(&options);
    return error;
}

static int open_codec(struct weir_reader *reader, const AVCodec *codec)
{
    reader->codec = avcodec_alloc_context3(codec);
    reader->packet = av_packet_alloc();
    if (!reader->codec || !reader->packet) {
        return AVERROR(ENOMEM);
    }
    int error = avcodec_parameters_to_context(reader->codec, reader->stream->codecpar);
    if (error < 0) {
        return error;
    }
    reader->codec->pkt_timebase = reader->stream->time_base;
    reader->codec->max_pixels = weir_memory_max_texels(&reader->params.memory);
    reader->codec->thread_count = reader->params.still ? 1 : reader->params.num_threads;
    if (reader->params.first) { // decoded in this thread, errno says why that fails
        reader->codec->thread_type = FF_THREAD_SLICE;
    }
    // Half of a picture is an error; half of a movie's frame is what other players show too. Of
    // TIFF, which comes here from pipes alone, the decoder would refuse what is whole.
    if ((reader->params.still || weir_reader_is_still(reader)) && codec->id != AV_CODEC_ID_TIFF) {
        reader->codec->err_recognition = AV_EF_CRCCHECK | AV_EF_BUFFER | AV_EF_EXPLODE;
    }
    errno = 0;
    return find_memory_error(avcodec_open2(reader->codec, codec, NULL));
}

static const struct weir_still_decoder *const still_decoders[] = {&weir_tiff_decoder,
                                                                  &weir_radiance_decoder};

// Map the file if it is a picture for a decoder of its own.
static enum weir_result find_still(struct weir_reader *reader)
{
    uint8_t start[16];
    struct stat status;
    const char *path = reader->params.path;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) {
        return WEIR_OK; // a URL, or libav says why it cannot be read
    }
    const size_t size = fread(start, 1, sizeof(start), file);
    fclose(file);
    for (size_t i = 0; i < sizeof(still_decoders) / sizeof(still_decoders[0]); i++) {
        if (still_decoders[i]->knows(start, size)) {
            const int error = av_file_map(path, &reader->file, &reader->file_size, 0, NULL);
            reader->still = error >= 0 ? still_decoders[i] : NULL;
            return error >= 0 ? WEIR_OK : fail_av(reader, error);
        }
    }
    return WEIR_OK;
}

// FFmpeg's own decoders of VP8 and VP9 leave out the alpha that WebM keeps beside the picture.
static const AVCodec *decoder_with_alpha(const AVStream *stream, const AVCodec *own)
{
    const AVDictionaryEntry *mode = av_dict_get(stream->metadata, "alpha_mode", NULL, 0);
    if (!mode || strcmp(mode->value, "1") != 0) {
        return own;
    }
    const AVCodec *codec = own->id == AV_CODEC_ID_VP9   ? avcodec_find_decoder_by_name("libvpx-vp9")
                           : own->id == AV_CODEC_ID_VP8 ? avcodec_find_decoder_by_name("libvpx")
                                                        : NULL;
    return codec ? codec : own;
}

// Textures that FFmpeg would call damaged.
static enum weir_result check_texture(const struct weir_reader *reader)
{
    const struct weir_texture_kind kind = weir_texture_identify(reader->params.path);
    if (!kind.container || kind.is_picture) {
        return WEIR_OK;
    }
    char text[256];
    snprintf(text, sizeof(text), "it is a texture (%s, %s) and no picture; %s makes one of it",
             kind.container->name, kind.format ? kind.format : "of a format without a decoder here",
             kind.format ? "weir texture --decode" : "ktx extract of Khronos' tools");
    return fail(reader, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_NOT_A_PICTURE, text);
}

// Learn what the streams are, which may take decoding their first frames.
static int find_streams(struct weir_reader *reader)
{
    const unsigned num_streams = reader->format->nb_streams;
    AVDictionary **options = av_calloc(num_streams + 1, sizeof(AVDictionary *));
    if (!options) {
        return AVERROR(ENOMEM);
    }
    for (unsigned i = 0; i < num_streams; i++) {
        av_dict_set_int(&options[i], "max_pixels", weir_memory_max_texels(&reader->params.memory),
                        0);
    }
    weir_libav_forget_size();
    errno = 0;
    const int error = avformat_find_stream_info(reader->format, options);
    reader->lacks_memory = reader->lacks_memory || errno == ENOMEM;
    for (unsigned i = 0; i < num_streams; i++) {
        av_dict_free(&options[i]);
    }
    av_free(options);
    return error;
}

// Refuse a picture that is too large before it is decoded. Where its size is not known the
// libraries have found it too large, or not found it.
static enum weir_result check_size(const struct weir_reader *reader)
{
    const AVCodecParameters *codec = reader->stream->codecpar;
    uint64_t width = codec->width > 0 ? (uint64_t)codec->width : 0;
    uint64_t height = codec->height > 0 ? (uint64_t)codec->height : 0;
    char reason[WEIR_REASON_SIZE];
    if ((width == 0 || height == 0) && !weir_libav_refused_size(&width, &height)) {
        return WEIR_OK;
    }
    const enum weir_result result = weir_memory_check(&reader->params.memory, width, height,
                                                      (enum AVPixelFormat)codec->format, reason);
    return result == WEIR_OK ? result : fail(reader, result, WEIR_LOG_CODE_READ_FAILED, reason);
}

enum weir_result weir_reader_open(struct weir_reader *reader,
                                  const struct weir_reader_params *params)
{
    *reader = (struct weir_reader){.params = *params};
    enum weir_result result = find_still(reader);
    if (result == WEIR_OK && !reader->still) {
        result = check_texture(reader);
    }
    if (result != WEIR_OK || reader->still) {
        return result;
    }
    int error = open_format(reader);
    if (error < 0) {
        return fail_av(reader, error);
    }
    // libavformat takes any .txt for a terminal recording and makes a movie of the letters.
    if (strcmp(reader->format->iformat->name, "tty") == 0) {
        return fail(reader, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
                    "this is text; give a picture or a movie");
    }
    error = find_streams(reader);
    if (error < 0) {
        return fail_av(reader, error);
    }

    const AVCodec *codec = NULL;
    int index = av_find_best_stream(reader->format, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (index == AVERROR_DECODER_NOT_FOUND) {
        return fail(reader, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_READ_FAILED,
                    "this FFmpeg has no decoder for the video in it");
    }
    bool cover = index >= 0 &&
                 (reader->format->streams[index]->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
    if (index < 0 || cover) {
        return fail(reader, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
                    "no video stream in it, only sound or data; give a picture or a movie");
    }
    for (unsigned i = 0; i < reader->format->nb_streams; i++) {
        if ((int)i != index) {
            reader->format->streams[i]->discard = AVDISCARD_ALL;
        }
    }
    reader->stream = reader->format->streams[index];
    const enum weir_result fits = check_size(reader);
    if (fits != WEIR_OK) {
        return fits;
    }
    error = open_codec(reader, decoder_with_alpha(reader->stream, codec));
    return error < 0 ? fail_av(reader, error) : WEIR_OK;
}

void weir_reader_close(struct weir_reader *reader)
{
    av_packet_free(&reader->packet);
    avcodec_free_context(&reader->codec);
    avformat_close_input(&reader->format);
    if (reader->file) {
        av_file_unmap(reader->file, reader->file_size);
    }
    reader->file = NULL;
}

static void count_error(struct weir_reader *reader, int error)
{
    if (++reader->num_errors > MAX_ERROR_MESSAGES) {
        return;
    }
    char text[AV_ERROR_MAX_STRING_SIZE] = {0};
    av_strerror(error, text, sizeof(text));
    weir_log_printf(reader->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                    "%s: a damaged part was left out: %s%s", reader->params.path, text,
                    reader->num_errors == MAX_ERROR_MESSAGES ? " (further ones are only counted)"
                                                             : "");
}

static int interrupted(const struct weir_reader *reader)
{
    return reader->params.interrupted && reader->params.interrupted(reader->params.user);
}

// Get the error of the system behind what av_read_frame() answered, or 0 if there is none. Demuxers
// answer EIO for a file that was cut short too, and the end of the file after an error. Packets for
// which there is no memory are left out without a word.
static int system_error(const struct weir_reader *reader, int error)
{
    const AVIOContext *io = reader->format->pb;
    const int of_file = io && io->error != AVERROR_EOF ? io->error : 0;
    return error == AVERROR(ENOMEM) || reader->lacks_memory ? AVERROR(ENOMEM) : of_file;
}

// Give the decoder one more packet, or tell it that there is none.
static int feed(struct weir_reader *reader)
{
    errno = 0;
    int error = av_read_frame(reader->format, reader->packet);
    reader->lacks_memory = reader->lacks_memory || errno == ENOMEM;
    if (error < 0) {
        if (error != AVERROR_EOF && interrupted(reader)) {
            return AVERROR_EXIT;
        }
        if (system_error(reader, error) < 0) {
            return system_error(reader, error);
        }
        if (error != AVERROR_EOF) {
            count_error(reader, error);
        }
        reader->draining = true;
        avcodec_send_packet(reader->codec, NULL);
        return 0;
    }
    if (reader->packet->stream_index == reader->stream->index) {
        errno = 0;
        error = find_memory_error(avcodec_send_packet(reader->codec, reader->packet));
        if (error == AVERROR(ENOMEM)) {
            return error;
        }
        if (error < 0) {
            count_error(reader, error);
        }
    }
    av_packet_unref(reader->packet);
    return 0;
}

// Set what FFmpeg's decoders leave out, or take too literally.
static int mend(const struct weir_reader *reader, AVFrame *frame)
{
    switch (reader->codec->codec_id) {
    case AV_CODEC_ID_PFM:
    case AV_CODEC_ID_PHM:
        return weir_pfm_is_bottom_up() ? weir_orientation_note(frame, 4) : 0;
    case AV_CODEC_ID_DPX: // FFmpeg's own encoder says of all codes that they are linear
        if (frame->color_trc == AVCOL_TRC_LINEAR) {
            frame->color_trc = AVCOL_TRC_UNSPECIFIED;
        }
        return 0;
    default:
        return 0;
    }
}

// The picture comes once.
static enum weir_result read_still(struct weir_reader *reader, AVFrame *frame, bool *end)
{
    char reason[WEIR_REASON_SIZE];
    *end = reader->draining;
    if (*end) {
        return WEIR_OK;
    }
    reader->draining = true;
    const enum weir_result result = reader->still->decode(reader->file, reader->file_size,
                                                          &reader->params.memory, frame, reason);
    return result == WEIR_OK ? result : fail(reader, result, WEIR_LOG_CODE_NOT_A_PICTURE, reason);
}

enum weir_result weir_reader_read(struct weir_reader *reader, AVFrame *frame, bool *end)
{
    if (reader->still) {
        return read_still(reader, frame, end);
    }
    *end = false;
    for (;;) {
        errno = 0;
        int error = find_memory_error(avcodec_receive_frame(reader->codec, frame));
        if (error == 0) {
            return mend(reader, frame) < 0 ? WEIR_ERROR_OUT_OF_MEMORY : WEIR_OK;
        }
        if (error == AVERROR_EOF || (error == AVERROR(EAGAIN) && reader->draining)) {
            *end = true;
            return WEIR_OK;
        }
        if (error == AVERROR(EAGAIN)) {
            error = feed(reader);
        } else if (error != AVERROR(ENOMEM)) {
            count_error(reader, error);
            error = interrupted(reader) ? AVERROR_EXIT : 0;
        }
        if (error < 0) {
            return fail_av(reader, error);
        }
    }
}

enum weir_result weir_reader_read_picture(const struct weir_reader_params *params, AVFrame *frame,
                                          bool *decoded, struct weir_reader_names *names)
{
    struct weir_reader reader;
    bool end = false;
    enum weir_result result = weir_reader_open(&reader, params);
    if (result == WEIR_OK) {
        result = weir_reader_read(&reader, frame, &end);
    }
    *decoded = result == WEIR_OK && !end;
    if (*decoded && names) {
        *names = weir_reader_get_names(&reader);
    }
    const bool fails = is_failure(result) && !interrupted(&reader);
    weir_reader_close(&reader);
    return fails ? result : WEIR_OK;
}
