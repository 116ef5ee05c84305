// SPDX-License-Identifier: MIT
// How kernels read the base: by the sampler, which averages texels, or texel by texel.
#ifndef WEIR_PYRAMID_READS_H
#define WEIR_PYRAMID_READS_H

#include "pyramid/pyramid.h"

// True if the sampler may filter every base. The descriptors of a kernel hold the sampler even if
// the kernel does not use it, and a linear sampler must not be bound with an image that cannot be
// filtered (VUID-vkCmdDispatch-magFilter-04553).
bool weir_pyramid_can_filter(const weir_pyramid *pyramid);

// True if the sampler may average pairs of texels along an axis of this length. Its coordinates
// have about 21 bits (measured on NVIDIA), so on an axis above 4096 they miss the middle between
// two texels, unless the length is a power of two.
bool weir_pyramid_can_filter_side(uint32_t side);

// True if the error of a sampler that averages texels of `base` does not show in `levels`, one of
// the formats that levels are stored in. Half floats and sRGB, which have options of their own, are
// not asked about. Pure.
bool weir_pyramid_averages_well(const struct weir_pyramid_format_info *base,
                                const struct weir_pyramid_format_info *levels);

// True if the sampler averages texels of a base with even sides. `is_first`: it is the input.
bool weir_pyramid_is_filtered(const weir_pyramid *pyramid, VkFormat base, bool is_first);

#endif
