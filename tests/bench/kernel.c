// SPDX-License-Identifier: MIT
// The bench's own kernels: floors, copies and the methods that others are compared with.
#include "tests/bench/kernel.h"

#include <stdlib.h>

#include "capture/weir/common/report.h"

enum weir_result bench_kernel_init(struct bench_kernel *kernel, struct cli_gpu *gpu,
                                   const struct weir_gpu_layout_params *params)
{
    *kernel = (struct bench_kernel){.gpu = gpu};
    return weir_gpu_layout_init(gpu->work, params, &kernel->layout);
}

void bench_kernel_finish(struct bench_kernel *kernel)
{
    if (!kernel->gpu) {
        return;
    }
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

enum weir_result bench_sets_init(struct bench_sets *sets, const struct bench_kernel *kernel,
                                 uint32_t max_sets, uint32_t max_views)
{
    *sets = (struct bench_sets){
        .kernel = kernel,
        .sets = calloc(max_sets, sizeof(*sets->sets)),
        .views = calloc(max_views + 1, sizeof(*sets->views)),
    };
    if (!sets->sets || !sets->views) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return weir_gpu_pool_init(kernel->gpu->work, &kernel->layout, max_sets, &sets->pool);
}

void bench_sets_finish(struct bench_sets *sets)
{
    if (!sets->kernel) {
        return;
    }
    VkDevice vk = sets->kernel->gpu->vk;
    for (uint32_t i = 0; i < sets->num_views; i++) {
        vkDestroyImageView(vk, sets->views[i], NULL);
    }
    vkDestroyDescriptorPool(vk, sets->pool, NULL);
    free(sets->views);
    free(sets->sets);
    *sets = (struct bench_sets){0};
}

enum weir_result bench_sets_add_view(struct bench_sets *sets,
                                     const struct bench_view_params *params, VkImageView *view)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = params->usage,
    };
    const bool is_array = params->layers > 0;
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = params->image,
        .viewType = is_array ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
        .format = params->format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, params->level, 1, 0,
                             is_array ? params->layers : 1},
    };
    const VkResult result = vkCreateImageView(sets->kernel->gpu->vk, &info, NULL, view);
    if (result != VK_SUCCESS) {
        cli_report_error("vkCreateImageView: VkResult %d", (int)result);
        return WEIR_ERROR_VULKAN;
    }
    sets->views[sets->num_views++] = *view;
    return WEIR_OK;
}

enum weir_result bench_sets_add_image(struct bench_sets *sets,
                                      const struct weir_image_params *image, VkFormat format,
                                      VkImageUsageFlags usage, struct weir_gpu_descriptor *info)
{
    return bench_sets_add_view(
        sets, &(const struct bench_view_params){image->image, format, usage, 0, 0}, &info->view);
}

enum weir_result bench_sets_add(struct bench_sets *sets,
                                const struct weir_gpu_descriptor *descriptors)
{
    return weir_gpu_set_init(sets->kernel->gpu->work, sets->pool, &sets->kernel->layout,
                             descriptors, &sets->sets[sets->num_sets++]);
}

void bench_sets_record(const struct bench_sets *sets, uint32_t form, uint32_t set, const void *push,
                       struct bench_groups groups, VkCommandBuffer commands)
{
    const struct bench_kernel *kernel = sets->kernel;
    weir_cmd_bind(kernel->gpu->work, commands, &kernel->layout, kernel->forms[form],
                  sets->sets[set], push);
    vkCmdDispatch(commands, groups.x, groups.y, groups.z);
}
