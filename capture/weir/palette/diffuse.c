// SPDX-License-Identifier: MIT
// Dither by diffusion of errors (R. Floyd and L. Steinberg, 1976), each row the other way round.
//
// It is done on the processor: a pixel waits for the one before it and for three of the row above,
// so that a device could only work on a diagonal at a time, with all of it waiting between two.
//
// Pixels in a colour of the palette keep it and pass nothing on, so that areas of one colour stay
// flat. Errors that run on between a few colours are cut off: what is left of them is not seen as
// a mean, but as grains far from where they come from.
#include "capture/weir/palette/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 16,             // of an error, a code
    MAX_ERROR = 40 * UNIT, // that a pixel takes over
    NUM_FITS = 3,          // of the palette, each to the indices that the one before led to
};

// Of squared differences of red, green and blue, near those of what the eye sees.
static const int32_t weights[3] = {3, 5, 2};

// A picture of indices, and what it stands for.
struct picture {
    const uint8_t *source; // RGBA; texels of alpha 0 do not count
    uint32_t width, height;
    uint8_t *indices; // by pixel
    uint32_t num_colors;
    uint8_t (*colors)[3];                      // RGB
    int32_t *blurred;                          // of init_means(): the source, by channel
    bool is_kept[WEIR_PALETTE_MAX_NUM_COLORS]; // by colour: it stays as it is
};

struct diffusion {
    const struct picture *picture;
    float strength;
    const uint8_t *mapped;                           // by pixel: the index of the nearest colour
    int32_t palette[3][WEIR_PALETTE_MAX_NUM_COLORS]; // in units
    int32_t *errors[2]; // of this row and the next, with a pixel more at each end
};

static uint32_t nearest(const struct diffusion *diffusion, const int32_t value[3])
{
    const uint32_t num = diffusion->picture->num_colors;
    int32_t distances[WEIR_PALETTE_MAX_NUM_COLORS] = {0};
    for (int c = 0; c < 3; c++) {
        for (uint32_t k = 0; k < num; k++) {
            const int32_t d = value[c] - diffusion->palette[c][k];
            distances[k] += weights[c] * d * d;
        }
    }
    uint32_t best = 0;
    for (uint32_t k = 1; k < num; k++) {
        best = distances[k] < distances[best] ? k : best;
    }
    return best;
}

// Spread what is left of a pixel: to the next one, and below. `x` counts from 1.
static void spread(const struct diffusion *diffusion, uint32_t x, int channel, int32_t rest,
                   int step)
{
    int32_t *here = diffusion->errors[0] + channel, *below = diffusion->errors[1] + channel;
    const int32_t next = rest * 7 / 16, behind = rest * 3 / 16, under = rest * 5 / 16;
    const size_t ahead = 3 * (size_t)(step > 0 ? x + 1 : x - 1);
    const size_t back = 3 * (size_t)(step > 0 ? x - 1 : x + 1);
    here[ahead] += next;
    below[back] += behind;
    below[3 * (size_t)x] += under;
    below[ahead] += rest - next - behind - under;
}

static int32_t clamp(int32_t value, int32_t least, int32_t most)
{
    return value < least ? least : value > most ? most : value;
}

static void diffuse_pixel(const struct diffusion *diffusion, uint32_t x, uint32_t y, int step)
{
    const struct picture *picture = diffusion->picture;
    const size_t at = (size_t)y * picture->width + x;
    const uint8_t *source = picture->source + 4 * at;
    const int32_t *errors = diffusion->errors[0] + 3 * ((size_t)x + 1);
    picture->indices[at] = diffusion->mapped[at];
    if (source[3] == 0 || memcmp(source, picture->colors[diffusion->mapped[at]], 3) == 0) {
        return;
    }
    int32_t value[3];
    for (int c = 0; c < 3; c++) {
        value[c] = clamp(UNIT * source[c] + clamp(errors[c], -MAX_ERROR, MAX_ERROR), 0,
                         UNIT * UINT8_MAX);
    }
    const uint32_t best = nearest(diffusion, value);
    picture->indices[at] = (uint8_t)best;
    for (int c = 0; c < 3; c++) {
        const float rest = diffusion->strength * (float)(value[c] - diffusion->palette[c][best]);
        spread(diffusion, x + 1, c, (int32_t)rest, step);
    }
}

static void diffuse_row(struct diffusion *diffusion, uint32_t y)
{
    const uint32_t width = diffusion->picture->width;
    const int step = y % 2 == 0 ? 1 : -1;
    for (uint32_t i = 0; i < width; i++) {
        diffuse_pixel(diffusion, step > 0 ? i : width - 1 - i, y, step);
    }
    int32_t *used = diffusion->errors[0];
    diffusion->errors[0] = diffusion->errors[1];
    diffusion->errors[1] = used;
    memset(used, 0, 3 * ((size_t)width + 2) * sizeof(*used));
}

static void set_palette(struct diffusion *diffusion)
{
    const struct picture *picture = diffusion->picture;
    for (uint32_t k = 0; k < picture->num_colors; k++) {
        for (int c = 0; c < 3; c++) {
            diffusion->palette[c][k] = picture->colors[k][c] * UNIT;
        }
    }
}

static void diffuse(struct diffusion *diffusion)
{
    const struct picture *picture = diffusion->picture;
    set_palette(diffusion);
    memset(diffusion->errors[0], 0, 3 * ((size_t)picture->width + 2) * sizeof(int32_t));
    memset(diffusion->errors[1], 0, 3 * ((size_t)picture->width + 2) * sizeof(int32_t));
    for (uint32_t y = 0; y < picture->height; y++) {
        diffuse_row(diffusion, y);
    }
}

// Replace the colours of a picture, but for its alpha, by what they are in the palette.
static void take_colors(struct palette_pixels *mapped, const struct picture *picture)
{
    const size_t num = (size_t)mapped->width * mapped->height;
    for (size_t i = 0; i < num; i++) {
        memcpy(mapped->rgba + 4 * i, picture->colors[picture->indices[i]], 3);
    }
}

// K-means puts colours into the middle of what they stand for, so that a mixture of them never
// reaches what lies outside. Where a picture is dithered it is the mixture that counts. With the
// indices held, its blurred error is a sum of squares of the colours: G is the blur applied twice,
// S says which pixel has which colour, and S'GS colors = S'G source has the best ones.

// Binomial weights, a blur of four pixels applied twice: in integers, so that sums do not depend on
// their order.
enum { REACH = 3, TAPS = 2 * REACH + 1 };
static const int32_t taps[TAPS] = {1, 6, 15, 20, 15, 6, 1};

static size_t num_pixels(const struct picture *picture)
{
    return (size_t)picture->width * picture->height;
}

static bool counts(const struct picture *picture, size_t pixel)
{
    return picture->source[4 * pixel + 3] > 0;
}

// Keep colours that are exact for half of their pixels, as those of areas of one colour.
static void find_kept(struct picture *picture)
{
    uint64_t num[WEIR_PALETTE_MAX_NUM_COLORS] = {0}, num_exact[WEIR_PALETTE_MAX_NUM_COLORS] = {0};
    for (size_t i = 0; i < num_pixels(picture); i++) {
        const uint32_t index = picture->indices[i];
        num[index]++;
        num_exact[index] += memcmp(picture->source + 4 * i, picture->colors[index], 3) == 0;
    }
    for (uint32_t k = 0; k < picture->num_colors; k++) {
        picture->is_kept[k] = 2 * num_exact[k] >= num[k];
    }
}

// Blur along a line of `num` values that are `step` apart.
static void blur_line(const int32_t *line, size_t num, size_t step, int32_t *out)
{
    for (size_t i = 0; i < num; i++) {
        int32_t sum = 0;
        for (size_t t = 0; t < TAPS; t++) {
            sum += i + t >= REACH && i + t < num + REACH ? taps[t] * line[(i + t - REACH) * step]
                                                         : 0;
        }
        out[i * step] = sum;
    }
}

static void blur_channel(const struct picture *picture, int channel, int32_t *work, int32_t *out)
{
    const size_t width = picture->width, height = picture->height;
    for (size_t i = 0; i < num_pixels(picture); i++) {
        out[i] = counts(picture, i) ? picture->source[4 * i + (size_t)channel] : 0;
    }
    for (size_t y = 0; y < height; y++) {
        blur_line(out + y * width, width, 1, work + y * width);
    }
    for (size_t x = 0; x < width; x++) {
        blur_line(work + x, height, width, out + x);
    }
}

static bool init_means(struct picture *picture)
{
    const size_t num = num_pixels(picture);
    int32_t *work = malloc(num * sizeof(*work));
    picture->blurred = malloc(3 * num * sizeof(*picture->blurred));
    const bool has_memory = work && picture->blurred;
    for (int c = 0; has_memory && c < 3; c++) {
        blur_channel(picture, c, work, picture->blurred + (size_t)c * num);
    }
    free(work);
    find_kept(picture);
    return has_memory;
}

// The matrix and the three right sides, of doubles, which hold these integers exactly.
struct system {
    uint32_t num;
    double *matrix; // num rows, of which the solution reads the lower left half
    double sides[3][WEIR_PALETTE_MAX_NUM_COLORS];
};

static void add_pixel(struct system *system, const struct picture *picture, uint32_t x, uint32_t y)
{
    const size_t at = (size_t)y * picture->width + x, num = num_pixels(picture);
    const uint32_t index = picture->indices[at];
    double *row = system->matrix + (size_t)index * system->num;
    for (int c = 0; c < 3; c++) {
        system->sides[c][index] += picture->blurred[(size_t)c * num + at];
    }
    const uint32_t left = x < REACH ? 0 : x - REACH, top = y < REACH ? 0 : y - REACH;
    for (uint32_t v = top; v <= y + REACH && v < picture->height; v++) {
        for (uint32_t u = left; u <= x + REACH && u < picture->width; u++) {
            const size_t near = (size_t)v * picture->width + u;
            const int32_t weight = taps[v + REACH - y] * taps[u + REACH - x];
            row[picture->indices[near]] += counts(picture, near) ? weight : 0;
        }
    }
}

// Hold colours near to what they are: those to be kept with a weight beside which no other counts,
// the rest with so little that it decides only where the picture says nothing.
static void hold_colors(struct system *system, const struct picture *picture)
{
    const double total = 4096.0 * (double)num_pixels(picture);
    for (uint32_t k = 0; k < system->num; k++) {
        double *diagonal = system->matrix + (size_t)k * system->num + k;
        const double weight = picture->is_kept[k] ? 1e6 * total : 0.02 * *diagonal + 1;
        *diagonal += weight;
        for (int c = 0; c < 3; c++) {
            system->sides[c][k] += weight * picture->colors[k][c];
        }
    }
}

// A. L. Cholesky's decomposition: the matrix is symmetric and positive definite.
static void decompose(struct system *system)
{
    for (uint32_t i = 0; i < system->num; i++) {
        double *row = system->matrix + (size_t)i * system->num;
        for (uint32_t j = 0; j <= i; j++) {
            const double *other = system->matrix + (size_t)j * system->num;
            double rest = row[j];
            for (uint32_t k = 0; k < j; k++) {
                rest -= row[k] * other[k];
            }
            row[j] = i == j ? sqrt(fmax(rest, 1)) : rest / other[j];
        }
    }
}

static void solve(const struct system *system, double *side)
{
    for (uint32_t i = 0; i < system->num; i++) {
        const double *row = system->matrix + (size_t)i * system->num;
        for (uint32_t k = 0; k < i; k++) {
            side[i] -= row[k] * side[k];
        }
        side[i] /= row[i];
    }
    for (uint32_t i = system->num; i-- > 0;) {
        for (uint32_t k = i + 1; k < system->num; k++) {
            side[i] -= system->matrix[(size_t)k * system->num + i] * side[k];
        }
        side[i] /= system->matrix[(size_t)i * system->num + i];
    }
}

// Change the colours so that the blurred picture comes nearest to the blurred source, by the least
// sum of squares. False: no memory.
static bool fit_means(struct picture *picture)
{
    struct system system = {.num = picture->num_colors};
    system.matrix = calloc((size_t)system.num * system.num, sizeof(*system.matrix));
    if (!system.matrix) {
        return false;
    }
    for (uint32_t y = 0; y < picture->height; y++) {
        for (uint32_t x = 0; x < picture->width; x++) {
            if (counts(picture, (size_t)y * picture->width + x)) {
                add_pixel(&system, picture, x, y);
            }
        }
    }
    hold_colors(&system, picture);
    decompose(&system);
    for (int c = 0; c < 3; c++) {
        solve(&system, system.sides[c]);
        for (uint32_t k = 0; k < system.num; k++) {
            picture->colors[k][c] = (uint8_t)lrint(fmin(fmax(system.sides[c][k], 0), UINT8_MAX));
        }
    }
    free(system.matrix);
    return true;
}

// Start with the indices that the device has found.
static void find_mapped(const struct diffusion *diffusion, const struct palette_pixels *pixels,
                        uint8_t *mapped)
{
    const size_t num = (size_t)pixels->width * pixels->height;
    for (size_t i = 0; i < num; i++) {
        const uint8_t *pixel = pixels->rgba + 4 * i;
        const bool is_new = i == 0 || memcmp(pixel, pixel - 4, 3) != 0;
        const int32_t value[3] = {UNIT * pixel[0], UNIT * pixel[1], UNIT * pixel[2]};
        mapped[i] = is_new ? (uint8_t)nearest(diffusion, value) : mapped[i - 1];
    }
}

static bool fit_and_diffuse(struct diffusion *diffusion, struct picture *picture, bool fits)
{
    bool has_memory = !fits || init_means(picture);
    diffuse(diffusion);
    for (int i = 0; has_memory && fits && i < NUM_FITS; i++) {
        has_memory = fit_means(picture);
        diffuse(diffusion);
    }
    free(picture->blurred);
    return has_memory;
}

bool palette_diffuse(struct palette_pixels *mapped, const uint8_t *source, const uint32_t *colors,
                     uint32_t num_colors, const struct palette_diffusion *params)
{
    const size_t num = (size_t)mapped->width * mapped->height;
    const size_t row = 3 * ((size_t)mapped->width + 2);
    uint8_t rgb[WEIR_PALETTE_MAX_NUM_COLORS][3];
    for (uint32_t k = 0; k < 3 * num_colors; k++) {
        rgb[k / 3][k % 3] = (uint8_t)(colors[k / 3] >> (16 - 8 * (k % 3)));
    }
    int32_t *errors = malloc(2 * row * sizeof(*errors));
    uint8_t *indices = malloc(2 * num);
    struct picture picture = {
        .source = source,
        .width = mapped->width,
        .height = mapped->height,
        .indices = indices,
        .num_colors = num_colors,
        .colors = rgb,
    };
    struct diffusion diffusion = {.picture = &picture,
                                  .strength = params->strength,
                                  .mapped = indices + num,
                                  .errors = {errors, errors + row}};
    bool has_memory = errors && indices;
    if (has_memory) {
        set_palette(&diffusion);
        find_mapped(&diffusion, mapped, indices + num);
        memcpy(indices, indices + num, num);
        has_memory = fit_and_diffuse(&diffusion, &picture, params->fits);
    }
    if (has_memory) {
        take_colors(mapped, &picture);
    }
    free(errors);
    free(indices);
    return has_memory;
}
