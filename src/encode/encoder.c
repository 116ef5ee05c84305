// SPDX-License-Identifier: MIT
// An encoder: one kernel, specialised for one encoding of sources.
#include "encode/encoder.h"

#include "kernels.h"

// The kernels of each effort, in the order of enum weir_effort.
// clang-format off
#define KERNELS(name, exhaustive, live) \
    {&weir_kernel_##name##_default, &weir_kernel_##name##_fast, &weir_kernel_##name##_high, \
     exhaustive, &weir_kernel_##name##_##live}
#define UP_TO_HIGH(name) KERNELS(name, NULL, fast)
#define UP_TO_EXHAUSTIVE(name) KERNELS(name, &weir_kernel_##name##_exhaustive, fast)
#define LIVE_TO_HIGH(name) KERNELS(name, NULL, live)
#define LIVE_TO_EXHAUSTIVE(name) KERNELS(name, &weir_kernel_##name##_exhaustive, live)
// clang-format on

static const struct weir_encode_kernel kernels[] = {
    [WEIR_CODEC_YCOCG_BC3] = {UP_TO_HIGH(encode_ycocg_bc3), 1, 1u << 20},
    [WEIR_CODEC_BC1] = {LIVE_TO_HIGH(encode_bc1), 1, 1u << 18},
    [WEIR_CODEC_BC3] = {UP_TO_HIGH(encode_bc3), 2, 1u << 18},
    [WEIR_CODEC_BC4] = {UP_TO_EXHAUSTIVE(encode_bc4), 1, 1u << 18},
    [WEIR_CODEC_BC5] = {LIVE_TO_EXHAUSTIVE(encode_bc5), 1, 1u << 18},
    [WEIR_CODEC_EAC_R11] = {UP_TO_EXHAUSTIVE(encode_eac), 1, 1u << 16},
    [WEIR_CODEC_EAC_RG11] = {UP_TO_EXHAUSTIVE(encode_eac), 2, 1u << 16},
    [WEIR_CODEC_ETC1] = {UP_TO_HIGH(encode_etc1), 1, 1u << 16},
    [WEIR_CODEC_ETC2_RGB] = {UP_TO_HIGH(encode_etc2_rgb), 1, 1u << 16},
    [WEIR_CODEC_ETC2_RGB8A1] = {UP_TO_HIGH(encode_etc2_rgb8a1), 1, 1u << 16},
    [WEIR_CODEC_ETC2_RGBA] = {UP_TO_HIGH(encode_etc2_rgba), 2, 1u << 16},
    [WEIR_CODEC_BC6H_UF16] = {LIVE_TO_HIGH(encode_bc6h), 1, 1u << 16},
    [WEIR_CODEC_BC6H_SF16] = {LIVE_TO_HIGH(encode_bc6h_signed), 1, 1u << 16},
    [WEIR_CODEC_BC7] = {LIVE_TO_HIGH(encode_bc7), 1, 1u << 16},
    [WEIR_CODEC_BC4_SNORM] = {UP_TO_EXHAUSTIVE(encode_bc4), 1, 1u << 18},
    [WEIR_CODEC_BC5_SNORM] = {LIVE_TO_EXHAUSTIVE(encode_bc5), 1, 1u << 18},
    [WEIR_CODEC_EAC_R11_SNORM] = {UP_TO_EXHAUSTIVE(encode_eac), 1, 1u << 16},
    [WEIR_CODEC_EAC_RG11_SNORM] = {UP_TO_EXHAUSTIVE(encode_eac), 2, 1u << 16},
    [WEIR_CODEC_BC1A] = {UP_TO_HIGH(encode_bc1), 1, 1u << 18},
};

// Of codecs with weir_codec_info.has_steady: those that keep what they can of the frame before.
static const struct weir_encode_kernel steady_kernels[] = {
    [WEIR_CODEC_YCOCG_BC3] = {UP_TO_HIGH(encode_ycocg_bc3_steady), 1, 1u << 19},
    [WEIR_CODEC_BC1] = {LIVE_TO_HIGH(encode_bc1_steady), 1, 1u << 17},
    [WEIR_CODEC_BC3] = {UP_TO_HIGH(encode_bc3_steady), 2, 1u << 17},
    [WEIR_CODEC_BC4] = {UP_TO_EXHAUSTIVE(encode_bc4_steady), 1, 1u << 17},
};

// Of codecs with weir_codec_info.has_proxy: those that write one.
static const struct weir_encode_kernel proxy_kernels[] = {
    [WEIR_CODEC_YCOCG_BC3] = {UP_TO_HIGH(encode_ycocg_bc3_proxy), 1, 1u << 20},
    [WEIR_CODEC_BC1] = {LIVE_TO_HIGH(encode_bc1_proxy), 1, 1u << 18},
    [WEIR_CODEC_BC3] = {UP_TO_HIGH(encode_bc3_proxy), 2, 1u << 18},
    [WEIR_CODEC_BC1A] = {UP_TO_HIGH(encode_bc1_proxy), 1, 1u << 18},
};

static uint32_t bc1_mode_of(const weir_encoder *encoder)
{
    return encoder->codec->codec == WEIR_CODEC_BC1A ? WEIR_ENCODE_BC1_ALPHA
           : encoder->params.bc1_black              ? WEIR_ENCODE_BC1_BLACK
                                                    : WEIR_ENCODE_BC1_OPAQUE;
}

static bool is_bc6h(const weir_encoder *encoder)
{
    const enum weir_codec codec = encoder->codec->codec;
    return codec == WEIR_CODEC_BC6H_UF16 || codec == WEIR_CODEC_BC6H_SF16;
}

// Check that the codec has the options that are set.
static enum weir_result check_options(const weir_encoder *encoder)
{
    const struct weir_encoder_params *params = &encoder->params;
    const enum weir_codec codec = encoder->codec->codec;
    const bool has_bc1 = codec == WEIR_CODEC_BC1 || codec == WEIR_CODEC_BC1A ||
                         codec == WEIR_CODEC_BC3;
    const struct {
        const char *name;
        bool is_set, is_known;
    } options[] = {
        {"bc1_black", params->bc1_black, codec == WEIR_CODEC_BC1},
        {"bc1_dither", params->bc1_dither, has_bc1},
        {"bc4_alpha", params->bc4_alpha, codec == WEIR_CODEC_BC4},
        {"bc7_alpha_unread", params->bc7_alpha_unread, codec == WEIR_CODEC_BC7},
        {"bc6h_log", params->bc6h_log, is_bc6h(encoder)},
        {"steady", params->steady, encoder->codec->has_steady},
    };
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        WEIR_FAIL_IF(options[i].is_set && !options[i].is_known, &encoder->context->log,
                     WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                     "codec %s has no %s: leave weir_encoder_params.%s false", encoder->codec->name,
                     options[i].name, options[i].name);
    }
    WEIR_FAIL_IF(
        params->steady && params->bc1_black, &encoder->context->log, WEIR_ERROR_UNSUPPORTED,
        WEIR_LOG_CODE_UNKNOWN_VALUE,
        "weir_encoder_params.steady and bc1_black exclude each other: leave one of them false");
    return WEIR_OK;
}

static bool is_float(const struct weir_source_format *source)
{
    return source->encoding == WEIR_SOURCE_FLOAT || source->encoding == WEIR_SOURCE_LINEAR;
}

// Codecs of half floats refuse all other sources: codes of 8 or 10 bits have no range to keep.
static enum weir_result check_halves(const weir_encoder *encoder)
{
    WEIR_FAIL_IF(is_bc6h(encoder) && !is_float(&encoder->source), &encoder->context->log,
                 WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT,
                 "codec %s encodes half floats, not VkFormat %d: use "
                 "R16G16B16A16_SFLOAT, or another codec",
                 encoder->codec->name, (int)encoder->source.format);
    return WEIR_OK;
}

// Signed codecs read signed sources, and others do not: values would be lost.
static enum weir_result check_sign(const weir_encoder *encoder)
{
    const struct weir_codec_info *codec = encoder->codec;
    const bool is_snorm = encoder->source.encoding == WEIR_SOURCE_SNORM8;
    if (codec->is_signed ? is_snorm || is_float(&encoder->source) : !is_snorm) {
        return WEIR_OK;
    }
    return weir_fail(&encoder->context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT,
                     codec->is_signed ? "codec %s is signed and does not read VkFormat %d; use "
                                        "R8G8B8A8_SNORM or R16G16B16A16_SFLOAT"
                                      : "codec %s is unsigned and does not read VkFormat %d; use "
                                        "a codec whose name ends in _snorm",
                     codec->name, (int)encoder->source.format);
}

// Get how the kernel reads the source. Signed codecs keep the sign of floats.
static uint32_t kernel_source_encoding(const weir_encoder *encoder)
{
    return encoder->codec->is_signed && is_float(&encoder->source) ? WEIR_SOURCE_SIGNED_FLOAT
                                                                   : encoder->source.encoding;
}

static enum weir_result check_params(weir_encoder *encoder)
{
    const struct weir_encoder_params *params = &encoder->params;
    const struct weir_log *log = &encoder->context->log;
    encoder->codec = weir_codec_get_info(params->codec);
    WEIR_FAIL_IF(!encoder->codec, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "codec %d is not a weir_codec", (int)params->codec);
    WEIR_FAIL_IF(params->decoder < WEIR_DECODER_GPU || params->decoder > WEIR_DECODER_FFMPEG, log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "decoder %d is not a weir_decoder_model", (int)params->decoder);
    WEIR_FAIL_IF(params->effort < WEIR_EFFORT_DEFAULT || params->effort > WEIR_EFFORT_LIVE, log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE, "effort %d is not a weir_effort",
                 (int)params->effort);
    WEIR_FAIL_IF(!kernels[encoder->codec->codec].efforts[params->effort], log,
                 WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "codec %s has no effort %d: weir_encoder_params.effort is %d at most",
                 encoder->codec->name, (int)params->effort, (int)encoder->codec->max_effort);
    WEIR_TRY(check_options(encoder));
    WEIR_TRY(weir_image_check_like(params->like, log, "weir_encoder_params", &encoder->source));
    WEIR_TRY(check_halves(encoder));
    WEIR_TRY(check_sign(encoder));
    return weir_encoder_check_proxy(encoder);
}

static enum weir_result encoder_init(weir_encoder *encoder)
{
    WEIR_TRY(weir_context_check_lost(encoder->context));
    WEIR_TRY(check_params(encoder));
    weir_encoder_resolve_proxy(encoder);
    const enum weir_codec codec = encoder->codec->codec;
    encoder->kernel = encoder->params.steady                     ? &steady_kernels[codec]
                      : encoder->proxy != WEIR_ENCODE_PROXY_NONE ? &proxy_kernels[codec]
                                                                 : &kernels[codec];
    const uint32_t constants[WEIR_ENCODE_NUM_CONSTANTS] = {
        [WEIR_ENCODE_CONSTANT_SOURCE_KIND] = kernel_source_encoding(encoder),
        [WEIR_ENCODE_CONSTANT_FFMPEG_MODEL] = encoder->params.decoder == WEIR_DECODER_FFMPEG,
        [WEIR_ENCODE_CONSTANT_DITHER] = !encoder->params.no_dither,
        [WEIR_ENCODE_CONSTANT_BC1_MODE] = bc1_mode_of(encoder),
        [WEIR_ENCODE_CONSTANT_BC1_DITHER] = encoder->params.bc1_dither,
        [WEIR_ENCODE_CONSTANT_BC4_ALPHA] = encoder->params.bc4_alpha,
        [WEIR_ENCODE_CONSTANT_BC6H_LOG] = encoder->params.bc6h_log,
        [WEIR_ENCODE_CONSTANT_ALPHA_UNREAD] = encoder->params.bc7_alpha_unread,
        [WEIR_ENCODE_CONSTANT_PROXY] = encoder->proxy,
        [WEIR_ENCODE_CONSTANT_PROXY_LEVEL] = encoder->params.proxy_level,
    };
    const VkDescriptorSetLayout set_layouts[WEIR_ENCODE_NUM_SETS] = {
        [WEIR_ENCODE_SET_SOURCE] = encoder->context->image_set_layout,
        [WEIR_ENCODE_SET_BUFFER] = encoder->context->buffer_set_layout,
        [WEIR_ENCODE_SET_HISTORY] = encoder->params.steady ? encoder->context->buffer_set_layout
                                                           : encoder->context->storage_set_layout,
    };
    const enum weir_result result = weir_vk_pipeline_init(
        encoder->context,
        &(struct weir_vk_pipeline_params){
            .kernel = encoder->kernel->efforts[encoder->params.effort],
            .constants = constants,
            .num_constants = WEIR_ENCODE_NUM_CONSTANTS,
            .push_constants_size = sizeof(struct weir_encode_push),
            .set_layouts = set_layouts,
            .num_set_layouts = weir_encoder_num_sets(encoder),
            .tag = encoder->params.debug_tag,
        },
        &encoder->pipeline);
    encoder->params.codec = encoder->codec->codec;
    encoder->params.like = NULL;
    encoder->params.proxy_like = NULL;
    encoder->params.debug_tag = NULL;
    return result;
}

enum weir_result weir_encoder_create(weir_context *context,
                                     const struct weir_encoder_params *params, weir_encoder **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_context_log(context), out, context, params));
    weir_encoder *encoder = weir_object_alloc(context, WEIR_OBJECT_ENCODER, sizeof(*encoder));
    if (!encoder) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *encoder = (weir_encoder){.context = context, .params = *params};
    const enum weir_result result = encoder_init(encoder);
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
    weir_object_free((*encoder)->context, WEIR_OBJECT_ENCODER, *encoder);
    *encoder = NULL;
}

struct weir_encoder_params weir_encoder_get_params(const weir_encoder *encoder)
{
    return encoder ? encoder->params : (struct weir_encoder_params){0};
}

bool weir_encoder_reads(const weir_encoder *encoder, const weir_image *image)
{
    return encoder && image && image->context == encoder->context &&
           weir_image_is_like(image, &encoder->source);
}
