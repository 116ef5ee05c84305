// SPDX-License-Identifier: MIT
// How kernels read the base: by the sampler, which averages texels, or texel by texel.
#include "pyramid/reads.h"

#include "pyramid/check.h"
#include "pyramid/format.h"

bool weir_pyramid_can_filter(const weir_pyramid *pyramid)
{
    const VkFormat source = pyramid->params.source_format;
    const VkFormatFeatureFlags needed = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    return (weir_pyramid_format_features(pyramid->context, pyramid->params.format) & needed) &&
           (!source || (weir_pyramid_format_features(pyramid->context, source) & needed));
}

bool weir_pyramid_can_filter_side(uint32_t side)
{
    return side % 2 == 0 && (side <= 4096 || (side & (side - 1)) == 0);
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
// exact for midpoints. Mesa's software device rounds to 8 bits after each axis, so it may not by
// default. The nearest code of exact_srgb is nearer than what the sampler makes of UNORM.
static bool may_filter(const weir_pyramid *pyramid, const struct weir_pyramid_format_info *format)
{
    if (format->is_srgb) {
        return pyramid->params.filter_srgb;
    }
    if (format->is_float && format->red_bits == 16) {
        return pyramid->params.filter_half;
    }
    return !pyramid->context->is_software && weir_pyramid_averages_well(format, pyramid->format) &&
           !(pyramid->params.exact_srgb && !format->is_float);
}

bool weir_pyramid_is_filtered(const weir_pyramid *pyramid, VkFormat base, bool is_first)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(base);
    const enum weir_pyramid_reduction reduction = pyramid->params.reduction;
    return format && may_filter(pyramid, format) &&
           (reduction == WEIR_PYRAMID_MEAN || (reduction == WEIR_PYRAMID_LUMA_MEAN && !is_first)) &&
           weir_pyramid_can_filter(pyramid);
}
