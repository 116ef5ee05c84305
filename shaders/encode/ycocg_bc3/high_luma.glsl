// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3 at effort high: Y, in either mode of BC4. A part of high.glsl.
//
// As bc4/bc4.glsl does it: least squares, then endpoints around those, then six values. Values are
// in 1/16 code, errors in 1/16 of a step's fraction: 1/112 or 1/80 code.

const int MARGIN = 24;
const int INNER = 8;
const int LARGEST = 16 * 255;

struct LumaFit {
    int a0, a1;
    int steps; // 7: eight values. 5: six values, 0 and 255
    uint error;
};

// The index of a texel, and a third of its error in 1/24 code.
struct LumaChoice {
    int index, third;
};

int luma_scale(LumaFit f)
{
    const int range = abs(f.a0 - f.a1);
    return range == 0 ? 0 : divide((1 << 16) + (range >> 1), range, 1.0 / float(range));
}

int luma_nearest(LumaFit f, int scale, int v)
{
    const int place = v + LUMA_BIAS - 16 * f.a0;
    const int distance = clamp(f.a0 > f.a1 ? -place : place, 0, 16 * abs(f.a0 - f.a1));
    return (f.steps * distance * scale + (1 << 19)) >> 20;
}

int luma_decoded(LumaFit f, int k)
{
    const int n = f.steps * f.a0 - k * (f.a0 - f.a1);
    if (FFMPEG_MODEL)
        return 16 * f.steps * ((n * (f.steps == 7 ? 9363 : 13108)) >> 16); // exact for n < 2^13
    return 16 * n;
}

int luma_lean(int v)
{
    return FFMPEG_MODEL ? v : v + LUMA_BIAS;
}

uint square(int x)
{
    return uint(x * x);
}

uint luma_value_error(LumaFit f, int k, int v)
{
    return square(luma_decoded(f, k) - f.steps * luma_lean(v));
}

uint luma_extreme_error(LumaFit f, int v)
{
    return square(f.steps * min(luma_lean(v), abs(LARGEST - luma_lean(v))));
}

LumaFit luma_fit(int y[16], int a0, int a1, int steps)
{
    LumaFit f = LumaFit(a0, a1, steps, 0u);
    const int scale = luma_scale(f);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int v = 4 * y[t];
        const uint error = luma_value_error(f, luma_nearest(f, scale, v), v);
        f.error += steps == 5 ? min(error, luma_extreme_error(f, v)) : error;
    }
    return f;
}

LumaFit luma_try(int y[16], int a0, int a1, LumaFit best)
{
    if (min(a0, a1) >= 0 && max(a0, a1) <= 255 && (a0 > a1) == (best.steps == 7)) {
        const LumaFit f = luma_fit(y, a0, a1, best.steps);
        if (f.error < best.error)
            return f;
    }
    return best;
}

LumaFit luma_squares(int y[16], LumaFit f)
{
    const int scale = luma_scale(f), s = f.steps;
    int n = 0, sk = 0, skk = 0, sv = 0, skv = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int v = 4 * y[t];
        const int k = luma_nearest(f, scale, v);
        if (s == 7 || luma_extreme_error(f, v) >= luma_value_error(f, k, v)) {
            n++;
            sk += k;
            skk += k * k;
            sv += v + LUMA_BIAS;
            skv += k * (v + LUMA_BIAS);
        }
    }
    const int aa = s * s * n - 2 * s * sk + skk, ab = s * sk - skk, bb = skk;
    const int av = s * sv - skv, bv = skv;
    const int d = aa * bb - ab * ab;
    if (d <= 0)
        return f;
    const int n0 = s * ((av * bb - bv * ab) >> 4), n1 = s * ((bv * aa - av * ab) >> 4);
    const ivec2 ends = clamp(divide_round(ivec2(n0, n1), d), 0, 255);
    return luma_try(y, ends.x, ends.y, f);
}

LumaFit luma_improve(int y[16], LumaFit f)
{
    [[dont_unroll]] for (int i = 0; i < 3; i++)
        f = luma_squares(y, f);
    [[dont_unroll]] for (int pass = 0; pass < 2; pass++) {
        const LumaFit center = f;
        const int radius = pass == 0 ? 9 : 1, step = pass == 0 ? 3 : 1;
        [[dont_unroll]] for (int i = -radius; i <= radius; i += step) {
            [[dont_unroll]] for (int j = -radius; j <= radius; j += step)
                f = luma_try(y, center.a0 + i, center.a1 + j, f);
        }
    }
    return f;
}

LumaFit luma_try_six(int y[16], LumaFit f)
{
    int lo = 4 * 255, hi = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        if (y[t] >= 4 * INNER && y[t] <= 4 * (255 - INNER)) {
            lo = min(lo, y[t]);
            hi = max(hi, y[t]);
        }
    }
    const LumaFit six = luma_improve(y, luma_fit(y, min(lo, hi) >> 2, (hi + 3) >> 2, 5));
    if (49u * six.error < 25u * f.error)
        return six;
    return f;
}

LumaFit high_luma(int y[16], int lo, int hi, bool grey)
{
    bool exact = ((lo | hi) & 3) == 0;
    [[unroll]] for (int t = 0; t < 16; t++)
        exact = exact && (y[t] == lo || y[t] == hi);
    const bool soft = grey && hi - lo <= 28 && !exact;
    const int first = min((lo >> 2) + 7, 255);
    LumaFit f = luma_fit(y, soft ? first : (hi + 3) >> 2, soft ? first - 7 : lo >> 2, 7);
    if (exact || soft)
        return f;
    f = luma_improve(y, f);
    if (lo < 4 * MARGIN || hi > 4 * (255 - MARGIN))
        return luma_try_six(y, f);
    return f;
}

LumaChoice luma_choose(LumaFit f, int scale, int y)
{
    const int v = 4 * y;
    int k = luma_nearest(f, scale, v);
    int value = luma_decoded(f, k);
    if (f.steps == 5 && luma_extreme_error(f, v) < luma_value_error(f, k, v)) {
        k = v < 16 * 128 ? 6 : 7;
        value = v < 16 * 128 ? 0 : 5 * LARGEST;
    }
    const int twice = 2 * f.steps;
    return LumaChoice(k, divide(value - f.steps * v + f.steps, twice, 1.0 / float(twice)));
}
