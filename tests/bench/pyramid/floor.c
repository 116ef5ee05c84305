// SPDX-License-Identifier: MIT
// The content of weir-bench pyramid's images, and its own kernels: the floor in several forms, and
// the empty one.
#include "tests/bench/pyramid/pyramid.h"

#include <stdlib.h>

#include "capture/base/size.h"
#include "capture/files/picture/picture.h"

static const uint32_t floor_code[] =
#include "pyramid_floor.inc"
    ;
static const uint32_t empty_code[] =
#include "pyramid_empty.inc"
    ;

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
enum { FORM_EMPTY = BENCH_PYRAMID_NUM_FORMS }; // of the other kernel, which has the same layout

struct push_constants {
    uint32_t width, height, num_levels, num_tiles;
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
    return bench_kernel_add_form(kernel, &empty);
}

static enum weir_result add_set(struct bench_kernel *kernel, const struct bench_images *images,
                                VkImage image)
{
    struct weir_gpu_descriptor all[1 + BENCH_PYRAMID_MAX_LEVELS] = {
        {.image_layout = VK_IMAGE_LAYOUT_GENERAL}}; // the source, and what is written
    struct bench_view_params view = {
        .image = image,
        .format = images->format->format,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
        .layers = images->params.layers,
    };
    WEIR_TRY(bench_kernel_add_view(kernel, &view, &all[0].view));
    view.format = images->format->store;
    view.usage = VK_IMAGE_USAGE_STORAGE_BIT;
    for (uint32_t i = 0; i < BENCH_PYRAMID_MAX_LEVELS; i++) {
        // Those beyond the last level are never written to, but all must be valid.
        all[1 + i] = all[i];
        view.level = i;
        if (i < images->params.levels) {
            WEIR_TRY(bench_kernel_add_view(kernel, &view, &all[1 + i].view));
        }
    }
    return bench_kernel_add_set(kernel, all);
}

enum weir_result bench_pyramid_add_sets(struct bench_kernel *kernel,
                                        const struct bench_images *images)
{
    for (uint32_t i = 0; i < images->num; i++) {
        WEIR_TRY(add_set(kernel, images, images->images[i].gpu.params.image));
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

void bench_pyramid_record_floor(const struct bench_kernel *kernel,
                                const struct bench_images *images, uint32_t form, uint32_t image,
                                VkCommandBuffer commands)
{
    const struct form *shape = &forms[form];
    const struct weir_image_params *size = &images->params;
    struct push_constants push = {size->width, size->height, size->levels, 0};
    for (uint32_t i = 2; i < size->levels && shape->order != OWN; i++) {
        const VkExtent2D extent = weir_pyramid_level_extent(size->width, size->height, i);
        push.num_tiles += groups(extent.width, shape->width) * groups(extent.height, shape->height);
    }
    const VkExtent2D first = weir_pyramid_level_extent(size->width, size->height, 1);
    struct bench_groups all = {groups(first.width, shape->width * shape->taps_x),
                               groups(first.height, shape->height * shape->taps_y), size->layers};
    if (shape->order == FIRST) {
        all.y += groups(push.num_tiles, all.x);
    }
    bench_kernel_record(kernel, form, image, &push, all, commands);
}

void bench_pyramid_record_empty(const struct bench_kernel *kernel, VkCommandBuffer commands)
{
    const struct push_constants push = {0};
    bench_kernel_record(kernel, FORM_EMPTY, 0, &push, (struct bench_groups){1, 1, 1}, commands);
}

enum { FILL_ROWS = 64 };

struct content {
    float *row; // RGBA
    uint64_t random;
};

static void draw(void *user, const struct bench_images *images, uint32_t y, uint8_t *texels)
{
    struct content *content = user;
    const uint32_t width = images->params.width;
    for (uint32_t i = 0; i < 4 * width; i++) {
        const float across = (float)(i / 4) / (float)width, down = (float)y / FILL_ROWS;
        const float ramp[4] = {across, down, 1 - across, 0.5f};
        content->random = content->random * 6364136223846793005u + 1442695040888963407u; // MMIX
        const float noise = (float)(content->random >> 40) / (float)(1 << 24);
        content->row[i] = 0.5f * (ramp[i % 4] + noise);
    }
    weir_texel_pack(images->format, content->row, width, texels);
}

enum weir_result bench_pyramid_fill(const struct bench_images *images)
{
    struct content content = {malloc(4 * images->params.width * sizeof(float)), 1};
    if (!content.row) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const struct bench_fill fill = {FILL_ROWS, VK_IMAGE_LAYOUT_GENERAL, draw, &content};
    const enum weir_result result = bench_images_fill(images, &fill);
    free(content.row);
    return result;
}
