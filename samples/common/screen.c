// SPDX-License-Identifier: MIT
// A pass over the whole picture: a fragment shader makes the image that is shown of textures.
#include "screen.h"

#include "film.h"
#include "graphics.h"
#include "report.h"

static const uint32_t screen_vert[] =
#include "screen.vert.inc"
    ;

bool screen_init(const struct gpu *gpu, const struct sample_images *images,
                 const struct screen_params *params, struct screen *screen)
{
    const struct render_pass_params pass = {.color = images->format,
                                            .color_layout = images->final_layout};
    const struct bindings_params bindings = {
        .stages = VK_SHADER_STAGE_FRAGMENT_BIT,
        .num_textures = params->num_textures,
        .filter = params->filter,
        .constants_size = params->constants_size,
    };
    *screen = (struct screen){.gpu = gpu};
    if (!render_pass_init(gpu, &pass, &screen->pass) ||
        !bindings_init(gpu, &bindings, &screen->bindings)) {
        return false;
    }
    const enum film film = film_of(images->format);
    const VkSpecializationMapEntry entry = {0, 0, sizeof(film)};
    const VkSpecializationInfo constants = {1, &entry, sizeof(film), &film};
    const struct graphics_params graphics = {
        .vert = {screen_vert, sizeof(screen_vert)},
        .frag = {params->code, params->code_size},
        .constants = &constants,
        .layout = screen->bindings.layout,
        .pass = &screen->pass,
    };
    return graphics_init(gpu, &graphics, &screen->pipeline);
}

void screen_finish(struct screen *screen)
{
    if (!screen->gpu) {
        return;
    }
    vkDestroyPipeline(screen->gpu->device, screen->pipeline, NULL);
    bindings_finish(screen->gpu, &screen->bindings);
    render_pass_finish(screen->gpu, &screen->pass);
    *screen = (struct screen){0};
}

bool screen_resize(struct screen *screen, uint32_t width, uint32_t height,
                   const struct bindings_image *textures)
{
    screen->width = width;
    screen->height = height;
    return bindings_reset(screen->gpu, &screen->bindings) &&
           bindings_make_set(screen->gpu, &screen->bindings, textures, NULL, &screen->set);
}

bool screen_framebuffer(const struct screen *screen, VkImageView view, VkFramebuffer *out)
{
    return render_pass_framebuffer(screen->gpu, &screen->pass,
                                   &(struct render_pass_views){.color = view}, screen->width,
                                   screen->height, out);
}

void screen_record(const struct screen *screen, VkCommandBuffer cmd, VkFramebuffer framebuffer,
                   const void *constants)
{
    render_pass_begin(&screen->pass, cmd, framebuffer, screen->width, screen->height);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, screen->pipeline);
    bindings_use(&screen->bindings, cmd, screen->set, constants);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
}
