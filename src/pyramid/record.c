// SPDX-License-Identifier: MIT
// Records a run of a pyramid.
#include <string.h>

#include "base/size.h"
#include "pyramid/pyramid.h"
#include "vk/barrier.h"
#include "vk/context.h"

static struct weir_pyramid_push make_push(const weir_pyramid_target *target,
                                          const struct weir_pyramid_step *step,
                                          const struct weir_pyramid_run *run)
{
    const struct weir_pyramid_plan *plan = &target->plan;
    struct weir_pyramid_push push = {
        .size = {weir_level_side(target->geometry.width, step->base),
                 weir_level_side(target->geometry.height, step->base)},
        .user = {run->user[0], run->user[1], run->user[2], run->user[3]},
        .num_levels = step->num_levels,
        .num_layers = target->num_layers,
        .slice_texels = plan->stages.slice_texels,
        .slice_counters = plan->stages.slice_counters,
        .flags = target->geometry.copies ? WEIR_PYRAMID_FLAG_COPIES : 0,
    };
    if (weir_pyramid_can_filter_size(target->pyramid, push.size.x, push.size.y)) {
        push.flags |= WEIR_PYRAMID_FLAG_FILTERS;
    }
    for (uint32_t i = 0; i < plan->stages.num; i++) {
        const struct weir_pyramid_stage *stage = &plan->stages.stages[i];
        push.stages[i] = (uvec4){
            .x = stage->num_levels | stage->level << WEIR_PYRAMID_STAGE_LEVEL_SHIFT |
                 stage->tile_width << WEIR_PYRAMID_STAGE_TILE_WIDTH_SHIFT |
                 stage->tile_height << WEIR_PYRAMID_STAGE_TILE_HEIGHT_SHIFT,
            .y = stage->tiles_x | stage->tiles_y << WEIR_PYRAMID_STAGE_TILES_Y_SHIFT,
            .z = stage->texels,
            .w = stage->counters,
        };
    }
    return push;
}

// Record a step for each group of images. Groups do not depend on each other.
static void record_step(const weir_pyramid_target *target, VkCommandBuffer cmd,
                        const struct weir_pyramid_step *step, const struct weir_pyramid_run *run)
{
    const struct weir_vk_functions *vk = &target->pyramid->context->vk;
    const struct weir_vk_pipeline *pipeline = target->pipelines[step - target->plan.steps];
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
    WEIR_TRY(WEIR_CHECK_GIVEN(target ? &target->pyramid->context->log : NULL, target, cmd));
    weir_context *context = target->pyramid->context;
    WEIR_TRY(weir_context_check_lost(context));
    run = run ? run : &none;
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(target->pyramid);
    const VkAccessFlags2 accesses = scope.reads | scope.writes;
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
    weir_vk_label_begin(context, cmd, weir_pyramid_method_get_info(target->method)->name);
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
