// SPDX-License-Identifier: MIT
// A pass over the whole picture: a fragment shader makes the image that is shown of textures.
#include "screen.h"

#include "graphics.h"
#include "shaders.h"

enum film film_of(VkFormat format)
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

bool screen_init(struct gpu *gpu, const struct sample_images *images, struct pass_params params,
                 struct screen *screen)
{
    const struct shader code = params.code;
    params.code = (struct shader){0}; // no kernel
    params.stages = VK_SHADER_STAGE_FRAGMENT_BIT;
    *screen = (struct screen){.gpu = gpu, .final_layout = images->final_layout};
    if (!pass_init(gpu, &params, &screen->pass)) {
        return false;
    }
    const enum film film = film_of(images->format);
    const VkSpecializationMapEntry entry = {0, 0, sizeof(film)};
    const VkSpecializationInfo constants = {1, &entry, sizeof(film), &film};
    const struct graphics_params graphics = {
        .vert = SHADER(screen_vert),
        .frag = code,
        .constants = &constants,
        .layout = screen->pass.layout.layout,
        .color_format = images->format,
    };
    return graphics_init(gpu, &graphics, &screen->pass.pipeline);
}

void screen_record(const struct screen *screen, VkCommandBuffer cmd, const struct gpu_image *image,
                   const VkImageView *textures, const void *constants)
{
    const struct rendering rendering = {.color = image, .color_layout = screen->final_layout};
    rendering_begin(screen->gpu, cmd, &rendering);
    pass_use(&screen->pass, cmd, (struct bindings){textures, NULL, constants});
    vkCmdDraw(cmd, 3, 1, 0, 0);
    rendering_end(screen->gpu, cmd, &rendering);
}
