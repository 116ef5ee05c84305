// SPDX-License-Identifier: MIT
// BC1 at effort live: the line along which the colours of a block vary most, and no step of least
// squares.
//
//   uvec2 encode_bc1_live(vec3 rgb[16])
//
// takes codes 0 to 255, row-major, and returns the 8 bytes of an opaque block of four colours. The
// result is the same on every device: numbers are whole, or rounded one operation at a time.
//
// The line through the mean along the principal axis, shortened at both ends, is the range fit of
// J.M.P. van Waveren, "Real-Time DXT Compression" (2006) with the axis of S. Brown's libsquish.
//
// Requires encode/bc1/codes.glsl and encode/rounding.glsl.

const vec3 LIVE_MAX = vec3(31.0, 63.0, 31.0); // codes

// 16 times the variances of the texels times 16, the covariances of R and G, G and B, B and R, and
// the sums.
struct Moments {
    vec3 sum, variance, covariance;
};

Moments moments_of(vec3 rgb[16])
{
    precise vec3 sum = vec3(0.0), square = vec3(0.0), product = vec3(0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        sum += rgb[t];
        square = fma(rgb[t], rgb[t], square);
        product = fma(rgb[t], rgb[t].gbr, product);
    }
    precise vec3 variance = 16.0 * square - sum * sum;
    precise vec3 covariance = 16.0 * product - sum * sum.gbr;
    return Moments(sum, variance, covariance);
}

// Get the greatest row of the covariance, as whole numbers up to 127.
vec3 axis_of(Moments m)
{
    const vec3 v = m.variance, c = m.covariance;
    const vec3 red_or_green = v.r > v.g ? vec3(v.r, c.r, c.b) : vec3(c.r, v.g, c.g);
    const bool is_blue = v.b > max(v.r, v.g);
    const vec3 row = is_blue ? vec3(c.b, c.g, v.b) : red_or_green;
    precise vec3 scaled = row * (126.0 * 0.5 * power_below(max(max(v.r, v.g), max(v.b, 1.0))));
    return nearest(scaled);
}

float place_of(vec3 axis, vec3 v)
{
    return fma(axis.x, v.x, fma(axis.y, v.y, axis.z * v.z));
}

// Get codes of which a third of the way from the first to the second is nearest to a colour.
void pair_of(vec3 color, out vec3 first, out vec3 second)
{
    precise vec3 thirds = color * (LIVE_MAX * (3.0 / 255.0));
    const ivec3 whole = integers_of(thirds);
    const ivec3 code = (whole + 1) * 21846 >> 16; // a third of up to 190, exact
    first = vec3(code);
    second = vec3(whole - 2 * code);
}

// Get the steps, of three, of places between those of two codes. Before it is rounded, a step is
// halfway between two integers or at least 1 / (2 way) from there. Adding 1 / (4 way) rounds the
// first kind upwards and leaves the others alone.
uint live_steps(float place[16], vec3 axis, vec3 first, vec3 second)
{
    precise vec3 start = axis * (first * (255.0 / LIVE_MAX));
    precise vec3 end = axis * (second * (255.0 / LIVE_MAX));
    precise float start_place = start.x + start.y + start.z, end_place = end.x + end.y + end.z;
    const float from = nearest(start_place), way = nearest(end_place) - from;
    const float factor = way != 0.0 ? 1.0 / way : 0.0, summand = abs(factor) * (1.0 / 12.0);
    uint steps = 0u;
    [[unroll]] for (int t = 15; t >= 0; t--) {
        precise float x = clamp(fma(place[t] - from, factor, summand), 0.0, 1.0);
        precise float sum = fma(x, 3.0, LARGE);
        steps = 4u * steps + floatBitsToUint(sum);
    }
    return steps - LARGE_BITS * 0x55555555u;
}

uvec2 encode_bc1_live(vec3 rgb[16])
{
    const Moments m = moments_of(rgb);
    const vec3 axis = axis_of(m);
    float place[16], lo = 1e9, hi = -1e9;
    [[unroll]] for (int t = 0; t < 16; t++) {
        place[t] = place_of(axis, rgb[t]);
        lo = min(lo, place[t]);
        hi = max(hi, place[t]);
    }
    precise vec3 mean = m.sum * (1.0 / 16.0);
    precise vec3 squares = axis * axis, products = axis * mean;
    precise float length = squares.x + squares.y + squares.z;
    precise float middle = products.x + products.y + products.z;
    const float inverse = reciprocal(max(length, 1.0));
    precise float inset = 9.0 / 128.0 * (hi - lo);
    precise float up = (hi - inset - middle) * inverse, down = (lo + inset - middle) * inverse;
    precise vec3 top = mean + axis * up, bottom = mean + axis * down;
    precise vec3 exact = clamp(top * (LIVE_MAX / 255.0), vec3(0.0), LIVE_MAX);
    precise vec3 other = clamp(bottom * (LIVE_MAX / 255.0), vec3(0.0), LIVE_MAX);
    vec3 first = nearest(exact), second = nearest(other);
    const bool is_flat = first == second;
    if (is_flat) {
        pair_of(mean, first, second);
    }
    uint steps = is_flat ? 0x55555555u : live_steps(place, axis, first, second);
    uvec2 words = uvec2(uint(dot(first, vec3(2048.0, 32.0, 1.0))),
                        uint(dot(second, vec3(2048.0, 32.0, 1.0))));
    if (words.x < words.y) {
        words = words.yx;
        steps = ~steps;
    }
    return uvec2(words.x | words.y << 16, words.x == words.y ? 0u : bc1_codes(steps));
}
