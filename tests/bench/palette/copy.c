// SPDX-License-Identifier: MIT
// shaders/palette_copy.comp: an image copied by a kernel, in a few forms.
#include "tests/bench/palette/copy.h"

static const uint32_t code[] =
#include "palette_copy.inc"
    ;

// Tiles of 32x8 texels that a workgroup copies.
enum { TILE_WIDTH = 32, TILE_HEIGHT = 8 };
static const uint32_t tiles[BENCH_PALETTE_NUM_COPY_FORMS] = {1, 4, 16};

static enum weir_result make_pipelines(struct bench_palette_copy *copy)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    enum weir_result result = cli_layout_init(copy->gpu, bindings, 2, 2 * sizeof(uint32_t),
                                              &copy->layout);
    for (uint32_t i = 0; i < BENCH_PALETTE_NUM_COPY_FORMS && result == WEIR_OK; i++) {
        const struct cli_pipeline_params params = {code, sizeof(code), &tiles[i], 1};
        result = cli_pipeline_create(copy->gpu, &copy->layout, &params, &copy->forms[i]);
    }
    return result;
}

static enum weir_result make_set(struct bench_palette_copy *copy)
{
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1}};
    const enum weir_result result = cli_pool_create(copy->gpu, sizes, 2, 1, &copy->pool);
    const VkDescriptorImageInfo source = {VK_NULL_HANDLE, copy->views[0],
                                          VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkDescriptorImageInfo target = {VK_NULL_HANDLE, copy->views[1], VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet writes[] = {
        {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .pImageInfo = &source},
        {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .pImageInfo = &target},
    };
    return result == WEIR_OK
               ? cli_set_init(copy->gpu, copy->pool, &copy->layout, writes, 2, &copy->set)
               : result;
}

enum weir_result bench_palette_copy_init(struct bench_palette_copy *copy, struct cli_gpu *gpu,
                                         const struct cli_image *source,
                                         const struct cli_image *target)
{
    *copy = (struct bench_palette_copy){
        .gpu = gpu, .width = target->width, .height = target->height};
    const struct cli_image *images[] = {source, target};
    enum weir_result result = make_pipelines(copy);
    for (uint32_t i = 0; i < 2 && result == WEIR_OK; i++) {
        result = cli_view_create(
            gpu,
            &(const struct cli_view_params){.image = images[i]->image, .format = images[i]->format},
            &copy->views[i]);
    }
    return result == WEIR_OK ? make_set(copy) : result;
}

void bench_palette_copy_finish(struct bench_palette_copy *copy)
{
    if (!copy->gpu) {
        return;
    }
    VkDevice vk = copy->gpu->vk;
    vkDestroyDescriptorPool(vk, copy->pool, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        vkDestroyImageView(vk, copy->views[i], NULL);
    }
    for (uint32_t i = 0; i < BENCH_PALETTE_NUM_COPY_FORMS; i++) {
        vkDestroyPipeline(vk, copy->forms[i], NULL);
    }
    cli_layout_finish(copy->gpu, &copy->layout);
    *copy = (struct bench_palette_copy){0};
}

void bench_palette_copy_record(const struct bench_palette_copy *copy, uint32_t form,
                               VkCommandBuffer commands)
{
    const uint32_t push[] = {copy->width, copy->height}, height = TILE_HEIGHT * tiles[form];
    cli_cmd_bind(commands, &copy->layout, copy->forms[form], copy->set, push, sizeof(push));
    vkCmdDispatch(commands, (copy->width + TILE_WIDTH - 1) / TILE_WIDTH,
                  (copy->height + height - 1) / height, 1);
}
