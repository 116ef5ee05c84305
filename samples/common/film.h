// SPDX-License-Identifier: MIT
// The form in which shaders write light to an image, by its format. It is the specialization
// constant 0 of shaders/film.glsl.
#ifndef SAMPLE_FILM_H
#define SAMPLE_FILM_H

#include <vulkan/vulkan_core.h>

enum film {
    FILM_LINEAR, // for sRGB images: displayed light, linear; the image encodes it
    FILM_CODES,  // for UNORM images: displayed light, as sRGB codes
    FILM_SCENE,  // for float images: the scene's light, without an upper bound
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
