// SPDX-License-Identifier: MIT
// An encoder: one kernel specialised for one kind of source, recorded into the host's command buffer.
#include <weir/encode.h>

#include <stdlib.h>

#include "frame/buffer.h"
#include "frame/image.h"
#include "kernels.h"
#include "vk/debug.h"
#include "vk/pipeline.h"

struct weir_encoder {
    weir_context *context;
    struct weir_encoder_params params;
    const struct weir_codec_info *codec;
    struct weir_source source;
    struct weir_vk_pipeline pipeline;
};

// Specialization constants 0 .. 3 and push constants of every kernel.
struct constants {
    uint32_t source_kind, decoder_model, dither, level;
};
struct push_constants {
    uint32_t width, height;  // [texels]
    uint32_t blocks_per_row; // of the target
    uint32_t first_block;    // index in the target
};

// Blocks that a workgroup covers: the kernels' local size, one block an invocation.
enum { GROUP_WIDTH = 4, GROUP_HEIGHT = 8 };

// The kernel of a codec.
struct kernel {
    const struct weir_vk_kernel *kernel;
    uint32_t num_parts; // of a block, encoded apart: workgroups along z
};
static const struct kernel kernels[] = {
    [WEIR_CODEC_YCOCG_BC3] = {&weir_kernel_encode_ycocg_bc3, 1},
    [WEIR_CODEC_BC1] = {&weir_kernel_encode_bc1, 1},
    [WEIR_CODEC_BC3] = {&weir_kernel_encode_bc3, 2},
    [WEIR_CODEC_BC4] = {&weir_kernel_encode_bc4, 1},
    [WEIR_CODEC_BC5] = {&weir_kernel_encode_bc4, 2},
    [WEIR_CODEC_EAC_R11] = {&weir_kernel_encode_eac, 1},
    [WEIR_CODEC_EAC_RG11] = {&weir_kernel_encode_eac, 2},
};

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
    return weir_source_check(log, params->format, params->flags, params->transfer,
                             &encoder->source);
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
                                       .kernel = kernels[encoder->codec->codec].kernel,
                                       .constants = (const uint32_t *)&constants,
                                       .num_constants = sizeof(constants) / sizeof(uint32_t),
                                       .push_constants_size = sizeof(struct push_constants),
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

static enum weir_result check_encode(const weir_encoder *encoder, const struct weir_encode *encode)
{
    const struct weir_log *log = &encoder->context->log;
    if (!encode->source || !encode->target) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT,
                          "weir_encode.%s is required", encode->source ? "target" : "source");
    }
    if (encode->source->source.kind != encoder->source.kind) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_FORMAT_MISMATCH,
                          "the source has VkFormat %d and the encoder was made for %d: make both "
                          "with the same format, flags and transfer",
                          (int)encode->source->params.format, (int)encoder->params.format);
    }
    const struct weir_image_params *image = &encode->source->params;
    const uint64_t size = weir_codec_image_size(encoder->codec->codec, image->width, image->height);
    if (encode->offset % encoder->codec->block_size != 0 || encode->offset > encode->target->size ||
        size > encode->target->size - encode->offset) {
        return weir_error(
            log, WEIR_ERROR_INVALID, WEIR_LOG_BUFFER_TOO_SMALL,
            "%llu bytes at offset %llu do not fit into a target of %llu bytes, or the "
            "offset is not a multiple of %u",
            (unsigned long long)size, (unsigned long long)encode->offset,
            (unsigned long long)encode->target->size, encoder->codec->block_size);
    }
    return WEIR_OK;
}

enum weir_result weir_cmd_encode(const weir_encoder *encoder, VkCommandBuffer cmd,
                                 const struct weir_encode *encode)
{
    if (!encoder || !cmd || !encode) {
        return WEIR_ERROR_INVALID;
    }
    enum weir_result result = check_encode(encoder, encode);
    if (result != WEIR_OK) {
        return result;
    }
    const struct weir_vk_functions *vk = &encoder->context->vk;
    const struct weir_vk_pipeline *pipeline = &encoder->pipeline;
    const uint32_t width = encode->source->params.width;
    const uint32_t height = encode->source->params.height;
    const uint32_t columns = (width + 3) / 4;
    const uint32_t rows = (height + 3) / 4;
    const struct push_constants push = {
        .width = width,
        .height = height,
        .blocks_per_row = columns,
        .first_block = (uint32_t)(encode->offset / encoder->codec->block_size),
    };
    const VkDescriptorSet sets[] = {encode->source->set.set, encode->target->set.set};
    weir_vk_label_begin(encoder->context, cmd, encoder->codec->name);
    vk->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->pipeline);
    vk->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout, 0, 2, sets, 0,
                              NULL);
    vk->CmdPushConstants(cmd, pipeline->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push),
                         &push);
    vk->CmdDispatch(cmd, (columns + GROUP_WIDTH - 1) / GROUP_WIDTH,
                    (rows + GROUP_HEIGHT - 1) / GROUP_HEIGHT,
                    kernels[encoder->codec->codec].num_parts);
    weir_vk_label_end(encoder->context, cmd);
    return WEIR_OK;
}
