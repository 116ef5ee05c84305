// SPDX-License-Identifier: MIT
// sample_mips: a viewer of mip pyramids, by every method and reduction that Weir has.
//
// The calls of <weir/pyramid.h> are in mips.c. The order of a frame is in record() below.
// samples/common has the window and the recording, which all samples share.
#include <math.h>
#include <stdio.h>

#include "mips.h"
#include "report.h"
#include "screen.h"
#include "settings.h"
#include "shaders.h"
#include "timing.h"

static const char help_before[] =
    "Usage: sample_mips [OPTION]...\n"
    "Shows the mip levels of a picture, which Weir computes again in each frame, and\n"
    "their difference from exact means. At the end it prints the GPU time of each\n"
    "pass.\n"
    "\n"
    "  --input FILE.png       the picture (default: a zone plate, with rings as fine\n"
    "                         as texels)\n"
    "  --level N              the level to show, 0 to 31, at most the last (default\n"
    "                         2)\n"
    "  --view flat|split|difference|plane\n"
    "                         the level; two methods side by side; 16 times the\n"
    "                         difference from exact means; or a plane to the horizon,\n"
    "                         with a colour for each level (default flat)\n"
    "  --method NAME          auto, single, hybrid, fast, general, subgroup,\n"
    "                         per_level or blit (default single)\n"
    "  --other NAME           the method of the right half of --view split (default\n"
    "                         blit)\n"
    "  --reduction NAME       mean, alpha_mean, min, max, min_max or luma_mean\n"
    "                         (default mean)\n"
    "  --codes                average sRGB codes, as for data such as normals; else\n"
    "                         linear light\n";

static const char help_keys[] = "  up down                level\n"
                                "  M, N                   method; method of the right half\n"
                                "  F                      reduction\n"
                                "  S, D, T                split; difference; plane\n"
                                "  C                      average codes or linear light\n";

static const char help_example[] =
    "a blit and a picture with odd sides, without a window\n"
    "  sample_mips --headless --frames 1 --size 641x359 --level 3 --view split \\\n"
    "    --picture mips.png\n";

// The exact means: the same levels in 32-bit floats, by a kernel that does as the definition says.
struct exact {
    struct gpu *gpu;
    struct pass mean;
    struct gpu_image levels; // level k is as large as level k + 1 of the picture
};

static bool exact_init(struct gpu *gpu, struct exact *exact)
{
    *exact = (struct exact){.gpu = gpu};
    const struct pass_params mean = {
        .code = SHADER(exact_comp), .num_textures = 1, .num_images = 1};
    return pass_init(gpu, &mean, &exact->mean);
}

static bool exact_make(struct exact *exact, uint32_t width, uint32_t height)
{
    return gpu_texture_init(exact->gpu, VK_FORMAT_R32G32B32A32_SFLOAT, VK_IMAGE_USAGE_STORAGE_BIT,
                            weir_pyramid_level_extent(width, height, 1), UINT32_MAX,
                            &exact->levels);
}

// Record the means of a level of the picture, 1 or more, of which `level0` is the first. Both are
// in VK_IMAGE_LAYOUT_GENERAL. Fragment shaders can then read them. Each frame begins with
// gpu_image_discard() of the levels.
static void exact_record(const struct exact *exact, VkCommandBuffer cmd, VkImageView level0,
                         uint32_t level)
{
    const struct weir_image_params *params = &exact->levels.params;
    const VkImageView *levels = exact->levels.views;
    for (uint32_t k = 0; k < level && k < params->levels; ++k) {
        const VkExtent2D size = weir_pyramid_level_extent(params->width, params->height, k);
        const VkImageView views[] = {k > 0 ? levels[k - 1] : level0, levels[k]};
        pass_run(&exact->mean, cmd, (struct bindings){views, NULL, NULL}, size.width, size.height,
                 1);
        pass_barrier(cmd,
                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
    }
}

struct viewer {
    struct gpu *gpu;
    struct settings settings;
    bool is_running; // a frame was recorded
    struct input input;
    struct mips mips[2]; // by the methods of the settings
    struct exact exact;
    struct screen screen;
    uint32_t width, height; // of the window
    uint32_t num_kept;      // objects of the device that stay when another method is chosen
};

// As in shaders/show.frag.
struct show_constants {
    float window[2];          // [texels]
    float origin[2], size[2]; // where the picture lies in the window [texels]
    int32_t view, level, num_levels;
    uint32_t codes;
    float seconds;
};

static bool start(void *state, struct gpu *gpu, const struct sample_images *images)
{
    struct viewer *viewer = state;
    const struct pass_params screen = {.code = SHADER(show_frag),
                                       .num_textures = 3,
                                       .constants_size = sizeof(struct show_constants)};
    const uint32_t limit = gpu->properties.limits.maxImageDimension2D;
    const uint32_t most = 1u << (GPU_MAX_LEVELS - 1);
    viewer->gpu = gpu;
    return (!viewer->settings.input ||
            input_read(gpu, viewer->settings.input, limit < most ? limit : most, &viewer->input)) &&
           exact_init(gpu, &viewer->exact) && screen_init(gpu, images, screen, &viewer->screen);
}

static struct mips_params wanted(const struct settings *settings, int i)
{
    return (struct mips_params){
        .method = settings->methods[i],
        .reduction = settings->reduction,
        .format = settings->codes ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_R8G8B8A8_SRGB,
    };
}

static bool is_made(const struct viewer *viewer, int i)
{
    const struct mips_params made = viewer->mips[i].params;
    const struct mips_params want = wanted(&viewer->settings, i);
    return viewer->mips[i].target && made.method == want.method &&
           made.reduction == want.reduction && made.format == want.format;
}

// Make the levels anew, while the GPU is idle.
static bool make(struct viewer *viewer)
{
    const uint32_t width = viewer->input.width, height = viewer->input.height;
    gpu_release(viewer->gpu, viewer->num_kept);
    bool ok = exact_make(&viewer->exact, width, height);
    for (int i = 0; ok && i < 2; ++i) {
        const struct mips_params params = wanted(&viewer->settings, i);
        ok = mips_init(viewer->gpu, &params, width, height, &viewer->mips[i]);
    }
    return ok;
}

// Make them by methods that do everything where those of the settings do not: another size came, or
// a key chose one that this device lacks. Of the command line the user hears that it does not work.
static bool make_anyhow(struct viewer *viewer)
{
    if (make(viewer)) {
        return true;
    }
    if (!viewer->is_running) {
        return false;
    }
    viewer->settings.methods[0] = WEIR_PYRAMID_SINGLE;
    viewer->settings.methods[1] = WEIR_PYRAMID_PER_LEVEL;
    return make(viewer);
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    struct viewer *viewer = state;
    viewer->width = width;
    viewer->height = height;
    if (!viewer->settings.input && !input_draw(viewer->gpu, width, height, &viewer->input)) {
        return false;
    }
    viewer->num_kept = viewer->gpu->num_owned;
    viewer->settings.width = viewer->input.width;
    viewer->settings.height = viewer->input.height;
    return make_anyhow(viewer);
}

// Lay the picture into the middle of the window, as large as it fits.
static struct show_constants place(const struct viewer *viewer, double seconds)
{
    const struct settings *settings = &viewer->settings;
    const float window[2] = {(float)viewer->width, (float)viewer->height};
    const float picture[2] = {(float)settings->width, (float)settings->height};
    const float scale = fminf(window[0] / picture[0], window[1] / picture[1]);
    const float size[2] = {scale * picture[0], scale * picture[1]};
    return (struct show_constants){
        .window = {window[0], window[1]},
        .origin = {floorf((window[0] - size[0]) / 2.0f), floorf((window[1] - size[1]) / 2.0f)},
        .size = {size[0], size[1]},
        .view = settings->view,
        .level = (int32_t)settings_level(settings),
        .num_levels = (int32_t)viewer->mips[0].levels.params.levels,
        .codes = settings->codes,
        .seconds = (float)seconds,
    };
}

static bool record(void *state, VkCommandBuffer cmd, const struct picture *picture)
{
    struct viewer *viewer = state;
    const enum view view = viewer->settings.view;
    struct timing *timing = picture->timing;
    // A key has chosen another method: frames in flight use what is to go.
    if ((!is_made(viewer, 0) || !is_made(viewer, 1)) &&
        (!vulkan_ok(gpu_wait_idle(viewer->gpu), "vkDeviceWaitIdle") || !make_anyhow(viewer))) {
        return false;
    }
    viewer->is_running = true;
    for (int i = 0; i < 2; ++i) {
        if (!viewer->mips[i].is_filled) {
            mips_fill(&viewer->mips[i], cmd, &viewer->input);
        }
    }
    gpu_image_discard(viewer->gpu, &viewer->exact.levels, cmd);

    if (!mips_record(&viewer->mips[0], cmd)) {
        return false;
    }
    timing_mark(timing, cmd, "pyramid");
    if (view == VIEW_SPLIT) {
        if (!mips_record(&viewer->mips[1], cmd)) {
            return false;
        }
        timing_mark(timing, cmd, "pyramid by the other method");
    }
    if (view == VIEW_DIFFERENCE) {
        exact_record(&viewer->exact, cmd, viewer->mips[0].levels.views[0],
                     settings_level(&viewer->settings));
        timing_mark(timing, cmd, "exact means");
    }
    const struct show_constants constants = place(viewer, picture->seconds);
    const VkImageView textures[] = {viewer->mips[0].levels.view, viewer->mips[1].levels.view,
                                    viewer->exact.levels.view};
    screen_record(&viewer->screen, cmd, picture->image, textures, &constants);
    timing_mark(timing, cmd, "show");
    return true;
}

static void press(void *state, int glfw_key)
{
    struct viewer *viewer = state;
    settings_press(&viewer->settings, glfw_key);
}

static void describe(void *state, char *text, size_t size)
{
    const struct viewer *viewer = state;
    const uint32_t num = weir_pyramid_target_get_num_dispatches(viewer->mips[0].target);
    const int length = snprintf(text, size, ", %u %s \u2014 ", num,
                                num == 1 ? "dispatch" : "dispatches");
    settings_describe(&viewer->settings, text + length, size - (size_t)length);
}

enum { NOT_CHOSEN = -1, MAX_NAMES = 15 };

static bool complete(void *user, struct options *options)
{
    struct settings *settings = user;
    (void)options;
    if (settings->methods[1] == NOT_CHOSEN) { // blits know no other reduction than the mean
        settings->methods[1] = settings->reduction == WEIR_PYRAMID_MEAN ? WEIR_PYRAMID_BLIT
                                                                        : WEIR_PYRAMID_PER_LEVEL;
    }
    return true;
}

int main(int argc, char **argv)
{
    static struct viewer viewer = {
        .settings = {.level = 2, .methods = {WEIR_PYRAMID_SINGLE, NOT_CHOSEN}}};
    struct settings *settings = &viewer.settings;
    const char *methods[MAX_NAMES + 1] = {0}, *reductions[MAX_NAMES + 1] = {0};
    size_t num_methods;
    const struct weir_pyramid_method_info *list = weir_pyramid_method_list(&num_methods);
    for (size_t i = 0; i < num_methods && i < MAX_NAMES; ++i) {
        methods[i] = list[i].name;
    }
    // All but that of a kernel of one's own, the last.
    for (int i = 0; i < WEIR_PYRAMID_CUSTOM; ++i) {
        reductions[i] = weir_pyramid_reduction_get_info((enum weir_pyramid_reduction)i)->name;
    }
    const struct argument own[] = {
        {"--input", .text = &settings->input},
        {"--level", .number = &settings->level, .max = 31},
        {"--view", .choice = &settings->view, .choices = view_names},
        {"--method", .choice = &settings->methods[0], .choices = methods},
        {"--other", .choice = &settings->methods[1], .choices = methods},
        {"--reduction", .choice = &settings->reduction, .choices = reductions},
        {"--codes", .flag = &settings->codes},
    };
    struct sample sample = {
        SAMPLE_COMMAND_LINE("mips", own),
        SAMPLE_CALLS(&viewer),
        .complete = complete,
        .user = settings,
        .title = "Weir mips",
    };
    return sample_main(&sample, argc, argv);
}
