// SPDX-License-Identifier: MIT
// The bench's own kernels: floors, copies and what encoders are compared with.
#include "tests/bench/kernel.h"

#include "capture/weir/common/report.h"

enum weir_result bench_kernel_init(struct bench_kernel *kernel, struct cli_gpu *gpu,
                                   const struct weir_gpu_layout_params *params)
{
    *kernel = (struct bench_kernel){.gpu = gpu};
    WEIR_TRY(weir_gpu_layout_init(gpu->work, params, &kernel->layout));
    return weir_gpu_pool_init(gpu->work, &kernel->layout, BENCH_MAX_SETS, &kernel->pool);
}

void bench_kernel_clear(struct bench_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->num_views; i++) {
        vkDestroyImageView(kernel->gpu->vk, kernel->views[i], NULL);
    }
    kernel->num_views = 0;
    if (kernel->num_sets > 0) {
        vkResetDescriptorPool(kernel->gpu->vk, kernel->pool, 0);
    }
    kernel->num_sets = 0;
}

void bench_kernel_finish(struct bench_kernel *kernel)
{
    if (!kernel->gpu) {
        return;
    }
    bench_kernel_clear(kernel);
    vkDestroyDescriptorPool(kernel->gpu->vk, kernel->pool, NULL);
    for (uint32_t i = 0; i < kernel->num_forms; i++) {
        vkDestroyPipeline(kernel->gpu->vk, kernel->forms[i], NULL);
    }
    weir_gpu_layout_finish(kernel->gpu->work, &kernel->layout);
    *kernel = (struct bench_kernel){0};
}

enum weir_result bench_kernel_add_form(struct bench_kernel *kernel,
                                       const struct weir_gpu_kernel *params)
{
    return weir_gpu_pipeline_init(kernel->gpu->work, &kernel->layout, params,
                                  &kernel->forms[kernel->num_forms++]);
}

enum weir_result bench_kernel_add_view(struct bench_kernel *kernel,
                                       const struct bench_view_params *params, VkImageView *view)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = params->usage,
    };
    const bool is_array = params->layers > 0;
    const VkImageViewCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = params->image,
        .viewType = is_array ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
        .format = params->format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, params->level, 1, 0,
                             is_array ? params->layers : 1},
    };
    const VkResult result = vkCreateImageView(kernel->gpu->vk, &create, NULL, view);
    if (result != VK_SUCCESS) {
        cli_report_error("vkCreateImageView: VkResult %d", (int)result);
        return WEIR_ERROR_VULKAN;
    }
    kernel->views[kernel->num_views++] = *view;
    return WEIR_OK;
}

enum weir_result bench_kernel_add_set(struct bench_kernel *kernel,
                                      const struct weir_gpu_descriptor *descriptors)
{
    return weir_gpu_set_init(kernel->gpu->work, kernel->pool, &kernel->layout, descriptors,
                             &kernel->sets[kernel->num_sets++]);
}

void bench_kernel_record(const struct bench_kernel *kernel, uint32_t form, uint32_t set,
                         const void *push, struct bench_groups groups, VkCommandBuffer commands)
{
    weir_cmd_bind(kernel->gpu->work, commands, &kernel->layout, kernel->forms[form],
                  kernel->sets[set], push);
    vkCmdDispatch(commands, groups.x, groups.y, groups.z);
}

enum weir_result bench_buffer_init(struct cli_gpu *gpu, uint64_t size, bool mapped,
                                   struct bench_buffer *buffer)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    WEIR_TRY(cli_buffer_init(gpu, size, usage, mapped, &buffer->memory));
    return weir_buffer_create(gpu->context,
                              weir_buffer_params(.buffer = buffer->memory.buffer, .size = size),
                              &buffer->weir);
}

void bench_buffer_finish(struct cli_gpu *gpu, struct bench_buffer *buffer)
{
    weir_buffer_destroy(&buffer->weir);
    weir_gpu_buffer_finish(gpu->work, &buffer->memory);
}
