// SPDX-License-Identifier: MIT
// Frames become smaller on the device, as light: a frame and its result.
#include "capture/base/size.h"
#include "capture/weir/gpu/scaler.h"

enum { GROUP_SIDE = 8 }; // of kernels/shorten.comp

static enum weir_result make_sets(struct cli_scaled *scaled, const struct cli_scaler *scaler)
{
    weir_gpu *gpu = scaler->gpu->work;
    const struct weir_gpu_layout *layout = &scaler->layout;
    const struct weir_gpu_descriptor frame =
        scaler->level > 0 ? (struct weir_gpu_descriptor){.view = scaler->level_view,
                                                         .image_layout = VK_IMAGE_LAYOUT_GENERAL}
                          : (struct weir_gpu_descriptor){.view = scaled->source_view};
    const struct weir_gpu_descriptor middle = {.view = scaler->middle_view,
                                               .image_layout = VK_IMAGE_LAYOUT_GENERAL};
    const bool has_middle = scaler->across.pipeline;
    const struct weir_gpu_descriptor across[] = {
        frame, middle, {.buffer = scaler->across.taps.buffer}};
    const struct weir_gpu_descriptor down[] = {has_middle ? middle : frame,
                                               {.view = scaled->result_view},
                                               {.buffer = scaler->down.taps.buffer}};
    WEIR_TRY(weir_gpu_pool_init(gpu, layout, 2, &scaled->pool));
    if (has_middle) {
        WEIR_TRY(weir_gpu_set_init(gpu, scaled->pool, layout, across, &scaled->across));
    }
    return weir_gpu_set_init(gpu, scaled->pool, layout, down, &scaled->down);
}

static enum weir_result make_images(struct cli_scaled *scaled, const struct cli_scaler *scaler,
                                    const weir_image *source)
{
    const struct cli_scaler_params *params = &scaler->params;
    WEIR_TRY(cli_image_init_written(scaler->gpu, params->format, params->to.width,
                                    params->to.height, &scaled->result));
    WEIR_TRY(weir_gpu_view_init(scaler->gpu->work, &scaled->result.gpu.params, 0, 1,
                                &scaled->result_view));
    if (scaler->level == 0) {
        const struct weir_image_params image = weir_image_get_params(source);
        return weir_gpu_view_init(scaler->gpu->work, &image, 0, 1, &scaled->source_view);
    }
    const weir_image *const levels[] = {scaler->wrapped}, *sources[] = {source};
    return weir_pyramid_target_create(
        scaler->pyramid, weir_pyramid_target_params(.images = levels, .sources = sources),
        &scaled->target);
}

enum weir_result cli_scaled_init(struct cli_scaled *scaled, const struct cli_scaler *scaler,
                                 const weir_image *source)
{
    *scaled = (struct cli_scaled){0};
    WEIR_TRY(make_images(scaled, scaler, source));
    return make_sets(scaled, scaler);
}

void cli_scaled_finish(struct cli_scaled *scaled, const struct cli_scaler *scaler)
{
    struct cli_gpu *gpu = scaler->gpu;
    if (!gpu) {
        return;
    }
    vkDestroyDescriptorPool(gpu->vk, scaled->pool, NULL);
    vkDestroyImageView(gpu->vk, scaled->source_view, NULL);
    vkDestroyImageView(gpu->vk, scaled->result_view, NULL);
    weir_pyramid_target_destroy(&scaled->target);
    cli_image_finish(gpu, &scaled->result);
    *scaled = (struct cli_scaled){0};
}

static void record_pass(VkCommandBuffer commands, const struct cli_scaler *scaler,
                        const struct cli_scaler_pass *pass, VkDescriptorSet set)
{
    const struct cli_scaler_push push = {pass->size.width, pass->size.height, pass->num_taps};
    weir_cmd_bind(scaler->gpu->work, commands, &scaler->layout, pass->pipeline, set, &push);
    vkCmdDispatch(commands, (uint32_t)weir_divide_up(pass->size.width, GROUP_SIDE),
                  (uint32_t)weir_divide_up(pass->size.height, GROUP_SIDE), 1);
}

// Levels and the middle are one for all frames, whose commands follow each other in a queue.
static enum weir_result record_levels(const struct cli_scaled *scaled,
                                      const struct cli_scaler *scaler)
{
    const struct cli_scaler_params *params = &scaler->params;
    return weir_cmd_pyramid(scaled->target, scaled->commands,
                            &(const struct weir_pyramid_run){
                                .src_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                .dst_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                .src_access = VK_ACCESS_SHADER_WRITE_BIT,
                                .dst_access = VK_ACCESS_SHADER_READ_BIT,
                                .user = {params->format == VK_FORMAT_R16G16B16A16_SFLOAT ? 0 : 1,
                                         params->has_alpha ? 1 : 0},
                            });
}

static void record_passes(const struct cli_scaled *scaled, const struct cli_scaler *scaler)
{
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const struct weir_gpu_scope used = {compute, 0, 0},
                                written = {compute, VK_ACCESS_SHADER_WRITE_BIT, 0};
    const struct weir_gpu_scope read = {compute, VK_ACCESS_SHADER_READ_BIT, 0};
    if (scaler->across.pipeline) {
        weir_cmd_barrier(scaler->gpu->work, scaled->commands, NULL, used, written);
        record_pass(scaled->commands, scaler, &scaler->across, scaled->across);
        weir_cmd_barrier(scaler->gpu->work, scaled->commands, NULL, written, read);
    }
    const struct weir_gpu_scope unused = {compute, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope filled = {compute, VK_ACCESS_SHADER_WRITE_BIT,
                                          VK_IMAGE_LAYOUT_GENERAL};
    const struct weir_gpu_scope done = {compute, VK_ACCESS_SHADER_READ_BIT,
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    weir_cmd_barrier(scaler->gpu->work, scaled->commands, &scaled->result.gpu.params, unused,
                     filled);
    record_pass(scaled->commands, scaler, &scaler->down, scaled->down);
    weir_cmd_barrier(scaler->gpu->work, scaled->commands, &scaled->result.gpu.params, filled, done);
}

enum weir_result cli_scaled_run(struct cli_scaled *scaled, const struct cli_scaler *scaler,
                                struct weir_point *done)
{
    WEIR_TRY(weir_gpu_begin(scaler->gpu->work, &scaled->commands));
    if (scaler->level > 0) {
        WEIR_TRY(record_levels(scaled, scaler));
    }
    record_passes(scaled, scaler);
    return weir_gpu_submit(scaler->gpu->work, scaled->commands, NULL, done);
}
