// SPDX-License-Identifier: MIT
// The comparison of mip pyramids with their reference: the reference passes its bars, as devices do
// in tests/gpu, and what is wrong does not.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/ref/pyramid_compare.h"
#include "tests/ref/pyramid_content.h"
#include "tests/ref/texel.h"
#include "tests/sanitized.h"
#include "tests/seeded.h"

static const char *describe(const struct ref_pyramid *p, const struct ref_pyramid_difference *d)
{
    static char text[400];
    ref_pyramid_describe(p, d, text, sizeof(text));
    return text;
}

#define EXPECT(is_so, what, where) test_expect(is_so, "%s: %s", what, where)

static uint32_t below(uint32_t end)
{
    return (uint32_t)seeded_below((int)end);
}

static uint8_t *new_levels(const struct ref_pyramid *p, enum ref_pyramid_content content)
{
    uint8_t *levels = calloc(1, ref_pyramid_size(p));
    test_must(levels, "memory");
    ref_pyramid_content_fill(content, p->format, p->reduction, p->width, p->height,
                             ref_pyramid_resolve(p).layers, seeded_state, levels);
    return levels;
}

static void check_same(const struct ref_pyramid *p, enum ref_pyramid_content content)
{
    struct ref_pyramid_difference d;
    uint8_t *levels = new_levels(p, content);
    EXPECT(ref_pyramid_chain(p, levels), "memory", "");
    EXPECT(ref_pyramid_compare(p, levels, &d) == REF_PYRAMID_SAME,
           ref_pyramid_content_name(content), describe(p, &d));
    free(levels);
}

// One channel of one texel of one level that is `steps` steps off is found where it is.
static void check_corruption(const struct ref_pyramid *pyramid)
{
    const struct ref_pyramid p = ref_pyramid_resolve(pyramid);
    const struct ref_texel_format *f = ref_texel_get_format(p.format);
    uint8_t *levels = new_levels(&p, REF_CONTENT_CONSTANT);
    EXPECT(ref_pyramid_chain(&p, levels), "memory", "");
    const uint32_t level = 1 + below(p.levels - 1), layer = below(p.layers);
    const uint32_t w = ref_pyramid_level_size(p.width, level), x = below(w);
    const uint32_t h = ref_pyramid_level_size(p.height, level), y = below(h);
    const uint32_t channel = below(
        p.reduction == WEIR_PYRAMID_MIN_MAX && f->num_channels > 2 ? 2 : f->num_channels);
    const struct ref_pyramid_bar bar = ref_pyramid_get_bar(&p, p.levels);
    const uint32_t steps = f->bits[channel] == 32 && bar.relative > 0
                               ? 4 + (uint32_t)(bar.relative * 0x1p24)
                               : bar.steps + 1;
    uint8_t *texel = levels + ref_pyramid_offset(&p, level) +
                     (((size_t)layer * h + y) * w + x) * f->texel_size;
    uint32_t words[4] = {0};
    memcpy(words, texel, f->texel_size);
    const uint32_t shift = f->shift[channel] % 32, bits = f->bits[channel];
    const uint32_t code = words[f->shift[channel] / 32] >> shift &
                          (bits < 32 ? (1u << bits) - 1 : ~0u);
    const bool up = (code & ((1u << (bits - 1)) - 1)) < 1u << (bits - 2);
    words[f->shift[channel] / 32] += (up ? steps : -steps) << shift;
    memcpy(texel, words, f->texel_size);
    struct ref_pyramid_difference d;
    // In float32 and in alpha of two bits the step must have a size: not from a zero, not out of
    // range.
    const bool is_seen = bits > 2 && (bits < 32 || (code & 0x7fffffff) > 0x30000000);
    const bool found = ref_pyramid_compare(&p, levels, &d) == REF_PYRAMID_DIFFERENT;
    EXPECT(!is_seen || (found && d.level == level && d.layer == layer && d.x == x && d.y == y &&
                        d.channel == channel && d.steps == steps),
           "a wrong texel is not found", describe(&p, &d));
    free(levels);
}

static void check_formats(void)
{
    size_t num_formats;
    const struct ref_texel_format *formats = ref_texel_formats(&num_formats);
    for (size_t i = 0; i < num_formats; i++) {
        for (int n = 0; n < REF_NUM_CONTENTS * 6 * 3; n += SANITIZED_STRIDE) {
            const enum ref_pyramid_content content = (enum ref_pyramid_content)(n %
                                                                                REF_NUM_CONTENTS);
            const struct ref_pyramid p = {
                .format = formats[i].format,
                .reduction = (enum weir_pyramid_reduction)(n / REF_NUM_CONTENTS % 6),
                .width = 1 + below(80),
                .height = 1 + below(44),
                .layers = 1 + below(2),
                .exact_srgb = below(2) != 0,
                .read_back = (const uint32_t[]){REF_PYRAMID_CONTINUOUS, REF_PYRAMID_QUANTISED,
                                                0x4a}[n / REF_NUM_CONTENTS / 6]};
            if (ref_pyramid_content_exists(content, p.format)) {
                check_same(&p, content);
            }
            if (p.width > 1 && content == 0) {
                check_corruption(&p);
            }
        }
    }
}

// The result of a method with wrong taps or layers must not pass.
static void check_wrong_methods(void)
{
    struct ref_pyramid_difference d;
    struct ref_pyramid p = {.format = VK_FORMAT_R8G8B8A8_SRGB,
                            .width = 65,
                            .height = 33,
                            .layers = 2,
                            .read_back = REF_PYRAMID_QUANTISED,
                            .blit = true};
    uint8_t *levels = new_levels(&p, REF_CONTENT_CENTRE_LINES);
    EXPECT(ref_pyramid_chain(&p, levels), "memory", "");
    EXPECT(ref_pyramid_compare(&p, levels, &d) == REF_PYRAMID_SAME, "blit", describe(&p, &d));
    p.blit = false;
    EXPECT(ref_pyramid_compare(&p, levels, &d) == REF_PYRAMID_DIFFERENT && d.level == 1,
           "a blit passes for exact", "");
    p.format = VK_FORMAT_R8G8B8A8_UNORM; // averaged as code values
    ref_pyramid_content_fill(REF_CONTENT_RANDOM, p.format, p.reduction, p.width, p.height, p.layers,
                             seeded_state, levels);
    EXPECT(ref_pyramid_chain(&p, levels), "memory", "");
    p.format = VK_FORMAT_R8G8B8A8_SRGB;
    EXPECT(ref_pyramid_compare(&p, levels, &d) == REF_PYRAMID_DIFFERENT, "code values averaged",
           "");
    EXPECT(ref_pyramid_chain(&p, levels), "memory", "");
    EXPECT(ref_pyramid_compare(&p, levels, NULL) == REF_PYRAMID_SAME, "a chain", "");
    memset(levels + ref_pyramid_offset(&p, 4) + 4 * 2 * 4, 0xcd, 4 * 2 * 4); // never written
    EXPECT(ref_pyramid_compare(&p, levels, &d) == REF_PYRAMID_DIFFERENT && d.level == 4 &&
               d.layer == 1 && d.x == 0 && d.y == 0,
           "a poisoned layer", describe(&p, &d));
    free(levels);
}

static void check_blits(void)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB,
                                       VK_FORMAT_R16G16B16A16_SFLOAT};
    for (int i = 0; i < 200; i++) {
        const struct ref_pyramid p = {.format = formats[i % 3],
                                      .width = 1 + below(80),
                                      .height = 1 + below(44),
                                      .read_back = REF_PYRAMID_QUANTISED,
                                      .blit = true};
        check_same(&p, (enum ref_pyramid_content)(i % REF_CONTENT_ALPHA));
    }
}

// The largest finite value is one code from infinity, and not one.
static void check_infinity(void)
{
    const struct ref_pyramid p = {.format = VK_FORMAT_R16_SFLOAT, .width = 2, .height = 1};
    struct ref_pyramid_difference d;
    uint16_t levels[9] = {0x3c00, 0x7c00};
    levels[8] = 0x7c00;
    EXPECT(ref_pyramid_compare(&p, levels, NULL) == REF_PYRAMID_SAME, "an infinity", "");
    levels[8] = 0x7bff;
    EXPECT(ref_pyramid_compare(&p, levels, &d) == REF_PYRAMID_DIFFERENT && d.steps == 1,
           "65504 passes for infinity", describe(&p, &d));
}

// Without the padding between levels.
static bool is_same(const struct ref_pyramid *pyramid, uint32_t first, uint32_t last,
                    const uint8_t *a, const uint8_t *b)
{
    const struct ref_pyramid p = ref_pyramid_resolve(pyramid);
    bool same = true;
    for (uint32_t level = first; level <= last; level++) {
        const size_t offset = ref_pyramid_offset(&p, level);
        const size_t size = (size_t)p.layers * ref_pyramid_level_size(p.width, level) *
                            ref_pyramid_level_size(p.height, level) *
                            ref_texel_get_format(p.format)->texel_size;
        same = same && memcmp(a + offset, b + offset, size) == 0;
    }
    return same;
}

// Colour that is weighted by luma once: not by the copy, but by the step after it.
static void check_copied_luma(void)
{
    const float source[4][4] = {{1, 2, 3, 1}, {40, 50, 60, 1}, {0, 0, 0, 0}, {7, 8, 9, 0.5f}};
    double texels[4][4], mean[2][4], last[1][4];
    float levels[7][4] = {{0}};
    const struct ref_pyramid p = {.format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                  .reduction = WEIR_PYRAMID_LUMA_MEAN,
                                  .width = 4,
                                  .height = 1,
                                  .source = source,
                                  .source_format = VK_FORMAT_R32G32B32A32_SFLOAT};
    for (int i = 0; i < 16; i++) {
        texels[i / 4][i % 4] = (double)source[i / 4][i % 4];
    }
    EXPECT(ref_pyramid_chain(&p, levels) &&
               ref_pyramid_reduce(WEIR_PYRAMID_LUMA_MEAN, false, (const double(*)[4])texels, 4, 1,
                                  mean) &&
               ref_pyramid_reduce(WEIR_PYRAMID_MEAN, false, (const double(*)[4])mean, 2, 1, last),
           "memory", "");
    EXPECT(memcmp(levels, source, sizeof(source)) == 0, "a copy that is weighted", "");
    bool same = true;
    for (int c = 0; c < 4; c++) {
        same = same && levels[4][c] == (float)mean[0][c] && levels[5][c] == (float)mean[1][c] &&
               levels[6][c] == (float)last[0][c];
    }
    EXPECT(same, "the luma step after a copy", "");
}

// Parts of a chain, and chains from another image, against chains that start where they do.
static void check_parts(void)
{
    const struct ref_pyramid whole = {.format = VK_FORMAT_R16G16_SFLOAT,
                                      .reduction = WEIR_PYRAMID_MIN_MAX,
                                      .width = 45,
                                      .height = 78,
                                      .layers = 3};
    uint8_t *levels = new_levels(&whole, REF_CONTENT_RANDOM);
    uint8_t *part = new_levels(&whole, REF_CONTENT_IMPULSE);
    const size_t size = ref_pyramid_size(&whole), third = ref_pyramid_offset(&whole, 3);
    EXPECT(ref_pyramid_offset(&whole, 1) == 3 * 45 * 78 * 4 / 16 * 16 + 16 && size % 16 == 0,
           "offsets", "");
    EXPECT(ref_pyramid_chain(&whole, levels), "memory", "");

    struct ref_pyramid p = whole; // levels 3 .. from level 2
    p.first_level = 2;
    memcpy(part, levels, third);
    EXPECT(ref_pyramid_chain(&p, part) && memcmp(levels, part, size) == 0, "first_level", "");
    p.last_level = 4;
    memset(part + third, 0xcd, size - third);
    EXPECT(ref_pyramid_chain(&p, part), "memory", "");
    const size_t fifth = ref_pyramid_offset(&whole, 5);
    EXPECT(is_same(&whole, 0, 4, levels, part) && part[fifth] == 0xcd, "last_level", "");

    // The image of level 0 as a source: copied, and reduced to the first level of a smaller
    // pyramid.
    p = whole;
    p.source = levels;
    p.source_format = p.format;
    memset(part, 0xcd, size);
    EXPECT(ref_pyramid_chain(&p, part) && is_same(&whole, 0, 6, levels, part), "a copy", "");
    EXPECT(ref_pyramid_compare(&p, part, NULL) == REF_PYRAMID_SAME, "a copy compared", "");
    p.width = 22;
    p.height = 39;
    p.source_width = 45;
    p.source_height = 78;
    memset(part, 0xcd, size);
    const size_t first = ref_pyramid_offset(&whole, 1);
    EXPECT(ref_pyramid_chain(&p, part) && memcmp(levels + first, part, 3 * 22 * 39 * 4) == 0,
           "a reduced source", "");

    // One channel gives both.
    p = (struct ref_pyramid){.format = VK_FORMAT_R32G32_SFLOAT,
                             .reduction = WEIR_PYRAMID_MIN_MAX,
                             .width = 3,
                             .height = 1,
                             .source = (const float[]){0.5f, 0.25f, 0.75f},
                             .source_format = VK_FORMAT_D32_SFLOAT};
    float both[12] = {0};
    EXPECT(ref_pyramid_chain(&p, both) && both[2] == 0.25f && both[3] == 0.25f &&
               both[8] == 0.25f && both[9] == 0.75f,
           "min_max of depth", "");
    free(levels);
    free(part);
}

int main(void)
{
    seeded_start();
    check_formats();
    check_wrong_methods();
    check_blits();
    check_infinity();
    check_copied_luma();
    check_parts();
    return test_finish();
}
