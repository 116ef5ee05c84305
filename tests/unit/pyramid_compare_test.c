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

int main(void)
{
    seeded_start();
    check_formats();
    check_wrong_methods();
    check_infinity();
    return test_finish();
}
