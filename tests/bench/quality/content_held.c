// SPDX-License-Identifier: MIT
// Pictures that no encoder is tuned on, drawn by other means than those of content.c.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/bench/quality/content.h"

// Strokes of small letters on a grid of 5 x 10 points, as those of content_shapes.c; row 3 is their
// upper edge, 7 their lower one.
static const char *const letters[] = {"133344463717060413 4347",
                                      "133344463717060413 0007",
                                      "133344463717060413 4047",
                                      "05454433130406173746",
                                      "133344463717060413 43483919",
                                      "0007 0413334447",
                                      "0307 0101",
                                      "0007",
                                      "0307 0413334447",
                                      "133344463717060413",
                                      "133344463717060413 0309",
                                      "0307 041333",
                                      "44331304153546371706",
                                      "10162737 0333",
                                      "0306173746 4347",
                                      "032743"};
enum { NUM_LETTERS = sizeof(letters) / sizeof(letters[0]) };

struct font {
    float size, slant, weight; // height of a small letter; width of a stroke [sizes]
    bool has_subpixels;
    float color[3];
};

// Share of a third of a texel that a letter covers.
static float letter_share(const struct font *font, const char *letter, float x, float y)
{
    float sum = 0;
    for (int tap = 0; tap < 8; tap++) {
        const float v = (y - 0.5f + ((float)tap + 0.5f) / 8) / font->size;
        const float u = (x + (tap & 1 ? 0.08f : -0.08f)) / font->size - font->slant * v;
        const float least = content_letter_distance(letter, (const float[2]){4 * u, 7 - 4 * v}) / 4;
        sum += least < font->weight / 2 ? 0.125f : 0;
    }
    return sum;
}

// Thirds of texels go through the filter that FreeType has for subpixels, or are a texel's mean.
static void write_letter(struct content_canvas *canvas, const struct font *font, const char *letter,
                         float left, int base)
{
    static const float filters[2][5] = {{0, 0.333f, 0.333f, 0.334f, 0},
                                        {0.031f, 0.302f, 0.334f, 0.302f, 0.031f}};
    const int size = (int)(2.2f * font->size), start = (int)left - size / 4;
    for (int i = 0; i < 2 * size * size; i++) {
        const int x = start + i % size, y = base - size + i / size;
        float thirds[7], share[3] = {0};
        for (int t = 0; t < 7; t++) {
            thirds[t] = letter_share(font, letter, (float)x - left + (float)(t - 3) / 3,
                                     (float)(base - y));
        }
        for (int t = 0; t < 15; t++) {
            const int first = font->has_subpixels ? t / 5 : 1;
            share[t / 5] += filters[font->has_subpixels][t % 5] * thirds[first + t % 5];
        }
        content_cover(canvas, x, y, share, font->color);
    }
}

// Words of one to nine letters.
static void write_line(struct content_canvas *canvas, const struct font *font, int left, int base,
                       int right)
{
    int rest = 4;
    for (float x = (float)left; x + font->size < (float)right; rest--) {
        const char *letter = letters[(int)((float)NUM_LETTERS * content_random(canvas))];
        if (rest > 0) {
            write_letter(canvas, font, letter, x, base);
        } else {
            rest = 2 + (int)(9 * content_random(canvas));
        }
        x += font->size * (strlen(letter) < 10 ? 0.7f : 1.4f);
    }
}

// An article above, a listing with coloured words below.
static void draw_page(struct content_canvas *canvas, bool has_subpixels)
{
    static const float papers[2][3] = {{253, 246, 227}, {30, 30, 46}};
    static const float inks[6][3] = {{20, 20, 24},    {20, 20, 24},    {30, 60, 170},
                                     {205, 214, 244}, {250, 179, 135}, {140, 220, 150}};
    const int side = canvas->side;
    content_fill(canvas, 0, 0, side, side / 2, papers[0]);
    content_fill(canvas, 0, side / 2, side, side / 2, papers[1]);
    for (int y = 14, line = 0; y < side; line++) {
        const bool is_dark = y > side / 2;
        struct font font = {.size = is_dark ? 6 : 5.5f + (float)(line % 4),
                            .slant = line % 5 == 3 ? 0.25f : 0,
                            .weight = line % 7 ? 0.19f : 0.3f,
                            .has_subpixels = has_subpixels};
        for (int x = is_dark ? 6 + line % 3 * 16 : 6; x < side - 40;
             x += is_dark ? side / 3 : side) {
            const int ink = (int)(2.9f * content_random(canvas)) + 3 * is_dark;
            memcpy(font.color, inks[ink], sizeof(font.color));
            write_line(canvas, &font, x, y, is_dark ? x + side / 3 : side);
        }
        y += (int)(2.5f * font.size);
    }
}

static void draw_text(struct content_canvas *canvas)
{
    draw_page(canvas, false);
}

static void draw_subpixel_text(struct content_canvas *canvas)
{
    draw_page(canvas, true);
}

// A disc, a box of round corners, a star or a moon, with an edge of `soft` texels.
static void draw_shape(struct content_canvas *canvas, int shape, float left, float top, float size,
                       float soft, const float color[3])
{
    const int reach = (int)(size + soft) + 2;
    for (int i = 0; i < 4 * reach * reach; i++) {
        const int column = (int)left + i % (2 * reach) - reach;
        const int row = (int)top + i / (2 * reach) - reach;
        const float x = (float)column - left, y = (float)row - top, away = hypotf(x, y);
        const float u = fmaxf(fabsf(x) - 0.7f * size, 0), v = fmaxf(fabsf(y) - 0.3f * size, 0);
        const float edge = shape == 0   ? away - size
                           : shape == 1 ? hypotf(u, v) - 0.2f * size
                           : shape == 2
                               ? away - size * (0.7f + 0.25f * cosf(5 * atan2f(y, x)))
                               : fmaxf(away, 1.8f * size - hypotf(x - 0.5f * size, y)) - size;
        const float share = fminf(fmaxf(0.5f - edge / soft, 0), 1);
        content_cover(canvas, column, row, (const float[3]){share, share, share}, color);
    }
}

// A window on a desktop: its shadow, a bar, a striped list, a switch, a button.
static void draw_window(struct content_canvas *canvas, int left, int top, bool is_dark)
{
    const float paper = is_dark ? 38 : 248, ink = is_dark ? 220 : 40, turn = is_dark ? 1 : -1;
    const struct font font = {4.5f, 0, 0.2f, top > 0, {ink, ink, ink}};
    const float x = (float)left, y = (float)top;
    float accent[3];
    content_random_color(canvas, accent);
    content_fill(canvas, left, top, 128, 128, (const float[3]){70, 110, 130});
    draw_shape(canvas, 1, x + 66, y + 72, 66, 12, (const float[3]){40, 66, 80});
    for (int row = 0; row < 108; row++) {
        const float stripe = row < 18 ? (float)(18 - row) : row / 16 % 2 ? 8 : 0;
        const float light = paper + turn * stripe;
        content_fill(canvas, left + 6, top + 10 + row, 116, 1,
                     (const float[3]){light, light, light + 4});
    }
    content_fill(canvas, left + 6, top + 58, 80, 16, accent);
    content_fill(canvas, left + 86, top + 28, 1, 90, (const float[3]){128, 128, 128});
    for (int i = 0; i < 5; i++) {
        write_line(canvas, &font, left + 24, top + 21 + 16 * i, left + 82);
        draw_shape(canvas, i % 4, x + 14, y + 18 + 16 * (float)i, 4, 1,
                   i % 2 ? accent : font.color);
        draw_shape(canvas, i % 3, x + 94 + 7 * (float)i, y + 18, 2.5f, 1, font.color);
    }
    draw_shape(canvas, 1, x + 104, y + 50, 13, 1, accent);
    draw_shape(canvas, 0, x + 110, y + 50, 5, 1, (const float[3]){paper, paper, paper});
    draw_shape(canvas, 1, x + 46, y + 104, 30, 1, accent);
    write_line(canvas, &font, left + 26, top + 106, left + 66);
}

static void draw_interface(struct content_canvas *canvas)
{
    for (int i = 0; i < 4; i++) {
        draw_window(canvas, i % 2 * 128, i / 2 * 128, i % 3 == 0);
    }
}

// Few colours without any shade, smoothed edges.
static void draw_flat(struct content_canvas *canvas)
{
    static const float palette[6][3] = {{74, 68, 160}, {200, 236, 90}, {150, 110, 118},
                                        {40, 96, 20},  {100, 180, 60}, {24, 20, 37}};
    content_fill(canvas, 0, 0, canvas->side, canvas->side, palette[0]);
    for (int i = 0; i < 70; i++) {
        const float x = (float)canvas->side * content_random(canvas);
        const float y = (float)canvas->side * content_random(canvas);
        const float size = 6 + 40 * content_random(canvas) * content_random(canvas);
        draw_shape(canvas, i % 4, x, y, size + 2 * (float)(i % 2), 1, palette[5]);
        draw_shape(canvas, i % 4, x, y, size, 1, palette[i % 5]);
    }
}

// Of 12 colours: islands of stone with lit and dark edges, dithered slopes of a sky.
static void draw_pixel_art(struct content_canvas *canvas)
{
    static const float ramps[3][4][3] = {
        {{40, 30, 60}, {90, 60, 80}, {150, 100, 90}, {230, 190, 140}},
        {{20, 50, 50}, {40, 100, 70}, {90, 160, 70}, {200, 230, 120}},
        {{50, 60, 140}, {80, 120, 200}, {140, 190, 230}, {220, 240, 250}}};
    const int side = canvas->side;
    for (int i = 0; i < side * side; i++) {
        const int x = i % side, y = i / side;
        float height[3];
        for (int k = 0; k < 3; k++) {
            height[k] = sinf(0.11f * (float)x + 3 * sinf(0.05f * (float)(y + k - 1))) +
                        sinf(0.13f * (float)(y + k - 1) - 2 * cosf(0.07f * (float)x));
        }
        const bool is_stone = height[1] > 0.3f;
        const int grain = (x * 7 + y * 13) % 11 == 0 || (x / 3 + y / 2) % 7 == 0;
        const int edge = height[0] <= 0.3f ? 3 : height[2] <= 0.3f ? 0 : 1 + grain;
        const int sky = y % 128 / 32 + ((x + y) % 2 && y % 32 > 20 && y % 128 < 96 ? 1 : 0);
        memcpy(canvas->rgba[i], is_stone ? ramps[x / 64 % 2][edge] : ramps[2][sky],
               sizeof(float[3]));
        canvas->rgba[i][3] = is_stone ? 255 : 0;
    }
}

// Noise of variance 1: waves of all directions, of lengths from `longest` to an eighth of it.
static float waves(float x, float y, float longest, float phase)
{
    float sum = 0;
    for (int i = 0; i < 12; i++) {
        const float way = 2.4f * (float)i + phase;
        const float turns = 6.2832f / longest * exp2f((float)i / 4);
        sum += cosf(turns * (x * cosf(way) + y * sinf(way)) + phase * (float)(i * i));
    }
    return 0.41f * sum;
}

// Discs that hide each other, of sizes as things have in nature; through a lens, onto a sensor.
static void draw_photo(struct content_canvas *canvas)
{
    const int side = canvas->side;
    for (int i = 0; i < 1500; i++) {
        const float size = 3.5f / sqrtf(1 - content_random(canvas));
        const float left = content_random(canvas), top = content_random(canvas);
        const float light = 30 + 190 * content_random(canvas), warm = content_random(canvas);
        const float color[3] = {(0.7f + 0.6f * warm) * light, light, (1.1f - 0.6f * warm) * light};
        draw_shape(canvas, 0, left * (float)side, top * (float)side, i < 60 ? 80 : fminf(size, 50),
                   1.5f, color);
    }
    for (int i = 0; i < side * side; i++) {
        float *texel = canvas->rgba[i], x = (float)(i % side), y = (float)(i / side);
        const float shade = 0.9f + 0.1f * sinf(y / 40) + 0.12f * waves(x, y, 30, texel[1] / 60);
        for (int c = 0; c < 3; c++) {
            texel[c] = shade * texel[c] + 0.15f * sqrtf(texel[c]) * content_normal(canvas);
        }
    }
}

// Distance to the edge between the cells of a random grid whose sides are 1.
static float cells_edge(float x, float y)
{
    float near[2] = {9, 9};
    for (int i = 0; i < 9; i++) {
        const float u = floorf(x) + (float)(i % 3 - 1), v = floorf(y) + (float)(i / 3 - 1);
        const float r = 437.5f * sinf(12.9f * u + 78.2f * v);
        const float s = 234.6f * sinf(39.3f * u + 11.1f * v);
        const float away = hypotf(u + 0.8f * (r - floorf(r)) - x, v + 0.8f * (s - floorf(s)) - y);
        near[1] = fminf(near[1], fmaxf(away, near[0]));
        near[0] = fminf(near[0], away);
    }
    return near[1] - near[0];
}

// What is seen along a way of length 1: stones, lit balls, in a fog.
static void draw_world(const float way[3], float color[3])
{
    const float floor = way[1] < -0.03f ? -1 / way[1] : 30;
    const float x = way[0] * floor, z = way[2] * floor;
    const float stone = cells_edge(2.5f * x, 2.5f * z) < 0.12f ? 30
                                                               : 105 + 16 * waves(x, z, 1.5f, 3);
    float far = floor;
    for (int c = 0; c < 3; c++) {
        color[c] = far < 30 ? stone * (1 - 0.12f * (float)c) : 100 + 25 * (float)c + 50 * way[1];
    }
    for (int b = 0; b < 7; b++) {
        const float size = 0.3f + 0.06f * (float)b;
        const float ball[3] = {2.5f * sinf(2.4f * (float)b), size - 1, 3 + 0.4f * (float)b};
        const float along = way[0] * ball[0] + way[1] * ball[1] + way[2] * ball[2];
        const float inside = size * size + along * along - ball[0] * ball[0] - ball[1] * ball[1] -
                             ball[2] * ball[2];
        const float to = inside > 0 ? along - sqrtf(inside) : 99;
        const float lit = 0.7f * (way[1] * to - ball[1]) - 0.5f * (way[0] * to - ball[0]) -
                          0.5f * (way[2] * to - ball[2]);
        const float light = fmaxf(lit / size, 0);
        for (int c = 0; c < 3 && to < far; c++) {
            const float paint = 128 + 110 * sinf((float)(b * (c + 2)));
            color[c] = paint * (0.2f + 0.7f * light) + 150 * powf(light, 40);
        }
        far = fminf(far, to);
    }
    for (int c = 0; c < 3; c++) {
        color[c] += (1 - expf(-0.1f * far)) * ((c == 2 ? 150.0f : 120.0f) - color[c]);
    }
}

// Without smoothed edges, but for sprites of fire and smoke.
static void draw_game(struct content_canvas *canvas)
{
    static const float fire[3] = {255, 170, 60}, smoke[3] = {50, 50, 56};
    const float side = (float)canvas->side;
    for (int i = 0; i < canvas->side * canvas->side; i++) {
        const float x = 2 * (float)(i % canvas->side) / side - 1;
        const float y = 0.4f - 1.6f * (float)(i / canvas->side) / side;
        const float length = sqrtf(x * x + y * y + 1);
        draw_world((const float[3]){x / length, y / length, 1 / length}, canvas->rgba[i]);
    }
    for (int i = 0; i < 20; i++) {
        const float x = side * content_random(canvas), y = side * content_random(canvas);
        const float size = 6 + 30 * content_random(canvas);
        draw_shape(canvas, 0, x, y, size / 2, size, i % 3 ? fire : smoke);
    }
}

// Of four surfaces: paving stones, cloth, hammered metal, plates with rivets.
static float height_at(float x, float y, int surface)
{
    const float u = fmodf(x, 32) - 16, v = fmodf(y, 32) - 16;
    const float ramp = 0.9f * fmaxf(15 - fmaxf(fabsf(u), fabsf(v)), 0);
    switch (surface) {
    case 0:
        return 5 * fminf(6 * cells_edge(x / 28, y / 28), 1) + 0.4f * waves(x, y, 20, 1);
    case 1:
        return 1.2f * fmaxf(sinf(x * 0.9f) * cosf(y * 0.45f), sinf(y * 0.9f) * cosf(x * 0.45f));
    case 2:
        return -9 * cells_edge(x / 20, y / 20) * (1 - cells_edge(x / 20, y / 20));
    default:
        return fminf(ramp, 2) + sqrtf(fmaxf(25 - u * u - v * v, 0)) + 0.1f * waves(x, y / 9, 9, 2);
    }
}

static void draw_normals(struct content_canvas *canvas)
{
    const int side = canvas->side;
    for (int i = 0; i < side * side; i++) {
        const float x = (float)(i % side), y = (float)(i / side);
        const int surface = 2 * i / side % 2 + 2 * (2 * i / (side * side));
        const float n[3] = {height_at(x, y, surface) - height_at(x + 1, y, surface),
                            height_at(x, y, surface) - height_at(x, y + 1, surface), 1};
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + 1);
        for (int c = 0; c < 3; c++) {
            canvas->rgba[i][c] = 127.5f + 127.5f * n[c] / length;
        }
    }
}

// Four: between the colours of corners, around a point, a glow in the dark, a slow vignette.
static void draw_gradients(struct content_canvas *canvas)
{
    static const float corners[3][3] = {{130, 30, 140}, {40, 150, 90}, {90, 80, 60}};
    const float half = (float)canvas->side / 2;
    for (int i = 0; i < canvas->side * canvas->side; i++) {
        const float x = (float)(i % canvas->side) / half, y = (float)(i / canvas->side) / half;
        const float u = x - floorf(x), v = y - floorf(y), away = hypotf(u - 0.4f, v - 0.6f);
        const float turn = fabsf(atan2f(v - 0.5f, u - 0.5f) / 3.1416f);
        for (int c = 0; c < 3; c++) {
            const float mesh = corners[0][c] * (1 - u) + corners[1][c] * u + corners[2][c] * v;
            const float conic = corners[1][c] + turn * (corners[0][c] - corners[1][c]);
            const float glow = 8 + (150 - 40 * (float)c) * expf(-6 * away * away);
            const float vignette = (170 + 20 * (float)c) * (1 - 0.3f * away * away);
            canvas->rgba[i][c] = y < 1 ? (x < 1 ? mesh : conic) : x < 1 ? glow : vignette;
        }
        canvas->rgba[i][3] = 255 - 200 * v;
    }
}

const struct content_drawing content_held[CONTENT_NUM_HELD] = {
    {"photo", draw_photo},
    {"game3d", draw_game},
    {"normal", draw_normals},
    {"text", draw_text},
    {"subpixel", draw_subpixel_text},
    {"ui", draw_interface},
    {"flat", draw_flat},
    {"pixel", draw_pixel_art},
    {"grad", draw_gradients},
};
