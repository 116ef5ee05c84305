// SPDX-License-Identifier: MIT
// Pictures of the kinds that encoders of textures meet: letters, panels, icons, sprites.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/bench/quality/content.h"

// The strokes of a letter on a grid of 5 x 7 points: two digits a point, a space lifts the pen.
// Fonts of the machine would differ from those of another.
static const char *const letters[] = {
    "062046 1434",
    "00063645443303 3342413000",
    "4130100105163645",
    "00062645412000",
    "40000646 0333",
    "400006 0333",
    "41301001051636454323",
    "0006 4046 0343",
    "2026",
    "0006 400346",
    "000646",
    "0600234046",
    "06004640",
    "103041453616050110",
    "060030414233 03",
    "06003041423303 2346",
    "413010010213334445361605",
    "0040 2026",
    "000516364540",
    "002640",
    "0016234640",
    "0046 4006",
    "002340 2326",
    "00400646",
    "112026 0646",
    "01103041420646",
};
enum { NUM_LETTERS = sizeof(letters) / sizeof(letters[0]) };

static float segment_distance(const float p[2], const float a[2], const float b[2])
{
    const float way[2] = {b[0] - a[0], b[1] - a[1]}, offset[2] = {p[0] - a[0], p[1] - a[1]};
    const float square = way[0] * way[0] + way[1] * way[1];
    const float dot = way[0] * offset[0] + way[1] * offset[1];
    const float t = square > 0 ? fminf(fmaxf(dot / square, 0), 1) : 0;
    return hypotf(offset[0] - t * way[0], offset[1] - t * way[1]);
}

// From a point to the nearest stroke, on the letter's grid.
float content_letter_distance(const char *strokes, const float p[2])
{
    float least = 100, from[2];
    bool is_down = false;
    while (*strokes) {
        if (*strokes == ' ') {
            is_down = false;
            strokes++;
            continue;
        }
        const float to[2] = {(float)(strokes[0] - '0'), (float)(strokes[1] - '0')};
        least = fminf(least, segment_distance(p, is_down ? from : to, to));
        memcpy(from, to, sizeof(from));
        is_down = true;
        strokes += 2;
    }
    return least;
}

static void write_letter(struct content_canvas *canvas, const struct content_font *font, float x,
                         float y, const char *strokes)
{
    const float scale = font->size / 7;
    for (int j = (int)y - 2; j <= (int)(y + font->size) + 2; j++) {
        for (int i = (int)x - 2; i <= (int)(x + 5 * scale) + 2; i++) {
            float share[3];
            for (int c = 0; c < 3; c++) {
                const float shift = font->has_subpixels ? (float)(c - 1) / 3 : 0;
                const float p[2] = {((float)i + shift - x) / scale, ((float)j - y) / scale};
                const float inside = font->weight / 2 - scale * content_letter_distance(strokes, p);
                share[c] = fminf(fmaxf(inside + 0.5f, 0), 1);
            }
            content_cover(canvas, i, j, share, font->color);
        }
    }
}

void content_write(struct content_canvas *canvas, const struct content_font *font, float x, float y,
                   int num_letters)
{
    for (int i = 0; i < num_letters; i++) {
        const int letter = (int)(content_random(canvas) * (NUM_LETTERS + 3));
        if (letter < NUM_LETTERS) {
            write_letter(canvas, font, x, y, letters[letter]);
        }
        x += font->size * 0.85f;
    }
}

void content_fill(struct content_canvas *canvas, int x, int y, int width, int height,
                  const float color[3])
{
    static const float all[3] = {1, 1, 1};
    for (int i = 0; i < width * height; i++) {
        content_cover(canvas, x + i % width, y + i / width, all, color);
    }
}

// Lines of text of several sizes; the lower half is light on dark. Colours other than black and
// white where `is_colored`.
static void draw_page(struct content_canvas *canvas, bool has_subpixels, bool is_colored)
{
    static const float white[3] = {255, 255, 255}, black[3] = {0, 0, 0};
    const int half = canvas->side / 2;
    content_fill(canvas, 0, 0, canvas->side, half, white);
    content_fill(canvas, 0, half, canvas->side, canvas->side - half, black);
    float y = 4;
    for (int line = 0; (int)y < canvas->side; line++) {
        struct content_font font = {.size = 7 + 3 * (float)(line % 4),
                                    .weight = 1 + 0.35f * (float)(line % 4),
                                    .has_subpixels = has_subpixels};
        const bool is_dark = (int)y >= half;
        if (is_colored && line % 3 == 2) {
            float paper[3];
            content_random_color(canvas, paper);
            content_fill(canvas, 0, (int)y - 2, canvas->side, (int)font.size + 5, paper);
            content_random_color(canvas, font.color);
        } else {
            memcpy(font.color, is_dark ? white : black, sizeof(font.color));
        }
        content_write(canvas, &font, 3 + content_random(canvas), y, canvas->side / 6);
        y += font.size * 1.5f + content_random(canvas);
    }
}

void content_draw_text(struct content_canvas *canvas)
{
    draw_page(canvas, false, false);
}

void content_draw_subpixel_text(struct content_canvas *canvas)
{
    draw_page(canvas, true, true);
}

enum { CELL = 64 };

// From the edge of a rounded box, below 0 inside [texels].
static float box_distance(float x, float y, float width, float height, float round)
{
    const float u = fmaxf(fabsf(x) - width / 2 + round, 0);
    const float v = fmaxf(fabsf(y) - height / 2 + round, 0);
    return hypotf(u, v) - round;
}

static void draw_button(struct content_canvas *canvas, int left, int top)
{
    float color[3];
    content_random_color(canvas, color);
    for (int i = 0; i < CELL * CELL; i++) {
        const float x = (float)(i % CELL) - 31.5f, y = (float)(i / CELL) - 31.5f;
        const float inside = 0.5f - box_distance(x, y, 54, 22, 6);
        const float share = fminf(fmaxf(inside, 0), 1);
        const float light = inside < 1.5f ? 0.6f : 1.1f - y / 80; // a rim, and a soft shine
        const float shares[3] = {share, share, share};
        const float shaded[3] = {fminf(color[0] * light, 255), fminf(color[1] * light, 255),
                                 fminf(color[2] * light, 255)};
        content_cover(canvas, left + i % CELL, top + i / CELL, shares, shaded);
    }
    const float light = color[0] + 2 * color[1] + color[2] > 510 ? 20 : 245;
    const struct content_font font = {9, 1.3f, true, {light, light, light}};
    content_write(canvas, &font, (float)left + 10, (float)top + 27, 5);
}

// A disc, a ring and a triangle of saturated colours, each at any place.
static void draw_icons(struct content_canvas *canvas, int left, int top)
{
    for (int shape = 0; shape < 6; shape++) {
        const float at[2] = {12 + 40 * content_random(canvas), 12 + 40 * content_random(canvas)};
        const int hue = (int)(6 * content_random(canvas)) + 1;
        const float color[3] = {hue & 1 ? 235.0f : 20.0f, hue & 2 ? 210.0f : 30.0f,
                                hue & 4 ? 240.0f : 25.0f};
        for (int i = 0; i < CELL * CELL; i++) {
            const float x = (float)(i % CELL) - at[0], y = (float)(i / CELL) - at[1];
            const float away = shape % 3 == 0   ? hypotf(x, y) - 9
                               : shape % 3 == 1 ? fabsf(hypotf(x, y) - 8) - 1.5f
                                                : fmaxf(y - 7, 0.9f * fabsf(x) - 0.5f * y - 4);
            const float share = fminf(fmaxf(0.5f - away, 0), 1);
            content_cover(canvas, left + i % CELL, top + i / CELL,
                          (const float[3]){share, share, share}, color);
        }
    }
}

static void draw_list(struct content_canvas *canvas, int left, int top, bool is_dark)
{
    const float ink = is_dark ? 225 : 30;
    const float line[3] = {is_dark ? 70.0f : 200.0f, is_dark ? 72.0f : 202.0f,
                           is_dark ? 78.0f : 206.0f};
    const float chosen[3] = {38, 110, 220};
    for (int row = 0; row < 4; row++) {
        content_fill(canvas, left, top + 16 * row, CELL, 1, line);
        if (row == 2) {
            content_fill(canvas, left, top + 16 * row + 1, CELL, 15, chosen);
        }
        const float bright = row == 2 ? 255 : ink;
        const struct content_font font = {8, 1.1f, row & 1, {bright, bright, bright}};
        content_write(canvas, &font, (float)left + 4, (float)top + 16 * (float)row + 4, 8);
    }
    content_fill(canvas, left + CELL - 1, top, 1, CELL, line);
}

void content_draw_interface(struct content_canvas *canvas)
{
    static const float papers[2][3] = {{244, 245, 247}, {38, 40, 46}};
    for (int top = 0, i = 0; top < canvas->side; top += CELL, i++) {
        for (int left = 0; left < canvas->side; left += CELL, i++) {
            const bool is_dark = content_random(canvas) < 0.4f;
            content_fill(canvas, left, top, CELL, CELL, papers[is_dark]);
            switch (i % 3) {
            case 0:
                draw_button(canvas, left, top);
                break;
            case 1:
                draw_list(canvas, left, top, is_dark);
                break;
            default:
                draw_icons(canvas, left, top);
            }
        }
    }
}

// A sprite of 8 x 8 points that is its own mirror image, each point `scale` texels wide.
static void draw_sprite(struct content_canvas *canvas, int left, int top, int scale)
{
    float palette[3][3];
    for (int i = 0; i < 3; i++) {
        content_random_color(canvas, palette[i]);
    }
    for (int i = 0; i < 32; i++) {
        const int color = (int)(4.5f * content_random(canvas));
        const int x = i % 4, y = i / 4;
        if (color < 3) {
            content_fill(canvas, left + scale * x, top + scale * y, scale, scale, palette[color]);
            content_fill(canvas, left + scale * (7 - x), top + scale * y, scale, scale,
                         palette[color]);
        }
    }
}

// Ground of two colours that take turns, and sprites on it.
void content_draw_pixel_art(struct content_canvas *canvas)
{
    enum { TILE = 32 };
    float ground[2][3];
    for (int top = 0; top < canvas->side; top += TILE) {
        content_random_color(canvas, ground[0]);
        content_random_color(canvas, ground[1]);
        for (int left = 0; left < canvas->side; left += TILE) {
            const int grain = 1 + (int)(3 * content_random(canvas));
            for (int i = 0; i < TILE * TILE; i++) {
                const int x = i % TILE, y = i / TILE;
                content_fill(canvas, left + x, top + y, 1, 1, ground[(x / grain + y / grain) & 1]);
            }
            draw_sprite(canvas, left + 2, top + 3, 1 + (int)(3 * content_random(canvas)));
        }
    }
}
