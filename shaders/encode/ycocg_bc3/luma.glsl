// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3: Y of a block, in BC4. A part of ycocg_bc3.glsl, which lists its assumptions.

const float LEAN = FFMPEG_MODEL ? 1.5 : 0.75; // LUMA_BIAS in 1/4 code

struct Luma {
    float a0, a1; // endpoints
    float first;  // the place of y = 0 between them: 0 is a0, 1 is a1
    float step;   // of 1/4 code
};

Luma luma_line(float a0, float a1)
{
    const float step = 0.25 / max(a0 - a1, 1.0);
    return Luma(a0, a1, (4.0 * a0 - LEAN) * step, -step);
}

// Get LARGE plus the index of y, 0 at a0 to 7 at a1. Before it is rounded, an index is at least
// 1 / (16 (a0 - a1)) off every tie, so neither quotient nor products need be exact.
float luma_large_index(Luma l, float y)
{
    precise float way = clamp(fma(y, l.step, l.first), 0.0, 1.0);
    precise float sum = fma(way, 7.0, LARGE);
    return sum;
}

// Move the endpoints to where they fit the indices of the texels best, or `reach` times as far: as
// texels change their index then, they would move on.
Luma luma_refine(float y[16], float sum_y, float reach, Luma l)
{
    precise float q1 = 0.0, q2 = 0.0, qy = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        precise float q = luma_large_index(l, y[t]) - LARGE;
        q1 += q;
        q2 = fma(q, q, q2);
        qy = fma(q, y[t], qy);
    }
    // Integers up to 2^24, until they are divided.
    const float d = 16.0 * q2 - q1 * q1;
    const float offset = q2 * sum_y - q1 * qy;
    const float slope = 16.0 * qy - q1 * sum_y;
    precise float scale = 0.25 * reach * reciprocal(max(d, 1.0));
    precise vec2 ends = vec2(offset, offset + 7.0 * slope) * scale;
    precise vec2 moved = ends + (0.25 * LEAN - (reach - 1.0) * vec2(l.a0, l.a1));
    const vec2 a = nearest(clamp(moved, 0.0, 255.0));
    const bool keep = d > 0.0 && a.x > a.y;
    return luma_line(keep ? a.x : l.a0, keep ? a.y : l.a1);
}

// Start with the range of the texels, a fortieth of it shorter at both ends. Soft greys are exact.
Luma luma_box(float lo, float hi, bool grey)
{
    const float range = hi - lo;
    if (grey && range <= 28.0 && range > 0.0) {
        const float top = min(0.25 * lo + 7.0, 255.0);
        return luma_line(top, top - 7.0);
    }
    const float inset = 3.0 / 128.0 * range; // exact, as are the sums
    return luma_line(nearest(0.25 * (hi - inset) + 0.37), nearest(0.25 * (lo + inset) - 0.37));
}

// Get a third of decoded Y less y, in 1/4 code, rounded. The numbers that are rounded have the
// denominator 84, and the summand keeps them off ties, so the reciprocals need not be exact.
float luma_third(Luma l, float q, float y)
{
    precise float first = (4.0 * l.a0 - (FFMPEG_MODEL ? LEAN : 0.0)) * (1.0 / 3.0) + 1.0 / 256.0;
    precise float step = 4.0 * (l.a0 - l.a1) * (1.0 / 21.0);
    precise float third = fma(q, -step, fma(y, -1.0 / 3.0, first));
    return nearest(third);
}
