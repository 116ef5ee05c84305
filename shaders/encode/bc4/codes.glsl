// SPDX-License-Identifier: MIT
// The codes of BC4 that stand for steps between its endpoints.

// Eight indices from a0 to a1, 3 bits each, to BC4's: 0 and 7 are 0 and 1, the others q + 1.
uint bc4_codes(float indices)
{
    const uint q = uint(indices);
    const uint code = ((q & 0x6DB6DBu) + 0x249249u) ^ (q & 0x924924u); // q + 1, modulo 8
    return code ^ (~(code >> 1 | code >> 2) & 0x249249u);
}
