// SPDX-License-Identifier: MIT
// The names of formats by their numbers, also of those that have no decoder here.
//
// Sources: Khronos, vulkan_core.h; Microsoft, dxgiformat.h.
#include <stdio.h>
#include <string.h>

#include "capture/files/texture/texture.h"

// Formats that differ in what their values are have numbers that follow each other.
struct family {
    uint32_t first;
    const char *channels, *values; // values: words
};

static const char integers[] = "UNORM SNORM USCALED SSCALED UINT SINT SRGB",
                  halves[] = "UNORM SNORM USCALED SSCALED UINT SINT SFLOAT",
                  words[] = "UINT SINT SFLOAT", codes[] = "UNORM SRGB";

// clang-format off
static const struct family vulkan[] = {
    {0, "UNDEFINED", ""}, {1, "R4G4", "UNORM"}, {2, "R4G4B4A4", "UNORM"}, {3, "B4G4R4A4", "UNORM"},
    {7, "B5G5R5A1", "UNORM"}, {9, "R8", integers}, {16, "R8G8", integers}, {23, "R8G8B8", integers},
    {30, "B8G8R8", integers}, {37, "R8G8B8A8", integers}, {44, "B8G8R8A8", integers},
    {51, "A8B8G8R8", integers}, {58, "A2R10G10B10", "UNORM SNORM USCALED SSCALED UINT SINT"},
    {64, "A2B10G10R10", "UNORM SNORM USCALED SSCALED UINT SINT"}, {70, "R16", halves},
    {77, "R16G16", halves}, {84, "R16G16B16", halves}, {91, "R16G16B16A16", halves},
    {98, "R32", words}, {101, "R32G32", words}, {104, "R32G32B32", words},
    {107, "R32G32B32A32", words}, {110, "R64", words}, {113, "R64G64", words},
    {116, "R64G64B64", words}, {119, "R64G64B64A64", words}, {123, "E5B9G9R9", "UFLOAT"},
    {124, "D16", "UNORM"}, {125, "X8_D24", "UNORM"}, {126, "D32", "SFLOAT"}, {127, "S8", "UINT"},
    {128, "D16_UNORM_S8", "UINT"}, {129, "D24_UNORM_S8", "UINT"}, {130, "D32_SFLOAT_S8", "UINT"},
    {157, "ASTC_4x4", codes}, {159, "ASTC_5x4", codes}, {161, "ASTC_5x5", codes},
    {163, "ASTC_6x5", codes}, {165, "ASTC_6x6", codes}, {167, "ASTC_8x5", codes},
    {169, "ASTC_8x6", codes}, {171, "ASTC_8x8", codes}, {173, "ASTC_10x5", codes},
    {175, "ASTC_10x6", codes}, {177, "ASTC_10x8", codes}, {179, "ASTC_10x10", codes},
    {181, "ASTC_12x10", codes}, {183, "ASTC_12x12", codes},
    {1000054000, "PVRTC", "1_2BPP_UNORM 1_4BPP_UNORM 2_2BPP_UNORM 2_4BPP_UNORM "
                          "1_2BPP_SRGB 1_4BPP_SRGB 2_2BPP_SRGB 2_4BPP_SRGB"},
    {1000066000, "ASTC_SFLOAT", "4x4 5x4 5x5 6x5 6x6 8x5 8x6 8x8 10x5 10x6 10x8 10x10 12x10 12x12"},
    {1000340001, "A4B4G4R4", "UNORM"},
};

static const struct family dxgi[] = {
    {0, "UNKNOWN", ""}, {1, "R32G32B32A32", "TYPELESS FLOAT UINT SINT"},
    {5, "R32G32B32", "TYPELESS FLOAT UINT SINT"},
    {9, "R16G16B16A16", "TYPELESS FLOAT UNORM UINT SNORM SINT"},
    {15, "R32G32", "TYPELESS FLOAT UINT SINT"}, {19, "R32G8X24", "TYPELESS"},
    {20, "D32_FLOAT_S8X24", "UINT"}, {21, "R32_FLOAT_X8X24", "TYPELESS"},
    {22, "X32_TYPELESS_G8X24", "UINT"}, {23, "R10G10B10A2", "TYPELESS UNORM UINT"},
    {26, "R11G11B10", "FLOAT"}, {27, "R8G8B8A8", "TYPELESS UNORM UNORM_SRGB UINT SNORM SINT"},
    {33, "R16G16", "TYPELESS FLOAT UNORM UINT SNORM SINT"}, {39, "R32", "TYPELESS"},
    {40, "D32", "FLOAT"}, {41, "R32", "FLOAT UINT SINT"}, {44, "R24G8", "TYPELESS"},
    {45, "D24_UNORM_S8", "UINT"}, {46, "R24_UNORM_X8", "TYPELESS"}, {47, "X24_TYPELESS_G8", "UINT"},
    {48, "R8G8", "TYPELESS UNORM UINT SNORM SINT"}, {53, "R16", "TYPELESS FLOAT"},
    {55, "D16", "UNORM"}, {56, "R16", "UNORM UINT SNORM SINT"},
    {60, "R8", "TYPELESS UNORM UINT SNORM SINT"}, {66, "R1", "UNORM"},
    {67, "R9G9B9E5", "SHAREDEXP"},
    {68, "R8G8_B8G8", "UNORM"}, {69, "G8R8_G8B8", "UNORM"},
    {89, "R10G10B10_XR_BIAS_A2", "UNORM"}, {100, "AYUV", ""}, {101, "Y410", ""}, {102, "Y416", ""},
    {103, "NV12", ""}, {104, "P010", ""}, {105, "P016", ""}, {106, "420_OPAQUE", ""},
    {107, "YUY2", ""}, {108, "Y210", ""}, {109, "Y216", ""}, {110, "NV11", ""}, {111, "AI44", ""},
    {112, "IA44", ""}, {113, "P8", ""}, {114, "A8P8", ""}, {130, "P208", ""}, {131, "V208", ""},
    {132, "V408", ""},
};
// clang-format on

static const char *get_name(const struct family *families, size_t num_families, uint32_t number,
                            char name[WEIR_FORMAT_NAME_SIZE])
{
    size_t i = num_families - 1;
    while (families[i].first > number) { // the first number is 0
        i--;
    }
    const char *word = families[i].values;
    for (uint32_t skip = number - families[i].first; skip > 0 && word; skip--) {
        const char *space = strchr(word, ' ');
        word = space ? space + 1 : NULL;
    }
    if (word) {
        snprintf(name, WEIR_FORMAT_NAME_SIZE, "%s%s%.*s", families[i].channels,
                 word[0] != 0 ? "_" : "", (int)strcspn(word, " "), word);
    } else {
        snprintf(name, WEIR_FORMAT_NAME_SIZE, "number %u, which is in no list here", number);
    }
    return name;
}

const char *weir_vk_format_name(uint32_t format, char name[WEIR_FORMAT_NAME_SIZE])
{
    return get_name(vulkan, sizeof(vulkan) / sizeof(vulkan[0]), format, name);
}

const char *weir_dxgi_format_name(uint32_t format, char name[WEIR_FORMAT_NAME_SIZE])
{
    return get_name(dxgi, sizeof(dxgi) / sizeof(dxgi[0]), format, name);
}
