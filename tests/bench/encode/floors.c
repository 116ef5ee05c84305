// SPDX-License-Identifier: MIT
// What encoders are compared with: the floor, which reads an image once and writes 8 or 16 bytes a
// block (shaders/floor.comp), a kernel that makes a proxy by another look at the image
// (shaders/proxy.comp), and a plain copy.
#include "tests/bench/encode/encode.h"

#include "capture/base/size.h"
#include "tests/bench/timing.h"

static const uint32_t floor_code[] =
#include "floor.inc"
    ;
static const uint32_t proxy_code[] =
#include "proxy.inc"
    ;

const struct bench_floor_shape bench_floor_shapes[BENCH_NUM_FLOOR_SHAPES] = {
    {8, 8, 0, 0},  {16, 8, 0, 0}, {32, 2, 0, 0}, {64, 2, 0, 0}, {8, 8, 1, 0},  {16, 8, 1, 0},
    {32, 2, 1, 0}, {64, 2, 1, 0}, {8, 8, 0, 1},  {16, 8, 0, 1}, {32, 2, 0, 1}, {64, 2, 0, 1},
    {8, 8, 1, 1},  {16, 8, 1, 1}, {32, 2, 1, 1}, {64, 2, 1, 1},
};

enum { PROXY_GROUP_WIDTH = 16, PROXY_GROUP_HEIGHT = 32 }; // [texels that it reads]

enum weir_result bench_floor_init(struct bench_image_kernel *floor, struct cli_gpu *gpu,
                                  const struct bench_images *images, VkBuffer target,
                                  uint32_t block_size)
{
    static const struct weir_gpu_binding bindings[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
                                                       {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
                                                       {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
                                                       {VK_DESCRIPTOR_TYPE_SAMPLER, 1}};
    const struct weir_gpu_layout_params params = {
        .bindings = bindings,
        .num_bindings = 4,
        .push_constants_size = 3 * sizeof(uint32_t),
    };
    const uint32_t num_words = images->format->texel_size / 4;
    *floor = (struct bench_image_kernel){.images = images};
    WEIR_TRY(bench_kernel_init(&floor->kernel, gpu, &params));
    for (uint32_t i = 0; i < BENCH_NUM_FLOOR_SHAPES; i++) {
        const struct bench_floor_shape *shape = &bench_floor_shapes[i];
        const uint32_t constants[] = {shape->width, shape->height,  shape->rows,
                                      block_size,   shape->gathers, num_words};
        WEIR_TRY(bench_kernel_add_form(
            &floor->kernel,
            &(const struct weir_gpu_kernel){floor_code, sizeof(floor_code), constants, 6}));
    }
    for (uint32_t i = 0; i < images->num; i++) {
        struct weir_gpu_descriptor all[3] = {[1] = {.buffer = target}}; // texels, blocks, words
        struct bench_view_params view = {.image = images->images[i].gpu.params.image,
                                         .format = images->params.format,
                                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
        WEIR_TRY(bench_kernel_add_view(&floor->kernel, &view, &all[0].view));
        view.format = num_words > 1 ? VK_FORMAT_R32G32_UINT : VK_FORMAT_R32_UINT;
        WEIR_TRY(bench_kernel_add_view(&floor->kernel, &view, &all[2].view));
        WEIR_TRY(bench_kernel_add_set(&floor->kernel, all));
    }
    return WEIR_OK;
}

void bench_floor_record(const struct bench_image_kernel *floor, uint32_t shape, uint32_t image,
                        VkCommandBuffer commands)
{
    const struct bench_images *images = floor->images;
    const struct bench_floor_shape *group = &bench_floor_shapes[shape];
    const uint32_t columns = (uint32_t)weir_divide_up(images->params.width, 4);
    const uint32_t rows = (uint32_t)weir_divide_up(images->params.height, 4);
    const uint32_t push[] = {images->params.width, images->params.height, columns};
    const struct bench_groups groups = {(uint32_t)weir_divide_up(columns, group->width),
                                        (uint32_t)weir_divide_up(rows, group->height), 1};
    bench_kernel_record(&floor->kernel, shape, image, push, groups, commands);
}

enum weir_result bench_proxy_image_init(struct cli_gpu *gpu, uint32_t width, uint32_t height,
                                        struct cli_image *image)
{
    return cli_image_init(gpu,
                          weir_image_params(.format = VK_FORMAT_R8G8B8A8_SRGB, .width = width,
                                            .height = height, .usage = VK_IMAGE_USAGE_STORAGE_BIT,
                                            .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                                                     VK_IMAGE_CREATE_EXTENDED_USAGE_BIT),
                          image);
}

static enum weir_result make_proxy(struct bench_image_kernel *proxy, struct cli_gpu *gpu)
{
    const struct weir_gpu_scope unused = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                                          VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                           VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer commands;
    WEIR_TRY(bench_proxy_image_init(
        gpu, (uint32_t)weir_divide_up(proxy->images->params.width, proxy->side),
        (uint32_t)weir_divide_up(proxy->images->params.height, proxy->side), &proxy->proxy));
    WEIR_TRY(weir_gpu_begin(gpu->work, &commands));
    weir_cmd_barrier(gpu->work, commands, &proxy->proxy.gpu.params, unused, written);
    return weir_gpu_run(gpu->work, commands);
}

enum weir_result bench_proxy_init(struct bench_image_kernel *proxy, struct cli_gpu *gpu,
                                  const struct bench_images *images, uint32_t level)
{
    static const struct weir_gpu_binding bindings[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
                                                       {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1}};
    const struct weir_gpu_layout_params params = {
        .bindings = bindings,
        .num_bindings = 2,
        .push_constants_size = 2 * sizeof(uint32_t),
    };
    const uint32_t side = 1u << level;
    const uint32_t constants[] = {side, PROXY_GROUP_WIDTH / side, PROXY_GROUP_HEIGHT / side};
    const struct weir_gpu_kernel form = {proxy_code, sizeof(proxy_code), constants, 3};
    struct weir_gpu_descriptor both[2] = {{.buffer = VK_NULL_HANDLE}}; // source and proxy
    *proxy = (struct bench_image_kernel){.images = images, .side = side};
    WEIR_TRY(bench_kernel_init(&proxy->kernel, gpu, &params));
    WEIR_TRY(bench_kernel_add_form(&proxy->kernel, &form));
    WEIR_TRY(make_proxy(proxy, gpu));
    struct bench_view_params view = {.image = proxy->proxy.gpu.params.image,
                                     .format = VK_FORMAT_R8G8B8A8_UNORM,
                                     .usage = VK_IMAGE_USAGE_STORAGE_BIT};
    WEIR_TRY(bench_kernel_add_view(&proxy->kernel, &view, &both[1].view));
    view.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    for (uint32_t i = 0; i < images->num; i++) {
        view.image = images->images[i].gpu.params.image;
        WEIR_TRY(bench_kernel_add_view(&proxy->kernel, &view, &both[0].view));
        WEIR_TRY(bench_kernel_add_set(&proxy->kernel, both));
    }
    return WEIR_OK;
}

void bench_proxy_record(const struct bench_image_kernel *proxy, uint32_t image,
                        VkCommandBuffer commands)
{
    const uint32_t push[] = {proxy->images->params.width, proxy->images->params.height};
    const struct bench_groups groups = {(uint32_t)weir_divide_up(push[0], PROXY_GROUP_WIDTH),
                                        (uint32_t)weir_divide_up(push[1], PROXY_GROUP_HEIGHT), 1};
    bench_kernel_record(&proxy->kernel, 0, image, push, groups, commands);
}

void bench_image_kernel_finish(struct bench_image_kernel *kernel)
{
    struct cli_gpu *gpu = kernel->kernel.gpu;
    if (gpu) {
        cli_image_finish(gpu, &kernel->proxy);
    }
    bench_kernel_finish(&kernel->kernel);
    *kernel = (struct bench_image_kernel){0};
}

enum weir_result bench_copy_change(struct cli_gpu *gpu, const struct bench_images *images,
                                   const struct cli_image *target, bool back)
{
    const VkPipelineStageFlags stages = BENCH_DEVICE_STAGES;
    const VkAccessFlags reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    const VkImageLayout kernels = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    const VkImageLayout copies = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_begin(gpu->work, &commands));
    for (uint32_t i = 0; i < images->num; i++) {
        weir_cmd_barrier(gpu->work, commands, &images->images[i].gpu.params,
                         (struct weir_gpu_scope){stages, 0, back ? copies : kernels},
                         (struct weir_gpu_scope){stages, reads, back ? kernels : copies});
    }
    if (!back) {
        weir_cmd_barrier(gpu->work, commands, &target->gpu.params,
                         (struct weir_gpu_scope){stages, 0, VK_IMAGE_LAYOUT_UNDEFINED},
                         (struct weir_gpu_scope){stages, VK_ACCESS_TRANSFER_WRITE_BIT,
                                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL});
    }
    return weir_gpu_run(gpu->work, commands);
}
