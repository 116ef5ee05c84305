// SPDX-License-Identifier: MIT
// BC1: the 8 bytes of a block, of its endpoints. A part of bc1.glsl.

uint word_of(vec3 code)
{
    return uint(dot(code, vec3(2048.0, 32.0, 1.0)));
}

// Get the codes of the texels of a block. Sums with LARGE are added as integers, which have the
// step in their lowest bits; a multiple of LARGE is too much in the end.
uint codes_of_four(vec3 rgb[16], Line l)
{
    if (l.flat_step >= 0.0) {
        return bc1_codes(uint(l.flat_step) * 0x55555555u);
    }
    uint steps = 0u;
    if (FFMPEG_MODEL) {
        [[unroll]] for (int t = 15; t >= 0; t--) {
            steps = 4u * steps + uint(nearest_step(l, rgb[t]));
        }
    } else {
        [[unroll]] for (int t = 15; t >= 0; t--) {
            steps = 4u * steps + floatBitsToUint(large_step(l, rgb[t]));
        }
        steps -= LARGE_BITS * 0x55555555u;
    }
    return bc1_codes(steps);
}

uint codes_of(vec3 rgb[16], uint transparent, Line l)
{
    if (BC1_MODE == WEIR_ENCODE_BC1_OPAQUE && l.steps == 3.0) {
        return codes_of_four(rgb, l);
    }
    uint codes = 0u;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float k = choose(l, rgb[t], is_set(transparent, t)).step;
        const uint code = k == FOURTH ? 3u : k == 0.0 ? 0u : k == l.steps ? 1u : k == 1.0 ? 2u : 3u;
        codes |= code << 2 * t;
    }
    return codes;
}

uvec2 pack(vec3 rgb[16], uint transparent, ColorFit f)
{
    const uint first = word_of(f.first), second = word_of(f.second);
    if (f.steps == 3 ? first < second : first > second) {
        f = ColorFit(f.second, f.first, f.steps, f.error,
                     f.flat_step < 0 ? -1 : f.steps - f.flat_step);
    }
    return uvec2(word_of(f.first) | word_of(f.second) << 16,
                 codes_of(rgb, transparent, line_of(f)));
}
