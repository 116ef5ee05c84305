// SPDX-License-Identifier: MIT
// Records a palette reduction: colours, a grid of points, their paths, and images in new colours.
#include <math.h>
#include <stddef.h>

#include "palette/palette.h"

enum {
    // an invocation takes a word
    COLLECT_GROUPS = WEIR_PALETTE_NUM_WORDS / WEIR_PALETTE_GROUP_SIZE,
    DEFAULT_DISPATCHES = 16, // of a frame
};
// Rounds of subgroups in a dispatch that moves colours: 4 or 5 ms of an H200 (docs/palette.md).
static const uint32_t max_work = 1u << 25;
// Rounds of each subgroup on Mesa's software device, which ends the loops of an invocation after
// 65,535 turns in all.
static const uint32_t max_software_work = 1u << 12;
// Workgroups that move colours there, where each takes time even without a colour to move: one for
// so many colours, and as many as reach max_work with subgroups of 8.
static const uint32_t software_colors = 128;
static const uint32_t min_software_groups = 64;
static const uint32_t max_software_groups = 512;

// Record the clearing of the counted colours. After a run the bits are zero already, and so are all
// bins but those of the run's colours.
static void record_clear(weir_palette *palette, VkCommandBuffer cmd)
{
    weir_palette_record_barrier(palette, cmd);
    if (palette->stage == WEIR_PALETTE_COUNTED) {
        weir_palette_record_fill(palette, cmd, WEIR_PALETTE_BINDING_BITS, 0,
                                 WEIR_PALETTE_BITS_SIZE);
        weir_palette_record_fill(palette, cmd, WEIR_PALETTE_BINDING_BINS, 0,
                                 WEIR_PALETTE_BINS_SIZE);
    } else if (palette->stage != WEIR_PALETTE_EMPTY) {
        weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_RESET,
                                     weir_palette_num_groups(palette));
    }
    weir_palette_record_barrier(palette, cmd);
    weir_palette_record_fill(palette, cmd, WEIR_PALETTE_BINDING_CONTROL, 0, sizeof(uint32_t));
}

static void record_count(weir_palette *palette, VkCommandBuffer cmd,
                         const struct weir_palette_count *count)
{
    weir_vk_label_begin(palette->context, cmd, "palette count");
    palette->push.max_colors = palette->params.max_colors;
    if (count->clear) {
        record_clear(palette, cmd);
    }
    weir_palette_record_pixels(
        palette, cmd, WEIR_PALETTE_COUNT,
        &(struct weir_palette_images){.source = count->source->set.set,
                                      .width = count->source->params.width,
                                      .height = count->source->params.height});
    palette->stage = WEIR_PALETTE_COUNTED;
    palette->live.is_started = false;
    weir_vk_label_end(palette->context, cmd);
}

enum weir_result weir_cmd_palette_count(weir_palette *palette, VkCommandBuffer cmd,
                                        const struct weir_palette_count *count)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL, palette, cmd, count));
    WEIR_TRY(weir_palette_check_source(palette, count->source, "weir_palette_count.source"));
    if (!count->clear && palette->stage > WEIR_PALETTE_COUNTED) {
        return weir_palette_out_of_order(palette, "weir_cmd_palette_count() without `clear`",
                                         "other counts, before weir_cmd_palette_start()");
    }
    record_count(palette, cmd, count);
    return WEIR_OK;
}

// The most rare colours that are kept.
static uint32_t max_kept(const struct weir_palette_start *start)
{
    return start->keep_rare ? start->num_colors / 8 : 0;
}

// The passes that end k-means with any colours, unless few of them differ.
static uint32_t num_means_passes(const struct weir_palette_start *start)
{
    uint32_t num_passes = WEIR_PALETTE_GROWING_PASSES;
    for (uint32_t num = 1; num < start->num_colors; num += num * 3 / 10 + 1) {
        num_passes += WEIR_PALETTE_GROWING_PASSES;
    }
    return num_passes + WEIR_PALETTE_NUM_MOVES * WEIR_PALETTE_MOVING_PASSES +
           WEIR_PALETTE_FINAL_PASSES + max_kept(start) + 1;
}

// Get the constants of a run. The square of a float is exact in a double, and stays so when it is
// scaled to the lattice.
static struct weir_palette_push push_of(const weir_palette *palette,
                                        const struct weir_palette_start *start)
{
    const double unit = 1 << WEIR_PALETTE_LATTICE_BITS;
    const uint64_t squared = (uint64_t)floor((double)start->radius * start->radius * unit * unit);
    const bool merges = !palette->params.no_merge && start->limit == 0;
    return (struct weir_palette_push){
        .max_colors = palette->params.max_colors,
        .max_cells = palette->memory.max_cells,
        .max_states = merges ? palette->memory.max_states : 0,
        .max_unfinished = WEIR_PALETTE_MAX_UNFINISHED,
        .radius = (uint32_t)ceil(start->radius * unit),
        .limit = start->limit,
        .radius_squared = {(uint32_t)squared, (uint32_t)(squared >> 32)},
        .max_work = max_work,
        .max_subgroup_work = palette->context->is_software ? max_software_work : UINT32_MAX,
        .num_means = start->num_colors,
        .max_kept = max_kept(start),
    };
}

// Record a barrier, and the copy of the report of a run to the host.
static void record_report(const weir_palette *palette, VkCommandBuffer cmd)
{
    weir_palette_record_copy(palette, cmd, WEIR_PALETTE_BINDING_CONTROL,
                             offsetof(struct weir_palette_reports, run),
                             sizeof(struct weir_palette_report));
}

static void record_means_start(const weir_palette *palette, VkCommandBuffer cmd)
{
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_PLAN, 1);
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_PLACE,
                                 weir_palette_num_groups(palette));
}

static void record_means_passes(const weir_palette *palette, VkCommandBuffer cmd,
                                uint32_t num_passes)
{
    for (uint32_t i = 0; i < num_passes; i++) {
        weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_ASSIGN,
                                     weir_palette_num_groups(palette));
        weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_UPDATE, 1);
    }
}

static void record_means_finish(const weir_palette *palette, VkCommandBuffer cmd)
{
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_CHOOSE, 1);
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_PUBLISH,
                                 weir_palette_num_groups(palette));
    weir_palette_record_copy(palette, cmd, WEIR_PALETTE_BINDING_MEANS,
                             offsetof(struct weir_palette_reports, means),
                             sizeof(struct weir_palette_means_report));
}

// Record how the points of mean shift are sorted into a grid.
static void record_grid(const weir_palette *palette, VkCommandBuffer cmd)
{
    for (int kernel = WEIR_PALETTE_PLACE; kernel <= WEIR_PALETTE_POINTS_SCAN; kernel++) {
        weir_palette_record_dispatch(
            palette, cmd, (enum weir_palette_kernel)kernel,
            kernel == WEIR_PALETTE_PLAN ? 1 : weir_palette_num_groups(palette));
    }
}

static void record_start(weir_palette *palette, VkCommandBuffer cmd,
                         const struct weir_palette_start *start)
{
    weir_vk_label_begin(palette->context, cmd, "palette start");
    palette->push = push_of(palette, start);
    if (palette->stage == WEIR_PALETTE_COUNTED) {
        weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_COLLECT, COLLECT_GROUPS);
    }
    weir_palette_record_barrier(palette, cmd);
    weir_palette_record_fill(palette, cmd, WEIR_PALETTE_BINDING_CONTROL,
                             WEIR_PALETTE_REPORT_NUM_NEW_COLORS, VK_WHOLE_SIZE);
    weir_palette_record_fill(palette, cmd, WEIR_PALETTE_BINDING_BITS, WEIR_PALETTE_BITS_SIZE,
                             VK_WHOLE_SIZE);
    if (weir_palette_is_k_means(palette)) {
        record_means_start(palette, cmd);
    } else {
        record_grid(palette, cmd);
    }
    record_report(palette, cmd);
    palette->stage = WEIR_PALETTE_STARTED;
    palette->live.is_started = false;
    weir_vk_label_end(palette->context, cmd);
}

enum weir_result weir_cmd_palette_start(weir_palette *palette, VkCommandBuffer cmd,
                                        const struct weir_palette_start *start)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL, palette, cmd, start));
    WEIR_TRY(weir_palette_check_start(palette, start));
    if (palette->stage == WEIR_PALETTE_EMPTY) {
        return weir_palette_out_of_order(palette, "weir_cmd_palette_start()",
                                         "weir_cmd_palette_count()");
    }
    record_start(palette, cmd, start);
    return WEIR_OK;
}

static uint32_t num_moving_groups(const weir_palette *palette)
{
    if (!palette->context->is_software) {
        return WEIR_PALETTE_MOVING_GROUPS;
    }
    const uint32_t num_groups = palette->params.max_colors / software_colors;
    return num_groups < min_software_groups   ? min_software_groups
           : num_groups > max_software_groups ? max_software_groups
                                              : num_groups;
}

// Record dispatches that move the colours of mean shift.
static void record_steps(const weir_palette *palette, VkCommandBuffer cmd, uint32_t num_dispatches)
{
    const uint32_t num_groups = num_moving_groups(palette);
    for (uint32_t i = 0; i < num_dispatches; i++) {
        weir_palette_record_dispatch(palette, cmd,
                                     palette->push.max_states > 0 ? WEIR_PALETTE_ITERATE_MERGING
                                                                  : WEIR_PALETTE_ITERATE,
                                     num_groups);
    }
}

enum weir_result weir_cmd_palette_iterate(weir_palette *palette, VkCommandBuffer cmd,
                                          uint32_t num_dispatches)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL, palette, cmd));
    if (palette->stage != WEIR_PALETTE_STARTED) {
        return weir_palette_out_of_order(palette, "weir_cmd_palette_iterate()",
                                         "weir_cmd_palette_start()");
    }
    WEIR_TRY(weir_palette_check_dispatches(palette, num_dispatches));
    weir_vk_label_begin(palette->context, cmd, "palette iterate");
    if (weir_palette_is_k_means(palette)) {
        record_means_passes(palette, cmd, num_dispatches);
    } else {
        record_steps(palette, cmd, num_dispatches);
    }
    record_report(palette, cmd);
    weir_vk_label_end(palette->context, cmd);
    return WEIR_OK;
}

// Record where the paths of mean shift end, and the colours of these places.
static void record_ends(weir_palette *palette, VkCommandBuffer cmd)
{
    struct weir_palette_push *push = &palette->push;
    for (push->pass = 0; push->pass < WEIR_PALETTE_NUM_PASSES && push->max_states > 0;
         push->pass++) {
        weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_RESOLVE,
                                     weir_palette_num_groups(palette));
    }
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_PUBLISH,
                                 weir_palette_num_groups(palette));
}

enum weir_result weir_cmd_palette_finish(weir_palette *palette, VkCommandBuffer cmd)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL, palette, cmd));
    if (palette->stage != WEIR_PALETTE_STARTED) {
        return weir_palette_out_of_order(palette, "weir_cmd_palette_finish()",
                                         "weir_cmd_palette_start()");
    }
    weir_vk_label_begin(palette->context, cmd, "palette finish");
    if (weir_palette_is_k_means(palette)) {
        record_means_finish(palette, cmd);
    } else {
        record_ends(palette, cmd);
    }
    record_report(palette, cmd);
    palette->stage = WEIR_PALETTE_FINISHED;
    weir_vk_label_end(palette->context, cmd);
    return WEIR_OK;
}

static struct weir_palette_images images_of(const weir_image *source, const weir_image *output)
{
    return (struct weir_palette_images){.source = source->set.set,
                                        .output = output->storage_set.set,
                                        .width = output->params.width,
                                        .height = output->params.height};
}

static void record_map(const weir_palette *palette, VkCommandBuffer cmd,
                       const struct weir_palette_images *images)
{
    weir_vk_label_begin(palette->context, cmd, "palette map");
    const enum weir_palette_kernel kernel = palette->params.dither == WEIR_PALETTE_DITHER_NONE
                                                ? WEIR_PALETTE_MAP
                                                : WEIR_PALETTE_MAP_DITHER;
    weir_palette_record_pixels(palette, cmd, kernel, images);
    weir_vk_label_end(palette->context, cmd);
}

enum weir_result weir_cmd_palette_map(const weir_palette *palette, VkCommandBuffer cmd,
                                      const weir_image *source, const weir_image *output)
{
    WEIR_TRY(
        WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL, palette, cmd, source, output));
    if (palette->stage != WEIR_PALETTE_FINISHED) {
        return weir_palette_out_of_order(palette, "weir_cmd_palette_map()",
                                         "weir_cmd_palette_finish()");
    }
    WEIR_TRY(weir_palette_check_mapping(palette, source, output));
    const struct weir_palette_images images = images_of(source, output);
    record_map(palette, cmd, &images);
    return WEIR_OK;
}

// Record all of a run but the mapping.
static void record_colors(weir_palette *palette, VkCommandBuffer cmd,
                          const struct weir_palette_run *run,
                          const struct weir_palette_start *start)
{
    const struct weir_palette_count count = {.source = run->source, .clear = true};
    const uint32_t num_dispatches = weir_palette_is_k_means(palette) ? num_means_passes(start)
                                                                     : DEFAULT_DISPATCHES;
    record_count(palette, cmd, &count);
    record_start(palette, cmd, start);
    weir_cmd_palette_iterate(palette, cmd,
                             run->num_dispatches ? run->num_dispatches : num_dispatches);
    weir_cmd_palette_finish(palette, cmd);
}

enum weir_result weir_cmd_palette(weir_palette *palette, VkCommandBuffer cmd,
                                  const struct weir_palette_run *run)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL, palette, cmd, run));
    WEIR_TRY(weir_palette_check_mapping(palette, run->source, run->output));
    const struct weir_palette_start start = {.radius = run->radius,
                                             .limit = run->limit,
                                             .num_colors = run->num_colors,
                                             .keep_rare = run->keep_rare};
    WEIR_TRY(weir_palette_check_start(palette, &start));
    WEIR_TRY(weir_palette_check_dispatches(palette, run->num_dispatches));
    const struct weir_palette_images images = images_of(run->source, run->output);
    if (weir_palette_follows(palette, &start)) {
        weir_palette_record_live(palette, cmd, images);
        return WEIR_OK;
    }
    record_colors(palette, cmd, run, &start);
    if (palette->params.live) {
        weir_palette_record_live_first(palette, cmd, images);
    } else {
        record_map(palette, cmd, &images);
    }
    return WEIR_OK;
}
