// SPDX-License-Identifier: MIT
// A pass over the whole picture: a fragment shader makes the image that is shown of textures.
#ifndef SAMPLE_SCREEN_H
#define SAMPLE_SCREEN_H

#include "bindings.h"
#include "render_pass.h"
#include "sample.h"

struct screen_params {
    const uint32_t *code;    // of the fragment shader; its constant 0 is enum film of film.h
    size_t code_size;        // [bytes]
    uint32_t num_textures;   // bindings 0, 1, ...; 1 .. BINDINGS_MAX
    uint32_t constants_size; // size of the push constants [bytes]
    VkFilter filter;         // of texels, and of levels
};

struct screen {
    const struct gpu *gpu;
    struct render_pass pass;
    struct bindings bindings;
    VkPipeline pipeline;
    VkDescriptorSet set;
    uint32_t width, height;
};

bool screen_init(const struct gpu *gpu, const struct sample_images *images,
                 const struct screen_params *params, struct screen *screen);
void screen_finish(struct screen *screen);

// Set the size of the pictures and the textures, as many as the params say. The GPU must not be
// using `screen` during this call or screen_finish().
bool screen_resize(struct screen *screen, uint32_t width, uint32_t height,
                   const struct bindings_image *textures);

// Make a framebuffer to which the pass draws.
bool screen_framebuffer(const struct screen *screen, VkImageView view, VkFramebuffer *out);

// Record the pass.
void screen_record(const struct screen *screen, VkCommandBuffer cmd, VkFramebuffer framebuffer,
                   const void *constants);

#endif
