// SPDX-License-Identifier: MIT
// HAP R and HAP HDR, for which FFmpeg has no decoder: a packet holds the blocks of a texture.
#include <stdlib.h>
#include <string.h>

#include "capture/files/source/reader.h"
#include "capture/files/texture/texture.h"
#include "capture/movie/hap.h"

enum { VIEW_ROOM = 4096 };

static bool read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    memcpy(bytes, ((const AVPacket *)user)->data + offset, size);
    return true;
}

static int decode_texture(struct weir_view *view, const struct weir_hap_section_found *found,
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
    const uint64_t blocks_size = weir_hap_texture_size(type, texture.width, texture.height);
    struct weir_hap_unpacker unpacker = {.view = view};
    uint8_t *blocks = malloc((size_t)blocks_size);
    enum weir_result result = blocks ? weir_hap_unpack(&unpacker, found, blocks, blocks_size)
                                     : WEIR_ERROR_OUT_OF_MEMORY;
    free(unpacker.packed);
    if (result == WEIR_OK) {
        texture.levels[0] = (struct weir_texture_level){.blocks = blocks, .size = blocks_size};
        result = weir_texture_to_frame(&texture, 0, 0, memory, frame, reason);
    }
    free(blocks);
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
    struct weir_view view;
    struct weir_hap_frame found;
    const struct weir_view_source source = {
        .read = read_bytes, .user = packet, .size = (uint64_t)packet->size};
    int error = weir_view_init(&view, &source, VIEW_ROOM) ? 0 : AVERROR(ENOMEM);
    if (error == 0) {
        error = weir_hap_frame_read(&view, 0, source.size, &found) && found.num_textures == 1 &&
                        weir_hap_codec_has(codec, found.textures[0].type)
                    ? decode_texture(&view, &found.textures[0], size, memory, frame)
                    : AVERROR_INVALIDDATA;
    }
    set_times(packet, frame);
    weir_view_finish(&view);
    return error;
}
