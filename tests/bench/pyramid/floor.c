// SPDX-License-Identifier: MIT
// The images of weir-bench pyramid, and its own kernels: the floor in several forms, the empty one,
// and the one that fills images.
#include "tests/bench/pyramid/pyramid.h"

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

// Of the device's memory: methods have scratch memory too, and others use the device.
static const double memory_share = 0.6;

// Check that the next image leaves some of the memory.
static bool has_room(const struct bench_pyramid_images *images)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(images->gpu->import->physical_device, &memory);
    double most = 0;
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &memory.memoryHeaps[i];
        if ((heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && (double)heap->size > most) {
            most = (double)heap->size;
        }
    }
    return (double)(images->num + 1) * (double)images->image_size <= memory_share * most;
}

static enum weir_result add_image(struct bench_pyramid_images *images)
{
    const struct cli_gpu *gpu = images->gpu;
    struct weir_gpu_image *image = &images->images[images->num];
    VkMemoryRequirements needs;
    WEIR_TRY(weir_gpu_image_init(gpu->work,
                                 weir_image_params(.format = images->format->format,
                                                   .width = images->width, .height = images->height,
                                                   .levels = images->levels,
                                                   .layers = images->layers, .usage = images->usage,
                                                   .flags = images->format->flags | images->flags),
                                 0, image));
    vkGetImageMemoryRequirements(gpu->vk, image->params.image, &needs);
    images->image_size = needs.size;
    const enum weir_result result = weir_image_create(gpu->context, &image->params,
                                                      &images->wrapped[images->num]);
    images->num++;
    return result;
}

static enum weir_result change_layouts(struct bench_pyramid_images *images)
{
    const struct weir_gpu_scope unused = {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                                          VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope general = {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0,
                                           VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_begin(images->gpu->work, &commands));
    for (uint32_t i = 0; i < images->num; i++) {
        weir_cmd_barrier(images->gpu->work, commands, &images->images[i].params, unused, general);
    }
    return weir_gpu_run(images->gpu->work, commands);
}

enum weir_result bench_pyramid_images_init(struct bench_pyramid_images *images, uint32_t least,
                                           uint32_t num)
{
    images->images = calloc(num, sizeof(*images->images));
    images->wrapped = calloc(num, sizeof(*images->wrapped));
    if (!images->images || !images->wrapped) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    enum weir_result result = WEIR_OK;
    while (images->num < num && result == WEIR_OK) {
        result = has_room(images) ? add_image(images) : WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (result != WEIR_OK && (result != WEIR_ERROR_OUT_OF_MEMORY || images->num < least)) {
        return result;
    }
    return change_layouts(images);
}

void bench_pyramid_images_finish(struct bench_pyramid_images *images)
{
    for (uint32_t i = 0; i < images->num; i++) {
        weir_image_destroy(&images->wrapped[i]);
        weir_gpu_image_finish(images->gpu->work, &images->images[i]);
    }
    free(images->wrapped);
    free(images->images);
    *images = (struct bench_pyramid_images){0};
}

// Who writes levels 2 and on, as shaders/pyramid_floor.comp names them.
enum order {
    WITH,  // the workgroups of level 1, a tile each
    OWN,   // each invocation, the levels over its own texel of level 1
    FIRST, // workgroups of their own, dispatched before those of level 1
};
static const char *const order_texts[] = {"", ", shared", ", small first"};

// Specialization constants: the size of a workgroup, and the taps of an invocation. The first form
// is the plain one. The others differ in what lies side by side and in how much is in flight.
static const struct form {
    uint32_t width, height, taps_x, taps_y, order;
} forms[BENCH_PYRAMID_NUM_FORMS] = {
    {16, 16, 1, 1, OWN},  {16, 16, 1, 1, WITH},  {32, 8, 1, 1, WITH}, {8, 32, 1, 1, WITH},
    {16, 16, 1, 2, WITH}, {16, 16, 2, 2, WITH},  {8, 16, 2, 2, WITH}, {32, 8, 1, 4, WITH},
    {16, 16, 4, 4, WITH}, {16, 16, 1, 2, FIRST},
};
// The forms of the other two kernels, which have the same layout.
enum { FORM_EMPTY = BENCH_PYRAMID_NUM_FORMS, FORM_FILL };

enum { FILL_SIDE = 16 }; // of a workgroup of shaders/pyramid_fill.comp

// Of the floor and, up to `last`, of the kernel that fills.
struct push_constants {
    uint32_t width, height;
    uint32_t last; // levels; or the seed
    uint32_t num_tiles;
};

enum weir_result bench_pyramid_kernel_init(struct bench_kernel *kernel, struct cli_gpu *gpu,
                                           bool linear)
{
    static const struct weir_gpu_binding bindings[] = {
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, BENCH_PYRAMID_MAX_LEVELS}};
    const struct weir_gpu_layout_params params = {
        .bindings = bindings,
        .num_bindings = 2,
        .push_constants_size = sizeof(struct push_constants),
        .filter = linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
    };
    WEIR_TRY(bench_kernel_init(kernel, gpu, &params));
    for (uint32_t i = 0; i < BENCH_PYRAMID_NUM_FORMS; i++) {
        const struct weir_gpu_kernel form = {floor_code, sizeof(floor_code),
                                             (const uint32_t *)(const void *)&forms[i], 5};
        WEIR_TRY(bench_kernel_add_form(kernel, &form));
    }
    const struct weir_gpu_kernel empty = {.code = empty_code, .code_size = sizeof(empty_code)};
    const struct weir_gpu_kernel fill = {.code = fill_code, .code_size = sizeof(fill_code)};
    WEIR_TRY(bench_kernel_add_form(kernel, &empty));
    return bench_kernel_add_form(kernel, &fill);
}

static enum weir_result add_set(struct bench_sets *sets, const struct bench_pyramid_images *images,
                                uint32_t image)
{
    struct weir_gpu_descriptor all[1 + BENCH_PYRAMID_MAX_LEVELS] = {
        {.image_layout = VK_IMAGE_LAYOUT_GENERAL}}; // the source, and what is written
    struct bench_view_params view = {
        .image = images->images[image].params.image,
        .format = images->format->format,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
        .layers = images->layers,
    };
    WEIR_TRY(bench_sets_add_view(sets, &view, &all[0].view));
    view.format = images->format->store;
    view.usage = VK_IMAGE_USAGE_STORAGE_BIT;
    for (uint32_t i = 0; i < BENCH_PYRAMID_MAX_LEVELS; i++) {
        // Those beyond the last level are never written to, but all must be valid.
        all[1 + i] = all[i];
        view.level = i;
        if (i < images->levels) {
            WEIR_TRY(bench_sets_add_view(sets, &view, &all[1 + i].view));
        }
    }
    return bench_sets_add(sets, all);
}

enum weir_result bench_pyramid_sets_init(struct bench_sets *sets, const struct bench_kernel *kernel,
                                         const struct bench_pyramid_images *images)
{
    WEIR_TRY(bench_sets_init(sets, kernel, images->num, images->num * (images->levels + 1)));
    for (uint32_t i = 0; i < images->num; i++) {
        WEIR_TRY(add_set(sets, images, i));
    }
    return WEIR_OK;
}

void bench_pyramid_form_name(uint32_t form, char *text, size_t size)
{
    const struct form *shape = &forms[form];
    snprintf(text, size, "%ux%u of %ux%u taps%s", shape->width, shape->height, shape->taps_x,
             shape->taps_y, order_texts[shape->order]);
}

static uint32_t groups(uint32_t size, uint32_t side)
{
    return (uint32_t)weir_divide_up(size, side);
}

void bench_pyramid_record_floor(const struct bench_sets *sets,
                                const struct bench_pyramid_images *images, uint32_t form,
                                uint32_t image, VkCommandBuffer commands)
{
    const struct form *shape = &forms[form];
    struct push_constants push = {images->width, images->height, images->levels, 0};
    for (uint32_t i = 2; i < images->levels && shape->order != OWN; i++) {
        const VkExtent2D extent = weir_pyramid_level_extent(images->width, images->height, i);
        push.num_tiles += groups(extent.width, shape->width) * groups(extent.height, shape->height);
    }
    const VkExtent2D first = weir_pyramid_level_extent(images->width, images->height, 1);
    struct bench_groups all = {groups(first.width, shape->width * shape->taps_x),
                               groups(first.height, shape->height * shape->taps_y), images->layers};
    if (shape->order == FIRST) {
        all.y += groups(push.num_tiles, all.x);
    }
    bench_sets_record(sets, form, image, &push, all, commands);
}

void bench_pyramid_record_empty(const struct bench_sets *sets, VkCommandBuffer commands)
{
    const struct push_constants push = {0};
    bench_sets_record(sets, FORM_EMPTY, 0, &push, (struct bench_groups){1, 1, 1}, commands);
}

void bench_pyramid_record_fill(const struct bench_sets *sets,
                               const struct bench_pyramid_images *images, VkCommandBuffer commands)
{
    for (uint32_t i = 0; i < images->num; i++) {
        const struct push_constants push = {images->width, images->height, i * images->layers, 0};
        const struct bench_groups all = {groups(images->width, FILL_SIDE),
                                         groups(images->height, FILL_SIDE), images->layers};
        bench_sets_record(sets, FORM_FILL, i, &push, all, commands);
    }
}
