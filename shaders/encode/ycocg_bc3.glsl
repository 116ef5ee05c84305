// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3 (HapY): an invocation encodes one block of 4x4 texels, all by itself.
//
//   uvec4 encode_ycocg_bc3(uint texels[16])
//
// takes 8-bit codes 0x00BBGGRR, row-major, and returns the 16 bytes of the block, in memory order.
// A subgroup and a workgroup do nothing together: no shared memory, no subgroup operation.
//
// Requires: GL_EXT_control_flow_attributes; the includer declares the specialization constant
//   layout(constant_id = N) const bool FFMPEG_MODEL = false;
// which tunes for FFmpeg's integer decoder in place of a GPU's.
//
// Source: J.M.P. van Waveren, I. Castano, "Real-Time YCoCg-DXT Compression" (2007). tests/ref/
// ycocg_bc3*.c defines every bit of the result and explains the steps; names are the same here.
//
// The result is the same on every device. Floats below hold integers (or halves, in luma_third())
// under 2^24, so neither rounding nor contraction of a multiply and an add changes them; products
// with powers of two are exact too. Where a quotient is needed, divide() and the constant
// reciprocals say why they are exact.

struct Model {
    float luma_bias;     // [1/16 code]
    vec2 chroma_bias;    // [texel's unit: 1/2 code of Co, 1/4 code of Cg]
    ivec2 codes;         // Co and Cg codes in 1/4 stored code, times 2^16
    ivec2 quarters;      // 1/4 stored codes in a code, times 2^12
    int zero;            // stored 128, in those units of 2^-12
};

// floor(n / d) for |n| < 2^31, 0 < d, |n / d| < 2^19: `inverse` is 1.0 / d within 2.5 ulp, so the
// product is within 2^-21 of n / d relatively and its floor is off by one at most; the remainder
// tells.
int divide(int n, int d, float inverse)
{
    const int q = int(floor(float(n) * inverse));
    const int r = n - q * d;
    return r < 0 ? q - 1 : r >= d ? q + 1 : q;
}

// The integers nearest to n / d.
ivec2 divide_round(ivec2 n, int d)
{
    const float inverse = 1.0 / float(2 * d);
    return ivec2(divide(2 * n.x + d, 2 * d, inverse), divide(2 * n.y + d, 2 * d, inverse));
}

// ---- Y ----

struct Luma {
    int a0, a1;   // endpoints
    float first;  // a0 less the bias [1/16 code]
    float step;   // 1 / (a0 - a1) per 1/16 code
};

Luma luma_line(Model m, int a0, int a1)
{
    const int range = max(a0 - a1, 1);
    const int step = divide((1 << 17) + (range >> 1), range, 1.0 / float(range));
    return Luma(a0, a1, float(16 * a0) - m.luma_bias, float(step) * (1.0 / 2097152.0));
}

// The index of y, 0 at a0 to 7 at a1. Where the first product passes 2^24 and is rounded, it is
// clamped; else it has 21 fractional bits, and 7 times it 24.
float luma_index(Luma l, float y)
{
    return floor(7.0 * clamp((l.first - 4.0 * y) * l.step, 0.0, 1.0) + 0.5);
}

// Move the endpoints to where they fit their indices best, and keep that if it is better.
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

// A third of decoded Y less y, in 1/4 code, rounded. What is floored has the denominators 7 and 21
// and lies half a numerator off the integers, so the reciprocals need not be exact.
float luma_third(Luma l, float q, float y)
{
    if (FFMPEG_MODEL) {
        const float sevenths = float(7 * l.a0) + 0.5 - q * float(l.a0 - l.a1);
        return floor((28.0 * floor(sevenths * (1.0 / 7.0)) + 10.5 - 7.0 * y) * (1.0 / 21.0));
    }
    const float numerator = float(28 * l.a0) + 10.5 - q * float(4 * (l.a0 - l.a1)) - 7.0 * y;
    return floor(numerator * (1.0 / 21.0));
}

// Eight indices from a0 to a1, 3 bits each, to BC4's: 0 and 7 are 0 and 1, the others q + 1.
uint luma_pack(float indices)
{
    const uint q = uint(indices);
    const uint code = ((q & 0x6DB6DBu) + 0x249249u) ^ (q & 0x924924u); // q + 1, modulo 8
    return code ^ (~(code >> 1 | code >> 2) & 0x249249u);
}

// ---- Co and Cg ----

// Endpoints as codes (Co, Cg), and as 1/4 stored codes.
struct Chroma {
    ivec2 code0, code1;
    ivec2 value0, value1;
};

// The line in the metric 2 : 3, with the weights for texels in 1/2 code of Co and 1/4 code of Cg,
// and where on it an index begins.
struct ChromaLine {
    vec2 weight;
    vec3 threshold;
};

// Sums over the texels: of the index, its square, the texel, and index times texel.
struct ChromaSums {
    int k, kk;
    ivec2 x, kx;
};

ivec2 code_to_quarters(Model m, ivec2 code)
{
    return ((code * m.quarters - m.zero + ((1024 << 12) + (1 << 11))) >> 12) - 1024;
}

// 2^16 times the code.
ivec2 quarters_to_code(Model m, ivec2 x)
{
    return x * m.codes + ivec2(1019802, 2072501);
}

Chroma chroma_endpoints(Model m, ivec2 code0, ivec2 code1)
{
    return Chroma(code0, code1, code_to_quarters(m, code0), code_to_quarters(m, code1));
}

ChromaLine chroma_line(Chroma c, ivec2 to_quarters)
{
    const ivec2 weight = (c.code1 - c.code0) * ivec2(42, 31);
    const ivec2 first = 6 * weight * c.value0;
    const ivec2 delta = weight * (c.value1 - c.value0);
    const int start = first.x + first.y, length = delta.x + delta.y;
    return ChromaLine(vec2(6 * weight * to_quarters),
                      vec3(ivec3(start + length, start + 3 * length, start + 5 * length)));
}

// 1 for each threshold that the texel has passed.
vec3 chroma_passed(ChromaLine l, float co, float cg)
{
    const float place = l.weight.x * co + l.weight.y * cg;
    return vec3(greaterThan(vec3(place), l.threshold));
}

// The squared error in 1/12 stored code, less that of the texels themselves.
int chroma_cost(ChromaSums s, Chroma c)
{
    const ivec2 a = c.value0, d = c.value1 - c.value0;
    const ivec2 cost = 6 * (a * (24 * a + d * s.k - 3 * s.x) - d * s.kx) + d * d * s.kk;
    return 2 * cost.x + 3 * cost.y;
}

Chroma chroma_fit(Model m, ChromaSums s, Chroma c)
{
    const int det = max(16 * s.kk - s.k * s.k, 1);
    const ivec2 a = c.value0, d = c.value1 - c.value0;
    const ivec2 se = 3 * s.x - 48 * a - d * s.k;
    const ivec2 ske = 3 * s.kx - 3 * a * s.k - d * s.kk;
    const ivec2 offset = s.kk * se - s.k * ske;
    const ivec2 slope = 16 * ske - s.k * se;
    const ivec2 scale = det * ((m.quarters * 3 + 128) >> 8);
    const ivec2 n0 = 16 * offset, n1 = 16 * (offset + 3 * slope);
    const ivec2 co = divide_round(ivec2(n0.x, n1.x), scale.x);
    const ivec2 cg = divide_round(ivec2(n0.y, n1.y), scale.y);
    return chroma_endpoints(m, clamp(c.code0 + ivec2(co.x, cg.x), ivec2(0), ivec2(31, 63)),
                            clamp(c.code1 + ivec2(co.y, cg.y), ivec2(0), ivec2(31, 63)));
}

// Endpoints a code apart or equal, such that (2 code0 + code1) / 3 is nearest to the mean.
Chroma chroma_flat(Model m, ChromaSums s)
{
    const ivec2 mean = (quarters_to_code(m, ivec2(0)) * 16 + m.codes * s.x) >> 4;
    const ivec2 thirds = clamp((3 * mean + (1 << 15)) >> 16, ivec2(0), ivec2(93, 189));
    const ivec2 code0 = ((thirds + 1) * 21846) >> 16; // a third of up to 190, exact
    return chroma_endpoints(m, code0, thirds - 2 * code0);
}

Chroma chroma_box(Model m, ivec2 lo, ivec2 hi, bool falling)
{
    const ivec2 inset = (hi - lo) >> 4;
    lo += inset;
    hi -= inset;
    const ivec2 first = ivec2(hi.x, falling ? lo.y : hi.y);
    const ivec2 last = ivec2(lo.x, falling ? hi.y : lo.y);
    const ivec2 code0 = (quarters_to_code(m, first) + (1 << 15)) >> 16;
    const ivec2 code1 = (quarters_to_code(m, last) + (1 << 15)) >> 16;
    return chroma_endpoints(m, clamp(code0, ivec2(0), ivec2(31, 63)),
                            clamp(code1, ivec2(0), ivec2(31, 63)));
}

Chroma chroma_refine(Model m, float co[16], float cg[16], vec2 sum, ivec2 to_quarters, Chroma c)
{
    const ChromaLine line = chroma_line(c, to_quarters);
    float k1 = 0.0, k2 = 0.0;
    vec2 kx = vec2(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const vec3 passed = chroma_passed(line, co[t], cg[t]);
        const float k = passed.x + passed.y + passed.z;
        k1 += k;
        k2 += k * k;
        kx.x += k * co[t];
        kx.y += k * cg[t];
    }
    const vec2 unit = vec2(to_quarters);
    const ChromaSums s = ChromaSums(int(k1), int(k2), ivec2(unit * sum), ivec2(unit * kx));
    int best = chroma_cost(s, c);
    const Chroma fitted = chroma_fit(m, s, c);
    const int cost = chroma_cost(s, fitted);
    if (16 * s.kk != s.k * s.k && cost < best) {
        best = cost;
        c = fitted;
    }
    const Chroma flat_pair = chroma_flat(m, s);
    const ivec2 value = 2 * flat_pair.value0 + flat_pair.value1;
    const ivec2 flat_cost = value * (16 * value - 6 * s.x); // chroma_cost() where all indices are 1
    return 2 * flat_cost.x + 3 * flat_cost.y < best ? flat_pair : c;
}

// Eight BC1 indices, 2 bits each, of texels from `first`. From endpoint 0 to 1 they are 0, 2, 3, 1:
// the thresholds passed count 2, 1 and -2.
uint chroma_pack(ChromaLine line, float co[16], float cg[16], int first)
{
    float bits = 0.0;
    [[unroll]] for (int t = 7; t >= 0; t--) {
        const vec3 passed = chroma_passed(line, co[first + t], cg[first + t]);
        bits = 4.0 * bits + passed.y;
        bits += 2.0 * passed.x;
        bits -= 2.0 * passed.z;
    }
    return uint(bits);
}

// ---- The block ----

// tests/ref/ycocg_bc3.c derives the numbers.
Model decoder_model(int scale_code)
{
    if (FFMPEG_MODEL)
        return Model(6.0, vec2(0.25, 0.5) * float(scale_code == 2 ? 3 : 2 * scale_code),
                     ivec2(1992, 4048), ivec2(134771, 66316), 2097152);
    if (scale_code == 2)
        return Model(3.0, vec2(0.0), ivec2(2013, 4091), ivec2(133359, 65622), 2075186);
    if (scale_code == 1)
        return Model(3.0, vec2(0.0), ivec2(2006, 4076), ivec2(133826, 65852), 2082457);
    return Model(3.0, vec2(0.0), ivec2(1992, 4048), ivec2(134771, 66316), 2097152);
}

uvec4 encode_ycocg_bc3(uint texels[16])
{
    // Y and Cg times 4, Co times 2.
    float y[16], co[16], cg[16];
    vec3 lo = vec3(1e4), hi = vec3(-1e4), sum = vec3(0.0);
    float product = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float r = float(texels[t] & 255u), g = float(texels[t] >> 8 & 255u);
        const float b = float(texels[t] >> 16 & 255u);
        y[t] = r + b + 2.0 * g;
        co[t] = r - b;
        cg[t] = 4.0 * g - y[t];
        const vec3 v = vec3(y[t], co[t], cg[t]);
        lo = min(lo, v);
        hi = max(hi, v);
        sum += v;
        product += v.y * v.z;
    }
    const vec2 extreme = max(abs(lo.yz), abs(hi.yz));
    const float largest = max(2.0 * extreme.x, extreme.y);
    const int scale_code = largest <= 4.0 * 31.0 ? 2 : largest <= 4.0 * 63.0 ? 1 : 0;
    const Model m = decoder_model(scale_code);

    Luma l = luma_box(m, int(lo.x), int(hi.x), largest == 0.0);
    l = luma_refine(m, y, sum.x, l);
    l = luma_refine(m, y, sum.x, l);

    // The indices of Y; and Cg, for FFmpeg also Co, become what they are fitted to.
    float indices[2] = float[2](0.0, 0.0);
    vec2 target_sum = vec2(0.0);
    [[unroll]] for (int t = 15; t >= 0; t--) {
        const float q = luma_index(l, y[t]);
        indices[t / 8] = 8.0 * indices[t / 8] + q;
        cg[t] += luma_third(l, q, y[t]);
        if (FFMPEG_MODEL) {
            co[t] += sign(co[t]) * m.chroma_bias.x;
            cg[t] += sign(cg[t]) * m.chroma_bias.y;
        }
        target_sum += vec2(co[t], cg[t]);
    }
    if (!FFMPEG_MODEL)
        target_sum.x = sum.y; // Co is as it was
    const uint luma0 = luma_pack(indices[0]), luma1 = luma_pack(indices[1]);

    const ivec2 to_quarters = ivec2(2, 1) << scale_code;
    const bool falling = 16 * int(product) < int(sum.y) * int(sum.z);
    Chroma c = chroma_box(m, ivec2(lo.yz) * to_quarters, ivec2(hi.yz) * to_quarters, falling);
    c = chroma_refine(m, co, cg, target_sum, to_quarters, c);
    uint word0 = uint(c.code0.x << 11 | c.code0.y << 5 | (1 << scale_code) - 1);
    uint word1 = uint(c.code1.x << 11 | c.code1.y << 5 | (1 << scale_code) - 1);
    if (word0 < word1) {
        c = Chroma(c.code1, c.code0, c.value1, c.value0);
        const uint word = word0;
        word0 = word1;
        word1 = word;
    }
    const ChromaLine line = chroma_line(c, to_quarters);
    const uint chroma0 = chroma_pack(line, co, cg, 0), chroma1 = chroma_pack(line, co, cg, 8);

    return uvec4(uint(l.a0) | uint(l.a1) << 8 | luma0 << 16, luma0 >> 16 | luma1 << 8,
                 word0 | word1 << 16, chroma0 | chroma1 << 16);
}
