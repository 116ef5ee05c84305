// SPDX-License-Identifier: MIT
// The proxy of an encode: a small picture of its source, which the kernel writes beside the blocks.

#include "base/size.h"
#include "encode/encoder.h"

// Proxies of SRGB formats hold means of light, of others means of codes.
static bool holds_light(const weir_image *image)
{
    return image->params.format == VK_FORMAT_R8G8B8A8_SRGB ||
           image->params.format == VK_FORMAT_B8G8R8A8_SRGB;
}

enum { DEFAULT_LEVEL = 2 };

enum weir_result weir_encoder_check_proxy(const weir_encoder *encoder)
{
    const struct weir_log *log = &encoder->context->log;
    const weir_image *like = encoder->params.proxy_like;
    const uint32_t level = encoder->params.proxy_level;
    WEIR_FAIL_IF(level > 2 || (level > 0 && !like), log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "weir_encoder_params.proxy_level is %u%s: give 1 for half of each side, "
                 "or 2 for a quarter, and an image like the proxy in proxy_like",
                 level, like ? "" : " and proxy_like NULL");
    if (!like) {
        return WEIR_OK;
    }
    WEIR_FAIL_IF(!encoder->codec->has_proxy || encoder->params.steady, log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "codec %s%s writes no proxy: leave weir_encoder_params.proxy_like NULL",
                 encoder->codec->name, encoder->codec->has_proxy ? " with steady" : "");
    WEIR_FAIL_IF(!encoder->context->features.write_without_format, log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_FEATURE,
                 "proxies need the feature shaderStorageImageWriteWithoutFormat: enable "
                 "it on the device");
    WEIR_TRY(weir_image_check_written(like, log));
    WEIR_FAIL_IF(WEIR_SOURCE_IS_LIGHT(encoder->source.encoding) && !holds_light(like), log,
                 WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_FORMAT_MISMATCH,
                 "texels of VkFormat %d are read as linear light, so the proxy needs an "
                 "SRGB format, not VkFormat %d",
                 (int)encoder->source.format, (int)like->params.format);
    return WEIR_OK;
}

void weir_encoder_resolve_proxy(weir_encoder *encoder)
{
    const weir_image *like = encoder->params.proxy_like;
    if (like) {
        encoder->proxy = holds_light(like) ? WEIR_ENCODE_PROXY_LIGHT : WEIR_ENCODE_PROXY_CODES;
        if (encoder->params.proxy_level == 0) {
            encoder->params.proxy_level = DEFAULT_LEVEL;
        }
    }
}

// Get the size of what is encoded [texels].
static VkExtent2D size_of(const struct weir_encode *encode)
{
    const struct weir_image_params *image = &encode->source->params;
    return encode->rect.extent.width > 0
               ? encode->rect.extent
               : (VkExtent2D){weir_level_side(image->width, encode->level),
                              weir_level_side(image->height, encode->level)};
}

enum weir_result weir_encode_check_proxy(const weir_encoder *encoder,
                                         const struct weir_encode *encode)
{
    const struct weir_log *log = &encoder->context->log;
    const weir_image *proxy = encode->proxy;
    if (encoder->proxy == WEIR_ENCODE_PROXY_NONE) {
        return WEIR_OK;
    }
    WEIR_TRY(weir_image_check(proxy, encoder->context, "weir_encode.proxy"));
    WEIR_FAIL_IF(!proxy->storage_view ||
                     holds_light(proxy) != (encoder->proxy == WEIR_ENCODE_PROXY_LIGHT),
                 log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_FORMAT_MISMATCH,
                 "weir_encode.proxy, of VkFormat %d, is not like weir_encoder_params.proxy_like",
                 (int)proxy->params.format);
    WEIR_FAIL_IF(proxy == encode->source, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_encode.proxy is weir_encode.source: it must be another image");
    WEIR_FAIL_IF(encode->num_levels > 1 || encode->num_layers > 1, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "a proxy is for one level and one layer, not for %u levels and %u layers",
                 weir_at_least_1(encode->num_levels), weir_at_least_1(encode->num_layers));
    const VkExtent2D size = size_of(encode);
    const uint32_t side = 1u << encoder->params.proxy_level;
    const uint32_t width = weir_divide_up(size.width, side);
    const uint32_t height = weir_divide_up(size.height, side);
    WEIR_FAIL_IF(proxy->params.width != width || proxy->params.height != height, log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_encode.proxy is %ux%u; for %ux%u texels it must be %ux%u at proxy_level %u",
                 proxy->params.width, proxy->params.height, size.width, size.height, width, height,
                 encoder->params.proxy_level);
    return WEIR_OK;
}
