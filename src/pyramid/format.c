// SPDX-License-Identifier: MIT
// The table of formats that levels can be written in: pure facts.
#include "pyramid/pyramid.h"

#include <string.h>

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
    switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return true;
    default:
        return false;
    }
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
    return params->exact_srgb && entry && entry->is_srgb;
}

bool weir_pyramid_is_float(VkFormat format)
{
    const struct weir_pyramid_format_info *entry = weir_pyramid_format_get_info(format);
    return !entry || entry->is_float; // formats outside the table may be floats
}
