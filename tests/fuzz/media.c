// SPDX-License-Identifier: MIT
// Pictures and movies in files of no name, made by FFmpeg's encoders from what an input says.
#include "tests/fuzz/media.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mem.h>

#include "capture/files/source/source.h"

// Encoders of pictures, whose packets are files, and encoders of movies, which have a container.
enum { MEDIA_HEAD_SIZE = 80 }; // of an input; damage follows
struct kind {
    const char *codec, *container;
};
static const struct kind pictures[] = {
    {.codec = "png"}, {.codec = "tiff"},  {.codec = "bmp"},     {.codec = "ppm"},
    {.codec = "pgm"}, {.codec = "pam"},   {.codec = "pfm"},     {.codec = "exr"},
    {.codec = "sgi"}, {.codec = "dpx"},   {.codec = "pcx"},     {.codec = "targa"},
    {.codec = "qoi"}, {.codec = "mjpeg"}, {.codec = "sunrast"}, {.codec = "pbm"},
};
static const struct kind movies[] = TEST_LIST(
    {.codec = "png", .container = "mov"}, {.codec = "mjpeg", .container = "mov"},
    {.codec = "rawvideo", .container = "mov"}, {.codec = "rawvideo", .container = "nut"},
    {.codec = "ffv1", .container = "matroska"}, {.codec = "utvideo", .container = "avi"},
    {.codec = "gif", .container = "gif"}, {.codec = "png", .container = "apng"},
    {.codec = "rawvideo", .container = "yuv4mpegpipe"}, {.codec = "mpeg4", .container = "mp4"},
    {.codec = "huffyuv", .container = "avi"}, {.codec = "ffv1", .container = "nut"});

static int descriptor = -1;
static char path[64];

void media_init(void)
{
    char name[] = "/tmp/weir-fuzz-XXXXXX";
    weir_source_silence_libav();
    av_max_alloc((size_t)16 << 20); // a damaged file may ask for anything
    descriptor = mkstemp(name);
    fuzz_expect(descriptor >= 0 && unlink(name) == 0, "%s", name);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
}

uint8_t media_byte(const struct media *media, size_t i)
{
    return (uint8_t)((media->texel_seed * (i + 1) * 0x9e3779b97f4a7c15u) >> 56);
}

// NULL: any. FFmpeg 7.1 replaced the member by a call.
static const enum AVPixelFormat *formats_of(const AVCodec *codec)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *formats = NULL;
    avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats, NULL);
    return formats;
#else
    return codec->pix_fmts;
#endif
}

static enum AVPixelFormat choose_format(const AVCodec *codec, uint32_t index)
{
    const enum AVPixelFormat *formats = formats_of(codec);
    if (!formats) {
        static const enum AVPixelFormat any[] = {
            AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA,    AV_PIX_FMT_YUV420P,      AV_PIX_FMT_YUYV422,
            AV_PIX_FMT_GRAY8, AV_PIX_FMT_RGB48BE, AV_PIX_FMT_YUVA444P10LE, AV_PIX_FMT_NV12};
        return any[index % (sizeof(any) / sizeof(any[0]))];
    }
    uint32_t num = 0;
    while (formats[num] != AV_PIX_FMT_NONE) {
        num++;
    }
    return formats[index % num];
}

static AVFrame *make_frame(const struct media *media, int number)
{
    AVFrame *frame = av_frame_alloc();
    frame->width = media->width;
    frame->height = media->height;
    frame->format = media->format;
    struct media other = *media;
    other.texel_seed += 2 * (uint64_t)number;
    const int size = av_image_get_buffer_size(media->format, media->width, media->height, 1);
    uint8_t *texels = size > 0 ? malloc((size_t)size) : NULL;
    if (!texels || av_frame_get_buffer(frame, 0) < 0) {
        free(texels);
        av_frame_free(&frame);
        return NULL;
    }
    for (int i = 0; i < size; i++) {
        texels[i] = media_byte(&other, (size_t)i);
    }
    uint8_t *planes[4];
    int pitches[4];
    av_image_fill_arrays(planes, pitches, texels, media->format, media->width, media->height, 1);
    av_image_copy(frame->data, frame->linesize, (const uint8_t **)planes, pitches, media->format,
                  media->width, media->height);
    free(texels);
    return frame;
}

// The metadata of the frames.
struct notes {
    AVRational aspect, time_base;
    int range, space, transfer;
    int32_t matrix[9];
    bool has_matrix;
    bool has_sound;
    uint8_t sample_format;
    int64_t times[MEDIA_MAX_FRAMES];
};

static struct notes take_notes(struct fuzz_bytes *bytes, struct media *media)
{
    struct notes notes = {.time_base = {1, 25}};
    const uint8_t kind = fuzz_take_u8(bytes);
    notes.has_sound = (kind & 16) != 0;
    notes.sample_format = kind >> 5;
    notes.range = fuzz_take_u8(bytes) % 3;
    notes.space = fuzz_take_u8(bytes) % 15;
    notes.transfer = fuzz_take_u8(bytes) % 19;
    notes.aspect = (AVRational){fuzz_take_u8(bytes), fuzz_take_u8(bytes)};
    media->turns = fuzz_take_u8(bytes) % 8;
    notes.has_matrix = media->turns != 0;
    media->turns %= 4;
    av_display_rotation_set(notes.matrix, 90.0 * media->turns); // clockwise
    if ((kind & 1) != 0) {
        notes.time_base.num = 1 + (int)(fuzz_take_u32(bytes) % 100000);
        notes.time_base.den = 1 + (int)(fuzz_take_u32(bytes) % 100000);
    }
    for (int i = 0; i < MEDIA_MAX_FRAMES; i++) {
        const int64_t step = (kind & 2) != 0 ? 1 + fuzz_take_u8(bytes) : 1;
        notes.times[i] = (i > 0 ? notes.times[i - 1] : 0) + step;
        if ((kind & 4) != 0 && i == 2) {
            notes.times[i] += fuzz_take_u32(bytes); // a gap
        }
    }
    if ((kind & 8) != 0) {
        // Anything: of such a matrix only the library knows the angle.
        for (int i = 0; i < 9; i++) {
            notes.matrix[i] = (int32_t)fuzz_take_u32(bytes);
        }
        media->turns = -1;
    }
    return notes;
}

static AVCodecContext *open_encoder(const AVCodec *codec, const struct media *media,
                                    const struct notes *notes)
{
    AVCodecContext *context = avcodec_alloc_context3(codec);
    context->width = media->width;
    context->height = media->height;
    context->pix_fmt = media->format;
    context->time_base = (AVRational){1, 25}; // some encoders take no other
    context->thread_count = 1;
    context->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    context->color_range = (enum AVColorRange)notes->range;
    context->colorspace = (enum AVColorSpace)notes->space;
    context->color_trc = (enum AVColorTransferCharacteristic)notes->transfer;
    context->sample_aspect_ratio = notes->aspect;
    if (avcodec_open2(context, codec, NULL) < 0) {
        avcodec_free_context(&context);
    }
    return context;
}

// Every packet goes to `file`, or to its only stream.
static bool drain(AVCodecContext *encoder, AVFormatContext *file, const struct notes *notes,
                  int *number)
{
    AVPacket *packet = av_packet_alloc();
    bool good = true;
    while (good && avcodec_receive_packet(encoder, packet) == 0) {
        if (!file) {
            good = write(descriptor, packet->data, (size_t)packet->size) == packet->size;
        } else {
            const int i = *number < MEDIA_MAX_FRAMES ? *number : MEDIA_MAX_FRAMES - 1;
            packet->pts = packet->dts = notes->times[i];
            av_packet_rescale_ts(packet, notes->time_base, file->streams[0]->time_base);
            good = av_write_frame(file, packet) >= 0;
        }
        (*number)++;
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    return good;
}

static bool encode(AVCodecContext *encoder, AVFormatContext *file, const struct media *media,
                   const struct notes *notes)
{
    int num_packets = 0;
    bool good = true;
    for (int i = 0; good && i < media->num_frames; i++) {
        AVFrame *frame = make_frame(media, i);
        if (frame) {
            frame->pts = i;
            frame->color_range = encoder->color_range;
            frame->sample_aspect_ratio = encoder->sample_aspect_ratio;
        }
        good = frame && avcodec_send_frame(encoder, frame) >= 0 &&
               drain(encoder, file, notes, &num_packets);
        av_frame_free(&frame);
    }
    avcodec_send_frame(encoder, NULL);
    return drain(encoder, file, notes, &num_packets) && good && num_packets == media->num_frames;
}

// FFmpeg 6.1 moved a stream's side data to its parameters.
static uint8_t *add_matrix(AVStream *stream, size_t size)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 29, 100)
    AVCodecParameters *parameters = stream->codecpar;
    AVPacketSideData *data = av_packet_side_data_new(&parameters->coded_side_data,
                                                     &parameters->nb_coded_side_data,
                                                     AV_PKT_DATA_DISPLAYMATRIX, size, 0);
    return data ? data->data : NULL;
#else
    return av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size);
#endif
}

static bool add_stream(AVFormatContext *file, const AVCodecContext *encoder,
                       const struct notes *notes)
{
    AVStream *stream = avformat_new_stream(file, NULL);
    if (!stream || avcodec_parameters_from_context(stream->codecpar, encoder) < 0) {
        return false;
    }
    stream->time_base = notes->time_base;
    stream->sample_aspect_ratio = notes->aspect;
    if (notes->has_matrix) {
        uint8_t *matrix = add_matrix(stream, sizeof(notes->matrix));
        if (!matrix) {
            return false;
        }
        memcpy(matrix, notes->matrix, sizeof(notes->matrix));
    }
    return true;
}

// A second stream, of samples that are not compressed.
static bool add_sound(AVFormatContext *file, const struct notes *notes)
{
    static const enum AVCodecID codecs[] = {AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_U8,
                                            AV_CODEC_ID_PCM_F32LE, AV_CODEC_ID_PCM_S24LE};
    enum { RATE = 8000 };
    AVStream *stream = avformat_new_stream(file, NULL);
    if (!stream) {
        return false;
    }
    AVCodecParameters *codec = stream->codecpar;
    codec->codec_type = AVMEDIA_TYPE_AUDIO;
    codec->codec_id = codecs[notes->sample_format % (sizeof(codecs) / sizeof(codecs[0]))];
    codec->sample_rate = RATE;
    codec->bits_per_coded_sample = av_get_bits_per_sample(codec->codec_id);
    codec->block_align = codec->bits_per_coded_sample / 8;
    av_channel_layout_default(&codec->ch_layout, 1);
    stream->time_base = (AVRational){1, RATE};
    return true;
}

static bool write_sound(AVFormatContext *file, const struct media *media)
{
    const AVStream *stream = file->streams[1];
    AVPacket *packet = av_packet_alloc();
    bool good = packet && av_new_packet(packet, MEDIA_SAMPLES * stream->codecpar->block_align) >= 0;
    if (good) {
        for (int i = 0; i < packet->size; i++) {
            packet->data[i] = media_byte(media, (size_t)i);
        }
        packet->stream_index = 1;
        packet->pts = packet->dts = 0;
        packet->duration = av_rescale_q(
            MEDIA_SAMPLES, (AVRational){1, stream->codecpar->sample_rate}, stream->time_base);
        packet->flags = AV_PKT_FLAG_KEY;
        good = av_write_frame(file, packet) >= 0;
    }
    av_packet_free(&packet);
    return good;
}

static bool takes_sound(const struct kind *kind)
{
    static const char *const containers[] = {"mov", "nut", "matroska", "avi"};
    for (size_t i = 0; i < sizeof(containers) / sizeof(containers[0]); i++) {
        if (strcmp(kind->container, containers[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool make_movie(const struct kind *kind, AVCodecContext *encoder, const struct media *media,
                       const struct notes *notes)
{
    AVFormatContext *file = NULL;
    bool good = avformat_alloc_output_context2(&file, NULL, kind->container, NULL) >= 0 &&
                avio_open_dyn_buf(&file->pb) >= 0;
    if (good) {
        good = add_stream(file, encoder, notes) && (!media->has_sound || add_sound(file, notes)) &&
               avformat_write_header(file, NULL) >= 0;
        if (good) { // the trailer frees what some muxers keep of packets
            good = (!media->has_sound || write_sound(file, media)) &&
                   encode(encoder, file, media, notes);
            good = av_write_trailer(file) >= 0 && good;
        }
        uint8_t *data = NULL;
        const int size = avio_close_dyn_buf(file->pb, &data);
        good = good && size > 0 && write(descriptor, data, (size_t)size) == size;
        av_free(data);
    }
    avformat_free_context(file);
    return good;
}

// Damage: a place, counted in 65536ths of the file, and what is there now; at last a cut.
static void damage(struct fuzz_bytes bytes, struct media *media)
{
    const off_t size = lseek(descriptor, 0, SEEK_END);
    while (bytes.size >= 3) {
        const off_t high = fuzz_take_u8(&bytes), at = high << 8 | fuzz_take_u8(&bytes);
        const uint8_t value = fuzz_take_u8(&bytes);
        fuzz_expect(pwrite(descriptor, &value, 1, at < size ? at : at * size >> 16) == 1, "damage");
        media->is_damaged = true;
    }
    if (bytes.size == 1) {
        fuzz_expect(ftruncate(descriptor, size * fuzz_take_u8(&bytes) >> 8) == 0, "a cut");
        media->is_damaged = true;
    }
}

bool media_make(struct fuzz_bytes bytes, bool is_picture, struct media *media)
{
    const size_t head_size = bytes.size < MEDIA_HEAD_SIZE ? bytes.size : MEDIA_HEAD_SIZE;
    struct fuzz_bytes head = {bytes.data, head_size};
    const struct fuzz_bytes rest = {bytes.data + head_size, bytes.size - head_size};
    const uint8_t index = fuzz_take_u8(&head);
    const struct kind *kind = is_picture
                                  ? &pictures[index % (sizeof(pictures) / sizeof(pictures[0]))]
                                  : &movies[index % (sizeof(movies) / sizeof(movies[0]))];
    const AVCodec *codec = avcodec_find_encoder_by_name(kind->codec);
    if (!codec) {
        return false;
    }
    *media = (struct media){.path = path, .format = choose_format(codec, fuzz_take_u8(&head))};
    media->is_gif = strcmp(kind->codec, "gif") == 0;
    media->width = 1 + fuzz_take_u8(&head) % MEDIA_MAX_SIDE;
    media->height = 1 + fuzz_take_u8(&head) % MEDIA_MAX_SIDE;
    media->num_frames = is_picture ? 1 : 1 + fuzz_take_u8(&head) % MEDIA_MAX_FRAMES;
    media->texel_seed = fuzz_take_u8(&head) + 1;
    const struct notes notes = take_notes(&head, media);
    media->has_sound = notes.has_sound && kind->container && takes_sound(kind);
    AVCodecContext *encoder = open_encoder(codec, media, &notes);
    if (!encoder) {
        return false;
    }
    bool good = ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0;
    good = good && (kind->container ? make_movie(kind, encoder, media, &notes)
                                    : encode(encoder, NULL, media, &notes));
    avcodec_free_context(&encoder);
    if (good) {
        damage(rest, media);
    }
    return good;
}

size_t media_seed(unsigned index, uint8_t *data)
{
    enum { NUM_SEEDS = 160, DAMAGE_SIZE = 10 };
    struct fuzz_random random = fuzz_random(index);
    if (index >= NUM_SEEDS) {
        return 0;
    }
    const size_t size = MEDIA_HEAD_SIZE + (index % 4 == 3 ? DAMAGE_SIZE : 0);
    fuzz_fill(&random, data, size);
    data[0] = (uint8_t)(index / 2);
    return size;
}
