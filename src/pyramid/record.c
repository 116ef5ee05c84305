// SPDX-License-Identifier: MIT
// Records a run of a pyramid.
#include <string.h>

#include "base/size.h"
#include "pyramid/target.h"
#include "vk/barrier.h"
#include "vk/debug.h"

// True if the sampler may average pairs of texels along an axis of this length. Its coordinates
// have about 21 bits (measured on NVIDIA), so on an axis above 4096 they miss the middle between
// two texels, unless the length is a power of two.
static bool can_filter(uint32_t side)
{
    return side % 2 == 0 && (side <= 4096 || (side & (side - 1)) == 0);
}

static struct weir_pyramid_push make_push(const weir_pyramid_target *target,
                                          const struct weir_pyramid_step *step,
                                          const struct weir_pyramid_run *run)
{
    const struct weir_pyramid_plan *plan = &target->plan;
    struct weir_pyramid_push push = {
        .width = weir_level_side(target->geometry.width, step->base),
        .height = weir_level_side(target->geometry.height, step->base),
        .num_levels = step->num_levels,
        .num_layers = target->num_layers,
        .slice_texels = plan->stages.slice_texels,
        .slice_counters = plan->stages.slice_counters,
        .flags = target->geometry.copies ? WEIR_PYRAMID_FLAG_COPIES : 0,
    };
    if (can_filter(push.width) && can_filter(push.height)) {
        push.flags |= WEIR_PYRAMID_FLAG_FILTERS;
    }
    memcpy(push.user, run->user, sizeof(push.user));
    for (uint32_t i = 0; i < plan->stages.num; i++) {
        const struct weir_pyramid_stage *stage = &plan->stages.stages[i];
        push.stages[i][0] = stage->num_levels | stage->level << WEIR_PYRAMID_STAGE_LEVEL_SHIFT |
                            stage->tile_width << WEIR_PYRAMID_STAGE_TILE_WIDTH_SHIFT |
                            stage->tile_height << WEIR_PYRAMID_STAGE_TILE_HEIGHT_SHIFT;
        push.stages[i][1] = stage->tiles_x | stage->tiles_y << WEIR_PYRAMID_STAGE_TILES_Y_SHIFT;
        push.stages[i][2] = stage->texels;
        push.stages[i][3] = stage->counters;
    }
    return push;
}

// Get the fastest of the pyramid's variants that fits the size of the input.
static enum weir_pyramid_variant single_variant(const weir_pyramid_target *target)
{
    const uint32_t width = target->geometry.width, height = target->geometry.height;
    const uint32_t low_bits = (1u << target->plan.stages.stages[0].num_levels) - 1;
    const bool is_even = ((width | height) & 1) == 0,
               is_filtered = can_filter(width) && can_filter(height);
    const bool is_stage_even = ((width | height) & low_bits) == 0;
    const bool fits[WEIR_PYRAMID_NUM_VARIANTS] = {
        [WEIR_PYRAMID_FIRST_EVEN] = is_even,
        [WEIR_PYRAMID_FIRST_FILTERED] = is_filtered,
        [WEIR_PYRAMID_STAGE_EVEN] = is_stage_even,
        [WEIR_PYRAMID_STAGE_FILTERED] = is_stage_even && is_filtered,
    };
    const struct weir_vk_pipeline *pipelines =
        target->pyramid->pipelines[WEIR_PYRAMID_KERNEL_SINGLE];
    for (int variant = WEIR_PYRAMID_NUM_VARIANTS - 1; variant > WEIR_PYRAMID_FIRST; variant--) {
        if (fits[variant] && pipelines[variant].pipeline) {
            return (enum weir_pyramid_variant)variant;
        }
    }
    return WEIR_PYRAMID_FIRST;
}

static enum weir_pyramid_variant variant_of(const weir_pyramid_target *target,
                                            const struct weir_pyramid_step *step)
{
    if (step->kernel == WEIR_PYRAMID_KERNEL_SINGLE) {
        return single_variant(target);
    }
    return step->base > 0 ? WEIR_PYRAMID_LATER : WEIR_PYRAMID_FIRST;
}

// Record a step for each group of images. Groups do not depend on each other.
static void record_step(const weir_pyramid_target *target, VkCommandBuffer cmd,
                        const struct weir_pyramid_step *step, const struct weir_pyramid_run *run)
{
    const struct weir_vk_functions *vk = &target->pyramid->context->vk;
    const struct weir_vk_pipeline *pipeline =
        &target->pyramid->pipelines[step->kernel][variant_of(target, step)];
    struct weir_pyramid_push push = make_push(target, step, run);
    vk->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->pipeline);
    for (uint32_t group = 0; group < target->num_groups; group++) {
        const uint32_t num_slices = target->num_layers * weir_pyramid_group_size(target, group);
        vk->CmdPushConstants(cmd, pipeline->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push),
                             &push);
        const VkDescriptorSet sets[WEIR_PYRAMID_NUM_SETS] = {
            [WEIR_PYRAMID_SET_IMAGES] = target->sets[group * WEIR_PYRAMID_MAX_LEVELS + step->base],
            [WEIR_PYRAMID_SET_SCRATCH] = target->scratch_set,
        };
        vk->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout, 0,
                                  target->scratch_set ? WEIR_PYRAMID_NUM_SETS : 1, sets, 0, NULL);
        vk->CmdDispatch(cmd, step->groups_x, step->groups_y, num_slices);
        push.first_slice += num_slices;
    }
}

// The far corner of a level of the plan.
static VkOffset3D corner(const weir_pyramid_target *target, uint32_t level)
{
    return (VkOffset3D){(int32_t)weir_level_side(target->geometry.width, level),
                        (int32_t)weir_level_side(target->geometry.height, level), 1};
}

static VkImageSubresourceLayers layers_of(const weir_pyramid_target *target, uint32_t level)
{
    return (VkImageSubresourceLayers){
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
        .mipLevel = (uint32_t)((int32_t)level + target->first_of_plan),
        .layerCount = target->num_layers,
    };
}

// Record a level of the blit chain for every image.
static void record_blit(const weir_pyramid_target *target, VkCommandBuffer cmd,
                        const struct weir_pyramid_step *step)
{
    const struct weir_vk_functions *vk = &target->pyramid->context->vk;
    const VkImageBlit region = {
        .srcSubresource = layers_of(target, step->base),
        .srcOffsets = {{0, 0, 0}, corner(target, step->base)},
        .dstSubresource = layers_of(target, step->base + 1),
        .dstOffsets = {{0, 0, 0}, corner(target, step->base + 1)},
    };
    for (uint32_t i = 0; i < target->params.num_images; i++) {
        vk->CmdBlitImage(cmd, target->images[i], VK_IMAGE_LAYOUT_GENERAL, target->images[i],
                         VK_IMAGE_LAYOUT_GENERAL, 1, &region, VK_FILTER_LINEAR);
    }
}

static void record_steps(const weir_pyramid_target *target, VkCommandBuffer cmd,
                         const struct weir_pyramid_run *run)
{
    const weir_context *context = target->pyramid->context;
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(target->pyramid);
    for (uint32_t i = 0; i < target->plan.num_steps; i++) {
        const struct weir_pyramid_step *step = &target->plan.steps[i];
        if (step->base > 0) {
            weir_vk_barrier(context, cmd, (struct weir_vk_scope){scope.stages, scope.writes},
                            (struct weir_vk_scope){scope.stages, scope.reads});
        }
        if (step->kernel == WEIR_PYRAMID_KERNEL_BLIT) {
            record_blit(target, cmd, step);
        } else {
            record_step(target, cmd, step, run);
        }
    }
}

enum weir_result weir_cmd_pyramid(const weir_pyramid_target *target, VkCommandBuffer cmd,
                                  const struct weir_pyramid_run *run)
{
    static const struct weir_pyramid_run none = {0};
    enum weir_result result = WEIR_CHECK_GIVEN(target ? &target->pyramid->context->log : NULL,
                                               WEIR_ARGUMENT(target), WEIR_ARGUMENT(cmd));
    if (result != WEIR_OK) {
        return result;
    }
    weir_context *context = target->pyramid->context;
    result = weir_context_check_lost(context);
    if (result != WEIR_OK) {
        return result;
    }
    run = run ? run : &none;
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(target->pyramid);
    const VkAccessFlags accesses = scope.reads | scope.writes;
    if (target->plan.num_steps == 0) {
        // No dispatch follows: join the caller's two barriers into one.
        if (run->src_stages || run->dst_stages) {
            const struct weir_vk_scope before = {run->src_stages ? run->src_stages : scope.stages,
                                                 run->src_access};
            const struct weir_vk_scope after = {run->dst_stages ? run->dst_stages : scope.stages,
                                                run->dst_stages ? run->dst_access : accesses};
            weir_vk_barrier(context, cmd, before, after);
        }
        return WEIR_OK;
    }
    weir_vk_label_begin(context, cmd,
                        weir_pyramid_method_get_info(target->pyramid->params.method)->name);
    weir_vk_barrier(
        context, cmd,
        (struct weir_vk_scope){run->src_stages | scope.stages, run->src_access | scope.writes},
        (struct weir_vk_scope){scope.stages, accesses});
    record_steps(target, cmd, run);
    if (run->dst_stages) {
        weir_vk_barrier(context, cmd, (struct weir_vk_scope){scope.stages, scope.writes},
                        (struct weir_vk_scope){run->dst_stages, run->dst_access});
    }
    weir_vk_label_end(context, cmd);
    return WEIR_OK;
}
