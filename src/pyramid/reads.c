// SPDX-License-Identifier: MIT
// How kernels read the base: by the sampler, which averages texels, or texel by texel, or as words.
#include "pyramid/pyramid.h"

#include "frame/image.h"

bool weir_pyramid_can_filter(const weir_pyramid *pyramid)
{
    const VkFormat source = pyramid->params.source_format;
    const VkFormatFeatureFlags needed = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    return weir_vk_has_format(pyramid->context, pyramid->params.format, needed) &&
           (!source || weir_vk_has_format(pyramid->context, source, needed));
}

static bool can_filter_side(uint32_t side)
{
    return side <= 4096 || (side & (side - 1)) == 0;
}

bool weir_pyramid_can_filter_size(const weir_pyramid *pyramid, uint32_t width, uint32_t height)
{
    return can_filter_side(width) && can_filter_side(height) &&
           (((width | height) & 1) == 0 || weir_pyramid_filters_odd(pyramid));
}

// An NVIDIA H200 (driver 580.159) gives the mean of four texels of UNORM as a code of 16 bits: of
// formats with 8 and 16 bits the nearest one, of those with 10 bits one that is up to 1.3 off. That
// of B10G11R11 is a half float, off by 1.2 in its last place, and that of 32-bit floats is off by
// 2^-23 of it. So means of UNORM may become codes, but no floats, which are finer near zero.
bool weir_pyramid_averages_well(const struct weir_pyramid_format_info *base,
                                const struct weir_pyramid_format_info *levels)
{
    if (base->is_float) {
        return base->red_bits == 32 || base->format == levels->format;
    }
    return !levels->is_float && !(base->red_bits == 10 && levels->red_bits == 16);
}

// True if the sampler may average pairs of texels of a format. Its fractions have 8 bits, which is
// exact for midpoints. Mesa's software device rounds to 8 bits after each axis, and is no faster by
// it. The nearest code of PRECISION_EXACT is nearer than what the sampler makes of UNORM. Texels of
// 16 bytes are fetched: an NVIDIA H200 takes longer to average four of them.
static bool may_filter(const weir_pyramid *pyramid, const struct weir_pyramid_format_info *format)
{
    const enum weir_pyramid_precision precision = pyramid->params.precision;
    if (pyramid->context->is_software || format->texel_size == 16) {
        return false;
    }
    if (format->is_srgb || (format->is_float && format->red_bits == 16)) {
        return precision == WEIR_PYRAMID_PRECISION_FAST;
    }
    return weir_pyramid_averages_well(format, pyramid->format) &&
           (format->is_float || precision != WEIR_PYRAMID_PRECISION_EXACT);
}

bool weir_pyramid_is_filtered(const weir_pyramid *pyramid, VkFormat base, bool is_first)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(base);
    const enum weir_pyramid_reduction reduction = pyramid->params.reduction;
    return format && may_filter(pyramid, format) &&
           (reduction == WEIR_PYRAMID_MEAN || (reduction == WEIR_PYRAMID_LUMA_MEAN && !is_first)) &&
           weir_pyramid_can_filter(pyramid);
}

bool weir_pyramid_filters_odd(const weir_pyramid *pyramid)
{
    const struct weir_pyramid_params *params = &pyramid->params;
    return params->precision == WEIR_PYRAMID_PRECISION_FAST && pyramid->format->red_bits == 8 &&
           !pyramid->format->is_srgb && weir_pyramid_input_format(params) == params->format;
}

VkFormat weir_pyramid_words_of(VkFormat input, uint32_t *words)
{
    switch (input) {
    case VK_FORMAT_R16G16_SFLOAT:
        *words = WEIR_PYRAMID_WORDS_RG16F;
        return VK_FORMAT_R32_UINT;
    case VK_FORMAT_R16G16B16A16_SFLOAT:
        *words = WEIR_PYRAMID_WORDS_RGBA16F;
        return VK_FORMAT_R32G32_UINT;
    default:
        return VK_FORMAT_UNDEFINED;
    }
}

bool weir_pyramid_has_words(const weir_pyramid *pyramid,
                            const struct weir_pyramid_target_params *target)
{
    const struct weir_pyramid_params *params = &pyramid->params;
    const weir_image *const *inputs = target->sources ? target->sources : target->images;
    uint32_t words;
    bool has_words = params->method == WEIR_PYRAMID_SINGLE && pyramid->bindings.num_images == 1 &&
                     params->reduction != WEIR_PYRAMID_LUMA_MEAN &&
                     params->reduction != WEIR_PYRAMID_CUSTOM &&
                     weir_pyramid_words_of(weir_pyramid_input_format(params), &words);
    for (uint32_t i = 0; i < target->num_images; i++) {
        has_words &= (inputs[i]->params.flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) != 0;
    }
    return has_words;
}
