// SPDX-License-Identifier: MIT
// Pictures of the kinds that encoders of textures meet: what is soft. content_shapes.c draws what
// has edges.
#include "tests/bench/quality/content.h"

#include <math.h>
#include <stdlib.h>

#include "tests/seeded.h"

float content_random(struct content_canvas *canvas)
{
    return (float)(seeded_next(&canvas->random) >> 8) / (float)(1 << 24);
}

float content_normal(struct content_canvas *canvas)
{
    float sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += content_random(canvas);
    }
    return sum;
}

void content_random_color(struct content_canvas *canvas, float color[3])
{
    for (int c = 0; c < 3; c++) {
        color[c] = 255 * content_random(canvas);
    }
}

void content_cover(struct content_canvas *canvas, int x, int y, const float share[3],
                   const float color[3])
{
    if (x < 0 || y < 0 || x >= canvas->side || y >= canvas->side) {
        return;
    }
    float *texel = canvas->rgba[y * canvas->side + x];
    for (int c = 0; c < 3; c++) {
        texel[c] += share[c] * (color[c] - texel[c]);
    }
}

// Random, but the same at the same place.
static float lattice(uint32_t seed, int x, int y)
{
    uint64_t state = ((uint64_t)(seed * 0x9E3779B9u) << 32) ^
                     ((uint64_t)(uint32_t)x * 0x9E3779B1u) ^
                     ((uint64_t)(uint32_t)y << 16) * 0x85EBCA77u;
    seeded_next(&state);
    return (float)(seeded_next(&state) >> 8) / (float)(1 << 24);
}

static float smooth(float t)
{
    return t * t * (3 - 2 * t);
}

// Noise of -1 to 1 in octaves, each half as strong as the one before; the first has a period of
// `size` texels.
static float clouds(uint32_t seed, float x, float y, float size, int num_octaves)
{
    float sum = 0, strength = 0.5f;
    for (int i = 0; i < num_octaves; i++, size /= 2, strength /= 2) {
        const float u = x / size, v = y / size;
        const int left = (int)floorf(u), top = (int)floorf(v);
        const float right = smooth(u - (float)left), down = smooth(v - (float)top);
        const float upper = lattice(seed, left, top) * (1 - right) +
                            lattice(seed, left + 1, top) * right;
        const float lower = lattice(seed, left, top + 1) * (1 - right) +
                            lattice(seed, left + 1, top + 1) * right;
        sum += strength * (2 * (upper * (1 - down) + lower * down) - 1);
    }
    return sum;
}

// Sky, hills one behind the other, leaves in front.
static void draw_photograph(struct content_canvas *canvas)
{
    static const float colors[4][3] = {
        {150, 178, 214}, {108, 122, 140}, {96, 104, 70}, {70, 84, 38}};
    const uint32_t seed = seeded_next(&canvas->random);
    const float side = (float)canvas->side;
    for (int i = 0; i < canvas->side * canvas->side; i++) {
        const float x = (float)(i % canvas->side), y = (float)(i / canvas->side);
        int layer = 0;
        for (int k = 1; k < 4; k++) {
            const float ridge = side * (0.2f + 0.18f * (float)k +
                                        0.2f * clouds(seed + (uint32_t)k, x, 0, side / 2, 5));
            layer = y > ridge ? k : layer;
        }
        const float sizes[4] = {side / 2, 30, 17, 9};
        const float light = clouds(seed + 7 * (uint32_t)layer, x, y, sizes[layer], 5);
        for (int c = 0; c < 3; c++) {
            const float tint = 8 * clouds(seed + 50 + (uint32_t)c, x, y, 12, 3);
            canvas->rgba[i][c] = colors[layer][c] * (1 + (0.15f + 0.25f * (float)layer) * light) +
                                 tint + 1.5f * content_normal(canvas);
        }
    }
}

// Four of them: radial, dark and slow, of two colours, of all hues.
static void draw_gradients(struct content_canvas *canvas)
{
    float from[3], to[3];
    content_random_color(canvas, from);
    content_random_color(canvas, to);
    const int half = canvas->side / 2;
    for (int i = 0; i < canvas->side * canvas->side; i++) {
        const int x = i % canvas->side, y = i / canvas->side;
        const float u = (float)(x % half) / (float)half, v = (float)(y % half) / (float)half;
        const int quarter = x / half + 2 * (y / half);
        const float away = hypotf(u - 0.5f, v - 0.5f) * 1.42f;
        for (int c = 0; c < 3; c++) {
            const float way = quarter == 0 ? away : 0.7f * u + 0.3f * v;
            float value = from[c] + (to[c] - from[c]) * way;
            if (quarter == 1) {
                value = 20 + (u + 0.3f * v) * (float)half / 5;
            } else if (quarter == 3) {
                value = 128 + 100 * (1 - v) * cosf(6.2832f * (u + (float)c / 3));
            }
            canvas->rgba[i][c] = value;
        }
    }
}

// Waves, bumps with hard rims, and a grain.
static void draw_normals(struct content_canvas *canvas)
{
    const uint32_t seed = seeded_next(&canvas->random);
    const int side = canvas->side, num = (side + 1) * (side + 1);
    float *heights = malloc((size_t)num * sizeof(float));
    for (int i = 0; heights && i < num; i++) {
        const float x = (float)(i % (side + 1)), y = (float)(i / (side + 1));
        const float u = fmodf(x, 64) - 32, v = fmodf(y, 64) - 32;
        const float bump = 24 * 24 - u * u - v * v;
        heights[i] = 6 * sinf(x * 0.07f) * cosf(y * 0.05f) + 7 * clouds(seed, x, y, 24, 4) +
                     (bump > 0 ? 0.7f * sqrtf(bump) : 0);
    }
    for (int i = 0; heights && i < side * side; i++) {
        const int at = i / side * (side + 1) + i % side;
        const float n[3] = {heights[at] - heights[at + 1], heights[at] - heights[at + side + 1], 1};
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + 1);
        for (int c = 0; c < 3; c++) {
            canvas->rgba[i][c] = 127.5f * (1 + n[c] / length);
        }
    }
    free(heights);
}

// White in the left half; on patches of one colour, in the right one.
static void draw_noise(struct content_canvas *canvas)
{
    const uint32_t seed = seeded_next(&canvas->random);
    for (int i = 0; i < canvas->side * canvas->side; i++) {
        const int x = i % canvas->side, y = i / canvas->side;
        for (int c = 0; c < 3; c++) {
            const float patch = 255 * lattice(seed + (uint32_t)c, x / 32, y / 32);
            canvas->rgba[i][c] = 2 * x < canvas->side ? 255 * content_random(canvas)
                                                      : patch + 12 * content_normal(canvas);
        }
    }
}

// Of rounded boxes, with edges 4 to 40 texels wide and a darkness of a tenth to six tenths; what is
// outside is 0.
static void draw_shadows(struct content_canvas *canvas)
{
    enum { CELL = 64 };
    const uint32_t seed = seeded_next(&canvas->random);
    for (int i = 0; i < canvas->side * canvas->side; i++) {
        const int x = i % canvas->side, y = i / canvas->side;
        const float width = 4 + 36 * lattice(seed, x / CELL, y / CELL);
        const float most = 255 * (0.1f + 0.5f * lattice(seed + 1, x / CELL, y / CELL));
        const float inset = 32 - width / 2 - 2, round = 0.4f * inset;
        const float u = fmaxf(fabsf((float)(x % CELL) - 31.5f) - inset + round, 0);
        const float v = fmaxf(fabsf((float)(y % CELL) - 31.5f) - inset + round, 0);
        const float away = (hypotf(u, v) - round) / width + 0.5f;
        const float share = 1 - smooth(fminf(fmaxf(away, 0), 1));
        for (int c = 0; c < 4; c++) {
            canvas->rgba[i][c] = most * share;
        }
    }
}

static const struct content_drawing kinds[CONTENT_NUM_KINDS] = {
    [CONTENT_PHOTOGRAPH] = {"photographs", draw_photograph},
    [CONTENT_TEXT] = {"text", content_draw_text},
    [CONTENT_SUBPIXEL_TEXT] = {"subpixel text", content_draw_subpixel_text},
    [CONTENT_INTERFACE] = {"interface", content_draw_interface},
    [CONTENT_PIXEL_ART] = {"pixel art", content_draw_pixel_art},
    [CONTENT_GRADIENTS] = {"gradients", draw_gradients},
    [CONTENT_NORMALS] = {"normals", draw_normals},
    [CONTENT_NOISE] = {"noise", draw_noise},
    [CONTENT_SHADOWS] = {"shadows", draw_shadows},
};

static const struct content_drawing *drawing_of(enum content_kind kind)
{
    return kind < CONTENT_NUM_KINDS ? &kinds[kind] : &content_held[kind - CONTENT_NUM_KINDS];
}

const char *content_name(enum content_kind kind)
{
    return drawing_of(kind)->name;
}

void content_draw(enum content_kind kind, uint64_t seed, int side, uint8_t *texels)
{
    const size_t num = (size_t)side * (size_t)side;
    struct content_canvas canvas = {side, malloc(num * sizeof(*canvas.rgba)), seed};
    if (!canvas.rgba) {
        fprintf(stderr, "content: out of memory\n");
        exit(1);
    }
    for (size_t i = 0; i < num; i++) {
        for (int c = 0; c < 4; c++) {
            canvas.rgba[i][c] = 255;
        }
    }
    for (int i = 0; i < (int)kind + 2; i++) {
        seeded_next(&canvas.random); // the kinds differ from their first number on
    }
    drawing_of(kind)->draw(&canvas);
    for (size_t i = 0; i < 4 * num; i++) {
        texels[i] = (uint8_t)(fminf(fmaxf(canvas.rgba[i / 4][i % 4], 0), 255) + 0.5f);
    }
    free(canvas.rgba);
}
