// SPDX-License-Identifier: MIT
// The floor kernel: reads an image once and writes 8 or 16 bytes a block. See shaders/floor.comp.
#include "tests/bench/encode/floor.h"

#include "capture/base/size.h"

static const uint32_t code[] =
#include "floor.inc"
    ;

const struct bench_floor_shape bench_floor_shapes[BENCH_NUM_FLOOR_SHAPES] = {
    {8, 8, 0}, {16, 8, 0}, {32, 2, 0}, {64, 2, 0}, {8, 8, 1}, {16, 8, 1}, {32, 2, 1}, {64, 2, 1},
};

struct push_constants {
    uint32_t width, height, blocks_per_row;
};

static enum weir_result make_layout(struct bench_floor *floor)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    return cli_layout_init(floor->gpu, bindings, 2, sizeof(struct push_constants), &floor->layout);
}

static enum weir_result make_pipelines(struct bench_floor *floor, uint32_t block_size)
{
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < BENCH_NUM_FLOOR_SHAPES && result == WEIR_OK; i++) {
        const struct bench_floor_shape *shape = &bench_floor_shapes[i];
        const uint32_t constants[] = {shape->width, shape->height, shape->rows, block_size};
        const struct cli_pipeline_params params = {code, sizeof(code), constants, 4};
        result = cli_pipeline_create(floor->gpu, &floor->layout, &params, &floor->pipelines[i]);
    }
    return result;
}

static enum weir_result make_pool(struct bench_floor *floor, uint32_t num)
{
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, num},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, num}};
    return cli_pool_create(floor->gpu, sizes, 2, num, &floor->pool);
}

static enum weir_result make_set(struct bench_floor *floor, uint32_t i,
                                 const struct cli_image *image, VkBuffer target)
{
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = image->format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    enum weir_result result = cli_gpu_check_made(
        vkCreateImageView(floor->gpu->vk, &view, NULL, &floor->views[i]), "vkCreateImageView",
        &floor->views[i]);
    if (result != WEIR_OK) {
        return result;
    }
    floor->num_views++;
    result = cli_set_allocate(floor->gpu, floor->pool, &floor->layout, &floor->sets[i]);
    if (result != WEIR_OK) {
        return result;
    }
    const VkDescriptorImageInfo source = {VK_NULL_HANDLE, floor->views[i],
                                          VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkDescriptorBufferInfo buffer = {target, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet writes[] = {
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = floor->sets[i],
         .dstBinding = 0,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
         .pImageInfo = &source},
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = floor->sets[i],
         .dstBinding = 1,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .pBufferInfo = &buffer},
    };
    vkUpdateDescriptorSets(floor->gpu->vk, 2, writes, 0, NULL);
    return WEIR_OK;
}

enum weir_result bench_floor_init(struct bench_floor *floor, struct cli_gpu *gpu,
                                  const struct bench_images *images, VkBuffer target,
                                  uint32_t block_size)
{
    *floor = (struct bench_floor){.gpu = gpu, .width = images->width, .height = images->height};
    enum weir_result result = make_layout(floor);
    if (result == WEIR_OK) {
        result = make_pipelines(floor, block_size);
    }
    if (result == WEIR_OK) {
        result = make_pool(floor, images->num);
    }
    for (uint32_t i = 0; i < images->num && result == WEIR_OK; i++) {
        result = make_set(floor, i, &images->images[i], target);
    }
    return result;
}

void bench_floor_finish(struct bench_floor *floor)
{
    if (!floor->gpu) {
        return;
    }
    VkDevice vk = floor->gpu->vk;
    for (uint32_t i = 0; i < floor->num_views; i++) {
        vkDestroyImageView(vk, floor->views[i], NULL);
    }
    vkDestroyDescriptorPool(vk, floor->pool, NULL);
    for (uint32_t i = 0; i < BENCH_NUM_FLOOR_SHAPES; i++) {
        vkDestroyPipeline(vk, floor->pipelines[i], NULL);
    }
    cli_layout_finish(floor->gpu, &floor->layout);
    *floor = (struct bench_floor){0};
}

void bench_floor_record(const struct bench_floor *floor, uint32_t shape, uint32_t image,
                        VkCommandBuffer commands)
{
    const uint32_t columns = (uint32_t)weir_divide_up(floor->width, 4);
    const uint32_t rows = (uint32_t)weir_divide_up(floor->height, 4);
    const struct bench_floor_shape *group = &bench_floor_shapes[shape];
    const struct push_constants push = {floor->width, floor->height, columns};
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, floor->pipelines[shape]);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, floor->layout.pipeline, 0, 1,
                            &floor->sets[image], 0, NULL);
    vkCmdPushConstants(commands, floor->layout.pipeline, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       sizeof(push), &push);
    vkCmdDispatch(commands, (uint32_t)weir_divide_up(columns, group->width),
                  (uint32_t)weir_divide_up(rows, group->height), 1);
}
