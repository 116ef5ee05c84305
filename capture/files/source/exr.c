// SPDX-License-Identifier: MIT
// OpenEXR pictures by OpenEXRCore: one layer of a flat part becomes floats, premultiplied. The
// picture is the display window; what the data window lacks of it is 0.
//
// Source: "Technical Introduction to OpenEXR" (windows, luminance and chroma).
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>

#include "capture/base/small_float.h"
#include "capture/files/source/exr_layer.h"
#include "capture/files/source/profile.h"
#include "capture/files/source/scale.h"

struct picture {
    const struct weir_still_request *request;
    exr_context_t file;
    struct weir_exr_layer layer;
    exr_attr_box2i_t window, shown; // of its data, of the picture
    int tile_width, tile_height;    // width 0: chunks are rows
    AVFrame *frame;                 // of the size of the data window, at last of the picture
    char *reason;
};

static int64_t read_bytes(exr_const_context_t file, void *user, void *buffer, uint64_t size,
                          uint64_t offset, exr_stream_error_func_ptr_t report)
{
    (void)file, (void)report;
    const struct picture *picture = user;
    const uint64_t rest = offset < picture->request->size ? picture->request->size - offset : 0;
    const uint64_t num = size < rest ? size : rest;
    memcpy(buffer, picture->request->data + (num > 0 ? offset : 0), num);
    return (int64_t)num;
}

static int64_t get_size(exr_const_context_t file, void *user)
{
    (void)file;
    return (int64_t)((const struct picture *)user)->request->size;
}

// The first message is the cause of those that follow.
static void keep_message(exr_const_context_t file, exr_result_t code, const char *message)
{
    void *user = NULL;
    if (exr_get_user_data(file, &user) == EXR_ERR_SUCCESS && code != EXR_ERR_OUT_OF_MEMORY) {
        const struct picture *picture = user;
        snprintf(picture->reason, picture->reason[0] == 0 ? WEIR_REASON_SIZE : 0, "%s: %s",
                 code == EXR_ERR_MISSING_REQ_ATTR ? "OpenEXR's library refuses it"
                                                  : "it is damaged or cut short",
                 message);
    }
}

static enum weir_result result_of(exr_result_t code)
{
    return code == EXR_ERR_SUCCESS         ? WEIR_OK
           : code == EXR_ERR_OUT_OF_MEMORY ? WEIR_ERROR_OUT_OF_MEMORY
                                           : WEIR_ERROR_DATA;
}

static int64_t side(int32_t first, int32_t last)
{
    return (int64_t)last - first + 1;
}

static enum weir_result check_window(const struct picture *picture, const exr_attr_box2i_t *window)
{
    const int64_t width = side(window->min.x, window->max.x);
    const int64_t height = side(window->min.y, window->max.y);
    return weir_memory_check(picture->request->memory, width > 0 ? (uint64_t)width : 0,
                             height > 0 ? (uint64_t)height : 0, AV_PIX_FMT_GBRAPF32,
                             picture->reason);
}

// Make a frame of zeros of the size of a window.
static bool make_frame(const struct picture *picture, const exr_attr_box2i_t *window,
                       AVFrame *frame)
{
    const bool has_alpha = picture->layer.channels[WEIR_EXR_ALPHA] >= 0;
    frame->color_range = AVCOL_RANGE_JPEG;
    if (weir_frame_allocate(frame, has_alpha ? AV_PIX_FMT_GBRAPF32 : AV_PIX_FMT_GBRPF32,
                            (int)side(window->min.x, window->max.x),
                            (int)side(window->min.y, window->max.y)) < 0) {
        return false;
    }
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++) {
        memset(frame->buf[i]->data, 0, frame->buf[i]->size);
    }
    return true;
}

static float sample_at(const uint8_t *bytes, uint16_t type)
{
    return type == EXR_PIXEL_HALF    ? weir_half_value(AV_RL16(bytes))
           : type == EXR_PIXEL_FLOAT ? av_int2float(AV_RL32(bytes))
                                     : (float)AV_RL32(bytes);
}

// Take a row of a chunk: the samples of one channel behind those of another. Returns its end; NULL
// if it has no room. The library's own function takes rows of chroma for others (3.1.5).
static const uint8_t *take_row(const struct picture *picture, const exr_decode_pipeline_t *decode,
                               const uint8_t *bytes, int x, int y)
{
    const uint8_t *end = (const uint8_t *)decode->unpacked_buffer + decode->chunk.unpacked_size;
    for (int i = 0; i < decode->channel_count; i++) {
        const exr_coding_channel_info_t *channel = &decode->channels[i];
        const int size = channel->bytes_per_element, width = channel->width;
        if ((picture->window.min.y + y) % channel->y_samples != 0) {
            continue;
        }
        if ((end - bytes) / size < width || x + width > picture->frame->width || y < 0 ||
            y >= picture->frame->height) {
            return NULL;
        }
        for (int c = 0; c < 4; c++) {
            float *row = picture->layer.channels[c] == i
                             ? weir_float_row(picture->frame, c, y / channel->y_samples) + x
                             : NULL;
            for (int k = 0; row && k < width; k++) {
                row[k] = sample_at(bytes + (ptrdiff_t)k * size, channel->data_type);
            }
        }
        bytes += (ptrdiff_t)width * size;
    }
    return bytes;
}

static exr_result_t take_chunk(exr_decode_pipeline_t *decode)
{
    const struct picture *picture = decode->decoding_user_data;
    const exr_chunk_info_t *chunk = &decode->chunk;
    const bool is_tile = picture->tile_width > 0;
    const int64_t x = is_tile ? (int64_t)chunk->start_x * picture->tile_width : 0;
    const int64_t y = is_tile ? (int64_t)chunk->start_y * picture->tile_height
                              : (int64_t)chunk->start_y - picture->window.min.y;
    const uint8_t *bytes = decode->unpacked_buffer;
    for (int i = 0; bytes && i < chunk->height; i++) {
        bytes = take_row(picture, decode, bytes, (int)x, (int)y + i);
    }
    return bytes ? EXR_ERR_SUCCESS : EXR_ERR_CORRUPT_CHUNK;
}

static exr_result_t read_chunk(struct picture *picture, exr_decode_pipeline_t *decode,
                               const exr_chunk_info_t *chunk)
{
    const int part = picture->layer.part;
    const bool is_first = !decode->channels;
    exr_result_t code = is_first ? exr_decoding_initialize(picture->file, part, chunk, decode)
                                 : exr_decoding_update(picture->file, part, chunk, decode);
    if (code == EXR_ERR_SUCCESS && is_first) {
        code = exr_decoding_choose_default_routines(picture->file, part, decode);
    }
    decode->decoding_user_data = picture;
    decode->unpack_and_convert_fn = take_chunk;
    return code == EXR_ERR_SUCCESS ? exr_decoding_run(picture->file, part, decode) : code;
}

// Read all chunks: rows, or tiles, of whose levels the first is the picture.
static exr_result_t read_chunks(struct picture *picture, bool is_tiled,
                                exr_decode_pipeline_t *decode)
{
    const exr_const_context_t file = picture->file;
    const int part = picture->layer.part;
    int32_t width = picture->frame->width, height = 1;
    exr_chunk_info_t chunk;
    exr_result_t code = is_tiled ? exr_get_tile_sizes(file, part, 0, 0, &width, &height)
                                 : exr_get_scanlines_per_chunk(file, part, &height);
    picture->tile_width = is_tiled ? width : 0;
    picture->tile_height = height;
    for (int64_t y = 0; code == EXR_ERR_SUCCESS && y < picture->frame->height; y += height) {
        for (int64_t x = 0; code == EXR_ERR_SUCCESS && x < picture->frame->width; x += width) {
            code = is_tiled ? exr_read_tile_chunk_info(file, part, (int)(x / width),
                                                       (int)(y / height), 0, 0, &chunk)
                            : exr_read_scanline_chunk_info(
                                  file, part, (int)(picture->window.min.y + y), &chunk);
            if (code == EXR_ERR_SUCCESS) {
                code = read_chunk(picture, decode, &chunk);
            }
        }
    }
    return code;
}

// Make a frame of the display window of that of the data window.
static bool crop(const struct picture *picture)
{
    const exr_attr_box2i_t *from = &picture->window, *to = &picture->shown;
    const int64_t left = FFMAX(from->min.x, to->min.x);
    const int64_t right = FFMIN(from->max.x, to->max.x);
    const bool has_alpha = picture->layer.channels[WEIR_EXR_ALPHA] >= 0;
    if (memcmp(from, to, sizeof(*from)) == 0) {
        return true;
    }
    AVFrame *made = av_frame_alloc();
    const bool done = made && make_frame(picture, to, made);
    for (int64_t y = FFMAX(from->min.y, to->min.y);
         done && left <= right && y <= FFMIN(from->max.y, to->max.y); y++) {
        for (int c = 0; c < 3 + has_alpha; c++) {
            memcpy(weir_float_row(made, c, (int)(y - to->min.y)) + (left - to->min.x),
                   weir_float_row(picture->frame, c, (int)(y - from->min.y)) + (left - from->min.x),
                   (size_t)(right - left + 1) * sizeof(float));
        }
    }
    if (done) {
        av_frame_unref(picture->frame);
        av_frame_move_ref(picture->frame, made);
    }
    av_frame_free(&made);
    return done;
}

static bool note_facts(const struct picture *picture)
{
    float ratio = 0;
    exr_attr_chromaticities_t at;
    if (exr_get_pixel_aspect_ratio(picture->file, picture->layer.part, &ratio) == EXR_ERR_SUCCESS &&
        ratio > 0) {
        picture->frame->sample_aspect_ratio = av_d2q((double)ratio, UINT16_MAX);
    }
    if (exr_attr_get_chromaticities(picture->file, picture->layer.part, "chromaticities", &at) !=
        EXR_ERR_SUCCESS) {
        return true;
    }
    const double primaries[8] = {at.white_x, at.white_y, at.red_x,  at.red_y,
                                 at.green_x, at.green_y, at.blue_x, at.blue_y};
    return weir_profile_attach_facts(picture->frame, primaries, 1);
}

static bool has_halves(const struct picture *picture)
{
    const exr_attr_chlist_t *channels = NULL;
    exr_get_channels(picture->file, picture->layer.part, &channels);
    bool are_halves = true;
    for (int i = 0; i < channels->num_channels; i++) {
        are_halves = are_halves && channels->entries[i].pixel_type == EXR_PIXEL_HALF;
    }
    return are_halves;
}

// True if OpenEXRCore 3.1 does not read it: it has no DWA, and takes the floats of B44 for others.
static bool is_foreign(const struct picture *picture)
{
    exr_compression_t kind = EXR_COMPRESSION_NONE;
    exr_get_compression(picture->file, picture->layer.part, &kind);
    const bool is_b44 = kind == EXR_COMPRESSION_B44 || kind == EXR_COMPRESSION_B44A;
    return kind == EXR_COMPRESSION_DWAA || kind == EXR_COMPRESSION_DWAB ||
           (is_b44 && !has_halves(picture));
}

static int run_libav(const struct picture *picture)
{
    AVDictionary *options = NULL;
    weir_libav_forget();
    const int set = av_dict_set(&options, "layer", picture->layer.name, 0);
    const int error = set < 0 ? set
                              : weir_libav_decode(AV_CODEC_ID_EXR, picture->request->data,
                                                  picture->request->size, &options, picture->frame);
    av_dict_free(&options);
    return error;
}

// Of DWA FFmpeg reads halves of colours, from a display window at 0,0; and not all of those.
static enum weir_result read_by_libav(const struct picture *picture)
{
    const struct weir_exr_layer *layer = &picture->layer;
    const bool is_readable = picture->shown.min.x == 0 && picture->shown.min.y == 0 &&
                             layer->part == 0 && layer->has_colours && !layer->is_grey &&
                             !layer->has_chroma && has_halves(picture) &&
                             picture->request->size < INT_MAX / 2;
    const int error = is_readable ? run_libav(picture) : AVERROR_PATCHWELCOME;
    if (error == AVERROR(ENOMEM)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (error < 0 || weir_libav_lost_block()) {
        snprintf(picture->reason, WEIR_REASON_SIZE,
                 "its compression, DWA or B44 of floats, is not read, or it is damaged; compress "
                 "it by ZIP or PIZ");
        return WEIR_ERROR_UNSUPPORTED;
    }
    return WEIR_OK;
}

// Decode into a frame of the data window, and make the picture of it.
static enum weir_result read_window(struct picture *picture)
{
    const struct weir_exr_layer *layer = &picture->layer;
    exr_storage_t storage = EXR_STORAGE_SCANLINE;
    exr_decode_pipeline_t decode = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_get_storage(picture->file, layer->part, &storage);
    if (!make_frame(picture, &picture->window, picture->frame)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const exr_result_t code = read_chunks(picture, storage == EXR_STORAGE_TILED, &decode);
    exr_decoding_destroy(picture->file, &decode);
    WEIR_TRY(result_of(code));
    weir_exr_make_colours(layer, picture->frame);
    return crop(picture) ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

static enum weir_result read_layer(struct picture *picture)
{
    const int part = picture->layer.part;
    exr_get_data_window(picture->file, part, &picture->window);
    exr_get_display_window(picture->file, part, &picture->shown);
    WEIR_TRY(check_window(picture, &picture->window));
    WEIR_TRY(check_window(picture, &picture->shown));
    WEIR_TRY(is_foreign(picture) ? read_by_libav(picture) : read_window(picture));
    return note_facts(picture) ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

static enum weir_result read_file(struct picture *picture)
{
    exr_context_initializer_t options = EXR_DEFAULT_CONTEXT_INITIALIZER;
    options.error_handler_fn = keep_message;
    options.user_data = picture;
    options.read_fn = read_bytes;
    options.size_fn = get_size;
    WEIR_TRY(result_of(exr_start_read(&picture->file, picture->request->path, &options)));
    WEIR_TRY(
        weir_exr_layer_find(picture->file, picture->request, &picture->layer, picture->reason));
    return read_layer(picture);
}

static enum weir_result decode(const struct weir_still_request *request, AVFrame *frame,
                               char reason[WEIR_REASON_SIZE])
{
    struct picture picture = {.request = request, .frame = frame, .reason = reason};
    const enum weir_result result = read_file(&picture);
    exr_finish(&picture.file);
    return result;
}

const struct weir_still_decoder weir_exr_decoder = {
    .is_associated = true,
    .marks = {{"\x76\x2f\x31\x01", 4}},
    .decode = decode,
};
