// SPDX-License-Identifier: MIT
// The three functions of a reduction: they load a texel as a value, reduce the taps of an axis, and
// store a value. They are those of weir_pyramid_reduction, or of a kernel of the user's.
//
// Reference: tests/ref/pyramid.c.

#ifdef WEIR_CUSTOM
const bool IS_WEIGHTED = true;
#else
const bool IS_WEIGHTED = FIRST && REDUCTION == WEIR_PYRAMID_REDUCTION_LUMA_MEAN;

// 2^-84, which ALPHA_MEAN adds to alpha where it weighs colours: the mean is the plain one where
// all alpha is 0. The largest half under alpha 0 changes no 32-bit float beside any alpha of 8 or
// 16 bits, and the least half keeps its bits.
const float HIDDEN_WEIGHT = 5.169878828456423e-26;

// Get the colour that counts where alpha is 0: numbers that are not finite must not spread.
vec3 hidden_color(vec3 color)
{
    const vec3 most = vec3(3.4028234e38); // of a 32-bit float
    return mix(vec3(0.0), color, lessThanEqual(abs(color), most));
}

vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
{
    if (REDUCTION == WEIR_PYRAMID_REDUCTION_ALPHA_MEAN) {
        const float alpha = max(texel.a, 0.0);
        const vec3 color = alpha > 0.0 ? texel.rgb : hidden_color(texel.rgb);
        return vec4(color * (alpha + HIDDEN_WEIGHT), alpha);
    }
    if (REDUCTION == WEIR_PYRAMID_REDUCTION_MIN_MAX && ONE_CHANNEL) {
        return texel.rrrr;
    }
    if (IS_WEIGHTED) {
        // Karis 2013, "Tone mapping"; luma by Rec. 709.
        weight = 1.0 / (1.0 + max(dot(texel.rgb, vec3(0.2126, 0.7152, 0.0722)), 0.0));
    }
    return texel;
}

vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights)
{
    switch (REDUCTION) {
    case WEIR_PYRAMID_REDUCTION_MIN: return min(min(a, b), c);
    case WEIR_PYRAMID_REDUCTION_MAX: return max(max(a, b), c);
    case WEIR_PYRAMID_REDUCTION_MIN_MAX:
        return vec4(min(min(a.r, b.r), c.r), max(max(a.g, b.g), c.g), 0.0, 1.0);
    }
    const vec4 mean = weights.y * b + (weights.x * a + weights.z * c);
    return BOUNDED ? clamp(mean, min(min(a, b), c), max(max(a, b), c)) : mean;
}

vec4 weir_store(vec4 value)
{
    if (REDUCTION == WEIR_PYRAMID_REDUCTION_ALPHA_MEAN) {
        return vec4(value.rgb / (value.a + HIDDEN_WEIGHT), value.a);
    }
    return value;
}
#endif

// Reduce two taps of equal weight. They are scaled before they are added, as a sum could overflow.
vec4 reduce_pair(vec4 a, vec4 b)
{
#ifndef WEIR_CUSTOM
    if (REDUCTION == WEIR_PYRAMID_REDUCTION_MEAN ||
        REDUCTION == WEIR_PYRAMID_REDUCTION_ALPHA_MEAN ||
        REDUCTION == WEIR_PYRAMID_REDUCTION_LUMA_MEAN) {
        return 0.5 * a + 0.5 * b;
    }
#endif
    return weir_reduce(a, b, b, vec3(0.5, 0.5, 0.0));
}

// Get a value as an image holds it. A store need not take the nearest code: NVIDIA's H200 has been
// seen 0.54 codes off, and Direct3D allows 0.6. With ROUND_SRGB it gets a code to store.
vec4 texel_of(vec4 value)
{
    vec4 texel = weir_store(value);
    if (STORE_SRGB) {
        texel.rgb = encode_srgb(texel.rgb);
        if (ROUND_SRGB) {
            texel = floor(255.0 * clamp(texel, 0.0, 1.0) + 0.5) / 255.0;
        }
    }
    return used(texel);
}

void store(Slice slice, uint level, ivec2 position, vec4 value)
{
    write_level(slice, level, position, texel_of(value));
}
