// SPDX-License-Identifier: MIT
// A picture through a palette reduction, on the host's queue.
#include "tests/gpu/palette_test.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PICTURES = 4, DISPATCHES_AT_ONCE = 2 };

struct palette_picture palette_square(uint32_t side, const uint8_t *rgba)
{
    return (struct palette_picture){.width = side, .height = side, .rgba = rgba};
}

static void source_init(struct harness *h, const struct palette_picture *picture,
                        struct palette_images *images)
{
    const bool is_plain = picture->format == VK_FORMAT_UNDEFINED;
    harness_image_init(h, is_plain ? VK_FORMAT_R8G8B8A8_UNORM : picture->format, picture->width,
                       picture->height, VK_IMAGE_USAGE_SAMPLED_BIT, picture->flags,
                       is_plain ? picture->rgba : picture->texels,
                       is_plain ? 4 : picture->texel_size, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                       &images->source);
    images->image = harness_wrap(h, &images->source, picture->transfer);
}

// No pixel is what it must become: each byte is inverted.
static void target_init(struct harness *h, const struct palette_picture *picture,
                        struct palette_images *images)
{
    const VkFormat format = picture->target_format ? picture->target_format
                                                   : VK_FORMAT_R8G8B8A8_UNORM;
    const size_t size = (size_t)picture->width * picture->height * 4;
    uint8_t *inverted = malloc(size);
    test_must(inverted, "memory");
    for (size_t i = 0; i < size; i++) {
        inverted[i] = (uint8_t)~picture->rgba[i];
    }
    harness_image_init(h, format, picture->width, picture->height,
                       VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                       picture->target_flags, inverted, 4, VK_IMAGE_LAYOUT_GENERAL,
                       &images->target);
    free(inverted);
    harness_buffer_init(h, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, &images->pixels);
}

void palette_images_init(struct harness *h, const struct palette_picture *picture,
                         struct palette_images *images)
{
    *images = (struct palette_images){0};
    source_init(h, picture, images);
    target_init(h, picture, images);
    images->result = harness_wrap(h, &images->target, WEIR_TRANSFER_DEFAULT);
}

void palette_images_finish(struct harness *h, struct palette_images *images)
{
    weir_image_destroy(&images->result);
    weir_image_destroy(&images->image);
    harness_buffer_finish(h, &images->pixels);
    harness_image_finish(h, &images->target);
    harness_image_finish(h, &images->source);
}

void palette_images_copy(const struct harness *h, VkCommandBuffer cmd,
                         const struct palette_images *images)
{
    harness_record_copy(h, cmd, &images->target, images->pixels.buffer, 0);
}

void palette_images_read(const struct palette_images *images, uint8_t *pixels)
{
    const VkFormat format = images->target.params.format;
    const int red = format == VK_FORMAT_B8G8R8A8_UNORM || format == VK_FORMAT_B8G8R8A8_SRGB ? 2 : 0;
    for (size_t i = 0; i < images->pixels.size; i += 4) {
        const uint8_t *stored = images->pixels.mapped + i;
        pixels[i] = stored[red];
        pixels[i + 1] = stored[1];
        pixels[i + 2] = stored[2 - red];
        pixels[i + 3] = stored[3];
    }
}

enum weir_result palette_record(const struct harness *h, VkCommandBuffer cmd, weir_palette *palette,
                                const struct palette_images *images, struct weir_palette_run run)
{
    run.source = images->image;
    run.output = images->result;
    const enum weir_result result = weir_cmd_palette(palette, cmd, &run);
    palette_images_copy(h, cmd, images);
    return result;
}

static void submit(struct harness *h, VkCommandBuffer cmd)
{
    harness_submit(h, cmd, NULL, 0);
}

// Submit iterations until no colour moves. False after a failure, which is counted.
static bool iterate(struct harness *h, weir_palette *palette)
{
    enum weir_result result = WEIR_OK;
    while (result == WEIR_OK && weir_palette_get_stats(palette).num_unfinished > 0) {
        VkCommandBuffer cmd = harness_begin(h);
        result = weir_cmd_palette_iterate(palette, cmd, DISPATCHES_AT_ONCE);
        submit(h, cmd);
    }
    return test_expect(result == WEIR_OK, "iterate: %s", weir_result_name(result));
}

bool palette_run_counted(struct harness *h, weir_palette *palette,
                         const struct palette_images *images, uint32_t num_images,
                         const struct weir_palette_start *start)
{
    VkCommandBuffer cmd = harness_begin(h);
    enum weir_result result = weir_cmd_palette_start(palette, cmd, start);
    submit(h, cmd);
    if (!test_expect(result == WEIR_OK, "start: %s", weir_result_name(result)) ||
        !iterate(h, palette)) {
        return false;
    }
    cmd = harness_begin(h);
    result = weir_cmd_palette_finish(palette, cmd);
    for (uint32_t i = 0; i < num_images && result == WEIR_OK; i++) {
        result = weir_cmd_palette_map(palette, cmd, images[i].image, images[i].result);
        palette_images_copy(h, cmd, &images[i]);
    }
    submit(h, cmd);
    return test_expect(result == WEIR_OK, "finish and map: %s", weir_result_name(result));
}

bool palette_run_shared(struct harness *h, weir_palette *palette,
                        const struct palette_picture *pictures, uint32_t num_pictures,
                        const struct weir_palette_start *start, uint8_t *const *pixels,
                        struct weir_palette_stats *stats)
{
    test_must(num_pictures <= MAX_PICTURES, "palette_run_shared() takes fewer pictures");
    struct palette_images images[MAX_PICTURES];
    for (uint32_t i = 0; i < num_pictures; i++) {
        palette_images_init(h, &pictures[i], &images[i]);
    }
    VkCommandBuffer cmd = harness_begin(h);
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < num_pictures && result == WEIR_OK; i++) {
        result = weir_cmd_palette_count(
            palette, cmd, &(struct weir_palette_count){.source = images[i].image, .clear = i == 0});
    }
    submit(h, cmd);
    const bool is_done = test_expect(result == WEIR_OK, "count: %s", weir_result_name(result)) &&
                         palette_run_counted(h, palette, images, num_pictures, start);
    *stats = weir_palette_get_stats(palette);
    for (uint32_t i = 0; i < num_pictures; i++) {
        palette_images_read(&images[i], pixels[i]);
        palette_images_finish(h, &images[i]);
    }
    return is_done;
}

bool palette_run(struct harness *h, weir_palette *palette, const struct palette_picture *picture,
                 const struct weir_palette_start *start, uint8_t *pixels,
                 struct weir_palette_stats *stats)
{
    return palette_run_shared(h, palette, picture, 1, start, &pixels, stats);
}
