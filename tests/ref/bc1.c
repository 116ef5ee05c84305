// SPDX-License-Identifier: MIT
// Scalar reference of the BC1 encoders: opaque, with black, with an alpha of one bit.
//
// Endpoints are fitted to codes by least squares: S. Brown, "DXT Compression Techniques" (2006).
// That their neighbours are worth a look, as rounding to 5:6:5 bits moves them: F. Giesen, stb_dxt.
#include "tests/ref/bc1.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ref/bc1_line.h"

enum { MAX_PASSES = 8, DARK = 16, NEAR = 2 };

static const int max_code[3] = {31, 63, 31};

// The texels of a block. Transparent texels have the fourth code of the mode of three colours, and
// no colour. With may_be_black, texels that are nearer to black than to the line have that code
// too.
struct block {
    uint8_t rgb[16][3];
    bool transparent[16];
    bool may_be_black;
    bool ffmpeg_model;
    enum ref_bc1_effort effort;
};

// Endpoints, and what they leave of the texels: (4 * steps * difference)^2 over 48 values, under
// 2^29.
struct fit {
    int code[2][3];
    int steps; // from the first to the second. 3: four colours. 2: three, and the fourth code
    int error;
    bool is_flat; // all texels are of one colour, which is at
    int flat_step;
};

static int clampi(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

// The integer nearest to n / d, d > 0, halves upwards.
static int div_round(int n, int d)
{
    const int n2 = 2 * n + d, d2 = 2 * d;
    return n2 / d2 - (n2 % d2 < 0);
}

// The code nearest to x / (255 d).
static int code_of(int channel, int x, int d)
{
    return clampi(div_round(x * max_code[channel], 255 * d), 0, max_code[channel]);
}

static struct ref_bc1_line line_of(const struct block *b, const struct fit *f)
{
    return ref_bc1_line_of(b->ffmpeg_model, f->code, f->steps);
}

enum { FOURTH = -1 };

// The steps at which a texel is, or FOURTH; and what that leaves of it.
static int choose(const struct block *b, const struct fit *f, const struct ref_bc1_line *l, int t,
                  int *error)
{
    *error = 0;
    if (b->transparent[t]) {
        return FOURTH;
    }
    const uint8_t *v = b->rgb[t];
    const int k = f->is_flat ? f->flat_step : ref_bc1_nearest(l, v);
    const int black_error = 16 * l->steps * l->steps * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    *error = ref_bc1_error(l, v, k);
    if (!b->may_be_black || l->steps == 3 || black_error >= *error) {
        return k;
    }
    *error = black_error;
    return FOURTH;
}

static void set_error(const struct block *b, struct fit *f)
{
    const struct ref_bc1_line l = line_of(b, f);
    f->error = 0;
    for (int t = 0; t < 16; t++) {
        int error;
        choose(b, f, &l, t, &error);
        f->error += error;
    }
}

static void keep_better(const struct block *b, struct fit moved, struct fit *f)
{
    for (int c = 0; c < 3; c++) {
        for (int end = 0; end < 2; end++) {
            if (moved.code[end][c] < 0 || moved.code[end][c] > max_code[c]) {
                return;
            }
        }
    }
    set_error(b, &moved);
    if (moved.error < f->error) {
        *f = moved;
    }
}

// The endpoints that fit the texels best as these are assigned now. They nearly always have the
// smaller error, and effort fast does not ask. Texel t is (steps - k) / steps of the first and k /
// steps of the second: two normal equations for each channel.
static void refine(const struct block *b, struct fit *f)
{
    const struct ref_bc1_line l = line_of(b, f);
    const int s = f->steps;
    int n = 0, sk = 0, skk = 0, sv[3] = {0}, skv[3] = {0};
    for (int t = 0; t < 16; t++) {
        int error;
        const int k = choose(b, f, &l, t, &error);
        if (k == FOURTH) {
            continue;
        }
        n++;
        sk += k;
        skk += k * k;
        for (int c = 0; c < 3; c++) {
            sv[c] += b->rgb[t][c];
            skv[c] += k * b->rgb[t][c];
        }
    }
    const int aa = s * s * n - 2 * s * sk + skk, ab = s * sk - skk, bb = skk;
    const int d = aa * bb - ab * ab;
    if (d == 0) {
        return;
    }
    struct fit moved = *f;
    for (int c = 0; c < 3; c++) {
        const int av = s * sv[c] - skv[c], bv = skv[c];
        moved.code[0][c] = code_of(c, s * (av * bb - bv * ab), d);
        moved.code[1][c] = code_of(c, s * (bv * aa - av * ab), d);
    }
    if (b->effort == REF_BC1_FAST) {
        *f = moved;
    } else {
        keep_better(b, moved, f);
    }
}

// Of each channel both ends at their neighbours, all nine pairs.
static void search_channels(const struct block *b, struct fit *f)
{
    for (int c = 0; c < 3; c++) {
        const struct fit center = *f;
        for (int i = 0; i < 9; i++) {
            struct fit moved = center;
            moved.code[0][c] += i / 3 - 1;
            moved.code[1][c] += i % 3 - 1;
            keep_better(b, moved, f);
        }
    }
}

// One end or both, darker or brighter in all channels.
static void search_brightness(const struct block *b, struct fit *f)
{
    for (int ends = 1; ends <= 3; ends++) {
        for (int way = -1; way <= 1; way += 2) {
            struct fit moved = *f;
            for (int c = 0; c < 3; c++) {
                for (int end = 0; end < 2; end++) {
                    moved.code[end][c] += (ends >> end & 1) * way * (c == 1 ? 2 : 1);
                }
            }
            keep_better(b, moved, f);
        }
    }
}

static void improve(const struct block *b, struct fit *f)
{
    refine(b, f);
    if (b->effort != REF_BC1_FAST) {
        refine(b, f);
    }
    if (b->effort == REF_BC1_DEFAULT) {
        search_channels(b, f);
    }
    for (int pass = 0; b->effort == REF_BC1_HIGH && pass < MAX_PASSES; pass++) {
        const int before = f->error;
        search_channels(b, f);
        search_brightness(b, f);
        refine(b, f);
        if (f->error == before) {
            break;
        }
    }
}

// The texels that a first line is for, and their box.
struct box {
    bool holds[16];
    int num_texels, lo[3], hi[3];
};

static struct box box_of(const struct block *b, bool leaves_dark_out)
{
    struct box box = {.lo = {255, 255, 255}};
    for (int t = 0; t < 16; t++) {
        const uint8_t *v = b->rgb[t];
        const bool is_dark = v[0] < DARK && v[1] < DARK && v[2] < DARK;
        box.holds[t] = !b->transparent[t] && !(leaves_dark_out && is_dark);
        box.num_texels += box.holds[t];
        for (int c = 0; c < 3 && box.holds[t]; c++) {
            box.lo[c] = v[c] < box.lo[c] ? v[c] : box.lo[c];
            box.hi[c] = v[c] > box.hi[c] ? v[c] : box.hi[c];
        }
    }
    return box;
}

// The box of the colours, a sixteenth smaller at both ends. Its corners are those on which channels
// fall where the one with the longest side falls.
static struct fit fit_box(const struct block *b, const struct box *box, int steps)
{
    const int *lo = box->lo, *hi = box->hi;
    int longest = 0;
    for (int c = 1; c < 3; c++) {
        if (hi[c] - lo[c] > hi[longest] - lo[longest]) {
            longest = c;
        }
    }
    struct fit f = {.steps = steps};
    for (int c = 0; c < 3; c++) {
        int sum = 0, sum_longest = 0, product = 0;
        for (int t = 0; t < 16; t++) {
            if (!box->holds[t]) {
                continue;
            }
            sum += b->rgb[t][c];
            sum_longest += b->rgb[t][longest];
            product += b->rgb[t][c] * b->rgb[t][longest];
        }
        const int first = 16 * hi[c] - (hi[c] - lo[c]), second = 16 * lo[c] + (hi[c] - lo[c]);
        const bool falls = box->num_texels * product < sum * sum_longest;
        f.code[0][c] = code_of(c, falls ? second : first, 16);
        f.code[1][c] = code_of(c, falls ? first : second, 16);
    }
    set_error(b, &f);
    return f;
}

// The second code for a first one, so that a value is one step of the way. A fraction that will be
// dropped is in the middle of its range.
static int other_end(const struct block *b, int c, int code, int value, int steps)
{
    const int first = (steps - 1) * ref_bc1_value_of(b->ffmpeg_model, c, code);
    const int dropped = b->ffmpeg_model ? 2 * (steps - 1) : 0;
    return code_of(c, 4 * steps * value + dropped - first, 4);
}

// How far one step of the way is from a value, in 1 / (4 * steps).
static int error_of_pair(const struct block *b, int c, int code, int other, int value, int steps)
{
    const int start = ref_bc1_value_of(b->ffmpeg_model, c, code);
    const int end = ref_bc1_value_of(b->ffmpeg_model, c, other);
    const int sum = b->ffmpeg_model
                        ? 4 * steps * ref_bc1_ffmpeg_between(start / 4, end / 4, 1, steps)
                        : (steps - 1) * start + end;
    return abs(4 * steps * value - sum);
}

// One colour, as one step of the way between the two codes that have it there best. Effort fast
// takes the first one near the colour's own code, which is off by a twelfth of 1/255 at most.
static struct fit fit_color(const struct block *b, const int color[3], int steps)
{
    struct fit f = {.steps = steps, .is_flat = true};
    for (int c = 0; c < 3; c++) {
        const int own = code_of(c, 4 * color[c], 4), near = b->effort == REF_BC1_FAST ? NEAR : 63;
        const int last = own + near < max_code[c] ? own + near : max_code[c];
        int best = 1 << 20;
        for (int code = own > near ? own - near : 0; code <= last; code++) {
            const int other = other_end(b, c, code, color[c], steps);
            const int error = error_of_pair(b, c, code, other, color[c], steps);
            if (error < best) {
                best = error;
                f.code[0][c] = code;
                f.code[1][c] = other;
            }
        }
    }
    f.flat_step = memcmp(f.code[0], f.code[1], sizeof(f.code[0])) != 0;
    set_error(b, &f);
    return f;
}

static struct fit fit_texels(const struct block *b, int steps)
{
    struct box box = box_of(b, b->may_be_black && steps == 2);
    struct fit f = {.steps = steps};
    if (box.num_texels == 0) {
        set_error(b, &f);
        return f;
    }
    if (memcmp(box.lo, box.hi, sizeof(box.lo)) == 0) {
        return fit_color(b, box.lo, steps);
    }
    f = fit_box(b, &box, steps);
    improve(b, &f);
    return f;
}

static unsigned word_of(const int code[3])
{
    return (unsigned)(code[0] << 11 | code[1] << 5 | code[2]);
}

// Four colours have the greater word first, three the lesser.
static void pack(const struct block *b, struct fit f, uint8_t out[REF_BC1_BLOCK_SIZE])
{
    const unsigned words[2] = {word_of(f.code[0]), word_of(f.code[1])};
    if (f.steps == 3 ? words[0] < words[1] : words[0] > words[1]) {
        const struct fit old = f;
        memcpy(f.code[0], old.code[1], sizeof(f.code[0]));
        memcpy(f.code[1], old.code[0], sizeof(f.code[1]));
        f.flat_step = f.steps - f.flat_step;
    }
    const struct ref_bc1_line l = line_of(b, &f);
    uint32_t bits = 0;
    for (int t = 0; t < 16; t++) {
        int error;
        const int k = choose(b, &f, &l, t, &error);
        const unsigned code = k == FOURTH ? 3 : k == 0 ? 0 : k == f.steps ? 1 : (unsigned)k + 1;
        bits |= code << (2 * t);
    }
    for (int i = 0; i < 2; i++) {
        out[2 * i] = (uint8_t)word_of(f.code[i]);
        out[2 * i + 1] = (uint8_t)(word_of(f.code[i]) >> 8);
    }
    for (int i = 0; i < 4; i++) {
        out[4 + i] = (uint8_t)(bits >> (8 * i));
    }
}

static bool is_opaque(const struct block *b)
{
    for (int t = 0; t < 16; t++) {
        if (b->transparent[t]) {
            return false;
        }
    }
    return true;
}

// Errors are in 1/144 and 1/64.
static void encode(const struct block *b, bool tries_three, uint8_t out[REF_BC1_BLOCK_SIZE])
{
    const bool opaque = is_opaque(b);
    struct fit f = fit_texels(b, opaque ? 3 : 2);
    if (tries_three && opaque) {
        const struct fit three = fit_texels(b, 2);
        if (9 * three.error < 4 * f.error) {
            f = three;
        }
    }
    pack(b, f, out);
}

void ref_bc1_encode_block(const uint8_t rgb[16][3], bool ffmpeg_model, enum ref_bc1_effort effort,
                          uint8_t out[REF_BC1_BLOCK_SIZE])
{
    struct block b = {.ffmpeg_model = ffmpeg_model, .effort = effort};
    memcpy(b.rgb, rgb, sizeof(b.rgb));
    encode(&b, false, out);
}

void ref_bc1_encode_block_black(const uint8_t rgb[16][3], bool ffmpeg_model,
                                enum ref_bc1_effort effort, uint8_t out[REF_BC1_BLOCK_SIZE])
{
    struct block b = {.ffmpeg_model = ffmpeg_model, .effort = effort, .may_be_black = true};
    memcpy(b.rgb, rgb, sizeof(b.rgb));
    encode(&b, effort != REF_BC1_FAST, out);
}

void ref_bc1a_encode_block(const uint8_t rgba[16][4], bool ffmpeg_model, enum ref_bc1_effort effort,
                           uint8_t out[REF_BC1_BLOCK_SIZE])
{
    struct block b = {.ffmpeg_model = ffmpeg_model, .effort = effort};
    for (int t = 0; t < 16; t++) {
        memcpy(b.rgb[t], rgba[t], 3);
        b.transparent[t] = rgba[t][3] < 128;
    }
    encode(&b, effort == REF_BC1_HIGH, out);
}
