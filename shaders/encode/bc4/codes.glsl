// SPDX-License-Identifier: MIT
// The codes of BC4 that stand for steps between its endpoints. Indices count from a0, 0, to a1, 7,
// or 5 of six values; 6 and 7 are 0 and the greatest value then.

// Convert eight indices q, 3 bits each, that count from a0 to a1, to the codes of BC4: indices 0
// and 7 have the codes 0 and 1, any other index q has the code q + 1.
uint bc4_codes(uint q)
{
    const uint code = ((q & 0x6DB6DBu) + 0x249249u) ^ (q & 0x924924u); // q + 1, modulo 8
    return code ^ (~(code >> 1 | code >> 2) & 0x249249u);
}

// Get the 3 bits that store an index.
uint bc4_code(int index, int steps)
{
    if (index > steps)
        return uint(index);
    return index == 0 ? 0u : index == steps ? 1u : uint(index) + 1u;
}

// Get the index that a block stores for texel `t`.
int bc4_index(uvec2 words, int steps, int t)
{
    const uint codes = t < 8 ? words.x >> 16 | words.y << 16 : words.y >> 8;
    const int code = int(codes >> 3 * (t % 8)) & 7;
    if (code > steps)
        return code;
    return code == 0 ? 0 : code == 1 ? steps : code - 1;
}
