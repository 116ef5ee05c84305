// SPDX-License-Identifier: MIT
// The proxy of an encode: a picture with a texel a block, which the kernel writes on its way.
#include "encode/proxy.h"

#include "base/size.h"
#include "encode/encoder.h"
#include "frame/image.h"

// Proxies of SRGB formats hold means of light, of others means of codes.
static bool holds_light(const weir_image *image)
{
    return image->params.format == VK_FORMAT_R8G8B8A8_SRGB ||
           image->params.format == VK_FORMAT_B8G8R8A8_SRGB;
}

enum weir_result weir_encoder_check_proxy(weir_encoder *encoder)
{
    const struct weir_log *log = &encoder->context->log;
    const weir_image *like = encoder->params.proxy_like;
    if (!like) {
        return WEIR_OK;
    }
    if (!encoder->codec->has_proxy || encoder->params.steady) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                          "codec %s%s writes no proxy: leave weir_encoder_params.proxy_like NULL",
                          encoder->codec->name, encoder->codec->has_proxy ? " with steady" : "");
    }
    if (!encoder->context->features.write_without_format) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
                          "proxies need the feature shaderStorageImageWriteWithoutFormat: enable "
                          "it on the device");
    }
    const enum weir_result result = weir_image_check_written(like, log);
    if (result != WEIR_OK) {
        return result;
    }
    if (WEIR_SOURCE_IS_LIGHT(encoder->source.kind) && !holds_light(like)) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_FORMAT_MISMATCH,
                          "texels of VkFormat %d are read as light, whose mean needs a proxy of "
                          "an SRGB format, not VkFormat %d",
                          (int)encoder->format, (int)like->params.format);
    }
    encoder->proxy = holds_light(like) ? WEIR_ENCODE_PROXY_LIGHT : WEIR_ENCODE_PROXY_CODES;
    return WEIR_OK;
}

// Get the size of the proxy of an encode [texels].
static VkExtent2D size_of(const struct weir_encode *encode)
{
    const struct weir_image_params *image = &encode->source->params;
    VkExtent2D size = encode->rect.extent;
    if (size.width == 0) {
        size = (VkExtent2D){weir_level_side(image->width, encode->level),
                            weir_level_side(image->height, encode->level)};
    }
    return (VkExtent2D){weir_divide_up(size.width, 4), weir_divide_up(size.height, 4)};
}

enum weir_result weir_encode_check_proxy(const weir_encoder *encoder,
                                         const struct weir_encode *encode)
{
    const struct weir_log *log = &encoder->context->log;
    const weir_image *proxy = encode->proxy;
    if (encoder->proxy == WEIR_ENCODE_PROXY_NONE) {
        return WEIR_OK;
    }
    const enum weir_result result = weir_image_check(proxy, encoder->context, "weir_encode.proxy");
    if (result != WEIR_OK) {
        return result;
    }
    if (!proxy->storage_view || holds_light(proxy) != (encoder->proxy == WEIR_ENCODE_PROXY_LIGHT)) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_FORMAT_MISMATCH,
                          "weir_encode.proxy, of VkFormat %d, is not of the kind of "
                          "weir_encoder_params.proxy_like",
                          (int)proxy->params.format);
    }
    if (proxy == encode->source) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                          "weir_encode.proxy is weir_encode.source: it must be another image");
    }
    if (encode->num_levels > 1 || encode->num_layers > 1) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                          "a proxy is of one level of one layer, not of %u levels and %u layers",
                          weir_at_least_1(encode->num_levels), weir_at_least_1(encode->num_layers));
    }
    const VkExtent2D size = size_of(encode);
    if (proxy->params.width != size.width || proxy->params.height != size.height) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                          "weir_encode.proxy is %ux%u; what is encoded has %ux%u blocks",
                          proxy->params.width, proxy->params.height, size.width, size.height);
    }
    return WEIR_OK;
}
