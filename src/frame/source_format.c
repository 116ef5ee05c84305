// SPDX-License-Identifier: MIT
// The table of image formats that kernels read.
#include "frame/image.h"

#include <stddef.h>

struct format_entry {
    VkFormat format;
    VkFormat unorm;  // for an sRGB format the one that reads the same bits without decoding
    uint32_t codes;  // WEIR_SOURCE_* for WEIR_TRANSFER_CODES
    uint32_t linear; // WEIR_SOURCE_* for WEIR_TRANSFER_LINEAR
    bool is_linear;  // WEIR_TRANSFER_DEFAULT means WEIR_TRANSFER_LINEAR, else WEIR_TRANSFER_CODES
};

// Linear light in an sRGB format is stored as codes, so both transfers give the same picture.
static const struct format_entry formats[] = {
    {VK_FORMAT_R8G8B8A8_UNORM, 0, WEIR_SOURCE_CODES8, WEIR_SOURCE_LINEAR8, false},
    {VK_FORMAT_B8G8R8A8_UNORM, 0, WEIR_SOURCE_CODES8, WEIR_SOURCE_LINEAR8, false},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, 0, WEIR_SOURCE_CODES8, WEIR_SOURCE_LINEAR8, false},
    {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM, WEIR_SOURCE_DECODED, WEIR_SOURCE_DECODED,
     false},
    {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_B8G8R8A8_UNORM, WEIR_SOURCE_DECODED, WEIR_SOURCE_DECODED,
     false},
    {VK_FORMAT_A8B8G8R8_SRGB_PACK32, VK_FORMAT_A8B8G8R8_UNORM_PACK32, WEIR_SOURCE_DECODED,
     WEIR_SOURCE_DECODED, false},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 0, WEIR_SOURCE_CODES10, WEIR_SOURCE_LINEAR10, false},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 0, WEIR_SOURCE_FLOAT, WEIR_SOURCE_LINEAR, true},
    {VK_FORMAT_R8_UNORM, 0, WEIR_SOURCE_CODES8, WEIR_SOURCE_LINEAR8, false},
    {VK_FORMAT_R8G8_UNORM, 0, WEIR_SOURCE_CODES8, WEIR_SOURCE_LINEAR8, false},
    {VK_FORMAT_R16_UNORM, 0, WEIR_SOURCE_CODES16, WEIR_SOURCE_LINEAR16, false},
    {VK_FORMAT_R16G16_UNORM, 0, WEIR_SOURCE_CODES16, WEIR_SOURCE_LINEAR16, false},
    {VK_FORMAT_R16G16B16A16_UNORM, 0, WEIR_SOURCE_CODES16, WEIR_SOURCE_LINEAR16, false},
    {VK_FORMAT_R8G8B8A8_SNORM, 0, WEIR_SOURCE_SNORM8, WEIR_SOURCE_SNORM8, false},
};

static const struct format_entry *find_format(VkFormat format)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (formats[i].format == format) {
            return &formats[i];
        }
    }
    return NULL;
}

bool weir_source_format_find(VkFormat format, VkImageCreateFlags flags, enum weir_transfer transfer,
                             struct weir_source_format *out)
{
    const struct format_entry *entry = find_format(format);
    if (!entry) {
        return false;
    }
    const bool is_linear = transfer == WEIR_TRANSFER_LINEAR ||
                           (transfer == WEIR_TRANSFER_DEFAULT && entry->is_linear);
    *out = (struct weir_source_format){.format = format,
                                       .encoding = is_linear ? entry->linear : entry->codes,
                                       .view_format = format,
                                       .transfer = is_linear ? WEIR_TRANSFER_LINEAR
                                                             : WEIR_TRANSFER_CODES};
    if (entry->unorm && (flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT)) {
        out->encoding = WEIR_SOURCE_CODES8;
        out->view_format = entry->unorm;
    }
    return true;
}
