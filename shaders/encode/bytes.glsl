// SPDX-License-Identifier: MIT
// Words whose most significant byte is the first in memory.
#ifndef WEIR_BYTES
#define WEIR_BYTES

uint swap_bytes(uint x)
{
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

#endif
