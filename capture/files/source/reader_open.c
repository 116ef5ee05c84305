// SPDX-License-Identifier: MIT
// Opens a reader: finds out what the file is, its video stream, and the decoder.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <libavutil/avstring.h>
#include <libavutil/bswap.h>
#include <libavutil/error.h>
#include <libavutil/mem.h>

#include "capture/files/source/input.h"
#include "capture/files/source/reader.h"
#include "capture/movie/hap.h"

// Open a path that is standard input ("pipe:0", "pipe:") or a named pipe, of which the content and
// not the name says what it is. `*pipe` is NULL for every other. Returns an AVERROR.
static int open_pipe(const char *path, AVIOContext **pipe)
{
    struct stat status;
    const bool is_input = strcmp(path, "pipe:0") == 0 || strcmp(path, "pipe:") == 0;
    if (!is_input && (stat(path, &status) != 0 || !S_ISFIFO(status.st_mode))) {
        return 0;
    }
    char *url = av_asprintf("%s%s", is_input ? "" : "file:", path);
    const int error = url ? avio_open(pipe, url, AVIO_FLAG_READ) : AVERROR(ENOMEM);
    av_free(url);
    return error;
}

static int open_format(struct weir_reader *reader)
{
    const char *path = reader->params.path;
    int error = open_pipe(path, &reader->pipe);
    if (error < 0) {
        return error;
    }
    reader->format = avformat_alloc_context();
    if (!reader->format) {
        return AVERROR(ENOMEM);
    }
    reader->format->pb = reader->pipe;
    error = weir_input_open(path, &reader->format);
    reader->lacks_memory = errno == ENOMEM;
    return error;
}

// Find a video track of HAP that FFmpeg has no decoder for. `wanted`: -1 for any. Returns its
// stream, or an AVERROR.
static int find_hap(struct weir_reader *reader, int wanted)
{
    for (unsigned i = 0; i < reader->format->nb_streams; i++) {
        const AVCodecParameters *codec = reader->format->streams[i]->codecpar;
        const struct weir_movie_codec_info *hap = weir_hap_codec_of_tag(
            av_bswap32(codec->codec_tag));
        if ((wanted < 0 || wanted == (int)i) && codec->codec_type == AVMEDIA_TYPE_VIDEO && hap &&
            !hap->ffmpeg_decodes) {
            reader->hap = hap;
            return (int)i;
        }
    }
    return AVERROR_DECODER_NOT_FOUND;
}

static int open_codec(struct weir_reader *reader, const AVCodec *codec)
{
    reader->codec = avcodec_alloc_context3(codec);
    reader->packet = av_packet_alloc();
    reader->held = reader->hap ? av_packet_alloc() : NULL;
    if (!reader->codec || !reader->packet || (reader->hap && !reader->held)) {
        return AVERROR(ENOMEM);
    }
    if (reader->hap) {
        return 0;
    }
    int error = avcodec_parameters_to_context(reader->codec, reader->stream->codecpar);
    if (error < 0) {
        return error;
    }
    reader->codec->pkt_timebase = reader->stream->time_base;
    reader->codec->max_pixels = weir_memory_max_texels(&reader->params.memory);
    reader->codec->thread_count = reader->params.still ? 1 : 0; // 0: one a core
    // Decoded in this thread, errno says why that fails, and a packet may be mended.
    if (reader->params.first || weir_reader_is_still(reader)) {
        reader->codec->thread_type = FF_THREAD_SLICE;
    }
    // Half of a picture is an error; half of a movie's frame is what other players show too. Of
    // TIFF, which comes here from pipes only, the decoder would refuse what is whole.
    if ((reader->params.still || weir_reader_is_still(reader)) && codec->id != AV_CODEC_ID_TIFF) {
        reader->codec->err_recognition = AV_EF_CRCCHECK | AV_EF_BUFFER | AV_EF_EXPLODE;
    }
    errno = 0;
    return weir_reader_memory_error(avcodec_open2(reader->codec, codec, NULL));
}

static const struct weir_still_decoder *const still_decoders[] = {
    &weir_tiff_decoder, &weir_exr_decoder, &weir_radiance_decoder, &weir_texture_decoder};

// Find the decoder of its own that a picture has.
static const struct weir_still_decoder *find_still(const char *path)
{
    uint8_t start[16];
    struct stat status;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) {
        return NULL; // a URL, or libav says why it cannot be read
    }
    const size_t size = fread(start, 1, sizeof(start), file);
    fclose(file);
    for (size_t i = 0; i < sizeof(still_decoders) / sizeof(still_decoders[0]); i++) {
        for (const struct weir_still_mark *mark = still_decoders[i]->marks; mark->bytes; mark++) {
            if (size >= mark->size && memcmp(start, mark->bytes, mark->size) == 0) {
                return still_decoders[i];
            }
        }
    }
    return NULL;
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
    weir_libav_forget();
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
    return result == WEIR_OK ? result
                             : weir_reader_fail(reader, result, WEIR_LOG_CODE_READ_FAILED, reason);
}

enum weir_result weir_reader_open(struct weir_reader *reader,
                                  const struct weir_reader_params *params)
{
    *reader = (struct weir_reader){.params = *params};
    reader->still = find_still(params->path);
    if (reader->still) {
        return params->video_track < 2
                   ? WEIR_OK
                   : weir_reader_fail(reader, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                                      "a picture has one video track");
    }
    int error = open_format(reader);
    if (error < 0 && weir_libav_refused_list()) {
        return weir_reader_fail(reader, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
                                "it is a list of other files or addresses, which is read only "
                                "under a name that says so, such as .m3u8 or .ffconcat");
    }
    if (error < 0) {
        return weir_reader_fail_av(reader, error);
    }
    // libavformat takes any .txt for a terminal recording and makes a movie of the letters.
    if (strcmp(reader->format->iformat->name, "tty") == 0) {
        return weir_reader_fail(reader, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
                                "this is text; give a picture or a movie");
    }
    error = find_streams(reader);
    if (error < 0) {
        return weir_reader_fail_av(reader, error);
    }

    const AVCodec *codec = NULL;
    char reason[WEIR_REASON_SIZE];
    const int wanted = params->video_track == 0
                           ? -1
                           : weir_streams_find_video(reader->format, params->video_track, reason);
    if (params->video_track > 0 && wanted < 0) {
        return weir_reader_fail(reader, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE, reason);
    }
    int index = av_find_best_stream(reader->format, AVMEDIA_TYPE_VIDEO, wanted, -1, &codec, 0);
    if (index == AVERROR_DECODER_NOT_FOUND) {
        index = find_hap(reader, wanted);
    }
    if (index == AVERROR_DECODER_NOT_FOUND) {
        return weir_reader_fail(reader, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_READ_FAILED,
                                "this FFmpeg has no decoder for the video in it");
    }
    bool cover = index >= 0 &&
                 (reader->format->streams[index]->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
    if (index < 0 || cover) {
        return weir_reader_fail(
            reader, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
            "no video stream in it, at most audio or data; give a picture or a movie");
    }
    for (unsigned i = 0; i < reader->format->nb_streams; i++) {
        if ((int)i != index) {
            reader->format->streams[i]->discard = AVDISCARD_ALL;
        }
    }
    reader->stream = reader->format->streams[index];
    WEIR_TRY(check_size(reader));
    if (codec && codec->id == AV_CODEC_ID_EXR) { // which FFmpeg's decoder reads wrong
        return weir_reader_fail(reader, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_READ_FAILED,
                                "OpenEXR is read from files alone; store it in one first");
    }
    error = open_codec(reader, reader->hap ? NULL : decoder_with_alpha(reader->stream, codec));
    return error < 0 ? weir_reader_fail_av(reader, error) : WEIR_OK;
}
