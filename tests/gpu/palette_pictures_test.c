// SPDX-License-Identifier: MIT
// Palette reduction gives the reference's pixels on whole pictures: generated ones, and files.
//
// gpu_palette_pictures [--all] [PICTURE ...]: without arguments a generated picture of the fewest
// colours, as the others take long on a software device, which has still fewer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/palette.h>

#include "capture/files/picture/picture.h"
#include "tests/gpu/harness.h"
#include "tests/gpu/palette_check.h"
#include "tests/gpu/palette_run.h"
#include "tests/ref/palette_picture.h"

enum { MAX_COLORS = 1 << 19 };

static void check(struct harness *h, const char *name, const struct palette_picture *picture)
{
    static const enum weir_palette_weight weights[] = {WEIR_PALETTE_WEIGHT_EQUAL,
                                                       WEIR_PALETTE_WEIGHT_FREQUENCY};
    for (int i = 0; i < 2; i++) {
        weir_palette *palette = palette_create(
            h, weir_palette_params(.max_colors = MAX_COLORS, .weight = weights[i]));
        palette_check(h, palette, name, picture, &(struct weir_palette_start){.radius = 0.02f},
                      true);
        weir_palette_destroy(&palette);
        printf("%s, weight %d: checked\n", name, (int)weights[i]);
    }
}

static void check_generated(struct harness *h, uint32_t num_colors, uint32_t width, uint32_t height)
{
    uint8_t *rgba = malloc((size_t)4 * width * height);
    test_must(rgba && ref_palette_picture(width, height, num_colors, 1, rgba), "memory");
    char name[32];
    snprintf(name, sizeof(name), "generated %u", num_colors);
    check(h, name, &(struct palette_picture){.width = width, .height = height, .rgba = rgba});
    free(rgba);
}

static void check_file(struct harness *h, const char *path)
{
    struct weir_picture file;
    const struct weir_log log = {0};
    test_must(weir_picture_read(path, NULL, &log, &file) == WEIR_OK, path);
    uint8_t *rgba = malloc((size_t)4 * file.width * file.height);
    float *row = malloc(sizeof(float) * 4 * file.width);
    test_must(rgba && row, "memory");
    for (uint32_t y = 0; y < file.height; y++) {
        weir_picture_row(&file, y, row);
        for (size_t i = 0; i < (size_t)4 * file.width; i++) {
            rgba[(size_t)4 * file.width * y + i] = (uint8_t)(row[i] * 255 + 0.5f);
        }
    }
    check(h, path,
          &(struct palette_picture){.width = file.width, .height = file.height, .rgba = rgba});
    free(row);
    free(rgba);
    weir_picture_free(&file);
}

int main(int argc, char **argv)
{
    struct harness harness;
    harness_init(&harness, true);
    const bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(harness.import->physical_device, &properties);
    if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU && !all) {
        check_generated(&harness, 6000, 256, 256);
    } else {
        check_generated(&harness, 16755, 512, 256);
    }
    if (all) {
        check_generated(&harness, 16755, 2048, 1024);
        check_generated(&harness, 27868, 2048, 1024);
        check_generated(&harness, 84860, 2048, 1024);
    }
    for (int i = all ? 2 : 1; i < argc; i++) {
        check_file(&harness, argv[i]);
    }
    return harness_finish(&harness);
}
