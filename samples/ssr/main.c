// SPDX-License-Identifier: MIT
// sample_ssr: screen-space reflections, traced and blurred by Weir's pyramids.
//
// The calls of <weir/pyramid.h> are in ssr.c, the march through the pyramid of depths in
// shaders/trace.comp, and the look-up of light in shaders/resolve.comp. Below is the order of a
// frame. samples/scene has the scene, and samples/common the window and the recording.
#include <stdio.h>

#include "keys.h"
#include "ssr.h"

static const char help_before[] =
    "Usage: sample_ssr [OPTION]...\n"
    "Renders an animated scene at night, whose floor reflects what is on the screen:\n"
    "rays are traced in a pyramid of nearest depths, and reflections are blurred by\n"
    "a pyramid of colours. At the end it prints the GPU time of each pass.\n"
    "\n"
    "  --roughness R          roughness of the floor, 0 (a mirror) to 1 (default\n"
    "                         0.15)\n"
    "  --no-reflections       begin with a floor that reflects only the sky\n"
    "  --linear               begin with rays that march texel by texel, without the\n"
    "                         pyramid\n"
    "  --steps                begin with the steps of each ray as colours, from blue\n"
    "                         (4 or fewer) to red (512 or more)\n"
    "  --exposure E           stops added to the exposure, -6 to 6 (default 0)\n";

static const char help_keys[] = "  S, + -                 reflections on or off; roughness\n"
                                "  L                      march texel by texel, or by the pyramid\n"
                                "  H                      show the steps of rays\n"
                                "  up down                exposure\n";

static const char help_example[] =
    "a picture without a window\n"
    "  sample_ssr --headless --frames 30 --roughness 0.1 --picture ssr.png\n";

static const float max_stops = 6.0f;

struct frame {
    struct ssr_settings settings;
    float exposure; // [stops]
    struct hdr hdr;
    struct ssr ssr;
};

// The scene is shown at night, so that its lights stand out.
static const struct scene_light night = {.daylight = 0.20f, .lamplight = 0.5f, .no_pool = true};

static bool start(void *state, struct gpu *gpu, const struct sample_images *images)
{
    struct frame *frame = state;
    return hdr_init(gpu, images, night, true, &frame->hdr) &&
           ssr_init(gpu, frame->hdr.renderer.depth_format, &frame->ssr);
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    struct frame *frame = state;
    return hdr_resize(&frame->hdr, 0, width, height) &&
           ssr_resize(&frame->ssr, &frame->hdr.light, &frame->hdr.renderer.depth_texture);
}

static bool record(void *state, VkCommandBuffer cmd, const struct picture *picture)
{
    struct frame *frame = state;
    hdr_record(&frame->hdr, cmd, picture);
    if (!ssr_record(&frame->ssr, cmd, &frame->hdr.renderer.scene.view, &frame->settings,
                    picture->timing)) {
        return false;
    }
    const struct hdr_effect effect = {
        .added = frame->ssr.reflection.view, .strength = 1.0f, .exposure = frame->exposure};
    hdr_show(&frame->hdr, cmd, picture, &effect);
    return true;
}

static void press(void *state, int glfw_key)
{
    struct frame *frame = state;
    struct ssr_settings *settings = &frame->settings;
    settings->no_reflections ^= glfw_key == GLFW_KEY_S;
    settings->linear ^= glfw_key == GLFW_KEY_L;
    settings->shows_steps ^= glfw_key == GLFW_KEY_H;
    settings->roughness = keys_clamp(settings->roughness + 0.05f * (float)keys_plus_minus(glfw_key),
                                     0.0f, 1.0f);
    frame->exposure = keys_clamp(frame->exposure + 0.25f * (float)keys_up_down(glfw_key),
                                 -max_stops, max_stops);
}

static void describe(void *state, char *text, size_t size)
{
    const struct frame *frame = state;
    const struct ssr_settings *settings = &frame->settings;
    snprintf(text, size,
             " \u2014 reflections %s \u2014 %s%s \u2014 roughness %.2f \u2014 %+.2f stops",
             settings->no_reflections ? "off" : "on",
             settings->linear ? "texel by texel" : "by the pyramid",
             settings->shows_steps ? ", steps" : "", (double)settings->roughness,
             (double)frame->exposure);
}

int main(int argc, char **argv)
{
    static struct frame frame = {.settings.roughness = 0.15f};
    struct ssr_settings *settings = &frame.settings;
    const struct argument own[] = {
        {"--roughness", .real = &settings->roughness, .max = 1},
        {"--no-reflections", .flag = &settings->no_reflections},
        {"--linear", .flag = &settings->linear},
        {"--steps", .flag = &settings->shows_steps},
        {"--exposure", .real = &frame.exposure, .min = -max_stops, .max = max_stops},
    };
    struct sample sample = {
        SAMPLE_COMMAND_LINE("ssr", own),
        SAMPLE_CALLS(&frame),
        .title = "Weir reflections",
    };
    return sample_main(&sample, argc, argv);
}
