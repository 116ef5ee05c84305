// SPDX-License-Identifier: MIT
// The kernels of weir-bench pyramid itself: the floor in several forms, the empty one, and what
// fills images.
#include "tests/bench/pyramid/floor.h"

#include <stdlib.h>

#include "capture/base/size.h"

static const uint32_t floor_code[] =
#include "pyramid_floor.inc"
    ;
static const uint32_t empty_code[] =
#include "pyramid_empty.inc"
    ;
static const uint32_t fill_code[] =
#include "pyramid_fill.inc"
    ;

// The first is the plain one. The others differ in what lies side by side and in how much is in
// flight.
const struct bench_pyramid_form bench_pyramid_forms[BENCH_PYRAMID_NUM_FORMS] = {
    {16, 16, 1, 1, BENCH_PYRAMID_OWN},  {16, 16, 1, 1, BENCH_PYRAMID_WITH},
    {32, 8, 1, 1, BENCH_PYRAMID_WITH},  {8, 32, 1, 1, BENCH_PYRAMID_WITH},
    {16, 16, 1, 2, BENCH_PYRAMID_WITH}, {16, 16, 2, 2, BENCH_PYRAMID_WITH},
    {8, 16, 2, 2, BENCH_PYRAMID_WITH},  {32, 8, 1, 4, BENCH_PYRAMID_WITH},
    {16, 16, 4, 4, BENCH_PYRAMID_WITH}, {16, 16, 1, 2, BENCH_PYRAMID_FIRST},
};

enum { FILL_SIDE = 16 }; // of a workgroup of shaders/pyramid_fill.comp

// Of the floor and, up to `last`, of the kernel that fills.
struct push_constants {
    uint32_t width, height;
    uint32_t last; // levels; or the seed
    uint32_t num_tiles;
};

static enum weir_result make_layout(struct bench_pyramid_kernels *kernels, bool linear)
{
    const enum weir_result result = cli_sampler_create(
        kernels->gpu, linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST, &kernels->sampler);
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
         &kernels->sampler},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, BENCH_PYRAMID_MAX_LEVELS, VK_SHADER_STAGE_COMPUTE_BIT,
         NULL},
    };
    return result == WEIR_OK ? cli_layout_init(kernels->gpu, bindings, 2,
                                               sizeof(struct push_constants), &kernels->layout)
                             : result;
}

static enum weir_result make_forms(struct bench_pyramid_kernels *kernels)
{
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < BENCH_PYRAMID_NUM_FORMS && result == WEIR_OK; i++) {
        const struct bench_pyramid_form *form = &bench_pyramid_forms[i];
        const uint32_t constants[] = {form->width, form->height, form->taps_x, form->taps_y,
                                      (uint32_t)form->order};
        const struct cli_pipeline_params params = {floor_code, sizeof(floor_code), constants, 5};
        result = cli_pipeline_create(kernels->gpu, &kernels->layout, &params, &kernels->forms[i]);
    }
    return result;
}

enum weir_result bench_pyramid_kernels_init(struct bench_pyramid_kernels *kernels,
                                            struct cli_gpu *gpu, bool linear)
{
    *kernels = (struct bench_pyramid_kernels){.gpu = gpu};
    const struct cli_pipeline_params empty = {.code = empty_code, .code_size = sizeof(empty_code)};
    const struct cli_pipeline_params fill = {.code = fill_code, .code_size = sizeof(fill_code)};
    enum weir_result result = make_layout(kernels, linear);
    if (result == WEIR_OK) {
        result = make_forms(kernels);
    }
    if (result == WEIR_OK) {
        result = cli_pipeline_create(gpu, &kernels->layout, &empty, &kernels->empty);
    }
    if (result == WEIR_OK) {
        result = cli_pipeline_create(gpu, &kernels->layout, &fill, &kernels->fill);
    }
    return result;
}

void bench_pyramid_kernels_finish(struct bench_pyramid_kernels *kernels)
{
    if (!kernels->gpu) {
        return;
    }
    VkDevice vk = kernels->gpu->vk;
    for (uint32_t i = 0; i < BENCH_PYRAMID_NUM_FORMS; i++) {
        vkDestroyPipeline(vk, kernels->forms[i], NULL);
    }
    vkDestroyPipeline(vk, kernels->empty, NULL);
    vkDestroyPipeline(vk, kernels->fill, NULL);
    cli_layout_finish(kernels->gpu, &kernels->layout);
    vkDestroySampler(vk, kernels->sampler, NULL);
    *kernels = (struct bench_pyramid_kernels){0};
}

static enum weir_result make_views(struct bench_pyramid_sets *sets, uint32_t image)
{
    const struct cli_images *images = sets->images;
    VkImageView *views = sets->views + (size_t)image * (images->levels + 1);
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i <= images->levels && result == WEIR_OK; i++) {
        const VkImageViewUsageCreateInfo usage = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
            .usage = i == 0 ? VK_IMAGE_USAGE_SAMPLED_BIT : VK_IMAGE_USAGE_STORAGE_BIT,
        };
        const VkImageViewCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
            .pNext = &usage,
            .image = images->images[image],
            .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
            .format = i == 0 ? images->format->format : images->format->store,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, i == 0 ? 0 : i - 1, 1, 0,
                                 images->layers},
        };
        result = cli_gpu_check_made(vkCreateImageView(images->gpu->vk, &info, NULL, &views[i]),
                                    "vkCreateImageView", &views[i]);
    }
    return result;
}

static enum weir_result make_set(struct bench_pyramid_sets *sets, uint32_t image)
{
    const struct cli_images *images = sets->images;
    const VkImageView *views = sets->views + (size_t)image * (images->levels + 1);
    const VkDescriptorImageInfo source = {VK_NULL_HANDLE, views[0], VK_IMAGE_LAYOUT_GENERAL};
    // Those beyond the last level are never written to, but all must be valid.
    VkDescriptorImageInfo targets[BENCH_PYRAMID_MAX_LEVELS];
    for (uint32_t i = 0; i < BENCH_PYRAMID_MAX_LEVELS; i++) {
        targets[i] = (VkDescriptorImageInfo){
            VK_NULL_HANDLE, views[1 + (i < images->levels ? i : images->levels - 1)],
            VK_IMAGE_LAYOUT_GENERAL};
    }
    VkWriteDescriptorSet writes[] = {
        {.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .pImageInfo = &source},
        {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
         .descriptorCount = BENCH_PYRAMID_MAX_LEVELS,
         .pImageInfo = targets},
    };
    return cli_set_init(images->gpu, sets->pool, &sets->kernels->layout, writes, 2,
                        &sets->sets[image]);
}

enum weir_result bench_pyramid_sets_init(struct bench_pyramid_sets *sets,
                                         const struct bench_pyramid_kernels *kernels,
                                         const struct cli_images *images)
{
    *sets = (struct bench_pyramid_sets){
        .kernels = kernels,
        .images = images,
        .sets = calloc(images->num, sizeof(*sets->sets)),
        .views = calloc((size_t)images->num * (images->levels + 1), sizeof(*sets->views)),
    };
    if (!sets->sets || !sets->views) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, images->num},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, images->num * BENCH_PYRAMID_MAX_LEVELS},
    };
    enum weir_result result = cli_pool_create(images->gpu, sizes, 2, images->num, &sets->pool);
    for (uint32_t i = 0; i < images->num && result == WEIR_OK; i++) {
        result = make_views(sets, i);
        if (result == WEIR_OK) {
            result = make_set(sets, i);
        }
    }
    return result;
}

void bench_pyramid_sets_finish(struct bench_pyramid_sets *sets)
{
    if (!sets->images) {
        return;
    }
    VkDevice vk = sets->images->gpu->vk;
    const size_t num_views = (size_t)sets->images->num * (sets->images->levels + 1);
    for (size_t i = 0; i < num_views && sets->views; i++) {
        vkDestroyImageView(vk, sets->views[i], NULL);
    }
    vkDestroyDescriptorPool(vk, sets->pool, NULL);
    free(sets->views);
    free(sets->sets);
    *sets = (struct bench_pyramid_sets){0};
}

static void dispatch(const struct bench_pyramid_sets *sets, VkPipeline pipeline, uint32_t image,
                     const struct push_constants *push, uint32_t columns, uint32_t rows,
                     VkCommandBuffer commands)
{
    cli_cmd_bind(commands, &sets->kernels->layout, pipeline, sets->sets[image], push,
                 sizeof(*push));
    vkCmdDispatch(commands, columns, rows, sets->images->layers);
}

void bench_pyramid_record_floor(const struct bench_pyramid_sets *sets, uint32_t form,
                                uint32_t image, VkCommandBuffer commands)
{
    const struct cli_images *images = sets->images;
    const struct bench_pyramid_form *shape = &bench_pyramid_forms[form];
    struct push_constants push = {images->width, images->height, images->levels, 0};
    for (uint32_t i = 2; i < images->levels && shape->order != BENCH_PYRAMID_OWN; i++) {
        const VkExtent2D extent = weir_pyramid_level_extent(images->width, images->height, i);
        push.num_tiles += (uint32_t)weir_divide_up(extent.width, shape->width) *
                          (uint32_t)weir_divide_up(extent.height, shape->height);
    }
    const VkExtent2D first = weir_pyramid_level_extent(images->width, images->height, 1);
    const uint32_t columns = (uint32_t)weir_divide_up(first.width, shape->width * shape->taps_x);
    uint32_t rows = (uint32_t)weir_divide_up(first.height, shape->height * shape->taps_y);
    if (shape->order == BENCH_PYRAMID_FIRST) {
        rows += (uint32_t)weir_divide_up(push.num_tiles, columns);
    }
    dispatch(sets, sets->kernels->forms[form], image, &push, columns, rows, commands);
}

void bench_pyramid_record_empty(const struct bench_pyramid_sets *sets, VkCommandBuffer commands)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, sets->kernels->empty);
    vkCmdDispatch(commands, 1, 1, 1);
}

void bench_pyramid_record_fill(const struct bench_pyramid_sets *sets, VkCommandBuffer commands)
{
    const struct cli_images *images = sets->images;
    for (uint32_t i = 0; i < images->num; i++) {
        const struct push_constants push = {images->width, images->height, i * images->layers, 0};
        dispatch(sets, sets->kernels->fill, i, &push,
                 (uint32_t)weir_divide_up(images->width, FILL_SIDE),
                 (uint32_t)weir_divide_up(images->height, FILL_SIDE), commands);
    }
}
