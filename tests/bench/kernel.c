// SPDX-License-Identifier: MIT
// The bench's own kernels: floors, copies and the methods that others are compared with.
#include "tests/bench/kernel.h"

#include <stdlib.h>

#include "tests/bench/bench.h"

static bool has_sampler(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static uint32_t count_of(const struct bench_binding *binding)
{
    return binding->count != 0 ? binding->count : 1;
}

enum weir_result bench_kernel_init(struct bench_kernel *kernel, struct cli_gpu *gpu,
                                   const struct bench_kernel_params *params)
{
    *kernel = (struct bench_kernel){.gpu = gpu, .params = *params};
    VkDescriptorSetLayoutBinding bindings[BENCH_MAX_BINDINGS];
    WEIR_TRY(cli_sampler_create(gpu, params->filter, &kernel->sampler));
    for (uint32_t i = 0; i < params->num_bindings; i++) {
        const struct bench_binding *binding = &params->bindings[i];
        bindings[i] = (VkDescriptorSetLayoutBinding){
            i, binding->type, count_of(binding), VK_SHADER_STAGE_COMPUTE_BIT,
            has_sampler(binding->type) ? &kernel->sampler : NULL};
    }
    return cli_layout_init(gpu, bindings, params->num_bindings, params->push_size, &kernel->layout);
}

void bench_kernel_finish(struct bench_kernel *kernel)
{
    if (!kernel->gpu) {
        return;
    }
    for (uint32_t i = 0; i < kernel->num_forms; i++) {
        vkDestroyPipeline(kernel->gpu->vk, kernel->forms[i], NULL);
    }
    cli_layout_finish(kernel->gpu, &kernel->layout);
    vkDestroySampler(kernel->gpu->vk, kernel->sampler, NULL);
    *kernel = (struct bench_kernel){0};
}

enum weir_result bench_kernel_add_form(struct bench_kernel *kernel,
                                       const struct cli_pipeline_params *params)
{
    return cli_pipeline_create(kernel->gpu, &kernel->layout, params,
                               &kernel->forms[kernel->num_forms++]);
}

enum weir_result bench_sets_init(struct bench_sets *sets, const struct bench_kernel *kernel,
                                 uint32_t max_sets, uint32_t max_views)
{
    const struct bench_kernel_params *params = &kernel->params;
    *sets = (struct bench_sets){
        .kernel = kernel,
        .sets = calloc(max_sets, sizeof(*sets->sets)),
        .views = calloc(max_views + 1, sizeof(*sets->views)),
    };
    if (!sets->sets || !sets->views) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    VkDescriptorPoolSize sizes[BENCH_MAX_BINDINGS];
    for (uint32_t i = 0; i < params->num_bindings; i++) {
        sizes[i] = (VkDescriptorPoolSize){params->bindings[i].type,
                                          count_of(&params->bindings[i]) * max_sets};
    }
    return cli_pool_create(kernel->gpu, sizes, params->num_bindings, max_sets, &sets->pool);
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
    WEIR_TRY(cli_gpu_check_made(vkCreateImageView(sets->kernel->gpu->vk, &info, NULL, view),
                                "vkCreateImageView", view));
    sets->views[sets->num_views++] = *view;
    return WEIR_OK;
}

enum weir_result bench_sets_add_image(struct bench_sets *sets,
                                      const struct weir_image_params *image, VkFormat format,
                                      VkImageUsageFlags usage, VkDescriptorImageInfo *info)
{
    info->imageLayout = usage == VK_IMAGE_USAGE_STORAGE_BIT
                            ? VK_IMAGE_LAYOUT_GENERAL
                            : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    return bench_sets_add_view(sets,
                               &(const struct bench_view_params){image->image, format, usage, 0, 0},
                               &info->imageView);
}

enum weir_result bench_sets_add(struct bench_sets *sets, const void *const *infos)
{
    const struct bench_kernel *kernel = sets->kernel;
    VkWriteDescriptorSet writes[BENCH_MAX_BINDINGS];
    uint32_t num = 0;
    for (; num < kernel->params.num_bindings && infos[num]; num++) {
        const struct bench_binding *binding = &kernel->params.bindings[num];
        const bool is_buffer = binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        writes[num] = (VkWriteDescriptorSet){
            .descriptorType = binding->type,
            .descriptorCount = count_of(binding),
            .pImageInfo = is_buffer ? NULL : infos[num],
            .pBufferInfo = is_buffer ? infos[num] : NULL,
        };
    }
    return cli_set_init(kernel->gpu, sets->pool, &kernel->layout, writes, num,
                        &sets->sets[sets->num_sets++]);
}

void bench_sets_record(const struct bench_sets *sets, uint32_t form, uint32_t set, const void *push,
                       struct bench_groups groups, VkCommandBuffer commands)
{
    const struct bench_kernel *kernel = sets->kernel;
    cli_cmd_bind(commands, &kernel->layout, kernel->forms[form], sets->sets[set], push,
                 kernel->params.push_size);
    vkCmdDispatch(commands, groups.x, groups.y, groups.z);
}
