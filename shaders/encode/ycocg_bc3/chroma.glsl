// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3: Co and Cg of a block. A part of ycocg_bc3.glsl, which lists its assumptions.

// The endpoints as codes (Co, Cg), and as values in 1/4 stored code: whole numbers.
struct Chroma {
    vec2 code0, code1;
    vec2 value0, value1;
};

// The line between the endpoints, in the metric 2 : 3, nearly. `weight` takes texels in 1/2 code of
// Co and 1/4 code of Cg; with `start`, the product is 0 .. 1 between the endpoints.
struct ChromaLine {
    vec2 weight;
    float start;
};

const vec2 CHROMA_MAX = vec2(31.0, 63.0); // codes

Chroma chroma_endpoints(Model m, vec2 code0, vec2 code1)
{
    precise vec2 value0 = (code0 * m.quarters - m.zero) / 4096.0;
    precise vec2 value1 = (code1 * m.quarters - m.zero) / 4096.0;
    return Chroma(code0, code1, nearest(value0), nearest(value1));
}

// Get the codes of values in 1/4 stored code.
vec2 quarters_to_code(Model m, vec2 x)
{
    precise vec2 product = x * (m.codes / 65536.0);
    precise vec2 codes = product + vec2(1019802.0, 2072501.0) / 65536.0;
    return codes;
}

Chroma chroma_ends(Model m, vec2 first, vec2 last)
{
    return chroma_endpoints(m, clamp(nearest(quarters_to_code(m, first)), vec2(0.0), CHROMA_MAX),
                            clamp(nearest(quarters_to_code(m, last)), vec2(0.0), CHROMA_MAX));
}

// Before it is rounded, an index is either halfway between two integers or at least 1 / (2 length)
// from there. Adding 1 / (4 length) rounds the first kind upwards and leaves the others alone,
// whatever the error of floats: `length` is below 2^17, and each summand of a place below 2^18.
ChromaLine chroma_line(Chroma c, vec2 to_quarters)
{
    const vec2 way = c.value1 - c.value0;
    vec2 weight = (c.code1 - c.code0) * vec2(4.0, 3.0);
    if (weight.x * way.x + weight.y * way.y > 65536.0)
        weight = nearest(0.25 * weight);
    const float length = weight.x * way.x + weight.y * way.y;
    const float inverse = length > 0.0 ? 1.0 / length : 0.0;
    const float start = 1.0 / 12.0 - (weight.x * c.value0.x + weight.y * c.value0.y);
    return ChromaLine(weight * (to_quarters * inverse), start * inverse);
}

// Get LARGE plus the index, 0 to 3.
float chroma_large_index(ChromaLine l, float co, float cg)
{
    precise float way = clamp(fma(l.weight.x, co, fma(l.weight.y, cg, l.start)), 0.0, 1.0);
    precise float sum = fma(way, 3.0, LARGE);
    return sum;
}

// Get endpoints that are equal or a code apart, such that (2 code0 + code1) / 3 is nearest to the
// mean of texels with that sum.
Chroma chroma_flat(Model m, vec2 sum)
{
    precise vec2 thirds = 3.0 * quarters_to_code(m, sum / 16.0);
    const ivec2 whole = ivec2(clamp(nearest(thirds), vec2(0.0), 3.0 * CHROMA_MAX));
    const ivec2 code0 = (whole + 1) * 21846 >> 16; // a third of up to 190, exact
    return chroma_endpoints(m, vec2(code0), vec2(whole - 2 * code0));
}

// Get the way along which Co and Cg vary most in the metric, as weights that make places of texels,
// whole numbers: the greater row of their covariance, turned once by it.
vec2 chroma_axis(Sums s)
{
    precise vec2 spread = vec2(0.5, 0.1875) * (16.0 * s.squares - s.sum.yz * s.sum.yz);
    precise float both = 0.30618622 * (16.0 * s.product - s.sum.y * s.sum.z);
    const vec2 row = spread.x >= spread.y ? vec2(spread.x, both) : vec2(both, spread.y);
    precise vec2 start = row * power_below(max(max(spread.x, spread.y), 1.0));
    precise vec2 axis = spread * start + both * start.yx;
    const float most = max(max(abs(axis.x), abs(axis.y)), 1.0);
    precise vec2 weight = axis * (vec2(0.49497475, 0.30310889) * 128.0) * power_below(most);
    return nearest(weight);
}

// The ends of the texels on their axis, in the units of texels.
struct ChromaSpan {
    vec2 first, last;
};

ChromaSpan chroma_span(vec2 weight, Sums s, float co[16], float cg[16])
{
    float lo = 1e9, hi = -1e9;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float place = fma(weight.x, co[t], weight.y * cg[t]);
        lo = min(lo, place);
        hi = max(hi, place);
    }
    // A step along the axis moves texels by this, and their place by its product with the weight.
    precise vec2 along = weight * vec2(2.0, 16.0 / 3.0);
    precise float length = weight.x * along.x + weight.y * along.y;
    precise vec2 mean = s.sum.yz * (1.0 / 16.0);
    precise float middle = weight.x * mean.x + weight.y * mean.y;
    const float inverse = reciprocal(max(length, 1.0));
    precise vec2 first = mean + along * ((hi - middle) * inverse);
    precise vec2 last = mean + along * ((lo - middle) * inverse);
    return ChromaSpan(first, last);
}

// Start with the span, a fourteenth of it shorter at both ends.
Chroma chroma_start(Model m, int scale_code, ChromaSpan span)
{
    const vec2 unit = quarters_of_units(scale_code);
    precise vec2 inset = 9.0 / 128.0 * (span.first - span.last);
    precise vec2 first = unit * (span.first - inset), last = unit * (span.last + inset);
    return chroma_ends(m, first, last);
}

// Get the largest scale by which both ends still have codes.
int chroma_scale_code(ChromaSpan span)
{
    const vec2 most = max(abs(span.first), abs(span.last)) * vec2(2.0, 1.0); // 1/4 code
    const float largest = max(most.x, most.y);
    return largest <= 4.0 * 31.0 ? 2 : largest <= 4.0 * 63.0 ? 1 : 0;
}

// `precise`: blocks of exactly this reach exist, and NVIDIA 580.159 takes the mean out of the ends.
bool is_wide(ChromaSpan span)
{
    precise vec2 reach = abs(span.first - span.last) * vec2(0.5, 0.25);
    return max(reach.x, reach.y) >= WIDE;
}

// Move the endpoints to where they fit the indices of the texels best. So many texels without
// chroma are added. `cost`: the squared error in 1/12 stored code, less the squares of the texels
// themselves. `precise`, as it exceeds 2^24.
Chroma chroma_step(Model m, int scale_code, Sums s, float co[16], float cg[16], float num_neutral,
                   Chroma c, out float cost)
{
    const vec2 unit = quarters_of_units(scale_code);
    const ChromaLine line = chroma_line(c, unit);
    precise float k0 = chroma_large_index(line, 0.0, 0.0) - LARGE;
    precise float k1 = num_neutral * k0, k2 = num_neutral * k0 * k0;
    precise vec2 kx = vec2(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        precise float k = chroma_large_index(line, co[t], cg[t]) - LARGE;
        k1 += k;
        k2 = fma(k, k, k2);
        kx.x = fma(k, co[t], kx.x);
        kx.y = fma(k, cg[t], kx.y);
    }
    const float num = 16.0 + num_neutral, d = num * k2 - k1 * k1;
    const vec2 offset = k2 * s.sum.yz - k1 * kx, slope = num * kx - k1 * s.sum.yz;
    precise vec2 scale = unit * reciprocal(max(d, 1.0));
    precise vec2 first = offset * scale, last = (offset + 3.0 * slope) * scale;
    if (d > 0.0)
        c = chroma_ends(m, first, last);
    const vec2 a = c.value0, way = c.value1 - c.value0;
    precise vec2 costs = 3.0 * a * (3.0 * num * a + 2.0 * k1 * way - 6.0 * unit * s.sum.yz) -
                         way * (6.0 * unit * kx - k2 * way);
    precise float both = 2.0 * costs.x + 3.0 * costs.y;
    cost = both;
    return c;
}

// Take the pair of chroma_flat() if it has a smaller cost.
Chroma chroma_or_flat(Model m, int scale_code, Sums s, Chroma c, float cost)
{
    const vec2 sum = quarters_of_units(scale_code) * s.sum.yz;
    const Chroma pair = chroma_flat(m, sum);
    const vec2 value = 2.0 * pair.value0 + pair.value1;
    precise vec2 costs = value * (16.0 * value - 6.0 * sum); // all indices 1
    precise float both = 2.0 * costs.x + 3.0 * costs.y;
    if (both < cost)
        return pair;
    return c;
}

// Replace endpoints of one code or of two neighbours by the pair of chroma_flat(), which is as good
// or better.
Chroma chroma_flat_if_near(Model m, int scale_code, Sums s, Chroma c)
{
    const vec2 distance = abs(c.code0 - c.code1);
    if (distance.x + distance.y > 1.0)
        return c;
    return chroma_flat(m, quarters_of_units(scale_code) * s.sum.yz);
}

// Get the BC1 codes of the texels, 2 bits each.
uint chroma_pack(ChromaLine line, float co[16], float cg[16])
{
    uint steps = 0u;
    [[unroll]] for (int t = 15; t >= 0; t--)
        steps = 4u * steps + floatBitsToUint(chroma_large_index(line, co[t], cg[t]));
    return bc1_codes(steps - LARGE_BITS * 0x55555555u);
}
