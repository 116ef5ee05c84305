// SPDX-License-Identifier: MIT
// sample_palette: the scene in 4 to 256 colours, chosen anew for each frame or kept.
//
// The calls of <weir/palette.h> are in posterize.c. The order of a frame is in record() below.
// samples/scene has the scene, and samples/common the window and the recording.
#include <stdio.h>

#include "posterize.h"
#include "renderer.h"
#include "screen.h"
#include "settings.h"
#include "shaders.h"
#include "strip.h"
#include "timing.h"

struct state {
    const struct gpu *gpu;
    struct settings settings;
    struct renderer renderer;
    struct posterize posterize;
    struct strip strip;
    struct screen screen;
    struct timing timing;
    struct gpu_image scene;  // as it is rendered, sRGB
    struct gpu_image result; // in few colours, sRGB codes
};

static bool start(void *user, const struct gpu *gpu, const struct sample_images *images)
{
    struct state *state = user;
    state->gpu = gpu;
    const struct renderer_params scene = {
        .images = {VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                   images->num_slots},
        .light = {.daylight = 1.0f},
    };
    const struct screen_params screen = {.code = SHADER(show_frag),
                                         .num_textures = 2,
                                         .constants_size = sizeof(int32_t),
                                         .filter = VK_FILTER_LINEAR};
    return renderer_init(gpu, &scene, &state->renderer) &&
           posterize_init(gpu, scene.images.format, &state->posterize) &&
           strip_init(gpu, &state->strip) && screen_init(gpu, images, &screen, &state->screen) &&
           timing_init(gpu, &state->timing);
}

static void drop_pictures(struct state *state)
{
    gpu_image_finish(state->gpu, &state->scene);
    gpu_image_finish(state->gpu, &state->result);
}

static void finish(void *user)
{
    struct state *state = user;
    if (!state->gpu) {
        return;
    }
    timing_print(&state->timing);
    timing_finish(&state->timing);
    screen_finish(&state->screen);
    strip_finish(&state->strip);
    posterize_finish(&state->posterize);
    drop_pictures(state);
    renderer_finish(&state->renderer);
    state->gpu = NULL;
}

static bool resize(void *user, uint32_t width, uint32_t height)
{
    struct state *state = user;
    const struct gpu *gpu = state->gpu;
    struct weir_image_params picture = {.format = state->renderer.params.images.format,
                                        .width = width,
                                        .height = height,
                                        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                 VK_IMAGE_USAGE_SAMPLED_BIT};
    drop_pictures(state);
    if (!gpu_image_init(gpu, &picture, 0, &state->scene)) {
        return false;
    }
    picture.format = VK_FORMAT_R8G8B8A8_UNORM;
    picture.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    if (!gpu_image_init(gpu, &picture, 0, &state->result) ||
        !renderer_resize(&state->renderer, width, height) ||
        !strip_bind(&state->strip, state->result.view)) {
        return false;
    }
    state->posterize.source = state->scene.weir;
    state->posterize.result = state->result.weir;
    const struct bindings_image textures[] = {{.view = state->result.view},
                                              {.view = state->strip.colors.view}};
    return screen_resize(&state->screen, width, height, textures);
}

static bool record(void *user, uint32_t slot, VkCommandBuffer cmd, const struct picture *picture)
{
    struct state *state = user;
    struct timing *timing = &state->timing;
    const uint32_t width = state->screen.width, height = state->screen.height;
    const uint32_t strip_height = state->settings.no_strip ? 0 : height / 15;
    const int32_t top = (int32_t)(height - strip_height);

    timing_begin(timing, slot, cmd, picture->progress);
    renderer_record(&state->renderer, slot, cmd,
                    &(struct picture){&state->scene, picture->number, picture->seconds, NULL});
    renderer_end(&state->renderer, cmd);
    gpu_image_discard(state->gpu, &state->result, cmd);
    timing_mark(timing, cmd, "scene");

    if (!posterize_record(&state->posterize, &state->settings, cmd, timing)) {
        return false;
    }
    strip_record(&state->strip, cmd, width, height);
    timing_mark(timing, cmd, "strip");
    screen_record(&state->screen, cmd, picture->image, &top);
    timing_mark(timing, cmd, "show");
    return true;
}

static void press(void *user, int glfw_key)
{
    struct state *state = user;
    settings_press(&state->settings, glfw_key);
}

static void describe(void *user, char *text, size_t size)
{
    const struct state *state = user;
    int length = 0;
    if (state->timing.frame_ms > 0.0f) {
        length = snprintf(text, size, ", GPU %.2f ms", (double)state->timing.frame_ms);
    }
    length += snprintf(text + length, size - (size_t)length, " \u2014 ");
    settings_describe(&state->settings, posterize_count(&state->posterize), text + length,
                      size - (size_t)length);
}

int main(int argc, char **argv)
{
    static struct state state;
    const struct sample sample = {
        .title = "Weir palette",
        .features = {.shaderInt64 = VK_TRUE, .shaderStorageImageWriteWithoutFormat = VK_TRUE},
        .state = &state,
        .start = start,
        .finish = finish,
        .resize = resize,
        .record = record,
        .press = press,
        .describe = describe,
    };
    state.settings = settings_default;
    return settings_run(&sample, argc, argv, &state.settings);
}
