// SPDX-License-Identifier: MIT
// Properties of pyramids that need no reference: constants and the mean are kept, each texel has
// its share, and symmetries hold.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/pyramid_check.h"
#include "tests/gpu/pyramid_test.h"
#include "tests/ref/texel.h"

// Every code of 8 bits in every channel: 256 layers of one colour each.
static void test_codes(struct pyramid_runner *runner, enum weir_pyramid_method method,
                       const struct weir_pyramid_format_info *format, bool is_even)
{
    struct pyramid_case c = {.method = method,
                             .format = format->format,
                             .width = is_even ? 24 : 13,
                             .height = is_even ? 20 : 15,
                             .layers = 256,
                             .last_level = 2};
    const size_t layer_size = (size_t)c.width * c.height * format->texel_size;
    uint8_t *input = malloc(256 * layer_size);
    for (uint32_t i = 0; i < 256 * layer_size; i++) {
        const uint32_t channel = i % format->texel_size;
        input[i] = (uint8_t)((2 * channel + 1) * (i / layer_size) + 85 * channel);
    }
    if (pyramid_run_on(runner, &c, input)) {
        pyramid_check_constant(runner, &c);
    }
    free(input);
}

// Test RGBA8_SRGB with every method, and every format with SINGLE: on a software device with the
// smallest kernel, and with SINGLE either RGBA8_SRGB or one of data, as the seed says. It has even
// sides or odd ones.
static void test_all_codes(struct pyramid_runner *runner)
{
    size_t num_formats;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num_formats);
    const bool is_part = runner->is_cpu && !runner->all;
    const enum weir_pyramid_method widest = is_part ? WEIR_PYRAMID_PER_LEVEL : WEIR_PYRAMID_SINGLE;
    static const VkFormat data[] = {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM,
                                    VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM};
    const VkFormat drawn = harness_random_below(runner->harness, 2)
                               ? VK_FORMAT_R8G8B8A8_SRGB
                               : data[harness_random_below(runner->harness, 4)];
    for (uint32_t m = 0; m < PYRAMID_NUM_METHODS; m++) {
        const enum weir_pyramid_method method = pyramid_methods[m];
        const uint32_t side = harness_random_below(runner->harness, 2);
        for (size_t f = 0; f < num_formats; f++) {
            const VkFormat one = is_part && method == WEIR_PYRAMID_SINGLE ? drawn
                                                                          : VK_FORMAT_R8G8B8A8_SRGB;
            const bool is_chosen = runner->all || method == widest || formats[f].format == one;
            if (formats[f].texel_size != formats[f].num_channels || !is_chosen ||
                method == WEIR_PYRAMID_BLIT) {
                continue;
            }
            for (uint32_t is_even = pyramid_needs_even_sides(method); is_even < 2; is_even++) {
                if (!is_part || pyramid_needs_even_sides(method) || is_even == (f + side) % 2) {
                    test_codes(runner, method, &formats[f], is_even != 0);
                }
            }
        }
    }
}

// Images of floats, which store a texel's value as it is. Of several layers, as those of
// test_impulses() are: software devices compile a kernel again for images of one.
enum { NUM_LAYERS = 2 };

static struct pyramid_case float_case(enum weir_pyramid_method method, uint32_t width,
                                      uint32_t height, uint32_t last_level)
{
    return (struct pyramid_case){.method = method,
                                 .format = VK_FORMAT_R32_SFLOAT,
                                 .width = width,
                                 .height = height,
                                 .layers = NUM_LAYERS,
                                 .last_level = last_level};
}

static double sum_of(const struct pyramid_runner *runner, uint32_t level, uint32_t layer)
{
    const struct ref_pyramid *ref = &runner->images.ref;
    const float *texels = (const float *)(const void *)pyramid_images_level(&runner->images, 0,
                                                                            level, layer);
    double sum = 0;
    for (uint32_t i = 0;
         i < ref_pyramid_level_size(ref->width, level) * ref_pyramid_level_size(ref->height, level);
         i++) {
        sum += texels[i];
    }
    return sum;
}

// Check that each level of `layer` has the mean of its level 0.
static bool has_mean(struct pyramid_runner *runner, const struct pyramid_case *c, uint32_t layer)
{
    const struct ref_pyramid *ref = &runner->images.ref;
    const double mean = sum_of(runner, 0, layer) / ((double)ref->width * ref->height);
    for (uint32_t level = 1; level <= ref->last_level; level++) {
        const double other = sum_of(runner, level, layer) /
                             ((double)ref_pyramid_level_size(ref->width, level) *
                              ref_pyramid_level_size(ref->height, level));
        if (!(fabs(other - mean) <= 2e-6 * level * mean)) {
            char text[256];
            snprintf(text, sizeof(text), "layer %u: the mean of level %u is %.9g, of level 0 %.9g",
                     layer, level, other, mean);
            return pyramid_fail(&runner->images, c, text);
        }
    }
    return true;
}

static void test_mean(struct pyramid_runner *runner, enum weir_pyramid_method method,
                      const uint32_t size[3])
{
    const struct pyramid_case c = float_case(method, size[0], size[1], size[2]);
    const size_t num_texels = (size_t)c.width * c.height * NUM_LAYERS;
    float *input = malloc(num_texels * sizeof(*input));
    for (size_t i = 0; i < num_texels; i++) {
        input[i] = (float)harness_random_below(runner->harness, 1 << 20) + 1;
    }
    bool passed = pyramid_run_on(runner, &c, input);
    for (uint32_t layer = 0; layer < NUM_LAYERS && passed; layer++) {
        passed = has_mean(runner, &c, layer);
    }
    free(input);
}

// Each layer of a dark image has one bright texel, another one in each layer. Its weights in a
// level add up to n/S on each axis, so every level keeps the mean, whichever texel it is.
static void test_impulses(struct pyramid_runner *runner, enum weir_pyramid_method method,
                          const uint32_t size[3])
{
    struct pyramid_case c = float_case(method, size[0], size[1], size[2]);
    c.layers = c.width * c.height;
    float *input = calloc((size_t)c.layers * c.layers, sizeof(*input));
    for (uint32_t layer = 0; layer < c.layers; layer++) {
        input[(size_t)layer * c.layers + layer] = 1000;
    }
    bool passed = pyramid_run_on(runner, &c, input);
    for (uint32_t layer = 0; layer < c.layers && passed; layer++) {
        passed = has_mean(runner, &c, layer);
    }
    free(input);
}

// A line lies on the middle row of an odd height S. The rows of level 1 share it: a column of them
// adds up to (S - 1)/2 / S. `is_lost`: blits, which take two taps, lose it if (S - 1)/2 is even.
static void test_centre_line(struct pyramid_runner *runner, enum weir_pyramid_method method,
                             uint32_t height, bool is_lost)
{
    const struct pyramid_case c = float_case(method, 11, height, 1);
    const uint32_t half = height / 2;
    float *input = calloc((size_t)NUM_LAYERS * c.width * height, sizeof(*input));
    for (uint32_t x = 0; x < c.width; x++) {
        input[half * c.width + x] = 1;
    }
    if (pyramid_run_on(runner, &c, input)) {
        const float *level = (const float *)(const void *)pyramid_images_level(&runner->images, 0,
                                                                               1, 0);
        const double expected = is_lost ? 0 : (double)half / height;
        for (uint32_t x = 0; x < c.width / 2; x++) {
            double sum = 0;
            for (uint32_t y = 0; y < half; y++) {
                sum += level[y * (c.width / 2) + x];
            }
            if (!(fabs(sum - expected) <= 1e-6)) {
                char text[128];
                snprintf(text, sizeof(text), "the centre row has %.9g of column %u, not %.9g", sum,
                         x, expected);
                pyramid_fail(&runner->images, &c, text);
                break;
            }
        }
    }
    free(input);
}

struct symmetry {
    const char *name;
    bool flips_x, flips_y, swaps; // in this order
};

// Get the number that texel (x, y) of a width x height image has in the transformed image.
static size_t transformed(const struct symmetry *symmetry, uint32_t width, uint32_t height,
                          uint32_t x, uint32_t y)
{
    const uint32_t u = symmetry->flips_x ? width - 1 - x : x;
    const uint32_t v = symmetry->flips_y ? height - 1 - y : y;
    return symmetry->swaps ? (size_t)u * height + v : (size_t)v * width + u;
}

// Return true if every level of the last run is the transformed `levels`, apart from rounding: sums
// are made in another order.
static bool is_transformed(struct pyramid_runner *runner, const struct pyramid_case *c,
                           const struct symmetry *symmetry, const struct ref_pyramid *ref,
                           const uint8_t *levels)
{
    const struct ref_texel_format *format = ref_texel_get_format(c->format);
    const bool is_float = format->kind == REF_TEXEL_FLOAT;
    const bool is_exact = ref_pyramid_is_extremum(c->reduction);
    for (uint32_t level = 1; level <= ref->last_level; level++) {
        const uint32_t width = ref_pyramid_level_size(ref->width, level);
        const uint32_t height = ref_pyramid_level_size(ref->height, level);
        const uint8_t *a = levels + ref_pyramid_offset(ref, level);
        const uint8_t *b = pyramid_images_level(&runner->images, 0, level, 0);
        for (uint32_t i = 0; i < width * height; i++) {
            const uint8_t *before = a + (size_t)i * format->texel_size;
            const uint8_t *after = b + transformed(symmetry, width, height, i % width, i / width) *
                                           format->texel_size;
            const bool is_same = is_exact ? ref_texel_distance(format, before, after) == 0
                                 : is_float
                                     ? ref_texel_relative(format, before, after) <= 2e-6 * level
                                     : ref_texel_distance(format, before, after) <= 1;
            if (!is_same) {
                char text[128];
                snprintf(text, sizeof(text), "%s gives another level %u at (%u, %u)",
                         symmetry->name, level, i % width, i / width);
                return pyramid_fail(&runner->images, c, text);
            }
        }
    }
    return true;
}

// Transform each layer.
static void transform(const struct symmetry *symmetry, const struct pyramid_case *c,
                      size_t texel_size, const uint8_t *texels, uint8_t *out)
{
    const size_t num_texels = (size_t)c->width * c->height;
    for (size_t i = 0; i < num_texels * c->layers; i++) {
        const uint32_t x = (uint32_t)(i % c->width), y = (uint32_t)(i / c->width % c->height);
        const size_t first = i / num_texels * num_texels;
        memcpy(out + (first + transformed(symmetry, c->width, c->height, x, y)) * texel_size,
               texels + i * texel_size, texel_size);
    }
}

static void test_symmetries(struct pyramid_runner *runner, const struct pyramid_case *c)
{
    static const struct symmetry symmetries[] = {{"a flip from left to right", true, false, false},
                                                 {"a flip from top to bottom", false, true, false},
                                                 {"a transposition", false, false, true},
                                                 {"a turn by a quarter", true, false, true}};
    const size_t texel_size = ref_texel_get_format(c->format)->texel_size;
    const size_t num_texels = (size_t)c->width * c->height * c->layers;
    uint8_t *input = malloc(num_texels * texel_size), *changed = malloc(num_texels * texel_size);
    for (size_t i = 0; i < num_texels; i++) {
        const float value = (float)(harness_random(runner->harness) >> 8) + 1;
        const uint32_t code = harness_random(runner->harness);
        memcpy(input + i * texel_size,
               c->format == VK_FORMAT_R32_SFLOAT ? (const void *)&value : &code, texel_size);
    }
    if (pyramid_run_on(runner, c, input)) {
        const struct ref_pyramid ref = runner->images.ref;
        uint8_t *levels = malloc(runner->images.size);
        memcpy(levels, pyramid_images_downloaded(&runner->images, 0), runner->images.size);
        for (size_t s = 0; s < sizeof(symmetries) / sizeof(symmetries[0]); s++) {
            struct pyramid_case other = *c;
            other.width = symmetries[s].swaps ? c->height : c->width;
            other.height = symmetries[s].swaps ? c->width : c->height;
            transform(&symmetries[s], c, texel_size, input, changed);
            if (pyramid_run_on(runner, &other, changed)) {
                is_transformed(runner, &other, &symmetries[s], &ref, levels);
            }
        }
        free(levels);
    }
    free(input);
    free(changed);
}

static void test_floats(struct pyramid_runner *runner, enum weir_pyramid_method method)
{
    // the last level too: 0 is the last of the chain
    static const uint32_t any[][3] = {{77, 53, 0},   {130, 1, 0},    {3, 301, 0},
                                      {515, 300, 0}, {1023, 257, 0}, {96, 160, 5}};
    static const uint32_t impulses[][3] = {{13, 7, 0}, {5, 21, 0}, {12, 20, 2}};
    const bool is_even = pyramid_needs_even_sides(method);
    const bool is_part = runner->is_cpu && !runner->all;
    for (int i = is_even ? 5 : 0; i < 6; i++) {
        // a side that is a power of two is compiled anew; gpu_pyramid_sizes has those of one texel
        if (!(is_part && any[i][1] == 1)) {
            test_mean(runner, method, any[i]);
        }
    }
    for (int i = is_even ? 2 : 0; i < 3; i++) {
        test_impulses(runner, method, impulses[i]);
    }
    for (uint32_t height = 3; !is_even && height < 70; height += 2) {
        test_centre_line(runner, method, height, false);
    }
    struct pyramid_case c = float_case(method, 96, 160, 5);
    test_symmetries(runner, &c);
    if (!is_even) {
        c = float_case(method, 141, 77, 0);
        test_symmetries(runner, &c);
    }
}

// A software device has the symmetries of light or of maxima, as the seed says.
static void test_others(struct pyramid_runner *runner)
{
    const struct pyramid_case light = {.method = WEIR_PYRAMID_SINGLE,
                                       .format = VK_FORMAT_R8G8B8A8_SRGB,
                                       .width = 515,
                                       .height = 601,
                                       .layers = NUM_LAYERS};
    const struct pyramid_case maxima = {.method = WEIR_PYRAMID_SINGLE,
                                        .format = VK_FORMAT_R32_SFLOAT,
                                        .reduction = WEIR_PYRAMID_MAX,
                                        .width = 141,
                                        .height = 77,
                                        .layers = NUM_LAYERS};
    const bool has_both = !runner->is_cpu || runner->all;
    const bool has_light = harness_random_below(runner->harness, 2) != 0;
    // That blits fail shows that the line can be lost.
    test_centre_line(runner, WEIR_PYRAMID_BLIT, 5, true);
    test_centre_line(runner, WEIR_PYRAMID_BLIT, 65, true);
    if (has_both || has_light) {
        test_symmetries(runner, &light);
    }
    if (has_both || !has_light) {
        test_symmetries(runner, &maxima);
    }
}

void pyramid_test_invariants(struct pyramid_runner *runner)
{
    for (int m = 0; m < PYRAMID_NUM_METHODS; m++) {
        if (pyramid_methods[m] != WEIR_PYRAMID_BLIT) {
            test_floats(runner, pyramid_methods[m]);
        }
    }
    if (!runner->subgroups) { // subgroups hand on the same numbers in every format
        test_all_codes(runner);
        test_others(runner);
    }
}
