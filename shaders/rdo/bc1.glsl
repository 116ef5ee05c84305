// SPDX-License-Identifier: MIT
// Decodes the colours of BC1.

// Get a channel between those of both endpoints as the nearest code, of two the larger. `most`: the
// largest value of an endpoint's channel.
uint bc1_code(uint sum, uint steps, uint most)
{
    return (510u * sum + steps * most) / (2u * steps * most);
}

// Get texel `t` as codes of R, G and B. `always_four`: as BC3 has it, whatever the order of the
// endpoints.
uvec3 bc1_codes(uvec2 words, uint t, bool always_four)
{
    const uvec2 ends = uvec2(words.x & 65535u, words.x >> 16);
    const bool is_four = always_four || ends.x > ends.y;
    const uint code = words.y >> 2u * t & 3u;
    if (!is_four && code == 3u)
        return uvec3(0u); // black
    const uint steps = is_four ? 3u : 2u;
    const uint w = code == 0u ? steps : code == 1u ? 0u : steps + 1u - code; // of the first colour
    const uvec2 weights = uvec2(w, steps - w);
    const uvec2 red = ends >> 11, green = ends >> 5 & 63u, blue = ends & 31u;
    return uvec3(bc1_code(weights.x * red.x + weights.y * red.y, steps, 31u),
                 bc1_code(weights.x * green.x + weights.y * green.y, steps, 63u),
                 bc1_code(weights.x * blue.x + weights.y * blue.y, steps, 31u));
}
