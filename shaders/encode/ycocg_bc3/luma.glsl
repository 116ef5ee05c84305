// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3: Y of a block, in BC4. A part of ycocg_bc3.glsl, which lists its assumptions.

struct Luma {
    int a0, a1;   // endpoints
    float first;  // a0 less the bias [1/16 code]
    float step;   // 1 / (a0 - a1) per 1/16 code
};

Luma luma_line(Model m, int a0, int a1)
{
    const int range = max(a0 - a1, 1);
    const int step = divide((1 << 15) + (range >> 1), range, 1.0 / float(range));
    return Luma(a0, a1, float(16 * a0) - m.luma_bias, float(step) * (1.0 / 524288.0));
}

// Get the index of y, 0 at a0 to 7 at a1. If the first product exceeds 2^24 and is rounded, it is
// clamped as well; else it has 19 fractional bits. Half a unit of these lifts 7 times the product
// off every tie.
float luma_index(Luma l, float y)
{
    return nearest(7.0 * clamp((l.first - 4.0 * y) * l.step, 0.0, 1.0) + 1.0 / 1048576.0);
}

// Move the endpoints to where they fit the indices of the texels best, and keep them if they are
// better.
Luma luma_refine(Model m, float y[16], float sum_y, Luma l)
{
    float q1 = 0.0, q2 = 0.0, qy = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float q = luma_index(l, y[t]);
        q1 += q;
        q2 += q * q;
        qy += q * y[t];
    }
    const int bias = int(m.luma_bias), range = l.a0 - l.a1;
    const int sq = int(q1), sqq = int(q2);
    const int d = 16 * sqq - sq * sq;
    const int se = 7 * (4 * int(sum_y) + 16 * bias) - 16 * 112 * l.a0 + 16 * range * sq;
    const int sqe = 7 * (4 * int(qy) + bias * sq) - 112 * l.a0 * sq + 16 * range * sqq;
    const int offset = sqq * se - sq * sqe;
    const int slope = 16 * sqe - sq * se;
    const ivec2 move = divide_round(ivec2(offset, offset + 7 * slope), 112 * max(d, 1));
    const int a0 = clamp(l.a0 + move.x, 0, 255);
    const int a1 = clamp(l.a1 + move.y, 0, 255);
    const int da = a0 - l.a0, dr = a0 - a1 - range;
    const int gain = 7 * da * se - dr * sqe - 6272 * da * da + 112 * da * dr * sq
                     - 8 * dr * dr * sqq;
    const bool keep = d > 0 && gain > 0 && a0 > a1;
    return luma_line(m, keep ? a0 : l.a0, keep ? a1 : l.a1);
}

Luma luma_box(Model m, int lo, int hi, bool grey)
{
    const int inset = (hi - lo) >> 5;
    int a1 = (lo + inset) >> 2;
    int a0 = (hi - inset + 3) >> 2;
    if (grey && hi - lo <= 28 && hi > lo) {
        a0 = min(a1 + 7, 255);
        a1 = a0 - 7;
    }
    return luma_line(m, a0, a1);
}

// Get a third of decoded Y less y, in 1/4 code, rounded. The numbers that are rounded have the
// denominators 7 and 21 and are half a numerator off every tie, so the reciprocals need not be
// exact. FFmpeg's model takes floor(), because NVIDIA 580.159 moves the constants of two nested
// nearest() through the product.
float luma_third(Luma l, float q, float y)
{
    if (FFMPEG_MODEL) {
        const float sevenths = float(7 * l.a0) + 0.5 - q * float(l.a0 - l.a1);
        const float decoded = floor(sevenths * (1.0 / 7.0));
        return floor((28.0 * decoded + 10.5 - 7.0 * y) * (1.0 / 21.0));
    }
    const float first = float(28 * l.a0) * (1.0 / 21.0);
    const float step = float(4 * (l.a0 - l.a1)) * (1.0 / 21.0);
    return nearest(first - q * step - y * (1.0 / 3.0));
}
