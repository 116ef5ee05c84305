// SPDX-License-Identifier: MIT
// How kernels read the base: by the sampler, which averages texels, or texel by texel, or as words.
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

// True if inputs may be read as words (uint_views), and are where the sampler does not average
// them. Words are as a fetch of the format has them, bit for bit.
bool weir_pyramid_has_words(const weir_pyramid *pyramid);

// Check the create flag by which an input has a view of words, if they are read.
enum weir_result weir_pyramid_check_words(const weir_pyramid *pyramid, const weir_image *input);

// Get the format of the words of an input, or 0 if SINGLE gains nothing by them. `*words` becomes
// the number that kernels know the input by then, WEIR_PYRAMID_WORDS_*. Pure.
VkFormat weir_pyramid_words_of(VkFormat input, uint32_t *words);

#endif
