// SPDX-License-Identifier: MIT
// The scene's light as an image that effects read, and the last pass, which shows it.
#include "hdr.h"

#include "shaders.h"

bool hdr_resize(struct renderer *renderer, VkImageUsageFlags usage, uint32_t width, uint32_t height,
                struct gpu_image *light)
{
    return renderer_resize(renderer, width, height) &&
           gpu_texture_init(renderer->gpu, HDR_FORMAT, usage | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                            (VkExtent2D){width, height}, 1, light);
}

struct constants {
    float strength, exposure;
    int32_t adapts;
};

bool hdr_show_init(struct gpu *gpu, const struct sample_images *images, struct screen *screen)
{
    const struct pass_params params = {
        .code = SHADER(combine_frag),
        .num_textures = 3,
        .constants_size = sizeof(struct constants),
    };
    return screen_init(gpu, images, params, screen);
}

void hdr_show(const struct screen *screen, VkCommandBuffer cmd, const struct gpu_image *image,
              const struct hdr_light *light)
{
    const VkImageView textures[] = {light->scene, light->added,
                                    light->stops ? light->stops : light->scene};
    const struct constants constants = {light->strength, light->exposure,
                                        light->stops != VK_NULL_HANDLE};
    screen_record(screen, cmd, image, textures, &constants);
}
