// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3: Co and Cg of a block. A part of ycocg_bc3.glsl, which lists its assumptions.

// The endpoints as codes (Co, Cg), and as values in 1/4 stored code.
struct Chroma {
    ivec2 code0, code1;
    ivec2 value0, value1;
};

// The line between the endpoints, in the metric 2 : 3. `weight` takes texels in 1/2 code of Co and
// 1/4 code of Cg; `threshold` are the places on the line at which the indices 1, 2 and 3 begin.
struct ChromaLine {
    vec2 weight;
    vec3 threshold;
};

// What Co and Cg are fitted to, in the units of texels, and its sum.
struct ChromaTargets {
    float co[16], cg[16];
    vec2 sum;
};

// Endpoints, and their squared error by chroma_cost().
struct ChromaStep {
    Chroma ends;
    int cost;
};

// Sums over the texels: how many they are, of the index, its square, the texel, and index times
// texel.
struct ChromaSums {
    int num, k, kk;
    ivec2 x, kx;
};

ivec2 code_to_quarters(Model m, ivec2 code)
{
    return ((code * m.quarters - m.zero + ((1024 << 12) + (1 << 11))) >> 12) - 1024;
}

// Get 2^16 times the codes of values in 1/4 stored code.
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

// Get 1 for each threshold that the texel has passed, else 0.
vec3 chroma_passed(ChromaLine l, float co, float cg)
{
    const float place = l.weight.x * co + l.weight.y * cg;
    return vec3(greaterThan(vec3(place), l.threshold));
}

// Get the squared error in 1/12 stored code, less the squares of the texels themselves.
int chroma_cost(ChromaSums s, Chroma c)
{
    const ivec2 a = c.value0, d = c.value1 - c.value0;
    const ivec2 cost = 3 * a * (3 * s.num * a + 2 * d * s.k - 6 * s.x) - 6 * d * s.kx
                       + d * d * s.kk;
    return 2 * cost.x + 3 * cost.y;
}

Chroma chroma_fit(Model m, ChromaSums s, Chroma c)
{
    const int det = max(s.num * s.kk - s.k * s.k, 1);
    const ivec2 a = c.value0, d = c.value1 - c.value0;
    const ivec2 se = 3 * s.x - 3 * s.num * a - d * s.k;
    const ivec2 ske = 3 * s.kx - 3 * a * s.k - d * s.kk;
    const ivec2 offset = s.kk * se - s.k * ske;
    const ivec2 slope = s.num * ske - s.k * se;
    const ivec2 scale = det * ((m.quarters * 3 + 128) >> 8);
    const ivec2 n0 = 16 * offset, n1 = 16 * (offset + 3 * slope);
    const ivec2 co = divide_round(ivec2(n0.x, n1.x), scale.x);
    const ivec2 cg = divide_round(ivec2(n0.y, n1.y), scale.y);
    return chroma_endpoints(m, clamp(c.code0 + ivec2(co.x, cg.x), ivec2(0), ivec2(31, 63)),
                            clamp(c.code1 + ivec2(co.y, cg.y), ivec2(0), ivec2(31, 63)));
}

// Get endpoints that are equal or a code apart, such that (2 code0 + code1) / 3 is nearest to the
// mean of texels with that sum.
Chroma chroma_flat(Model m, ivec2 sum)
{
    const ivec2 mean = (quarters_to_code(m, ivec2(0)) * 16 + m.codes * sum) >> 4;
    const ivec2 thirds = clamp((3 * mean + (1 << 15)) >> 16, ivec2(0), ivec2(93, 189));
    const ivec2 code0 = ((thirds + 1) * 21846) >> 16; // a third of up to 190, exact
    return chroma_endpoints(m, code0, thirds - 2 * code0);
}

Chroma chroma_ends(Model m, ivec2 first, ivec2 last)
{
    const ivec2 code0 = (quarters_to_code(m, first) + (1 << 15)) >> 16;
    const ivec2 code1 = (quarters_to_code(m, last) + (1 << 15)) >> 16;
    return chroma_endpoints(m, clamp(code0, ivec2(0), ivec2(31, 63)),
                            clamp(code1, ivec2(0), ivec2(31, 63)));
}

// Get the ends of the box, a sixteenth of it shorter at both.
void chroma_inset(Bounds b, int scale_code, out ivec2 lo, out ivec2 hi)
{
    const ivec2 to_quarters = quarters_of_units(scale_code);
    lo = ivec2(b.lo.yz) * to_quarters;
    hi = ivec2(b.hi.yz) * to_quarters;
    const ivec2 inset = (hi - lo) >> 4;
    lo += inset;
    hi -= inset;
}

Chroma chroma_box(Model m, Bounds b, int scale_code)
{
    ivec2 lo, hi;
    chroma_inset(b, scale_code, lo, hi);
    return chroma_ends(m, ivec2(hi.x, b.falling ? lo.y : hi.y),
                       ivec2(lo.x, b.falling ? hi.y : lo.y));
}

Chroma chroma_across(Model m, Bounds b, int scale_code)
{
    ivec2 lo, hi;
    chroma_inset(b, scale_code, lo, hi);
    const ivec2 middle = (lo + hi) >> 1;
    if (4 * (hi.x - lo.x) > 5 * (hi.y - lo.y))
        lo.y = hi.y = middle.y;
    else
        lo.x = hi.x = middle.x;
    return chroma_ends(m, hi, lo);
}

// Replace a box of one code or of two neighbours by the pair of chroma_flat(), which is as good or
// better.
Chroma chroma_flat_if_near(Model m, vec2 sum, int scale_code, Chroma c)
{
    const ivec2 distance = abs(c.code0 - c.code1);
    if (distance.x + distance.y > 1)
        return c;
    const ivec2 unit = quarters_of_units(scale_code);
    return chroma_flat(m, ivec2(vec2(unit) * sum));
}

// Move the endpoints to where they fit the indices of the texels best, if that is better. So many
// texels without chroma are added.
ChromaStep chroma_step(Model m, ChromaTargets x, int scale_code, float num_neutral, Chroma c)
{
    const ivec2 unit = quarters_of_units(scale_code);
    const ChromaLine line = chroma_line(c, unit);
    const vec3 neutral = chroma_passed(line, 0.0, 0.0);
    const float k0 = neutral.x + neutral.y + neutral.z;
    float k1 = num_neutral * k0, k2 = num_neutral * k0 * k0;
    vec2 kx = vec2(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const vec3 passed = chroma_passed(line, x.co[t], x.cg[t]);
        const float k = passed.x + passed.y + passed.z;
        k1 += k;
        k2 += k * k;
        kx.x += k * x.co[t];
        kx.y += k * x.cg[t];
    }
    const ChromaSums s = ChromaSums(16 + int(num_neutral), int(k1), int(k2),
                                    ivec2(vec2(unit) * x.sum), ivec2(vec2(unit) * kx));
    const int cost = chroma_cost(s, c);
    const Chroma fitted = chroma_fit(m, s, c);
    const int fitted_cost = chroma_cost(s, fitted);
    if (s.num * s.kk != s.k * s.k && fitted_cost < cost)
        return ChromaStep(fitted, fitted_cost);
    return ChromaStep(c, cost);
}

// Fit endpoints from the diagonal of the box, and in wide blocks from its middle too, where texels
// without chroma count twice: beside colours, white, grey and black show every error as a tint.
Chroma chroma_refine(Model m, ChromaTargets x, Bounds b, float num_neutral, Chroma c)
{
    ChromaStep best = chroma_step(m, x, b.scale_code, num_neutral, c);
    if (b.wide) {
        c = chroma_across(m, b, b.scale_code);
        [[dont_unroll]] for (int i = 0; i < 2; i++) {
            const ChromaStep other = chroma_step(m, x, b.scale_code, num_neutral, c);
            if (other.cost < best.cost)
                best = other;
            c = best.ends;
        }
        return best.ends;
    }
    const ivec2 sum = ivec2(vec2(quarters_of_units(b.scale_code)) * x.sum);
    const Chroma flat_pair = chroma_flat(m, sum);
    const ivec2 value = 2 * flat_pair.value0 + flat_pair.value1;
    const ivec2 flat_cost = value * (16 * value - 6 * sum); // chroma_cost() where all indices are 1
    return 2 * flat_cost.x + 3 * flat_cost.y < best.cost ? flat_pair : best.ends;
}

// Get the BC1 indices of eight texels from `first` on, 2 bits each. From endpoint 0 to 1 they are
// 0, 2, 3 and 1: the thresholds that a texel has passed add 2, 1 and -2.
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
