// SPDX-License-Identifier: MIT
// sample_bloom: bloom, depth of field and exposure from mip pyramids, in the renderer's own command
// buffer.
//
// Read effects.c: it has all calls of <weir/pyramid.h>. Below is the order of a frame, and
// shaders/bloom_pyramid.comp is a custom reduction. The window and the recording are in
// samples/common.
#include <math.h>
#include <stdio.h>

#include "effects.h"
#include "keys.h"

static const float max_strength = 3.0f, min_focus = 1.0f, max_focus = 60.0f, max_stops = 6.0f;
static const char *const taps_names[] = {"13", "4", NULL};

static const char help_before[] =
    "Usage: sample_bloom [OPTION]...\n"
    "Renders an animated scene at night with bloom, depth of field and an adapting\n"
    "exposure, from mip pyramids in the command buffer of the frame. At the end it\n"
    "prints the GPU time of each pass.\n"
    "\n"
    "  --no-bloom, --no-dof, --no-adapt\n"
    "                         begin with an effect switched off\n"
    "  --strength S           strength of the bloom, 0 to 3 (default 1.5)\n"
    "  --taps 13|4            taps of each texel of the bloom's levels (default 13: a\n"
    "                         dispatch a level; 4: one dispatch, a Weir pyramid)\n"
    "  --focus D              distance that is in focus, 1 to 60 (default 8.2)\n"
    "  --exposure E           stops added to the exposure, -6 to 6 (default 0)\n"
    "  --light E              stops added to the scene's light, -6 to 6 (default 0)\n"
    "  --light-from S         change the light at this second, 0 to 3600 (default 0)\n";

static const char help_keys[] =
    "  B, + -, T              bloom on or off; its strength; its taps\n"
    "  D                      depth of field on or off\n"
    "  F G, left right        focus nearer or farther\n"
    "  A, up down             adaptation on or off; exposure\n"
    "  L                      the scene's light down by three stops, or back\n";

static const char help_example[] =
    "a picture without a window\n"
    "  sample_bloom --headless --frames 30 --focus 5 --picture bloom.png\n";

enum taps { TAPS_13, TAPS_4 };

struct settings {
    bool no_bloom, no_dof, no_adapt;
    int taps;       // enum taps, of the levels of the bloom on the way down
    bool is_dimmed; // the scene has three stops less light
    float strength; // factor of the bloom's light, 0 .. 3
    float exposure; // [stops], beside what adapts
    float light;    // the scene's light [stops], from `light_from` on [s]
    float light_from;
    float focus; // distance at which the picture is sharp [units of the scene]
};

struct frame {
    struct settings settings;
    struct hdr hdr;
    struct effects effects;
};

// The scene is shown at night, so that its lights stand out.
static const struct scene_light night = {.daylight = 0.30f, .lamplight = 1.0f};

static bool start(void *state, struct gpu *gpu, const struct sample_images *images)
{
    struct frame *frame = state;
    return hdr_init(gpu, images, night, false, &frame->hdr) &&
           effects_init(gpu, frame->hdr.renderer.depth_format, &frame->effects);
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    struct frame *frame = state;
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_STORAGE_BIT; // depth of field works in place
    return hdr_resize(&frame->hdr, usage, width, height) &&
           effects_resize(&frame->effects, &frame->hdr.light, &frame->hdr.renderer.depth_texture);
}

// Get the factor of the scene's light at a time of the scene.
static float light_at(const struct settings *settings, double seconds)
{
    return exp2f((seconds >= (double)settings->light_from ? settings->light : 0.0f) -
                 (settings->is_dimmed ? 3.0f : 0.0f));
}

// The light is out of focus before it is scattered in the lens, and exposed last.
static bool record(void *state, VkCommandBuffer cmd, const struct picture *picture)
{
    struct frame *frame = state;
    const struct settings *settings = &frame->settings;
    struct effects *effects = &frame->effects;
    struct timing *timing = picture->timing;
    struct scene_light *light = &frame->hdr.renderer.scene.light;
    light->daylight = night.daylight * light_at(settings, picture->seconds);
    light->lamplight = night.lamplight * light_at(settings, picture->seconds);
    effects_discard(effects, cmd);
    hdr_record(&frame->hdr, cmd, picture);
    const bool ok = (settings->no_dof || effects_focus(effects, cmd, timing, settings->focus)) &&
                    (settings->no_bloom ||
                     effects_bloom(effects, cmd, timing, settings->taps == TAPS_4)) &&
                    (settings->no_adapt || effects_expose(effects, cmd, timing, picture->seconds));
    const struct hdr_effect effect = {
        .added = effects->images[IMAGE_GLOW].views[0],
        .stops = settings->no_adapt ? VK_NULL_HANDLE : effects->images[IMAGE_STOPS].view,
        .strength = settings->no_bloom ? 0.0f : settings->strength,
        .exposure = settings->exposure,
    };
    hdr_show(&frame->hdr, cmd, picture, &effect);
    return ok;
}

static void press(void *state, int glfw_key)
{
    struct settings *settings = &((struct frame *)state)->settings;
    const float strength = (float)keys_plus_minus(glfw_key), stops = (float)keys_up_down(glfw_key);
    const float focus = (float)(keys_step(glfw_key, GLFW_KEY_G, GLFW_KEY_F) +
                                keys_step(glfw_key, GLFW_KEY_RIGHT, GLFW_KEY_LEFT));
    settings->no_bloom ^= glfw_key == GLFW_KEY_B;
    settings->taps ^= glfw_key == GLFW_KEY_T;
    settings->no_dof ^= glfw_key == GLFW_KEY_D;
    settings->no_adapt ^= glfw_key == GLFW_KEY_A;
    settings->is_dimmed ^= glfw_key == GLFW_KEY_L;
    settings->strength = keys_clamp(settings->strength + 0.1f * strength, 0.0f, max_strength);
    settings->exposure = keys_clamp(settings->exposure + 0.25f * stops, -max_stops, max_stops);
    // A ratio, because the eye sees ratios of distances.
    settings->focus = keys_clamp(settings->focus * powf(1.05f, focus), min_focus, max_focus);
}

static void describe(void *state, char *text, size_t size)
{
    const struct frame *frame = state;
    const struct settings *settings = &frame->settings;
    snprintf(text, size,
             " \u2014 bloom %s %.1f by %s taps \u2014 depth of field %s %.1f \u2014 %+.2f stops%s",
             settings->no_bloom ? "off" : "on", (double)settings->strength,
             taps_names[settings->taps], settings->no_dof ? "off" : "on", (double)settings->focus,
             (double)settings->exposure, settings->no_adapt ? "" : ", adapts");
}

int main(int argc, char **argv)
{
    static struct frame frame = {.settings = {.strength = 1.5f, .focus = 8.2f}};
    struct settings *settings = &frame.settings;
    const struct argument own[] = {
        {"--no-bloom", .flag = &settings->no_bloom},
        {"--no-dof", .flag = &settings->no_dof},
        {"--no-adapt", .flag = &settings->no_adapt},
        {"--strength", .real = &settings->strength, .max = max_strength},
        {"--taps", .choice = &settings->taps, .choices = taps_names},
        {"--focus", .real = &settings->focus, .min = min_focus, .max = max_focus},
        {"--exposure", .real = &settings->exposure, .min = -max_stops, .max = max_stops},
        {"--light", .real = &settings->light, .min = -max_stops, .max = max_stops},
        {"--light-from", .real = &settings->light_from, .max = 3600},
    };
    struct sample sample = {
        SAMPLE_COMMAND_LINE("bloom", own),
        SAMPLE_CALLS(&frame),
        .title = "Weir bloom",
    };
    return sample_main(&sample, argc, argv);
}
