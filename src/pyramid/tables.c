// SPDX-License-Identifier: MIT
// The tables of formats that levels can be written in, of methods and of reductions: pure facts.
#include "pyramid/pyramid.h"

#include <string.h>

#include "shaders/pyramid/constants.h"

enum {
    SRGB_FLAGS = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT,
};

// clang-format off
#define PLAIN(vk, name, bits, channels, size, is_float)                                            \
    {VK_FORMAT_##vk, name, VK_FORMAT_##vk, 0, bits, channels, size, false, is_float}
#define SRGB(vk, store, name, channels, size)                                                      \
    {VK_FORMAT_##vk, name, VK_FORMAT_##store, SRGB_FLAGS, 8, channels, size, true, false}
// clang-format on

static const struct weir_pyramid_format_info formats[] = {
    PLAIN(R8_UNORM, "r8_unorm", 8, 1, 1, false),
    SRGB(R8_SRGB, R8_UNORM, "r8_srgb", 1, 1),
    PLAIN(R8G8_UNORM, "rg8_unorm", 8, 2, 2, false),
    SRGB(R8G8_SRGB, R8G8_UNORM, "rg8_srgb", 2, 2),
    PLAIN(R8G8B8A8_UNORM, "rgba8_unorm", 8, 4, 4, false),
    SRGB(R8G8B8A8_SRGB, R8G8B8A8_UNORM, "rgba8_srgb", 4, 4),
    PLAIN(B8G8R8A8_UNORM, "bgra8_unorm", 8, 4, 4, false),
    SRGB(B8G8R8A8_SRGB, B8G8R8A8_UNORM, "bgra8_srgb", 4, 4),
    PLAIN(A2B10G10R10_UNORM_PACK32, "a2b10g10r10_unorm", 10, 4, 4, false),
    PLAIN(B10G11R11_UFLOAT_PACK32, "b10g11r11_ufloat", 11, 3, 4, true),
    PLAIN(R16_UNORM, "r16_unorm", 16, 1, 2, false),
    PLAIN(R16G16_UNORM, "rg16_unorm", 16, 2, 4, false),
    PLAIN(R16G16B16A16_UNORM, "rgba16_unorm", 16, 4, 8, false),
    PLAIN(R16_SFLOAT, "r16_sfloat", 16, 1, 2, true),
    PLAIN(R16G16_SFLOAT, "rg16_sfloat", 16, 2, 4, true),
    PLAIN(R16G16B16A16_SFLOAT, "rgba16_sfloat", 16, 4, 8, true),
    PLAIN(R32_SFLOAT, "r32_sfloat", 32, 1, 4, true),
    PLAIN(R32G32_SFLOAT, "rg32_sfloat", 32, 2, 8, true),
    PLAIN(R32G32B32A32_SFLOAT, "rgba32_sfloat", 32, 4, 16, true),
};
enum { NUM_FORMATS = sizeof(formats) / sizeof(formats[0]) };
_Static_assert(NUM_FORMATS <= WEIR_PYRAMID_MAX_FORMATS, "a generator has room for all");

const struct weir_pyramid_format_info *weir_pyramid_format_list(size_t *num_formats)
{
    if (num_formats) {
        *num_formats = NUM_FORMATS;
    }
    return formats;
}

const struct weir_pyramid_format_info *weir_pyramid_format_get_info(VkFormat format)
{
    for (int i = 0; i < NUM_FORMATS; i++) {
        if (formats[i].format == format) {
            return &formats[i];
        }
    }
    return NULL;
}

bool weir_pyramid_format_by_name(const char *name, VkFormat *format)
{
    for (int i = 0; name && format && i < NUM_FORMATS; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            *format = formats[i].format;
            return true;
        }
    }
    return false;
}

bool weir_pyramid_is_depth(VkFormat format)
{
    return weir_vk_aspect_of(format) == VK_IMAGE_ASPECT_DEPTH_BIT;
}

VkFormat weir_pyramid_input_format(const struct weir_pyramid_params *params)
{
    return params->source_format ? params->source_format : params->format;
}

bool weir_pyramid_has_one_channel(VkFormat format)
{
    const struct weir_pyramid_format_info *entry = weir_pyramid_format_get_info(format);
    return weir_pyramid_is_depth(format) || (entry && entry->num_channels == 1);
}

bool weir_pyramid_decodes(const struct weir_pyramid_params *params, VkFormat format)
{
    const struct weir_pyramid_format_info *entry = weir_pyramid_format_get_info(format);
    return params->precision == WEIR_PYRAMID_PRECISION_EXACT && entry && entry->is_srgb;
}

bool weir_pyramid_is_float(VkFormat format)
{
    const struct weir_pyramid_format_info *entry = weir_pyramid_format_get_info(format);
    return !entry || entry->is_float; // formats outside the table may be floats
}

// Kernels take the numbers of enum weir_pyramid_reduction.
_Static_assert(WEIR_PYRAMID_MEAN == WEIR_PYRAMID_REDUCTION_MEAN, "mean");
_Static_assert(WEIR_PYRAMID_ALPHA_MEAN == WEIR_PYRAMID_REDUCTION_ALPHA_MEAN, "alpha mean");
_Static_assert(WEIR_PYRAMID_MIN == WEIR_PYRAMID_REDUCTION_MIN, "min");
_Static_assert(WEIR_PYRAMID_MAX == WEIR_PYRAMID_REDUCTION_MAX, "max");
_Static_assert(WEIR_PYRAMID_MIN_MAX == WEIR_PYRAMID_REDUCTION_MIN_MAX, "min and max");
_Static_assert(WEIR_PYRAMID_LUMA_MEAN == WEIR_PYRAMID_REDUCTION_LUMA_MEAN, "luma mean");

// Both tables are in the order of the enumerations' values.
static const struct weir_pyramid_method_info methods[] = {
    {WEIR_PYRAMID_AUTO, "auto", "single, or blit where kernels cannot write the format"},
    {WEIR_PYRAMID_SINGLE, "single", "one dispatch for the whole chain of any size"},
    {WEIR_PYRAMID_HYBRID, "hybrid", "fast where both sides divide by 4, else general"},
    {WEIR_PYRAMID_FAST, "fast", "1 to 6 levels a dispatch, where sides halve without a rest"},
    {WEIR_PYRAMID_GENERAL, "general", "two levels a dispatch, any size"},
    {WEIR_PYRAMID_SUBGROUP, "subgroup",
     "5 levels a dispatch by shuffles, where sides halve without a rest"},
    {WEIR_PYRAMID_PER_LEVEL, "per_level", "one level a dispatch, any size"},
    {WEIR_PYRAMID_BLIT, "blit", "a blit a level; mean only, wrong at odd sizes"},
};
enum { NUM_METHODS = sizeof(methods) / sizeof(methods[0]) };

static const struct weir_pyramid_reduction_info reductions[] = {
    {WEIR_PYRAMID_MEAN, "mean", "weighted mean in linear light"},
    {WEIR_PYRAMID_ALPHA_MEAN, "alpha_mean", "mean with colour weighted by alpha"},
    {WEIR_PYRAMID_MIN, "min", "smallest value of each channel"},
    {WEIR_PYRAMID_MAX, "max", "largest value of each channel"},
    {WEIR_PYRAMID_MIN_MAX, "min_max", "smallest in red, largest in green"},
    {WEIR_PYRAMID_LUMA_MEAN, "luma_mean", "mean whose first step weights by 1 / (1 + luma)"},
    {WEIR_PYRAMID_CUSTOM, "custom", "a kernel of the user's own"},
};
enum { NUM_REDUCTIONS = sizeof(reductions) / sizeof(reductions[0]) };

const struct weir_pyramid_method_info *weir_pyramid_method_list(size_t *num_methods)
{
    if (num_methods) {
        *num_methods = NUM_METHODS;
    }
    return methods;
}

const struct weir_pyramid_method_info *weir_pyramid_method_get_info(enum weir_pyramid_method method)
{
    return (unsigned)method < NUM_METHODS ? &methods[method] : NULL;
}

bool weir_pyramid_method_by_name(const char *name, enum weir_pyramid_method *method)
{
    for (int i = 0; name && method && i < NUM_METHODS; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            *method = methods[i].method;
            return true;
        }
    }
    return false;
}

const struct weir_pyramid_reduction_info *weir_pyramid_reduction_list(size_t *num_reductions)
{
    if (num_reductions) {
        *num_reductions = NUM_REDUCTIONS;
    }
    return reductions;
}

const struct weir_pyramid_reduction_info *weir_pyramid_reduction_get_info(
    enum weir_pyramid_reduction reduction)
{
    return (unsigned)reduction < NUM_REDUCTIONS ? &reductions[reduction] : NULL;
}

bool weir_pyramid_reduction_by_name(const char *name, enum weir_pyramid_reduction *reduction)
{
    for (int i = 0; name && reduction && i < NUM_REDUCTIONS; i++) {
        if (strcmp(reductions[i].name, name) == 0) {
            *reduction = reductions[i].reduction;
            return true;
        }
    }
    return false;
}
