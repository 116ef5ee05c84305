// SPDX-License-Identifier: MIT
// The last pass of effects: light and what an effect adds to it.
#include "combine.h"

static const uint32_t shader[] =
#include "combine.frag.inc"
    ;

struct constants {
    float strength, exposure;
    int32_t adapts;
};

bool combine_init(const struct gpu *gpu, const struct sample_images *images, struct screen *screen)
{
    const struct screen_params params = {
        .code = shader,
        .code_size = sizeof(shader),
        .num_textures = 3,
        .constants_size = sizeof(struct constants),
        .filter = VK_FILTER_LINEAR,
    };
    return screen_init(gpu, images, &params, screen);
}

bool combine_resize(struct screen *screen, VkImageView hdr, VkImageView added, VkImageView stops,
                    uint32_t width, uint32_t height)
{
    const struct bindings_image textures[] = {
        {.view = hdr}, {.view = added}, {.view = stops ? stops : hdr}};
    return screen_resize(screen, width, height, textures);
}

void combine_record(const struct screen *screen, VkCommandBuffer cmd, VkFramebuffer framebuffer,
                    float strength, float exposure, bool adapts)
{
    screen_record(screen, cmd, framebuffer, &(const struct constants){strength, exposure, adapts});
}
