// SPDX-License-Identifier: MIT
// The floor kernel: reads an image once and writes 8 or 16 bytes a block. See shaders/floor.comp.
#include "tests/bench/encode/floor.h"

#include "capture/base/size.h"

static const uint32_t code[] =
#include "floor.inc"
    ;

const struct bench_floor_shape bench_floor_shapes[BENCH_NUM_FLOOR_SHAPES] = {
    {8, 8, 0, 0},  {16, 8, 0, 0}, {32, 2, 0, 0}, {64, 2, 0, 0}, {8, 8, 1, 0},  {16, 8, 1, 0},
    {32, 2, 1, 0}, {64, 2, 1, 0}, {8, 8, 0, 1},  {16, 8, 0, 1}, {32, 2, 0, 1}, {64, 2, 0, 1},
    {8, 8, 1, 1},  {16, 8, 1, 1}, {32, 2, 1, 1}, {64, 2, 1, 1},
};

struct push_constants {
    uint32_t width, height, blocks_per_row;
};

static enum weir_result make_layout(struct bench_floor *floor)
{
    const enum weir_result result = cli_sampler_create(floor->gpu, VK_FILTER_NEAREST,
                                                       &floor->sampler);
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {3, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, &floor->sampler},
    };
    return result == WEIR_OK ? cli_layout_init(floor->gpu, bindings, 4,
                                               sizeof(struct push_constants), &floor->layout)
                             : result;
}

static enum weir_result make_pipelines(struct bench_floor *floor, uint32_t block_size,
                                       uint32_t num_words)
{
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < BENCH_NUM_FLOOR_SHAPES && result == WEIR_OK; i++) {
        const struct bench_floor_shape *shape = &bench_floor_shapes[i];
        const uint32_t constants[] = {shape->width, shape->height,  shape->rows,
                                      block_size,   shape->gathers, num_words};
        const struct cli_pipeline_params params = {code, sizeof(code), constants, 6};
        result = cli_pipeline_create(floor->gpu, &floor->layout, &params, &floor->pipelines[i]);
    }
    return result;
}

static enum weir_result make_pool(struct bench_floor *floor, uint32_t num)
{
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 2 * num},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, num},
                                          {VK_DESCRIPTOR_TYPE_SAMPLER, num}};
    return cli_pool_create(floor->gpu, sizes, 3, num, &floor->pool);
}

static enum weir_result make_set(struct bench_floor *floor, uint32_t i,
                                 const struct cli_image *image, uint32_t num_words, VkBuffer target)
{
    const VkFormat words = num_words > 1 ? VK_FORMAT_R32G32_UINT : VK_FORMAT_R32_UINT;
    enum weir_result result = cli_view_create(
        floor->gpu, &(const struct cli_view_params){.image = image->image, .format = image->format},
        &floor->views[i]);
    if (result == WEIR_OK) {
        result = cli_view_create(
            floor->gpu, &(const struct cli_view_params){.image = image->image, .format = words},
            &floor->word_views[i]);
    }
    const VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    const VkDescriptorImageInfo source = {VK_NULL_HANDLE, floor->views[i], layout};
    const VkDescriptorImageInfo word_source = {VK_NULL_HANDLE, floor->word_views[i], layout};
    const VkDescriptorBufferInfo buffer = {target, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[] = {
        {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .pImageInfo = &source},
        {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &buffer},
        {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .pImageInfo = &word_source},
    };
    return result == WEIR_OK
               ? cli_set_init(floor->gpu, floor->pool, &floor->layout, writes, 3, &floor->sets[i])
               : result;
}

enum weir_result bench_floor_init(struct bench_floor *floor, struct cli_gpu *gpu,
                                  const struct bench_images *images, VkBuffer target,
                                  uint32_t block_size)
{
    *floor = (struct bench_floor){.gpu = gpu, .width = images->width, .height = images->height};
    const uint32_t num_words = cli_texel_size(bench_source_format(images->source)) / 4;
    enum weir_result result = make_layout(floor);
    if (result == WEIR_OK) {
        result = make_pipelines(floor, block_size, num_words);
    }
    if (result == WEIR_OK) {
        result = make_pool(floor, images->num);
    }
    for (uint32_t i = 0; i < images->num && result == WEIR_OK; i++) {
        result = make_set(floor, i, &images->images[i], num_words, target);
    }
    return result;
}

void bench_floor_finish(struct bench_floor *floor)
{
    if (!floor->gpu) {
        return;
    }
    VkDevice vk = floor->gpu->vk;
    for (uint32_t i = 0; i < BENCH_MAX_IMAGES; i++) {
        vkDestroyImageView(vk, floor->views[i], NULL);
        vkDestroyImageView(vk, floor->word_views[i], NULL);
    }
    vkDestroyDescriptorPool(vk, floor->pool, NULL);
    for (uint32_t i = 0; i < BENCH_NUM_FLOOR_SHAPES; i++) {
        vkDestroyPipeline(vk, floor->pipelines[i], NULL);
    }
    cli_layout_finish(floor->gpu, &floor->layout);
    vkDestroySampler(vk, floor->sampler, NULL);
    *floor = (struct bench_floor){0};
}

void bench_floor_record(const struct bench_floor *floor, uint32_t shape, uint32_t image,
                        VkCommandBuffer commands)
{
    const uint32_t columns = (uint32_t)weir_divide_up(floor->width, 4);
    const uint32_t rows = (uint32_t)weir_divide_up(floor->height, 4);
    const struct bench_floor_shape *group = &bench_floor_shapes[shape];
    const struct push_constants push = {floor->width, floor->height, columns};
    cli_cmd_bind(commands, &floor->layout, floor->pipelines[shape], floor->sets[image], &push,
                 sizeof(push));
    vkCmdDispatch(commands, (uint32_t)weir_divide_up(columns, group->width),
                  (uint32_t)weir_divide_up(rows, group->height), 1);
}
