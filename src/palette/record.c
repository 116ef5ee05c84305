// SPDX-License-Identifier: MIT
// Records a palette reduction: colours, a grid of points, their ways, and images in new colours.
#include <math.h>

#include "base/size.h"
#include "frame/image.h"
#include "palette/check.h"
#include "palette/palette.h"
#include "vk/barrier.h"
#include "vk/debug.h"

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
// Workgroups that move colours there, where each takes time even without a colour to move. So many
// reach max_work with subgroups of 8.
static const uint32_t software_groups = 512;

static void record_barrier(const weir_palette *palette, VkCommandBuffer cmd)
{
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    const VkAccessFlags reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    weir_vk_barrier(palette->context, cmd, (struct weir_vk_scope){stages, writes},
                    (struct weir_vk_scope){stages, reads | writes});
}

static void record_fill(const weir_palette *palette, VkCommandBuffer cmd, uint32_t binding,
                        uint64_t offset, uint64_t size)
{
    palette->context->vk.CmdFillBuffer(cmd, palette->memory.buffers[binding].buffer, offset, size,
                                       0);
}

// The images that a dispatch is bound to beside the memory; NULL sets are not bound.
struct images {
    VkDescriptorSet source, output;
    uint32_t width, height;
};

static void record_dispatch_on(const weir_palette *palette, VkCommandBuffer cmd,
                               enum weir_palette_kernel kernel,
                               const struct weir_palette_push *push, const struct images *images,
                               uint32_t groups_x, uint32_t groups_y)
{
    const struct weir_vk_functions *vk = &palette->context->vk;
    const struct weir_vk_pipeline *pipeline = &palette->pipelines[kernel];
    const VkDescriptorSet sets[WEIR_PALETTE_NUM_SETS] = {
        [WEIR_PALETTE_SET_MEMORY] = palette->memory.set.set,
        [WEIR_PALETTE_SET_SOURCE] = images->source,
        [WEIR_PALETTE_SET_OUTPUT] = images->output,
    };
    const uint32_t num_sets = images->output ? 3 : images->source ? 2 : 1;
    vk->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->pipeline);
    vk->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout, 0, num_sets,
                              sets, 0, NULL);
    vk->CmdPushConstants(cmd, pipeline->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(*push),
                         push);
    vk->CmdDispatch(cmd, groups_x, groups_y, 1);
}

// Record a barrier, and a dispatch that uses the memory alone.
static void record_dispatch(const weir_palette *palette, VkCommandBuffer cmd,
                            enum weir_palette_kernel kernel, const struct weir_palette_push *push,
                            uint32_t num_groups)
{
    record_barrier(palette, cmd);
    record_dispatch_on(palette, cmd, kernel, push, &(struct images){0}, num_groups, 1);
}

// Record a barrier, and a dispatch over the pixels of an image.
static void record_pixels(const weir_palette *palette, VkCommandBuffer cmd,
                          enum weir_palette_kernel kernel, const struct images *images)
{
    struct weir_palette_push push = palette->push;
    push.width = images->width;
    push.height = images->height;
    record_barrier(palette, cmd);
    record_dispatch_on(palette, cmd, kernel, &push, images,
                       weir_divide_up(push.width, WEIR_PALETTE_TILE_WIDTH),
                       weir_divide_up(push.height, WEIR_PALETTE_TILE_HEIGHT));
}

static void record_report(const weir_palette *palette, VkCommandBuffer cmd)
{
    const struct weir_vk_functions *vk = &palette->context->vk;
    const VkBufferCopy copy = {.size = sizeof(struct weir_palette_report)};
    record_barrier(palette, cmd);
    vk->CmdCopyBuffer(cmd, palette->memory.buffers[WEIR_PALETTE_BINDING_CONTROL].buffer,
                      palette->memory.report.buffer, 1, &copy);
    weir_vk_barrier(
        palette->context, cmd,
        (struct weir_vk_scope){VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT},
        (struct weir_vk_scope){VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT});
}

// Record the clearing of the counted colours. After a run the bits are zero already, and so are all
// bins but those of the run's colours.
static void record_clear(weir_palette *palette, VkCommandBuffer cmd)
{
    record_barrier(palette, cmd);
    if (palette->stage == WEIR_PALETTE_COUNTED) {
        record_fill(palette, cmd, WEIR_PALETTE_BINDING_BITS, 0, WEIR_PALETTE_BITS_SIZE);
        record_fill(palette, cmd, WEIR_PALETTE_BINDING_BINS, 0, WEIR_PALETTE_BINS_SIZE);
    } else if (palette->stage != WEIR_PALETTE_EMPTY) {
        record_dispatch(palette, cmd, WEIR_PALETTE_RESET, &palette->push, WEIR_PALETTE_NUM_GROUPS);
    }
    record_barrier(palette, cmd);
    record_fill(palette, cmd, WEIR_PALETTE_BINDING_CONTROL, 0, sizeof(uint32_t));
}

static void record_count(weir_palette *palette, VkCommandBuffer cmd,
                         const struct weir_palette_count *count)
{
    weir_vk_label_begin(palette->context, cmd, "palette count");
    palette->push.max_colors = palette->params.max_colors;
    if (count->clear) {
        record_clear(palette, cmd);
    }
    record_pixels(palette, cmd, WEIR_PALETTE_COUNT,
                  &(struct images){.source = count->source->set.set,
                                   .width = count->source->params.width,
                                   .height = count->source->params.height});
    palette->stage = WEIR_PALETTE_COUNTED;
    weir_vk_label_end(palette->context, cmd);
}

enum weir_result weir_cmd_palette_count(weir_palette *palette, VkCommandBuffer cmd,
                                        const struct weir_palette_count *count)
{
    enum weir_result result = WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL,
                                               WEIR_ARGUMENT(palette), WEIR_ARGUMENT(cmd),
                                               WEIR_ARGUMENT(count));
    if (result == WEIR_OK) {
        result = weir_palette_check_source(palette, count->source, "weir_palette_count.source");
    }
    if (result != WEIR_OK) {
        return result;
    }
    if (!count->clear && palette->stage > WEIR_PALETTE_COUNTED) {
        return weir_palette_out_of_order(palette, "weir_cmd_palette_count() without `clear`",
                                         "others of its kind, before a start");
    }
    record_count(palette, cmd, count);
    return WEIR_OK;
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
    };
}

static void record_start(weir_palette *palette, VkCommandBuffer cmd,
                         const struct weir_palette_start *start)
{
    weir_vk_label_begin(palette->context, cmd, "palette start");
    palette->push = push_of(palette, start);
    if (palette->stage == WEIR_PALETTE_COUNTED) {
        record_dispatch(palette, cmd, WEIR_PALETTE_COLLECT, &palette->push, COLLECT_GROUPS);
    }
    record_barrier(palette, cmd);
    record_fill(palette, cmd, WEIR_PALETTE_BINDING_CONTROL, WEIR_PALETTE_REPORT_NUM_NEW_COLORS,
                VK_WHOLE_SIZE);
    record_fill(palette, cmd, WEIR_PALETTE_BINDING_BITS, WEIR_PALETTE_BITS_SIZE, VK_WHOLE_SIZE);
    for (int kernel = WEIR_PALETTE_PLACE; kernel <= WEIR_PALETTE_POINTS_SCAN; kernel++) {
        record_dispatch(palette, cmd, (enum weir_palette_kernel)kernel, &palette->push,
                        kernel == WEIR_PALETTE_PLAN ? 1 : WEIR_PALETTE_NUM_GROUPS);
    }
    record_report(palette, cmd);
    palette->stage = WEIR_PALETTE_STARTED;
    weir_vk_label_end(palette->context, cmd);
}

enum weir_result weir_cmd_palette_start(weir_palette *palette, VkCommandBuffer cmd,
                                        const struct weir_palette_start *start)
{
    enum weir_result result = WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL,
                                               WEIR_ARGUMENT(palette), WEIR_ARGUMENT(cmd),
                                               WEIR_ARGUMENT(start));
    if (result == WEIR_OK) {
        result = weir_palette_check_radius(palette, start->radius);
    }
    if (result != WEIR_OK) {
        return result;
    }
    if (palette->stage == WEIR_PALETTE_EMPTY) {
        return weir_palette_out_of_order(palette, "weir_cmd_palette_start()",
                                         "weir_cmd_palette_count()");
    }
    record_start(palette, cmd, start);
    return WEIR_OK;
}

enum weir_result weir_cmd_palette_iterate(weir_palette *palette, VkCommandBuffer cmd,
                                          uint32_t num_dispatches)
{
    const enum weir_result given = WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL,
                                                    WEIR_ARGUMENT(palette), WEIR_ARGUMENT(cmd));
    if (given != WEIR_OK) {
        return given;
    }
    if (palette->stage != WEIR_PALETTE_STARTED) {
        return weir_palette_out_of_order(palette, "weir_cmd_palette_iterate()",
                                         "weir_cmd_palette_start()");
    }
    const enum weir_result result = weir_palette_check_dispatches(palette, num_dispatches);
    if (result != WEIR_OK) {
        return result;
    }
    const uint32_t num_groups = palette->context->is_software ? software_groups
                                                              : WEIR_PALETTE_MOVING_GROUPS;
    weir_vk_label_begin(palette->context, cmd, "palette iterate");
    for (uint32_t i = 0; i < num_dispatches; i++) {
        record_dispatch(palette, cmd,
                        palette->push.max_states > 0 ? WEIR_PALETTE_ITERATE
                                                     : WEIR_PALETTE_ITERATE_ALONE,
                        &palette->push, num_groups);
    }
    record_report(palette, cmd);
    weir_vk_label_end(palette->context, cmd);
    return WEIR_OK;
}

enum weir_result weir_cmd_palette_finish(weir_palette *palette, VkCommandBuffer cmd)
{
    const enum weir_result given = WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL,
                                                    WEIR_ARGUMENT(palette), WEIR_ARGUMENT(cmd));
    if (given != WEIR_OK) {
        return given;
    }
    if (palette->stage != WEIR_PALETTE_STARTED) {
        return weir_palette_out_of_order(palette, "weir_cmd_palette_finish()",
                                         "weir_cmd_palette_start()");
    }
    weir_vk_label_begin(palette->context, cmd, "palette finish");
    struct weir_palette_push push = palette->push;
    for (push.pass = 0; push.pass < WEIR_PALETTE_NUM_PASSES && push.max_states > 0; push.pass++) {
        record_dispatch(palette, cmd, WEIR_PALETTE_RESOLVE, &push, WEIR_PALETTE_NUM_GROUPS);
    }
    record_dispatch(palette, cmd, WEIR_PALETTE_PUBLISH, &push, WEIR_PALETTE_NUM_GROUPS);
    record_report(palette, cmd);
    palette->stage = WEIR_PALETTE_FINISHED;
    weir_vk_label_end(palette->context, cmd);
    return WEIR_OK;
}

static void record_map(const weir_palette *palette, VkCommandBuffer cmd, const weir_image *source,
                       const weir_image *output)
{
    weir_vk_label_begin(palette->context, cmd, "palette map");
    record_pixels(palette, cmd, WEIR_PALETTE_MAP,
                  &(struct images){.source = source->set.set,
                                   .output = output->storage_set.set,
                                   .width = output->params.width,
                                   .height = output->params.height});
    weir_vk_label_end(palette->context, cmd);
}

enum weir_result weir_cmd_palette_map(const weir_palette *palette, VkCommandBuffer cmd,
                                      const weir_image *source, const weir_image *output)
{
    enum weir_result result = WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL,
                                               WEIR_ARGUMENT(palette), WEIR_ARGUMENT(cmd),
                                               WEIR_ARGUMENT(source), WEIR_ARGUMENT(output));
    if (result != WEIR_OK) {
        return result;
    }
    if (palette->stage != WEIR_PALETTE_FINISHED) {
        return weir_palette_out_of_order(palette, "weir_cmd_palette_map()",
                                         "weir_cmd_palette_finish()");
    }
    result = weir_palette_check_mapping(palette, source, output);
    if (result == WEIR_OK) {
        record_map(palette, cmd, source, output);
    }
    return result;
}

enum weir_result weir_cmd_palette(weir_palette *palette, VkCommandBuffer cmd,
                                  const struct weir_palette_run *run)
{
    enum weir_result result = WEIR_CHECK_GIVEN(palette ? &palette->context->log : NULL,
                                               WEIR_ARGUMENT(palette), WEIR_ARGUMENT(cmd),
                                               WEIR_ARGUMENT(run));
    if (result == WEIR_OK) {
        result = weir_palette_check_mapping(palette, run->source, run->output);
    }
    if (result == WEIR_OK) {
        result = weir_palette_check_radius(palette, run->radius);
    }
    if (result == WEIR_OK) {
        result = weir_palette_check_dispatches(palette, run->num_dispatches);
    }
    if (result != WEIR_OK) {
        return result;
    }
    const struct weir_palette_count count = {.source = run->source, .clear = true};
    const struct weir_palette_start start = {.radius = run->radius, .limit = run->limit};
    record_count(palette, cmd, &count);
    record_start(palette, cmd, &start);
    weir_cmd_palette_iterate(palette, cmd,
                             run->num_dispatches ? run->num_dispatches : DEFAULT_DISPATCHES);
    weir_cmd_palette_finish(palette, cmd);
    record_map(palette, cmd, run->source, run->output);
    return WEIR_OK;
}
