// SPDX-License-Identifier: MIT
// Frames become smaller on the device, as light: what frames of one size share, and a frame.
#include "capture/weir/gpu/scaler.h"

#include <string.h>

#include "capture/base/size.h"
#include "capture/weir/common/report.h"

static const uint32_t shorten_code[] =
#include "shorten.inc"
    ;

static const VkFormat light_format = VK_FORMAT_R32G32B32A32_SFLOAT;

bool cli_scaler_writes(const struct cli_gpu *gpu, VkFormat format)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(gpu->import->physical_device, format, &properties);
    return gpu->import->features->features.shaderStorageImageWriteWithoutFormat &&
           (properties.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) != 0;
}

static enum weir_result make_layout(struct cli_scaler *scaler)
{
    static const struct weir_gpu_binding bindings[] = {
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
    };
    const struct weir_gpu_layout_params params = {
        .bindings = bindings,
        .num_bindings = 3,
        .push_constants_size = sizeof(struct cli_scaler_push),
    };
    return weir_gpu_layout_init(scaler->gpu->work, &params, &scaler->layout);
}

static uint32_t max_code(VkFormat format)
{
    return format == VK_FORMAT_R8G8B8A8_UNORM       ? UINT8_MAX
           : format == VK_FORMAT_R16G16B16A16_UNORM ? UINT16_MAX
                                                    : 0;
}

static enum weir_result make_pipeline(struct cli_scaler *scaler, bool is_vertical,
                                      VkPipeline *pipeline)
{
    const struct cli_scaler_params *params = &scaler->params;
    const bool reads_frame = !is_vertical || scaler->across.pipeline == VK_NULL_HANDLE;
    const uint32_t constants[] = {
        is_vertical,        reads_frame, is_vertical, params->has_alpha, max_code(params->format),
        params->multiplies,
    };
    const struct weir_gpu_kernel kernel = {shorten_code, sizeof(shorten_code), constants,
                                           sizeof(constants) / sizeof(constants[0])};
    return weir_gpu_pipeline_init(scaler->gpu->work, &scaler->layout, &kernel, pipeline);
}

// The taps as the kernel reads them, in the device's own memory.
static enum weir_result upload_taps(struct cli_gpu *gpu, const struct cli_taps *taps,
                                    struct weir_gpu_buffer *buffer)
{
    const size_t first_size = taps->size * sizeof(*taps->first);
    const size_t weights_size = (size_t)taps->size * taps->num * sizeof(*taps->weights);
    const uint64_t size = first_size + weights_size;
    struct weir_gpu_buffer staging;
    VkCommandBuffer commands;
    enum weir_result result = cli_buffer_init(gpu, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, true,
                                              &staging);
    if (result == WEIR_OK) {
        memcpy(staging.mapped, taps->first, first_size);
        memcpy(staging.mapped + first_size, taps->weights, weights_size);
        result = cli_buffer_init(
            gpu, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false,
            buffer);
    }
    if (result == WEIR_OK) {
        result = weir_gpu_begin(gpu->work, &commands);
    }
    if (result == WEIR_OK) {
        const VkBufferCopy copy = {0, 0, size};
        vkCmdCopyBuffer(commands, staging.buffer, buffer->buffer, 1, &copy);
        result = weir_gpu_run(gpu->work, commands);
    }
    weir_gpu_buffer_finish(gpu->work, &staging);
    return result;
}

// A pass that makes an axis of `length` texels as long as that of `size`.
static enum weir_result make_pass(struct cli_scaler *scaler, uint32_t length, VkExtent2D size,
                                  bool is_vertical, struct cli_scaler_pass *pass)
{
    struct cli_taps taps;
    enum weir_result result = WEIR_OK;
    pass->size = size;
    if (!cli_taps_init(&taps, length, is_vertical ? size.height : size.width,
                       CLI_FILTER_CATMULL_ROM, CLI_EDGE_MIRROR)) {
        cli_report_error("no memory to make frames smaller; close other programs");
        result = WEIR_ERROR_OUT_OF_MEMORY;
    }
    pass->num_taps = taps.num;
    if (result == WEIR_OK) {
        result = upload_taps(scaler->gpu, &taps, &pass->taps);
    }
    cli_taps_finish(&taps);
    return result == WEIR_OK ? make_pipeline(scaler, is_vertical, &pass->pipeline) : result;
}

// Make the image between the passes. It is in VK_IMAGE_LAYOUT_GENERAL from now on.
static enum weir_result make_middle(struct cli_scaler *scaler, VkExtent2D size)
{
    const struct weir_gpu_scope unused = {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                                          VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope general = {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0,
                                           VK_IMAGE_LAYOUT_GENERAL};
    weir_gpu *gpu = scaler->gpu->work;
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_image_init(
        gpu,
        weir_image_params(.format = light_format, .width = size.width, .height = size.height,
                          .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT),
        0, &scaler->middle));
    WEIR_TRY(weir_gpu_view_init(gpu, &scaler->middle.params, 0, 1, &scaler->middle_view));
    WEIR_TRY(weir_gpu_begin(gpu, &commands));
    weir_cmd_barrier(gpu, commands, &scaler->middle.params, unused, general);
    return weir_gpu_run(gpu, commands);
}

enum weir_result cli_scaler_init(struct cli_scaler *scaler, struct cli_gpu *gpu,
                                 const struct cli_scaler_params *params)
{
    *scaler = (struct cli_scaler){.params = *params, .gpu = gpu};
    CLI_FAIL_IF(!cli_scaler_writes(gpu, params->format) || !cli_scaler_writes(gpu, light_format),
                WEIR_ERROR_UNSUPPORTED,
                "frames cannot be made smaller on %s, which cannot write images of the "
                "needed formats; choose another with --device",
                gpu->properties.deviceName);
    const struct cli_size from = params->from, to = params->to;
    WEIR_TRY(make_layout(scaler));
    if (from.width != to.width) {
        const VkExtent2D middle = {to.width, from.height};
        WEIR_TRY(make_pass(scaler, from.width, middle, false, &scaler->across));
        WEIR_TRY(make_middle(scaler, middle));
    }
    return make_pass(scaler, from.height, (VkExtent2D){to.width, to.height}, true, &scaler->down);
}

static void finish_pass(struct cli_gpu *gpu, struct cli_scaler_pass *pass)
{
    vkDestroyPipeline(gpu->vk, pass->pipeline, NULL);
    weir_gpu_buffer_finish(gpu->work, &pass->taps);
}

void cli_scaler_finish(struct cli_scaler *scaler)
{
    struct cli_gpu *gpu = scaler->gpu;
    if (!gpu) {
        return;
    }
    finish_pass(gpu, &scaler->across);
    finish_pass(gpu, &scaler->down);
    weir_gpu_layout_finish(gpu->work, &scaler->layout);
    vkDestroyImageView(gpu->vk, scaler->middle_view, NULL);
    weir_gpu_image_finish(gpu->work, &scaler->middle);
    *scaler = (struct cli_scaler){0};
}

enum { GROUP_SIDE = 8 }; // of kernels/shorten.comp

static enum weir_result make_sets(struct cli_scaled *scaled, const struct cli_scaler *scaler)
{
    weir_gpu *gpu = scaler->gpu->work;
    const struct weir_gpu_layout *layout = &scaler->layout;
    const struct weir_gpu_descriptor frame = {.view = scaled->source_view};
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
    WEIR_TRY(cli_image_init(scaler->gpu,
                            weir_image_params(.format = params->format, .width = params->to.width,
                                              .height = params->to.height,
                                              .usage = VK_IMAGE_USAGE_STORAGE_BIT),
                            &scaled->result));
    WEIR_TRY(weir_gpu_view_init(scaler->gpu->work, &scaled->result.gpu.params, 0, 1,
                                &scaled->result_view));
    const struct weir_image_params image = weir_image_get_params(source);
    return weir_gpu_view_init(scaler->gpu->work, &image, 0, 1, &scaled->source_view);
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

// The middle is one for all frames, whose commands follow each other in a queue.
static void record_passes(const struct cli_scaled *scaled, const struct cli_scaler *scaler)
{
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const struct weir_gpu_scope used = {compute, 0, 0};
    if (scaler->across.pipeline) {
        weir_cmd_barrier(scaler->gpu->work, scaled->commands, NULL, used, cli_kernel_writes);
        record_pass(scaled->commands, scaler, &scaler->across, scaled->across);
        weir_cmd_barrier(scaler->gpu->work, scaled->commands, NULL, cli_kernel_writes,
                         cli_kernel_reads);
    }
    const struct weir_gpu_scope unused = {compute, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    weir_cmd_barrier(scaler->gpu->work, scaled->commands, &scaled->result.gpu.params, unused,
                     cli_kernel_writes);
    record_pass(scaled->commands, scaler, &scaler->down, scaled->down);
    weir_cmd_barrier(scaler->gpu->work, scaled->commands, &scaled->result.gpu.params,
                     cli_kernel_writes, cli_kernel_reads);
}

enum weir_result cli_scaled_run(struct cli_scaled *scaled, const struct cli_scaler *scaler,
                                struct weir_point *done)
{
    WEIR_TRY(weir_gpu_begin(scaler->gpu->work, &scaled->commands));
    record_passes(scaled, scaler);
    return weir_gpu_submit(scaler->gpu->work, scaled->commands, NULL, done);
}
