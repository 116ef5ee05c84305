// SPDX-License-Identifier: MIT
// The last pass of a sample: a fragment shader over the whole of the image that is shown.
#ifndef SAMPLE_SCREEN_H
#define SAMPLE_SCREEN_H

#include "gpu.h"
#include "sample.h"

#define SCREEN_MAX_TEXTURES 4

struct screen_params {
    // The shader. Its constant 0 is the film, as in shaders/film.glsl.
    const uint32_t *code;
    size_t code_size;        // [bytes]
    uint32_t num_textures;   // bindings 0, 1, ...; filtered, clamped at the edges
    uint32_t constants_size; // size of the push constants [bytes], 4 or more
};

struct screen {
    const struct gpu *gpu;
    struct screen_params params;
    VkRenderPass pass;
    VkSampler sampler;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    uint32_t width, height;
};

// The GPU must not be using the pass during any call but the last two.
bool screen_init(const struct gpu *gpu, const struct sample_images *images,
                 const struct screen_params *params, struct screen *screen);
void screen_finish(struct screen *screen);

// Set the size of the images that are shown.
void screen_resize(struct screen *screen, uint32_t width, uint32_t height);
// Set the textures, which are in VK_IMAGE_LAYOUT_GENERAL.
void screen_bind(const struct screen *screen, const VkImageView *views);

// Make a framebuffer to which the pass draws.
bool screen_framebuffer(const struct screen *screen, VkImageView view, VkFramebuffer *out);

// Record the pass, with these push constants.
void screen_record(const struct screen *screen, VkCommandBuffer cmd, VkFramebuffer framebuffer,
                   const void *constants);

#endif
