// SPDX-License-Identifier: MIT
// Facts of palette reduction: merging, the order of calls, shared palettes, tables, overflow. That
// the order and the scale of counts change nothing is a fact of the reference (unit_palette).
#include <stdio.h>
#include <string.h>

#include "tests/gpu/palette_test.h"

enum { SIDE = 32, NUM_PIXELS = SIDE * SIDE, NUM_SHARED = 3, NUM_ROUNDS = 2 };

// A palette of each weight, and the same that never merges.
struct facts {
    struct palette_test *t;
    struct harness *h;
    int num_rounds;
    int turn; // which weight goes with a stage of a run; both with --all and where rounds are given
    weir_palette *palettes[2], *no_merge[2];
};

static const char *const weight_names[] = {"equal", "frequency"};

// Reduce a picture with merging and without. Both give the same pixels, and merging takes no more
// evaluations. Returns how many it saves.
static uint64_t check_merging(struct facts *f, int weight, const uint8_t *rgba, float radius)
{
    static uint8_t merged[4 * NUM_PIXELS], alone[4 * NUM_PIXELS];
    const struct palette_picture picture = palette_square(SIDE, rgba);
    const struct weir_palette_start start = {.radius = radius};
    struct weir_palette_stats a = {0}, b = {0};
    palette_run(f->h, f->palettes[weight], &picture, &start, merged, &a);
    palette_run(f->h, f->no_merge[weight], &picture, &start, alone, &b);
    palette_same("no_merge", rgba, merged, alone, NUM_PIXELS);
    test_expect(b.num_evaluations >= a.num_evaluations && b.max_steps >= a.max_steps,
                "%s: %llu evaluations, %u steps; no_merge %llu, %u", weight_names[weight],
                (unsigned long long)a.num_evaluations, a.max_steps,
                (unsigned long long)b.num_evaluations, b.max_steps);
    return b.num_evaluations - a.num_evaluations;
}

// Ways that meet end together, so that it is enough to follow one of them. In a dense cube of
// colours most ways meet; in a random picture of few colours none may.
static void test_merging(struct facts *f, int weight)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    palette_draw_cube(f->h, 16, 2, NUM_PIXELS, rgba);
    test_expect(check_merging(f, weight, rgba, 0.03f) > 0, "merging saves nothing");
    for (int i = 0; i < f->num_rounds; i++) {
        palette_draw_pixels(f->h, NUM_PIXELS, rgba);
        check_merging(f, weight, rgba, palette_draw_radius(f->h));
    }
}

// The last call of a run that is recorded before another run begins.
enum stage { COUNTED, STARTED, ITERATED, FINISHED, NUM_STAGES };

static void record_until(struct harness *h, weir_palette *palette,
                         const struct palette_images *images, float radius, enum stage stage)
{
    VkCommandBuffer cmd = harness_begin(h);
    enum weir_result result = weir_cmd_palette_count(
        palette, cmd, &(struct weir_palette_count){.source = images->image, .clear = true});
    if (result == WEIR_OK && stage >= STARTED) {
        result = weir_cmd_palette_start(palette, cmd,
                                        &(struct weir_palette_start){.radius = radius});
    }
    if (result == WEIR_OK && stage >= ITERATED) {
        result = weir_cmd_palette_iterate(palette, cmd, 1);
    }
    if (result == WEIR_OK && stage >= FINISHED) {
        result = weir_cmd_palette_finish(palette, cmd);
    }
    harness_submit(h, cmd, NULL, 0);
    test_expect(result == WEIR_OK, "stage %d: %s", (int)stage, weir_result_name(result));
}

// A run that was given up at some stage leaves nothing to the next: of another picture, or of
// another radius.
static void test_again(struct facts *f, int weight, enum stage stage)
{
    static uint8_t before[4 * NUM_PIXELS], rgba[4 * NUM_PIXELS], pixels[4 * NUM_PIXELS];
    weir_palette *palette = f->palettes[weight];
    palette_draw_pixels(f->h, NUM_PIXELS, before);
    palette_draw_pixels(f->h, NUM_PIXELS, rgba);
    const struct palette_picture given_up = palette_square(SIDE, before),
                                 picture = palette_square(SIDE, rgba);
    struct palette_images images;
    palette_images_init(f->h, &given_up, &images);
    char name[64];
    snprintf(name, sizeof(name), "after a run that came to stage %d", (int)stage);
    record_until(f->h, palette, &images, palette_draw_radius(f->h), stage);
    const struct weir_palette_start start = {.radius = palette_draw_radius(f->h)};
    palette_check(f->h, palette, name, &picture, &start, false);
    record_until(f->h, palette, &images, palette_draw_radius(f->h), stage);
    struct palette_want want;
    palette_want_init(palette, "the same colours again", &given_up, &start, &want);
    if (palette_run_counted(f->h, palette, &images, 1, &start)) {
        palette_images_read(&images, pixels);
        palette_same(want.label, before, want.pixels, pixels, NUM_PIXELS);
    }
    palette_want_finish(&want);
    palette_images_finish(f->h, &images);
}

// Two or three pictures of different sizes have one palette.
static void test_shared(struct facts *f, int weight, uint32_t num)
{
    static uint8_t rgba[NUM_SHARED * 4 * NUM_PIXELS], out[NUM_SHARED * 4 * NUM_PIXELS];
    struct palette_picture pictures[NUM_SHARED];
    uint8_t *pixels[NUM_SHARED];
    uint32_t num_pixels = 0;
    for (uint32_t i = 0; i < num; i++) {
        const uint32_t width = 1 + harness_random_below(f->h, SIDE);
        const uint32_t height = 1 + harness_random_below(f->h, SIDE);
        pictures[i] = (struct palette_picture){
            .width = width, .height = height, .rgba = rgba + 4 * num_pixels};
        pixels[i] = out + 4 * num_pixels;
        palette_draw_pixels(f->h, width * height, rgba + 4 * num_pixels);
        num_pixels += width * height;
    }
    const struct weir_palette_start start = {.radius = palette_draw_radius(f->h)};
    struct palette_want want;
    struct weir_palette_stats stats;
    palette_want_init(f->palettes[weight], "shared",
                      &(struct palette_picture){.width = num_pixels, .height = 1, .rgba = rgba},
                      &start, &want);
    if (palette_run_shared(f->h, f->palettes[weight], pictures, num, &start, pixels, &stats)) {
        palette_same(want.label, rgba, want.pixels, out, num_pixels);
        test_expect(stats.num_colors == want.num_colors, "%s: %u", want.label, stats.num_colors);
    }
    palette_want_finish(&want);
}

static void test_table(struct facts *f, enum weir_palette_weight weight)
{
    static uint8_t rgba[4 * NUM_PIXELS];
    weir_palette *palette = palette_of(f->t, weir_palette_params(.weight = weight, .table = true));
    for (int i = 0; i < f->num_rounds; i++) {
        palette_draw_pixels(f->h, NUM_PIXELS, rgba);
        const struct palette_picture picture = palette_square(SIDE, rgba);
        const struct weir_palette_start start = {.radius = palette_draw_radius(f->h)};
        palette_check(f->h, palette, "table", &picture, &start, false);
    }
}

// One colour more than there is room for, and as many as there is room for, one after the other.
static void test_overflow(struct facts *f, enum weir_palette_weight weight, bool table)
{
    struct harness *h = f->h;
    enum { ROOM = 1000, WIDTH = 77, HEIGHT = 13 }; // 1001 pixels
    static uint8_t rgba[4 * (ROOM + 1)], pixels[4 * (ROOM + 1)];
    weir_palette *palette = palette_of(
        f->t, weir_palette_params(.weight = weight, .table = table, .max_colors = ROOM));
    const struct palette_picture picture = {.width = WIDTH, .height = HEIGHT, .rgba = rgba};
    for (int i = 0; i < f->num_rounds - 1; i++) {
        // steps of a table's bin or more: as many colours in a table
        palette_draw_cube(h, 11, 4 + harness_random_below(h, 20), ROOM + 1, rgba);
        rgba[3] = 7;
        const struct weir_palette_start start = {.radius = palette_draw_radius(h)};
        struct weir_palette_stats stats = {0};
        palette_run(h, palette, &picture, &start, pixels, &stats);
        test_expect(stats.overflow && stats.num_colors == ROOM + 1 && !stats.num_unfinished,
                    "%s: overflow %d, %u colours, %u unfinished", weight_names[weight],
                    stats.overflow, stats.num_colors, stats.num_unfinished);
        palette_same("overflow", rgba, rgba, pixels, ROOM + 1);
        memcpy(rgba, rgba + 4 * (1 + harness_random_below(h, ROOM)), 4);
        palette_check(h, palette, "as many as there is room for", &picture, &start, false);
    }
}

static void test_weight(struct facts *f, int weight)
{
    test_merging(f, weight);
    for (enum stage stage = COUNTED; stage < NUM_STAGES; stage++) {
        if (f->t->all || f->t->rounds || ((int)stage ^ weight ^ f->turn) & 1) {
            test_again(f, weight, stage);
        }
    }
    for (uint32_t i = 0; i < (uint32_t)f->num_rounds; i++) {
        test_shared(f, weight, 2 + i % 2);
    }
    test_table(f, (enum weir_palette_weight)weight);
    test_overflow(f, (enum weir_palette_weight)weight, false);
    test_overflow(f, (enum weir_palette_weight)weight, true);
}

void palette_test_facts(struct palette_test *t)
{
    struct facts facts = {.t = t,
                          .h = &t->h,
                          .num_rounds = t->rounds ? t->rounds : NUM_ROUNDS,
                          .turn = (int)harness_random_below(&t->h, 2)};
    for (int weight = 0; weight < 2; weight++) {
        struct weir_palette_params params = {.weight = (enum weir_palette_weight)weight};
        facts.palettes[weight] = palette_of(t, &params);
        params.no_merge = true;
        facts.no_merge[weight] = palette_of(t, &params);
    }
    for (int weight = 0; weight < 2; weight++) {
        test_weight(&facts, weight);
    }
}
