// SPDX-License-Identifier: MIT
// An encoder: one kernel specialised for one kind of source.
#include "encode/encoder.h"

#include <stdlib.h>

#include "kernels.h"

// Specialization constants 0 .. 3 of every kernel.
struct constants {
    uint32_t source_kind, decoder_model, dither, level;
};

static const struct weir_encode_kernel kernels[] = {
    [WEIR_CODEC_YCOCG_BC3] = {&weir_kernel_encode_ycocg_bc3, 1, 1u << 20},
    [WEIR_CODEC_BC1] = {&weir_kernel_encode_bc1, 1, 1u << 18},
    [WEIR_CODEC_BC3] = {&weir_kernel_encode_bc3, 2, 1u << 18},
    [WEIR_CODEC_BC4] = {&weir_kernel_encode_bc4, 1, 1u << 18},
    [WEIR_CODEC_BC5] = {&weir_kernel_encode_bc4, 2, 1u << 18},
    [WEIR_CODEC_EAC_R11] = {&weir_kernel_encode_eac, 1, 1u << 16},
    [WEIR_CODEC_EAC_RG11] = {&weir_kernel_encode_eac, 2, 1u << 16},
    [WEIR_CODEC_ETC1] = {&weir_kernel_encode_etc1, 1, 1u << 16},
    [WEIR_CODEC_ETC2_RGB] = {&weir_kernel_encode_etc2_rgb, 1, 1u << 16},
    [WEIR_CODEC_ETC2_RGB8A1] = {&weir_kernel_encode_etc2_rgb8a1, 1, 1u << 16},
    [WEIR_CODEC_ETC2_RGBA] = {&weir_kernel_encode_etc2_rgba, 2, 1u << 16},
    [WEIR_CODEC_BC6H_UF16] = {&weir_kernel_encode_bc6h, 1, 1u << 16},
    [WEIR_CODEC_BC6H_SF16] = {&weir_kernel_encode_bc6h_signed, 1, 1u << 16},
    [WEIR_CODEC_BC7] = {&weir_kernel_encode_bc7, 1, 1u << 16},
};

// Codecs of half floats take nothing else: codes of 8 or 10 bits have no range to keep.
static enum weir_result check_source(const weir_encoder *encoder)
{
    const enum weir_codec codec = encoder->codec->codec;
    const bool takes_halves = codec == WEIR_CODEC_BC6H_UF16 || codec == WEIR_CODEC_BC6H_SF16;
    if (takes_halves && encoder->source.kind != WEIR_SOURCE_FLOAT &&
        encoder->source.kind != WEIR_SOURCE_LINEAR) {
        return weir_error(&encoder->context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT,
                          "codec %s encodes half floats, not VkFormat %d: use "
                          "R16G16B16A16_SFLOAT, or another codec",
                          encoder->codec->name, (int)encoder->params.format);
    }
    return WEIR_OK;
}

static enum weir_result check_params(weir_encoder *encoder)
{
    const struct weir_encoder_params *params = &encoder->params;
    const struct weir_log *log = &encoder->context->log;
    encoder->codec = weir_codec_get_info(params->codec);
    if (!encoder->codec) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_UNKNOWN_VALUE,
                          "codec %d is not a weir_codec", (int)params->codec);
    }
    if (params->decoder < WEIR_DECODER_GPU || params->decoder > WEIR_DECODER_FFMPEG) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_UNKNOWN_VALUE,
                          "decoder %d is not a weir_decoder_model", (int)params->decoder);
    }
    if (params->level < WEIR_LEVEL_DEFAULT || params->level > WEIR_LEVEL_HIGH) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_UNKNOWN_VALUE,
                          "level %d is not a weir_level", (int)params->level);
    }
    if (params->level != WEIR_LEVEL_DEFAULT && !encoder->codec->has_levels) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_UNKNOWN_VALUE,
                          "codec %s has no level %d: leave weir_encoder_params.level 0",
                          encoder->codec->name, (int)params->level);
    }
    const enum weir_result result = weir_source_check(log, params->format, params->flags,
                                                      params->transfer, &encoder->source);
    return result == WEIR_OK ? check_source(encoder) : result;
}

static enum weir_result encoder_init(weir_encoder *encoder)
{
    enum weir_result result = weir_context_check_lost(encoder->context);
    if (result == WEIR_OK) {
        result = check_params(encoder);
    }
    if (result != WEIR_OK) {
        return result;
    }
    encoder->kernel = &kernels[encoder->codec->codec];
    const struct constants constants = {
        .source_kind = (uint32_t)encoder->source.kind,
        .decoder_model = (uint32_t)encoder->params.decoder,
        .dither = !encoder->params.no_dither,
        .level = (uint32_t)encoder->params.level,
    };
    const VkDescriptorSetLayout set_layouts[] = {encoder->context->image_set_layout,
                                                 encoder->context->buffer_set_layout};
    result = weir_vk_pipeline_init(encoder->context,
                                   &(struct weir_vk_pipeline_params){
                                       .kernel = encoder->kernel->kernel,
                                       .constants = (const uint32_t *)&constants,
                                       .num_constants = sizeof(constants) / sizeof(uint32_t),
                                       .push_constants_size = sizeof(struct weir_encode_push),
                                       .set_layouts = set_layouts,
                                       .num_set_layouts = 2,
                                       .tag = encoder->params.debug_tag,
                                   },
                                   &encoder->pipeline);
    encoder->params.codec = encoder->codec->codec;
    encoder->params.transfer = encoder->source.transfer;
    encoder->params.debug_tag = NULL;
    return result;
}

enum weir_result weir_encoder_create(weir_context *context,
                                     const struct weir_encoder_params *params, weir_encoder **out)
{
    if (!out) {
        return WEIR_ERROR_INVALID;
    }
    *out = NULL;
    if (!context || !params) {
        return WEIR_ERROR_INVALID;
    }
    weir_encoder *encoder = malloc(sizeof(*encoder));
    if (!encoder) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *encoder = (weir_encoder){.context = context, .params = *params};
    enum weir_result result = encoder_init(encoder);
    if (result != WEIR_OK) {
        weir_encoder_destroy(&encoder);
    }
    *out = encoder;
    return result;
}

void weir_encoder_destroy(weir_encoder **encoder)
{
    if (!encoder || !*encoder) {
        return;
    }
    weir_vk_pipeline_finish((*encoder)->context, &(*encoder)->pipeline);
    free(*encoder);
    *encoder = NULL;
}

struct weir_encoder_params weir_encoder_get_params(const weir_encoder *encoder)
{
    return encoder->params;
}
