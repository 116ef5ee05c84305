// SPDX-License-Identifier: MIT
// Palette reduction of frames: one call a frame, what is left unfinished, and two palettes in one
// command buffer.
#include <stdio.h>
#include <stdlib.h>

#include "tests/gpu/palette_test.h"

enum {
    SIDE = 40,
    DENSE_SIDE = 48,
    MAX_PIXELS = DENSE_SIDE * DENSE_SIDE,
    NUM_PIXELS = SIDE * SIDE,
    NUM_FRAMES = 3, // the second one is cut short
    NUM_TURNS = 2
};

static void run_frame(struct harness *h, weir_palette *palette,
                      const struct palette_picture *picture, const struct weir_palette_start *start,
                      uint32_t num_dispatches, uint8_t *pixels)
{
    struct palette_images images;
    palette_images_init(h, picture, &images);
    VkCommandBuffer cmd = harness_begin(h);
    const enum weir_result result = palette_record(
        h, cmd, palette, &images,
        (struct weir_palette_run){
            .radius = start->radius, .limit = start->limit, .num_dispatches = num_dispatches});
    test_expect(result == WEIR_OK, "weir_cmd_palette: %s", weir_result_name(result));
    harness_submit(h, cmd, NULL, 0);
    palette_images_read(&images, pixels);
    palette_images_finish(h, &images);
}

// Frames of a loop, each in one call: what the separate calls give.
static void test_frames(struct harness *h, weir_palette *palette, int num_frames)
{
    static uint8_t rgba[4 * NUM_PIXELS], want[4 * NUM_PIXELS], got[4 * NUM_PIXELS];
    for (int i = 0; i < num_frames; i++) {
        palette_draw_pixels(h, NUM_PIXELS, rgba);
        const struct palette_picture picture = palette_square(SIDE, rgba);
        const struct weir_palette_start start = {.radius = palette_draw_radius(h),
                                                 .limit = i == 1 ? 3 : 0};
        struct weir_palette_stats separate = {0};
        palette_run(h, palette, &picture, &start, want, &separate);
        run_frame(h, palette, &picture, &start, 0, got);
        const struct weir_palette_stats stats = weir_palette_get_stats(palette);
        test_expect(stats.num_unfinished == 0 && stats.num_colors == separate.num_colors &&
                        stats.num_new_colors == separate.num_new_colors,
                    "frame %d: %u of %u colours unfinished", i, stats.num_unfinished,
                    stats.num_colors);
        struct palette_want reference;
        palette_want_init(palette, "frame", &picture, &start, &reference);
        palette_same(reference.label, rgba, reference.pixels, want, NUM_PIXELS);
        palette_same(reference.label, rgba, reference.pixels, got, NUM_PIXELS);
        palette_want_finish(&reference);
    }
}

// True if `new_color` is a place on a colour's way.
static bool is_on_way(const struct palette_want *want, const struct ref_palette_point *points,
                      uint32_t color, uint32_t new_color)
{
    struct ref_palette_point place = points[color];
    for (;;) {
        if (ref_palette_color_of(place, want->shift.srgb) == new_color) {
            return true;
        }
        const struct ref_palette_point next = ref_palette_step(&want->shift, want->num_colors,
                                                               points, want->counts, place);
        if (next.l == place.l && next.a == place.a && next.b == place.b) {
            return false;
        }
        place = next;
    }
}

// Pixels after a reduction that was cut short.
static void check_ways(const struct palette_want *want, const uint8_t *rgba, const uint8_t *pixels)
{
    struct ref_palette_point *points = malloc(want->num_colors * sizeof(*points));
    test_must(points, "memory");
    for (uint32_t i = 0; i < want->num_colors; i++) {
        points[i] = ref_palette_point_of(want->colors[i], want->shift.srgb);
    }
    static uint32_t new_colors[1 << 24];
    for (uint32_t i = 0; i < MAX_PIXELS; i++) {
        new_colors[palette_color_at(rgba + 4 * i)] = palette_color_at(pixels + 4 * i);
    }
    bool is_right = true;
    for (uint32_t i = 0; i < want->num_colors && is_right; i++) {
        const uint32_t color = want->colors[i];
        is_right = test_expect(is_on_way(want, points, i, new_colors[color]),
                               "%s: %06x does not come by %06x", want->label, color,
                               new_colors[color]);
    }
    free(points);
}

// A dense picture in one dispatch: what does not end in it stays on its way, and the next frame is
// as ever.
static void test_unfinished(struct harness *h, weir_palette *palette)
{
    static uint8_t rgba[4 * MAX_PIXELS], pixels[4 * MAX_PIXELS];
    palette_draw_cube(h, 16, 2, MAX_PIXELS, rgba);
    const struct palette_picture picture = palette_square(DENSE_SIDE, rgba);
    const struct weir_palette_start start = {.radius = 0.03f};
    run_frame(h, palette, &picture, &start, 1, pixels);
    const struct weir_palette_stats stats = weir_palette_get_stats(palette);
    if (stats.num_unfinished == 0) {
        printf("left out: this device finishes %u colours in one dispatch\n", stats.num_colors);
    }
    struct palette_want want;
    palette_want_init(palette, "one dispatch", &picture, &start, &want);
    printf("%s: %u unfinished, %u steps at most\n", want.label, stats.num_unfinished,
           want.stats.max_steps);
    check_ways(&want, rgba, pixels);
    palette_want_finish(&want);
    palette_check(h, palette, "after an unfinished frame", &picture, &start, false);
}

// Calls of two palettes in turn, in one command buffer.
static void test_two(struct harness *h, weir_palette *const palettes[2])
{
    enum { NUM_DISPATCHES = 16 };
    static uint8_t rgba[2][4 * NUM_PIXELS], pixels[4 * NUM_PIXELS];
    struct palette_picture pictures[2];
    struct palette_images images[2];
    struct weir_palette_start starts[2];
    for (int i = 0; i < 2; i++) {
        palette_draw_pixels(h, NUM_PIXELS, rgba[i]);
        pictures[i] = palette_square(SIDE, rgba[i]);
        palette_images_init(h, &pictures[i], &images[i]);
        starts[i] = (struct weir_palette_start){.radius = palette_draw_radius(h)};
    }
    VkCommandBuffer cmd = harness_begin(h);
    for (int i = 0; i < 2; i++) {
        weir_cmd_palette_count(
            palettes[i], cmd,
            &(struct weir_palette_count){.source = images[i].image, .clear = true});
    }
    for (int i = 0; i < 2; i++) {
        weir_cmd_palette_start(palettes[i], cmd, &starts[i]);
    }
    for (int i = 0; i < 2 * NUM_DISPATCHES; i++) {
        weir_cmd_palette_iterate(palettes[i & 1], cmd, 1);
    }
    for (int i = 0; i < 2; i++) {
        weir_cmd_palette_finish(palettes[i], cmd);
    }
    for (int i = 0; i < 2; i++) {
        weir_cmd_palette_map(palettes[i], cmd, images[i].image, images[i].result);
        palette_images_copy(h, cmd, &images[i]);
    }
    harness_submit(h, cmd, NULL, 0);
    for (int i = 0; i < 2; i++) {
        struct palette_want want;
        palette_want_init(palettes[i], "one of two", &pictures[i], &starts[i], &want);
        palette_images_read(&images[i], pixels);
        palette_same(want.label, rgba[i], want.pixels, pixels, NUM_PIXELS);
        palette_want_finish(&want);
        palette_images_finish(h, &images[i]);
    }
}

void palette_test_frames(struct palette_test *t)
{
    struct harness *h = &t->h;
    weir_palette *palettes[2],
        *no_merge = palette_of(
            t, weir_palette_params(.weight = WEIR_PALETTE_WEIGHT_FREQUENCY, .no_merge = true));
    for (int weight = 0; weight < 2; weight++) {
        palettes[weight] = palette_of(
            t, weir_palette_params(.weight = (enum weir_palette_weight)weight));
        test_frames(h, palettes[weight], t->rounds ? t->rounds : NUM_FRAMES);
        test_unfinished(h, palettes[weight]);
    }
    test_unfinished(h, no_merge);
    const int num_turns = t->rounds ? t->rounds : NUM_TURNS;
    for (int i = 0; i < num_turns; i++) {
        test_two(h, palettes);
        test_two(h, (weir_palette *const[2]){no_merge, palettes[i & 1]});
    }
}
