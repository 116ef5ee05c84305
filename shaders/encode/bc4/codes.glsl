// SPDX-License-Identifier: MIT
// The codes of BC4 that stand for steps between its endpoints.

// Convert eight indices, 3 bits each, that count from a0 to a1, to the codes of BC4: indices 0 and
// 7 have the codes 0 and 1, any other index q has the code q + 1.
uint bc4_codes(float indices)
{
    const uint q = uint(indices);
    const uint code = ((q & 0x6DB6DBu) + 0x249249u) ^ (q & 0x924924u); // q + 1, modulo 8
    return code ^ (~(code >> 1 | code >> 2) & 0x249249u);
}
