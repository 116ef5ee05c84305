// SPDX-License-Identifier: MIT
// A palette that follows from frame to frame, against its reference: every frame's bytes, and the
// palette after it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/palette_test.h"

enum { MAX_WIDTH = 150, MAX_HEIGHT = 90, MAX_PIXELS = MAX_WIDTH * MAX_HEIGHT };
enum { LARGE_WIDTH = 401, LARGE_HEIGHT = 265 }; // too many pixels to look at all
enum { LARGE_PIXELS = LARGE_WIDTH * LARGE_HEIGHT };
enum { NUM_SEQUENCES = 2, NUM_FRAMES = 9 };

struct sequence {
    struct harness *h;
    weir_palette *palette;
    struct kernel_palette *want;
    uint32_t num_told, told[WEIR_PALETTE_MAX_NUM_COLORS]; // the palette that the host reads
    uint8_t rgba[4 * LARGE_PIXELS], got[4 * LARGE_PIXELS];
};

// A palette as the host reads it: rising, and each colour once.
static uint32_t distinct_colors(uint32_t num, uint32_t *colors)
{
    uint32_t num_distinct = 0;
    qsort(colors, num, sizeof(*colors), palette_compare_colors);
    for (uint32_t i = 0; i < num; i++) {
        if (i == 0 || colors[i] != colors[i - 1]) {
            colors[num_distinct++] = colors[i];
        }
    }
    return num_distinct;
}

// A frame of `rgba` on the device. With `anew` its colours are found again.
static void map_frame(struct sequence *sequence, const char *name, uint32_t num_colors,
                      uint32_t width, uint32_t height, bool anew)
{
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
    palette_images_read(&images, sequence->got);
    palette_images_finish(h, &images);
    sequence->num_told = weir_palette_get_colors(sequence->palette, sequence->told);
}

// The same beside the kernels on the processor.
static void run_frame(struct sequence *sequence, const char *name, uint32_t num_colors,
                      uint32_t width, uint32_t height, bool anew)
{
    static uint8_t pixels[4 * LARGE_PIXELS];
    uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS];
    const struct weir_palette_start start = {.num_colors = num_colors};
    map_frame(sequence, name, num_colors, width, height, anew);
    kernel_palette_frame(sequence->want, &start, anew, width, height, sequence->rgba, pixels);
    const uint32_t num = distinct_colors(kernel_palette_get_colors(sequence->want, colors), colors);
    test_expect(num == sequence->num_told &&
                    memcmp(colors, sequence->told, num * sizeof(*colors)) == 0,
                "%s: a palette of %u colours, reference %u", name, sequence->num_told, num);
    palette_same(name, sequence->rgba, pixels, sequence->got, (size_t)width * height);
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
    enum { NUM_COLORS = 32, MOST = 120, TURN = 3 }; // frames
    struct harness *h = sequence->h;
    uint32_t before[WEIR_PALETTE_MAX_NUM_COLORS], num_before, num_turns = 0;
    palette_draw_one(0, 255, MAX_PIXELS, sequence->rgba);
    map_frame(sequence, "black", NUM_COLORS, MAX_WIDTH, MAX_HEIGHT, true);
    draw_areas(h, MAX_WIDTH, MAX_HEIGHT, sequence->rgba);
    do {
        num_before = sequence->num_told;
        memcpy(before, sequence->told, sizeof(before));
        for (int i = 0; i < TURN; i++) {
            map_frame(sequence, "after black", NUM_COLORS, MAX_WIDTH, MAX_HEIGHT, false);
        }
    } while ((num_before != sequence->num_told || num_before < 2 ||
              memcmp(before, sequence->told, num_before * sizeof(*before)) != 0) &&
             ++num_turns < MOST);
    test_expect(num_turns < MOST, "colours still move after %u turns", num_turns);
    const double settled = mean_error(sequence->rgba, sequence->got, MAX_PIXELS);
    run_frame(sequence, "found anew", NUM_COLORS, MAX_WIDTH, MAX_HEIGHT, true);
    const double best = mean_error(sequence->rgba, sequence->got, MAX_PIXELS);
    printf("from black: at rest after %u turns, a mean error of %.1f; found anew %.1f\n", num_turns,
           settled, best);
    test_expect(settled < 1.25 * best, "at rest with a mean error of %.1f; found anew %.1f",
                settled, best);
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
    const struct weir_palette_params params = weir_palette_get_params(sequence.palette);
    test_expect(params.table, "live without a table");
    sequence.want = kernel_palette_create(&params);
    check_refused(&sequence);
    check_large(&sequence);
    check_rest(&sequence);
    const int num_sequences = t->few ? 1 : t->rounds ? t->rounds : NUM_SEQUENCES;
    for (int i = 0; i < num_sequences; i++) {
        check_sequence(&sequence, i, NUM_FRAMES);
    }
    kernel_palette_destroy(sequence.want);
}
