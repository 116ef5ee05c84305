// SPDX-License-Identifier: MIT
// A picture in few colours: the calls of <weir/palette.h> in a render loop.
#include "posterize.h"

#include <math.h>

#include "report.h"

// A texel of the picture of all colours for each: 64 steps a channel, as a palette with `table`
// counts.
enum { SIDE = 512, NUM_ALL_COLORS = SIDE * SIDE };

enum weir_palette_dither settings_dither(const struct settings *settings)
{
    return settings->method == WEIR_PALETTE_METHOD_K_MEANS && !settings->live
               ? settings->dither
               : WEIR_PALETTE_DITHER_NONE;
}

bool settings_live(const struct settings *settings)
{
    return settings->live && settings->method == WEIR_PALETTE_METHOD_K_MEANS;
}

bool settings_keep(const struct settings *settings)
{
    return settings->keep && settings->method == WEIR_PALETTE_METHOD_K_MEANS && !settings->live;
}

float settings_radius(const struct settings *settings)
{
    // Colours fill a space of three dimensions. The factor was measured on the scene.
    return 0.16f / cbrtf((float)settings->num_colors);
}

// Method, dither and the kind of the pictures are fixed when a palette is made: it compiles its
// kernels for them. The number of colours is not.
static bool make_palette(struct posterize *posterize, const struct settings *settings)
{
    const struct weir_palette_params *params =
        weir_palette_params(.like = posterize->source, .method = settings->method,
                            .dither = settings_dither(settings),
                            // For moving pictures: a colour weighs as much as it has pixels, so
                            // that noise weighs little, and channels have 64 steps, so that there
                            // is room for all colours.
                            .weight = WEIR_PALETTE_WEIGHT_FREQUENCY, .table = true,
                            .live = settings_live(settings));
    // Frames in flight use the palette that is to go. This happens once a key, not once a frame.
    const VkResult waited = gpu_wait_idle(posterize->gpu);
    weir_palette_destroy(&posterize->palette);
    posterize->num_kept = 0;
    posterize->made_for = *settings;
    return vulkan_ok(waited, "vkDeviceWaitIdle") &&
           weir_ok(weir_palette_create(posterize->gpu->weir, params, &posterize->palette),
                   "weir_palette_create");
}

static bool count(struct posterize *posterize, VkCommandBuffer cmd, const weir_image *picture,
                  bool clear)
{
    const struct weir_palette_count count = {.source = picture, .clear = clear};
    return weir_ok(weir_cmd_palette_count(posterize->palette, cmd, &count),
                   "weir_cmd_palette_count");
}

static void record_all_colors(const struct posterize *posterize, VkCommandBuffer cmd)
{
    const struct weir_gpu_scope counted = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0};
    const struct weir_gpu_scope written = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                           VK_ACCESS_TRANSFER_WRITE_BIT, 0};
    weir_cmd_barrier(posterize->gpu->work, cmd, NULL, counted, written);
    weir_cmd_upload(posterize->gpu->work, cmd,
                    &(struct weir_gpu_copy){
                        .image = &posterize->all_colors.params,
                        .buffer = posterize->all_texels.buffer,
                        .scope = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
                    });
}

// Only colours that were counted can be mapped. Those that are kept must do for frames to come: all
// colours are counted once, and this frame until it outweighs them by sixteen to one, or 64 times.
static bool count_all(struct posterize *posterize, VkCommandBuffer cmd)
{
    const struct weir_image_params frame = weir_image_get_params(posterize->source);
    const uint64_t num_wanted = 1 + 16 * NUM_ALL_COLORS / ((uint64_t)frame.width * frame.height);
    const uint64_t num_counts = num_wanted < 64 ? num_wanted : 64;
    record_all_colors(posterize, cmd);
    bool ok = count(posterize, cmd, posterize->all_colors.weir, true);
    for (uint64_t i = 0; ok && i < num_counts; ++i) {
        ok = count(posterize, cmd, posterize->source, false);
    }
    return ok;
}

// A dispatch is a pass of k-means over the colours, or moves some of mean shift for a few
// milliseconds at most. Those that are not needed end at once. 122 passes are the most that k-means
// takes, for 256 colours; after 32 dispatches of mean shift colours that still move stay where they
// are.
static bool choose(struct posterize *posterize, const struct settings *settings,
                   VkCommandBuffer cmd)
{
    const bool by_number = settings->method == WEIR_PALETTE_METHOD_K_MEANS;
    const struct weir_palette_start start = {
        .num_colors = by_number ? settings->num_colors : 0,
        .radius = by_number ? 0.0f : settings_radius(settings),
        // A lamp is few pixels, and is what one looks at. Where all colours are counted, all are
        // rare.
        .keep_rare = by_number && !settings->keep,
    };
    return weir_ok(weir_cmd_palette_start(posterize->palette, cmd, &start),
                   "weir_cmd_palette_start") &&
           weir_ok(weir_cmd_palette_iterate(posterize->palette, cmd, by_number ? 122 : 32),
                   "weir_cmd_palette_iterate") &&
           weir_ok(weir_cmd_palette_finish(posterize->palette, cmd), "weir_cmd_palette_finish");
}

// All of a frame in one call. With `live` it finds colours in the first frame; in later ones it
// maps, and moves them a little. Without, it does for each what the functions above do one by one.
static bool record_live(struct posterize *posterize, const struct settings *settings,
                        VkCommandBuffer cmd, struct timing *timing)
{
    const struct weir_palette_run run = {.source = posterize->source,
                                         .output = posterize->result,
                                         .num_colors = settings->num_colors};
    const enum weir_result result = weir_cmd_palette(posterize->palette, cmd, &run);
    timing_mark(timing, cmd, "map");
    return weir_ok(result, "weir_cmd_palette");
}

bool posterize_record(struct posterize *posterize, const struct settings *settings,
                      VkCommandBuffer cmd, struct timing *timing)
{
    const struct settings *made = &posterize->made_for;
    if ((!posterize->palette || made->method != settings->method ||
         settings_dither(made) != settings_dither(settings) ||
         settings_live(made) != settings_live(settings)) &&
        !make_palette(posterize, settings)) {
        return false;
    }
    if (settings_live(settings)) {
        return record_live(posterize, settings, cmd, timing);
    }
    const uint32_t keep = settings_keep(settings) ? settings->num_colors : 0;
    if (keep == 0 || keep != posterize->num_kept) {
        if (!(keep > 0 ? count_all(posterize, cmd)
                       : count(posterize, cmd, posterize->source, true))) {
            return false;
        }
        timing_mark(timing, cmd, "count colours");
        if (!choose(posterize, settings, cmd)) {
            return false;
        }
        timing_mark(timing, cmd, "choose colours");
        posterize->num_kept = keep;
    }
    const enum weir_result mapped = weir_cmd_palette_map(posterize->palette, cmd, posterize->source,
                                                         posterize->result);
    timing_mark(timing, cmd, "map");
    return weir_ok(mapped, "weir_cmd_palette_map");
}

static void destroy(struct gpu *gpu, void *palette)
{
    (void)gpu;
    weir_palette_destroy(palette);
}

bool posterize_init(struct gpu *gpu, VkFormat format, struct posterize *posterize)
{
    *posterize = (struct posterize){.gpu = gpu};
    gpu_own(gpu, destroy, &posterize->palette);
    if (!gpu_texture_init(gpu, format, VK_IMAGE_USAGE_TRANSFER_DST_BIT, (VkExtent2D){SIDE, SIDE}, 1,
                          &posterize->all_colors) ||
        !gpu_buffer_init(gpu, 4 * NUM_ALL_COLORS, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                         WEIR_GPU_MEMORY_HOST, &posterize->all_texels)) {
        return false;
    }
    uint8_t *texels = posterize->all_texels.mapped;
    for (uint32_t i = 0; i < NUM_ALL_COLORS; ++i) {
        texels[4 * i] = (uint8_t)(4 * (i & 63) + 2);
        texels[4 * i + 1] = (uint8_t)(4 * (i >> 6 & 63) + 2);
        texels[4 * i + 2] = (uint8_t)(4 * (i >> 12) + 2);
        texels[4 * i + 3] = 255;
    }
    return true;
}

uint32_t posterize_count(const struct posterize *posterize)
{
    if (!posterize->palette || gpu_wait_idle(posterize->gpu) != VK_SUCCESS) {
        return 0;
    }
    return weir_palette_get_stats(posterize->palette).num_new_colors;
}
