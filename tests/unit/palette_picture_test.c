// SPDX-License-Identifier: MIT
// Pictures for palette reduction have as many colours as asked for, and on them the lattice agrees
// with real numbers.
#include "tests/ref/palette_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/ref/palette.h"
#include "tests/sanitized.h"
#include "tests/seeded.h"

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    test_must(memory, "memory");
    return memory;
}

static void expect_colors(uint32_t width, uint32_t height, uint32_t num_colors, uint64_t seed)
{
    const size_t num_pixels = (size_t)width * height;
    uint8_t *rgba = allocate(4 * num_pixels);
    uint32_t n, *colors, *counts;
    test_expect(ref_palette_picture(width, height, num_colors, seed, rgba), "a picture is drawn");
    for (size_t i = 0; i < num_pixels; i++) {
        if (rgba[4 * i + 3] != 255) {
            test_expect(false, "a picture is opaque");
            break;
        }
    }
    test_expect(ref_palette_count(rgba, num_pixels, &n, &colors, &counts), "counting has memory");
    if (n != num_colors) {
        printf("%u x %u, seed %llu: %u colours of %u\n", width, height, (unsigned long long)seed, n,
               num_colors);
        test_expect(false, "a picture has exactly its number of colours");
    }
    free(colors);
    free(counts);
    free(rgba);
}

static void test_pictures(void)
{
    for (int i = 0; i < 60; i += SANITIZED_STRIDE) {
        const int width = 1 + seeded_below(120), height = 1 + seeded_below(120);
        const int most = i % 4 == 0 ? width * height : 1 + seeded_below(width * height);
        const int num_colors = i % 4 == 1 ? 1 + most % 60 : most; // all, few, any
        if (num_colors <= width * height) {
            expect_colors((uint32_t)width, (uint32_t)height, (uint32_t)num_colors,
                          (uint64_t)seeded_below(1 << 30));
        }
    }
    expect_colors(512, 256, 16755, 1);
    if (SANITIZED_STRIDE == 1) {
        expect_colors(1120, 1024, 1103347, 1);
    }
    uint8_t rgba[4 * 6];
    test_expect(!ref_palette_picture(3, 2, 7, 1, rgba), "no more colours than pixels");
    test_expect(!ref_palette_picture(3, 2, 0, 1, rgba), "no picture without a colour");
}

// The picture of a seed is the same on every machine.
static void test_golden(void)
{
    enum { WIDTH = 320, HEIGHT = 200 };
    static uint8_t rgba[4 * WIDTH * HEIGHT];
    static const uint64_t hashes[] = {0xcbf518218a5bef1e, 0x10f7eb38bc2614cd};
    for (uint64_t seed = 1; seed <= 2; seed++) {
        uint64_t hash = 0xcbf29ce484222325; // FNV-1a
        ref_palette_picture(WIDTH, HEIGHT, 9000, seed, rgba);
        for (size_t i = 0; i < sizeof(rgba); i++) {
            hash = (hash ^ rgba[i]) * 0x100000001b3;
        }
        if (hash != hashes[seed - 1]) {
            printf("seed %d: %#llx\n", (int)seed, (unsigned long long)hash);
            test_expect(false, "the picture of a seed is always the same");
        }
    }
}

// How many of a picture's colours go elsewhere by real numbers: where a point is on the border of a
// radius, to the lattice's precision, the one has it and the other not, and the two ways part.
// Seldom: the share is of all pictures.
static void test_float64(void)
{
    enum { WIDTH = 256, HEIGHT = 256, NUM_COLORS = 4000, NUM_KINDS = 4 };
    static uint8_t rgba[4 * WIDTH * HEIGHT];
    static uint32_t lattice[NUM_COLORS], real[NUM_COLORS];
    uint32_t num = 0, num_different = 0;
    for (uint64_t i = 0; i < NUM_KINDS; i++) {
        const struct ref_palette_params params = {
            .radius = 0.02f, .frequency = i & 1, .srgb = i >> 1 & 1};
        uint32_t n = 0, *colors = NULL, *counts = NULL;
        test_expect(ref_palette_picture(WIDTH, HEIGHT, NUM_COLORS, 0, rgba) &&
                        ref_palette_count(rgba, WIDTH * HEIGHT, &n, &colors, &counts) &&
                        n == NUM_COLORS &&
                        ref_palette_reduce(&params, n, colors, counts, lattice, NULL) &&
                        ref_palette_float64(&params, n, colors, counts, real, NULL),
                    "a picture is reduced twice");
        for (uint32_t k = 0; k < n; k++) {
            num_different += lattice[k] != real[k];
        }
        num += n;
        free(colors);
        free(counts);
    }
    printf("beside real numbers: %u of %u colours differ, %.4f %%\n", num_different, num,
           100.0 * num_different / num);
    test_expect(num_different * 5000.0 <= num,
                "at most 0.02 %% of colours differ from real numbers");
}

int main(void)
{
    seeded_start();
    test_pictures();
    test_golden();
    test_float64();
    return test_finish();
}
