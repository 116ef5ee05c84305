// SPDX-License-Identifier: MIT
// The textures of a frame: the encoders that write them into a slot, one behind the other.
#include "capture/stream/textures.h"

// Make the optimiser that goes with an encoder.
static enum weir_result make_rdo(weir_context *context, const struct weir_capture_params *params,
                                 const struct weir_encoder_params *encoder,
                                 struct weir_textures *textures, weir_rdo **rdo)
{
    if (params->rate.quality == 100 && params->rate.bytes_per_second == 0) {
        return WEIR_OK;
    }
    textures->controls.num++;
    textures->controls.num_channels += weir_codec_get_info(encoder->codec)->num_channels;
    return weir_rdo_create(context,
                           &(struct weir_rdo_params){
                               .debug_tag = encoder->debug_tag,
                               .codec = encoder->codec,
                               .like = encoder->like,
                               .no_dither = encoder->no_dither,
                               .bc4_alpha = encoder->bc4_alpha,
                               .steady = params->encoding.steady,
                               .control = true,
                           },
                           rdo);
}

// Get the size of a history of the encoders, or of the optimisers: the textures as they lie in a
// slot. That of the optimisers is behind that of the encoders, if these have one.
static uint64_t size_of_history(const struct weir_textures *textures)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < textures->num; i++) {
        size += textures->sizes[i];
    }
    return (size + 15) / 16 * 16; // what the next blocks are aligned to
}

enum weir_result weir_textures_init(struct weir_textures *textures, weir_context *context,
                                    const struct weir_capture_params *params, const char *tag)
{
    const struct weir_movie_codec_info *codec = weir_movie_codec_get_info(params->codec);
    const struct weir_image_params like = weir_image_get_params(params->like);
    enum weir_result result = WEIR_OK;
    textures->controls = (struct weir_controls){.width = like.width, .height = like.height};
    for (uint32_t i = 0; i < codec->num_textures && result == WEIR_OK; i++) {
        const enum weir_codec blocks = codec->textures[i];
        textures->sizes[i] = weir_codec_image_size(blocks, like.width, like.height);
        const struct weir_encoder_params encoder = {
            .debug_tag = tag,
            .codec = blocks,
            .decoder = params->encoding.decoder,
            .effort = params->encoding.effort,
            .like = params->like,
            .no_dither = params->encoding.no_dither,
            .bc4_alpha = blocks == WEIR_CODEC_BC4,
            .steady = params->encoding.steady && weir_codec_get_info(blocks)->has_steady,
        };
        result = weir_encoder_create(context, &encoder, &textures->encoders[i]);
        if (result == WEIR_OK) {
            result = make_rdo(context, params, &encoder, textures, &textures->rdos[i]);
        }
        textures->num++;
    }
    if (params->encoding.steady) {
        const bool is_kept = weir_encoder_get_params(textures->encoders[0]).steady;
        textures->rdo_history = is_kept ? size_of_history(textures) : 0;
        textures->history_size = textures->rdo_history +
                                 (textures->rdos[0] ? size_of_history(textures) : 0);
    }
    return result;
}

void weir_textures_finish(struct weir_textures *textures)
{
    for (uint32_t i = 0; i < textures->num; i++) {
        weir_rdo_destroy(&textures->rdos[i]);
        weir_encoder_destroy(&textures->encoders[i]);
    }
}

bool weir_textures_read(const struct weir_textures *textures, const weir_image *image)
{
    return weir_encoder_reads(textures->encoders[0], image);
}

enum weir_result weir_cmd_textures(const struct weir_textures *textures, VkCommandBuffer cmd,
                                   const weir_image *image, const weir_buffer *buffer,
                                   const weir_buffer *history, const weir_buffer *control)
{
    struct weir_encode encode = {.source = image, .buffer = buffer, .history = history};
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < textures->num && result == WEIR_OK; i++) {
        result = weir_cmd_encode(textures->encoders[i], cmd, &encode);
        encode.offset += textures->sizes[i]; // a multiple of what the next blocks are aligned to
        encode.history_offset = encode.offset;
    }
    struct weir_rdo_run run = {.source = image,
                               .buffer = buffer,
                               .history = history,
                               .history_offset = textures->rdo_history,
                               .control = control};
    for (uint32_t i = 0; i < textures->num && result == WEIR_OK; i++) {
        run.control_offset = weir_controls_offset(&textures->controls, i);
        result = textures->rdos[i] ? weir_cmd_rdo(textures->rdos[i], cmd, &run) : WEIR_OK;
        run.offset += textures->sizes[i];
        run.history_offset += textures->sizes[i];
        run.no_barrier = true; // that of the first one serves all
    }
    return result;
}
