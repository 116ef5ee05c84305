// SPDX-License-Identifier: MIT
// The parts of gpu_palette, and what they share: palettes, pictures, runs, the reference.
#pragma once

#include <weir/palette.h>

#include "tests/gpu/harness.h"
#include "tests/kernels/palette.h"
#include "tests/ref/palette.h"

enum { PALETTE_SIDE = 96, PALETTE_MAX_COLORS = PALETTE_SIDE * PALETTE_SIDE };

struct palette_test {
    struct harness h;
    bool all;   // --all: every combination
    bool few;   // --few: only what depends on the size of subgroups
    int rounds; // of random pictures, 0 = the part's own number
    uint32_t num_palettes;
    struct {
        struct weir_palette_params params;
        weir_palette *palette;
    } palettes[64]; // of all parts of a run, so that a kernel is compiled once
};

void palette_test_devices(struct palette_test *t);
void palette_test_dither(struct palette_test *t);
void palette_test_errors(struct palette_test *t);
void palette_test_facts(struct palette_test *t);
void palette_test_frames(struct palette_test *t);
void palette_test_images(struct palette_test *t);
void palette_test_live(struct palette_test *t);
void palette_test_many(struct palette_test *t);
void palette_test_means(struct palette_test *t);
void palette_test_pictures(struct palette_test *t);
void palette_test_pixels(struct palette_test *t);

// Get a palette that the fixture keeps, the same for the same params. Without `like` it is of
// R8G8B8A8_UNORM, without `max_colors` it has room for PALETTE_MAX_COLORS, or with `live` for what
// the library chooses.
weir_palette *palette_of(struct palette_test *t, const struct weir_palette_params *params);

// 0xRRGGBB, and its comparison for qsort() and bsearch().
uint32_t palette_color_at(const uint8_t *rgba);
int palette_compare_colors(const void *a, const void *b);

// Random pictures: a code at most `spread` away from another.
uint8_t palette_draw_near(struct harness *h, uint32_t code, uint32_t spread);
// Every pixel this colour, 0xRRGGBB.
void palette_draw_one(uint32_t color, uint8_t alpha, uint32_t num_pixels, uint8_t *rgba);
// Some colours, each with others near it; some pixels transparent, whatever their colour.
void palette_draw_pixels(struct harness *h, uint32_t num_pixels, uint8_t *rgba);
// Every pixel another colour, opaque: part of a cube of codes `step` apart, `side` of them an axis.
void palette_draw_cube(struct harness *h, uint32_t side, uint32_t step, uint32_t num_pixels,
                       uint8_t *rgba);
// Pictures that are hard on purpose; returns the name of one.
enum {
    PALETTE_TRANSPARENT,
    PALETTE_ONE_COLOR,
    PALETTE_TWO_COLORS,
    PALETTE_GREY_RAMP,
    PALETTE_NUM_EXTREMES
};
const char *palette_draw_extreme(int extreme, uint32_t num_pixels, uint8_t *rgba);
// Mostly a radius that joins some colours and not all.
float palette_draw_radius(struct harness *h);

struct palette_picture {
    uint32_t width, height;
    const uint8_t *rgba; // the codes that count, 4 bytes a pixel

    // The image that has them. Zero: `rgba` in R8G8B8A8_UNORM.
    VkFormat format;
    VkImageCreateFlags flags;
    enum weir_transfer transfer;
    const void *texels;
    uint32_t texel_size; // [bytes]

    // The image that new colours are written to. Zero: R8G8B8A8_UNORM.
    VkFormat target_format;
    VkImageCreateFlags target_flags;
};
struct palette_picture palette_square(uint32_t side, const uint8_t *rgba);

// A picture on the device, and the image for its new colours.
struct palette_images {
    struct weir_gpu_image source, target;
    struct weir_gpu_buffer pixels; // of the target, as its format has them
    weir_image *image, *result;
};
void palette_images_init(struct harness *h, const struct palette_picture *picture,
                         struct palette_images *images);
void palette_images_finish(struct harness *h, struct palette_images *images);
// Record the copy of what was written; then, when it has been executed, take its pixels as RGBA.
void palette_images_copy(const struct harness *h, VkCommandBuffer cmd,
                         const struct palette_images *images);
void palette_images_read(const struct palette_images *images, uint8_t *pixels);

// Record one call for a whole reduction and the copy of its pixels.
enum weir_result palette_record(const struct harness *h, VkCommandBuffer cmd, weir_palette *palette,
                                const struct palette_images *images, struct weir_palette_run run);

// Reduce `picture` once, and get its new pixels. False after a failure, which is counted.
bool palette_run(struct harness *h, weir_palette *palette, const struct palette_picture *picture,
                 const struct weir_palette_start *start, uint8_t *pixels,
                 struct weir_palette_stats *stats);
// Do the same with the colours of several pictures together. `pixels` has a pointer for each.
bool palette_run_shared(struct harness *h, weir_palette *palette,
                        const struct palette_picture *pictures, uint32_t num_pictures,
                        const struct weir_palette_start *start, uint8_t *const *pixels,
                        struct weir_palette_stats *stats);
// Do the same with images that were counted already.
bool palette_run_counted(struct harness *h, weir_palette *palette,
                         const struct palette_images *images, uint32_t num_images,
                         const struct weir_palette_start *start);

// What a picture should become, by the reference of mean shift or the kernels of k-means.
struct palette_want {
    char label[192];
    struct weir_palette_params kind;
    struct weir_palette_start start;
    struct ref_palette_params shift;
    uint32_t num_palette, palette[WEIR_PALETTE_MAX_NUM_COLORS]; // of k-means
    uint32_t num_colors, *colors, *counts,
        *new_colors; // sorted; of bins where the palette has a table
    struct ref_palette_stats stats;
    uint8_t *pixels; // RGBA
};
// `name` is for messages.
void palette_want_init(const weir_palette *palette, const char *name,
                       const struct palette_picture *picture,
                       const struct weir_palette_start *start, struct palette_want *want);
void palette_want_finish(struct palette_want *want);

// Compare pixels. At the first difference prints a message and returns false.
bool palette_same(const char *label, const uint8_t *rgba, const uint8_t *want, const uint8_t *got,
                  size_t num_pixels);

// A picture of its own: pixels, colours before and after, the palette, evaluations. `meets_all`:
// the table of states is so large that hardly a meeting of two paths is lost, which costs
// evaluations only.
bool palette_check(struct harness *h, weir_palette *palette, const char *name,
                   const struct palette_picture *picture, const struct weir_palette_start *start,
                   bool meets_all);
