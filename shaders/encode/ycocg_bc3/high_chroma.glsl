// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3 at effort high: Co and Cg, at the scale that fits and the next finer one. A
// part of high.glsl.
//
// A finer scale clips some texels and may still be better for the rest. A coarser one gains 0.004
// dB. Texels and the four values are in 1/24 code: an endpoint is rounded to 1/8 code, and the
// thirds between two are whole then. The nearest value is found by trying all four.

const int NEUTRAL_WEIGHT = 4;

// The decoder's model in integers.
struct WholeModel {
    ivec2 codes, quarters;
    int zero;
};

WholeModel whole_model(int scale_code)
{
    const Model m = decoder_model(scale_code);
    return WholeModel(ivec2(m.codes), ivec2(m.quarters), int(m.zero));
}

struct ChromaEnds {
    ivec2 code0, code1;
};

struct ChromaFit {
    int scale_code;
    ChromaEnds ends;
    uint error;
};

// The four values: the squared distance of x from value k is square[k] - dot(weight[k], x), plus a
// summand that is the same for all.
struct ChromaPalette {
    ivec2 weight[4];
    int square[4];
};

// The texels in 1/24 code, and the sum over them of the summands that distances by the palette
// leave out. Where they are wide, errors are those of R, G and B as a decoder clamps them, and
// texels without chroma count more.
struct ChromaTexels {
    ivec2 x[16];
    uint squares;
    bool wide;
    int luma[16], cg[16]; // Y and Cg of the texels themselves
};

// The nearest value of each texel, and its error.
struct ChromaChoice {
    int index[16];
    uint error[16];
};

ivec2 expand(ivec2 code)
{
    const ivec2 v = code * 255 + ivec2(16, 32);
    return ((v >> ivec2(5, 6)) + v) >> ivec2(5, 6);
}

ivec2 endpoint_value(WholeModel m, int scale_code, ivec2 code)
{
    return (code * m.quarters - m.zero + (1 << (10 + scale_code))) >> (11 + scale_code);
}

// Get the codes nearest to values in 1/4 stored code.
ivec2 nearest_code(WholeModel m, ivec2 x)
{
    const ivec2 code = (x * m.codes + ivec2(1019802, 2072501) + (1 << 15)) >> 16;
    return clamp(code, ivec2(0), ivec2(CHROMA_MAX));
}

ivec2 chroma_value(WholeModel m, ChromaFit f, int k)
{
    if (FFMPEG_MODEL) {
        const ivec2 sum = (3 - k) * expand(f.ends.code0) + k * expand(f.ends.code1);
        const ivec2 stored = ((sum * 21846) >> 16) - 128; // a third of up to 765, exact
        return 24 * sign(stored) * (abs(stored) >> f.scale_code);
    }
    return (3 - k) * endpoint_value(m, f.scale_code, f.ends.code0)
           + k * endpoint_value(m, f.scale_code, f.ends.code1);
}

ChromaPalette chroma_palette(WholeModel m, ChromaFit f)
{
    ChromaPalette p;
    [[unroll]] for (int k = 0; k < 4; k++) {
        const ivec2 value = chroma_value(m, f, k);
        p.weight[k] = ivec2(4, 6) * value;
        p.square[k] = 2 * value.x * value.x + 3 * value.y * value.y;
    }
    return p;
}

int chroma_distance(ChromaPalette p, int k, ivec2 x)
{
    return p.square[k] - p.weight[k].x * x.x - p.weight[k].y * x.y;
}

// Get the number of the nearest value; on a tie the first.
int chroma_nearest(ChromaPalette p, ivec2 x)
{
    int index = 0;
    int best = chroma_distance(p, 0, x);
    [[unroll]] for (int k = 1; k < 4; k++) {
        const int distance = chroma_distance(p, k, x);
        index = distance < best ? k : index;
        best = min(best, distance);
    }
    return index;
}

// Get the squared error of R, G and B.
uint chroma_clamped_error(ChromaTexels c, int t, ivec2 value)
{
    const ivec2 own = ivec2(c.x[t].x, c.cg[t]);
    const int decoded = c.luma[t] + 3 * (c.x[t].y - own.y);
    const ivec3 wanted = c.luma[t] + ivec3(own.x - own.y, own.y, -own.x - own.y);
    const ivec3 got = decoded + ivec3(value.x - value.y, value.y, -value.x - value.y);
    const ivec3 e = clamp(got, 0, 24 * 255) - wanted;
    return uint(e.x * e.x + e.y * e.y + e.z * e.z);
}

ChromaChoice chroma_choose_wide(WholeModel m, ChromaTexels c, ChromaFit f)
{
    ChromaChoice best;
    [[unroll]] for (int t = 0; t < 16; t++) {
        best.index[t] = 0;
        best.error[t] = 0xFFFFFFFFu;
    }
    [[dont_unroll]] for (int k = 0; k < 4; k++) {
        const ivec2 value = chroma_value(m, f, k);
        [[unroll]] for (int t = 0; t < 16; t++) {
            const uint error = chroma_clamped_error(c, t, value);
            best.index[t] = error < best.error[t] ? k : best.index[t];
            best.error[t] = min(error, best.error[t]);
        }
    }
    return best;
}

int chroma_texel_weight(ChromaTexels c, int t)
{
    return c.wide && c.x[t].x == 0 && c.cg[t] == 0 ? NEUTRAL_WEIGHT : 1;
}

ChromaFit chroma_fit_of(WholeModel m, ChromaTexels c, int scale_code, ChromaEnds ends)
{
    ChromaFit f = ChromaFit(scale_code, ends, 0u);
    if (c.wide) {
        const ChromaChoice choice = chroma_choose_wide(m, c, f);
        [[unroll]] for (int t = 0; t < 16; t++)
            f.error += uint(chroma_texel_weight(c, t)) * choice.error[t];
        return f;
    }
    f.error = c.squares;
    const ChromaPalette p = chroma_palette(m, f);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int d0 = chroma_distance(p, 0, c.x[t]), d1 = chroma_distance(p, 1, c.x[t]);
        const int d2 = chroma_distance(p, 2, c.x[t]), d3 = chroma_distance(p, 3, c.x[t]);
        f.error += uint(min(min(d0, d1), min(d2, d3)));
    }
    return f;
}

int[16] chroma_indices(WholeModel m, ChromaTexels c, ChromaFit f)
{
    if (c.wide)
        return chroma_choose_wide(m, c, f).index;
    int index[16];
    const ChromaPalette p = chroma_palette(m, f);
    [[unroll]] for (int t = 0; t < 16; t++)
        index[t] = chroma_nearest(p, c.x[t]);
    return index;
}

ivec2 biased(int scale_code, ivec2 x)
{
    if (FFMPEG_MODEL)
        return x + sign(x) * (scale_code == 2 ? 9 : 6 * scale_code);
    return x;
}

// Get endpoints by least squares for the indices that the texels have.
ChromaEnds chroma_squares(WholeModel m, ChromaTexels c, ChromaFit f)
{
    const int index[16] = chroma_indices(m, c, f);
    int num = 0, sk = 0, skk = 0;
    ivec2 sx = ivec2(0), skx = ivec2(0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int k = index[t], weight = chroma_texel_weight(c, t);
        const ivec2 v = weight * biased(f.scale_code, c.x[t]);
        num += weight;
        sk += weight * k;
        skk += weight * k * k;
        sx += v;
        skx += k * v;
    }
    const int aa = 9 * num - 6 * sk + skk, ab = 3 * sk - skk, bb = skk;
    const int d = aa * bb - ab * ab;
    if (d <= 0)
        return f.ends;
    const ivec2 ax = 3 * sx - skx, bx = skx;
    const ivec2 x0 = divide_round((ax * bb - bx * ab) << f.scale_code, 2 * d);
    const ivec2 x1 = divide_round((bx * aa - ax * ab) << f.scale_code, 2 * d);
    return ChromaEnds(nearest_code(m, x0), nearest_code(m, x1));
}

ChromaEnds ends_of(Chroma c)
{
    return ChromaEnds(ivec2(c.code0), ivec2(c.code1));
}

ChromaEnds chroma_flat_of(ChromaTexels c, int scale_code)
{
    ivec2 sum = ivec2(0);
    [[unroll]] for (int t = 0; t < 16; t++)
        sum += biased(scale_code, c.x[t]);
    sum = divide_round(sum << scale_code, 6);
    return ends_of(chroma_flat(decoder_model(scale_code), vec2(sum)));
}

ChromaFit chroma_search(WholeModel m, ChromaTexels c, ChromaFit f)
{
    [[dont_unroll]] for (int axis = 0; axis < 2; axis++) {
        const ChromaFit center = f;
        const ivec2 along = ivec2(1 - axis, axis);
        [[dont_unroll]] for (int step_ = 0; step_ < 9; step_++) {
            ChromaEnds ends = center.ends;
            ends.code0 += along * (step_ / 3 - 1);
            ends.code1 += along * (step_ % 3 - 1);
            ends.code0 = clamp(ends.code0, ivec2(0), ivec2(CHROMA_MAX));
            ends.code1 = clamp(ends.code1, ivec2(0), ivec2(CHROMA_MAX));
            const ChromaFit other = chroma_fit_of(m, c, f.scale_code, ends);
            if (other.error < f.error)
                f = other;
        }
    }
    return f;
}

// Try a flat block, the span of the texels, and that moved twice by least squares; where they are
// wide, so is the middle of the box.
ChromaFit high_chroma(ChromaTexels c, ChromaSpan span, ChromaSpan across)
{
    const int first = chroma_scale_code(span);
    ChromaFit best = ChromaFit(0, ChromaEnds(ivec2(0), ivec2(0)), 0xFFFFFFFFu);
    [[dont_unroll]] for (int scale_code = first; scale_code <= min(first + 1, 2); scale_code++) {
        const WholeModel m = whole_model(scale_code);
        ChromaFit f = best;
        f.scale_code = scale_code;
        [[dont_unroll]] for (int i = 0; i < (c.wide ? 7 : 4); i++) {
            ChromaEnds ends;
            if (i == 0)
                ends = chroma_flat_of(c, scale_code);
            else if (i % 3 == 1)
                ends = ends_of(chroma_start(decoder_model(scale_code), scale_code,
                                            i == 1 ? span : across));
            else
                ends = chroma_squares(m, c, f);
            const ChromaFit other = chroma_fit_of(m, c, scale_code, ends);
            if (i % 3 == 1 || other.error < f.error)
                f = other;
            if (other.error < best.error)
                best = other;
        }
    }
    return chroma_search(whole_model(best.scale_code), c, best);
}
