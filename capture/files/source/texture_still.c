// SPDX-License-Identifier: MIT
// Textures as pictures: DDS, KTX2 and KTX files, whose own headers say what their texels are.
#include <stdio.h>
#include <string.h>

#include <weir/pyramid.h>

#include "capture/files/block/block.h"
#include "capture/files/picture/picture.h"
#include "capture/files/source/reader.h"
#include "capture/files/source/scale.h"
#include "capture/files/texture/texture.h"

// The user of put_row().
struct target {
    const struct weir_texture *texture;
    AVFrame *frame;
    int num_channels, value_size;
};

// Blocks of one or two channels, and signed values, are finer than 8 bits.
static enum AVPixelFormat choose_format(const struct weir_texture *texture)
{
    const struct weir_block_format *format = weir_block_get_format(texture->format);
    const bool has_alpha = weir_texture_has_alpha(texture);
    if (format->values == WEIR_BLOCK_FLOAT) {
        return has_alpha ? AV_PIX_FMT_GBRAPF32 : AV_PIX_FMT_GBRPF32;
    }
    const bool is_deep = format->values == WEIR_BLOCK_SNORM || format->bits[0] > 8 ||
                         format->bits[1] > 8 || (format->side > 1 && format->num_channels < 3);
    return is_deep ? (has_alpha ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGB48)
                   : (has_alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24);
}

// Colours become straight, and signed values 0 .. 1, as pictures have them.
static void convert(const struct weir_texture *texture, float *row, uint32_t width)
{
    const bool is_signed = weir_block_get_format(texture->format)->values == WEIR_BLOCK_SNORM;
    for (size_t i = 0; i < 4 * (size_t)width; i++) {
        const float alpha = row[i / 4 * 4 + 3];
        if (is_signed) {
            row[i] = (row[i] + 1) / 2;
        } else if (texture->is_premultiplied && i % 4 != 3 && alpha > 0) {
            row[i] /= alpha;
        }
    }
}

static void put_row(void *user, uint32_t y, float *row)
{
    const struct target *target = user;
    const AVFrame *frame = target->frame;
    uint8_t *bytes = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
    convert(target->texture, row, (uint32_t)frame->width);
    for (size_t x = 0; x < (size_t)frame->width; x++) {
        for (int c = 0; c < target->num_channels; c++) {
            const float value = row[4 * x + (size_t)c];
            const size_t i = x * (size_t)target->num_channels + (size_t)c;
            if (target->value_size == 4) {
                weir_float_row(frame, c, (int)y)[x] = value;
            } else if (target->value_size == 2) {
                ((uint16_t *)(void *)bytes)[i] = (uint16_t)weir_texel_unorm(value, UINT16_MAX);
            } else {
                bytes[i] = (uint8_t)weir_texel_unorm(value, UINT8_MAX);
            }
        }
    }
}

enum weir_result weir_texture_to_frame(const struct weir_texture *texture, uint32_t level,
                                       uint32_t image, const struct weir_memory_use *memory,
                                       AVFrame *frame, char reason[WEIR_REASON_SIZE])
{
    const enum AVPixelFormat format = choose_format(texture);
    const VkExtent2D extent = weir_pyramid_level_extent(texture->width, texture->height, level);
    struct target target = {texture, frame, weir_texture_has_alpha(texture) ? 4 : 3,
                            (int)weir_memory_value_size(format)};
    WEIR_TRY(weir_memory_check(memory, extent.width, extent.height, format, reason));
    frame->color_range = AVCOL_RANGE_JPEG;
    if (weir_frame_allocate(frame, format, (int)extent.width, (int)extent.height) < 0 ||
        weir_texture_decode(texture, level, image, put_row, &target) != WEIR_OK) {
        snprintf(reason, WEIR_REASON_SIZE, "no memory for its texels");
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return WEIR_OK;
}

// Messages of weir_texture_read() begin with the name of the file, which a reason does not.
static void keep_reason(void *user, const struct weir_log_message *message)
{
    const char *colon = strstr(message->text, ": ");
    snprintf(user, WEIR_REASON_SIZE, "%s", colon ? colon + 2 : message->text);
}

static enum weir_result decode(const struct weir_still_request *request, AVFrame *frame,
                               char reason[WEIR_REASON_SIZE])
{
    const struct weir_log log = {.print = keep_reason, .user = reason};
    const struct weir_texture_bytes bytes = {.data = request->data,
                                             .size = request->size,
                                             .name = "",
                                             .log = &log,
                                             .max_memory = request->memory->limit};
    struct weir_texture texture;
    enum weir_result result = weir_texture_read(&bytes, &texture);
    const uint32_t num = result == WEIR_OK ? weir_texture_num_images(&texture) : 1;
    if (num > 1) {
        snprintf(reason, WEIR_REASON_SIZE,
                 "it is %s%s of %u images, not a picture; weir texture --decode --slice N makes a "
                 "picture of one",
                 texture.num_layers > 0 ? "an array" : "a cube map",
                 texture.num_layers > 0 && texture.is_cube ? " of cube maps" : "", num);
        result = WEIR_ERROR_UNSUPPORTED;
    }
    if (result == WEIR_OK && texture.is_green_first) {
        weir_texture_set_swizzle(&texture, "grba");
    }
    if (result == WEIR_OK) {
        result = weir_texture_to_frame(&texture, 0, 0, request->memory, frame, reason);
    }
    weir_texture_finish(&texture);
    return result;
}

const struct weir_still_decoder weir_texture_decoder = {
    .marks = {{"DDS ", 4}, {"\xabKTX 20\xbb", 8}, {"\xabKTX 11\xbb", 8}},
    .decode = decode,
};
