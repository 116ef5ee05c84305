// SPDX-License-Identifier: MIT
// sample_palette: the scene in 4 to 256 colours, chosen anew for each frame or kept.
//
// The calls of <weir/palette.h> are in posterize.c. The order of a frame is in record() below.
// samples/scene has the scene, and samples/common the window and the recording.
#include <stdio.h>

#include "keys.h"
#include "posterize.h"
#include "renderer.h"
#include "screen.h"
#include "shaders.h"

static const char help_before[] =
    "Usage: sample_palette [OPTION]...\n"
    "Renders an animated scene in few colours, which Weir chooses and maps on the\n"
    "GPU, in the command buffer of the frame. At the end it prints the GPU time of\n"
    "each pass.\n"
    "\n"
    "  --colors N             at most N colours, 4 to 256 (default 16)\n"
    "  --method k_means|mean_shift\n"
    "                         mean_shift merges colours within a radius, which is\n"
    "                         chosen for about N colours (default k_means)\n"
    "  --dither none|ordered|blue_noise\n"
    "                         dither of k_means (default blue_noise)\n"
    "  --keep                 with k_means, keep the colours of the first frame; else\n"
    "                         each frame has its own\n"
    "  --live                 with k_means, without dither: colours follow from frame\n"
    "                         to frame, in a fraction of the time\n"
    "  --no-strip             do not show the row of colours below the picture\n";

static const char help_keys[] =
    "  + -                    number of colours\n"
    "  D, M                   dither; method\n"
    "  K                      keep the colours as they are\n"
    "  L                      let the colours follow from frame to frame\n"
    "  S                      show or hide the row of colours\n";

static const char help_example[] =
    "a picture in eight colours without a window\n"
    "  sample_palette --headless --frames 5 --colors 8 --picture palette.png\n";

// The colours of a picture, found on the GPU, in a row from dark to light. The shaders use the same
// numbers.
enum { TABLE_SIDE = 64, ROW_WIDTH = 256 };

struct strip {
    struct gpu *gpu;
    struct pass find, sort;
    struct gpu_image table;  // a hash table of the colours that were found
    struct gpu_image colors; // the row: 256 texels, in which each colour has about as many
};

static bool strip_init(struct gpu *gpu, struct strip *strip)
{
    *strip = (struct strip){.gpu = gpu};
    const struct pass_params find = {
        .code = SHADER(strip_find_comp), .num_textures = 1, .num_images = 1};
    const struct pass_params sort = {.code = SHADER(strip_sort_comp), .num_images = 2};
    const struct weir_image_params table = {.format = VK_FORMAT_R32_UINT,
                                            .width = TABLE_SIDE,
                                            .height = TABLE_SIDE,
                                            .usage = VK_IMAGE_USAGE_STORAGE_BIT |
                                                     VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    return pass_init(gpu, &find, &strip->find) && pass_init(gpu, &sort, &strip->sort) &&
           gpu_image_init(gpu, &table, 0, &strip->table) &&
           gpu_texture_init(gpu, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_STORAGE_BIT,
                            (VkExtent2D){ROW_WIDTH, 1}, 1, &strip->colors);
}

// Record the row of the picture, in VK_IMAGE_LAYOUT_GENERAL, which compute shaders have written.
// The row can then be read by fragment shaders, in that layout too.
static void strip_record(const struct strip *strip, VkCommandBuffer cmd,
                         const struct gpu_image *picture)
{
    const VkImageView find[] = {picture->view, strip->table.view};
    const VkImageView sort[] = {strip->table.view, strip->colors.view};
    const VkClearColorValue zero = {.uint32 = {0}};
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const weir_gpu *work = strip->gpu->work;
    const struct weir_gpu_scope used = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT, 0};
    const struct weir_gpu_scope cleared = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                           VK_ACCESS_TRANSFER_WRITE_BIT, 0};
    gpu_image_discard(strip->gpu, &strip->table, cmd);
    gpu_image_discard(strip->gpu, &strip->colors, cmd);
    weir_cmd_barrier(work, cmd, NULL, used, cleared);
    vkCmdClearColorImage(cmd, strip->table.params.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &all);
    weir_cmd_barrier(work, cmd, NULL, cleared, used);
    pass_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    pass_run(&strip->find, cmd, (struct bindings){find, NULL, NULL}, picture->params.width,
             picture->params.height, 1);
    pass_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    pass_run(&strip->sort, cmd, (struct bindings){sort, NULL, NULL}, 8, 8, 1); // one workgroup
    pass_barrier(cmd, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
}

struct state {
    struct gpu *gpu;
    struct settings settings;
    struct renderer renderer;
    struct posterize posterize;
    struct strip strip;
    struct screen screen;
    struct gpu_image scene;  // as it is rendered, sRGB
    struct gpu_image result; // in few colours, sRGB codes
};

static bool start(void *user, struct gpu *gpu, const struct sample_images *images)
{
    struct state *state = user;
    state->gpu = gpu;
    const struct renderer_params scene = {
        .images = {VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                   images->num_slots},
        .light = {.daylight = 1.0f},
    };
    const struct pass_params screen = {
        .code = SHADER(show_frag), .num_textures = 2, .constants_size = sizeof(int32_t)};
    return renderer_init(gpu, &scene, &state->renderer) &&
           posterize_init(gpu, scene.images.format, &state->posterize) &&
           strip_init(gpu, &state->strip) && screen_init(gpu, images, screen, &state->screen);
}

static bool resize(void *user, uint32_t width, uint32_t height)
{
    struct state *state = user;
    struct gpu *gpu = state->gpu;
    const VkExtent2D size = {width, height};
    if (!gpu_texture_init(gpu, state->renderer.params.images.format,
                          VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, size, 1, &state->scene) ||
        !gpu_texture_init(gpu, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_STORAGE_BIT, size, 1,
                          &state->result)) {
        return false;
    }
    state->posterize.source = state->scene.weir;
    state->posterize.result = state->result.weir;
    return renderer_resize(&state->renderer, width, height);
}

static bool record(void *user, VkCommandBuffer cmd, const struct picture *picture)
{
    struct state *state = user;
    struct timing *timing = picture->timing;
    const uint32_t height = state->result.params.height;
    const uint32_t strip_height = state->settings.no_strip ? 0 : height / 15;
    const int32_t top = (int32_t)(height - strip_height);

    renderer_record(&state->renderer, cmd, &state->scene, picture);
    renderer_end(&state->renderer, cmd);
    gpu_image_discard(state->gpu, &state->result, cmd);
    timing_mark(timing, cmd, "scene");

    if (!posterize_record(&state->posterize, &state->settings, cmd, timing)) {
        return false;
    }
    strip_record(&state->strip, cmd, &state->result);
    timing_mark(timing, cmd, "strip");
    const VkImageView textures[] = {state->result.view, state->strip.colors.view};
    screen_record(&state->screen, cmd, picture->image, textures, &top);
    timing_mark(timing, cmd, "show");
    return true;
}

// The eye sees ratios of numbers: a step is a quarter of what there is, and at least one.
static uint32_t step(uint32_t num_colors, bool more)
{
    const uint32_t by = num_colors / 4 > 1 ? num_colors / 4 : 1;
    const uint32_t next = more ? num_colors + by : num_colors - by;
    return next < SETTINGS_MIN_COLORS           ? SETTINGS_MIN_COLORS
           : next > WEIR_PALETTE_MAX_NUM_COLORS ? WEIR_PALETTE_MAX_NUM_COLORS
                                                : next;
}

static void press(void *user, int glfw_key)
{
    struct settings *settings = &((struct state *)user)->settings;
    const int more = keys_plus_minus(glfw_key);
    if (more != 0) {
        settings->num_colors = step(settings->num_colors, more > 0);
    }
    if (glfw_key == GLFW_KEY_D) {
        settings->dither = (settings->dither + 1) % (WEIR_PALETTE_DITHER_BLUE_NOISE + 1);
    }
    if (glfw_key == GLFW_KEY_M) {
        settings->method = settings->method == WEIR_PALETTE_METHOD_K_MEANS
                               ? WEIR_PALETTE_METHOD_MEAN_SHIFT
                               : WEIR_PALETTE_METHOD_K_MEANS;
    }
    settings->keep ^= glfw_key == GLFW_KEY_K;
    settings->live ^= glfw_key == GLFW_KEY_L;
    settings->no_strip ^= glfw_key == GLFW_KEY_S;
}

static void describe(void *user, char *text, size_t size)
{
    const struct state *state = user;
    const struct settings *settings = &state->settings;
    static const char *const dithers[] = {"no dither", "ordered dither", "blue noise"};
    char method[64];
    if (settings->method == WEIR_PALETTE_METHOD_K_MEANS) {
        snprintf(method, sizeof(method), "k-means, %s", dithers[settings_dither(settings)]);
    } else {
        snprintf(method, sizeof(method), "mean shift, radius %.3f",
                 (double)settings_radius(settings));
    }
    snprintf(text, size, " \u2014 %u colours \u2014 %s \u2014 %s",
             posterize_count(&state->posterize), method,
             settings_live(settings)   ? "live"
             : settings_keep(settings) ? "kept"
                                       : "of each frame");
}

int main(int argc, char **argv)
{
    static struct state state = {.settings = {
                                     .num_colors = 16,
                                     .method = WEIR_PALETTE_METHOD_K_MEANS,
                                     .dither = WEIR_PALETTE_DITHER_BLUE_NOISE,
                                 }};
    static const char *const methods[] = {"mean_shift", "k_means", NULL};
    static const char *const dithers[] = {"none", "ordered", "blue_noise", NULL};
    const struct argument own[] = {
        {"--colors", .number = &state.settings.num_colors, .min = SETTINGS_MIN_COLORS,
         .max = WEIR_PALETTE_MAX_NUM_COLORS},
        {"--method", .choice = &state.settings.method, .choices = methods},
        {"--dither", .choice = &state.settings.dither, .choices = dithers},
        {"--keep", .flag = &state.settings.keep},
        {"--live", .flag = &state.settings.live},
        {"--no-strip", .flag = &state.settings.no_strip},
    };
    struct sample sample = {
        SAMPLE_COMMAND_LINE("palette", own),
        SAMPLE_CALLS(&state),
        .title = "Weir palette",
        .features.shaderInt64 = VK_TRUE,
    };
    return sample_main(&sample, argc, argv);
}
