// SPDX-License-Identifier: MIT
// A generator of mip levels: a pyramid for each format that came, and targets, used in turn.
#include <weir/mips.h>

#include <stdlib.h>

#include "base/size.h"
#include "pyramid/pyramid.h"
#include "vk/barrier.h"

enum { DEFAULT_IN_FLIGHT = 16, MAX_IN_FLIGHT = 1024 };

struct weir_mips {
    weir_context *context;
    struct weir_mips_params params;
    weir_pyramid *pyramids[WEIR_PYRAMID_MAX_FORMATS]; // by the index in weir_pyramid_format_list()
    struct weir_pyramid_target *targets;              // max_in_flight
    uint32_t next;                                    // the target of the next call
};

static enum weir_result mips_init(weir_mips *mips)
{
    const struct weir_log *log = &mips->context->log;
    struct weir_mips_params *params = &mips->params;
    params->max_in_flight = params->max_in_flight ? params->max_in_flight : DEFAULT_IN_FLIGHT;
    WEIR_FAIL_IF(
        params->max_in_flight > MAX_IN_FLIGHT || params->reduction == WEIR_PYRAMID_CUSTOM ||
            !weir_pyramid_reduction_get_info(params->reduction),
        log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
        "weir_mips_params.max_in_flight is %u, of at most %d, and reduction %d, of all but CUSTOM",
        params->max_in_flight, MAX_IN_FLIGHT, (int)params->reduction);
    mips->targets = weir_alloc(log, params->max_in_flight, sizeof(*mips->targets), "mips");
    if (!mips->targets) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < params->max_in_flight; i++) {
        WEIR_TRY(weir_pyramid_views_alloc(mips->context, 1, 1, WEIR_PYRAMID_MAX_LEVELS,
                                          &mips->targets[i]));
    }
    return WEIR_OK;
}

enum weir_result weir_mips_create(weir_context *context, const struct weir_mips_params *params,
                                  weir_mips **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_context_log(context), out, context, params));
    WEIR_TRY(weir_context_check_lost(context));
    weir_mips *mips = weir_object_alloc(context, WEIR_OBJECT_MIPS, sizeof(*mips));
    if (!mips) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *mips = (weir_mips){.context = context, .params = *params};
    mips->params.debug_tag = NULL;
    const enum weir_result result = mips_init(mips);
    if (result != WEIR_OK) {
        weir_mips_destroy(&mips);
    }
    *out = mips;
    return result;
}

void weir_mips_destroy(weir_mips **out)
{
    if (!out || !*out) {
        return;
    }
    weir_mips *mips = *out;
    for (uint32_t i = 0; mips->targets && i < mips->params.max_in_flight; i++) {
        weir_pyramid_target_finish(mips->context, &mips->targets[i]);
    }
    for (int i = 0; i < WEIR_PYRAMID_MAX_FORMATS; i++) {
        weir_pyramid_destroy(&mips->pyramids[i]);
    }
    free(mips->targets);
    weir_object_free(mips->context, WEIR_OBJECT_MIPS, mips);
    *out = NULL;
}

struct weir_mips_params weir_mips_get_params(const weir_mips *mips)
{
    return mips ? mips->params : (struct weir_mips_params){0};
}

// AUTO finds out whether kernels can write the format. Those of GENERAL make any size, without
// scratch memory: the first of a chain, and the later ones.
static enum weir_result make_pyramid(const weir_mips *mips, VkFormat format, weir_pyramid **out)
{
    struct weir_pyramid_target both = {.geometry = {.width = 8, .height = 8, .num_levels = 3}};
    WEIR_TRY(weir_pyramid_create(mips->context,
                                 weir_pyramid_params(.reduction = mips->params.reduction,
                                                     .precision = mips->params.precision,
                                                     .format = format),
                                 out));
    weir_pyramid *pyramid = *out;
    if (pyramid->params.method == WEIR_PYRAMID_SINGLE) {
        pyramid->params.method = WEIR_PYRAMID_GENERAL;
    }
    both.pyramid = pyramid;
    weir_pyramid_plan_init(pyramid->params.method, &both.geometry, &both.plan);
    const enum weir_result result = weir_pyramid_make_pipelines(&both);
    if (result != WEIR_OK) {
        weir_pyramid_destroy(out);
    }
    return result;
}

// Bind an image to the next target.
static enum weir_result bind(weir_mips *mips, const struct weir_image_params *params,
                             struct weir_pyramid_target **out)
{
    const struct weir_pyramid_format_info *info = weir_pyramid_format_get_info(params->format);
    weir_pyramid *none = NULL; // weir_pyramid_create() refuses the format
    weir_pyramid **pyramid = info ? &mips->pyramids[info - weir_pyramid_format_list(NULL)] : &none;
    if (!*pyramid) {
        WEIR_TRY(make_pyramid(mips, params->format, pyramid));
    }
    const weir_image wrapped = {.context = mips->context, .params = *params};
    const weir_image *const images[] = {&wrapped};
    *out = &mips->targets[mips->next];
    weir_pyramid_views_clear(mips->context, *out);
    WEIR_TRY(
        weir_pyramid_target_init(*out, *pyramid, weir_pyramid_target_params(.images = images)));
    mips->next = (mips->next + 1) % mips->params.max_in_flight;
    return WEIR_OK;
}

static struct weir_mips_uses resolve(const struct weir_mips_uses *uses)
{
    struct weir_mips_uses out = uses ? *uses : (struct weir_mips_uses){0};
    if (!out.src_layout) {
        out.src_layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
        out.src_stages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
        out.src_access |= VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    if (!out.dst_layout) {
        out.dst_layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
        out.dst_access |= VK_ACCESS_SHADER_READ_BIT;
    }
    return out;
}

// Make the barriers before the kernels, of the first level and of the others. Returns their number.
static uint32_t make_barriers(const struct weir_image_params *image,
                              const struct weir_mips_uses *use,
                              const struct weir_pyramid_scope *scope,
                              VkImageMemoryBarrier barriers[2])
{
    barriers[0] = (VkImageMemoryBarrier){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = weir_vk_accesses(use->src_access),
        .dstAccessMask = weir_vk_accesses(scope->reads | scope->writes),
        .oldLayout = use->src_layout,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, image->layers},
    };
    barriers[1] = barriers[0];
    barriers[1].oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    barriers[1].subresourceRange.baseMipLevel = 1;
    barriers[1].subresourceRange.levelCount = image->levels - 1;
    return image->levels > 1 ? 2 : 1;
}

enum weir_result weir_cmd_generate_mips(weir_mips *mips, VkCommandBuffer cmd,
                                        const struct weir_image_params *image,
                                        const struct weir_mips_uses *uses)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(mips ? &mips->context->log : NULL, mips, cmd, image));
    WEIR_TRY(weir_context_check_lost(mips->context));
    WEIR_TRY(weir_image_check_params(mips->context, image));
    struct weir_image_params params = *image;
    params.levels = weir_at_least_1(params.levels);
    params.layers = weir_at_least_1(params.layers);
    struct weir_pyramid_target *target = NULL;
    WEIR_TRY(bind(mips, &params, &target));
    const struct weir_mips_uses use = resolve(uses);
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(target->pyramid);
    VkImageMemoryBarrier barriers[2];
    const uint32_t num = make_barriers(&params, &use, &scope, barriers);
    const PFN_vkCmdPipelineBarrier record = mips->context->vk.CmdPipelineBarrier;
    record(cmd, weir_vk_stages(use.src_stages), weir_vk_stages(scope.stages), 0, 0, NULL, 0, NULL,
           num, barriers);
    WEIR_TRY(weir_cmd_pyramid(target, cmd, NULL));
    VkImageMemoryBarrier after = barriers[0]; // of all levels
    after.srcAccessMask = weir_vk_accesses(scope.writes);
    after.dstAccessMask = weir_vk_accesses(use.dst_access);
    after.oldLayout = VK_IMAGE_LAYOUT_GENERAL;
    after.newLayout = use.dst_layout;
    after.subresourceRange.levelCount = params.levels;
    record(cmd, weir_vk_stages(scope.stages), weir_vk_stages(use.dst_stages), 0, 0, NULL, 0, NULL,
           1, &after);
    return WEIR_OK;
}
