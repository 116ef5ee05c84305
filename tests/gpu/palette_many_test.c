// SPDX-License-Identifier: MIT
// Palette reduction of many colours: one dense cluster with a weight that the seed draws, generated
// pictures, and with --all both weights, larger pictures, and all colours there are.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/palette_test.h"
#include "tests/ref/palette_picture.h"

enum {
    CLUSTER_WIDTH = 90,
    CLUSTER_HEIGHT = 80,
    CLUSTER_PIXELS = CLUSTER_WIDTH * CLUSTER_HEIGHT, // and colours
    ALL_SIDE = 4096,
    ALL_COLORS = 1 << 24,
    MAX_GENERATED = 1 << 19,
};

// Colours that are all within reach of each other, and such a cluster with a smaller radius.
static void test_cluster(struct palette_test *t, int weight)
{
    static uint8_t rgba[4 * CLUSTER_PIXELS];
    const struct palette_picture picture = {
        .width = CLUSTER_WIDTH, .height = CLUSTER_HEIGHT, .rgba = rgba};
    static const struct {
        const char *name;
        struct weir_palette_start start;
    } runs[] = {{"larger than the cluster", {.radius = WEIR_PALETTE_MAX_RADIUS / 2}},
                {"smaller than the cluster", {.radius = 0.003f}},
                {"some steps within the cluster", {.radius = 0.008f, .limit = 4}}};
    weir_palette *palette = palette_of(
        t, weir_palette_params(.max_colors = CLUSTER_PIXELS,
                               .weight = (enum weir_palette_weight)weight));
    palette_draw_cube(&t->h, 25, 1, CLUSTER_PIXELS, rgba);
    for (int i = 0; i < 3; i++) {
        palette_check(&t->h, palette, runs[i].name, &picture, &runs[i].start, false);
    }
}

// The colour of the mean of all points.
static uint32_t color_of_all(void)
{
    uint64_t l = 0, a = 0, b = 0;
    const uint64_t num = ALL_COLORS;
    for (uint32_t color = 0; color < ALL_COLORS; color++) {
        const struct ref_palette_point point = ref_palette_point_of(color, false);
        l += (uint64_t)point.l;
        a += (uint64_t)point.a;
        b += (uint64_t)point.b;
    }
    return ref_palette_color_of((struct ref_palette_point){(int32_t)((2 * l + num) / (2 * num)),
                                                           (int32_t)((2 * a + num) / (2 * num)),
                                                           (int32_t)((2 * b + num) / (2 * num))},
                                false);
}

static void check_all(struct harness *h, weir_palette *palette,
                      const struct palette_picture *picture, float radius, uint8_t *pixels,
                      uint32_t num_new_colors)
{
    struct weir_palette_stats stats = {0};
    palette_run(h, palette, picture, &(struct weir_palette_start){.radius = radius}, pixels,
                &stats);
    test_expect(stats.num_colors == ALL_COLORS && stats.num_new_colors == num_new_colors &&
                    !stats.overflow && !stats.num_unfinished,
                "radius %g: %u colours -> %u", (double)radius, stats.num_colors,
                stats.num_new_colors);
}

static void test_all(struct palette_test *t)
{
    uint8_t *rgba = malloc(4 * (size_t)ALL_COLORS), *pixels = malloc(4 * (size_t)ALL_COLORS);
    test_must(rgba && pixels, "memory");
    for (uint32_t color = 0; color < ALL_COLORS; color++) {
        const uint8_t pixel[] = {(uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color,
                                 255};
        memcpy(rgba + 4 * (size_t)color, pixel, 4);
    }
    const struct palette_picture picture = {.width = ALL_SIDE, .height = ALL_SIDE, .rgba = rgba};
    weir_palette *palette = palette_of(t, weir_palette_params(.max_colors = ALL_COLORS));
    check_all(&t->h, palette, &picture, 0, pixels, ALL_COLORS);
    test_expect(memcmp(rgba, pixels, 4 * (size_t)ALL_COLORS) == 0,
                "radius 0 moves one of all colours");
    check_all(&t->h, palette, &picture, WEIR_PALETTE_MAX_RADIUS, pixels, 1);
    const uint32_t want = color_of_all();
    uint32_t num = 0;
    for (uint32_t i = 0; i < ALL_COLORS; i++) {
        num += palette_color_at(pixels + 4 * (size_t)i) == want;
    }
    test_expect(num == ALL_COLORS, "all colours: %u of them become %06x", num, want);
    free(pixels);
    free(rgba);
}

void palette_test_many(struct palette_test *t)
{
    const int drawn = (int)harness_random_below(&t->h, 2);
    for (int weight = 0; weight < 2; weight++) {
        if (t->all || weight == drawn) {
            test_cluster(t, weight);
        }
    }
    if (t->all) {
        test_all(t);
    } else {
        printf("left out: another weight, all colours there are (--all)\n");
    }
}

static void check_generated(struct palette_test *t, uint32_t num_colors, uint32_t width,
                            uint32_t height)
{
    uint8_t *rgba = malloc((size_t)4 * width * height);
    test_must(rgba && ref_palette_picture(width, height, num_colors, 1, rgba), "memory");
    const struct palette_picture picture = {.width = width, .height = height, .rgba = rgba};
    char name[32];
    snprintf(name, sizeof(name), "generated %u", num_colors);
    for (int weight = 0; weight < 2; weight++) {
        weir_palette *palette = palette_of(
            t, weir_palette_params(.max_colors = MAX_GENERATED,
                                   .weight = (enum weir_palette_weight)weight));
        palette_check(&t->h, palette, name, &picture, &(struct weir_palette_start){.radius = 0.02f},
                      true);
        printf("%s, weight %d: checked\n", name, weight);
    }
    free(rgba);
}

// On a software device without --all a picture of the fewest colours, as the others take long.
void palette_test_pictures(struct palette_test *t)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(t->h.import->physical_device, &properties);
    if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU && !t->all) {
        check_generated(t, 6000, 256, 256);
    } else {
        check_generated(t, 16755, 512, 256);
    }
    if (t->all) {
        check_generated(t, 16755, 2048, 1024);
        check_generated(t, 27868, 2048, 1024);
        check_generated(t, 84860, 2048, 1024);
    }
}
