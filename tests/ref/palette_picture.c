// SPDX-License-Identifier: MIT
// Pictures with an exact number of colours, to time and to test palette reduction with.
//
// The scene is drawn with noise in somewhat more pixels than there shall be colours, as strong as
// leaves no more than those. Then pixels that repeat the colour of an earlier one are painted with
// unused colours near theirs, until the number is exact.
#include "tests/ref/palette_picture.h"

#include <stdlib.h>
#include <string.h>

enum {
    NUM_COLORS = 1 << 24,
    MAX_AREAS = 255,
    MAX_LIGHTS = 96,
    MAX_NOISE = 1 << 14,
};

// The look of pictures with at most max_colors colours. The distance that colours move until they
// stay depends on it more than on their number. The looks are chosen such that pictures are about
// as hard as those of the same number of colours that were measured first: docs/benchmarks.md.
struct look {
    uint32_t max_colors;
    uint32_t num_hues, num_areas;
    int32_t strong, weak; // distance of hues from grey; one hue in six is strong
};

static const struct look looks[] = {
    {20000, 48, 128, 72, 32},
    {500000, 6, 128, 40, 12},
    {NUM_COLORS, 255, 255, 128, 128},
};

// An area of a picture: its centre, and its look.
struct area {
    int32_t x, y; // [pixels]
    uint32_t hue;
    int32_t roughness; // of its noise
};

struct scene {
    uint32_t width, height;
    uint64_t seed;
    const struct look *look;
    int32_t hues[MAX_AREAS][3]; // in middle light
    struct area areas[MAX_AREAS];
    uint32_t num_hues, num_lights;
    uint32_t share;              // of pixels with noise, of 2^32
    uint8_t *area_of, *light_of; // of each pixel
};

// Vigna, SplitMix64: a value for each count of `state`.
static uint64_t mix(uint64_t state)
{
    uint64_t z = (state + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int32_t clamp(int32_t code)
{
    return code < 0 ? 0 : code > 255 ? 255 : code;
}

// Hues as photographs have them: greys with a little red, green or blue, and few that are strong.
static void choose_hues(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->num_hues; i++) {
        const uint64_t random = mix(scene->seed ^ (uint64_t)(i + 1) << 32);
        const int32_t grey = 40 + (int32_t)(random % 170);
        const int32_t chroma = i % 6 == 0 ? scene->look->strong : scene->look->weak;
        for (int c = 0; c < 3; c++) {
            scene->hues[i][c] = clamp(
                grey + (int32_t)(random >> (16 + 8 * c) & 255) * 2 * chroma / 256 - chroma);
        }
    }
}

static void choose_areas(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->look->num_areas; i++) {
        const uint64_t random = mix(scene->seed ^ (uint64_t)(i + 1) << 40);
        scene->areas[i] = (struct area){
            .x = (int32_t)((random & 0xffff) * scene->width >> 16),
            .y = (int32_t)((random >> 16 & 0xffff) * scene->height >> 16),
            .hue = (uint32_t)(random >> 32) % scene->num_hues,
            .roughness = 1 << (random >> 60 & 3),
        };
    }
}

static uint8_t nearest_area(const struct scene *scene, uint32_t x, uint32_t y)
{
    uint32_t best = 0;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < scene->look->num_areas; i++) {
        const int64_t dx = (int32_t)x - scene->areas[i].x, dy = (int32_t)y - scene->areas[i].y;
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            best = i;
        }
    }
    return (uint8_t)best;
}

// Random values at the corners of squares of `side`, blended between: 0 .. 65535.
static int64_t soft(uint64_t seed, uint32_t x, uint32_t y, uint32_t side)
{
    int64_t corner[2][2];
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t j = 0; j < 2; j++) {
            corner[i][j] = (int64_t)(mix(seed ^ ((uint64_t)(y / side + i) << 24 | (x / side + j))) &
                                     0xffff);
        }
    }
    const int64_t u = x % side, v = y % side;
    const int64_t top = corner[0][0] * (side - u) + corner[0][1] * u;
    const int64_t bottom = corner[1][0] * (side - u) + corner[1][1] * u;
    return (top * (side - v) + bottom * v) / ((int64_t)side * side);
}

static void lay_out(struct scene *scene)
{
    const uint32_t shorter = scene->width < scene->height ? scene->width : scene->height;
    const uint32_t wide = shorter / 3 + 1, narrow = shorter / 24 + 1;
    for (uint32_t y = 0; y < scene->height; y++) {
        for (uint32_t x = 0; x < scene->width; x++) {
            const size_t i = (size_t)y * scene->width + x;
            const int64_t light = (3 * soft(scene->seed + 1, x, y, wide) +
                                   soft(scene->seed + 2, x, y, narrow)) /
                                  4;
            scene->area_of[i] = nearest_area(scene, x, y);
            scene->light_of[i] = (uint8_t)(light * scene->num_lights >> 16);
        }
    }
}

// The sum of four bytes, less its mean: nearly normal, with a deviation of 148.
static int32_t normal(uint32_t bytes)
{
    return (int32_t)((bytes & 255) + (bytes >> 8 & 255) + (bytes >> 16 & 255) + (bytes >> 24)) -
           510;
}

static uint32_t color_of(const struct scene *scene, size_t i, int32_t noise)
{
    const struct area *area = &scene->areas[scene->area_of[i]];
    // Half to three halves of the middle light, in so many steps.
    const int32_t light = 64 + 128 * scene->light_of[i] / (int32_t)scene->num_lights;
    const uint64_t first = mix(scene->seed ^ 2 * i), second = mix(scene->seed ^ (2 * i + 1));
    // Many pixels repeat the colour of the light alone; of the others a few, as edges, have far
    // more noise than most.
    const uint64_t draw = mix(first);
    const int32_t edge = (int32_t)(draw & 255);
    const int32_t strength = (draw >> 32) < scene->share ? 8 + (edge * edge >> 10) : 0;
    const int32_t grain = normal((uint32_t)first);
    const int32_t own[3] = {normal((uint32_t)(first >> 32)), normal((uint32_t)second),
                            normal((uint32_t)(second >> 32))};
    uint32_t color = 0;
    for (int c = 0; c < 3; c++) {
        const int64_t moved = (int64_t)noise * area->roughness * strength *
                              (3 * grain + 2 * own[c]);
        color = color << 8 | (uint32_t)clamp(scene->hues[area->hue][c] * light / 128 +
                                             (int32_t)(moved / (1 << 24)));
    }
    return color;
}

// Add a colour to the set. True if it was not in the set before.
static bool add(uint8_t *set, uint32_t color)
{
    const uint32_t bit = 1u << (color & 7);
    const bool is_new = (set[color >> 3] & bit) == 0;
    set[color >> 3] |= (uint8_t)bit;
    return is_new;
}

static uint32_t count(const struct scene *scene, int32_t noise, uint8_t *set)
{
    uint32_t num = 0;
    memset(set, 0, NUM_COLORS / 8);
    for (size_t i = 0; i < (size_t)scene->width * scene->height; i++) {
        num += add(set, color_of(scene, i, noise));
    }
    return num;
}

// Nearly the most noise with no more colours than that: without any, there are at most so many.
static int32_t choose_noise(const struct scene *scene, uint32_t num_colors, uint8_t *set)
{
    int32_t noise = 0;
    for (int32_t step = MAX_NOISE / 2; step > 0; step /= 2) {
        if (count(scene, noise + step, set) <= num_colors) {
            noise += step;
        }
    }
    return noise;
}

static void put(uint8_t *pixel, uint32_t color)
{
    pixel[0] = (uint8_t)(color >> 16);
    pixel[1] = (uint8_t)(color >> 8);
    pixel[2] = (uint8_t)color;
}

// An unused colour, first looked for near `color` and then farther away.
static uint32_t add_near(uint8_t *set, uint32_t color, uint64_t seed)
{
    for (int32_t reach = 1; reach < 64; reach++) {
        uint32_t other = 0;
        for (int c = 0; c < 3; c++) {
            seed = mix(seed);
            other = other << 8 |
                    (uint32_t)clamp((int32_t)(color >> (16 - 8 * c) & 255) +
                                    (int32_t)(seed % (2 * (uint32_t)reach + 1)) - reach);
        }
        if (add(set, other)) {
            return other;
        }
    }
    while (!add(set, color)) {
        color = (color + 1) & (NUM_COLORS - 1);
    }
    return color;
}

// Paint the scene, with exactly so many colours.
static void paint(const struct scene *scene, uint32_t num_colors, int32_t noise, uint8_t *set,
                  uint8_t *rgba)
{
    const size_t num_pixels = (size_t)scene->width * scene->height;
    uint32_t missing = num_colors;
    memset(set, 0, NUM_COLORS / 8);
    for (size_t i = 0; i < num_pixels; i++) {
        const uint32_t color = color_of(scene, i, noise);
        put(rgba + 4 * i, color);
        rgba[4 * i + 3] = add(set, color); // the first of its colour keeps it
        missing -= rgba[4 * i + 3];
    }
    size_t left = num_pixels - (num_colors - missing); // pixels that may change
    for (size_t i = 0; i < num_pixels; i++) {
        if (rgba[4 * i + 3] == 0) {
            const uint64_t random = mix(scene->seed ^ ~(uint64_t)i);
            if (random % left < missing) { // `missing` of `left`, evenly
                put(rgba + 4 * i, add_near(set, color_of(scene, i, noise), random));
                missing--;
            }
            left--;
        }
        rgba[4 * i + 3] = 255;
    }
}

bool ref_palette_picture(uint32_t width, uint32_t height, uint32_t num_colors, uint64_t seed,
                         uint8_t *rgba)
{
    const uint64_t num_pixels = (uint64_t)width * height;
    if (num_colors == 0 || num_colors > num_pixels || num_colors > NUM_COLORS) {
        return false;
    }
    struct scene scene = {.width = width, .height = height, .seed = mix(seed)};
    scene.look = looks;
    while (num_colors > scene.look->max_colors) {
        scene.look++;
    }
    scene.num_hues = num_colors < scene.look->num_hues ? num_colors : scene.look->num_hues;
    scene.num_lights = num_colors / scene.num_hues;
    scene.num_lights = scene.num_lights < MAX_LIGHTS ? scene.num_lights : MAX_LIGHTS;
    const uint64_t num_noisy = (uint64_t)num_colors * 3 / 2;
    scene.share = num_noisy < num_pixels ? (uint32_t)((num_noisy << 32) / num_pixels) : UINT32_MAX;
    scene.area_of = malloc((size_t)num_pixels);
    scene.light_of = malloc((size_t)num_pixels);
    uint8_t *set = malloc(NUM_COLORS / 8); // a bit a colour
    const bool is_drawn = scene.area_of && scene.light_of && set;
    if (is_drawn) {
        choose_hues(&scene);
        choose_areas(&scene);
        lay_out(&scene);
        paint(&scene, num_colors, choose_noise(&scene, num_colors, set), set, rgba);
    }
    free(scene.area_of);
    free(scene.light_of);
    free(set);
    return is_drawn;
}
