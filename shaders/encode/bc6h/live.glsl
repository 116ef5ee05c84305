// SPDX-License-Identifier: MIT
// BC6H at effort live: one line, fitted twice, in the finest mode that has it. An invocation
// encodes one block of 4x4 texels, all by itself.
//
//   uvec4 encode_bc6h_live(vec4 texels[16])
//
// takes texels, row-major, and returns the 16 bytes of the block, in memory order. It computes in
// floats, most of which hold integers under 2^24, because GPUs add and multiply twice as many of
// these as ints. All are `precise`, as they lie between two roundings. The result is the same on
// every device.
//
// The line is a diagonal of the box of the texels and then fitted by least squares: S. Brown, "DXT
// Compression Techniques" (2006). That one line from the box is enough for real time: K. Narkowicz,
// "Real-Time BC6H Compression on GPU" (GPU Pro 7, 2016).
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const bool IS_SIGNED
// and includes encode/halves.glsl and encode/bc6h/block.glsl.

#include "encode/rounding.glsl"

const int PLACE_BITS = 10;

// How far out of the box of the texels endpoints may be. Texels have places of 0 to 1024 there, and
// three products with a way of 11 bits sum up to less than 2^24.
const float LEAST_PLACE = -512.0;
const float GREATEST_PLACE = 1535.0;

const float LARGEST_HALF = float(HALF_MAX);
const uint LARGEST_BITS = 0x477fe000u; // 65504
const uint LEAST_BITS = 0x38000000u;   // 2^-15

// A float with an integer in its lowest bits. It is a part of all halves here that have no sign,
// and falls out of their differences.
const float TWO_TO_23 = 8388608.0;
const float BIAS = IS_SIGNED ? 0.0 : TWO_TO_23;

// Get the halves of a texel, plus BIAS. Those below 2^-14 are taken for others, the least of them
// for 0.
vec3 live_halves_of(vec3 texel)
{
    const uvec3 bits = floatBitsToUint(texel);
    uvec3 magnitude = IS_SIGNED ? bits & 0x7fffffffu : bits; // negative ones are above all others
    magnitude = mix(magnitude, uvec3(0u), greaterThan(magnitude, uvec3(INFINITY_BITS)));
    magnitude = clamp(magnitude, uvec3(LEAST_BITS), uvec3(LARGEST_BITS)) - LEAST_BITS;
    const vec3 large = uintBitsToFloat((magnitude >> 13) + floatBitsToUint(TWO_TO_23));
    if (!IS_SIGNED) {
        return large;
    }
    precise vec3 halves = large - TWO_TO_23;
    return mix(halves, -halves, greaterThan(bits, uvec3(0x7fffffffu)));
}

float dot_product(vec3 a, vec3 b)
{
    precise float product = fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
    return product;
}

// The texels in their box.
struct Box {
    ivec3 lo;  // halves
    int shift; // of halves, right, to places
    vec3 range;
    vec3 places[16];
    vec3 sum;             // of the places
    vec3 least, greatest; // places that are halves
};

// A line, and what gives the index of a place on it.
struct LiveLine {
    vec3 start, way;
    float whole_start; // dot product of the start and the way
    float inverse;     // of the square of the way
};

LiveLine live_line(vec3 start, vec3 end)
{
    LiveLine l;
    precise vec3 way = end - start;
    l.start = start;
    l.way = way;
    l.whole_start = dot_product(l.way, start);
    l.inverse = reciprocal(max(dot_product(l.way, l.way), 1.0));
    return l;
}

// By itself, as glslang does not end where a `precise` variable is a part of what it is made from.
vec3 end_of(LiveLine l)
{
    precise vec3 end = l.start + l.way;
    return end;
}

float index_on(LiveLine l, vec3 place)
{
    const vec3 w = l.way;
    precise float along = fma(w.x, place.x, fma(w.y, place.y, fma(w.z, place.z, -l.whole_start)));
    precise float part = clamp(along * l.inverse, 0.0, 1.0);
    precise float steps = part * 15.0;
    precise float sum = steps + LARGE;
    precise float index = sum - LARGE;
    return index;
}

// Get the line that fits best as the texels are on `l` now: their mean if they have one index.
LiveLine solve(Box b, LiveLine l)
{
    precise float sum_k = 0.0, sum_kk = 0.0;
    precise vec3 sum_kv = vec3(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float k = index_on(l, b.places[t]);
        sum_k += k;
        sum_kk = fma(k, k, sum_kk);
        sum_kv = fma(vec3(k), b.places[t], sum_kv);
    }
    const float inverse = reciprocal(max(fma(16.0, sum_kk, -sum_k * sum_k), 1.0));
    precise vec3 slope = fma(vec3(16.0), sum_kv, -sum_k * b.sum) * inverse;
    precise vec3 down = slope * (sum_k / 16.0);
    precise vec3 start = b.sum / 16.0 - down;
    precise vec3 way = 15.0 * slope;
    precise vec3 end = start + way;
    return live_line(nearest(clamp(start, b.least, b.greatest)),
                     nearest(clamp(end, b.least, b.greatest)));
}

// Get a diagonal of the box: channels run against the one with the longest side where they fall as
// it rises.
LiveLine diagonal(Box b)
{
    vec3 product = vec3(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        product = fma(b.places[t].rrg, b.places[t].gbb, product);
    }
    const ivec3 sum = ivec3(b.sum);
    const bvec3 falls = lessThan(16 * ivec3(product), sum.rrg * sum.gbb); // of RG, RB and GB
    const bool is_red = b.range.r >= max(b.range.g, b.range.b);
    const bool is_green = !is_red && b.range.g >= b.range.b;
    const vec3 start = vec3(!is_red && (is_green ? falls.x : falls.y) ? b.range.r : 0.0,
                            !is_green && (is_red ? falls.x : falls.z) ? b.range.g : 0.0,
                            (is_red && falls.y) || (is_green && falls.z) ? b.range.b : 0.0);
    precise vec3 end = b.range - start;
    return live_line(start, end);
}

Box box_of(vec4 texels[16])
{
    Box b;
    vec3 lo = vec3(2.0 * TWO_TO_23);
    vec3 hi = -lo;
    [[unroll]] for (int t = 0; t < 16; t++) {
        b.places[t] = live_halves_of(texels[t].rgb);
        lo = min(lo, b.places[t]);
        hi = max(hi, b.places[t]);
    }
    precise vec3 range = hi - lo;
    b.shift = shift_to(int(max(max(range.r, range.g), range.b)), PLACE_BITS);
    const float scale = uintBitsToFloat(uint(127 - b.shift) << 23); // 2^-shift
    precise vec3 scaled = range * scale;
    b.range = nearest(scaled);
    precise vec3 sum = vec3(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        precise vec3 offset = b.places[t] - lo;
        precise vec3 place = offset * scale;
        b.places[t] = nearest(place);
        sum += b.places[t];
    }
    b.sum = sum;
    precise vec3 origin = lo - BIAS;
    b.lo = ivec3(origin);
    precise vec3 least = ((IS_SIGNED ? -LARGEST_HALF : 0.0) - origin) * scale;
    precise vec3 greatest = (LARGEST_HALF - origin) * scale;
    b.least = max(least, LEAST_PLACE);
    b.greatest = min(greatest, GREATEST_PLACE);
    return b;
}

// The mode with the most bits whose differences can be that great.
int finest_mode(int difference)
{
    return difference < 8 ? 13 : difference <= 127 << 4 ? 12 : difference <= 255 << 5 ? 11 : 10;
}

ivec3 value_at(Box b, vec3 place)
{
    const int most = int(HALF_MAX);
    return value_of_half(clamp(b.lo + (ivec3(place) << b.shift), IS_SIGNED ? -most : 0, most));
}

uvec4 pack_ends(ivec3 first, ivec3 second)
{
    const int mode_index = finest_mode(largest_of(abs(second - first)));
    const Mode mode = mode_of(mode_index);
    const ivec3 base = quantise(first, mode.bits);
    const ivec3 other = quantise(second, mode.bits);
    return pack_endpoints(mode_index, base, mode.is_transformed ? other - base : other, ivec3(0),
                          ivec3(0));
}

// Get the indices of four texels, 4 bits each.
uint four_indices(Box b, LiveLine l, int first)
{
    precise float sum = LARGE;
    [[unroll]] for (int i = 0; i < 4; i++) {
        const float k = index_on(l, b.places[first + i]);
        const bool is_anchor = first + i == 0; // it has no highest bit
        sum = fma(is_anchor ? min(k, 7.0) : k, is_anchor ? 2.0 : float(1 << 4 * i), sum);
    }
    return floatBitsToUint(sum) & 0xffffu;
}

uvec4 encode_bc6h_live(vec4 texels[16])
{
    const Box b = box_of(texels);
    LiveLine l = diagonal(b);
    float first_index = 0.0;
    [[unroll]] for (int step = 0; step < 2; step++) {
        first_index = index_on(l, b.places[0]);
        l = solve(b, l);
    }
    if (first_index > 7.0) {
        l = live_line(end_of(l), l.start);
    }
    uvec4 words = pack_ends(value_at(b, l.start), value_at(b, end_of(l)));
    words.z |= four_indices(b, l, 0) | four_indices(b, l, 4) << 16;
    words.w |= four_indices(b, l, 8) | four_indices(b, l, 12) << 16;
    return words;
}
