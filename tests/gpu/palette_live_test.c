// SPDX-License-Identifier: MIT
// A palette that follows from frame to frame, against its reference: every frame's bytes, and the
// palette after it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/palette_test.h"
#include "tests/ref/palette_live.h"

enum { MAX_WIDTH = 150, MAX_HEIGHT = 90, MAX_PIXELS = MAX_WIDTH * MAX_HEIGHT };
enum { LARGE_WIDTH = 401, LARGE_HEIGHT = 265 }; // too many pixels to look at all
enum { LARGE_PIXELS = LARGE_WIDTH * LARGE_HEIGHT };
enum { NUM_SEQUENCES = 4, NUM_FRAMES = 9 };

struct sequence {
    struct harness *h;
    weir_palette *palette;
    struct ref_palette_live want;
    uint32_t num_colors;                            // of the last frame, 0 = none
    int phase;                                      // of the next frame: it looks, moves or fills
    uint32_t num_told, told[REF_PALETTE_MAX_MEANS]; // the palette that the host reads
    uint8_t rgba[4 * LARGE_PIXELS];
};

// Find the colours of a frame as ref_palette_means() does, of bins of 4x4x4.
static void find_colors(struct sequence *sequence, uint32_t num_colors, uint32_t num_pixels)
{
    static uint8_t bins[4 * LARGE_PIXELS];
    for (uint32_t i = 0; i < 4 * num_pixels; i++) {
        bins[i] = i % 4 < 3 ? (uint8_t)((sequence->rgba[i] & 252) | 2) : sequence->rgba[i];
    }
    uint32_t num, *colors, *counts, found[REF_PALETTE_MAX_MEANS], num_found = 0;
    test_must(ref_palette_count(bins, num_pixels, &num, &colors, &counts), "memory");
    uint32_t *unused = calloc(num + 1, sizeof(*unused));
    const struct ref_palette_means_params params = {.num_colors = num_colors, .frequency = true};
    test_must(unused && ref_palette_means(&params, num, colors, counts, found, &num_found, unused),
              "memory");
    ref_palette_live_init(&sequence->want, num_colors, found, num_found);
    free(unused);
    free(colors);
    free(counts);
}

// The palette of a frame, as the host reads it: rising, and each colour once.
static uint32_t distinct_colors(const struct ref_palette_live *want, uint32_t *colors)
{
    uint32_t num = 0;
    memcpy(colors, want->filled, want->num * sizeof(*colors));
    qsort(colors, want->num, sizeof(*colors), palette_compare_colors);
    for (uint32_t i = 0; i < want->num; i++) {
        if (i == 0 || colors[i] != colors[i - 1]) {
            colors[num++] = colors[i];
        }
    }
    return num;
}

// The host has the colours of this frame, but where their table is new those of the frame before.
static void check_colors(struct sequence *sequence, const char *name, bool is_told)
{
    uint32_t got[REF_PALETTE_MAX_MEANS];
    if (is_told) {
        sequence->num_told = distinct_colors(&sequence->want, sequence->told);
    }
    const uint32_t num_got = weir_palette_get_colors(sequence->palette, got);
    test_expect(num_got == sequence->num_told &&
                    memcmp(got, sequence->told, num_got * sizeof(*got)) == 0,
                "%s: a palette of %u colours, reference %u", name, num_got, sequence->num_told);
}

// A frame of `rgba`. With `anew` its colours are found again.
static void run_frame(struct sequence *sequence, const char *name, uint32_t num_colors,
                      uint32_t width, uint32_t height, bool anew)
{
    static uint8_t got[4 * LARGE_PIXELS], want[4 * LARGE_PIXELS];
    struct harness *h = sequence->h;
    const struct palette_picture picture = {
        .width = width, .height = height, .rgba = sequence->rgba};
    struct palette_images images;
    palette_images_init(h, &picture, &images);
    VkCommandBuffer cmd = harness_begin(h);
    enum weir_result result = WEIR_OK;
    if (anew) {
        result = weir_cmd_palette_count(
            sequence->palette, cmd,
            &(struct weir_palette_count){.source = images.image, .clear = true});
    }
    if (result == WEIR_OK) {
        result = palette_record(h, cmd, sequence->palette, &images,
                                (struct weir_palette_run){.num_colors = num_colors});
    }
    test_expect(result == WEIR_OK, "%s: %s", name, weir_result_name(result));
    harness_submit(h, cmd, NULL, 0);
    palette_images_read(&images, got);
    palette_images_finish(h, &images);

    const bool is_first = anew || num_colors != sequence->num_colors;
    if (is_first) {
        find_colors(sequence, num_colors, width * height);
    }
    const int phase = is_first ? 0 : sequence->phase;
    check_colors(sequence, name, is_first || phase == 1);
    ref_palette_live_map(&sequence->want, (size_t)width * height, sequence->rgba, want);
    if (phase == 0) {
        ref_palette_live_look(&sequence->want, width, height, sequence->rgba);
    } else if (phase == 1) {
        ref_palette_live_move(&sequence->want);
    } else {
        ref_palette_live_fill(&sequence->want);
    }
    sequence->num_colors = num_colors;
    sequence->phase = (phase + 1) % 3;
    palette_same(name, sequence->rgba, want, got, (size_t)width * height);
}

// Few areas of noise, as pictures have them.
static void draw_areas(struct harness *h, uint32_t width, uint32_t height, uint8_t *rgba)
{
    uint8_t tones[16][3];
    for (int i = 0; i < 16 * 3; i++) {
        tones[i / 3][i % 3] = (uint8_t)harness_random_below(h, 256);
    }
    for (uint32_t i = 0; i < width * height; i++) {
        const uint8_t *tone = tones[(i % width / 32 + 3 * (i / width / 24)) & 15];
        for (int c = 0; c < 3; c++) {
            rgba[4 * i + (uint32_t)c] = palette_draw_near(h, tone[c], 24);
        }
        rgba[4 * i + 3] = 255;
    }
}

static void draw_frame(struct harness *h, uint32_t width, uint32_t height, uint8_t *rgba)
{
    switch (harness_random_below(h, 5)) {
    case 0:
        palette_draw_one(harness_random_below(h, 1 << 24), 255, width * height, rgba);
        break;
    case 1:
        palette_draw_one(0xffffff, 0, width * height, rgba);
        break;
    case 2:
        palette_draw_pixels(h, width * height, rgba);
        break;
    default:
        draw_areas(h, width, height, rgba);
    }
}

static uint32_t draw_num_colors(struct harness *h)
{
    static const uint32_t nums[] = {1, 2, 7, 16, 255, 256};
    return nums[harness_random_below(h, sizeof(nums) / sizeof(nums[0]))];
}

// Frames that change, stand still, and have other sizes. Colours are found anew now and then.
static void check_sequence(struct sequence *sequence, int number, int num_frames)
{
    struct harness *h = sequence->h;
    uint32_t num_colors = draw_num_colors(h), width = MAX_WIDTH, height = MAX_HEIGHT;
    for (int i = 0; i < num_frames; i++) {
        const bool stands_still = i > 0 && harness_random_below(h, 3) > 0;
        if (!stands_still) {
            width = 1 + harness_random_below(h, MAX_WIDTH);
            height = 1 + harness_random_below(h, MAX_HEIGHT);
            draw_frame(h, width, height, sequence->rgba);
        }
        const uint32_t change = harness_random_below(h, 12);
        num_colors = change == 0 ? draw_num_colors(h) : num_colors;
        char name[96];
        snprintf(name, sizeof(name), "sequence %d, frame %d, %ux%u, %u colours", number, i, width,
                 height, num_colors);
        run_frame(sequence, name, num_colors, width, height, change == 1);
    }
}

// A frame of which not every pixel is looked at.
static void check_large(struct sequence *sequence)
{
    draw_areas(sequence->h, LARGE_WIDTH, LARGE_HEIGHT, sequence->rgba);
    for (int i = 0; i < 4; i++) {
        run_frame(sequence, "large", 64, LARGE_WIDTH, LARGE_HEIGHT, i == 0);
    }
}

static double mean_error(const uint8_t *a, const uint8_t *b, uint32_t num_pixels)
{
    double sum = 0;
    for (uint32_t i = 0; i < 4 * num_pixels; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum / (3.0 * num_pixels);
}

// A palette of one black frame comes to a picture by itself, and then stays.
static void check_rest(struct sequence *sequence)
{
    enum { NUM_COLORS = 32, MOST = 120 };
    static struct ref_palette_live start;
    static uint8_t out[4 * MAX_PIXELS];
    struct harness *h = sequence->h;
    palette_draw_one(0, 255, MAX_PIXELS, sequence->rgba);
    run_frame(sequence, "black", NUM_COLORS, MAX_WIDTH, MAX_HEIGHT, true);
    draw_areas(h, MAX_WIDTH, MAX_HEIGHT, sequence->rgba);
    for (int i = 0; i < 8; i++) { // to the end of a turn
        run_frame(sequence, "after black", NUM_COLORS, MAX_WIDTH, MAX_HEIGHT, false);
    }
    int num_steps = 0;
    do { // the reference alone, which is what the device does
        start = sequence->want;
        ref_palette_live_look(&sequence->want, MAX_WIDTH, MAX_HEIGHT, sequence->rgba);
        ref_palette_live_move(&sequence->want);
        ref_palette_live_fill(&sequence->want);
        num_steps++;
    } while (memcmp(start.colors, sequence->want.colors, sizeof(start.colors)) != 0 &&
             num_steps < MOST);
    test_expect(num_steps < MOST, "colours still move after %d steps", num_steps);
    ref_palette_live_map(&sequence->want, MAX_PIXELS, sequence->rgba, out);
    const double settled = mean_error(sequence->rgba, out, MAX_PIXELS);
    find_colors(sequence, NUM_COLORS, MAX_PIXELS);
    ref_palette_live_map(&sequence->want, MAX_PIXELS, sequence->rgba, out);
    const double best = mean_error(sequence->rgba, out, MAX_PIXELS);
    printf("from black: at rest after %d steps, a mean error of %.1f; found anew %.1f\n", num_steps,
           settled, best);
    test_expect(settled < 1.25 * best, "at rest with a mean error of %.1f; found anew %.1f",
                settled, best);
    sequence->num_colors = 0;
}

// Rare colours are not kept where colours move to most pixels.
static void check_refused(struct sequence *sequence)
{
    struct harness *h = sequence->h;
    const struct palette_picture picture = {.width = 8, .height = 8, .rgba = sequence->rgba};
    struct palette_images images;
    palette_images_init(h, &picture, &images);
    VkCommandBuffer cmd = harness_begin(h);
    const enum weir_result result = weir_cmd_palette(
        sequence->palette, cmd,
        &(struct weir_palette_run){
            .source = images.image, .output = images.result, .num_colors = 16, .keep_rare = true});
    test_expect(result == WEIR_ERROR_INVALID, "keep_rare: %s", weir_result_name(result));
    harness_submit(h, cmd, NULL, 0);
    palette_images_finish(h, &images);
}

void palette_test_live(struct palette_test *t)
{
    static struct sequence sequence;
    sequence.h = &t->h;
    sequence.palette = palette_of(t, weir_palette_params(.method = WEIR_PALETTE_METHOD_K_MEANS,
                                                         .weight = WEIR_PALETTE_WEIGHT_FREQUENCY,
                                                         .live = true));
    test_expect(weir_palette_get_params(sequence.palette).table, "live without a table");
    check_refused(&sequence);
    check_large(&sequence);
    check_rest(&sequence);
    const int num_sequences = t->few ? 1 : t->rounds ? t->rounds : NUM_SEQUENCES;
    for (int i = 0; i < num_sequences; i++) {
        check_sequence(&sequence, i, NUM_FRAMES);
    }
}
