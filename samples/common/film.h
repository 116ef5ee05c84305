// SPDX-License-Identifier: MIT
// What a shader's light becomes in an image of a format: the constant 0 of shaders/film.glsl.
#ifndef SAMPLE_FILM_H
#define SAMPLE_FILM_H

#include <vulkan/vulkan_core.h>

enum film {
    FILM_LINEAR, // an sRGB image: what is displayed, in linear light, which the image encodes
    FILM_CODES,  // a UNORM image: what is displayed, as sRGB codes
    FILM_SCENE,  // a float image: the scene's light as it is, without an upper bound
};

static inline enum film film_of(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_B8G8R8A8_SRGB:
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
        return FILM_LINEAR;
    case VK_FORMAT_R16G16B16A16_SFLOAT:
        return FILM_SCENE;
    default:
        return FILM_CODES;
    }
}

#endif
