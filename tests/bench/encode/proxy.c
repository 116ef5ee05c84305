// SPDX-License-Identifier: MIT
// Proxies of images, as weir-bench encode times them: the image that encoders write, and a kernel
// of its own that makes it by another look at the image. See shaders/proxy.comp.
#include "tests/bench/encode/proxy.h"

#include "capture/base/size.h"
#include "capture/weir/gpu/barrier.h"
#include "capture/weir/gpu/commands.h"

static const uint32_t code[] =
#include "proxy.inc"
    ;

enum { GROUP_WIDTH = 16, GROUP_HEIGHT = 32 }; // of shaders/proxy.comp [texels that it reads]

static enum weir_result make_view(const struct bench_proxy *proxy, VkImage image,
                                  VkImageUsageFlags usage, VkImageView *view)
{
    return cli_view_create(proxy->gpu,
                           &(const struct cli_view_params){
                               .image = image, .format = VK_FORMAT_R8G8B8A8_UNORM, .usage = usage},
                           view);
}

static enum weir_result make_image(struct bench_proxy *proxy, uint32_t width, uint32_t height,
                                   VkCommandBuffer commands)
{
    const struct cli_image_scope unused = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                                           VK_IMAGE_LAYOUT_UNDEFINED};
    const struct cli_image_scope written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                            VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    enum weir_result result = cli_image_init_written(
        proxy->gpu, VK_FORMAT_R8G8B8A8_SRGB, (uint32_t)weir_divide_up(width, proxy->side),
        (uint32_t)weir_divide_up(height, proxy->side), &proxy->image);
    if (result == WEIR_OK) {
        result = cli_commands_begin(commands);
    }
    if (result == WEIR_OK) {
        cli_cmd_image_barrier(commands, proxy->image.image, unused, written);
        result = cli_commands_run(proxy->gpu, commands);
    }
    return result == WEIR_OK
               ? make_view(proxy, proxy->image.image, VK_IMAGE_USAGE_STORAGE_BIT, &proxy->written)
               : result;
}

static enum weir_result make_kernel(struct bench_proxy *proxy, uint32_t num_images)
{
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, num_images},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, num_images}};
    const uint32_t constants[] = {proxy->side, GROUP_WIDTH / proxy->side,
                                  GROUP_HEIGHT / proxy->side};
    enum weir_result result = cli_layout_init(proxy->gpu, bindings, 2, sizeof(proxy->size),
                                              &proxy->layout);
    if (result == WEIR_OK) {
        result = cli_pipeline_create(proxy->gpu, &proxy->layout,
                                     &(const struct cli_pipeline_params){.code = code,
                                                                         .code_size = sizeof(code),
                                                                         .constants = constants,
                                                                         .num_constants = 3},
                                     &proxy->pipeline);
    }
    return result == WEIR_OK ? cli_pool_create(proxy->gpu, sizes, 2, num_images, &proxy->pool)
                             : result;
}

static enum weir_result make_set(struct bench_proxy *proxy, uint32_t i,
                                 const struct cli_image *source)
{
    const enum weir_result result = make_view(proxy, source->image, VK_IMAGE_USAGE_SAMPLED_BIT,
                                              &proxy->views[i]);
    const VkDescriptorImageInfo read = {VK_NULL_HANDLE, proxy->views[i],
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkDescriptorImageInfo written = {VK_NULL_HANDLE, proxy->written, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet writes[] = {
        {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .pImageInfo = &read},
        {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .pImageInfo = &written},
    };
    return result == WEIR_OK
               ? cli_set_init(proxy->gpu, proxy->pool, &proxy->layout, writes, 2, &proxy->sets[i])
               : result;
}

enum weir_result bench_proxy_init(struct bench_proxy *proxy, struct cli_gpu *gpu, uint32_t level,
                                  const struct bench_images *images, VkCommandBuffer commands)
{
    *proxy = (struct bench_proxy){
        .gpu = gpu, .side = 1u << level, .size = {images->width, images->height}};
    enum weir_result result = make_image(proxy, images->width, images->height, commands);
    if (result == WEIR_OK) {
        result = make_kernel(proxy, images->num);
    }
    for (uint32_t i = 0; i < images->num && result == WEIR_OK; i++) {
        result = make_set(proxy, i, &images->images[i]);
    }
    return result;
}

void bench_proxy_finish(struct bench_proxy *proxy)
{
    if (!proxy->gpu) {
        return;
    }
    VkDevice vk = proxy->gpu->vk;
    for (uint32_t i = 0; i < BENCH_MAX_IMAGES; i++) {
        vkDestroyImageView(vk, proxy->views[i], NULL);
    }
    vkDestroyImageView(vk, proxy->written, NULL);
    vkDestroyDescriptorPool(vk, proxy->pool, NULL);
    vkDestroyPipeline(vk, proxy->pipeline, NULL);
    cli_layout_finish(proxy->gpu, &proxy->layout);
    cli_image_finish(proxy->gpu, &proxy->image);
    *proxy = (struct bench_proxy){0};
}

void bench_proxy_record(const struct bench_proxy *proxy, uint32_t image, VkCommandBuffer commands)
{
    cli_cmd_bind(commands, &proxy->layout, proxy->pipeline, proxy->sets[image], &proxy->size,
                 sizeof(proxy->size));
    vkCmdDispatch(commands, (uint32_t)weir_divide_up(proxy->size.width, GROUP_WIDTH),
                  (uint32_t)weir_divide_up(proxy->size.height, GROUP_HEIGHT), 1);
}
