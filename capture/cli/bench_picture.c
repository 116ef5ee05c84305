// SPDX-License-Identifier: MIT
// The test picture, like a rendered frame, and as many images of it as leave no cache warm.
#include <stdint.h>

#include "capture/cli/bench.h"

// More than twice the last level cache of any GPU of 2026, so that a rotation finds nothing in it.
static const uint64_t rotation_size = (uint64_t)256 << 20;
enum { min_images = 3 }; // as a swapchain has

// Integer hash of a texel (lowbias32, C. Wellons, 2018).
static uint32_t hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

struct color {
    int r, g, b;
};

static struct color sky(uint32_t y, uint32_t height)
{
    int t = (int)((uint64_t)y * 256 / height);
    return (struct color){40 + t * 150 / 256, 90 + t * 120 / 256, 170 + t * 60 / 256};
}

static struct color ground(uint32_t x, uint32_t y, uint32_t height)
{
    int grain = (int)(hash(x * 7919u + y * 104729u) & 63);
    int patch = (int)(hash((x / 24) * 31u + (y / 24) * 17u) & 63);
    int light = 60 + (int)((uint64_t)y * 80 / height);
    return (struct color){light + grain / 2 + patch / 2, light + grain + patch / 4,
                          light / 2 + grain / 4};
}

// A lit ball in each cell of a grid, in one of eight colours.
static void add_ball(struct color *color, uint32_t x, uint32_t y, uint32_t cell)
{
    int u = (int)(x % cell) - (int)(cell / 2), v = (int)(y % cell) - (int)(cell / 2);
    int radius = (int)(cell * 3 / 8), distance = u * u + v * v;
    if (cell < 8 || distance > radius * radius)
        return;
    uint32_t kind = hash(x / cell + 977u * (y / cell));
    int light = 255 - 200 * distance / (radius * radius) - (u + v) * 60 / radius;
    light = light < 20 ? 20 : light > 255 ? 255 : light;
    *color = (struct color){(kind & 1) != 0 ? light : light / 4,
                            (kind & 2) != 0 ? light : light / 3,
                            (kind & 4) != 0 ? light : light / 5};
}

static uint8_t clamp(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

void bench_picture_fill(uint8_t *pixels, size_t pitch, uint32_t width, uint32_t height)
{
    const uint32_t cell = (width < height ? width : height) / 6 + 1;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            struct color color = y < height / 2 ? sky(y, height) : ground(x, y, height);
            if (hash(x / cell + 57u * (y / cell)) % 3 == 0)
                add_ball(&color, x, y, cell);
            uint8_t *texel = pixels + y * pitch + 4 * (size_t)x;
            texel[0] = clamp(color.r);
            texel[1] = clamp(color.g);
            texel[2] = clamp(color.b);
            texel[3] = 255;
        }
}

static enum weir_result upload(struct cli_gpu *gpu, struct bench_images *images)
{
    struct cli_buffer staging;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    enum weir_result result = cli_buffer_init(gpu, cli_staging_size(images->width, images->height),
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT, true, &staging);
    if (result != WEIR_OK)
        return result;
    bench_picture_fill(staging.mapped, cli_staging_pitch(images->width), images->width,
                       images->height);
    result = cli_commands_allocate(gpu, &commands);
    if (result == WEIR_OK)
        result = cli_commands_begin(commands);
    if (result == WEIR_OK) {
        for (uint32_t i = 0; i < images->num; i++)
            cli_cmd_upload(commands, &staging, &images->images[i]);
        struct weir_point done = {0};
        result = cli_commands_submit(gpu, commands, &done);
        if (result == WEIR_OK)
            result = cli_gpu_wait(gpu, done);
    }
    if (commands != VK_NULL_HANDLE)
        vkFreeCommandBuffers(gpu->vk, gpu->pool, 1, &commands);
    cli_buffer_finish(gpu, &staging);
    return result;
}

enum weir_result bench_images_init(struct cli_gpu *gpu, uint32_t width, uint32_t height,
                                   struct bench_images *images)
{
    *images = (struct bench_images){.width = width, .height = height};
    uint64_t num = rotation_size / (4 * (uint64_t)width * height) + 1;
    num = num < min_images ? min_images : num > bench_max_images ? bench_max_images : num;
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < num && result == WEIR_OK; i++) {
        result = cli_image_init(gpu, width, height, &images->images[i]);
        images->num += result == WEIR_OK;
    }
    if (result == WEIR_OK)
        result = upload(gpu, images);
    if (result != WEIR_OK)
        bench_images_finish(gpu, images);
    return result;
}

void bench_images_finish(struct cli_gpu *gpu, struct bench_images *images)
{
    for (uint32_t i = 0; i < images->num; i++)
        cli_image_finish(gpu, &images->images[i]);
    *images = (struct bench_images){0};
}
