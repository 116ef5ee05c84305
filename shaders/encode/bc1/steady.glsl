// SPDX-License-Identifier: MIT
// BC1: what an opaque block keeps of the one in the frame before.
//
//   uvec2 keep_bc1(vec3 rgb[16], uvec2 previous, uvec2 block)
//
// takes the texels as encode_bc1() does and the block that it made of them, and returns it, or the
// texels with the endpoints of the previous block where these cost little. The result is the same
// on every device.
//
// Requires encode/steady.glsl and encode/bc1/bc1.glsl.

vec3 code_of_word(uint word)
{
    return vec3(word >> 11 & 31u, word >> 5 & 63u, word & 31u);
}

// Get the error of the steps that the texels of this frame keep or get, which words.y has then.
uint keep_codes(vec3 rgb[16], inout uvec2 words)
{
    const vec3 first = code_of_word(words.x);
    const vec3 second = code_of_word(words.x >> 16);
    const Line l = line_of(ColorFit(first, second, 3, 0, -1));
    precise vec3 way = value_of(second) - value_of(first);
    const int slack = int(slack_of(uint(dot_product(way, way))));
    int sum = 0;
    uint kept = 0u;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float nearest = nearest_step(l, rgb[t]);
        const int least = error_of(l, rgb[t], nearest);
        const uint code = words.y >> 2 * t & 3u;
        float step = code == 0u ? 0.0 : code == 1u ? 3.0 : float(code) - 1.0;
        int error = error_of(l, rgb[t], step);
        if (error > least + slack) {
            step = nearest;
            error = least;
        }
        sum += error;
        kept |= (step == 0.0 ? 0u : step == 3.0 ? 1u : uint(step) + 1u) << 2 * t;
    }
    words.y = kept;
    return uint(sum);
}

uvec2 keep_bc1(vec3 rgb[16], uvec2 previous, uvec2 block)
{
    const bool has_four = (previous.x & 0xffffu) > previous.x >> 16;
    if (!has_four || block == previous)
        return block;
    uvec2 own = block;
    uvec2 before = previous;
    const uint error = keep_codes(rgb, own);
    if (is_kept(keep_codes(rgb, before), error))
        return before;
    return block;
}
