// SPDX-License-Identifier: MIT
// HAP R and HAP HDR, for which FFmpeg has no decoder: a packet holds the blocks of a texture.
#include <stdlib.h>
#include <string.h>

#include "capture/files/source/reader.h"
#include "capture/files/texture/texture.h"
#include "capture/movie/hap.h"
#include "capture/movie/snappy.h"

enum { VIEW_ROOM = 4096 };

// The user of take().
struct blocks {
    struct weir_view view; // of the packet
    uint8_t *bytes;
    uint64_t size, filled; // [bytes]
};

static bool read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    memcpy(bytes, ((const AVPacket *)user)->data + offset, size);
    return true;
}

static bool take(void *user, const struct weir_hap_piece *piece)
{
    struct blocks *blocks = user;
    uint32_t length = (uint32_t)piece->size;
    if (piece->is_snappy &&
        weir_snappy_read_length(&blocks->view, piece->at, piece->size, &length) == 0) {
        return false;
    }
    uint8_t *out = blocks->bytes + blocks->filled;
    if (length > blocks->size - blocks->filled) {
        return false;
    }
    blocks->filled += length;
    const AVPacket *packet = blocks->view.source.user;
    return piece->is_snappy
               ? weir_snappy_unpack(packet->data + piece->at, (size_t)piece->size, out, length)
               : read_bytes(blocks->view.source.user, piece->at, out, length);
}

static int decode_texture(struct blocks *blocks, const struct weir_hap_section_found *found,
                          const AVCodecParameters *size, const struct weir_memory_use *memory,
                          AVFrame *frame)
{
    const enum weir_hap_texture type = (enum weir_hap_texture)(found->type & 0x0f);
    char reason[WEIR_REASON_SIZE];
    struct weir_texture texture = {
        .format = type == WEIR_HAP_RGBA_BC7   ? VK_FORMAT_BC7_UNORM_BLOCK
                  : type == WEIR_HAP_RGB_BC6H ? VK_FORMAT_BC6H_UFLOAT_BLOCK
                                              : VK_FORMAT_BC6H_SFLOAT_BLOCK,
        .width = (uint32_t)size->width,
        .height = (uint32_t)size->height,
        .num_levels = 1,
    };
    blocks->size = weir_hap_texture_size(type, texture.width, texture.height);
    blocks->bytes = malloc((size_t)blocks->size);
    if (!blocks->bytes) {
        return AVERROR(ENOMEM);
    }
    if (!weir_hap_pieces_read(&blocks->view, found, take, blocks) ||
        blocks->filled != blocks->size) {
        return AVERROR_INVALIDDATA;
    }
    texture.levels[0] = (struct weir_texture_level){.blocks = blocks->bytes, .size = blocks->size};
    const enum weir_result result = weir_texture_to_frame(&texture, 0, 0, memory, frame, reason);
    return result == WEIR_OK                    ? 0
           : result == WEIR_ERROR_OUT_OF_MEMORY ? AVERROR(ENOMEM)
                                                : AVERROR_INVALIDDATA;
}

static void set_times(const AVPacket *packet, AVFrame *frame)
{
    frame->pts = frame->best_effort_timestamp = packet->pts;
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    frame->duration = packet->duration;
#else
    frame->pkt_duration = packet->duration;
#endif
}

int weir_hap_decode(const struct weir_movie_codec_info *codec, const AVCodecParameters *size,
                    AVPacket *packet, const struct weir_memory_use *memory, AVFrame *frame)
{
    struct blocks blocks = {.bytes = NULL};
    struct weir_hap_frame found;
    const struct weir_view_source source = {
        .read = read_bytes, .user = packet, .size = (uint64_t)packet->size};
    int error = weir_view_init(&blocks.view, &source, VIEW_ROOM) ? 0 : AVERROR(ENOMEM);
    if (error == 0) {
        error = weir_hap_frame_read(&blocks.view, 0, source.size, &found) &&
                        found.num_textures == 1 && weir_hap_codec_has(codec, found.textures[0].type)
                    ? decode_texture(&blocks, &found.textures[0], size, memory, frame)
                    : AVERROR_INVALIDDATA;
    }
    set_times(packet, frame);
    weir_view_finish(&blocks.view);
    free(blocks.bytes);
    return error;
}
