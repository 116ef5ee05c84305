// SPDX-License-Identifier: MIT
// Makes one texel of the level after the base from the texels of the base under it.

// One tap or several joined. weir_load() can give each tap a weight.
struct Sum {
    vec4 value;
    float weight;
};

Sum load(Slice slice, ivec2 position)
{
    Sum sum;
    sum.weight = 1.0;
    sum.value = weir_load(fetch_base(slice, position), position, sum.weight);
    return sum;
}

Sum join(Sum a, Sum b, Sum c, uint taps, vec3 weights)
{
    if (taps == 1u) {
        return a;
    }
    Sum sum;
    if (!IS_WEIGHTED) {
        sum.weight = 1.0;
        sum.value = taps == 2u ? reduce_pair(a.value, b.value)
                               : weir_reduce(a.value, b.value, c.value, weights);
        return sum;
    }
    // With two taps, c repeats b and shares its weight: a weight of 0 would make NaN of an
    // infinity.
    const vec3 w = taps == 2u ? vec3(0.5, 0.25, 0.25) : weights;
    const vec3 shares = w * vec3(a.weight, b.weight, c.weight);
    sum.weight = shares.x + shares.y + shares.z;
    sum.value = weir_reduce(a.value, b.value, c.value, sum.weight > 0.0 ? shares / sum.weight : w);
    return sum;
}

Sum load_row(Slice slice, ivec2 first, uint taps, vec3 weights)
{
    const Sum a = load(slice, first);
    Sum b = a;
    Sum c = a;
    if (taps > 1u) {
        b = load(slice, first + ivec2(1, 0));
        c = b;
    }
    if (taps > 2u) {
        c = load(slice, first + ivec2(2, 0));
    }
    return join(a, b, c, taps, weights);
}

vec4 reduce_fetched(Slice slice, uvec2 position)
{
    const uvec2 taps = num_taps(push.size);
    const vec3 weights = odd_weights(push.size.x, position.x);
    const ivec2 first = ivec2(2u * position);
    const Sum a = load_row(slice, first, taps.x, weights);
    Sum b = a;
    Sum c = a;
    if (taps.y > 1u) {
        b = load_row(slice, first + ivec2(0, 1), taps.x, weights);
        c = b;
    }
    if (taps.y > 2u) {
        c = load_row(slice, first + ivec2(0, 2), taps.x, weights);
    }
    return join(a, b, c, taps.y, odd_weights(push.size.y, position.y)).value;
}

// True if four texels are read by one gather, or two: words, or a base without other channels than
// R.
#if defined(WEIR_CUSTOM)
const bool GATHERED = false;
#elif defined(WORDS)
const bool GATHERED = !IS_WEIGHTED;
#else
const bool GATHERED = ONE_CHANNEL && !DECODE_SRGB && !IS_WEIGHTED;
#endif

// Gather the texels at `first`, below it and at the right, if GATHERED. A texel outside the base
// repeats the one at its edge. Texels of a gather are half a texel away from where its coordinates
// are, so that these need not be exact.
Quad gather(Slice slice, ivec2 first)
{
    return gather_base(slice, vec2(first + 1) / vec2(push.size));
}

// Get the value of the i-th texel of a quad, row by row.
vec4 quad_value(Quad quad, uint i)
{
    float weight = 1.0;
    return weir_load(quad_texel(quad, i), ivec2(0), weight);
}

vec4 reduce_quad(Quad quad)
{
    return reduce_pair(reduce_pair(quad_value(quad, 0u), quad_value(quad, 1u)),
                       reduce_pair(quad_value(quad, 2u), quad_value(quad, 3u)));
}

#ifndef WORDS
// Reduce up to nine texels of a base of any size by taps of the sampler: one, or four if a side is
// odd. Of three texels on an axis the first tap averages the middle one and the lighter of the
// others; the second has the heavier one.
vec4 filter_any(Slice slice, uvec2 position)
{
    const vec2 size = vec2(push.size);
    const vec2 center = vec2(2u * position + 1u);
    const vec2 odd = vec2(equal(num_taps(push.size), uvec2(3u)));
    if (all(equal(odd, vec2(0.0)))) {
        return filter_base(slice, center / size);
    }
    const vec2 n = vec2(push.size >> 1);
    const vec2 left = n - vec2(position);
    const vec2 right = vec2(position) + 1.0;
    const vec2 lighter = min(left, right);
    const vec2 side = odd * mix(vec2(-1.0), vec2(1.0), greaterThan(left, right)); // of the lighter
    const vec2 first = (center + 0.5 * odd + side * lighter / max(n + lighter, 1.0)) / size;
    const vec2 second = (center + 0.5 * odd - side) / size;
    const vec2 weight = odd * max(left, right) / size; // of the second
    const vec4 a = filter_base(slice, first);
    const vec4 b = filter_base(slice, vec2(second.x, first.y));
    const vec4 c = filter_base(slice, vec2(first.x, second.y));
    return mix(mix(a, b, weight.x), mix(c, filter_base(slice, second), weight.x), weight.y);
}
#endif

// Reduce the texels of the base under a texel by taps of the sampler.
vec4 reduce_filtered(Slice slice, uvec2 position)
{
#ifdef WORDS // never FILTERED
    return reduce_quad(gather(slice, ivec2(2u * position)));
#else
    return EVEN_BASE ? filter_base(slice, vec2(2u * position + 1u) / vec2(push.size))
                     : filter_any(slice, position);
#endif
}

vec4 reduce_base(Slice slice, uvec2 position)
{
    return FILTERED && (push.flags & WEIR_PYRAMID_FLAG_FILTERS) != 0u
               ? reduce_filtered(slice, position)
               : reduce_fetched(slice, position);
}

// Write to levels[0] the value of a texel of the base.
void copy_base(Slice slice, ivec2 position)
{
    store(slice, 0u, position, load(slice, position).value);
}
