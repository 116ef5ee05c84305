// SPDX-License-Identifier: MIT
// Pictures of the kinds that encoders of textures meet, drawn from a seed.
#pragma once

#include <stdint.h>

enum content_kind {
    CONTENT_PHOTOGRAPH,    // a landscape with grain: stands in where no photographs are given
    CONTENT_TEXT,          // black on white and the reverse, smoothed by shades of grey
    CONTENT_SUBPIXEL_TEXT, // smoothed by the subpixels of a display: edges have colours
    CONTENT_INTERFACE,     // panels, buttons, icons and labels
    CONTENT_PIXEL_ART,     // few colours, hard edges
    CONTENT_GRADIENTS,     // soft, of one code a texel and less
    CONTENT_NORMALS,       // of a surface: R and G are x and y, B is z
    CONTENT_NOISE,         // white, and that of a sensor
    CONTENT_SHADOWS,       // soft ranges in all channels, alpha among them
    CONTENT_NUM_KINDS,
    CONTENT_HELD_GAME = CONTENT_NUM_KINDS + 1,
    CONTENT_NUM_HELD = 9, // more kinds, from CONTENT_NUM_KINDS on, which no encoder is tuned on
    CONTENT_END = CONTENT_NUM_KINDS + CONTENT_NUM_HELD,
};

// The picture while it is drawn: channels of 0 to 255, not yet rounded.
struct content_canvas {
    int side;
    float (*rgba)[4]; // rows from the top
    uint64_t random;  // state
};

struct content_drawing {
    const char *name;
    void (*draw)(struct content_canvas *canvas);
};
extern const struct content_drawing content_held[CONTENT_NUM_HELD];

const char *content_name(enum content_kind kind);

// Draw side x side texels of 8 bits, RGBA, rows from the top, most kinds opaque. The same seed and
// side give the same picture on every machine but for the last bit of the mathematical library.
void content_draw(enum content_kind kind, uint64_t seed, int side, uint8_t *texels);

// For the files that draw: 0 to 1, without 1; a mixture of two colours; a texel of the canvas.
float content_random(struct content_canvas *canvas);
float content_normal(struct content_canvas *canvas); // of variance 1, nearly normal
void content_random_color(struct content_canvas *canvas, float color[3]);
// Cover a texel by a color, each channel by its own share of 0 to 1. Outside of the canvas nothing.
void content_cover(struct content_canvas *canvas, int x, int y, const float share[3],
                   const float color[3]);

void content_fill(struct content_canvas *canvas, int x, int y, int width, int height,
                  const float color[3]);
// From a point to the nearest stroke of a letter, on the grid of its points.
float content_letter_distance(const char *strokes, const float p[2]);

void content_draw_text(struct content_canvas *canvas);
void content_draw_subpixel_text(struct content_canvas *canvas);
void content_draw_interface(struct content_canvas *canvas);
void content_draw_pixel_art(struct content_canvas *canvas);

// One line of random letters whose upper left corner is at x, y, `size` texels high.
struct content_font {
    float size, weight; // [texels]
    int has_subpixels;
    float color[3];
};
void content_write(struct content_canvas *canvas, const struct content_font *font, float x, float y,
                   int num_letters);
