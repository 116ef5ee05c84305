// SPDX-License-Identifier: MIT
// A pass over the whole picture: a fragment shader makes the image that is shown of textures.
#pragma once

#include "pass.h"
#include "sample.h"

// The form in which shaders write light to an image, by its format. It is the specialization
// constant 0 of shaders/film.glsl.
enum film {
    FILM_LINEAR, // for sRGB images: displayed light, linear; the image encodes it
    FILM_CODES,  // for UNORM images: displayed light, as sRGB codes
    FILM_SCENE,  // for float images: the scene's light, without an upper bound
};

enum film film_of(VkFormat format);

struct screen {
    const struct gpu *gpu;
    VkImageLayout final_layout; // of the images
    struct pass pass;
};

// Make the pass of a fragment shader, `params.code`, whose constant 0 is enum film. The stages are
// not read. The device owns the pass.
bool screen_init(struct gpu *gpu, const struct sample_images *images, struct pass_params params,
                 struct screen *screen);

// Record the pass, with as many textures as the params say.
void screen_record(const struct screen *screen, VkCommandBuffer cmd, const struct gpu_image *image,
                   const VkImageView *textures, const void *constants);
