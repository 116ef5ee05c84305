// SPDX-License-Identifier: MIT
// The codes of BC1 that stand for steps between its endpoints.
#ifndef WEIR_ENCODE_BC1_CODES
#define WEIR_ENCODE_BC1_CODES

// Convert 16 steps, 2 bits each: 0, 1, 2 and 3 of four colours have the codes 0, 2, 3 and 1.
uint bc1_codes(uint steps)
{
    return ((steps ^ steps << 1) & 0xaaaaaaaau) | (steps >> 1 & 0x55555555u);
}

#endif
