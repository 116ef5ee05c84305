// SPDX-License-Identifier: MIT
// Palette reduction of images of every size, kind of source and kind of target: the reference's
// pixels.
//
// The seed draws the weight of each size, and two of the four targets of each source. With --all
// every size has both weights, and every source every target.
#include <stdio.h>
#include <string.h>

#include "tests/gpu/palette_test.h"
#include "tests/ref/source.h"

enum { WIDTH = 61, HEIGHT = 37, NUM_PIXELS = WIDTH * HEIGHT };

static const VkImageCreateFlags mutable = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;

// Workgroups are 32x8 pixels: sides of one, around those, and odd ones.
static void test_sizes(struct palette_test *t)
{
    struct harness *h = &t->h;
    static const uint32_t sizes[][2] = {{1, 1},  {1, 300}, {300, 1}, {32, 8},  {31, 7}, {33, 9},
                                        {64, 1}, {1, 16},  {65, 17}, {127, 3}, {2, 2},  {256, 33}};
    static uint8_t rgba[4 * 256 * 33];
    const int drawn = (int)harness_random_below(h, 2);
    for (int weight = 0; weight < 2; weight++) {
        weir_palette *palette = palette_of(
            t, weir_palette_params(.weight = (enum weir_palette_weight)weight));
        for (int i = 0; i < 12; i++) {
            if (!t->all && (i + weight) % 2 != drawn) {
                continue;
            }
            const struct palette_picture picture = {
                .width = sizes[i][0], .height = sizes[i][1], .rgba = rgba};
            palette_draw_pixels(h, picture.width * picture.height, rgba);
            char name[32];
            snprintf(name, sizeof(name), "%ux%u", picture.width, picture.height);
            palette_check(h, palette, name, &picture,
                          &(struct weir_palette_start){.radius = palette_draw_radius(h)}, false);
        }
    }
}

// A kind of image that holds a picture, and the codes that kernels see in it.
struct source {
    const char *name;
    VkFormat format;
    VkImageCreateFlags flags;
    enum weir_transfer transfer;
    uint32_t texel_size; // [bytes]
    // Make a texel from wanted codes of 0 .. 255 and from fractions between two codes. `codes`
    // become those that kernels see in the texel.
    void (*store)(const uint8_t wanted[4], const uint16_t fractions[4], void *texel,
                  uint8_t codes[4], enum weir_transfer transfer);
};

static void store_rgba8(const uint8_t wanted[4], const uint16_t fractions[4], void *texel,
                        uint8_t codes[4], enum weir_transfer transfer)
{
    (void)fractions, (void)transfer;
    memcpy(texel, wanted, 4);
    memcpy(codes, wanted, 4);
}

static void store_bgra8(const uint8_t wanted[4], const uint16_t fractions[4], void *texel,
                        uint8_t codes[4], enum weir_transfer transfer)
{
    (void)fractions, (void)transfer;
    const uint8_t bgra[] = {wanted[2], wanted[1], wanted[0], wanted[3]};
    memcpy(texel, bgra, 4);
    memcpy(codes, wanted, 4);
}

static void store_1010102(const uint8_t wanted[4], const uint16_t fractions[4], void *texel,
                          uint8_t codes[4], enum weir_transfer transfer)
{
    (void)transfer;
    const uint32_t alpha = wanted[3] >> 6;
    uint32_t packed = alpha << 30;
    for (int c = 0; c < 3; c++) {
        const uint32_t code = (uint32_t)wanted[c] << 2 | (fractions[c] & 3);
        packed |= code << 10 * c;
        codes[c] = ref_source_round(ref_source_codes10(code), 512);
    }
    codes[3] = (uint8_t)(85 * alpha);
    memcpy(texel, &packed, 4);
}

// A half of about code / 255, or of any bits at all.
static uint16_t draw_half(uint8_t wanted, uint16_t fraction)
{
    if (fraction % 16 == 0) {
        return (uint16_t)(fraction * 40503u >> 4);
    }
    uint16_t half = 0; // the largest half that is not above
    for (uint16_t bit = 0x2000; bit > 0; bit >>= 1) {
        half += ref_half_to_float((uint16_t)(half + bit)) * 255 <= (float)wanted ? bit : 0;
    }
    return (uint16_t)(half + (fraction & 3));
}

static void store_halves(const uint8_t wanted[4], const uint16_t fractions[4], void *texel,
                         uint8_t codes[4], enum weir_transfer transfer)
{
    uint16_t *halves = texel;
    for (int c = 0; c < 4; c++) {
        halves[c] = draw_half(wanted[c], fractions[c]);
        const float value = ref_half_to_float(halves[c]);
        codes[c] = c < 3 ? ref_source_round(transfer == WEIR_TRANSFER_CODES
                                                ? ref_source_float(value)
                                                : ref_source_linear(value),
                                            512)
                         : ref_source_alpha(value);
    }
}

static void check_source(struct harness *h, const struct source *source, weir_palette *palette,
                         VkFormat target_format, VkImageCreateFlags target_flags)
{
    static uint8_t rgba[4 * NUM_PIXELS], codes[4 * NUM_PIXELS];
    static uint16_t texels[4 * NUM_PIXELS];
    palette_draw_pixels(h, NUM_PIXELS, rgba);
    for (uint32_t i = 0; i < NUM_PIXELS; i++) {
        uint16_t fractions[4];
        for (int c = 0; c < 4; c++) {
            fractions[c] = (uint16_t)harness_random(h);
        }
        source->store(rgba + 4 * i, fractions, (uint8_t *)texels + source->texel_size * i,
                      codes + 4 * i, source->transfer);
    }
    const struct palette_picture picture = {.width = WIDTH,
                                            .height = HEIGHT,
                                            .rgba = codes,
                                            .format = source->format,
                                            .flags = source->flags,
                                            .transfer = source->transfer,
                                            .texels = texels,
                                            .texel_size = source->texel_size,
                                            .target_format = target_format,
                                            .target_flags = target_flags};
    char name[96];
    snprintf(name, sizeof(name), "%s to format %d", source->name, (int)target_format);
    palette_check(h, palette, name, &picture,
                  &(struct weir_palette_start){.radius = palette_draw_radius(h)}, false);
}

static void test_kinds(struct palette_test *t)
{
    struct harness *h = &t->h;
    static const struct source sources[] = {
        {"RGBA8", VK_FORMAT_R8G8B8A8_UNORM, 0, WEIR_TRANSFER_DEFAULT, 4, store_rgba8},
        {"BGRA8", VK_FORMAT_B8G8R8A8_UNORM, 0, WEIR_TRANSFER_DEFAULT, 4, store_bgra8},
        {"decoded RGBA8", VK_FORMAT_R8G8B8A8_SRGB, 0, WEIR_TRANSFER_DEFAULT, 4, store_rgba8},
        {"mutable RGBA8", VK_FORMAT_R8G8B8A8_SRGB, mutable, WEIR_TRANSFER_DEFAULT, 4, store_rgba8},
        {"decoded BGRA8", VK_FORMAT_B8G8R8A8_SRGB, 0, WEIR_TRANSFER_DEFAULT, 4, store_bgra8},
        {"A2B10G10R10", VK_FORMAT_A2B10G10R10_UNORM_PACK32, 0, WEIR_TRANSFER_DEFAULT, 4,
         store_1010102},
        {"linear RGBA16F", VK_FORMAT_R16G16B16A16_SFLOAT, 0, WEIR_TRANSFER_DEFAULT, 8,
         store_halves},
        {"codes in RGBA16F", VK_FORMAT_R16G16B16A16_SFLOAT, 0, WEIR_TRANSFER_CODES, 8,
         store_halves},
    };
    static const VkFormat targets[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM,
                                       VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_B8G8R8A8_SRGB};
    const int drawn = (int)harness_random_below(h, 2);
    for (int i = 0; i < 8; i++) {
        weir_palette *palette = palette_of(
            t, weir_palette_params(.like = harness_like(h, sources[i].format, sources[i].flags,
                                                        sources[i].transfer),
                                   .weight = (enum weir_palette_weight)harness_random_below(h, 2)));
        for (int k = 0; k < 4; k++) {
            if (t->all || (k + k / 2 + i) % 2 == drawn) { // one plain target, one in SRGB
                check_source(h, &sources[i], palette, targets[k],
                             k < 2 ? 0 : mutable | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT);
            }
        }
    }
}

void palette_test_images(struct palette_test *t)
{
    test_sizes(t);
    if (!t->few) { // subgroups know of no kind of source and target
        test_kinds(t);
    }
}
